//! An oracle that knows nothing but search: for small boards, and to try the crate out.

use upstar_games::{Cell, Position};

use super::arena::{Arena, Choice};
use super::format::Claim;
use super::search::Search;
use super::write::Oracle;

/// Plain search as an oracle.
#[derive(Debug)]
pub struct Plain {
    arena: Arena,
    search: Search,
}

impl Plain {
    /// An oracle for positions on the board of this claim, counted as it says; `None` if the board is
    /// no grid of at most 64 cells.
    #[must_use]
    pub fn new(claim: &Claim) -> Option<Self> {
        Some(Self {
            arena: Arena::new(&claim.setup.board, claim.empties_to_winner)?,
            search: Search::new(&upstar_jobs::Budget::unlimited()),
        })
    }

    /// The exact score for the side to move.
    pub fn score(&mut self, position: &Position<u64>) -> i32 {
        let size = self.arena.size();
        let (mut lower, mut upper) = (-size, size);
        while lower < upper {
            let goal = lower + (upper - lower + 1) / 2;
            if self.reaches(position, goal) {
                lower = goal;
            } else {
                upper = goal - 1;
            }
        }
        lower
    }

    fn reaches(&mut self, position: &Position<u64>, goal: i32) -> bool {
        let result = self.search.reaches(&self.arena, position, goal, u64::MAX);
        result.expect("without a limit nothing is too hard")
    }
}

impl Oracle for Plain {
    fn reply(&mut self, position: &Position<u64>, goal: i32) -> Option<Cell> {
        let Choice::Place(placements) = self.arena.choice(position) else {
            return None;
        };
        let mut replies = Vec::new();
        self.arena.replies(position, placements, &mut replies);
        let found = replies
            .iter()
            .find(|reply| !self.reaches(&reply.after, 1 - goal));
        found.map(|reply| reply.cell)
    }
}
