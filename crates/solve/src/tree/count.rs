//! How many nodes a tree has, ply by ply.
//!
//! All positions of a ply stand in a map with the number of ways to reach them; it makes the next
//! ply's map and goes.

use upstar_games::Game;

use super::TreeError;
use super::memory::{Positions, check, make_room};
use upstar_jobs::{Budget, MemoryLease};

/// The size of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All nodes, the root included.
    pub nodes: u128,
    /// The moves among them that are passes.
    pub passes: u128,
    /// The ends of games.
    pub leaves: u128,
    /// The ends that `x` has won.
    pub x_wins: u128,
    /// The ends that `o` has won.
    pub o_wins: u128,
    /// The ends that nobody has won.
    pub draws: u128,
    /// The same ply by ply, the root's first.
    pub plies: Vec<Ply>,
}

/// The nodes after a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// How many there are.
    pub nodes: u128,
    /// How many different positions they have.
    pub positions: u64,
    /// How many of them come of a pass.
    pub passes: u128,
    /// How many are ends of games.
    pub leaves: u128,
}

/// Counts the tree under a position in the memory of this lease. The budget counts different positions
/// of a ply as nodes.
///
/// # Errors
/// If budget, memory or numbers do not suffice.
pub fn count<G: Game>(
    game: &G,
    root: &G::Position,
    lease: &MemoryLease,
    budget: &Budget,
) -> Result<Tree, TreeError> {
    let mut tree = Tree::default();
    let mut seen = 0;
    let mut ply = Positions::default();
    ply.insert(*root, 1u128);
    let mut passes = 0;
    while !ply.is_empty() {
        let mut next = Positions::default();
        let mut row = Ply {
            passes,
            positions: ply.len() as u64,
            ..Ply::default()
        };
        passes = 0;
        for (position, &ways) in &ply {
            if budget.is_spent(seen) {
                return Err(TreeError::Spent);
            }
            seen += 1;
            add(&mut row.nodes, ways)?;
            if let Some(score) = game.black_score(position) {
                add(&mut row.leaves, ways)?;
                let ends = match score {
                    1.. => &mut tree.x_wins,
                    0 => &mut tree.draws,
                    _ => &mut tree.o_wins,
                };
                add(ends, ways)?;
                continue;
            }
            for mv in game.moves(position) {
                if game.path(mv).is_none() {
                    add(&mut passes, ways)?;
                }
                make_room(&mut next)?;
                add(
                    next.entry(game.play_unchecked(position, mv)).or_default(),
                    ways,
                )?;
            }
            check(&next, lease.bytes(), 2)?;
        }
        add(&mut tree.nodes, row.nodes)?;
        add(&mut tree.passes, row.passes)?;
        add(&mut tree.leaves, row.leaves)?;
        tree.plies.push(row);
        ply = next;
    }
    Ok(tree)
}

pub(super) fn add(sum: &mut u128, more: u128) -> Result<(), TreeError> {
    *sum = sum.checked_add(more).ok_or(TreeError::Overflow)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let mut sum = u128::MAX - 1;
        assert_eq!(add(&mut sum, 1), Ok(()));
        assert_eq!(add(&mut sum, 1), Err(TreeError::Overflow));
    }
}
