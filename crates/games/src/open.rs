//! From what the user wrote to a game: a variant, where it begins, and whose turn it is.

use thiserror::Error;

use crate::any_game::AnyGame;
use crate::board::Board;
use crate::cells::Cells;
use crate::clobber::{self, Clobber, Colors, Solitaire};
use crate::color::Color;
use crate::game::Rules;
use crate::grid::Grid;
use crate::othello::{self, Opening, Othello, Reversi};
use crate::playout::random_move;
use crate::position::{PositionError, list};
use crate::random::Random;
use crate::setup::Setup;
use crate::side::Side;
use crate::start::{Start, StartError};
use crate::variant::{Variant, VariantError};

impl AnyGame {
    /// The game of this name at this position, which is a size (`4x5`), a position text (`xox|oxo`)
    /// or `random:5x6,seed=7`. Black is to move, or whose turn it is in a random Othello position.
    ///
    /// # Errors
    /// If there is no such game or no such position.
    pub fn parse(game: &str, position: &str) -> Result<Self, ParseGameError> {
        let variant: Variant = game.parse()?;
        let start: Start = position.parse()?;
        Ok(Self::open(variant, &start, None)?)
    }

    /// A game at this start. `to_move` is the letter of a side as the user wrote it; without it Black
    /// begins, or whose turn it is in a random Othello position.
    ///
    /// # Errors
    /// If the game is not played from such a start.
    pub fn open(variant: Variant, start: &Start, to_move: Option<char>) -> Result<Self, OpenError> {
        let sides = variant.sides();
        let named = |letter: char| {
            let side = Side::from_letter(letter).filter(|side| side.index() < sides);
            side.ok_or(OpenError::ToMove { letter, sides })
        };
        let named = to_move.map(named).transpose()?;
        let (setup, turn) = match variant {
            Variant::Othello(_) | Variant::Reversi => othello_setup(variant, start)?,
            Variant::Clobber | Variant::Cannibal | Variant::Solitaire | Variant::Colors(_) => {
                (clobber_setup(sides, start), Color::Black)
            }
        };
        let turn = named.unwrap_or(turn.into());
        let wide = setup.board.len() > u64::CAPACITY;
        let board = setup.board.clone();
        macro_rules! opened {
            ($case:ident, $rules:expr) => {{
                let rules = $rules;
                let position = rules.position(&setup, turn)?;
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
            Variant::Othello(opening) if wide => {
                let grid = grid_of(&board, variant)?;
                opened!(Othello128, Othello::with_opening(grid, opening))
            }
            Variant::Othello(opening) => {
                let grid = grid_of(&board, variant)?;
                opened!(Othello64, Othello::with_opening(grid, opening))
            }
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
                _ => Opening::DIAGONAL,
            };
            let setup = othello::start(*grid, opening).ok_or(OpenError::NoCentre(*grid))?;
            let rules = Othello::<u128>::new(*grid);
            let mut position = rules.position(&setup, Color::Black)?;
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
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpenError {
    /// This game is played on grids only.
    #[error("{0} is not played on a graph")]
    NoGraphs(Variant),
    /// The grid has no room for four discs in the middle.
    #[error("{0} has no room for four discs in the middle")]
    NoCentre(Grid),
    /// A letter that is not one of a side of the game.
    #[error("'{}' cannot be to move in a game of {}", .letter.escape_debug(), list(*.sides))]
    ToMove {
        /// The letter given.
        letter: char,
        /// How many sides the game has.
        sides: usize,
    },
    /// The setup is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Why two texts do not name a game and a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseGameError {
    /// The first is not the name of a game.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The second is not a position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The game cannot begin there.
    #[error(transparent)]
    Open(#[from] OpenError),
}
