//! Convolutions of three by three the direct way: nine products per cell, input and output, straight
//! from the board. It is slower than `winograd.rs` in batches and about as fast for a single position,
//! and its weights take a quarter of the room.

#![expect(
    clippy::needless_range_loop,
    reason = "loops by index over registers are those that compilers unroll"
)]

use upstar_games::Grid;
use upstar_machine::{Kernel, Machine};

use super::conv::Layer;
use super::tile::{Square, blocks, largest_tile, squares, tile};
use crate::lanes::{Aligned, LANES};

const TAPS: usize = 9;

/// The weights of a convolution, `weight(output, input, tap)`: nine squares for each block of inputs,
/// all those to the same outputs together.
pub(crate) fn pack(
    [inputs, outputs]: [usize; 2],
    weight: impl Fn(usize, usize, usize) -> f32,
) -> Aligned {
    super::tile::pack([blocks(inputs) * TAPS, blocks(outputs)], |row, output| {
        let (square, k) = (row / LANES, row % LANES);
        let (input, tap) = (square / TAPS * LANES + k, square % TAPS);
        if input < inputs && output < outputs {
            weight(output, input, tap)
        } else {
            0.0
        }
    })
}

/// The most cells beside each other, and groups of channels, that are computed together.
#[inline(always)]
const fn largest<M: Machine>() -> (usize, usize) {
    let (rows, groups) = largest_tile::<M>();
    (if rows < 6 { rows } else { 6 }, groups)
}

/// Computes a layer: convolution, bias, residual, ReLU.
#[inline(always)]
pub(crate) fn convolve<M: Machine>(grid: &Grid, weights: &Aligned, layer: &mut Layer) {
    let (most_cells, most_groups) = largest::<M>();
    let weights = squares(weights);
    let width = layer.blocks * TAPS;
    let pieces = grid.cols().div_ceil(most_cells);
    let (low, larger) = (grid.cols() / pieces, grid.cols() % pieces);
    let mut block = 0;
    while block < layer.blocks {
        let groups = most_groups.min(layer.blocks - block);
        let mut col = 0;
        for piece in 0..pieces {
            let cells = low + usize::from(piece < larger);
            let strip = Strip {
                weights: &weights[block * width..(block + groups) * width],
                rows: grid.rows(),
                col,
                block,
                layer: &mut *layer,
            };
            strip.dispatch::<M>(cells, groups);
            col += cells;
        }
        block += groups;
    }
}

/// Some columns of all boards and some channels.
struct Strip<'a, 'b> {
    weights: &'a [Square],
    rows: usize,
    col: usize,
    block: usize,
    layer: &'a mut Layer<'b>,
}

struct Sized<'a, 'b, const R: usize, const G: usize>(Strip<'a, 'b>);

impl Strip<'_, '_> {
    #[inline(always)]
    fn dispatch<M: Machine>(self, cells: usize, groups: usize) {
        macro_rules! sized {
            ($($cells:literal)*) => {
                match (cells, groups) {
                    $(
                        ($cells, 1) if $cells <= largest::<M>().0 => {
                            M::call(Sized::<$cells, 1>(self));
                        }
                        ($cells, 2) if $cells <= largest::<M>().0 && largest::<M>().1 == 2 => {
                            M::call(Sized::<$cells, 2>(self));
                        }
                    )*
                    _ => {}
                }
            };
        }
        sized!(1 2 3 4 5 6);
    }
}

impl<const R: usize, const G: usize> Kernel for Sized<'_, '_, R, G> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Strip {
            weights,
            rows,
            col,
            block,
            layer,
        } = self.0;
        let padded = layer.padded;
        let width = weights.len() / G;
        let zero = M::splat(0.0);
        let floor = M::splat(layer.floor);
        for board in 0..layer.boards {
            for row in 0..rows {
                let corner = board * padded.board + row * padded.row + col;
                let mut sums = [[zero; G]; R];
                for input in 0..layer.blocks {
                    let cells = &layer.inputs[input * padded.block + corner..];
                    for tap in 0..TAPS {
                        let cells = cells[tap / 3 * padded.row + tap % 3..].first_chunk();
                        let place = input * TAPS + tap;
                        let mut factors = [&weights[place]; G];
                        for g in 1..G {
                            factors[g] = &weights[g * width + place];
                        }
                        tile::<M, R, G>(&mut sums, cells.expect("a row of cells"), factors);
                    }
                }
                for g in 0..G {
                    let bias = M::load(&layer.bias[block + g]);
                    let place = (block + g) * padded.block + corner + padded.row + 1;
                    let cells = &mut layer.outputs[place..][..R];
                    for r in 0..R {
                        let mut sum = M::add(sums[r][g], bias);
                        if layer.residual {
                            sum = M::add(sum, M::load(&cells[r]));
                        }
                        M::store(M::max(sum, floor), &mut cells[r]);
                    }
                }
            }
        }
    }
}
