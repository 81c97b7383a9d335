//! What a node makes of the sum of its inputs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use upstar_games::excerpt;

/// A function from a node's sum to its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Activation {
    /// The sum, or 0 if that is below.
    Relu,
    /// The sum, or a share of it below 0.
    LeakyRelu {
        /// The slope below 0.
        leak: f32,
    },
    /// 1 / (1 + exp(−beta · sum)).
    Sigmoid {
        /// How steep it is.
        beta: f32,
    },
    /// The hyperbolic tangent.
    Tanh,
    /// The sum itself.
    Linear,
}

impl Activation {
    /// The leaky rectifier of leiden2018, section 4.4.
    pub const LEAKY_RELU: Self = Self::LeakyRelu { leak: 0.01 };

    /// The node's value.
    #[inline(always)]
    #[must_use]
    pub fn value(self, sum: f32) -> f32 {
        match self {
            Self::Relu => relu(sum, 0.0),
            Self::LeakyRelu { leak } => relu(sum, leak),
            Self::Sigmoid { beta } => sigmoid(beta * sum),
            Self::Tanh => tanh(sum),
            Self::Linear => sum,
        }
    }

    /// How fast the value grows with the sum. At the kink of a rectifier the slope below it counts.
    #[inline(always)]
    #[must_use]
    pub fn slope(self, sum: f32, value: f32) -> f32 {
        match self {
            Self::Relu => f32::from(u8::from(sum > 0.0)),
            Self::LeakyRelu { leak } => {
                if sum > 0.0 {
                    1.0
                } else {
                    leak
                }
            }
            Self::Sigmoid { beta } => beta * value * (1.0 - value),
            Self::Tanh => 1.0 - value * value,
            Self::Linear => 1.0,
        }
    }

    /// The slope below 0 of a rectifier; `None` for other functions.
    #[must_use]
    pub fn leak(self) -> Option<f32> {
        match self {
            Self::Relu => Some(0.0),
            Self::LeakyRelu { leak } => Some(leak),
            _ => None,
        }
    }

    /// The values of a row of sums.
    #[inline(always)]
    pub(crate) fn values(self, sums: &[f32], values: &mut [f32]) {
        let pairs = values.iter_mut().zip(sums);
        match self {
            Self::Relu => pairs.for_each(|(value, &sum)| *value = relu(sum, 0.0)),
            Self::LeakyRelu { leak } => pairs.for_each(|(value, &sum)| *value = relu(sum, leak)),
            Self::Sigmoid { beta } => pairs.for_each(|(value, &sum)| *value = sigmoid(beta * sum)),
            Self::Tanh => pairs.for_each(|(value, &sum)| *value = tanh(sum)),
            Self::Linear => pairs.for_each(|(value, &sum)| *value = sum),
        }
    }

    /// Multiplies a row of numbers by the slopes at these sums and values.
    #[inline(always)]
    pub(crate) fn times_slopes(self, numbers: &mut [f32], sums: &[f32], values: &[f32]) {
        let of_sums = numbers.iter_mut().zip(sums);
        match self {
            Self::Relu => of_sums.for_each(|(x, &sum)| *x *= Self::Relu.slope(sum, 0.0)),
            Self::LeakyRelu { .. } => of_sums.for_each(|(x, &sum)| *x *= self.slope(sum, 0.0)),
            Self::Sigmoid { .. } | Self::Tanh => {
                for (x, &value) in numbers.iter_mut().zip(values) {
                    *x *= self.slope(0.0, value);
                }
            }
            Self::Linear => {}
        }
    }
}

#[inline(always)]
fn relu(sum: f32, leak: f32) -> f32 {
    if sum > 0.0 { sum } else { leak * sum }
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    2.0 / (1.0 + exp(-2.0 * x)) - 1.0
}

/// The exponential function to about 1e-7, from plain operations: the same on every machine, and
/// the compiler can turn it into vectors.
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts, the first with few bits, so that its product with a small integer is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding and subtracting 1.5 · 2²³ rounds to the nearest integer.
    const ROUND: f32 = 12_582_912.0;
    let x = if x > 87.0 { 87.0 } else { x };
    let x = if x < -87.0 { -87.0 } else { x };
    let rounded = x * LOG2_E + ROUND;
    let power = rounded - ROUND;
    let rest = (x - power * LN2_HIGH) - power * LN2_LOW;
    let mut sum = 1.0 / 5040.0;
    for factor in [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        sum = sum * rest + factor;
    }
    // The integer stands in the last bits of `rounded`; a conversion would be done one by one.
    let exponent = rounded.to_bits().wrapping_sub(ROUND.to_bits() - 127);
    sum * f32::from_bits(exponent << 23)
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Relu => write!(f, "relu"),
            Self::LEAKY_RELU => write!(f, "leaky-relu"),
            Self::LeakyRelu { leak } => write!(f, "leaky-relu:{leak}"),
            Self::Sigmoid { beta } => write!(f, "sigmoid:{beta}"),
            Self::Tanh => write!(f, "tanh"),
            Self::Linear => write!(f, "linear"),
        }
    }
}

impl FromStr for Activation {
    type Err = ActivationError;

    /// `relu`, `leaky-relu`, `leaky-relu:0.2` (its slope below 0), `sigmoid`, `sigmoid:2` (its slope), `tanh` or
    /// `linear`.
    fn from_str(text: &str) -> Result<Self, ActivationError> {
        let wrong = || ActivationError(excerpt(text));
        let parameter = |text: &str, [least, most]: [f32; 2]| {
            let number: f32 = text.parse().map_err(|_| wrong())?;
            let fits = (least..=most).contains(&number);
            fits.then_some(number).ok_or_else(wrong)
        };
        if let Some(beta) = text.strip_prefix("sigmoid:") {
            let beta = parameter(beta, [1e-3, 1e3])?;
            return Ok(Self::Sigmoid { beta });
        }
        if let Some(leak) = text.strip_prefix("leaky-relu:") {
            let leak = parameter(leak, [1e-6, 0.99])?;
            return Ok(Self::LeakyRelu { leak });
        }
        match text {
            "relu" => Ok(Self::Relu),
            "leaky-relu" => Ok(Self::LEAKY_RELU),
            "sigmoid" => Ok(Self::Sigmoid { beta: 1.0 }),
            "tanh" => Ok(Self::Tanh),
            "linear" => Ok(Self::Linear),
            _ => Err(wrong()),
        }
    }
}

impl From<Activation> for String {
    fn from(activation: Activation) -> Self {
        activation.to_string()
    }
}

impl TryFrom<String> for Activation {
    type Error = ActivationError;

    fn try_from(text: String) -> Result<Self, ActivationError> {
        text.parse()
    }
}

/// A text that names no activation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not an activation; there are relu, leaky-relu, leaky-relu:LEAK with a slope below 0 of up to 0.99, tanh, linear, sigmoid, and sigmoid:BETA with a slope from 0.001 to 1000"
)]
pub struct ActivationError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_is_close() {
        for step in -8700..=8700 {
            let x = step as f32 / 100.0;
            let (ours, theirs) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours / theirs - 1.0).abs() < 3e-7, "{x}");
        }
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite());
    }

    #[test]
    fn slopes_are_derivatives() {
        let all = [
            "relu",
            "leaky-relu",
            "leaky-relu:0.3",
            "sigmoid",
            "sigmoid:2",
            "tanh",
            "linear",
        ];
        for name in all {
            let activation: Activation = name.parse().unwrap();
            for sum in [-2.0, -0.3, 0.4, 1.5] {
                let [low, value, high] = [sum - 1e-2, sum, sum + 1e-2].map(|x| activation.value(x));
                let slope = activation.slope(sum, value);
                assert!(
                    (slope - (high - low) / 2e-2).abs() < 1e-3,
                    "{name} at {sum}"
                );
                let (mut numbers, mut values) = ([1.0; 20], [0.0; 20]);
                activation.times_slopes(&mut numbers, &[sum; 20], &[value; 20]);
                activation.values(&[sum; 20], &mut values);
                assert_eq!((numbers, values), ([slope; 20], [value; 20]));
            }
        }
    }

    #[test]
    fn names_are_read_again() {
        let all = [
            "relu",
            "leaky-relu",
            "leaky-relu:0.2",
            "sigmoid:0.5",
            "tanh",
            "linear",
        ];
        for name in all {
            assert_eq!(name.parse::<Activation>().unwrap().to_string(), name);
        }
        for wrong in [
            "",
            "Relu",
            "sigmoid:",
            "sigmoid:x",
            "sigmoid:nan",
            "sigmoid:-1",
            "leaky-relu:",
            "leaky-relu:0",
            "leaky-relu:1",
            "leaky-relu:nan",
        ] {
            assert!(wrong.parse::<Activation>().is_err(), "{wrong}");
        }
    }
}
