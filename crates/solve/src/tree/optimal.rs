//! The part of a tree that best play needs, as section 3.1 of the thesis defines it: where the side to
//! move can win, one child, the first of those with the shortest path to an end; elsewhere all
//! children.

use upstar_games::{Game, Rules};

use super::TreeError;
use super::count::add;
use super::memory::{Positions, check, make_room};
use crate::answer::Outcome;
use upstar_jobs::{Budget, MemoryLease};

/// The optimal tree of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimal<M> {
    /// The result for the side to move.
    pub outcome: Outcome,
    /// How many nodes the optimal tree has, the root included.
    pub nodes: u128,
    /// The length of the shortest path from the root to a leaf of it, in moves, passes included: its
    /// edges, one fewer than its nodes.
    pub length: u32,
    /// That path; of several the first.
    pub path: Vec<M>,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    nodes: u128,
    length: u32,
    pub(super) outcome: Outcome,
}

/// Finds the optimal tree under a position in the memory of this lease. The budget counts different
/// positions as nodes.
///
/// # Errors
/// If budget, memory or numbers do not suffice.
pub fn optimal<G: Game>(
    game: &G,
    root: &G::Position,
    lease: &MemoryLease,
    budget: &Budget,
) -> Result<Optimal<G::Move>, TreeError> {
    let mut walk = Walk::new(game, lease.bytes(), budget);
    let Known {
        nodes,
        length,
        outcome,
    } = walk.look(root)?;
    let mut path = Vec::new();
    let mut position = *root;
    while let Some(&(mv, next)) = walk
        .kept(&position)?
        .iter()
        .min_by_key(|(_, next)| walk.known[next].length)
    {
        path.push(mv);
        position = next;
    }
    Ok(Optimal {
        outcome,
        nodes,
        length,
        path,
    })
}

/// A move and what it leads to.
pub(super) type Step<G> = (<G as Rules>::Move, <G as Rules>::Position);

/// Visits positions and remembers their optimal trees.
pub(super) struct Walk<'a, G: Game> {
    game: &'a G,
    memory: usize,
    budget: &'a Budget,
    pub(super) known: Positions<G::Position, Known>,
}

impl<'a, G: Game> Walk<'a, G> {
    pub(super) fn new(game: &'a G, memory: usize, budget: &'a Budget) -> Self {
        Self {
            game,
            memory,
            budget,
            known: Positions::default(),
        }
    }

    pub(super) fn look(&mut self, position: &G::Position) -> Result<Known, TreeError> {
        if let Some(&known) = self.known.get(position) {
            return Ok(known);
        }
        if self.budget.is_spent(self.known.len() as u64) {
            return Err(TreeError::Spent);
        }
        check(&self.known, self.memory, 1)?;
        let mut all = Known {
            nodes: 1,
            length: u32::MAX,
            outcome: Outcome::Loss,
        };
        let mut won: Option<Known> = None;
        for mv in self.game.moves(position) {
            let child = self.look(&self.game.play_unchecked(position, mv))?;
            let outcome = child.outcome.reversed();
            add(&mut all.nodes, child.nodes)?;
            all.length = all.length.min(child.length + 1);
            all.outcome = all.outcome.max(outcome);
            if outcome == Outcome::Win && won.is_none_or(|won| child.length + 1 < won.length) {
                let mut nodes = 1;
                add(&mut nodes, child.nodes)?;
                won = Some(Known {
                    nodes,
                    length: child.length + 1,
                    outcome,
                });
            }
        }
        let known = match (won, self.game.score(position)) {
            (Some(won), _) => won,
            (None, None) => all,
            (None, Some(score)) => {
                let outcome = match score {
                    1.. => Outcome::Win,
                    0 => Outcome::Draw,
                    _ => Outcome::Loss,
                };
                Known {
                    nodes: 1,
                    length: 0,
                    outcome,
                }
            }
        };
        make_room(&mut self.known)?;
        self.known.insert(*position, known);
        Ok(known)
    }

    /// The moves that the optimal tree keeps here, and what they lead to.
    pub(super) fn kept(&mut self, position: &G::Position) -> Result<Vec<Step<G>>, TreeError> {
        let here = self.look(position)?;
        let mut kept = Vec::new();
        for mv in self.game.moves(position) {
            let next = self.game.play_unchecked(position, mv);
            let child = self.look(&next)?;
            if here.outcome != Outcome::Win {
                kept.push((mv, next));
            } else if child.outcome == Outcome::Loss && child.length + 1 == here.length {
                return Ok(vec![(mv, next)]);
            }
        }
        Ok(kept)
    }
}
