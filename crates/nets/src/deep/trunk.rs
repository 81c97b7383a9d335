//! All layers of a network but the heads.

use upstar_games::Grid;
use upstar_machine::Machine;

use super::conv::{Folded, Layer, Method, Padded};
use super::dense::Packed;
use super::design::Model;
use super::network::DeepNetwork;
use super::observation::Observation;
use super::stem::Stem;
use super::tile::{Lane, blocks, lanes, lanes_mut};
use crate::lanes::{Aligned, LANES};

/// The layers, and room for several boards.
#[derive(Clone, Debug)]
pub(crate) struct Trunk {
    blocks: usize,
    stem: Stem,
    tower: Tower,
    /// What it says: a row per cell, or per board if it is fully connected.
    said: Aligned,
    /// From one block of rows to the next.
    stride: usize,
}

#[derive(Clone, Debug)]
enum Tower {
    Convs {
        method: Box<Method>,
        convs: Vec<Folded>,
        residual: bool,
        rows: usize,
        cols: usize,
        padded: Padded,
        first: Aligned,
        second: Aligned,
    },
    Layers {
        layers: Vec<Packed>,
        other: Aligned,
    },
}

impl Trunk {
    pub(crate) fn new(network: &DeepNetwork, grid: &Grid, boards: usize, direct: bool) -> Self {
        let (design, anatomy) = (network.design(), &network.anatomy);
        let blocks = blocks(design.width);
        if let [first, rest @ ..] = anatomy.layers.as_slice() {
            let weights = &network.numbers[first.weight.clone()];
            let biases = &network.numbers[first.bias.clone()];
            let weight = |output: usize, plane: usize, cell: usize| {
                weights[(plane * grid.len() + cell) * first.outputs + output]
            };
            let room = Aligned::zeros(boards * blocks * LANES);
            return Self {
                blocks,
                stem: Stem::dense(design.planes, grid, design.width, weight, |it| biases[it]),
                tower: Tower::Layers {
                    layers: rest.iter().map(|it| Packed::of(network, it)).collect(),
                    other: room.clone(),
                },
                said: room,
                stride: boards,
            };
        }
        let first = &anatomy.convs[0];
        let weights = &network.numbers[first.weight.clone()];
        let weight = |output: usize, plane: usize, tap: usize| {
            network.norm(first, output).0 * weights[(output * first.inputs + plane) * 9 + tap]
        };
        let bias = |output| network.norm(first, output).1;
        let padded = Padded::new(grid, boards);
        let room = Aligned::zeros(padded.block * blocks * LANES);
        let method = if direct {
            Method::Direct(*grid)
        } else {
            Method::winograd(grid, design.width, boards)
        };
        let rest = anatomy.convs[1..].iter();
        let stride = (boards * grid.len()) | 1;
        Self {
            blocks,
            stem: Stem::conv(design.planes, grid, design.width, weight, bias),
            tower: Tower::Convs {
                convs: rest.map(|conv| method.fold(network, conv)).collect(),
                method: Box::new(method),
                residual: design.model == Model::Resnet,
                rows: grid.rows(),
                cols: grid.cols(),
                padded,
                first: room.clone(),
                second: room,
            },
            said: Aligned::zeros(stride * blocks * LANES),
            stride,
        }
    }

    /// What it says of these positions, and how far the blocks of rows are apart.
    #[inline(always)]
    pub(crate) fn compute<M: Machine>(&mut self, observations: &[Observation]) -> (&[Lane], usize) {
        let said = lanes_mut(&mut self.said);
        match &mut self.tower {
            Tower::Layers { layers, other } => {
                self.stem.connect::<M>(observations, said, self.stride);
                for layer in layers {
                    let from = (&*said, self.stride);
                    let to = (lanes_mut(other), self.stride);
                    layer.apply::<M>(observations.len(), from, to, true);
                    said.copy_from_slice(lanes(other));
                }
            }
            Tower::Convs {
                method,
                convs,
                residual,
                rows,
                cols,
                padded,
                first,
                second,
            } => {
                let (mut from, mut to) = (lanes_mut(first), lanes_mut(second));
                self.stem.convolve::<M>(*padded, observations, from, 0.0);
                for (index, conv) in convs.iter().enumerate() {
                    let layer = Layer {
                        padded: *padded,
                        boards: observations.len(),
                        blocks: self.blocks,
                        inputs: from,
                        outputs: to,
                        bias: &[],
                        residual: *residual && index % 2 == 1,
                        floor: 0.0,
                    };
                    method.convolve::<M>(conv, layer);
                    std::mem::swap(&mut from, &mut to);
                }
                let cells = *rows * *cols;
                for block in 0..self.blocks {
                    for board in 0..observations.len() {
                        let board_at = block * padded.block + board * padded.board;
                        for row in 0..*rows {
                            let place = block * self.stride + board * cells + row * *cols;
                            let source = board_at + (row + 1) * padded.row + 1;
                            said[place..][..*cols].copy_from_slice(&from[source..][..*cols]);
                        }
                    }
                }
            }
        }
        (lanes(&self.said), self.stride)
    }
}
