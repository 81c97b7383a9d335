//! The two sides.

use std::fmt;
use std::ops::Not;

/// A side of a two-player game. Black has the stones `x` and moves first unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// The stones `x`; Left in the theory of games.
    #[default]
    Black,
    /// The stones `o`; Right in the theory of games.
    White,
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// The letter of this side's stones.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'x',
            Self::White => 'o',
        }
    }

    /// Makes of a score for this side one for Black, and the other way round, as a factor.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::Black => 1,
            Self::White => -1,
        }
    }

    /// Its place in the order of colours: Black 0, White 1.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    /// The other side.
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
