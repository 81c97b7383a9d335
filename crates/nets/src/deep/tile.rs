//! Products of matrices, a tile of the result at a time in registers.
//!
//! Numbers stand in groups of sixteen, a [`Lane`] each. A matrix of rows and channels is a block of
//! rows for each sixteen channels, so that what one product writes is what the next one reads, and
//! nothing is ever turned round. Each number of a result is summed up in the order of the channels,
//! whichever tile it is in: it does not depend on its neighbours.

#![expect(
    clippy::needless_range_loop,
    reason = "loops by index over registers are those that compilers unroll"
)]

use upstar_machine::{Kernel, Machine};

use crate::lanes::{Aligned, LANES};

/// Sixteen numbers of neighbouring channels.
pub(crate) type Lane = [f32; LANES];
/// The weights from sixteen inputs to sixteen outputs.
pub(crate) type Square = [Lane; LANES];

/// How many lanes hold so many channels.
pub(crate) const fn blocks(channels: usize) -> usize {
    channels.div_ceil(LANES)
}

/// The numbers as lanes.
#[inline(always)]
pub(crate) fn lanes(numbers: &[f32]) -> &[Lane] {
    numbers.as_chunks().0
}

/// The numbers as lanes, to be changed.
#[inline(always)]
pub(crate) fn lanes_mut(numbers: &mut [f32]) -> &mut [Lane] {
    numbers.as_chunks_mut().0
}

/// The numbers as squares.
#[inline(always)]
pub(crate) fn squares(numbers: &[f32]) -> &[Square] {
    lanes(numbers).as_chunks().0
}

/// Weights as squares, all those to the same outputs together, in the order of the inputs; zero
/// where there is no such input or output.
pub(crate) fn pack([inputs, outputs]: [usize; 2], weight: impl Fn(usize, usize) -> f32) -> Aligned {
    let mut packed = Aligned::zeros(inputs * outputs * LANES * LANES);
    let places = lanes_mut(&mut packed);
    for output in 0..outputs {
        for input in 0..inputs {
            for k in 0..LANES {
                let lane = &mut places[(output * inputs + input) * LANES + k];
                for (n, number) in lane.iter_mut().enumerate() {
                    *number = weight(input * LANES + k, output * LANES + n);
                }
            }
        }
    }
    packed
}

/// How many registers hold a lane, told by their alignment: one, two, or more on plain machines.
#[inline(always)]
const fn registers<M: Machine>() -> usize {
    match align_of::<M::Floats>() {
        64 => 1,
        32 => 2,
        _ => 4,
    }
}

/// The largest tile for a machine's registers: rows and groups of sixteen columns.
#[inline(always)]
pub(crate) const fn largest_tile<M: Machine>() -> (usize, usize) {
    match registers::<M>() {
        1 => (12, 2),
        2 => (6, 1),
        _ if cfg!(target_arch = "x86_64") => (2, 1),
        _ => (4, 1),
    }
}

/// `R` rows times the weights to `G` blocks of outputs, added up in the order of the inputs.
#[inline(always)]
pub(crate) fn tile<M: Machine, const R: usize, const G: usize>(
    sums: &mut [[M::Floats; G]; R],
    rows: &[Lane; R],
    weights: [&Square; G],
) {
    if registers::<M>() > 2 {
        plain_tile::<M, R, G>(sums, rows, weights);
        return;
    }
    let mut these = *sums;
    for k in 0..LANES {
        let mut factors = [M::splat(0.0); G];
        for g in 0..G {
            factors[g] = M::load(&weights[g][k]);
        }
        for r in 0..R {
            let number = M::splat(rows[r][k]);
            for g in 0..G {
                these[r][g] = M::mul_add(number, factors[g], these[r][g]);
            }
        }
    }
    *sums = these;
}

/// The same in loops over arrays, out of which compilers make what plain machines have.
#[inline(always)]
fn plain_tile<M: Machine, const R: usize, const G: usize>(
    sums: &mut [[M::Floats; G]; R],
    rows: &[Lane; R],
    weights: [&Square; G],
) {
    let mut these = [[[0.0; LANES]; G]; R];
    for r in 0..R {
        for g in 0..G {
            M::store(sums[r][g], &mut these[r][g]);
        }
    }
    for k in 0..LANES {
        for r in 0..R {
            let number = rows[r][k];
            for g in 0..G {
                for lane in 0..LANES {
                    these[r][g][lane] += number * weights[g][k][lane];
                }
            }
        }
    }
    for r in 0..R {
        for g in 0..G {
            sums[r][g] = M::load(&these[r][g]);
        }
    }
}

/// The product of rows and weights.
pub(crate) struct Product<'a> {
    /// Blocks of rows, `input_stride` lanes from one to the next.
    pub(crate) inputs: &'a [Lane],
    pub(crate) input_stride: usize,
    /// How many blocks there are.
    pub(crate) input_blocks: usize,
    pub(crate) weights: &'a [Square],
    /// Blocks of rows, `output_stride` lanes from one to the next.
    pub(crate) outputs: &'a mut [Lane],
    pub(crate) output_stride: usize,
    pub(crate) rows: usize,
}

impl Product<'_> {
    /// Computes it.
    #[inline(always)]
    pub(crate) fn compute<M: Machine>(self) {
        let (most_rows, most_groups) = largest_tile::<M>();
        let width = self.input_blocks;
        let mut outputs = self.outputs;
        let mut weights = self.weights;
        // All tiles have about the same number of rows.
        let tiles = self.rows.div_ceil(most_rows).max(1);
        let (low, larger) = (self.rows / tiles, self.rows % tiles);
        while weights.len() >= width && !weights.is_empty() {
            let groups = most_groups.min(weights.len() / width);
            let (these, rest) = weights.split_at(groups * width);
            let mut first = 0;
            for (rows, count) in [(low + 1, larger), (low, tiles - larger)] {
                let strip = Strip {
                    inputs: &self.inputs[first..],
                    input_stride: self.input_stride,
                    weights: these,
                    outputs: &mut outputs[first..],
                    output_stride: self.output_stride,
                    count,
                };
                if count > 0 {
                    strip.dispatch::<M>(rows, groups);
                }
                first += rows * count;
            }
            weights = rest;
            outputs = if weights.is_empty() {
                &mut []
            } else {
                &mut outputs[groups * self.output_stride..]
            };
        }
    }
}

/// Some tiles below each other, all of the same size.
struct Strip<'a> {
    inputs: &'a [Lane],
    input_stride: usize,
    weights: &'a [Square],
    outputs: &'a mut [Lane],
    output_stride: usize,
    count: usize,
}

struct Sized<'a, const R: usize, const G: usize>(Strip<'a>);

impl Strip<'_> {
    #[inline(always)]
    fn dispatch<M: Machine>(self, rows: usize, groups: usize) {
        macro_rules! sized {
            ($($rows:literal)*) => {
                match (rows, groups) {
                    $(
                        ($rows, 1) if $rows <= largest_tile::<M>().0 => {
                            M::call(Sized::<$rows, 1>(self));
                        }
                        ($rows, 2) if $rows <= largest_tile::<M>().0 && largest_tile::<M>().1 == 2 => {
                            M::call(Sized::<$rows, 2>(self));
                        }
                    )*
                    _ => {}
                }
            };
        }
        sized!(1 2 3 4 5 6 7 8 9 10 11 12);
    }
}

impl<const R: usize, const G: usize> Kernel for Sized<'_, R, G> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let strip = self.0;
        let width = strip.weights.len() / G;
        for index in 0..strip.count {
            let inputs = &strip.inputs[index * R..];
            let mut sums = [[M::splat(0.0); G]; R];
            for block in 0..width {
                let rows = inputs[block * strip.input_stride..].first_chunk();
                let mut weights = [&strip.weights[block]; G];
                for g in 1..G {
                    weights[g] = &strip.weights[g * width + block];
                }
                tile::<M, R, G>(&mut sums, rows.expect("all rows are there"), weights);
            }
            for g in 0..G {
                let outputs = &mut strip.outputs[g * strip.output_stride + index * R..][..R];
                for r in 0..R {
                    M::store(sums[r][g], &mut outputs[r]);
                }
            }
        }
    }
}
