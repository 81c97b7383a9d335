//! Othello on m×n boards: a disc placed next to a line of opposing discs that ends at an own one
//! turns that line; who has more discs at the end wins.
//!
//! A side without such a placement passes, and the game ends when neither side has one.

mod batch;
mod lines;
pub mod obf;
mod playout;
mod reversi;
mod stability;
pub mod transcript;

pub use reversi::{Reversi, ReversiPosition};
pub use stability::stable_discs;

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
use lines::Lines;
use playout::Rays;

/// Place a disc, or pass when there is no place for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc on this cell.
    Place(Cell),
    /// The forced pass.
    Pass,
}

impl Move {
    /// The same move on the turned or mirrored board.
    #[must_use]
    pub fn under(self, symmetry: &Symmetry) -> Self {
        match self {
            Self::Place(cell) => Self::Place(symmetry.cell(cell)),
            Self::Pass => Self::Pass,
        }
    }

    fn path(self) -> Option<(Cell, Cell)> {
        match self {
            Self::Place(cell) => Some((cell, cell)),
            Self::Pass => None,
        }
    }

    fn name(self, board: &Board) -> String {
        match self {
            Self::Place(cell) => board.name(cell),
            Self::Pass => "pass".to_owned(),
        }
    }

    fn named(name: &str, board: &Board) -> Option<Self> {
        if name.eq_ignore_ascii_case("pass") {
            Some(Self::Pass)
        } else {
            board.cell_named(name).map(Self::Place)
        }
    }
}

/// The first four discs: their arrangement, and which square of an odd board is its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opening {
    /// Which of the four belong to whom.
    pub arrangement: Arrangement,
    /// Where the four stand.
    pub middle: Middle,
}

impl Opening {
    /// The usual arrangement, up and left of the middle of an odd board.
    pub const DIAGONAL: Self = Self::new(Arrangement::Diagonal, Middle::UpperLeft);
    /// The usual one with the colours exchanged.
    pub const ANTI: Self = Self::new(Arrangement::Anti, Middle::UpperLeft);
    /// The colours side by side.
    pub const PARALLEL: Self = Self::new(Arrangement::Parallel, Middle::UpperLeft);
    /// The usual arrangement, up and right of the middle of an odd board.
    pub const UPPER_RIGHT: Self = Self::new(Arrangement::Diagonal, Middle::UpperRight);

    /// This arrangement there.
    #[must_use]
    pub const fn new(arrangement: Arrangement, middle: Middle) -> Self {
        Self {
            arrangement,
            middle,
        }
    }
}

/// Which of the first four discs belong to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// `o` upper left and lower right, `x` on the other diagonal: the usual one.
    Diagonal,
    /// The usual one with the colours exchanged.
    Anti,
    /// `o` in the upper row, `x` in the lower one.
    Parallel,
}

impl Arrangement {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Diagonal, Self::Anti, Self::Parallel];
}

/// Which square is the middle where there are several: an odd number of rows has an upper and a
/// lower one, an odd number of columns a left and a right one (cammel2015, section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Middle {
    /// As high and as far left as possible: the usual one.
    UpperLeft,
    /// As high and as far right as possible.
    UpperRight,
    /// As low and as far left as possible.
    LowerLeft,
    /// As low and as far right as possible.
    LowerRight,
}

impl Middle {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::UpperLeft,
        Self::UpperRight,
        Self::LowerLeft,
        Self::LowerRight,
    ];

    /// Its name, `upper-left`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UpperLeft => "upper-left",
            Self::UpperRight => "upper-right",
            Self::LowerLeft => "lower-left",
            Self::LowerRight => "lower-right",
        }
    }
}

/// The four cells in the middle, row by row: counted from 1, rows ⌊m/2⌋ and ⌊m/2⌋ + 1 of the upper
/// middle, ⌈m/2⌉ and ⌈m/2⌉ + 1 of the lower one, and columns likewise. `None` on a single row or column.
#[must_use]
pub fn central_square(grid: &Grid, middle: Middle) -> Option<[Cell; 4]> {
    let (rows, cols) = (grid.rows(), grid.cols());
    if rows < 2 || cols < 2 {
        return None;
    }
    let (lower, right) = match middle {
        Middle::UpperLeft => (false, false),
        Middle::UpperRight => (false, true),
        Middle::LowerLeft => (true, false),
        Middle::LowerRight => (true, true),
    };
    let half = |length: usize, later: bool| match later {
        false => length / 2,
        true => length.div_ceil(2),
    };
    let (row, col) = (half(rows, lower) - 1, half(cols, right) - 1);
    Some(std::array::from_fn(|index| {
        grid.cell(row + index / 2, col + index % 2)
    }))
}

/// The start position on this grid; `None` if it has no room for four discs.
#[must_use]
pub fn start(grid: Grid, opening: Opening) -> Option<Setup> {
    let square = central_square(&grid, opening.middle)?;
    if square.iter().any(|&cell| grid.holes().contains(cell)) {
        return None;
    }
    let [upper_left, upper_right, lower_left, lower_right] = square;
    let set = |a: Cell, b: Cell| u128::one(a) | u128::one(b);
    let falling = set(upper_left, lower_right);
    let rising = set(upper_right, lower_left);
    let (black, white) = match opening.arrangement {
        Arrangement::Diagonal => (rising, falling),
        Arrangement::Anti => (falling, rising),
        Arrangement::Parallel => (set(lower_left, lower_right), set(upper_left, upper_right)),
    };
    Some(Setup::of_two(grid, black, white))
}

/// The rules of Othello on one grid. Clones share their tables.
#[derive(Clone, Debug)]
pub struct Othello<B> {
    board: Board,
    opening: Opening,
    lines: Lines<B>,
    /// The same for random games, on boards of at most 64 cells.
    rays: Option<Rays>,
}

impl<B: Cells> Othello<B> {
    /// Othello on this grid, from the usual opening.
    ///
    /// # Panics
    /// If the grid has more cells than `B` holds.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self::with_opening(grid, Opening::DIAGONAL)
    }

    /// Othello on this grid from this opening. The opening changes no rule: it is the name by which
    /// the game goes.
    ///
    /// # Panics
    /// If the grid has more cells than `B` holds.
    #[must_use]
    pub fn with_opening(grid: Grid, opening: Opening) -> Self {
        assert!(grid.len() <= B::CAPACITY, "the board fits into the word");
        let fits = grid.len() <= u64::CAPACITY;
        Self {
            lines: Lines::new(&grid),
            rays: fits.then(|| Rays::new(&grid)),
            board: grid.into(),
            opening,
        }
    }

    /// The opening from which games usually begin.
    #[must_use]
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// The cells on which the side to move can place a disc.
    #[inline]
    #[must_use]
    pub fn placements(&self, position: &Position<B>) -> B {
        self.lines.placements(position.own, position.opponent)
    }

    /// The discs that turn when the side to move places one on this cell.
    #[inline]
    #[must_use]
    pub fn turned(&self, position: &Position<B>, cell: Cell) -> B {
        self.lines.turned(position.own, position.opponent, cell)
    }

    /// Whether the side that is not to move could place a disc.
    fn opponent_can_place(&self, position: &Position<B>) -> bool {
        !self
            .lines
            .placements(position.opponent, position.own)
            .is_empty()
    }
}

/// The position after the disc `placed`, none for a pass, has turned others.
#[inline(always)]
fn after<B: Cells>(position: &Position<B>, placed: B, turned: B) -> Position<B> {
    Position {
        own: position.opponent & !turned,
        opponent: position.own | turned | placed,
        to_move: !position.to_move,
    }
}

/// The result of a game that ended with these discs.
fn disc_count<B: Cells>(discs: &Position<B>) -> GameResult {
    let [black, white] = discs.stones().map(Cells::len);
    GameResult::Discs { black, white }
}

impl<B: Cells> Rules for Othello<B> {
    type Position = Position<B>;
    type Move = Move;

    /// Row by row from a1.
    #[inline]
    fn moves<'a>(&'a self, position: &Position<B>) -> impl Iterator<Item = Move> + use<'a, B> {
        let placements = self.placements(position);
        let pass = placements.is_empty() && self.opponent_can_place(position);
        placements
            .iter()
            .map(Move::Place)
            .chain(pass.then_some(Move::Pass))
    }

    #[inline]
    fn count_moves(&self, position: &Position<B>) -> u64 {
        match self.placements(position).len() {
            0 => self.opponent_can_place(position).into(),
            placements => placements.into(),
        }
    }

    #[inline]
    fn play_unchecked(&self, position: &Position<B>, mv: Move) -> Position<B> {
        match mv {
            Move::Place(cell) => after(position, B::one(cell), self.turned(position, cell)),
            Move::Pass => after(position, B::EMPTY, B::EMPTY),
        }
    }

    /// Each empty cell takes at most a disc and a pass before it.
    fn plies_left(&self, position: &Position<B>) -> u32 {
        2 * (self.board.cells().len() - position.occupied().len())
    }

    fn move_name(&self, mv: Move) -> String {
        mv.name(&self.board)
    }

    fn move_named(&self, name: &str) -> Option<Move> {
        Move::named(name, &self.board)
    }

    fn path(&self, mv: Move) -> Option<(Cell, Cell)> {
        mv.path()
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
        self.is_over(position).then(|| disc_count(position))
    }
}

impl<B: Cells> Game for Othello<B> {
    fn to_move(&self, position: &Position<B>) -> Color {
        position.to_move
    }

    /// Own discs minus the opponent's; empty cells do not count.
    fn score(&self, position: &Position<B>) -> Option<i32> {
        let difference = || position.own.len() as i32 - position.opponent.len() as i32;
        self.is_over(position).then(difference)
    }

    fn playout(&self, position: &Position<B>, random: &mut Random) -> Playout {
        match &self.rays {
            Some(rays) => rays.playout(narrow(position.own), narrow(position.opponent), random),
            None => crate::playout::plain_playout(self, position, random),
        }
    }

    fn playouts(&self, position: &Position<B>, games: u64, random: &mut Random) -> Tally {
        match &self.rays {
            Some(rays) => rays.playouts(
                narrow(position.own),
                narrow(position.opponent),
                games,
                random,
            ),
            None => crate::playout::plain_playouts(self, position, games, random),
        }
    }
}

/// The cells of a board that has at most 64.
#[inline(always)]
fn narrow<B: Cells>(cells: B) -> u64 {
    u64::from_wide(cells.into())
}
