//! What happens to each cell between two convolutions, forward and back, and the products that give
//! the slopes of weights.

#![expect(
    clippy::needless_range_loop,
    reason = "loops by index over registers are those that compilers unroll"
)]

use upstar_games::Grid;
use upstar_machine::{Kernel, Machine};

use crate::deep::conv::Padded;
use crate::deep::tile::{Lane, largest_tile};
use crate::lanes::LANES;

/// Which lanes of a block of channels are cells: runs beside each other, the rows of boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    first: usize,
    boards: usize,
    board: usize,
    rows: usize,
    row: usize,
    /// How many cells a run has.
    pub(super) cols: usize,
    /// From one block of channels to the next.
    pub(super) block: usize,
}

impl Walk {
    /// The cells of boards with an edge of zeros around them.
    pub(super) fn padded(grid: &Grid, padded: Padded, boards: usize) -> Self {
        Self {
            first: padded.row + 1,
            boards,
            board: padded.board,
            rows: grid.rows(),
            row: padded.row,
            cols: grid.cols(),
            block: padded.block,
        }
    }

    /// So many rows without anything between them.
    pub(super) fn rows(count: usize) -> Self {
        Self {
            first: 0,
            boards: 1,
            board: 0,
            rows: 1,
            row: 0,
            cols: count,
            block: stride(count),
        }
    }

    /// Where the runs of a block begin.
    #[inline(always)]
    pub(super) fn starts(self, block: usize) -> impl Iterator<Item = usize> {
        let first = block * self.block + self.first;
        (0..self.boards).flat_map(move |board| {
            (0..self.rows).map(move |row| first + board * self.board + row * self.row)
        })
    }
}

/// From one block of so many rows to the next: odd, or many of them would fall into the same place of
/// the cache.
pub(super) fn stride(rows: usize) -> usize {
    rows | 1
}

/// What a norm does to a block of channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    /// On the way forward: a factor and a summand.
    pub(super) forward: [Lane; 2],
    /// On the way back: the factors of slope and number, and a summand.
    pub(super) back: [Lane; 3],
}

impl Default for Affine {
    fn default() -> Self {
        Self {
            forward: [[0.0; LANES]; 2],
            back: [[0.0; LANES]; 3],
        }
    }
}

/// For each block the sums of the numbers and of their squares.
#[inline(always)]
pub(super) fn sum_up<M: Machine>(walk: Walk, numbers: &[Lane], totals: &mut [[Lane; 2]]) {
    for (block, totals) in totals.iter_mut().enumerate() {
        let mut sums = [M::splat(0.0); 2];
        for start in walk.starts(block) {
            for lane in &numbers[start..start + walk.cols] {
                let number = M::load(lane);
                sums[0] = M::add(sums[0], number);
                sums[1] = M::mul_add(number, number, sums[1]);
            }
        }
        M::store(sums[0], &mut totals[0]);
        M::store(sums[1], &mut totals[1]);
    }
}

/// The norm, what comes by the shortcut, and ReLU.
#[inline(always)]
pub(super) fn finish<M: Machine>(
    walk: Walk,
    norm: &[Affine],
    numbers: &[Lane],
    shortcut: Option<&[Lane]>,
    said: &mut [Lane],
) {
    let zero = M::splat(0.0);
    for (block, norm) in norm.iter().enumerate() {
        let [factor, summand] = [M::load(&norm.forward[0]), M::load(&norm.forward[1])];
        for start in walk.starts(block) {
            let run = start..start + walk.cols;
            let (numbers, said) = (&numbers[run.clone()], &mut said[run.clone()]);
            for cell in 0..walk.cols {
                let mut number = M::mul_add(M::load(&numbers[cell]), factor, summand);
                if let Some(shortcut) = shortcut {
                    number = M::add(number, M::load(&shortcut[start + cell]));
                }
                M::store(M::max(number, zero), &mut said[cell]);
            }
        }
    }
}

/// Back through ReLU: no slope where nothing was said. For each block the sums of the slopes, and of
/// the slopes times the numbers before the norm.
#[inline(always)]
pub(super) fn mask<M: Machine>(
    walk: Walk,
    said: &[Lane],
    numbers: &[Lane],
    slopes: &mut [Lane],
    totals: &mut [[Lane; 2]],
) {
    let zero = M::splat(0.0);
    for (block, totals) in totals.iter_mut().enumerate() {
        let mut sums = [zero; 2];
        for start in walk.starts(block) {
            let run = start..start + walk.cols;
            let (said, numbers) = (&said[run.clone()], &numbers[run.clone()]);
            let slopes = &mut slopes[run];
            for cell in 0..walk.cols {
                let slope = M::load(&slopes[cell]);
                let slope = M::choose(M::load(&said[cell]), zero, [slope, zero]);
                M::store(slope, &mut slopes[cell]);
                sums[0] = M::add(sums[0], slope);
                sums[1] = M::mul_add(slope, M::load(&numbers[cell]), sums[1]);
            }
        }
        M::store(sums[0], &mut totals[0]);
        M::store(sums[1], &mut totals[1]);
    }
}

/// Back through a norm.
#[inline(always)]
pub(super) fn back<M: Machine>(
    walk: Walk,
    norm: &[Affine],
    numbers: &[Lane],
    slopes: &[Lane],
    outputs: &mut [Lane],
) {
    for (block, norm) in norm.iter().enumerate() {
        let [of_slope, of_number, summand] = norm.back;
        let [of_slope, of_number] = [M::load(&of_slope), M::load(&of_number)];
        let summand = M::load(&summand);
        for start in walk.starts(block) {
            let run = start..start + walk.cols;
            let (numbers, slopes) = (&numbers[run.clone()], &slopes[run.clone()]);
            let outputs = &mut outputs[run];
            for cell in 0..walk.cols {
                let sum = M::mul_add(M::load(&numbers[cell]), of_number, summand);
                let sum = M::mul_add(M::load(&slopes[cell]), of_slope, sum);
                M::store(sum, &mut outputs[cell]);
            }
        }
    }
}

/// The sums of products of inputs and slopes over all cells: the slopes of weights, for each tap.
pub(super) struct Outer<'a> {
    pub(super) walk: Walk,
    /// How far from the cell the input of each tap is, from the first lane on.
    pub(super) taps: &'a [usize],
    pub(super) inputs: &'a [Lane],
    pub(super) input_blocks: usize,
    pub(super) slopes: &'a [Lane],
    pub(super) output_blocks: usize,
    /// By block of outputs, block of inputs, tap and input.
    pub(super) weights: &'a mut [Lane],
}

impl Outer<'_> {
    /// Computes them.
    #[inline(always)]
    pub(super) fn compute<M: Machine>(self) {
        match largest_tile::<M>() {
            (12, _) => self.tiled::<M, 8, 2>(),
            (6, _) => self.tiled::<M, 4, 1>(),
            _ => self.tiled::<M, 2, 1>(),
        }
    }

    /// So many inputs and blocks of outputs at a time.
    #[inline(always)]
    fn tiled<M: Machine, const K: usize, const G: usize>(mut self) {
        let mut block = 0;
        while block + G <= self.output_blocks {
            M::call(Column::<K, G>(&mut self, block));
            block += G;
        }
        while block < self.output_blocks {
            M::call(Column::<K, 1>(&mut self, block));
            block += 1;
        }
    }
}

/// All inputs to some blocks of outputs.
struct Column<'a, 'b, const K: usize, const G: usize>(&'a mut Outer<'b>, usize);

impl<const K: usize, const G: usize> Kernel for Column<'_, '_, K, G> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self(outer, output) = self;
        let (walk, taps) = (outer.walk, outer.taps);
        for input in 0..outer.input_blocks {
            for (tap, &offset) in taps.iter().enumerate() {
                for first in (0..LANES).step_by(K) {
                    let mut sums = [[M::splat(0.0); G]; K];
                    for start in walk.starts(0) {
                        let from = input * walk.block + start - walk.first + offset;
                        let inputs = &outer.inputs[from..from + walk.cols];
                        for cell in 0..walk.cols {
                            let numbers: &[f32; K] =
                                inputs[cell][first..].first_chunk().expect("some inputs");
                            let mut slopes = [M::splat(0.0); G];
                            for g in 0..G {
                                let place = (output + g) * walk.block + start + cell;
                                slopes[g] = M::load(&outer.slopes[place]);
                            }
                            for k in 0..K {
                                let number = M::splat(numbers[k]);
                                for g in 0..G {
                                    sums[k][g] = M::mul_add(number, slopes[g], sums[k][g]);
                                }
                            }
                        }
                    }
                    for g in 0..G {
                        let square = ((output + g) * outer.input_blocks + input) * taps.len() + tap;
                        for k in 0..K {
                            let place = &mut outer.weights[square * LANES + first + k];
                            M::store(sums[k][g], place);
                        }
                    }
                }
            }
        }
    }
}
