//! The whole tree of a game: how large it is, what part of it best play needs, and pictures of it.
//!
//! The root is a node, a pass is a move like any other, and the ends of games are leaves. Positions
//! that are reached in several ways are looked at once and counted as often as they are reached, so
//! that trees of hundreds of millions of nodes take seconds. Words and questions are those of
//! S. Cammel, Predicting the Outcome of the Game Othello, bachelor thesis, Leiden 2015, section 3.1.

mod count;
mod drawing;
mod memory;
mod optimal;

pub use count::{Ply, Tree, count};
pub use drawing::{Drawing, MOST_DRAWN, draw};
pub use optimal::{Optimal, optimal};

use std::fmt;

/// Why a tree was not counted or drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// The budget was spent first.
    Spent,
    /// It needs more memory than these bytes.
    Memory(usize),
    /// It has more nodes than 128 bits can count.
    Overflow,
    /// It has more nodes than a picture can show.
    TooLarge,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spent => write!(f, "the tree was not counted in time"),
            Self::Memory(bytes) => write!(
                f,
                "the tree has too many different positions for {bytes} bytes of memory"
            ),
            Self::Overflow => write!(f, "the tree has more than 2^128 nodes"),
            Self::TooLarge => write!(
                f,
                "the tree has more than {MOST_DRAWN} nodes, too many for a picture; draw fewer plies of it"
            ),
        }
    }
}

impl std::error::Error for TreeError {}
