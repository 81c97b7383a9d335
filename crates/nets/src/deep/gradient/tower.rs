//! All layers but the heads, forward and back, for one part of a batch.

use rayon::prelude::*;
use upstar_games::Grid;
use upstar_machine::Machine;

use super::field::{Affine, Outer, Walk, back, finish, mask, sum_up};
use super::heads::Both;
use super::rows::{Link, Rows, Slopes, mask as mask_rows};
use crate::deep::anatomy::INPUT_PLANES;
use crate::deep::conv::{Folded, Layer, Method, Padded};
use crate::deep::design::{Model, Planes};
use crate::deep::network::DeepNetwork;
use crate::deep::observation::Observation;
use crate::deep::stem::Stem;
use crate::deep::tile::{Lane, blocks, lanes, lanes_mut};
use crate::lanes::{Aligned, LANES};

/// The convolutions with their weights.
#[derive(Debug)]
pub(super) struct Convs {
    stem: Stem,
    /// All but the first, for both ways.
    rest: Vec<[Folded; 2]>,
    residual: bool,
}

impl Convs {
    pub(super) fn new(network: &DeepNetwork, grid: &Grid, method: &Method) -> Self {
        let convs = &network.anatomy.convs;
        let (design, first) = (network.design(), &convs[0]);
        let weights = &network.numbers[first.weight.clone()];
        let weight = |output: usize, plane: usize, tap: usize| {
            weights[(output * first.inputs + plane) * TAPS + tap]
        };
        let both = convs[1..].par_iter().map(|conv| {
            let weights = &network.numbers[conv.weight.clone()];
            let weight = |output: usize, input: usize, tap: usize| {
                weights[(output * conv.inputs + input) * TAPS + tap]
            };
            let turned = |input, output, tap| weight(output, input, TAPS - 1 - tap);
            [
                method.plain([conv.inputs, conv.outputs], weight),
                method.plain([conv.outputs, conv.inputs], turned),
            ]
        });
        Self {
            stem: Stem::conv(design.planes, grid, first.outputs, weight, |_| 0.0),
            rest: both.collect(),
            residual: design.model == Model::Resnet,
        }
    }

    pub(super) fn count(&self) -> usize {
        1 + self.rest.len()
    }

    /// Whether a convolution is the second of a block.
    fn closes(&self, index: usize) -> bool {
        self.residual && index > 0 && index.is_multiple_of(2)
    }

    /// Whether a convolution is the first of a block.
    fn opens(&self, index: usize) -> bool {
        self.residual && index % 2 == 1
    }
}

const TAPS: usize = 9;

/// Room for the convolutions.
#[derive(Clone, Debug)]
pub(super) struct ConvRoom {
    padded: Padded,
    walk: Walk,
    boards: usize,
    blocks: usize,
    method: Method,
    /// The planes that show the boards.
    planes: Aligned,
    /// What each convolution gives, before the norm and after ReLU.
    sums: Vec<Aligned>,
    said: Vec<Aligned>,
    /// Of what the present convolution says; behind its norm; and of what went round the block.
    slopes: Aligned,
    inner: Aligned,
    other: Aligned,
}

impl ConvRoom {
    pub(super) fn new(network: &DeepNetwork, grid: &Grid, boards: usize, method: &Method) -> Self {
        let padded = Padded::new(grid, boards);
        let blocks = blocks(network.design().width);
        let field = Aligned::zeros(padded.block * blocks * LANES);
        let fields = vec![field.clone(); network.anatomy.convs.len()];
        Self {
            padded,
            walk: Walk::padded(grid, padded, boards),
            boards,
            blocks,
            method: method.clone(),
            planes: Aligned::zeros(padded.block * LANES),
            sums: fields.clone(),
            said: fields,
            slopes: field.clone(),
            inner: field.clone(),
            other: field,
        }
    }

    /// As far as the norm of a convolution.
    #[inline(always)]
    pub(super) fn forward<M: Machine>(
        &mut self,
        convs: &Convs,
        index: usize,
        norms: &[Vec<Affine>],
        observations: &[Observation],
        totals: &mut [[Lane; 2]],
    ) {
        let sums = lanes_mut(&mut self.sums[index]);
        if index == 0 {
            let mut stem = convs.stem.clone();
            stem.convolve::<M>(self.padded, observations, sums, f32::MIN);
        } else {
            self.finish::<M>(convs, index - 1, norms);
            let layer = Layer {
                padded: self.padded,
                boards: self.boards,
                blocks: self.blocks,
                inputs: lanes(&self.said[index - 1]),
                outputs: lanes_mut(&mut self.sums[index]),
                bias: &[],
                residual: false,
                floor: f32::MIN,
            };
            self.method.convolve::<M>(&convs.rest[index - 1][0], layer);
        }
        sum_up::<M>(self.walk, lanes(&self.sums[index]), totals);
    }

    /// The norm of a convolution, and what follows.
    #[inline(always)]
    pub(super) fn finish<M: Machine>(
        &mut self,
        convs: &Convs,
        index: usize,
        norms: &[Vec<Affine>],
    ) {
        let sums = lanes(&self.sums[index]);
        let (before, said) = self.said.split_at_mut(index);
        let shortcut = convs.closes(index).then(|| lanes(&before[index - 2]));
        let said = lanes_mut(&mut said[0]);
        finish::<M>(self.walk, &norms[index], sums, shortcut, said);
    }

    /// What the last convolution says, a row per cell.
    #[inline(always)]
    pub(super) fn say(&self, rows: &mut Rows) {
        let said = lanes(self.said.last().expect("a convolution"));
        let (cols, stride) = (self.walk.cols, rows.walk.block);
        for block in 0..self.blocks {
            for (run, start) in self.walk.starts(block).enumerate() {
                let row = block * stride + run * cols;
                rows.lanes_mut()[row..][..cols].copy_from_slice(&said[start..][..cols]);
            }
        }
    }

    /// Takes the slopes of what the last convolution said: the sums of two.
    #[inline(always)]
    pub(super) fn hear<M: Machine>(&mut self, [rows, others]: [&Rows; 2]) {
        let slopes = lanes_mut(&mut self.slopes);
        let (cols, stride) = (self.walk.cols, rows.walk.block);
        for block in 0..self.blocks {
            for (run, start) in self.walk.starts(block).enumerate() {
                let row = block * stride + run * cols;
                let (rows, others) = (&rows.lanes()[row..], &others.lanes()[row..]);
                for (cell, slope) in slopes[start..][..cols].iter_mut().enumerate() {
                    let sum = M::add(M::load(&rows[cell]), M::load(&others[cell]));
                    M::store(sum, slope);
                }
            }
        }
    }

    /// Back to the norm of a convolution.
    #[inline(always)]
    pub(super) fn back_to_norm<M: Machine>(&mut self, index: usize, totals: &mut [[Lane; 2]]) {
        let (said, sums) = (lanes(&self.said[index]), lanes(&self.sums[index]));
        mask::<M>(self.walk, said, sums, lanes_mut(&mut self.slopes), totals);
    }

    /// Back from the norm of a convolution to what it was given.
    #[inline(always)]
    pub(super) fn back<M: Machine>(
        &mut self,
        convs: &Convs,
        index: usize,
        norm: &[Affine],
        found: &mut Slopes,
    ) {
        let inner = lanes_mut(&mut self.inner);
        let (sums, slopes) = (lanes(&self.sums[index]), lanes(&self.slopes));
        back::<M>(self.walk, norm, sums, slopes, inner);
        let (inputs, input_blocks) = match index {
            0 => (lanes(&self.planes), 1),
            _ => (lanes(&self.said[index - 1]), self.blocks),
        };
        let row = self.padded.row;
        let outer = Outer {
            walk: self.walk,
            taps: &std::array::from_fn::<_, TAPS, _>(|tap| tap / 3 * row + tap % 3),
            inputs,
            input_blocks,
            slopes: inner,
            output_blocks: self.blocks,
            weights: lanes_mut(&mut found.weights),
        };
        outer.compute::<M>();
        if index == 0 {
            return;
        }
        let layer = Layer {
            padded: self.padded,
            boards: self.boards,
            blocks: self.blocks,
            inputs: inner,
            outputs: lanes_mut(&mut self.other),
            bias: &[],
            residual: convs.opens(index),
            floor: f32::MIN,
        };
        self.method.convolve::<M>(&convs.rest[index - 1][1], layer);
        // What goes round a block waits in the other field until the block is passed.
        std::mem::swap(&mut self.slopes, &mut self.other);
    }

    /// Draws the planes.
    pub(super) fn show(&mut self, grid: &Grid, planes: Planes, observations: &[Observation]) {
        let lanes = lanes_mut(&mut self.planes);
        for (board, observation) in observations.iter().enumerate() {
            for cell in 0..grid.len() {
                let (row, col) = (cell / grid.cols() + 1, cell % grid.cols() + 1);
                let place = board * self.padded.board + row * self.padded.row + col;
                lanes[place][..INPUT_PLANES].copy_from_slice(&observation.numbers(planes, cell));
            }
        }
    }
}

/// Room for fully connected layers.
#[derive(Clone, Debug)]
pub(super) struct LayerRoom {
    planes: Rows,
    nodes: Vec<Both>,
}

impl LayerRoom {
    pub(super) fn new(network: &DeepNetwork, grid: &Grid, boards: usize) -> Self {
        let layers = network.anatomy.layers.iter();
        Self {
            planes: Rows::new(boards, INPUT_PLANES * grid.len()),
            nodes: layers
                .map(|layer| Both::new(boards, layer.outputs))
                .collect(),
        }
    }

    /// What the last layer says.
    #[inline(always)]
    pub(super) fn forward<M: Machine>(&mut self, layers: &[Link], rows: &mut Rows) {
        for (index, layer) in layers.iter().enumerate() {
            let (before, rest) = self.nodes.split_at_mut(index);
            let inputs = before.last().map_or(&self.planes, |it| &it.said);
            layer.forward::<M>(inputs, &mut rest[0].said, true);
        }
        let said = &self.nodes.last().expect("a layer").said;
        rows.lanes_mut().copy_from_slice(said.lanes());
    }

    /// Back from the slopes of what the last layer said.
    #[inline(always)]
    pub(super) fn back<M: Machine>(
        &mut self,
        layers: &[Link],
        [rows, others]: [&Rows; 2],
        found: &mut [Slopes],
    ) {
        let last = &mut self.nodes.last_mut().expect("a layer").slopes;
        let sums = rows.lanes().iter().zip(others.lanes());
        for (slope, (row, other)) in last.lanes_mut().iter_mut().zip(sums) {
            M::store(M::add(M::load(row), M::load(other)), slope);
        }
        for (index, layer) in layers.iter().enumerate().rev() {
            let (before, rest) = self.nodes.split_at_mut(index);
            let Both { said, slopes } = &mut rest[0];
            mask_rows::<M>(said, slopes);
            let (inputs, input_slopes) = match before.last_mut() {
                Some(Both { said, slopes }) => (&*said, Some(slopes)),
                None => (&self.planes, None),
            };
            layer.back::<M>(inputs, slopes, input_slopes, found);
        }
    }

    /// Draws the planes.
    pub(super) fn show(&mut self, grid: &Grid, planes: Planes, observations: &[Observation]) {
        for (board, observation) in observations.iter().enumerate() {
            for cell in 0..grid.len() {
                for (plane, number) in observation.numbers(planes, cell).into_iter().enumerate() {
                    *self.planes.at_mut(board, plane * grid.len() + cell) = number;
                }
            }
        }
    }
}
