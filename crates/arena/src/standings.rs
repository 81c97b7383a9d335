//! The table of a tournament: who stands where, and who made how many points against whom.

use serde::{Deserialize, Serialize};
use upstar_games::Color;

use crate::elo::Counts;
use crate::ratings::{CrossTable, Rating, ratings};
use crate::record::{Reason, Winner, half_points};
use crate::runner::{Contestant, forfeited};

/// How a tournament stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// The players, the strongest first.
    pub players: Vec<Standing>,
    /// Their results against each other, rows and columns in the same order.
    pub cross: Vec<Vec<Counts>>,
    /// How many games were played.
    pub games: u64,
    /// How many there are to be.
    pub of: u64,
    /// Games that the side with the stones `x` won.
    pub black_wins: u64,
    /// Games that the side with the stones `o` won.
    pub white_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
}

/// How a player stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The place, from 1.
    pub rank: usize,
    /// The name.
    pub name: String,
    /// The agent's word.
    pub agent: String,
    /// The rating; nothing if all games against the rated players were won, or lost.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The lower end of that interval; there is one even if all games were won.
    pub elo_low: Option<f64>,
    /// The upper end of that interval; there is one even if all games were lost.
    pub elo_high: Option<f64>,
    /// Points: 1 for a win and a half for a draw.
    pub points: f64,
    /// How many games were played.
    pub games: u64,
    /// How many were won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many were lost.
    pub losses: u64,
    /// How many of them by time, an illegal move or a fault.
    pub forfeits: u64,
}

/// What the table needs to know of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameResult {
    /// Who had the stones `x` and `o`, by their numbers.
    pub seats: [usize; 2],
    /// Who won.
    pub winner: Winner,
    /// How it ended.
    pub reason: Reason,
}

impl Standings {
    /// The table of these games, of as many as there are to be.
    ///
    /// # Panics
    /// If a game names a player that is not there, or there is no such anchor.
    #[must_use]
    pub fn of_games(
        players: &[Contestant],
        games: impl IntoIterator<Item = GameResult>,
        anchor: Option<usize>,
        of: u64,
    ) -> Self {
        let mut tally = Tally::new(players.len());
        for game in games {
            tally.add(game);
        }
        tally.table(players, anchor, of)
    }
}

/// All results of a tournament, as they come.
#[derive(Clone, Debug)]
struct Tally {
    cross: CrossTable,
    forfeits: Vec<u64>,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
}

impl Tally {
    fn new(players: usize) -> Self {
        Self {
            cross: CrossTable::new(players),
            forfeits: vec![0; players],
            black_wins: 0,
            white_wins: 0,
            draws: 0,
        }
    }

    /// Counts a game.
    fn add(&mut self, game: GameResult) {
        let GameResult {
            seats: [black, white],
            winner,
            reason,
        } = game;
        self.cross
            .add(black, white, half_points(winner, Color::Black));
        match winner {
            Winner::Black => self.black_wins += 1,
            Winner::White => self.white_wins += 1,
            Winner::Draw => self.draws += 1,
        }
        if let Some(side) = forfeited(winner, reason) {
            self.forfeits[game.seats[side.index()]] += 1;
        }
    }

    /// The table of these results.
    fn table(&self, players: &[Contestant], anchor: Option<usize>, of: u64) -> Standings {
        let ratings = ratings(&self.cross, anchor);
        let share = |player: usize| {
            let counts = self.cross.of(player);
            counts.points() / counts.games().max(1) as f64
        };
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|&a, &b| {
            let ((kind_a, elo_a), (kind_b, elo_b)) = (ratings[a].order(), ratings[b].order());
            let by_rating = kind_b.cmp(&kind_a).then(elo_b.total_cmp(&elo_a));
            by_rating.then(share(b).total_cmp(&share(a)))
        });
        let standing = |(place, &player): (usize, &usize)| {
            let Counts {
                wins,
                draws,
                losses,
            } = self.cross.of(player);
            let (elo, elo_error) = match ratings[player] {
                Rating::Known { elo, error } => (Some(elo), Some(error)),
                _ => (None, None),
            };
            let (elo_low, elo_high) = match ratings[player] {
                Rating::Known { elo, error } => (Some(elo - error), Some(elo + error)),
                Rating::Above { bound } => (bound, None),
                Rating::Below { bound } => (None, bound),
                Rating::Apart => (None, None),
            };
            Standing {
                rank: place + 1,
                name: players[player].name.clone(),
                agent: players[player].agent.clone(),
                elo,
                elo_error,
                elo_low,
                elo_high,
                points: self.cross.of(player).points(),
                games: wins + draws + losses,
                wins,
                draws,
                losses,
                forfeits: self.forfeits[player],
            }
        };
        let row = |&a: &usize| order.iter().map(|&b| self.cross.between(a, b)).collect();
        Standings {
            players: order.iter().enumerate().map(standing).collect(),
            cross: order.iter().map(row).collect(),
            games: self.black_wins + self.white_wins + self.draws,
            of,
            black_wins: self.black_wins,
            white_wins: self.white_wins,
            draws: self.draws,
        }
    }
}
