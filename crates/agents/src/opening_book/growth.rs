//! How a book grows: the leaf that best play comes to soonest becomes a position of the book.
//!
//! A line costs its plies, and more for each disc that a move of either side gives away. The leaves with the
//! cheapest lines come into the book, their positions and those before them are searched, and so on. Each search
//! begins with an empty table, so that books do not depend on threads or interruptions.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use upstar_games::othello::Move;
use upstar_games::{Cell, Cells, Position, Rules};
use upstar_jobs::thread::ThreadError;
use upstar_jobs::{Budget, Pool};
use upstar_solve::othello::{Effort, Midgame};

use super::{Child, Entry, Key, Leaf, OpeningBook};
use crate::alpha_beta::AlphaBeta;
use crate::options::Limit;

/// How far a book is to grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// How many plies ahead leaves are searched, as in the levels of `ab`. Those of an earlier growth that were
    /// searched less are searched again.
    pub level: u32,
    /// It ends with so many positions.
    pub positions: usize,
    /// Positions with fewer empty cells do not come in.
    pub least_empties: u32,
    /// What a disc that a move gives away costs, in plies.
    pub loss: f64,
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            level: 14,
            positions: 1000,
            least_empties: 24,
            loss: 1.0,
        }
    }
}

/// The memory of a search.
const MEMORY: usize = 64 << 20;
/// So many positions are searched before anything is told.
const TOLD: usize = 32;

/// Why a book cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    /// There is no memory for a search, or the book cannot be kept.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// There are no threads.
    #[error("{0}")]
    Thread(#[from] ThreadError),
}

impl OpeningBook {
    /// Searches what was not searched so far, and then lets the book grow. False if the budget ended it; then the
    /// same call goes on. After some searches `told` gets the book and how many positions wait for theirs.
    ///
    /// # Errors
    /// If there is no memory or no thread for a search, or `told` has one.
    pub fn grow(
        &mut self,
        growth: &Growth,
        threads: usize,
        budget: &Budget,
        told: &mut dyn FnMut(&Self, usize) -> io::Result<()>,
    ) -> Result<bool, GrowthError> {
        if let Some(start) = self.start() {
            self.insert(&start);
        }
        loop {
            self.settle();
            let waiting = self.waiting(growth.level);
            for (index, keys) in waiting.chunks(TOLD).enumerate() {
                let leaves = self.search_all(keys, growth.level, threads, budget)?;
                for (key, leaf) in leaves {
                    let entry = Entry {
                        level: growth.level as u8,
                        leaf,
                        score: None,
                    };
                    self.entries.insert(key, entry);
                }
                let done = (index + 1) * TOLD;
                told(self, waiting.len().saturating_sub(done))?;
                if budget.is_over() {
                    self.settle();
                    return Ok(false);
                }
            }
            self.settle();
            if self.expand(growth) == 0 {
                return Ok(true);
            }
        }
    }

    /// The positions without a leaf of this level.
    fn waiting(&self, level: u32) -> Vec<Key> {
        let waits = |entry: &Entry| match entry.leaf {
            Leaf::Unsearched => true,
            Leaf::Nothing => false,
            Leaf::Move { .. } => u32::from(entry.level) < level,
        };
        let waiting = self.entries.iter().filter(|(_, entry)| waits(entry));
        waiting.map(|(key, _)| *key).collect()
    }

    fn search_all(
        &self,
        keys: &[Key],
        level: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Vec<(Key, Leaf)>, GrowthError> {
        let mut leaves = Vec::new();
        let pool = Pool {
            threads: threads.min(keys.len()),
            jobs: keys.len() as u64,
            budget,
        };
        pool.work(
            || Midgame::new(&self.game, MEMORY),
            |midgame, number, budget| -> Result<_, GrowthError> {
                let midgame = match midgame {
                    Ok(midgame) => midgame,
                    Err(error) => return Err(io::Error::from(error.kind()).into()),
                };
                midgame.forget();
                let position = keys[number as usize].position();
                Ok(self.search(midgame, &position, level, budget))
            },
            |_, _| Ok(()),
            |number, leaf| {
                leaves.push((keys[number as usize], leaf));
                ControlFlow::Continue(())
            },
        )?;
        Ok(leaves)
    }

    /// The best move that leads out of the book; `None` if the budget is spent first. Ply by ply the best one is
    /// searched first, and others only as far as they may be better.
    fn search(
        &self,
        midgame: &mut Midgame,
        position: &Position<u64>,
        level: u32,
        budget: &Budget,
    ) -> Option<Leaf> {
        /// A move, the position after it, and its score.
        type Candidate = (Cell, Position<u64>, i32);
        let leads_out = |cell: &Cell| match self.child(position, *cell) {
            Child::Position { key, .. } => !self.entries.contains_key(&key),
            Child::Over => true,
        };
        let placement = |mv: Move| match mv {
            Move::Place(cell) => Some(cell),
            Move::Pass => None,
        };
        let cells = self.game.moves(position).filter_map(placement);
        let mut candidates: Vec<Candidate> = cells
            .filter(leads_out)
            .map(|cell| {
                let next = self.game.play_unchecked(position, Move::Place(cell));
                (cell, next, 0)
            })
            .collect();
        if candidates.is_empty() {
            return Some(Leaf::Nothing);
        }
        let empties = self.empties(position);
        let plan = AlphaBeta::new(Limit::Count(level.into())).plan(empties);
        for effort in std::iter::once(Effort::plies(1)).chain(plan) {
            let effort = Effort {
                depth: effort.depth.min(empties) - 1,
                ..effort
            };
            let mut best: Option<i32> = None;
            for (_, next, score) in &mut candidates {
                *score = match best {
                    None => {
                        let guess = Some(f64::from(-*score));
                        -midgame.estimate(next, effort, guess, budget)?.discs as i32
                    }
                    // One that is no better stands behind it.
                    Some(best) => match midgame.estimate_below(next, effort, -best, budget)? {
                        Some(reached) => -reached,
                        None => (*score).min(best - 1),
                    },
                };
                best = best.max(Some(*score));
            }
            candidates.sort_by_key(|(_, _, score)| -score);
        }
        let (cell, _, score) = candidates[0];
        Some(Leaf::Move {
            cell: cell.index() as u8,
            score: score as i8,
        })
    }

    /// Puts in the positions after the leaves with the cheapest lines. Returns how many there are.
    fn expand(&mut self, growth: &Growth) -> usize {
        let room = growth.positions.saturating_sub(self.len());
        let batch = (self.len() / 16).clamp(16, 4096).min(room);
        let mut leaves = self.leaves(growth);
        leaves.sort_by(|(cost, key), (other, of)| cost.total_cmp(other).then(key.cmp(of)));
        let mut added = 0;
        for (_, key) in leaves {
            if added == batch {
                break;
            }
            added += usize::from(self.entries.insert(key, Entry::UNSEARCHED).is_none());
        }
        added
    }

    /// The positions after all leaves that may come in, with the costs of their lines.
    fn leaves(&self, growth: &Growth) -> Vec<(f64, Key)> {
        let mut keys: Vec<Key> = self.entries.keys().copied().collect();
        keys.sort_by_key(|key| (key.own | key.opponent).count_ones());
        let mut costs: BTreeMap<Key, f64> = BTreeMap::new();
        let mut leaves = Vec::new();
        for key in keys {
            let entry = &self.entries[&key];
            let Some(score) = entry.score.map(i32::from) else {
                continue;
            };
            // What no other position leads to is a beginning.
            let cost = costs.get(&key).copied().unwrap_or(0.0);
            let with = |discs: i32| cost + 1.0 + growth.loss * f64::from(score - discs);
            let position = key.position();
            for cell in self.game.placements(&position).iter() {
                let Child::Position { key: child, sign } = self.child(&position, cell) else {
                    continue;
                };
                let followed = self.entries.get(&child).and_then(|entry| entry.score);
                if let Some(reached) = followed {
                    let cost = with(sign * i32::from(reached));
                    let least = costs.entry(child).or_insert(cost);
                    *least = least.min(cost);
                }
            }
            if let Leaf::Move { cell, score } = entry.leaf
                && let Child::Position { key: child, .. } =
                    self.child(&position, Cell::new(cell.into()))
                && self.empties(&child.position()) >= growth.least_empties
            {
                leaves.push((with(score.into()), child));
            }
        }
        leaves
    }
}
