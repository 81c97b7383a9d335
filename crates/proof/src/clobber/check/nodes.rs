//! The nodes of a file: leaves are searched, and where replies lead is remembered.

use upstar_games::Color;

use crate::check::Watched;
use crate::clobber::read::{Next, Reading, Visit};
use crate::clobber::search::Search;
use crate::clobber::sum::Sum;
use crate::frame::Block;
use crate::listing::Found;
use crate::refusal::Refusal;

/// What the check of a node needs to know.
pub(super) struct Checking<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) effort: u64,
    pub(super) watched: Watched<'a>,
}

impl Checking<'_> {
    /// Checks a block; leaves are searched if so wanted.
    pub(super) fn block(
        &self,
        block: &Block,
        search: &mut Search,
        searching: bool,
    ) -> Result<Found, Refusal> {
        let mut open = OpenBlock {
            checking: self,
            search: searching.then_some(search),
            found: Found::default(),
        };
        self.reading.block(block, &mut open)?;
        Ok(open.found)
    }

    /// The sum that the proof begins with: a leaf, or to be listed.
    pub(super) fn arrive(
        &self,
        root: &Sum,
        search: &mut Search,
        found: &mut Found,
    ) -> Result<(), Refusal> {
        if root.len() <= self.reading.leaf_stones {
            found.leaves += 1;
            self.leaf(root, self.reading.loser, search)
        } else {
            found.replies.push(root.hash(&self.reading.key));
            Ok(())
        }
    }

    /// Decides a small sum, which the loser must lose.
    fn leaf(&self, sum: &Sum, to_move: Color, search: &mut Search) -> Result<(), Refusal> {
        let Reading {
            arena,
            lemmas,
            loser,
            ..
        } = self.reading;
        match search.wins(arena, lemmas, sum, to_move, self.effort) {
            Ok(wins) if wins == (to_move != loser) => Ok(()),
            Ok(_) => Err(Refusal::Leaf {
                sum: sum.to_string(),
                to_move,
            }),
            Err(_) => Err(self.watched.too_hard(sum.to_string())),
        }
    }
}

/// A block on its way through the checker.
struct OpenBlock<'a, 's> {
    checking: &'a Checking<'a>,
    /// Leaves are searched in the first pass only.
    search: Option<&'s mut Search>,
    found: Found,
}

impl OpenBlock<'_, '_> {
    fn leaf(&mut self, sum: &Sum, to_move: Color) -> Result<(), Refusal> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        self.found.leaves += 1;
        self.checking.leaf(sum, to_move, search)
    }
}

impl Visit for OpenBlock<'_, '_> {
    fn node(&mut self, node: &Sum) {
        self.found.nodes.push(node.hash(&self.checking.reading.key));
    }

    fn line(&mut self, after: &Sum, reply: Option<(&Sum, Next)>) -> Result<(), Refusal> {
        let loser = self.checking.reading.loser;
        match reply {
            None => self.leaf(after, !loser),
            Some((next, Next::Leaf)) => self.leaf(next, loser),
            Some((next, Next::Elsewhere)) => {
                self.left_over(next);
                Ok(())
            }
            Some((_, Next::Stacked)) => Ok(()),
        }
    }

    fn left_over(&mut self, sum: &Sum) {
        self.found
            .replies
            .push(sum.hash(&self.checking.reading.key));
    }
}
