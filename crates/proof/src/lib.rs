//! Proofs of Clobber results: a file that says who wins and why, and a checker that needs nothing
//! but the rules to believe it.
//!
//! A solver uses values, tables and bounds that are hard to trust. What it finds is written down here
//! as replies: whatever the loser plays, this is the winner's answer. [`check`] plays them all and
//! knows no values, only moves, sums of independent [`Piece`]s, and that a game and its negative
//! cancel. [`write()`] makes such a file with the help of an [`Oracle`], which is the solver; for small
//! boards [`Plain`] search will do:
//!
//! ```
//! use std::io::Cursor;
//! use std::ops::ControlFlow::Continue;
//! use upstar_games::{Color, Setup, Variant};
//! use upstar_proof::{Arena, CheckOptions, Plain, WriteOptions, check, write};
//!
//! let setup: Setup = "xoxo|oxox|xoxo".parse()?;
//! let arena = Arena::new(Variant::Clobber, &setup.board).unwrap();
//! let mut oracle = Plain::new(arena);
//! let claim = oracle.claim(Variant::Clobber, setup, Color::Black);
//!
//! let mut file = Vec::new();
//! write(&mut file, &claim, &mut oracle, &WriteOptions::default(), &mut |_| Continue(()))?;
//! let checked = check(Cursor::new(&file), &CheckOptions::default(), &mut |_| Continue(()))?;
//! assert_eq!(checked.claim, claim);
//!
//! file[100] ^= 1;
//! assert!(check(Cursor::new(&file), &CheckOptions::default(), &mut |_| Continue(())).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The file is described in [`format`](mod@format).

mod arena;
mod check;
mod coder;
pub mod format;
mod hash;
mod lemmas;
mod piece;
mod plain;
mod refusal;
mod search;
mod sum;
mod write;

pub use arena::Arena;
pub use check::{CheckOptions, CheckProgress, CheckWatcher, Checked, Stage, check, check_file};
pub use format::Claim;
pub use piece::Piece;
pub use plain::Plain;
pub use refusal::Refusal;
pub use sum::Sum;
pub use write::{Oracle, WriteError, WriteOptions, WriteWatcher, Written, write, write_file};

#[cfg(test)]
mod damage;
