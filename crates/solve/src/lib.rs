//! Exact results, with proof: who wins a position, by which move, and what a Clobber position is
//! worth.
//!
//! A solver never guesses: what it could not prove within its [`Budget`](upstar_jobs::Budget) it leaves open in its
//! [`Verdict`].

mod checksum;
pub mod classic;
pub mod clobber;
pub mod journal;
mod key;
mod memory;
pub mod othello;
pub mod run;
mod table;
pub mod tree;
mod verdict;

pub use journal::Journal;
pub use verdict::{Outcome, Verdict};
