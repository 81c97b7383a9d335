//! Proofs of results: a file that says what a position is worth and why, and a checker that needs
//! nothing but the rules to believe it.
//!
//! A solver uses values, tables and bounds that are hard to trust. What it finds is written down here
//! as replies: whatever one side plays, this is the other's answer. [`check`] plays them all and knows
//! only the rules; it sees from the file which game that is. What can be claimed, and how it is written,
//! is the games' own: who wins in [`clobber`], bounds of a score in [`othello`]. Writers are helped by an
//! oracle, which is the solver; for small boards plain search will do:
//!
//! ```
//! use std::io::Cursor;
//! use upstar_games::{Color, Setup, Variant};
//! use upstar_proof::clobber::{Arena, Plain, WriteOptions, write};
//! use upstar_jobs::{Budget, Unwatched};
//! use upstar_proof::{AnyClaim, CheckOptions, check};
//!
//! let setup: Setup = "xoxo|oxox|xoxo".parse()?;
//! let arena = Arena::new(Variant::Clobber, &setup.board).unwrap();
//! let mut oracle = Plain::new(arena);
//! let claim = oracle.claim(Variant::Clobber, setup, Color::Black);
//!
//! let mut file = Vec::new();
//! let budget = Budget::unlimited();
//! write(&mut file, &claim, &mut oracle, &WriteOptions::default(), &budget, &Unwatched)?;
//! let checked = check(Cursor::new(&file), &CheckOptions::default(), &budget, &Unwatched)?;
//! assert_eq!(checked.claim, AnyClaim::Clobber(claim));
//!
//! file[100] ^= 1;
//! assert!(check(Cursor::new(&file), &CheckOptions::default(), &budget, &Unwatched).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The file is described in [`frame`], [`clobber::format`] and [`othello::format`].

mod check;
pub mod clobber;
mod coder;
pub mod frame;
mod hash;
mod listing;
pub mod othello;
mod refusal;
mod write;

pub use check::{AnyClaim, CheckOptions, Checked, check, check_file};
pub use refusal::Refusal;
pub use write::{WriteError, Written};
