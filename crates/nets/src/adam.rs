//! Learning in small batches with Adam (Kingma and Ba, 2015).

use std::ops::Range;

use serde::{Deserialize, Serialize};
use upstar_machine::{Isa, Kernel, Machine};

use crate::lanes::Aligned;
use crate::network::{Network, Trace};

/// Collects the gradients of a batch and makes steps with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The size of a step.
    pub rate: f32,
    /// What is made small.
    pub objective: Objective,
    /// For sparse encoders: inputs with a gradient in this batch, some of them several times.
    touched: Vec<u32>,
    gradient: Aligned,
    mean: Aligned,
    square: Aligned,
    examples: u32,
    steps: u32,
}

/// How far an output is from its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// Half the square of the difference.
    #[default]
    Squared,
    /// The cross-entropy of two chances; for outputs that are bounded, sigmoid and tanh. What is wrong
    /// is learned as fast where the output hardly moves any more.
    CrossEntropy,
}

pub(crate) const MEAN_DECAY: f32 = 0.9;
pub(crate) const SQUARE_DECAY: f32 = 0.999;
pub(crate) const SMALLEST: f32 = 1e-8;

impl Adam {
    /// For networks of this one's shape.
    #[must_use]
    pub fn new(network: &Network, rate: f32) -> Self {
        let zeros = Aligned::zeros(network.weights.len());
        Self {
            rate,
            objective: Objective::default(),
            touched: Vec::new(),
            gradient: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            examples: 0,
            steps: 0,
        }
    }

    /// Adds an example to the batch: the error between target and what `forward` left in the trace.
    /// Returns whether there was a gradient.
    pub fn add(&mut self, network: &mut Network, trace: &mut Trace, target: f32) -> bool {
        let difference = target - trace.output();
        let delta = match self.objective {
            Objective::Squared => difference * network.output_slope(trace),
            Objective::CrossEntropy => difference,
        };
        self.examples += 1;
        if delta == 0.0 || !delta.is_finite() {
            return false;
        }
        self.touched.extend(&trace.rows);
        network.add_gradient(trace, delta, &mut self.gradient);
        true
    }

    /// How many examples wait for a step.
    #[must_use]
    pub fn examples(&self) -> u32 {
        self.examples
    }

    /// Makes a step with the mean gradient of the batch, and begins the next one.
    pub fn step(&mut self, network: &mut Network) {
        if self.examples > 0 {
            self.steps += 1;
            Isa::best().run(Step(self, network));
            self.examples = 0;
        }
    }

    /// All that the next step depends on, as numbers; between batches.
    #[must_use]
    pub fn state(&self) -> Vec<f32> {
        let steps = f32::from_bits(self.steps);
        let moments = self.mean.iter().chain(&*self.square).copied();
        std::iter::once(steps).chain(moments).collect()
    }

    /// Takes up what [`Self::state`] returned; `None` if it is of another size.
    #[must_use]
    pub fn with_state(mut self, state: &[f32]) -> Option<Self> {
        let (steps, moments) = state.split_first()?;
        let (mean, square) = moments.split_at_checked(self.mean.len())?;
        if square.len() != self.square.len() {
            return None;
        }
        self.steps = steps.to_bits();
        self.mean.copy_from_slice(mean);
        self.square.copy_from_slice(square);
        Some(self)
    }
}

struct Step<'a>(&'a mut Adam, &'a mut Network);

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self(adam, network) = self;
        network.layout().tie(&mut adam.gradient);
        let share = 1.0 / adam.examples as f32;
        let power = u64::from(adam.steps.min(100_000));
        let mean_scale = 1.0 / (1.0 - power_of(MEAN_DECAY, power));
        let square_scale = 1.0 / (1.0 - power_of(SQUARE_DECAY, power));
        let step = Rates {
            rate: adam.rate,
            share,
            mean_scale,
            square_scale,
        };
        if network.shape().encoder.is_sparse() {
            // Inputs without a gradient rest: their row stays as it is, and so does what is kept of it.
            adam.touched.sort_unstable();
            adam.touched.dedup();
            let layer = network.layout().layers[0];
            for input in std::mem::take(&mut adam.touched) {
                step.apply(adam, network, layer.row(input as usize));
            }
            let first = layer.row(layer.inputs).start;
            step.apply(adam, network, first..network.weights.len());
        } else {
            step.apply(adam, network, 0..network.weights.len());
        }
    }
}

struct Rates {
    rate: f32,
    share: f32,
    mean_scale: f32,
    square_scale: f32,
}

impl Rates {
    #[inline(always)]
    fn apply(&self, adam: &mut Adam, network: &mut Network, range: Range<usize>) {
        let len = range.len();
        let weights = &mut network.weights[range.clone()][..len];
        let gradient = &mut adam.gradient[range.clone()][..len];
        let mean = &mut adam.mean[range.clone()][..len];
        let square = &mut adam.square[range][..len];
        for i in 0..len {
            let slope = gradient[i] * self.share;
            gradient[i] = 0.0;
            mean[i] = MEAN_DECAY * mean[i] + (1.0 - MEAN_DECAY) * slope;
            square[i] = SQUARE_DECAY * square[i] + (1.0 - SQUARE_DECAY) * slope * slope;
            let size = (square[i] * self.square_scale).sqrt() + SMALLEST;
            weights[i] += self.rate * (mean[i] * self.mean_scale) / size;
        }
    }
}

/// By multiplications only, so that it is the same on every machine.
pub(crate) fn power_of(base: f32, exponent: u64) -> f32 {
    let (mut result, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}
