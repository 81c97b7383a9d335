//! The first layer: what the stones add to what an empty board gives.
//!
//! The planes hold zeros and ones only, so there is nothing to multiply: each cell is the sum of a
//! row of weights per stone near it, and of what the third plane gives, which is known beforehand.

use upstar_games::{Color, Grid};
use upstar_machine::Machine;

use super::anatomy::INPUT_PLANES;
use super::conv::Padded;
use super::design::Planes;
use super::observation::Observation;
use super::tile::{Lane, blocks, lanes};
use crate::lanes::{Aligned, LANES};

const TAPS: usize = 9;
/// No stone, one of the first plane, one of the second.
const STONES: usize = 3;

/// The first convolution, or the first fully connected layer.
#[derive(Clone, Debug)]
pub(crate) struct Stem {
    planes: Planes,
    rows: usize,
    cols: usize,
    blocks: usize,
    /// By block of channels, stone and tap; or by stone and cell.
    stones: Aligned,
    /// By the side to move, block of channels and cell.
    empty: [Aligned; 2],
    /// The stones of one board with an edge around it.
    seen: Vec<u8>,
}

impl Stem {
    /// A convolution, `weight(output, plane, tap)`, with a bias.
    pub(crate) fn conv(
        planes: Planes,
        grid: &Grid,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
        bias: impl Fn(usize) -> f32,
    ) -> Self {
        let (rows, cols, blocks) = (grid.rows(), grid.cols(), blocks(outputs));
        let mut stones = Aligned::zeros(blocks * STONES * TAPS * LANES);
        let mut empty = [(); 2].map(|()| Aligned::zeros(blocks * grid.len() * LANES));
        for output in 0..outputs {
            let (block, lane) = (output / LANES, output % LANES);
            for plane in 0..2 {
                for tap in 0..TAPS {
                    let place = (block * STONES + plane + 1) * TAPS + tap;
                    stones[place * LANES + lane] =
                        stone_weight(planes, plane, |plane| weight(output, plane, tap));
                }
            }
            for color in [Color::Black, Color::White] {
                for cell in 0..grid.len() {
                    let within = |tap: &usize| {
                        let (row, col) = (cell / cols + tap / 3, cell % cols + tap % 3);
                        (1..=rows).contains(&row) && (1..=cols).contains(&col)
                    };
                    let taps = (0..TAPS).filter(within);
                    let sum: f32 = taps.map(|tap| weight(output, INPUT_PLANES - 1, tap)).sum();
                    let sum = if third_is_shown(planes, color) {
                        sum
                    } else {
                        0.0
                    };
                    let place = block * grid.len() + cell;
                    empty[color.index()][place * LANES + lane] = sum + bias(output);
                }
            }
        }
        Self {
            planes,
            rows,
            cols,
            blocks,
            stones,
            empty,
            seen: vec![0; (rows + 2) * (cols + 2)],
        }
    }

    /// Writes one board for each observation, no number lower than `floor`, and leaves the edge as it is.
    #[inline(always)]
    pub(crate) fn convolve<M: Machine>(
        &mut self,
        padded: Padded,
        observations: &[Observation],
        outputs: &mut [Lane],
        floor: f32,
    ) {
        let cells = self.rows * self.cols;
        let floor = M::splat(floor);
        for (board, observation) in observations.iter().enumerate() {
            let [first, second] = observation.stones(self.planes);
            for row in 0..self.rows {
                for col in 0..self.cols {
                    let cell = row * self.cols + col;
                    let stone = (first >> cell & 1) + 2 * (second >> cell & 1);
                    self.seen[(row + 1) * padded.row + col + 1] = stone as u8;
                }
            }
            let empty = lanes(&self.empty[observation.to_move.index()]);
            for block in 0..self.blocks {
                let stones: &[Lane] =
                    &lanes(&self.stones)[block * STONES * TAPS..][..STONES * TAPS];
                let empty = &empty[block * cells..][..cells];
                let boards = &mut outputs[block * padded.block + board * padded.board..];
                for row in 0..self.rows {
                    for col in 0..self.cols {
                        let mut sum = M::load(&empty[row * self.cols + col]);
                        for tap in 0..TAPS {
                            let near = (row + tap / 3) * padded.row + col + tap % 3;
                            let stone = usize::from(self.seen[near]);
                            sum = M::add(sum, M::load(&stones[stone * TAPS + tap]));
                        }
                        let place = &mut boards[(row + 1) * padded.row + col + 1];
                        M::store(M::max(sum, floor), place);
                    }
                }
            }
        }
    }

    /// A fully connected layer, `weight(output, plane, cell)`, with a bias.
    pub(crate) fn dense(
        planes: Planes,
        grid: &Grid,
        outputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
        bias: impl Fn(usize) -> f32,
    ) -> Self {
        let (cells, blocks) = (grid.len(), blocks(outputs));
        let mut stones = Aligned::zeros(2 * cells * blocks * LANES);
        let mut empty = [(); 2].map(|()| Aligned::zeros(blocks * LANES));
        for output in 0..outputs {
            for plane in 0..2 {
                for cell in 0..cells {
                    let place = (plane * cells + cell) * blocks * LANES + output;
                    stones[place] =
                        stone_weight(planes, plane, |plane| weight(output, plane, cell));
                }
            }
            for color in [Color::Black, Color::White] {
                let weights = (0..cells).map(|cell| weight(output, INPUT_PLANES - 1, cell));
                let sum: f32 = weights.sum();
                let sum = if third_is_shown(planes, color) {
                    sum
                } else {
                    0.0
                };
                let place = &mut empty[color.index()];
                place[output] = sum + bias(output);
            }
        }
        Self {
            planes,
            rows: grid.rows(),
            cols: grid.cols(),
            blocks,
            stones,
            empty,
            seen: Vec::new(),
        }
    }

    /// Writes one row for each observation, ReLU included; blocks of rows are `stride` lanes apart.
    #[inline(always)]
    pub(crate) fn connect<M: Machine>(
        &self,
        observations: &[Observation],
        outputs: &mut [Lane],
        stride: usize,
    ) {
        let cells = self.rows * self.cols;
        let weights = lanes(&self.stones);
        for (row, observation) in observations.iter().enumerate() {
            let stones = observation.stones(self.planes);
            let empty = lanes(&self.empty[observation.to_move.index()]);
            for block in 0..self.blocks {
                let mut sum = M::load(&empty[block]);
                for (plane, mut rest) in stones.into_iter().enumerate() {
                    while rest != 0 {
                        let cell = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        let place = (plane * cells + cell) * self.blocks + block;
                        sum = M::add(sum, M::load(&weights[place]));
                    }
                }
                let place = &mut outputs[block * stride + row];
                M::store(M::max(sum, M::splat(0.0)), place);
            }
        }
    }
}

/// What a stone adds: where the third plane shows empty cells, it also takes one of them away.
fn stone_weight(planes: Planes, plane: usize, weight: impl Fn(usize) -> f32) -> f32 {
    match planes {
        Planes::Jans2021First => weight(plane) - weight(INPUT_PLANES - 1),
        _ => weight(plane),
    }
}

/// Whether the third plane of an empty board is all ones.
fn third_is_shown(planes: Planes, to_move: Color) -> bool {
    match planes {
        Planes::Jans2021Second | Planes::ByColor => to_move == Color::Black,
        Planes::Jans2021First | Planes::Free => true,
    }
}
