//! Who wins a position of Clobber.
//!
//! Replies are moves in sums of independent [`Piece`]s; that a game and its negative cancel is all the
//! theory that the checker knows. For small boards [`Plain`] search will do as an [`Oracle`].

mod arena;
mod check;
pub mod format;
mod lemmas;
mod list;
mod piece;
mod plain;
mod read;
mod search;
mod strategy;
mod sum;
mod write;

pub use arena::Arena;
pub(crate) use check::check;
pub use format::Claim;
pub(crate) use list::list;
pub use piece::Piece;
pub use plain::Plain;
pub(crate) use strategy::ClobberStrategy;
pub use sum::Sum;
pub use write::{Oracle, WriteOptions, write, write_file};

#[cfg(test)]
mod damage;
