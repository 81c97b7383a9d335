//! A game chosen at run time: the door from what the user wrote to code that knows its types.
//!
//! It is entered once per command, with [`with_rules!`](crate::with_rules) for what all games have
//! and [`with_game!`](crate::with_game) for what two players need; behind it nothing is dynamic.

use std::fmt;

use crate::board::Board;
use crate::cells::Cells;
use crate::clobber::{self, Clobber, Colors, ColorsPosition, Solitaire};
use crate::color::Color;
use crate::game::Rules;
use crate::grid::Grid;
use crate::othello::{self, Opening, Othello, Reversi, ReversiPosition};
use crate::playout::random_move;
use crate::position::Position;
use crate::random::Random;
use crate::setup::{STONES, Setup, color_of};
use crate::start::Start;
use crate::variant::Variant;

/// The rules of a game on one board, and the position to begin with.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum AnyGame {
    Clobber64(Clobber<u64>, Position<u64>),
    Clobber128(Clobber<u128>, Position<u128>),
    Othello64(Othello<u64>, Position<u64>),
    Othello128(Othello<u128>, Position<u128>),
    Reversi64(Reversi<u64>, ReversiPosition<u64>),
    Reversi128(Reversi<u128>, ReversiPosition<u128>),
    Solitaire(Solitaire, Position<u128>),
    Colors(Colors, ColorsPosition),
}

/// Runs an expression with the rules and the first position of an [`AnyGame`], whichever it is.
///
/// ```
/// use upstar_games::{AnyGame, Rules, with_rules};
/// let game = AnyGame::open("othello".parse()?, &"8x8".parse()?, None)?;
/// let moves = with_rules!(&game, |rules, start| rules.count_moves(start));
/// assert_eq!(moves, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! with_rules {
    ($any:expr, |$rules:ident, $start:ident| $body:expr) => {
        match $any {
            $crate::AnyGame::Clobber64($rules, $start) => $body,
            $crate::AnyGame::Clobber128($rules, $start) => $body,
            $crate::AnyGame::Othello64($rules, $start) => $body,
            $crate::AnyGame::Othello128($rules, $start) => $body,
            $crate::AnyGame::Reversi64($rules, $start) => $body,
            $crate::AnyGame::Reversi128($rules, $start) => $body,
            $crate::AnyGame::Solitaire($rules, $start) => $body,
            $crate::AnyGame::Colors($rules, $start) => $body,
        }
    };
}

/// The same for games of two players only; the last expression stands for the others.
#[macro_export]
macro_rules! with_game {
    ($any:expr, |$game:ident, $start:ident| $body:expr, $otherwise:expr) => {
        match $any {
            $crate::AnyGame::Clobber64($game, $start) => $body,
            $crate::AnyGame::Clobber128($game, $start) => $body,
            $crate::AnyGame::Othello64($game, $start) => $body,
            $crate::AnyGame::Othello128($game, $start) => $body,
            $crate::AnyGame::Reversi64($game, $start) => $body,
            $crate::AnyGame::Reversi128($game, $start) => $body,
            $crate::AnyGame::Solitaire(..) | $crate::AnyGame::Colors(..) => $otherwise,
        }
    };
}

impl AnyGame {
    /// A game at this start. Without `to_move`, the letter of a stone, Black begins, or whoever's
    /// turn it is in a random Othello position.
    ///
    /// # Errors
    /// If the game is not played from such a start.
    pub fn open(variant: Variant, start: &Start, to_move: Option<char>) -> Result<Self, OpenError> {
        let colors = match variant {
            Variant::Colors(colors) => colors,
            _ => 2,
        };
        let color_to_move = |letter: char| {
            let color = color_of(letter).filter(|&color| color < colors);
            color.ok_or(OpenError::ToMove { letter, colors })
        };
        let mover = to_move.map(color_to_move).transpose()?;
        let (setup, turn) = match variant {
            Variant::Othello(_) | Variant::Reversi => othello_setup(variant, start)?,
            Variant::Clobber | Variant::Cannibal | Variant::Solitaire | Variant::Colors(_) => {
                (clobber_setup(colors, start), Color::Black)
            }
        };
        if setup.colors() > colors {
            let letter = STONES[setup.colors() - 1];
            return Err(OpenError::TooManyColors { letter, colors });
        }
        let turn = mover.unwrap_or(turn.index());
        let wide = setup.board.len() > u64::CAPACITY;
        let board = setup.board.clone();
        macro_rules! opened {
            ($case:ident, $rules:expr) => {{
                let rules = $rules;
                let position = rules.position(&setup, turn);
                Self::$case(rules, position)
            }};
        }
        Ok(match variant {
            Variant::Clobber | Variant::Cannibal if wide => {
                opened!(Clobber128, clobber_rules(variant, board))
            }
            Variant::Clobber | Variant::Cannibal => {
                opened!(Clobber64, clobber_rules(variant, board))
            }
            Variant::Othello(_) if wide => {
                opened!(Othello128, Othello::new(grid_of(&board, variant)?))
            }
            Variant::Othello(_) => opened!(Othello64, Othello::new(grid_of(&board, variant)?)),
            Variant::Reversi if wide => opened!(Reversi128, reversi_rules(&board)?),
            Variant::Reversi => opened!(Reversi64, reversi_rules(&board)?),
            Variant::Solitaire => opened!(Solitaire, Solitaire::new(board)),
            Variant::Colors(colors) => opened!(Colors, Colors::new(board, colors)),
        })
    }
}

fn clobber_rules<B: Cells>(variant: Variant, board: Board) -> Clobber<B> {
    match variant {
        Variant::Cannibal => Clobber::cannibal(board),
        _ => Clobber::new(board),
    }
}

fn reversi_rules<B: Cells>(board: &Board) -> Result<Reversi<B>, OpenError> {
    let grid = grid_of(board, Variant::Reversi)?;
    Reversi::new(grid).ok_or(OpenError::NoCentre(grid))
}

fn grid_of(board: &Board, variant: Variant) -> Result<Grid, OpenError> {
    match board {
        Board::Grid(grid) => Ok(*grid),
        Board::Graph(_) => Err(OpenError::NoGraphs(variant)),
    }
}

fn clobber_setup(colors: usize, start: &Start) -> Setup {
    match start {
        Start::Size(grid) => clobber::checkered(*grid, colors),
        Start::Random {
            grid,
            seed,
            density,
        } => {
            let mut random = Random::new(*seed);
            clobber::random_stones(*grid, colors, density.unwrap_or(1.0), &mut random)
        }
        Start::Given(setup) => setup.clone(),
    }
}

/// The stones and whose turn it is. A random position of Othello is one of a game between random
/// players, played until that share of the cells is filled, half of them if none is given.
fn othello_setup(variant: Variant, start: &Start) -> Result<(Setup, Color), OpenError> {
    let first = |grid: Grid| match variant {
        Variant::Othello(opening) => othello::start(grid, opening).ok_or(OpenError::NoCentre(grid)),
        _ => Ok(Setup::new(grid)),
    };
    match start {
        Start::Size(grid) => Ok((first(*grid)?, Color::Black)),
        Start::Given(setup) => Ok((setup.clone(), Color::Black)),
        Start::Random {
            grid,
            seed,
            density,
        } => {
            let opening = match variant {
                Variant::Othello(opening) => opening,
                _ => Opening::Diagonal,
            };
            let setup = othello::start(*grid, opening).ok_or(OpenError::NoCentre(*grid))?;
            let rules = Othello::<u128>::new(*grid);
            let mut position = Position::<u128>::from_setup(&setup, Color::Black);
            let mut random = Random::new(*seed);
            let wanted = density.unwrap_or(0.5) * grid.len() as f64;
            while f64::from(position.occupied().len()) < wanted
                && let Some(mv) = random_move(&rules, &position, &mut random)
            {
                position = rules.play_unchecked(&position, mv);
            }
            Ok((rules.setup(&position), position.to_move))
        }
    }
}

/// Why a game cannot begin there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// This game is played on grids only.
    NoGraphs(Variant),
    /// The grid has no room for four discs in the middle.
    NoCentre(Grid),
    /// A stone of a colour that the game does not have.
    TooManyColors {
        /// The stone's letter.
        letter: char,
        /// How many colours the game has.
        colors: usize,
    },
    /// A side to move that the game does not have.
    ToMove {
        /// The letter given.
        letter: char,
        /// How many colours the game has.
        colors: usize,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |colors: &usize| {
            let letters = STONES[..*colors].iter().map(char::to_string);
            letters.collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::NoGraphs(variant) => write!(f, "{variant} is not played on a graph"),
            Self::NoCentre(grid) => {
                write!(f, "{grid} has no room for four discs in the middle")
            }
            Self::TooManyColors { letter, colors } => {
                write!(
                    f,
                    "there is a stone '{letter}' in a game of {}",
                    list(colors)
                )
            }
            Self::ToMove { letter, colors } => {
                let letter = letter.escape_debug();
                write!(
                    f,
                    "'{letter}' cannot be to move in a game of {}",
                    list(colors)
                )
            }
        }
    }
}

impl std::error::Error for OpenError {}
