//! The same, a position at a time, for every network and game: the oracle of the fast way, and the
//! way for all networks that it is not made for.

use std::ops::Range;

use upstar_games::{Color, Random, random_move};

use super::{Lesson, Record};
use crate::encoder::Visible;
use crate::judge::{Judge, Misfit};
use crate::network::Network;

/// A network that plays against Random and learns by plain backpropagation.
#[derive(Clone, Debug)]
pub struct Plain<G: Visible> {
    game: G,
    start: G::Position,
    color: Color,
    network: Network,
    judge: Judge,
    learned: Vec<G::Position>,
}

impl<G: Visible> Plain<G> {
    /// Games from `start` in which the network has this colour.
    ///
    /// # Errors
    /// If the network is not for this game and board.
    pub fn new(
        network: Network,
        game: G,
        start: G::Position,
        color: Color,
    ) -> Result<Self, Misfit> {
        Ok(Self {
            judge: Judge::new(&network, &game, &start)?,
            game,
            start,
            color,
            network,
            learned: Vec::new(),
        })
    }

    /// Plays these games of the run with the given seed, and learns after each.
    pub fn learn(&mut self, lesson: &Lesson, seed: u64, games: Range<u64>) -> Record {
        self.play(Some(lesson), seed, games)
    }

    /// Plays these games and learns nothing.
    pub fn evaluate(&mut self, seed: u64, games: Range<u64>) -> Record {
        self.play(None, seed, games)
    }

    /// The network as it is now.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    fn play(&mut self, lesson: Option<&Lesson>, seed: u64, games: Range<u64>) -> Record {
        let mut record = Record::default();
        for index in games {
            let mut random = Random::for_game(seed, index);
            let all = lesson.is_some_and(|lesson| lesson.all_positions);
            let won = self.play_one(all, &mut random, &mut record);
            if let Some(lesson) = lesson {
                self.learn_one(won, lesson, &mut record);
            }
        }
        record
    }

    fn play_one(&mut self, all: bool, random: &mut Random, record: &mut Record) -> bool {
        self.learned.clear();
        let mut position = self.start;
        loop {
            let mover = self.game.to_move(&position);
            let mv = if mover == self.color {
                let choice = self.judge.best(&self.network, &self.game, &position);
                choice.map(|choice| {
                    record.opinions += u64::from(choice.lowest < choice.highest);
                    choice.mv
                })
            } else {
                random_move(&self.game, &position, random)
            };
            let Some(mv) = mv else {
                let score = self.game.score(&position).expect("the game is over");
                let won = if mover == self.color {
                    score > 0
                } else {
                    score < 0
                };
                record.games += 1;
                record.wins += u64::from(won);
                record.positions += self.learned.len() as u64;
                return won;
            };
            position = self.game.play_unchecked(&position, mv);
            if all || mover == self.color {
                self.learned.push(position);
            }
        }
    }

    fn learn_one(&mut self, won: bool, lesson: &Lesson, record: &mut Record) {
        let target = if won { lesson.target } else { -lesson.target };
        let mut rate = lesson.learning_rate;
        for position in &self.learned {
            let trace = self
                .judge
                .look(&self.network, &self.game, position, self.color);
            let live = match lesson.output_derivative {
                true => self.network.learn(trace, target, rate),
                false => self.network.learn_without_slope(trace, target, rate),
            };
            record.live += u64::from(live);
            rate *= 1.0 + lesson.temporal_rate;
        }
    }
}
