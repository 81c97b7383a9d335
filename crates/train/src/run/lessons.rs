//! A block of learning: by play, in passes over games of its own, or with examples.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Instant;

use upstar_games::Random;
use upstar_jobs::Budget;
use upstar_nets::Record;

use super::{BUNDLE, Run, seats};
use crate::config::Teacher;
use crate::exam::FAST_BUNDLE;
use crate::folder::RunError;
use crate::gather::{Solvers, gather};
use crate::learner::{Block, Table};
use crate::student::Learnable;

/// So many different endings of games are counted in a block.
const MOST_ENDINGS: usize = 1_000_000;

/// After a block of the fast way, the games in which opinions are counted: none that is learned from.
const OPINION_GAMES: std::ops::Range<u64> = 1 << 62..(1 << 62) + 16;

impl<G: Learnable> Run<G> {
    /// The next block; `None` if somebody said stop.
    pub(super) fn training(&mut self) -> Result<Option<Block>, RunError> {
        let (first, end) = (self.state.games, self.block_end());
        let mut block = Block {
            phase: "training".to_owned(),
            games: end,
            ..Block::default()
        };
        for student in &mut self.students {
            (student.presented, student.live) = (0, 0);
        }
        let begun = Instant::now();
        let time = match self.time_left() {
            Some(left) => self.budget.within(left),
            None => self.budget.clone(),
        };
        let reached = if self.config.teacher() == Teacher::Examples {
            self.present(first..end, &time, &mut block)
        } else if self.config.learning.passes > 0 {
            let whole = self.learn_in_passes(first, end, &mut block)?;
            whole.then_some(end)
        } else {
            self.learn_by_play(first..end, &time, &mut block)?
        };
        let Some(end) = reached else {
            return Ok(None);
        };
        block.games = end;
        if self.config.seconds.is_some() {
            self.state.micros += begun.elapsed().as_micros() as u64;
            block.learning_seconds = Some(self.state.micros as f64 / 1e6);
        }
        let rate = self.config.rate(end);
        for student in &mut self.students {
            student.step(self.config.learning.batch, rate, true);
        }
        self.state.games = end;
        self.close(&mut block);
        Ok(Some(block))
    }

    /// Plays the games of a block and learns after each, at least one, and others while there is time. Returns
    /// the number after the last; `None` if somebody said stop.
    fn learn_by_play(
        &mut self,
        games: Range<u64>,
        time: &Budget,
        block: &mut Block,
    ) -> Result<Option<u64>, RunError> {
        if let Some((lesson, color)) = self.config.plain_lesson()
            && let student = &mut self.students[0]
            && let Some(mut versus) =
                (self.game).versus_random(&student.network, &self.start, color)
            && versus.can_learn(&lesson)
        {
            let (mut record, mut next) = (Record::default(), games.start);
            while next < games.end {
                if self.budget.is_stopped() {
                    return Ok(None);
                }
                let bundle = next..games.end.min(next + FAST_BUNDLE);
                next = bundle.end;
                record.merge(&versus.learn(&lesson, self.config.seed, bundle));
                if is_late(time) {
                    break;
                }
            }
            block.count_record(&record, color);
            (student.presented, student.live) = (record.positions, record.live);
            // Choices are counted only while nothing is learned; a few games tell enough.
            block.count_opinions(&versus.evaluate(self.config.seed, OPINION_GAMES));
            student.network = versus.into_network();
            return Ok(Some(next));
        }
        let looks = self.config.perfect_moves(false) > 0;
        if looks {
            self.make_solvers()?;
        }
        let (teacher, color) = (self.config.teacher(), self.config.color());
        let mut table = Table {
            game: &self.game,
            book: &self.book,
            config: &self.config,
            students: &mut self.students,
            agent: match self.agents.first_mut() {
                Some(agent) => Some(&mut **agent),
                None => None,
            },
            solver: match self.solvers.as_mut().filter(|_| looks) {
                Some(solvers) => solvers.each().next().map(|solver| &mut **solver as _),
                None => None,
            },
            results: self.results.as_ref(),
            training_set: (self.config.learning.growing_set).then_some(&mut self.training_set),
            budget: &self.budget,
        };
        let (mut endings, mut end) = (HashSet::new(), games.end);
        for index in games {
            let played = match self.recorded.game(index) {
                Some(recorded) => Ok(table.recorded(index, recorded, block)),
                None => {
                    let seats = seats(&teacher, color.unwrap_or_default(), index);
                    table.game(index, seats, true, block)
                }
            };
            if self.budget.is_stopped() {
                return Ok(None);
            }
            let ending = played.map_err(|fault| RunError::of(format!("game {index}: {fault}")))?;
            if endings.len() < MOST_ENDINGS {
                endings.insert(ending);
            }
            if is_late(time) {
                end = index + 1;
                break;
            }
        }
        block.endings = Some(endings.len() as u64);
        Ok(Some(end))
    }

    /// Plays the games of a block with the network as it is, then learns their positions.
    fn learn_in_passes(
        &mut self,
        first: u64,
        end: u64,
        block: &mut Block,
    ) -> Result<bool, RunError> {
        self.make_solvers()?;
        let solvers = self.solvers.as_mut().expect("they were just made");
        let (student, learning) = (&mut self.students[0], &self.config.learning);
        let mut examples = gather(
            &self.game,
            (&self.book, &self.recorded),
            &self.config,
            (&student.network, &student.judge),
            (solvers, self.resources.ledger(), &self.budget),
            first..end,
            block,
        )?;
        let mut random = Random::for_game(!self.config.seed, first);
        let presentations = examples.len() * learning.passes as usize;
        let (mut error, mut presented) = (0.0, 0);
        for _ in 0..learning.passes {
            for place in (1..examples.len()).rev() {
                examples.swap(place, random.below(place as u32 + 1) as usize);
            }
            for example in &examples {
                if presented % BUNDLE == 0 && self.budget.is_stopped() {
                    return Ok(false);
                }
                let done = (end - first) as usize * presented / presentations;
                let rate = self.config.rate(first + done as u64);
                let target = student.target(example.black_score, example.mover, learning);
                let output =
                    student.learn(&example.position, example.mover, target, rate, &mut random);
                student.step(learning.batch, rate, false);
                error += f64::from((output - target).abs());
                presented += 1;
            }
        }
        block.error = Some(error / presentations.max(1) as f64);
        Ok(!self.budget.is_stopped())
    }

    /// Makes the solvers if there are none yet.
    pub(super) fn make_solvers(&mut self) -> Result<(), RunError> {
        if self.solvers.is_none() {
            let made = Solvers::new(&self.game, self.threads, &self.resources);
            self.solvers = Some(made?);
        }
        Ok(())
    }

    /// Presents examples drawn at random while there is time, at least one. Returns the number after the last;
    /// `None` if somebody said stop.
    fn present(&mut self, examples: Range<u64>, time: &Budget, block: &mut Block) -> Option<u64> {
        let student = &mut self.students[0];
        let learning = &self.config.learning;
        let (mut error, first, mut end) = (0.0, examples.start, examples.end);
        for index in examples {
            if index % BUNDLE as u64 == 0 && self.budget.is_stopped() {
                return None;
            }
            if index % BUNDLE as u64 == 0 && index > first && is_late(time) {
                end = index;
                break;
            }
            let mut random = Random::for_game(self.config.seed, index);
            let example = &self.examples[random.below(self.examples.len() as u32) as usize];
            let target = student.target(example.black_score, example.mover, learning);
            let rate = self.config.rate(index);
            student.learn(&example.position, example.mover, target, rate, &mut random);
            student.step(learning.batch, rate, false);
            let trace = student.judge.look(
                &student.network,
                &self.game,
                &example.position,
                example.mover,
            );
            error += f64::from((trace.output() - target).abs());
        }
        block.error = Some(error / (end - first).max(1) as f64);
        Some(end)
    }
}

/// Whether there is no time left; whether somebody said stop does not matter.
fn is_late(time: &Budget) -> bool {
    time.time_left().is_some_and(|left| left.is_zero())
}
