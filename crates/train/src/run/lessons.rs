//! A block of learning: by play, in passes over games of its own, or with examples.

use std::collections::HashSet;

use upstar_games::Random;
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
        let whole = if self.config.teacher() == Teacher::Examples {
            self.present(first, end, &mut block)
        } else if self.config.learning.passes > 0 {
            self.learn_in_passes(first, end, &mut block)?
        } else {
            self.learn_by_play(first, end, &mut block)?
        };
        if !whole {
            return Ok(None);
        }
        let rate = self.config.rate(end);
        for student in &mut self.students {
            student.step(self.config.learning.batch, rate, true);
        }
        self.state.games = end;
        self.close(&mut block);
        Ok(Some(block))
    }

    /// Plays the games of a block and learns after each; false if somebody said stop.
    fn learn_by_play(&mut self, first: u64, end: u64, block: &mut Block) -> Result<bool, RunError> {
        if let Some((lesson, color)) = self.config.plain_lesson()
            && let student = &mut self.students[0]
            && let Some(mut versus) =
                (self.game).versus_random(&student.network, &self.start, color)
        {
            let (mut record, mut next) = (Record::default(), first);
            while next < end {
                if self.budget.is_stopped() {
                    return Ok(false);
                }
                let bundle = next..end.min(next + FAST_BUNDLE);
                next = bundle.end;
                record.merge(&versus.learn(&lesson, self.config.seed, bundle));
            }
            block.count_record(&record, color);
            (student.presented, student.live) = (record.positions, record.live);
            // Choices are counted only while nothing is learned; a few games tell enough.
            block.count_opinions(&versus.evaluate(self.config.seed, OPINION_GAMES));
            student.network = versus.into_network();
            return Ok(true);
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
            solver: None,
            results: self.results.as_ref(),
            training_set: (self.config.learning.growing_set).then_some(&mut self.training_set),
            budget: &self.budget,
        };
        let mut endings = HashSet::new();
        for index in first..end {
            let seats = seats(&teacher, color.unwrap_or_default(), index);
            let played = table.game(index, seats, true, block);
            if self.budget.is_stopped() {
                return Ok(false);
            }
            let ending = played.map_err(|fault| RunError::of(format!("game {index}: {fault}")))?;
            if endings.len() < MOST_ENDINGS {
                endings.insert(ending);
            }
        }
        block.endings = Some(endings.len() as u64);
        Ok(true)
    }

    /// Plays the games of a block with the network as it is, then learns their positions.
    fn learn_in_passes(
        &mut self,
        first: u64,
        end: u64,
        block: &mut Block,
    ) -> Result<bool, RunError> {
        if self.solvers.is_none() {
            let made = Solvers::new(&self.game, self.threads, &self.resources);
            self.solvers = Some(made?);
        }
        let solvers = self.solvers.as_mut().expect("they were just made");
        let (student, learning) = (&mut self.students[0], &self.config.learning);
        let mut examples = gather(
            &self.game,
            &self.book,
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

    /// Presents examples drawn at random; false if somebody said stop.
    fn present(&mut self, first: u64, end: u64, block: &mut Block) -> bool {
        let student = &mut self.students[0];
        let learning = &self.config.learning;
        let mut error = 0.0;
        for index in first..end {
            if index % BUNDLE as u64 == 0 && self.budget.is_stopped() {
                return false;
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
        true
    }
}
