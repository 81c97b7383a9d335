//! What a large network is made for and made of: game, board, model, planes, width and depth.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use upstar_games::{Grid, Variant, excerpt};

use super::anatomy::Anatomy;

/// The most filters of a convolution, or nodes of a layer.
pub const MOST_WIDTH: usize = 1024;
/// The most residual blocks, or layers.
pub const MOST_DEPTH: usize = 64;
/// The most numbers that a network may consist of.
pub const MOST_NUMBERS: usize = 1 << 27;

/// All that makes a large network what it is, but for its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Design {
    /// The game that it plays: Clobber, cannibal Clobber or Othello.
    pub game: Variant,
    /// The board; `None` for every size.
    pub board: Option<Grid>,
    /// How its layers follow each other.
    pub model: Model,
    /// How it sees a position.
    pub planes: Planes,
    /// The filters of each convolution, or the nodes of each layer.
    pub width: usize,
    /// The residual blocks, or the layers.
    pub depth: usize,
}

/// How the layers follow each other; the three of OpenSpiel (jans2021, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Model {
    /// A convolution and then residual blocks of two convolutions each.
    Resnet,
    /// Convolutions.
    Conv,
    /// Fully connected layers.
    Mlp,
}

/// How a position is shown: three numbers per cell, each 0 or 1 (jans2021, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Planes {
    /// Black's stones, White's, and empty cells. It does not show whose turn it is, and so cannot
    /// tell a won position from a lost one where that is all that matters.
    Jans2021First,
    /// Stones of the side to move, the opponent's, and all ones if Black is to move.
    Jans2021Second,
    /// Black's stones, White's, and all ones if Black is to move: as the second of jans2021, but the
    /// colours are not inverted when White moves.
    ByColor,
    /// Stones of the side to move, the opponent's, and all ones: beyond the edge there are zeros, so
    /// that the edge can be seen whatever the size.
    Free,
}

impl Design {
    /// Whether there is such a network.
    ///
    /// # Errors
    /// If large networks do not play the game, if only another model or other planes fit every size,
    /// or if it would be too large.
    pub fn check(&self) -> Result<(), DesignError> {
        let refuse = |reason: String| Err(DesignError(reason));
        if !matches!(
            self.game,
            Variant::Clobber | Variant::Cannibal | Variant::Othello(_)
        ) {
            return refuse(format!(
                "large networks play clobber, clobber:cannibal and othello, not {}",
                self.game
            ));
        }
        match self.board {
            Some(grid) if grid.holes() != 0 => {
                return refuse("the board of a network is a size without holes".to_owned());
            }
            None if self.model == Model::Mlp => {
                return refuse(format!(
                    "the model {} needs a board; resnet and conv2d play every size",
                    self.model
                ));
            }
            None if self.planes != Planes::Free => {
                return refuse(format!(
                    "the planes {} need a board; the planes {} show every size",
                    self.planes,
                    Planes::Free
                ));
            }
            _ => {}
        }
        if !(1..=MOST_WIDTH).contains(&self.width) {
            return refuse(format!(
                "a network is 1 to {MOST_WIDTH} wide, not {}",
                self.width
            ));
        }
        if !(1..=MOST_DEPTH).contains(&self.depth) {
            return refuse(format!(
                "a network is 1 to {MOST_DEPTH} deep, not {}",
                self.depth
            ));
        }
        let numbers = Anatomy::new(self).len();
        if numbers > MOST_NUMBERS {
            return refuse(format!(
                "a network of width {} and depth {} has {numbers} numbers, more than {MOST_NUMBERS}",
                self.width, self.depth
            ));
        }
        Ok(())
    }

    /// How many actions there are on this board: four directions per cell in Clobber, one placement
    /// per cell in Othello.
    #[must_use]
    pub fn actions(&self, grid: &Grid) -> usize {
        grid.len() * self.actions_per_cell()
    }

    /// The directions in which a stone of a cell may go, or the ways to place one there.
    #[must_use]
    pub fn actions_per_cell(&self) -> usize {
        match self.game {
            Variant::Othello(_) | Variant::Reversi => 1,
            _ => 4,
        }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            game,
            model,
            planes,
            width,
            depth,
            ..
        } = self;
        write!(f, "a {model} for {game} on ")?;
        match &self.board {
            Some(grid) => write!(f, "{grid}")?,
            None => f.write_str("every board")?,
        }
        write!(
            f,
            ", {width} wide and {depth} deep, with the planes {planes}"
        )
    }
}

/// A design as it stands in files.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    model: Model,
    planes: Planes,
    width: usize,
    depth: usize,
}

impl From<Design> for Written {
    fn from(design: Design) -> Self {
        Self {
            game: design.game.to_string(),
            board: design.board.map(|grid| grid.to_string()),
            model: design.model,
            planes: design.planes,
            width: design.width,
            depth: design.depth,
        }
    }
}

impl TryFrom<Written> for Design {
    type Error = DesignError;

    fn try_from(written: Written) -> Result<Self, DesignError> {
        fn wrong(error: impl fmt::Display) -> DesignError {
            DesignError(error.to_string())
        }
        let board = written.board.map(|board| board.parse::<Grid>());
        let design = Self {
            game: written.game.parse().map_err(wrong)?,
            board: board.transpose().map_err(wrong)?,
            model: written.model,
            planes: written.planes,
            width: written.width,
            depth: written.depth,
        };
        design.check()?;
        Ok(design)
    }
}

/// Why there is no such network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DesignError(String);

/// Text for an enum whose members have names.
macro_rules! named {
    ($name:ident, $what:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                let named = Self::ALL.into_iter().find(|one| one.name() == text);
                named.ok_or_else(|| NameError {
                    text: excerpt(text),
                    what: $what,
                    names: Self::ALL.map(Self::name).join(", "),
                })
            }
        }

        impl From<$name> for String {
            fn from(one: $name) -> Self {
                one.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                text.parse()
            }
        }
    };
}

impl Model {
    /// All models.
    pub const ALL: [Self; 3] = [Self::Resnet, Self::Conv, Self::Mlp];

    fn name(self) -> &'static str {
        match self {
            Self::Resnet => "resnet",
            Self::Conv => "conv2d",
            Self::Mlp => "mlp",
        }
    }
}

impl Planes {
    /// All kinds of planes.
    pub const ALL: [Self; 4] = [
        Self::Jans2021First,
        Self::Jans2021Second,
        Self::ByColor,
        Self::Free,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Jans2021First => "jans2021-first",
            Self::Jans2021Second => "jans2021-second",
            Self::ByColor => "by-color",
            Self::Free => "free",
        }
    }
}

named!(Model, "model");
named!(Planes, "kind of planes");

/// A text that names no model or no planes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {what}; there are {names}")]
pub struct NameError {
    text: String,
    what: &'static str,
    names: String,
}
