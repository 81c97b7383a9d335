//! Small board games: rules, notation, pictures, counting of lines, fast random play.
//!
//! A *position* is a small `Copy` value; the *rules* of a game are a value too, made for one board:
//!
//! ```
//! use upstar_games::{Clobber, Grid, Rules, clobber, perft};
//!
//! let grid: Grid = "4x5".parse()?;
//! let game = Clobber::<u64>::new(grid);
//! let start = game.position(&clobber::checkerboard(grid), 0);
//!
//! let first = game.moves(&start).next().unwrap();
//! assert_eq!(game.move_name(first), "a1a2");
//! let next = game.play(&start, first)?;
//! assert_eq!(game.setup(&next).to_string(), ".oxox|xxoxo|xoxox|oxoxo");
//! assert_eq!(perft(&game, &start, 2), 790);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What the text says ([`Setup`]) is a different type from what the rules accept; [`AnyGame`] goes
//! from one to the other for a game named at run time.

mod any;
mod board;
mod cells;
pub mod clobber;
mod color;
mod game;
mod graph;
mod grid;
mod lanes;
pub mod othello;
mod playout;
mod position;
mod random;
mod setup;
mod start;
pub mod svg;
mod symmetry;
mod variant;

pub use any::{AnyGame, OpenError};
pub use board::Board;
pub use cells::{Cell, CellIter, Cells, MAX_CELLS};
pub use clobber::Clobber;
pub use color::Color;
pub use game::{Game, IllegalMove, Rules, perft};
pub use graph::{Graph, GraphError};
pub use grid::{Grid, SizeError, column_name};
pub use othello::Othello;
pub use playout::{Playout, Tally, plain_playout, plain_playouts, random_move};
pub use position::Position;
pub use random::Random;
pub use setup::{MAX_COLORS, MAX_TEXT, STONES, Setup, SetupError, color_of};
pub use start::{OVER, Start, StartError};
pub use symmetry::Symmetry;
pub use variant::{Variant, VariantError};

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
