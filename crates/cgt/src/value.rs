//! A game value by its number in the arena [`Games`](crate::Games), and the four outcomes.
//!
//! Values are compared as games through the arena; `==` on handles is equality of games, because every
//! value is stored once, in canonical form.

use std::fmt;

/// A short game up to equality: a handle into the arena that made it.
///
/// Two handles of the same arena are equal exactly when the games are. `Ord` is the order in which
/// the arena came to know them, not the order of games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(u32);

impl Value {
    /// The game without moves.
    pub const ZERO: Value = Value(0);

    /// The value's place in its arena, counted from 0 without gaps.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Value {
        assert!(index < 1 << 31, "an arena holds at most 2^31 values");
        Value(index as u32)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Who wins, when both play well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The next player wins: the game is confused with zero.
    N,
    /// The previous player wins, the one who does not begin: the game is zero.
    P,
    /// Left wins whoever begins: the game is positive.
    L,
    /// Right wins whoever begins: the game is negative.
    R,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::N => "N",
            Outcome::P => "P",
            Outcome::L => "L",
            Outcome::R => "R",
        })
    }
}
