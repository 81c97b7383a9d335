//! Rows of channels, and fully connected layers over them, forward and back.

use std::ops::Range;

use upstar_machine::Machine;

use super::field::{Outer, Walk};
use crate::deep::anatomy::{Conv, Dense};
use crate::deep::dense::Packed;
use crate::deep::network::DeepNetwork;
use crate::deep::tile::{Lane, blocks, lanes, lanes_mut};
use crate::lanes::{Aligned, LANES};

/// Rows of channels, in blocks of sixteen channels.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    numbers: Aligned,
    pub(super) count: usize,
    pub(super) walk: Walk,
}

impl Rows {
    pub(super) fn new(count: usize, channels: usize) -> Self {
        let walk = Walk::rows(count);
        Self {
            numbers: Aligned::zeros(walk.block * blocks(channels) * LANES),
            count,
            walk,
        }
    }

    #[inline(always)]
    pub(super) fn lanes(&self) -> &[Lane] {
        lanes(&self.numbers)
    }

    #[inline(always)]
    pub(super) fn lanes_mut(&mut self) -> &mut [Lane] {
        lanes_mut(&mut self.numbers)
    }

    #[inline(always)]
    fn place(&self, row: usize, channel: usize) -> usize {
        (channel / LANES * self.walk.block + row) * LANES + channel % LANES
    }

    #[inline(always)]
    pub(super) fn at(&self, row: usize, channel: usize) -> f32 {
        self.numbers[self.place(row, channel)]
    }

    #[inline(always)]
    pub(super) fn at_mut(&mut self, row: usize, channel: usize) -> &mut f32 {
        let place = self.place(row, channel);
        &mut self.numbers[place]
    }
}

/// Where the parameters of a layer stand in the network.
#[derive(Clone, Debug)]
pub(super) struct Place {
    weight: Range<usize>,
    /// None where a norm follows.
    bias: Option<Range<usize>>,
    inputs: usize,
    outputs: usize,
    taps: usize,
}

impl Place {
    pub(super) fn of_conv(conv: &Conv) -> Self {
        Self {
            weight: conv.weight.clone(),
            bias: None,
            inputs: conv.inputs,
            outputs: conv.outputs,
            taps: conv.side * conv.side,
        }
    }

    pub(super) fn of_dense(layer: &Dense) -> Self {
        Self {
            weight: layer.weight.clone(),
            bias: Some(layer.bias.clone()),
            inputs: layer.inputs,
            outputs: layer.outputs,
            taps: 1,
        }
    }

    /// Writes slopes, as the kernels leave them, to where the parameters stand.
    pub(super) fn write(&self, slopes: &Slopes, gradient: &mut [f32]) {
        let weights = &mut gradient[self.weight.clone()];
        for output in 0..self.outputs {
            for input in 0..self.inputs {
                for tap in 0..self.taps {
                    let square = output / LANES * blocks(self.inputs) + input / LANES;
                    let lane = (square * self.taps + tap) * LANES + input % LANES;
                    let number = slopes.weights[lane * LANES + output % LANES];
                    let place = match self.bias {
                        None => (output * self.inputs + input) * self.taps + tap,
                        Some(_) => input * self.outputs + output,
                    };
                    weights[place] = number;
                }
            }
        }
        if let Some(bias) = &self.bias {
            gradient[bias.clone()].copy_from_slice(&slopes.bias[..self.outputs]);
        }
    }
}

/// The slopes of a layer's parameters.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    pub(super) weights: Aligned,
    bias: Aligned,
}

impl Slopes {
    pub(super) fn new(place: &Place) -> Self {
        let (inputs, outputs) = (blocks(place.inputs), blocks(place.outputs));
        Self {
            weights: Aligned::zeros(inputs * outputs * place.taps * LANES * LANES),
            bias: Aligned::zeros(outputs * LANES),
        }
    }

    /// Adds others of the same layer.
    pub(super) fn add(&mut self, other: &Self) {
        let rows = [
            (&mut self.weights, &other.weights),
            (&mut self.bias, &other.bias),
        ];
        for (row, other) in rows {
            for (number, other) in row.iter_mut().zip(&**other) {
                *number += other;
            }
        }
    }
}

/// A fully connected layer, or a convolution of one cell, made ready for both ways.
#[derive(Debug)]
pub(super) struct Link {
    /// Which of the layers it is.
    pub(super) layer: usize,
    forward: Packed,
    back: Packed,
}

impl Link {
    pub(super) fn dense(network: &DeepNetwork, layer: &Dense, index: usize) -> Self {
        let weights = &network.numbers[layer.weight.clone()];
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        let back = |output: usize, input: usize| weights[input * outputs + output];
        Self {
            layer: index,
            forward: Packed::of(network, layer),
            back: Packed::new([outputs, inputs], back, |_| 0.0),
        }
    }

    pub(super) fn conv(network: &DeepNetwork, conv: &Conv, index: usize) -> Self {
        let weights = &network.numbers[conv.weight.clone()];
        let (inputs, outputs) = (conv.inputs, conv.outputs);
        let weight = |input: usize, output: usize| weights[output * inputs + input];
        let back = |output, input| weight(input, output);
        Self {
            layer: index,
            forward: Packed::new([inputs, outputs], weight, |_| 0.0),
            back: Packed::new([outputs, inputs], back, |_| 0.0),
        }
    }

    #[inline(always)]
    pub(super) fn forward<M: Machine>(&self, inputs: &Rows, outputs: &mut Rows, relu: bool) {
        let (count, stride) = (inputs.count, outputs.walk.block);
        let from = (inputs.lanes(), inputs.walk.block);
        self.forward
            .apply::<M>(count, from, (outputs.lanes_mut(), stride), relu);
    }

    /// From the slopes of the outputs to those of the parameters and of the inputs.
    #[inline(always)]
    pub(super) fn back<M: Machine>(
        &self,
        inputs: &Rows,
        output_slopes: &Rows,
        input_slopes: Option<&mut Rows>,
        found: &mut [Slopes],
    ) {
        let found = &mut found[self.layer];
        let walk = inputs.walk;
        let outer = Outer {
            walk,
            taps: &[0],
            inputs: inputs.lanes(),
            input_blocks: self.back.outputs(),
            slopes: output_slopes.lanes(),
            output_blocks: self.forward.outputs(),
            weights: lanes_mut(&mut found.weights),
        };
        outer.compute::<M>();
        for (block, bias) in lanes_mut(&mut found.bias).iter_mut().enumerate() {
            let mut sum = M::splat(0.0);
            for lane in &output_slopes.lanes()[block * walk.block..][..inputs.count] {
                sum = M::add(sum, M::load(lane));
            }
            M::store(sum, bias);
        }
        if let Some(input_slopes) = input_slopes {
            let stride = input_slopes.walk.block;
            let from = (output_slopes.lanes(), output_slopes.walk.block);
            let to = (input_slopes.lanes_mut(), stride);
            self.back.apply::<M>(inputs.count, from, to, false);
        }
    }
}

/// Back through ReLU: no slope where nothing was said.
#[inline(always)]
pub(super) fn mask<M: Machine>(said: &Rows, slopes: &mut Rows) {
    let zero = M::splat(0.0);
    for (slope, said) in slopes.lanes_mut().iter_mut().zip(said.lanes()) {
        let masked = M::choose(M::load(said), zero, [M::load(slope), zero]);
        M::store(masked, slope);
    }
}
