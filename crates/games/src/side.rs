//! The sides of a game for any number of players, and the letters of their stones.

use std::fmt;

use crate::color::Color;

/// The most sides that a game may have.
pub const MAX_SIDES: usize = 6;

/// A side, by the stones it has: cross, circle, triangle, square, diamond, pentagon. Games for two
/// have the first two, which are a [`Color`] too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// All sides, in the order in which they move.
    pub const ALL: [Self; MAX_SIDES] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    const LETTERS: [char; MAX_SIDES] = ['x', 'o', 't', 's', 'd', 'p'];

    /// The letter of this side's stones.
    #[must_use]
    pub const fn letter(self) -> char {
        Self::LETTERS[self.0 as usize]
    }

    /// The side that a letter stands for when it is read: `x`, `o`, `t`, `s`, `d` or `p`, and for
    /// the first two also `X`, `B`, `b`, `*` and `O`, `W`, `w`.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = match letter {
            'X' | 'B' | 'b' | '*' => 'x',
            'O' | 'W' | 'w' => 'o',
            other => other,
        };
        Self::ALL.into_iter().find(|side| side.letter() == letter)
    }

    /// Its place among [`Side::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The side of a two-player game; `None` for the third and those that follow.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self.0 {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        Self(color as u8)
    }
}

/// A side is a color if it is one of the first two.
impl PartialEq<Color> for Side {
    fn eq(&self, color: &Color) -> bool {
        *self == Self::from(*color)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_back() {
        for side in Side::ALL {
            assert_eq!(Side::from_letter(side.letter()), Some(side));
            assert_eq!(Side::ALL[side.index()], side);
        }
        assert_eq!(Side::from_letter('*'), Some(Color::Black.into()));
        assert_eq!(Side::from_letter('W'), Some(Color::White.into()));
        assert_eq!(Side::from_letter('q'), None);
    }

    #[test]
    fn the_first_two_are_colors() {
        for color in Color::ALL {
            let side = Side::from(color);
            assert_eq!(side.color(), Some(color));
            assert_eq!(side.letter(), color.letter());
        }
        assert_eq!(Side::ALL[2].color(), None);
    }
}
