//! Fully connected layers, and convolutions of one cell, which are the same for each cell.

use upstar_machine::Machine;

use super::anatomy::Dense;
use super::conv::aligned;
use super::network::DeepNetwork;
use super::tile::{Lane, Product, blocks, lanes, pack, squares};
use crate::lanes::{Aligned, LANES};

/// A layer with its weights as the kernels read them.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    inputs: usize,
    outputs: usize,
    weights: Aligned,
    bias: Aligned,
}

impl Packed {
    /// A layer from so many inputs, padding included, to so many outputs.
    pub(crate) fn new(
        [inputs, outputs]: [usize; 2],
        weight: impl Fn(usize, usize) -> f32,
        bias: impl Fn(usize) -> f32,
    ) -> Self {
        let weight = |input: usize, output: usize| {
            if input < inputs && output < outputs {
                weight(input, output)
            } else {
                0.0
            }
        };
        Self {
            inputs: blocks(inputs),
            outputs: blocks(outputs),
            weights: pack([blocks(inputs), blocks(outputs)], weight),
            bias: aligned(outputs, bias),
        }
    }

    /// A layer of a network as it is.
    pub(crate) fn of(network: &DeepNetwork, layer: &Dense) -> Self {
        let weights = &network.numbers[layer.weight.clone()];
        let biases = &network.numbers[layer.bias.clone()];
        Self::new(
            [layer.inputs, layer.outputs],
            |input, output| weights[input * layer.outputs + output],
            |output| biases[output],
        )
    }

    /// How many blocks of channels go out.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Computes it for so many rows, with ReLU or without; blocks of rows are `strides` apart.
    #[inline(always)]
    pub(crate) fn apply<M: Machine>(
        &self,
        rows: usize,
        (inputs, input_stride): (&[Lane], usize),
        (outputs, output_stride): (&mut [Lane], usize),
        relu: bool,
    ) {
        let product = Product {
            inputs,
            input_stride,
            input_blocks: self.inputs,
            weights: squares(&self.weights),
            outputs,
            output_stride,
            rows,
        };
        product.compute::<M>();
        let floor = M::splat(if relu { 0.0 } else { f32::MIN });
        for block in 0..self.outputs {
            let bias = M::load(&lanes(&self.bias)[block]);
            for place in &mut outputs[block * output_stride..][..rows] {
                M::store(M::max(M::add(M::load(place), bias), floor), place);
            }
        }
    }

    /// The first output of a row whose blocks are `stride` lanes apart.
    pub(crate) fn first(&self, inputs: &[Lane], stride: usize) -> f32 {
        let mut sum = self.bias[0];
        for block in 0..self.inputs {
            let lane = &inputs[block * stride];
            for (k, number) in lane.iter().enumerate() {
                sum += number * self.weights[(block * LANES + k) * LANES];
            }
        }
        sum
    }
}
