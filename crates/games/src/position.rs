//! The stones of two sides, seen from the one to move.

use crate::board::Board;
use crate::cells::Cells;
use crate::color::Color;
use crate::setup::Setup;
use crate::symmetry::Symmetry;

/// Two sets of cells and whose turn it is. Small and `Copy`: a move makes a new one, nothing is
/// ever taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    /// The stones of the side to move.
    pub own: B,
    /// The stones of the other side.
    pub opponent: B,
    /// The side to move.
    pub to_move: Color,
}

impl<B: Cells> Position<B> {
    /// The position that a setup of two colours shows, with this side to move.
    #[must_use]
    pub fn from_setup(setup: &Setup, to_move: Color) -> Self {
        Self {
            own: B::from_wide(setup.stones(to_move.index())),
            opponent: B::from_wide(setup.stones((!to_move).index())),
            to_move,
        }
    }

    /// Black's stones and White's.
    #[must_use]
    pub fn stones(&self) -> [B; 2] {
        match self.to_move {
            Color::Black => [self.own, self.opponent],
            Color::White => [self.opponent, self.own],
        }
    }

    /// The position as people see it, on this board.
    #[must_use]
    pub fn setup(&self, board: &Board) -> Setup {
        let [black, white] = self.stones();
        Setup::of_two(board.clone(), black.into(), white.into())
    }

    /// The cells that hold a stone.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> B {
        self.own | self.opponent
    }

    /// The same position on the turned or mirrored board.
    #[must_use]
    pub fn under(&self, symmetry: &Symmetry) -> Self {
        Self {
            own: symmetry.cells(self.own),
            opponent: symmetry.cells(self.opponent),
            to_move: self.to_move,
        }
    }
}
