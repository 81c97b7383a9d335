//! Bounds of a score in Othello: that Black gets at least so much, or that White sees to it that it is
//! no more.
//!
//! Each bound is one side's strategy, a reply to whatever the other side places, down to positions with
//! so few empty cells that the checker tries all lines itself. A win needs one bound, a draw or an exact
//! score two. For small boards [`Plain`] search will do as an [`Oracle`]:
//!
//! ```
//! use std::io::Cursor;
//! use upstar_games::Color;
//! use upstar_games::othello::{Opening, start};
//! use upstar_jobs::{Budget, Unwatched};
//! use upstar_proof::othello::{Claim, Plain, WriteOptions, write};
//! use upstar_proof::{AnyClaim, CheckOptions, check};
//!
//! // White wins on 4×4, by 8 discs.
//! let claim = Claim {
//!     setup: start("4x4".parse()?, Opening::DIAGONAL).unwrap(),
//!     to_move: Color::Black,
//!     empties_to_winner: false,
//!     at_least: Some(-8),
//!     at_most: Some(-8),
//! };
//! let mut file = Vec::new();
//! let mut oracle = Plain::new(&claim).unwrap();
//! write(&mut file, &claim, &mut oracle, &WriteOptions::default(), &Budget::unlimited(), &Unwatched)?;
//! let checked = check(Cursor::new(&file), &CheckOptions::default(), &Budget::unlimited(), &Unwatched)?;
//! assert_eq!(checked.claim, AnyClaim::Othello(claim));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod check;
pub mod format;
mod list;
mod plain;
mod read;
mod search;
mod strategy;
mod write;

pub(crate) use check::check;
pub use format::Claim;
pub(crate) use list::list;
pub use plain::Plain;
pub(crate) use strategy::OthelloStrategy;
pub use write::{Oracle, WriteOptions, write, write_file};

#[cfg(test)]
mod damage;
