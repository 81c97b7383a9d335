//! Games of a run one by one: who plays, from which opening, with which generators, and what is
//! written down. Matches and tournaments are both made of it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use upstar_agents::{Agent, AgentSpec};
use upstar_games::{Color, Game, Variant};
use upstar_jobs::{Budget, Pool, ThreadError};

use crate::clock::TimeControl;
use crate::game::{CannotBegin, Duel, Ending, PlayedGame, generators};
use crate::log::LogError;
use crate::openings::{Book, OpeningError, OpeningOf};
use crate::record::{Reason, Record, Winner, micros};

/// Who plays: makes agents for one game and board.
///
/// A closure from the number of a player to a new agent will do.
pub trait Players<G: Game>: Sync {
    /// A new agent for the player with this number, from 0. It may play many games;
    /// [`Agent::begin_game`] is called before each.
    ///
    /// # Errors
    /// If it cannot be made; the run ends then.
    fn player(&self, which: usize) -> Result<Box<dyn Agent<G>>, String>;
}

impl<G: Game, F> Players<G> for F
where
    F: Fn(usize) -> Result<Box<dyn Agent<G>>, String> + Sync,
{
    fn player(&self, which: usize) -> Result<Box<dyn Agent<G>>, String> {
        self(which)
    }
}

/// A player as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Contestant {
    /// Its name, which no other player of the run has.
    pub name: String,
    /// The specification of its agent.
    pub agent: String,
    /// The checksum of the file of its network, if it plays with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

impl Contestant {
    /// A player with this name and specification.
    #[must_use]
    pub fn new(name: String, agent: String) -> Self {
        let spec: Option<AgentSpec> = agent.parse().ok();
        Self {
            name,
            agent,
            network: spec.and_then(|spec| spec.network_checksum()),
        }
    }

    /// Two players named by their specs; if these are the same, the names tell them apart.
    #[must_use]
    pub fn two(a: &str, b: &str) -> [Self; 2] {
        let [first, second] = if a == b { [" (A)", " (B)"] } else { ["", ""] };
        [(a, first), (b, second)]
            .map(|(spec, mark)| Self::new(format!("{spec}{mark}"), spec.to_owned()))
    }
}

/// What is played.
pub struct Place<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where games begin before their opening.
    pub start: &'a G::Position,
    /// The game by name.
    pub variant: Variant,
    /// Where it begins, as the user wrote it.
    pub position: &'a str,
}

/// One game of a run: its numbers, and who has which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    pub(crate) index: u64,
    pub(crate) round: u64,
    pub(crate) pair: u64,
    /// The players of Black and White.
    pub(crate) seats: [usize; 2],
}

/// A game that has ended, as a progress hook sees it. Games are shown in the order of their index.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The game's number in the run.
    pub index: u64,
    /// The number of the player of Black.
    pub black: usize,
    /// The number of the player of White.
    pub white: usize,
    /// Who has won.
    pub winner: Winner,
    /// How it ended.
    pub reason: Reason,
    /// Whether it was found in the record of an earlier session.
    pub earlier: bool,
    /// Its record, if records are made.
    pub record: Option<&'a Record>,
}

/// All that games of a run have in common.
pub(crate) struct Runner<'a, G: Game, P> {
    pub(crate) place: &'a Place<'a, G>,
    pub(crate) players: &'a P,
    pub(crate) contestants: &'a [Contestant],
    pub(crate) seed: u64,
    pub(crate) time: TimeControl,
    pub(crate) recorded: bool,
}

/// The agents of one worker's last game, with the numbers of their players. Others are not kept:
/// some take much memory.
type Seats<G> = Vec<(usize, Box<dyn Agent<G>>)>;

/// The agent of this player, if it played the last game.
fn kept<G: Game>(seats: &mut Seats<G>, which: usize) -> Option<Box<dyn Agent<G>>> {
    let place = seats.iter().position(|&(player, _)| player == which)?;
    Some(seats.swap_remove(place).1)
}

/// How a game of a run went.
struct Outcome {
    winner: Winner,
    reason: Reason,
    record: Option<Record>,
}

impl<G: Game, P: Players<G>> Runner<'_, G, P> {
    /// Plays a single game, with agents made for it.
    pub(crate) fn play_one(
        &self,
        fixture: &Fixture,
        opening: &OpeningOf<G>,
        budget: &Budget,
    ) -> Result<Option<Record>, RunError> {
        let outcome = self.play(&mut Seats::new(), fixture, opening, budget)?;
        Ok(outcome.and_then(|outcome| outcome.record))
    }

    /// Plays a game; nothing comes of it if somebody says stop.
    fn play(
        &self,
        seats: &mut Seats<G>,
        fixture: &Fixture,
        opening: &OpeningOf<G>,
        budget: &Budget,
    ) -> Result<Option<Outcome>, RunError> {
        let begun = self.recorded.then(Instant::now);
        let duel = Duel {
            game: self.place.game,
            start: &opening.start,
            opening: &opening.moves,
            time: self.time,
            budget,
            thoughts: self.recorded,
        };
        let mut taken = fixture.seats.map(|which| kept(seats, which));
        seats.clear();
        for (which, kept) in fixture.seats.into_iter().zip(&mut taken) {
            let agent = match kept.take() {
                Some(agent) => agent,
                None => self.made(which)?,
            };
            seats.push((which, agent));
        }
        let [(_, black), (_, white)] = &mut seats[..] else {
            unreachable!("a game has two players")
        };
        let random = generators(self.seed, fixture.index);
        let played = duel.play([&mut **black, &mut **white], random);
        let played = played.map_err(|CannotBegin { side, fault }| {
            self.refused(fixture.seats[side.index()], fault.to_string())
        })?;
        let Some(played) = played else {
            return Ok(None);
        };
        // An agent at fault does not come back.
        if played.ending.reason != Reason::Rules {
            seats.clear();
        }
        let seconds = begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64());
        let Ending { winner, reason, .. } = played.ending;
        let record = self
            .recorded
            .then(|| self.record(fixture, opening, played, seconds));
        Ok(Some(Outcome {
            winner,
            reason,
            record,
        }))
    }

    fn made(&self, which: usize) -> Result<Box<dyn Agent<G>>, RunError> {
        let made = self.players.player(which);
        made.map_err(|what| self.refused(which, what))
    }

    fn refused(&self, which: usize, what: String) -> RunError {
        let name = self.contestants[which].name.clone();
        RunError::Player { name, what }
    }

    fn record(
        &self,
        fixture: &Fixture,
        opening: &OpeningOf<G>,
        played: PlayedGame<G::Move>,
        seconds: f64,
    ) -> Record {
        let game = self.place.game;
        let names = |moves: &[G::Move]| moves.iter().map(|&mv| game.move_name(mv)).collect();
        let start = opening.end(game);
        let [black, white] = fixture.seats.map(|seat| &self.contestants[seat]);
        // Clobber knows winners only.
        let counts = matches!(self.place.variant, Variant::Othello(_) | Variant::Reversi);
        Record {
            game: self.place.variant.to_string(),
            position: self.place.position.to_owned(),
            black: black.name.clone(),
            white: white.name.clone(),
            black_agent: Some(black.agent.clone()),
            white_agent: Some(white.agent.clone()),
            black_network: black.network.clone(),
            white_network: white.network.clone(),
            time: self.time,
            seed: self.seed,
            index: fixture.index,
            round: fixture.round,
            pair: fixture.pair,
            opening: names(&opening.moves),
            start: game.setup(&start).to_string(),
            to_move: game.to_move(&start).letter(),
            moves: names(&played.moves),
            thoughts: played.thoughts,
            winner: Some(played.ending.winner),
            score: played.ending.score.filter(|_| counts),
            reason: played.ending.reason,
            text: played.ending.text,
            seconds: micros(seconds),
        }
    }

    /// Whether a record begins as this game of this run does.
    pub(crate) fn check_opening(
        &self,
        record: &Record,
        opening: &OpeningOf<G>,
    ) -> Result<(), String> {
        let game = self.place.game;
        let mut names = opening.moves.iter().map(|&mv| game.move_name(mv));
        let start = game.setup(&opening.end(game)).to_string();
        if names.by_ref().eq(record.opening.iter().cloned()) && record.start == start {
            Ok(())
        } else {
            Err("its opening is another one".to_owned())
        }
    }

    /// Plays the games of a run that are not known from earlier sessions, hands out the record of each when
    /// it ends, and shows all of them in their order, until `counted` breaks off. True if it came to
    /// that or to the last game.
    pub(crate) fn run(
        &self,
        pool: &Pool<'_>,
        book: &Book<G>,
        fixture: impl Fn(u64) -> Fixture + Sync,
        earlier: &Earlier,
        mut ended: impl FnMut(&Record) -> Result<(), LogError>,
        mut counted: impl FnMut(&Fixture, &Finished<'_>) -> ControlFlow<()>,
    ) -> Result<bool, RunError> {
        let known = |fixture: &Fixture| {
            let &(winner, reason) = earlier.get(&fixture.index)?;
            Some(Outcome {
                winner,
                reason,
                record: None,
            })
        };
        pool.work(
            Seats::new,
            |seats, number, budget| {
                let fixture = fixture(number);
                match known(&fixture) {
                    Some(outcome) => Ok(Some(outcome)),
                    None => {
                        let opening = book.opening(self.place.game, fixture.round);
                        self.play(seats, &fixture, &opening, budget)
                    }
                }
            },
            |_, outcome| match &outcome.record {
                Some(record) => Ok(ended(record)?),
                None => Ok(()),
            },
            |number, outcome: Outcome| {
                let fixture = fixture(number);
                let finished = Finished {
                    index: fixture.index,
                    black: fixture.seats[0],
                    white: fixture.seats[1],
                    winner: outcome.winner,
                    reason: outcome.reason,
                    earlier: earlier.contains_key(&fixture.index),
                    record: outcome.record.as_ref(),
                };
                counted(&fixture, &finished)
            },
        )
    }
}

/// The games of earlier sessions by their index.
pub(crate) type Earlier = BTreeMap<u64, (Winner, Reason)>;

/// What all records of a run have in common.
pub(crate) struct Expected<'a> {
    pub(crate) variant: Variant,
    pub(crate) position: &'a str,
    pub(crate) seed: u64,
    pub(crate) time: TimeControl,
    pub(crate) contestants: &'a [Contestant],
}

impl Expected<'_> {
    /// Takes over the result of a record, which must be this game of the run.
    pub(crate) fn take(
        &self,
        record: &Record,
        fixture: &Fixture,
        earlier: &mut Earlier,
    ) -> Result<(), String> {
        let [black, white] = fixture.seats.map(|seat| &self.contestants[seat]);
        let same = record.game == self.variant.to_string()
            && record.position == self.position
            && record.seed == self.seed
            && record.time == self.time
            && (record.round, record.pair) == (fixture.round, fixture.pair)
            && (&record.black, &record.white) == (&black.name, &white.name)
            && record.black_agent.as_ref() == Some(&black.agent)
            && record.white_agent.as_ref() == Some(&white.agent);
        if !same {
            return Err(format!(
                "it belongs to another run: game {} of this one is {} on {} with seed {} and time {}, {} against {}",
                fixture.index,
                self.variant,
                self.position,
                self.seed,
                self.time,
                black.name,
                white.name
            ));
        }
        let networks = [&record.black_network, &record.white_network];
        for (player, known) in [black, white].into_iter().zip(networks) {
            let both = known.as_ref().zip(player.network.as_ref());
            if both.is_some_and(|(known, now)| known != now) {
                return Err(format!(
                    "the file of the network of {} was changed since game {}",
                    player.name, fixture.index
                ));
            }
        }
        let Some(winner) = record.winner else {
            return Err(format!("game {} is not finished", fixture.index));
        };
        match earlier.insert(fixture.index, (winner, record.reason)) {
            None => Ok(()),
            Some(_) => Err(format!("game {} is there twice", fixture.index)),
        }
    }
}

/// The side that lost this game other than by the rules.
pub(crate) fn forfeited(winner: Winner, reason: Reason) -> Option<Color> {
    let lost = matches!(reason, Reason::Time | Reason::Illegal | Reason::Fault);
    winner.side().filter(|_| lost).map(|side| !side)
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A player could not be made.
    #[error("player {name}: {what}")]
    Player {
        /// Its name.
        name: String,
        /// Why not.
        what: String,
    },
    /// The file of records.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A game of the run, or its record.
    #[error("game {index}: {what}")]
    Game {
        /// The game's number.
        index: u64,
        /// What is wrong.
        what: String,
    },
    /// The threads.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// The game does not have two sides.
    #[error("{0} is not a game of two agents")]
    NotForTwo(Variant),
}
