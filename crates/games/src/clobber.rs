//! Clobber: a stone takes a neighbouring stone of the other colour and stands in its place; who
//! cannot move loses (Albert, Grossman, Nowakowski and Wolfe, 2005).
//!
//! Played on any board, grid or graph. In *cannibal* Clobber a stone may take its own side's
//! stones as well.

mod batch;
mod colors;
mod edges;
mod playout;
mod solitaire;
mod words;

pub use colors::{Colors, ColorsPosition};
pub use edges::{EdgeBoard, EdgePosition};
pub use solitaire::{Reduction, Solitaire};

use std::sync::Arc;

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::color::Color;
use crate::game::{Game, Rules};
use crate::grid::Grid;
use crate::playout::{Playout, Tally};
use crate::position::{Position, PositionError};
use crate::random::Random;
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::Side;
use crate::symmetry::Symmetry;
use playout::Playouts;

/// A stone goes from one cell to a neighbouring one and takes what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the stone stands.
    pub from: Cell,
    /// The stone it takes.
    pub to: Cell,
}

impl Move {
    /// The same move on the turned or mirrored board.
    #[must_use]
    pub fn under(self, symmetry: &Symmetry) -> Self {
        Self {
            from: symmetry.cell(self.from),
            to: symmetry.cell(self.to),
        }
    }
}

/// The rules of Clobber on one board. Clones share their tables.
#[derive(Clone, Debug)]
pub struct Clobber<B> {
    board: Board,
    cannibal: bool,
    /// The neighbours of each cell, in the order of moves.
    neighbours: Arc<[Vec<Cell>]>,
    /// The neighbours of each cell as a set.
    adjacent: Arc<[B]>,
    /// Kernels for random games; absent for cannibals, whose moves are not edges between colours,
    /// and where there are very many edges.
    playouts: Option<Arc<Playouts>>,
}

impl<B: Cells> Clobber<B> {
    /// Clobber on this board.
    ///
    /// # Panics
    /// If the board has more cells than `B` holds.
    #[must_use]
    pub fn new(board: impl Into<Board>) -> Self {
        Self::with(board.into(), false)
    }

    /// Cannibal Clobber on this board.
    ///
    /// # Panics
    /// If the board has more cells than `B` holds.
    #[must_use]
    pub fn cannibal(board: impl Into<Board>) -> Self {
        Self::with(board.into(), true)
    }

    fn with(board: Board, cannibal: bool) -> Self {
        assert!(board.len() <= B::CAPACITY, "the board fits into the word");
        let cells = (0..board.len()).map(Cell::new);
        let neighbours: Arc<[Vec<Cell>]> = cells.map(|cell| board.neighbours(cell)).collect();
        let set = |cells: &Vec<Cell>| cells.iter().fold(B::EMPTY, |set, &cell| set.with(cell));
        Self {
            cannibal,
            adjacent: neighbours.iter().map(set).collect(),
            playouts: if cannibal {
                None
            } else {
                Playouts::new(&board).map(Arc::new)
            },
            neighbours,
            board,
        }
    }

    /// Whether stones may take their own side's stones too.
    #[must_use]
    pub fn is_cannibal(&self) -> bool {
        self.cannibal
    }

    /// The moves of these stones onto that prey: cell by cell from a1, per cell in the order of its
    /// neighbours.
    #[inline(always)]
    fn moves_onto(&self, own: B, prey: B) -> impl Iterator<Item = Move> {
        own.iter().flat_map(move |from| {
            let targets = self.neighbours[from.index()].iter();
            targets
                .filter(move |&&to| prey.contains(to))
                .map(move |&to| Move { from, to })
        })
    }

    /// The stones that the side to move may take.
    #[inline(always)]
    fn prey(&self, position: &Position<B>) -> B {
        if self.cannibal {
            position.occupied()
        } else {
            position.opponent
        }
    }
}

/// The start position of a grid: `x` where row + column is even counted from a1, `o` elsewhere.
#[must_use]
pub fn checkerboard(grid: Grid) -> Setup {
    checkered(grid, 2)
}

/// The start position for several colours: the colour of a cell is its row + column, counted from
/// 0 and modulo the number of colours, so that neighbours always differ.
///
/// # Panics
/// If there are not 1 to 6 colours.
#[must_use]
pub fn checkered(grid: Grid, colors: usize) -> Setup {
    let mut setup = Setup::new(grid);
    for cell in grid.cells().iter() {
        let (row, col) = grid.row_and_col(cell);
        setup.put(cell, Side::ALL[(row + col) % colors]);
    }
    setup
}

/// A random position: each cell holds a stone with probability `density`, of each colour equally
/// often.
///
/// # Panics
/// If there are not 1 to 6 colours.
#[must_use]
pub fn random_stones(grid: Grid, colors: usize, density: f64, random: &mut Random) -> Setup {
    let mut setup = Setup::new(grid);
    for cell in grid.cells().iter() {
        // Both numbers are drawn for every cell, so a higher density only adds stones.
        let (occupied, color) = (random.unit() < density, random.below(colors as u32));
        if occupied {
            setup.put(cell, Side::ALL[color as usize]);
        }
    }
    setup
}

impl<B: Cells> Rules for Clobber<B> {
    type Position = Position<B>;
    type Move = Move;

    #[inline]
    fn moves<'a>(&'a self, position: &Position<B>) -> impl Iterator<Item = Move> + use<'a, B> {
        self.moves_onto(position.own, self.prey(position))
    }

    #[inline]
    fn count_moves(&self, position: &Position<B>) -> u64 {
        let prey = self.prey(position);
        let targets = |from: Cell| u64::from((self.adjacent[from.index()] & prey).len());
        position.own.iter().map(targets).sum()
    }

    #[inline]
    fn is_over(&self, position: &Position<B>) -> bool {
        let prey = self.prey(position);
        position
            .own
            .iter()
            .all(|from| (self.adjacent[from.index()] & prey).is_empty())
    }

    #[inline]
    fn play_unchecked(&self, position: &Position<B>, mv: Move) -> Position<B> {
        let mover = B::one(mv.from) | B::one(mv.to);
        Position {
            own: position.opponent & !mover,
            opponent: (position.own | mover) & !B::one(mv.from),
            to_move: !position.to_move,
        }
    }

    /// Each move removes a stone, and one stone alone cannot move.
    fn plies_left(&self, position: &Position<B>) -> u32 {
        position.occupied().len().saturating_sub(1)
    }

    fn move_name(&self, mv: Move) -> String {
        let (from, to) = (self.board.name(mv.from), self.board.name(mv.to));
        match self.board {
            Board::Grid(_) => format!("{from}{to}"),
            Board::Graph(_) => format!("{from}-{to}"),
        }
    }

    /// `a1b1` or `a1-b1` on a grid, `from-to` on a graph.
    fn move_named(&self, name: &str) -> Option<Move> {
        let (from, to) = match (name.split_once('-'), &self.board) {
            (Some(cells), _) => cells,
            (None, Board::Graph(_)) => return None,
            (None, Board::Grid(_)) => {
                // The second cell begins at the first letter that follows a digit.
                let digit = name.find(|c: char| c.is_ascii_digit())?;
                let letter = name[digit..].find(|c: char| c.is_ascii_alphabetic())?;
                name.split_at(digit + letter)
            }
        };
        let from = self.board.cell_named(from)?;
        let to = self.board.cell_named(to)?;
        Some(Move { from, to })
    }

    fn path(&self, mv: Move) -> Option<(Cell, Cell)> {
        Some((mv.from, mv.to))
    }

    fn board(&self) -> &Board {
        &self.board
    }

    fn position(
        &self,
        setup: &Setup,
        to_move: impl Into<Side>,
    ) -> Result<Position<B>, PositionError> {
        Position::from_setup(&self.board, setup, to_move.into())
    }

    fn setup(&self, position: &Position<B>) -> Setup {
        position.setup(&self.board)
    }

    fn side_to_move(&self, position: &Position<B>) -> Side {
        position.to_move.into()
    }

    fn result(&self, position: &Position<B>) -> Option<GameResult> {
        self.is_over(position)
            .then(|| GameResult::LastMove((!position.to_move).into()))
    }
}

impl<B: Cells> Game for Clobber<B> {
    fn to_move(&self, position: &Position<B>) -> Color {
        position.to_move
    }

    /// Who cannot move has lost.
    fn score(&self, position: &Position<B>) -> Option<i32> {
        self.is_over(position).then_some(-1)
    }

    fn playout(&self, position: &Position<B>, random: &mut Random) -> Playout {
        match &self.playouts {
            Some(playouts) => {
                playouts.playout(position.own.into(), position.opponent.into(), random)
            }
            None => crate::playout::plain_playout(self, position, random),
        }
    }

    fn playouts(&self, position: &Position<B>, games: u64, random: &mut Random) -> Tally {
        match &self.playouts {
            Some(playouts) => {
                playouts.playouts(position.own.into(), position.opponent.into(), games, random)
            }
            None => crate::playout::plain_playouts(self, position, games, random),
        }
    }
}
