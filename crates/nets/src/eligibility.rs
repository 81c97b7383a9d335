//! Eligibility traces: which weights had a part in what was said lately (Sutton, 1988).

use upstar_machine::{Isa, Kernel, Machine};

use crate::lanes::{Aligned, add_scaled};
use crate::network::{Network, Trace};

/// A fading sum of gradients of the output.
#[derive(Clone, Debug)]
pub struct Eligibility {
    sum: Aligned,
}

impl Eligibility {
    /// For networks of this one's shape.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        Self {
            sum: Aligned::zeros(network.weights.len()),
        }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        self.sum.fill(0.0);
    }

    /// Fades by the factor `lambda`, and adds the gradient of what `forward` left in the trace.
    /// Returns whether there was one.
    pub fn add(&mut self, network: &mut Network, trace: &mut Trace, lambda: f32) -> bool {
        for number in &mut *self.sum {
            *number *= lambda;
        }
        let slope = network.output_slope(trace);
        if slope == 0.0 || !slope.is_finite() {
            return false;
        }
        network.add_gradient(trace, slope, &mut self.sum);
        true
    }

    /// Changes the weights by `step` times the sum.
    pub fn apply(&self, network: &mut Network, step: f32) {
        if step.is_finite() {
            Isa::best().run(Apply(&self.sum, network, step));
        }
    }
}

struct Apply<'a>(&'a Aligned, &'a mut Network, f32);

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self(sum, network, step) = self;
        if network.layout().has_ties() {
            let mut tied = sum.clone();
            network.layout().tie(&mut tied);
            return add_scaled(&mut network.weights, step, &tied);
        }
        add_scaled(&mut network.weights, step, sum);
    }
}
