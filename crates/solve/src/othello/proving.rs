//! The solver as an oracle for proof files: it names replies that keep a score.
//!
//! Nothing here needs to be trusted: a proof is checked by other code.

use upstar_games::{Cell, Position};
use upstar_machine::Isa;
use upstar_proof::othello::Oracle;

use super::discs::Discs;
use super::line::Options;
use super::search::{MIRRORED, Search};
use super::solver::Solver;
use super::table::{NONE, key};

/// A solver that answers the questions of a proof's writer, with the table of the search before.
pub(super) struct Proving<'a> {
    solver: &'a Solver,
    search: Search<'a>,
}

impl<'a> Proving<'a> {
    pub(super) fn new(solver: &'a Solver, search: Search<'a>) -> Self {
        Self { solver, search }
    }

    /// Whether the budget was spent.
    pub(super) fn is_stopped(&self) -> bool {
        self.search.stopped
    }

    /// Whether the table knows that the side to move gets no more than `most`.
    fn is_known(&self, discs: Discs, most: i32) -> bool {
        let space = &self.solver.space;
        let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
        let discs = if empties >= MIRRORED {
            space.mirror.normal(discs)
        } else {
            discs
        };
        let facts = self.search.table.get(key(discs.own, discs.opponent));
        facts.is_some_and(|facts| i32::from(facts.upper) <= most)
    }

    /// Whether the side to move gets no more than `most`; `None` if the search was stopped.
    fn is_at_most(&mut self, discs: Discs, most: i32) -> Option<bool> {
        self.search.begin(discs);
        let score = self.solver.above(&mut self.search, discs, most)?;
        Some(score <= most)
    }
}

impl Oracle for Proving<'_> {
    fn reply(&mut self, position: &Position<u64>, goal: i32) -> Option<Cell> {
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        let mut options = Isa::best().run(Options(&self.solver.space, discs));
        let found = |cell: u8| Some(Cell::new(cell.into()));
        let known = options.iter().find(|(_, next)| self.is_known(*next, -goal));
        if let Some(&(cell, _)) = known {
            return found(cell);
        }
        if self.is_at_most(discs, goal - 1)? {
            return None;
        }
        if self.search.best != NONE {
            return found(self.search.best);
        }
        // That the goal can be reached was known before, or so few cells are empty that moves are not
        // remembered.
        let remembered = self.solver.remembered(discs);
        let rank = |cell: u8| remembered.iter().position(|&known| known == cell);
        options.sort_by_key(|&(cell, _)| rank(cell).unwrap_or(usize::MAX));
        for (cell, next) in options {
            if self.is_at_most(next, -goal)? {
                return found(cell);
            }
        }
        None
    }
}
