//! Games with learning off, on several threads. Each game has its own generator, and results are added
//! up in the order of the games: it does not matter how many threads there are.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use upstar_agents::{Agent, Fault, Prover};
use upstar_jobs::Budget;
use upstar_nets::{Record, VersusRandom};

use crate::config::Config;
use crate::learner::{Block, Seat, Table};
use crate::student::{Learnable, Student};

/// So many games are added up at a time.
const BUNDLE: u64 = 4096;

/// Games of the fast way between two looks at whether to go on.
pub(crate) const FAST_BUNDLE: u64 = 64;

/// What all threads share.
pub(crate) struct Exam<'a, G: Learnable> {
    pub(crate) game: &'a G,
    pub(crate) start: &'a G::Position,
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
    ) -> Result<bool, (u64, Fault)> {
        let mut first = games.start;
        while first < games.end {
            let end = games.end.min(first + BUNDLE);
            let next = AtomicU64::new(first);
            let played = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for desk in &mut *desks {
                    scope.spawn(|| {
                        while !self.budget.is_stopped() {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            if index >= end {
                                break;
                            }
                            let game = (index, self.play_one(index, desk));
                            played.lock().expect("no player panics").push(game);
                        }
                    });
                }
            });
            if self.budget.is_stopped() {
                return Ok(false);
            }
            let mut played = played.into_inner().expect("no player panics");
            played.sort_unstable_by_key(|(index, _)| *index);
            for (index, game) in played {
                block.merge(&game.map_err(|fault| (index, fault))?);
            }
            first = end;
        }
        Ok(true)
    }

    fn play_one(&self, index: u64, desk: &mut Desk<'_, G>) -> Result<Block, Fault> {
        let mut block = Block::default();
        let mut table = Table {
            game: self.game,
            start: self.start,
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
) -> Option<Record> {
    let next = AtomicU64::new(games.start);
    let total = Mutex::new(Record::default());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (mut versus, mut record) = (versus.clone(), Record::default());
                while !budget.is_stopped() {
                    let first = next.fetch_add(FAST_BUNDLE, Ordering::Relaxed);
                    if first >= games.end {
                        break;
                    }
                    let end = games.end.min(first + FAST_BUNDLE);
                    record.merge(&versus.evaluate(seed, first..end));
                }
                total.lock().expect("no player panics").merge(&record);
            });
        }
    });
    let total = total.into_inner().expect("no player panics");
    (!budget.is_stopped()).then_some(total)
}
