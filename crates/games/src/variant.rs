//! The games by name: `clobber`, `clobber:cannibal`, `othello:anti`, …

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::excerpt;
use crate::othello::Opening;
use crate::side::MAX_SIDES;

/// A game as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Clobber for two.
    Clobber,
    /// Clobber in which own stones may be taken too.
    Cannibal,
    /// Clobber for one, who wants as few stones left as possible.
    Solitaire,
    /// Clobber for this many players, 2 to 6.
    Colors(usize),
    /// Othello from one of its three openings.
    Othello(Opening),
    /// Othello from an empty board, half of the discs for each side.
    Reversi,
}

impl Variant {
    /// One of each kind, in the order in which they are listed.
    pub const ALL: [Self; 8] = [
        Self::Clobber,
        Self::Cannibal,
        Self::Solitaire,
        Self::Colors(3),
        Self::Othello(Opening::Diagonal),
        Self::Othello(Opening::Anti),
        Self::Othello(Opening::Parallel),
        Self::Reversi,
    ];

    /// How many sides have stones; solitaire has two, and one player for both.
    #[must_use]
    pub const fn sides(self) -> usize {
        match self {
            Self::Colors(colors) => colors,
            _ => 2,
        }
    }

    /// Whether two players move in turn.
    #[must_use]
    pub const fn is_for_two(self) -> bool {
        !matches!(self, Self::Solitaire | Self::Colors(_))
    }

    /// Whether a side that cannot move passes, as in Othello.
    #[must_use]
    pub const fn has_passes(self) -> bool {
        matches!(self, Self::Othello(_) | Self::Reversi)
    }

    /// What it is, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Clobber => "take a neighbouring stone of the other colour; who cannot move loses",
            Self::Cannibal => "Clobber in which stones of the own colour may be taken too",
            Self::Solitaire => {
                "one player moves both colours in turn; as few stones left as possible"
            }
            Self::Colors(_) => "two to six players in turn; the last who moved wins",
            Self::Othello(Opening::Diagonal) => "turn lines of opposing discs; who has more wins",
            Self::Othello(Opening::Anti) => "Othello with the first four discs exchanged",
            Self::Othello(Opening::Parallel) => "Othello with the first four discs side by side",
            Self::Reversi => {
                "Othello's ancestor: first four discs by hand, half of all for each side"
            }
        }
    }

    /// A position to begin with.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Clobber => "5x6",
            Self::Cannibal => "xxo.xo",
            Self::Solitaire => "4x4",
            Self::Colors(_) => "4x4",
            Self::Othello(_) | Self::Reversi => "8x8",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clobber => write!(f, "clobber"),
            Self::Cannibal => write!(f, "clobber:cannibal"),
            Self::Solitaire => write!(f, "clobber:solitaire"),
            Self::Colors(colors) => write!(f, "clobber:colors={colors}"),
            Self::Othello(Opening::Diagonal) => write!(f, "othello"),
            Self::Othello(Opening::Anti) => write!(f, "othello:anti"),
            Self::Othello(Opening::Parallel) => write!(f, "othello:parallel"),
            Self::Reversi => write!(f, "othello:reversi"),
        }
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Self, VariantError> {
        if let Some(colors) = text.strip_prefix("clobber:colors=") {
            let number = (2..=MAX_SIDES).find(|number| number.to_string() == colors);
            return number
                .map(Self::Colors)
                .ok_or_else(|| VariantError::Colors(excerpt(colors)));
        }
        let named = |variant: &Self| variant.to_string() == text;
        let found = Self::ALL.into_iter().find(named);
        found.ok_or_else(|| VariantError::Unknown(excerpt(text)))
    }
}

/// Why a text names no game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VariantError {
    /// No game has this name.
    #[error("'{0}' is not a game; there are {names}", names = Variant::ALL.map(|it| it.to_string()).join(", "))]
    Unknown(String),
    /// A number of colours that the game does not have.
    #[error("'{0}' colours cannot be played; 2 to {MAX_SIDES} can")]
    Colors(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for variant in Variant::ALL {
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
        assert_eq!("clobber:colors=6".parse(), Ok(Variant::Colors(6)));
    }

    #[test]
    fn other_names_are_refused() {
        for text in [
            "",
            "Clobber",
            "chess",
            "clobber:",
            "clobber:colors=7",
            "clobber:colors=x",
        ] {
            assert!(text.parse::<Variant>().is_err(), "{text}");
        }
    }
}
