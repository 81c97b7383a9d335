//! Games with learning off, on several threads. Each game has its own generator, and results are added
//! up in the order of the games: it does not matter how many threads there are.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use upstar_agents::{Agent, Fault, Prover};
use upstar_arena::Book;
use upstar_jobs::{Budget, Pool};
use upstar_nets::{Record, VersusRandom};

use crate::config::Config;
use crate::folder::RunError;
use crate::learner::{Block, Seat, Table};
use crate::student::{Learnable, Student};

/// Games of the fast way between two looks at whether to go on.
pub(crate) const FAST_BUNDLE: u64 = 64;

/// What all threads share.
pub(crate) struct Exam<'a, G: Learnable> {
    pub(crate) game: &'a G,
    pub(crate) book: &'a Book<G>,
    pub(crate) config: &'a Config,
    pub(crate) seats: &'a (dyn Fn(u64) -> [Seat; 2] + Sync),
    pub(crate) results: Option<&'a HashMap<G::Position, i32>>,
    /// The games whose moves are compared with exact results: those before this one.
    pub(crate) looked_at: u64,
    pub(crate) budget: &'a Budget,
}

/// What each thread has for itself.
pub(crate) struct Desk<'a, G: Learnable> {
    pub(crate) students: Vec<Student<G>>,
    pub(crate) agent: Option<&'a mut dyn Agent<G>>,
    pub(crate) solver: Option<&'a mut dyn Prover<G>>,
}

impl<G: Learnable> Exam<'_, G> {
    /// Plays these games, with a thread for each desk. False if somebody said stop.
    pub(crate) fn play(
        &self,
        games: Range<u64>,
        desks: &mut [Desk<'_, G>],
        block: &mut Block,
    ) -> Result<bool, RunError> {
        let pool = Pool {
            threads: desks.len(),
            jobs: games.end - games.start,
            budget: self.budget,
        };
        let desks: Mutex<Vec<_>> = Mutex::new(desks.iter_mut().collect());
        let desk = || {
            let desk = desks.lock().expect("no player panics").pop();
            desk.expect("there is one for each thread")
        };
        let mut wrong = None;
        let complete = pool.work(
            desk,
            |desk, number, _| -> Result<_, RunError> {
                Ok(Some(self.play_one(games.start + number, desk)))
            },
            |_, _| Ok(()),
            |number, game| match game {
                Ok(game) => {
                    block.merge(&game);
                    ControlFlow::Continue(())
                }
                Err(fault) => {
                    let index = games.start + number;
                    wrong = Some(RunError::of(format!("game {index}: {fault}")));
                    ControlFlow::Break(())
                }
            },
        )?;
        match wrong {
            Some(error) if !self.budget.is_stopped() => Err(error),
            _ => Ok(complete && !self.budget.is_stopped()),
        }
    }

    fn play_one(&self, index: u64, desk: &mut Desk<'_, G>) -> Result<Block, Fault> {
        let mut block = Block::default();
        let mut table = Table {
            game: self.game,
            book: self.book,
            config: self.config,
            students: &mut desk.students,
            agent: match &mut desk.agent {
                Some(agent) => Some(&mut **agent),
                None => None,
            },
            solver: match &mut desk.solver {
                Some(solver) if index < self.looked_at => Some(&mut **solver),
                _ => None,
            },
            results: self.results,
            training_set: None,
            budget: self.budget,
        };
        table.game(index, (self.seats)(index), false, &mut block)?;
        Ok(block)
    }
}

/// The same the fast way; `None` if somebody said stop.
pub(crate) fn fast(
    versus: &VersusRandom,
    seed: u64,
    games: &Range<u64>,
    threads: usize,
    budget: &Budget,
) -> Result<Option<Record>, RunError> {
    let pool = Pool {
        threads,
        jobs: (games.end - games.start).div_ceil(FAST_BUNDLE),
        budget,
    };
    let mut total = Record::default();
    let complete = pool.work(
        || versus.clone(),
        |versus, bundle, _| -> Result<_, RunError> {
            let first = games.start + bundle * FAST_BUNDLE;
            let end = games.end.min(first + FAST_BUNDLE);
            Ok(Some(versus.evaluate(seed, first..end)))
        },
        |_, _| Ok(()),
        |_, record| {
            total.merge(&record);
            ControlFlow::Continue(())
        },
    )?;
    Ok((complete && !budget.is_stopped()).then_some(total))
}
