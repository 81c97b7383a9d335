//! Convolutions of three by three after Winograd (Lavin and Gray, 2016), on boards of any size.
//!
//! A row of n cells is cut into pieces of one to four, each computed with m + 2 products instead of
//! 3m; a piece of rows and a piece of columns make a tile. All pieces use the same points, larger ones
//! more of them: 0, 1, −1, 2, −2 and infinity. So the transformed weights of a point serve tiles of
//! every size, and there is one product of matrices for each pair of points, with a row for each tile
//! that uses them. A 5x6 board needs 90 products, where tiles of two by two would need 144.

use upstar_games::Grid;
use upstar_machine::{Kernel, Machine};

use super::conv::{Layer, Padded};
use super::tile::{Lane, Product, blocks, lanes_mut, pack, squares};
use crate::lanes::{Aligned, LANES};

/// Points: the finite ones in their order, and infinity.
const POINTS: usize = 6;

/// The transformed weights of each point (Lavin and Gray's G).
const WEIGHTS: [[f64; 3]; POINTS] = [
    [1.0, 0.0, 0.0],
    [0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [1.0 / 6.0, 2.0 / 6.0, 4.0 / 6.0],
    [1.0 / 6.0, -2.0 / 6.0, 4.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// Some cells of a row or column that are computed together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    first: usize,
    size: usize,
}

impl Cut {
    /// The points it uses: one more than its size, and infinity.
    fn points(self) -> impl Iterator<Item = usize> {
        (0..=self.size).chain([POINTS - 1])
    }

    fn uses(self, point: usize) -> bool {
        point <= self.size || point == POINTS - 1
    }
}

/// Cuts a row with as few products as possible.
fn cuts(cells: usize) -> Vec<Cut> {
    // Two products more than cells in each piece: the fewest pieces are best, and of those the most
    // even ones, because small pieces round less.
    let pieces = cells.div_ceil(POINTS - 2);
    let mut first = 0;
    let sizes = (0..pieces).map(|piece| cells / pieces + usize::from(piece < cells % pieces));
    let cut = sizes.map(|size| {
        first += size;
        Cut {
            first: first - size,
            size,
        }
    });
    cut.collect()
}

/// How a board is cut into tiles.
#[derive(Clone, Debug)]
pub(crate) struct Tiling {
    tiles: Vec<Tile>,
    /// The pairs of points that some tile uses.
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Tile {
    row: Cut,
    col: Cut,
    /// For each of its pairs of points, row by row, the pair's index and the tile's place in it.
    slots: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Pair {
    points: [usize; 2],
    /// The tiles of one board that use it.
    tiles: usize,
}

impl Tiling {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (rows, cols) = (cuts(grid.rows()), cuts(grid.cols()));
        let mut pairs: Vec<Pair> = Vec::new();
        for row in 0..POINTS {
            for col in 0..POINTS {
                let using = |cuts: &[Cut], point| cuts.iter().filter(|cut| cut.uses(point)).count();
                let tiles = using(&rows, row) * using(&cols, col);
                if tiles > 0 {
                    let points = [row, col];
                    pairs.push(Pair { points, tiles });
                }
            }
        }
        let mut filled = vec![0; pairs.len()];
        let mut tiles = Vec::new();
        for &row in &rows {
            for &col in &cols {
                let of_row = |row_point| col.points().map(move |col_point| [row_point, col_point]);
                let slot = |points: [usize; 2]| {
                    let pair = pairs.iter().position(|pair| pair.points == points);
                    let pair = pair.expect("every pair that is used is there");
                    filled[pair] += 1;
                    (pair, filled[pair] - 1)
                };
                let slots = row.points().flat_map(of_row).map(slot).collect();
                tiles.push(Tile { row, col, slots });
            }
        }
        Self { tiles, pairs }
    }

    /// The transformed weights of a convolution, `weight(output, input, tap)`.
    pub(crate) fn pack(
        &self,
        [inputs, outputs]: [usize; 2],
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> Vec<Aligned> {
        let packed = |pair: &Pair| {
            let [row, col] = pair.points.map(|point| WEIGHTS[point]);
            pack([blocks(inputs), blocks(outputs)], |input, output| {
                if input >= inputs || output >= outputs {
                    return 0.0;
                }
                let term = |tap: usize| {
                    row[tap / 3] * col[tap % 3] * f64::from(weight(output, input, tap))
                };
                (0..9).map(term).sum::<f64>() as f32
            })
        };
        self.pairs.iter().map(packed).collect()
    }

    /// How many products a board needs for each input and output.
    pub(crate) fn products(&self) -> usize {
        self.pairs.iter().map(|pair| pair.tiles).sum()
    }

    /// How many weights there are for each input and output.
    pub(crate) fn weights(&self) -> usize {
        self.pairs.len()
    }
}

/// Room for transformed boards.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    before: Aligned,
    after: Aligned,
    /// Where each pair's blocks begin, and how far they are apart, for each block of channels.
    places: Vec<Place>,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    first: usize,
    stride: usize,
}

/// Where the number of a tile at a pair of points goes, or comes from.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// For the first board and the first block of channels.
    first: usize,
    /// From board to board.
    boards: usize,
    /// From block to block.
    blocks: usize,
}

impl Room {
    /// Room for so many boards and blocks of channels.
    pub(crate) fn new(tiling: &Tiling, boards: usize, blocks: usize) -> Self {
        let lanes: usize = tiling
            .pairs
            .iter()
            .map(|pair| stride(pair, boards) * blocks)
            .sum();
        Self {
            before: Aligned::zeros(lanes * LANES),
            after: Aligned::zeros(lanes * LANES),
            places: vec![Place::default(); tiling.pairs.len()],
            slots: Vec::with_capacity(POINTS * POINTS),
        }
    }
}

/// From one block of a pair's rows to the next: an odd number of lanes, because at powers of two many
/// of them would fall into the same place of the cache.
fn stride(pair: &Pair, boards: usize) -> usize {
    (boards * pair.tiles) | 1
}

/// Computes a layer: convolution, bias, residual, ReLU.
#[inline(always)]
pub(crate) fn convolve<M: Machine>(
    tiling: &Tiling,
    weights: &[Aligned],
    room: &mut Room,
    layer: &mut Layer,
) {
    let Room {
        before,
        after,
        places,
        slots,
    } = room;
    let mut first = 0;
    for (place, pair) in places.iter_mut().zip(&tiling.pairs) {
        let stride = stride(pair, layer.boards);
        *place = Place { first, stride };
        first += stride * layer.blocks;
    }
    let before = lanes_mut(before);
    let after = lanes_mut(after);
    for tile in &tiling.tiles {
        find(slots, tile, tiling, places);
        let forward = Forward {
            padded: layer.padded,
            boards: layer.boards,
            blocks: layer.blocks,
            inputs: &layer.inputs[tile.row.first * layer.padded.row + tile.col.first..],
            slots,
            outputs: before,
        };
        forward.dispatch::<M>(tile);
    }
    for ((place, pair), weights) in places.iter().zip(&tiling.pairs).zip(weights) {
        let product = Product {
            inputs: &before[place.first..],
            input_stride: place.stride,
            input_blocks: layer.blocks,
            weights: squares(weights),
            outputs: &mut after[place.first..],
            output_stride: place.stride,
            rows: layer.boards * pair.tiles,
        };
        product.compute::<M>();
    }
    for tile in &tiling.tiles {
        find(slots, tile, tiling, places);
        // The first cell is one row and one column behind the corner of zeros.
        let cell = (tile.row.first + 1) * layer.padded.row + tile.col.first + 1;
        let backward = Backward {
            padded: layer.padded,
            boards: layer.boards,
            blocks: layer.blocks,
            inputs: after,
            slots,
            bias: layer.bias,
            residual: layer.residual,
            floor: layer.floor,
            outputs: &mut layer.outputs[cell..],
        };
        backward.dispatch::<M>(tile);
    }
}

#[inline(always)]
fn find(slots: &mut Vec<Slot>, tile: &Tile, tiling: &Tiling, places: &[Place]) {
    slots.clear();
    slots.extend(tile.slots.iter().map(|&(pair, rank)| Slot {
        first: places[pair].first + rank,
        boards: tiling.pairs[pair].tiles,
        blocks: places[pair].stride,
    }));
}

/// Calls the version of a transformation for a tile's size.
macro_rules! dispatch {
    ($kernel:ident, $this:expr, $tile:expr) => {
        dispatch!($kernel, $this, $tile, 1 3, 2 4, 3 5, 4 6)
    };
    ($kernel:ident, $this:expr, $tile:expr, $($rows:literal $row_points:literal),*) => {
        match $tile.row.size {
            $($rows => match $tile.col.size {
                1 => M::call($kernel::<$rows, $row_points, 1, 3>($this)),
                2 => M::call($kernel::<$rows, $row_points, 2, 4>($this)),
                3 => M::call($kernel::<$rows, $row_points, 3, 5>($this)),
                _ => M::call($kernel::<$rows, $row_points, 4, 6>($this)),
            },)*
            _ => unreachable!("no piece is larger"),
        }
    };
}

/// From cells to points, for one tile of each board.
struct Forward<'a> {
    padded: Padded,
    boards: usize,
    blocks: usize,
    inputs: &'a [Lane],
    slots: &'a [Slot],
    outputs: &'a mut [Lane],
}

struct ForwardSized<'a, const R: usize, const RP: usize, const C: usize, const CP: usize>(
    Forward<'a>,
);

impl Forward<'_> {
    #[inline(always)]
    fn dispatch<M: Machine>(self, tile: &Tile) {
        dispatch!(ForwardSized, self, tile);
    }
}

impl<const R: usize, const RP: usize, const C: usize, const CP: usize> Kernel
    for ForwardSized<'_, R, RP, C, CP>
{
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Forward {
            padded,
            boards,
            blocks,
            inputs,
            slots,
            outputs,
        } = self.0;
        let slots: &[[Slot; CP]] = slots.as_chunks().0;
        let slots: &[[Slot; CP]; RP] = slots.first_chunk().expect("a slot for each pair");
        for block in 0..blocks {
            for board in 0..boards {
                let cells = &inputs[block * padded.block + board * padded.board..];
                let mut half = [[M::splat(0.0); CP]; RP];
                for row in 0..RP {
                    let cells: &[Lane; CP] = cells[row * padded.row..]
                        .first_chunk()
                        .expect("a tile is within its board");
                    let mut numbers = [M::splat(0.0); CP];
                    for col in 0..CP {
                        numbers[col] = M::load(&cells[col]);
                    }
                    half[row] = to_points::<M, CP>(numbers);
                }
                for col in 0..CP {
                    let mut numbers = [M::splat(0.0); RP];
                    for row in 0..RP {
                        numbers[row] = half[row][col];
                    }
                    let numbers = to_points::<M, RP>(numbers);
                    for row in 0..RP {
                        let slot = &slots[row][col];
                        let place = slot.first + block * slot.blocks + board * slot.boards;
                        M::store(numbers[row], &mut outputs[place]);
                    }
                }
            }
        }
    }
}

/// From points to cells, for one tile of each board.
struct Backward<'a> {
    padded: Padded,
    boards: usize,
    blocks: usize,
    inputs: &'a [Lane],
    slots: &'a [Slot],
    bias: &'a [Lane],
    residual: bool,
    floor: f32,
    outputs: &'a mut [Lane],
}

struct BackwardSized<'a, const R: usize, const RP: usize, const C: usize, const CP: usize>(
    Backward<'a>,
);

impl Backward<'_> {
    #[inline(always)]
    fn dispatch<M: Machine>(self, tile: &Tile) {
        dispatch!(BackwardSized, self, tile);
    }
}

impl<const R: usize, const RP: usize, const C: usize, const CP: usize> Kernel
    for BackwardSized<'_, R, RP, C, CP>
{
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Backward {
            padded,
            boards,
            blocks,
            inputs,
            slots,
            bias,
            residual,
            floor,
            outputs,
        } = self.0;
        let slots: &[[Slot; CP]] = slots.as_chunks().0;
        let slots: &[[Slot; CP]; RP] = slots.first_chunk().expect("a slot for each pair");
        let (zero, floor) = (M::splat(0.0), M::splat(floor));
        for block in 0..blocks {
            let summand = M::load(&bias[block]);
            for board in 0..boards {
                let mut half = [[zero; C]; RP];
                for row in 0..RP {
                    let mut numbers = [zero; CP];
                    for col in 0..CP {
                        let slot = &slots[row][col];
                        let place = slot.first + block * slot.blocks + board * slot.boards;
                        numbers[col] = M::load(&inputs[place]);
                    }
                    half[row] = to_cells::<M, CP, C>(numbers);
                }
                let cells = &mut outputs[block * padded.block + board * padded.board..];
                for col in 0..C {
                    let mut numbers = [zero; RP];
                    for row in 0..RP {
                        numbers[row] = half[row][col];
                    }
                    let numbers = to_cells::<M, RP, R>(numbers);
                    for row in 0..R {
                        let cell = &mut cells[row * padded.row + col];
                        let mut sum = M::add(numbers[row], summand);
                        if residual {
                            sum = M::add(sum, M::load(cell));
                        }
                        M::store(M::max(sum, floor), cell);
                    }
                }
            }
        }
    }
}

/// The cells of a piece and their neighbours, at the piece's points (Lavin and Gray's Bᵀ).
#[inline(always)]
fn to_points<M: Machine, const N: usize>(cells: [M::Floats; N]) -> [M::Floats; N] {
    let mut points = cells;
    let d = cells;
    match N {
        3 => {
            points[0] = minus::<M>(d[0], d[1]);
            points[1] = M::add(d[1], d[1]);
            points[2] = minus::<M>(d[2], d[1]);
        }
        4 => {
            points[0] = minus::<M>(d[0], d[2]);
            points[1] = M::add(d[1], d[2]);
            points[2] = minus::<M>(d[2], d[1]);
            points[3] = minus::<M>(d[3], d[1]);
        }
        5 => {
            let odd = minus::<M>(d[3], d[1]);
            points[0] = times::<M>(0.5, odd, minus::<M>(d[0], d[2]));
            points[1] = times::<M>(2.0, d[1], minus::<M>(d[2], d[3]));
            points[2] = times::<M>(-1.0 / 3.0, times::<M>(2.0, d[1], d[3]), d[2]);
            points[3] = odd;
            points[4] = times::<M>(-2.0, odd, minus::<M>(d[4], d[2]));
        }
        _ => {
            let even = scaled::<M>(1.0 / 3.0, times::<M>(-4.0, d[2], d[4]));
            let odd = scaled::<M>(1.0 / 3.0, times::<M>(-4.0, d[1], d[3]));
            points[0] = times::<M>(0.25, d[4], times::<M>(-1.25, d[2], d[0]));
            points[1] = scaled::<M>(-1.0, M::add(even, odd));
            points[2] = minus::<M>(odd, even);
            let even = scaled::<M>(0.25, minus::<M>(d[4], d[2]));
            let odd = minus::<M>(d[3], d[1]);
            points[3] = times::<M>(0.5, odd, even);
            points[4] = times::<M>(-0.5, odd, even);
            points[5] = times::<M>(4.0, d[1], times::<M>(-5.0, d[3], d[5]));
        }
    }
    points
}

/// The sums of a piece's cells from its points (Lavin and Gray's Aᵀ).
#[inline(always)]
fn to_cells<M: Machine, const N: usize, const S: usize>(points: [M::Floats; N]) -> [M::Floats; S] {
    let mut cells = [M::splat(0.0); S];
    let m = points;
    match N {
        3 => cells[0] = M::add(M::add(m[0], m[1]), m[2]),
        4 => {
            cells[0] = M::add(M::add(m[1], m[2]), m[0]);
            cells[1] = M::add(minus::<M>(m[1], m[2]), m[3]);
        }
        5 => {
            let even = M::add(m[1], m[2]);
            cells[0] = M::add(M::add(m[0], m[3]), even);
            cells[1] = times::<M>(2.0, m[3], minus::<M>(m[1], m[2]));
            cells[2] = M::add(times::<M>(4.0, m[3], even), m[4]);
        }
        _ => {
            let (even, odd) = (M::add(m[1], m[2]), minus::<M>(m[1], m[2]));
            let (far, wide) = (M::add(m[3], m[4]), minus::<M>(m[3], m[4]));
            cells[0] = M::add(M::add(m[0], even), far);
            cells[1] = times::<M>(2.0, wide, odd);
            cells[2] = times::<M>(4.0, far, even);
            cells[3] = times::<M>(8.0, wide, M::add(odd, m[5]));
        }
    }
    cells
}

#[inline(always)]
fn times<M: Machine>(number: f32, numbers: M::Floats, summand: M::Floats) -> M::Floats {
    M::mul_add(M::splat(number), numbers, summand)
}

#[inline(always)]
fn minus<M: Machine>(numbers: M::Floats, other: M::Floats) -> M::Floats {
    times::<M>(-1.0, other, numbers)
}

#[inline(always)]
fn scaled<M: Machine>(number: f32, numbers: M::Floats) -> M::Floats {
    M::mul(M::splat(number), numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_cut_with_few_products() {
        let products = |text: &str| Tiling::new(&text.parse().unwrap()).products();
        assert_eq!(products("3x3"), 25);
        assert_eq!(products("4x4"), 36);
        assert_eq!(products("5x6"), 90);
        assert_eq!(products("8x8"), 144);
        assert_eq!(products("10x10"), 256);
    }

    #[test]
    fn cuts_cover_a_row() {
        for cells in 1..=128 {
            let mut next = 0;
            for cut in cuts(cells) {
                assert_eq!(cut.first, next);
                assert!((1..=4).contains(&cut.size));
                next += cut.size;
            }
            assert_eq!(next, cells);
        }
    }
}
