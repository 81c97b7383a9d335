//! What a network has learned: games with learning off, and its answers to examples.

use std::collections::HashMap;

use upstar_agents::{Agent, Prover};

use super::{BUNDLE, Run, seats};
use crate::config::Teacher;
use crate::exam::{Desk, Exam, fast};
use crate::folder::RunError;
use crate::gather::Solvers;
use crate::learner::Block;
use crate::student::{Learnable, Student};

/// The games of an evaluation whose moves are compared with exact results: enough to tell.
const LOOKED_AT: u64 = 2000;

impl<G: Learnable> Run<G> {
    /// Plays so many games with learning off; the run stays as it is. `None` if somebody said stop.
    ///
    /// # Errors
    /// If an agent cannot go on.
    pub fn evaluate(&mut self, games: u64) -> Result<Option<Block>, RunError> {
        let (first, end) = (self.config.games, self.config.games + games);
        let mut block = Block {
            phase: "evaluation".to_owned(),
            games: self.state.games,
            ..Block::default()
        };
        for student in &mut self.students {
            (student.presented, student.live) = (0, 0);
        }
        let examples = self.config.teacher() == Teacher::Examples;
        if examples {
            block.error = self.error();
            block.perfect_share = self.perfect_share();
        }
        if (!examples || !self.examiners.is_empty()) && !self.examine(first, end, &mut block)? {
            return Ok(None);
        }
        if examples && self.budget.is_stopped() {
            return Ok(None);
        }
        self.close(&mut block);
        Ok(Some(block))
    }

    /// Plays games with learning off; false if somebody said stop.
    fn examine(&mut self, first: u64, end: u64, block: &mut Block) -> Result<bool, RunError> {
        let lease = self.resources.ledger().threads(self.threads);
        if let Some((_, color)) = self.config.plain_lesson()
            && let Some(versus) =
                (self.game).versus_random(&self.students[0].network, &self.start, color)
        {
            let games = first..end;
            let record = fast(
                &versus,
                self.config.seed,
                &games,
                lease.threads(),
                &self.budget,
            )?;
            let Some(record) = record else {
                return Ok(false);
            };
            block.count_record(&record, color);
            block.count_opinions(&record);
            return Ok(true);
        }
        let looks = self.config.learning.exact > 0 || self.config.perfect_moves(true) > 0;
        if looks {
            self.make_solvers()?;
        }
        let (mut teacher, color) = (self.config.teacher(), self.config.color());
        let agents = match self.examiners.is_empty() {
            true => &mut self.agents,
            false => {
                // Whoever the teacher was, now the network plays against an agent.
                teacher = Teacher::Agent(String::new());
                &mut self.examiners
            }
        };
        let seats = |index: u64| seats(&teacher, color.unwrap_or_default(), index);
        let exam = Exam {
            game: &self.game,
            book: &self.book,
            config: &self.config,
            seats: &seats,
            results: self.results.as_ref(),
            looked_at: first + LOOKED_AT,
            budget: &self.budget,
        };
        let threads = match agents.len() {
            0 => lease.threads(),
            agents => lease.threads().min(agents),
        };
        let mut agents = agents.iter_mut();
        let mut solvers = self.solvers.as_mut().filter(|_| looks).map(Solvers::each);
        let desks = (0..threads).map(|_| Desk {
            students: self.students.iter().map(Student::at_play).collect(),
            agent: match agents.next() {
                Some(agent) => Some(&mut **agent as &mut dyn Agent<G>),
                None => None,
            },
            solver: match solvers.as_mut().and_then(Iterator::next) {
                Some(solver) => Some(&mut **solver as &mut dyn Prover<G>),
                None => None,
            },
        });
        let mut desks: Vec<Desk<'_, G>> = desks.collect();
        exam.play(first..end, &mut desks, block)
    }

    /// The share of positions in which the network's move is as good as any (cammel2015, section 4.5).
    fn perfect_share(&mut self) -> Option<f64> {
        let scores: HashMap<G::Position, i32> = self
            .examples
            .iter()
            .map(|example| (example.position, example.black_score.signum()))
            .collect();
        let student = &mut self.students[0];
        let positions = self.examples.iter().map(|example| &example.position);
        let (mut choices, mut perfect) = (0u64, 0u64);
        for (place, position) in positions.chain([&self.start]).enumerate() {
            if place % BUNDLE == 0 && self.budget.is_stopped() {
                return None;
            }
            let best = student.judge.best(&student.network, &self.game, position);
            let Some(best) = best else {
                continue;
            };
            let sign = self.game.to_move(position).sign();
            let score = |mv| sign * scores[&self.game.play_unchecked(position, mv)];
            let highest = self.game.moves(position).map(score).max();
            choices += 1;
            perfect += u64::from(highest == Some(score(best.mv)));
        }
        Some(perfect as f64 / choices.max(1) as f64)
    }

    /// The mean distance between output and target over all examples (cammel2015, section 4.4).
    fn error(&mut self) -> Option<f64> {
        let student = &mut self.students[0];
        let mut error = 0.0;
        for (place, example) in self.examples.iter().enumerate() {
            if place % BUNDLE == 0 && self.budget.is_stopped() {
                return None;
            }
            let target = student.target(example.black_score, example.mover, &self.config.learning);
            let trace = student.judge.look(
                &student.network,
                &self.game,
                &example.position,
                example.mover,
            );
            error += f64::from((trace.output() - target).abs());
        }
        Some(error / self.examples.len().max(1) as f64)
    }
}
