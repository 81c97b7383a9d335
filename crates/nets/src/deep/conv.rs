//! Convolutions of three by three over several boards, with what follows them: bias, residual, ReLU.

use upstar_games::Grid;
use upstar_machine::Machine;

use super::anatomy::Conv;
use super::direct;
use super::network::DeepNetwork;
use super::tile::{Lane, blocks, lanes};
use super::winograd::{self, Tiling};
use crate::lanes::{Aligned, LANES};

/// Where the cells of several boards stand, each with an edge of zeros around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padded {
    /// From row to row.
    pub(crate) row: usize,
    /// From board to board.
    pub(crate) board: usize,
    /// From one block of channels to the next.
    pub(crate) block: usize,
}

impl Padded {
    pub(crate) fn new(grid: &Grid, boards: usize) -> Self {
        let row = grid.cols() + 2;
        let board = row * (grid.rows() + 2);
        Self {
            row,
            board,
            block: (board * boards) | 1,
        }
    }
}

/// What a layer needs besides its weights.
pub(crate) struct Layer<'a> {
    pub(crate) padded: Padded,
    pub(crate) boards: usize,
    /// How many blocks of channels come in, and how many go out.
    pub(crate) blocks: usize,
    pub(crate) inputs: &'a [Lane],
    pub(crate) outputs: &'a mut [Lane],
    pub(crate) bias: &'a [Lane],
    /// Whether what stands at the outputs is added.
    pub(crate) residual: bool,
    /// No output is lower: zero for ReLU.
    pub(crate) floor: f32,
}

/// How all convolutions of a tower are computed, and room for it.
#[derive(Clone, Debug)]
pub(crate) enum Method {
    Winograd(Tiling, winograd::Room),
    Direct(Grid),
}

/// The weights of a convolution with its norm, for one method.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    weights: Vec<Aligned>,
    bias: Aligned,
}

impl Method {
    /// Winograd's, which is faster on all boards and widths that were measured.
    pub(crate) fn winograd(grid: &Grid, width: usize, boards: usize) -> Self {
        let tiling = Tiling::new(grid);
        let room = winograd::Room::new(&tiling, boards, blocks(width));
        Self::Winograd(tiling, room)
    }

    /// The weights of a convolution with its norm.
    pub(crate) fn fold(&self, network: &DeepNetwork, conv: &Conv) -> Folded {
        let numbers = &network.numbers[conv.weight.clone()];
        let weight = |output: usize, input: usize, tap: usize| {
            let (factor, _) = network.norm(conv, output);
            factor * numbers[(output * conv.inputs + input) * 9 + tap]
        };
        Folded {
            bias: aligned(conv.outputs, |output| network.norm(conv, output).1),
            ..self.plain([conv.inputs, conv.outputs], weight)
        }
    }

    /// The weights of a convolution without norm, `weight(output, input, tap)`.
    pub(crate) fn plain(
        &self,
        [inputs, outputs]: [usize; 2],
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> Folded {
        let channels = [inputs, outputs];
        Folded {
            weights: match self {
                Self::Winograd(tiling, _) => tiling.pack(channels, weight),
                Self::Direct(_) => vec![direct::pack(channels, weight)],
            },
            bias: aligned(outputs, |_| 0.0),
        }
    }

    /// Computes a layer.
    #[inline(always)]
    pub(crate) fn convolve<M: Machine>(&mut self, folded: &Folded, layer: Layer) {
        let mut layer = Layer {
            bias: lanes(&folded.bias),
            ..layer
        };
        match self {
            Self::Winograd(tiling, room) => {
                winograd::convolve::<M>(tiling, &folded.weights, room, &mut layer);
            }
            Self::Direct(grid) => direct::convolve::<M>(grid, &folded.weights[0], &mut layer),
        }
    }
}

/// So many numbers, in whole lanes.
pub(crate) fn aligned(len: usize, number: impl Fn(usize) -> f32) -> Aligned {
    let mut numbers = Aligned::zeros(blocks(len) * LANES);
    for (index, place) in numbers[..len].iter_mut().enumerate() {
        *place = number(index);
    }
    numbers
}
