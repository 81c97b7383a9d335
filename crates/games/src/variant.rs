//! The games by name: `clobber`, `clobber:cannibal`, `othello:anti`, `othello:middle=upper-right`, …

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::excerpt;
use crate::othello::{Arrangement, Middle, Opening};
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
    /// Othello from one of its openings.
    Othello(Opening),
    /// Othello from an empty board, half of the discs for each side.
    Reversi,
}

impl Variant {
    /// One of each kind, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Clobber,
        Self::Cannibal,
        Self::Solitaire,
        Self::Colors(3),
        Self::Othello(Opening::DIAGONAL),
        Self::Othello(Opening::ANTI),
        Self::Othello(Opening::PARALLEL),
        Self::Othello(Opening::UPPER_RIGHT),
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
            Self::Othello(Opening::DIAGONAL) => "turn lines of opposing discs; who has more wins",
            Self::Othello(Opening::ANTI) => "Othello with the first four discs exchanged",
            Self::Othello(Opening::PARALLEL) => "Othello with the first four discs side by side",
            Self::Othello(_) => "Othello with another middle of boards with odd sides",
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
            Self::Othello(Opening::DIAGONAL | Opening::ANTI | Opening::PARALLEL)
            | Self::Reversi => "8x8",
            Self::Othello(_) => "3x3",
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
            Self::Othello(Opening::DIAGONAL) => write!(f, "othello"),
            Self::Othello(Opening::ANTI) => write!(f, "othello:anti"),
            Self::Othello(Opening::PARALLEL) => write!(f, "othello:parallel"),
            Self::Othello(Opening {
                arrangement,
                middle,
            }) => write!(f, "{}{}", before_middle(*arrangement), middle.name()),
            Self::Reversi => write!(f, "othello:reversi"),
        }
    }
}

/// What stands before the middle in the name of a game: `othello:anti,middle=`.
const fn before_middle(arrangement: Arrangement) -> &'static str {
    match arrangement {
        Arrangement::Diagonal => "othello:middle=",
        Arrangement::Anti => "othello:anti,middle=",
        Arrangement::Parallel => "othello:parallel,middle=",
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
        for arrangement in Arrangement::ALL {
            if let Some(middle) = text.strip_prefix(before_middle(arrangement)) {
                let found = Middle::ALL.into_iter().find(|one| one.name() == middle);
                return found
                    .map(|middle| Self::Othello(Opening::new(arrangement, middle)))
                    .ok_or_else(|| VariantError::Middle(excerpt(middle)));
            }
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
    /// A middle that boards do not have.
    #[error("'{0}' is not a middle; there are {names}", names = Middle::ALL.map(Middle::name).join(", "))]
    Middle(String),
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
        for arrangement in Arrangement::ALL {
            for middle in Middle::ALL {
                let variant = Variant::Othello(Opening::new(arrangement, middle));
                assert_eq!(variant.to_string().parse(), Ok(variant));
            }
        }
    }

    #[test]
    fn the_usual_middle_may_be_named() {
        for (text, name) in [
            ("othello:middle=upper-left", "othello"),
            ("othello:anti,middle=upper-left", "othello:anti"),
        ] {
            assert_eq!(text.parse::<Variant>().unwrap().to_string(), name);
        }
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
            "othello:middle",
            "othello:middle=left",
            "othello:middle=lower-right,anti",
            "othello:reversi,middle=lower-right",
        ] {
            assert!(text.parse::<Variant>().is_err(), "{text}");
        }
    }
}
