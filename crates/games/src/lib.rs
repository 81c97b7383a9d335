#![doc = include_str!("../README.md")]
//!
//! # The rules directly
//!
//! ```
//! use upstar_games::{Clobber, Color, Grid, Rules, clobber, perft};
//!
//! let grid: Grid = "4x5".parse()?;
//! let game = Clobber::<u64>::new(grid);
//! let start = game.position(&clobber::checkerboard(grid), Color::Black)?;
//!
//! let first = game.moves(&start).next().unwrap();
//! assert_eq!(game.move_name(first), "a1a2");
//! let next = game.play(&start, first)?;
//! assert_eq!(game.setup(&next).to_string(), ".oxox|xxoxo|xoxox|oxoxo");
//! assert_eq!(perft(&game, &start, 2), 790);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_game;
mod board;
mod cells;
pub mod clobber;
mod color;
mod game;
mod graph;
mod grid;
mod lanes;
mod open;
pub mod othello;
mod playout;
mod position;
mod random;
mod result;
mod setup;
mod side;
mod start;
pub mod svg;
mod symmetry;
mod variant;

pub use any_game::AnyGame;
pub use board::Board;
pub use cells::{Cell, CellIter, Cells, MAX_CELLS};
pub use clobber::Clobber;
pub use color::Color;
pub use game::{Game, IllegalMove, PlayError, Rules, perft};
pub use graph::{Graph, GraphError};
pub use grid::{Grid, SizeError, column_name};
pub use open::{OpenError, ParseGameError};
pub use othello::Othello;
pub use playout::{Playout, Tally, plain_playout, plain_playouts, random_move};
pub use position::{Position, PositionError};
pub use random::Random;
pub use result::GameResult;
pub use setup::{MAX_TEXT, Setup, SetupError};
pub use side::{MAX_SIDES, Side};
pub use start::{OVER, Start, StartError};
pub use symmetry::Symmetry;
pub use variant::{Variant, VariantError};

/// A text fit to be printed: without characters that a terminal would obey.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    shown
}

/// The beginning of a user's text, fit to be quoted in a message: short, and without characters that
/// a terminal would obey.
#[must_use]
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = text
        .chars()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown + "…"
    } else {
        shown
    }
}
