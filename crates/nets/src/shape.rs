//! What a network is made for and made of: game, board, encoder, layers, activations; and the
//! weights it begins with.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use upstar_games::{Grid, Random, Variant, excerpt};

use crate::activation::Activation;
use crate::encoder::Encoder;

/// The most nodes that a hidden layer may have.
pub const MOST_NODES: usize = 4096;
/// The most hidden layers.
pub const MOST_LAYERS: usize = 8;

/// All that makes a network what it is, but for its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Shape {
    /// The game whose positions it judges.
    pub game: Variant,
    /// The board.
    pub grid: Grid,
    /// How it sees a position.
    pub encoder: Encoder,
    /// The filters of each convolutional layer; these come first.
    pub convolutions: Vec<usize>,
    /// The nodes of each fully connected hidden layer, bias nodes not counted.
    pub hidden: Vec<usize>,
    /// The activation of hidden nodes.
    pub activation: Activation,
    /// The activation of the output.
    pub output: Activation,
}

impl Shape {
    /// A shape whose layers are within the limits.
    ///
    /// # Errors
    /// If there is no hidden layer, or there are too many, or too many nodes in one.
    pub fn checked(self) -> Result<Self, ShapeError> {
        self.check_convolutions()?;
        let layers = self.convolutions.len() + self.hidden.len();
        if self.hidden.is_empty() || layers > MOST_LAYERS {
            return Err(ShapeError(format!(
                "a network has 1 to {MOST_LAYERS} hidden layers, not {layers}{}",
                if self.hidden.is_empty() && layers > 0 {
                    " without one that is fully connected"
                } else {
                    ""
                }
            )));
        }
        match self
            .hidden
            .iter()
            .find(|&&nodes| !(1..=MOST_NODES).contains(&nodes))
        {
            Some(nodes) => Err(ShapeError(format!(
                "a hidden layer has 1 to {MOST_NODES} nodes, not {nodes}"
            ))),
            None => Ok(self),
        }
    }

    /// Whether there can be such convolutional layers.
    ///
    /// # Errors
    /// If a layer has no filter or too many nodes, or the encoder shows no planes of cells.
    pub fn check_convolutions(&self) -> Result<(), ShapeError> {
        if self.convolutions.is_empty() {
            return Ok(());
        }
        if !self.encoder.sees_planes() {
            return Err(ShapeError(format!(
                "{} shows no planes of cells, which convolutions need; leiden2018, etoeharnowo2017 and planes do",
                self.encoder
            )));
        }
        let most = MOST_NODES / self.grid.len();
        let filters = self.convolutions.iter();
        match filters
            .into_iter()
            .find(|&filters| !(1..=most).contains(filters))
        {
            Some(filters) => Err(ShapeError(format!(
                "a convolutional layer has 1 to {most} filters on {}, not {filters}",
                self.grid
            ))),
            None => Ok(()),
        }
    }

    /// The nodes of each hidden layer, convolutional ones first.
    pub fn widths(&self) -> impl Iterator<Item = usize> {
        let cells = self.grid.len();
        let convolutions = self.convolutions.iter().map(move |filters| filters * cells);
        convolutions.chain(self.hidden.iter().copied())
    }

    /// The number of inputs, the bias node not counted.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.encoder.inputs(&self.grid)
    }
}

/// A shape as it stands in files.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    game: String,
    board: String,
    encoder: Encoder,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    convolutions: Vec<usize>,
    hidden: Vec<usize>,
    activation: Activation,
    output: Activation,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "for {} {} by {} with ",
            self.game, self.grid, self.encoder
        )?;
        write!(f, "{}", self.inputs())?;
        for filters in &self.convolutions {
            write!(f, "-{filters}@3x3")?;
        }
        for nodes in &self.hidden {
            write!(f, "-{nodes}")?;
        }
        write!(f, "-1, {} and {}", self.activation, self.output)
    }
}

impl From<Shape> for Written {
    fn from(shape: Shape) -> Self {
        Self {
            game: shape.game.to_string(),
            board: shape.grid.to_string(),
            encoder: shape.encoder,
            convolutions: shape.convolutions,
            hidden: shape.hidden,
            activation: shape.activation,
            output: shape.output,
        }
    }
}

impl TryFrom<Written> for Shape {
    type Error = ShapeError;

    fn try_from(written: Written) -> Result<Self, ShapeError> {
        let shape = Self {
            game: written
                .game
                .parse()
                .map_err(|error| ShapeError(format!("{error}")))?,
            grid: written
                .board
                .parse()
                .map_err(|error| ShapeError(format!("{error}")))?,
            encoder: written.encoder,
            convolutions: written.convolutions,
            hidden: written.hidden,
            activation: written.activation,
            output: written.output,
        };
        shape.checked()
    }
}

/// Why there is no such network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShapeError(String);

/// The weights that a network begins with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Initial {
    /// Each equally likely between two numbers; those of bias nodes too, unless they have a number
    /// of their own. leiden2018 has `uniform:0,1,0.1`.
    Uniform {
        /// The lowest weight.
        low: f32,
        /// No weight is above.
        high: f32,
        /// The weight of bias nodes.
        bias: Option<f32>,
    },
    /// Between ±√(6 / inputs), and 0 for bias nodes (He et al., 2015): sums keep their size from
    /// layer to layer.
    Scaled,
}

impl Initial {
    /// The weights of leiden2018, section 5.3.
    pub const LEIDEN2018: Self = Self::Uniform {
        low: 0.0,
        high: 1.0,
        bias: Some(0.1),
    };

    pub(crate) fn draw(self, inputs: usize, bias: bool, random: &mut Random) -> f32 {
        let mut between = |low: f32, high: f32| low + (high - low) * random.unit() as f32;
        match self {
            Self::Uniform {
                bias: Some(weight), ..
            } if bias => weight,
            Self::Uniform { low, high, .. } => between(low, high),
            Self::Scaled if bias => 0.0,
            Self::Scaled => {
                let bound = (6.0 / inputs as f32).sqrt();
                between(-bound, bound)
            }
        }
    }
}

impl fmt::Display for Initial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scaled => write!(f, "scaled"),
            Self::Uniform { low, high, bias } => {
                write!(f, "uniform:{low},{high}")?;
                bias.map_or(Ok(()), |bias| write!(f, ",{bias}"))
            }
        }
    }
}

impl FromStr for Initial {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let wrong = || {
            ShapeError(format!(
                "'{}' are no initial weights; there are scaled, uniform:LOW,HIGH and uniform:LOW,HIGH,BIAS",
                excerpt(text)
            ))
        };
        if text == "scaled" {
            return Ok(Self::Scaled);
        }
        let numbers = text.strip_prefix("uniform:").ok_or_else(wrong)?;
        let numbers: Option<Vec<f32>> = numbers
            .split(',')
            .map(|number| {
                number
                    .parse()
                    .ok()
                    .filter(|number: &f32| number.abs() <= 1e6)
            })
            .collect();
        match numbers.as_deref() {
            Some(&[low, high]) if low <= high => Ok(Self::Uniform {
                low,
                high,
                bias: None,
            }),
            Some(&[low, high, bias]) if low <= high => Ok(Self::Uniform {
                low,
                high,
                bias: Some(bias),
            }),
            _ => Err(wrong()),
        }
    }
}

impl From<Initial> for String {
    fn from(initial: Initial) -> Self {
        initial.to_string()
    }
}

impl TryFrom<String> for Initial {
    type Error = ShapeError;

    fn try_from(text: String) -> Result<Self, ShapeError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_weights_are_read_again() {
        for text in ["scaled", "uniform:0,1,0.1", "uniform:-0.5,0.5"] {
            assert_eq!(text.parse::<Initial>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "uniform",
            "uniform:1",
            "uniform:1,0",
            "uniform:0,nan",
            "uniform:0,1,2,3",
        ] {
            assert!(wrong.parse::<Initial>().is_err(), "{wrong}");
        }
        assert_eq!("uniform:0,1,0.1".parse(), Ok(Initial::LEIDEN2018));
    }
}
