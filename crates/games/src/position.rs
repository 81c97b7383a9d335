//! The stones of two sides, seen from the one to move.

use thiserror::Error;

use crate::board::Board;
use crate::cells::Cells;
use crate::color::Color;
use crate::setup::Setup;
use crate::side::Side;
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
    /// The position that a setup shows on this board of a two-player game.
    ///
    /// # Errors
    /// If the setup does not belong to the board or the game.
    pub(crate) fn from_setup(
        board: &Board,
        setup: &Setup,
        to_move: Side,
    ) -> Result<Self, PositionError> {
        PositionError::check(board, 2, setup, to_move)?;
        let to_move = to_move.color().expect("one of two sides");
        Ok(Self {
            own: B::from_wide(setup.stones(to_move)),
            opponent: B::from_wide(setup.stones(!to_move)),
            to_move,
        })
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

/// Why a setup is not a position of a game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PositionError {
    /// The setup is of another board: another size, other holes, another graph.
    #[error("a setup on {found} is not a position on {board}")]
    Board {
        /// The board of the game.
        board: String,
        /// The board of the setup.
        found: String,
    },
    /// A stone of a side that the game does not have.
    #[error("there is a stone '{side}' in a game of {}", list(*.sides))]
    Stone {
        /// The side.
        side: Side,
        /// How many sides the game has.
        sides: usize,
    },
    /// A side to move that the game does not have.
    #[error("'{side}' cannot be to move in a game of {}", list(*.sides))]
    ToMove {
        /// The side.
        side: Side,
        /// How many sides the game has.
        sides: usize,
    },
}

impl PositionError {
    /// Refuses what is not a position of a game with so many sides on this board.
    pub(crate) fn check(
        board: &Board,
        sides: usize,
        setup: &Setup,
        to_move: Side,
    ) -> Result<(), Self> {
        if setup.board != *board || setup.occupied() & !board.cells() != 0 {
            let (board, found) = (described(board), described(&setup.board));
            return Err(Self::Board { board, found });
        }
        if setup.sides() > sides {
            let side = Side::ALL[setup.sides() - 1];
            return Err(Self::Stone { side, sides });
        }
        if to_move.index() >= sides {
            let side = to_move;
            return Err(Self::ToMove { side, sides });
        }
        Ok(())
    }
}

/// A board in words that tell it from others of its size.
fn described(board: &Board) -> String {
    match board {
        Board::Grid(grid) if grid.holes() == 0 => grid.to_string(),
        Board::Grid(grid) => format!("{grid} with {} holes", grid.holes().len()),
        Board::Graph(graph) => format!("{board} and {} edges", graph.edges().len()),
    }
}

/// The letters of a game's sides.
pub(crate) fn list(sides: usize) -> String {
    let letters: Vec<String> = Side::ALL[..sides].iter().map(Side::to_string).collect();
    letters.join(", ")
}
