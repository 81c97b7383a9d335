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

/// Why a tree was not counted or drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The budget was spent first.
    #[error("the tree was not counted in time")]
    Spent,
    /// It needs more memory than these bytes.
    #[error("the tree has too many different positions for {0} bytes of memory")]
    Memory(usize),
    /// The system has no more memory after these bytes.
    #[error("there is no memory for more than {} MB of positions", .0 >> 20)]
    NoRoom(usize),
    /// It has more nodes than 128 bits can count.
    #[error("the tree has more than 2^128 nodes")]
    Overflow,
    /// It has more nodes than a picture can show.
    #[error(
        "the tree has more than {MOST_DRAWN} nodes, too many for a picture; draw fewer plies of it"
    )]
    TooLarge,
}
