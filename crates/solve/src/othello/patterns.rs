//! An evaluation by patterns: the score is about the sum of what each row, column, diagonal and corner
//! is worth with the discs on it (Buro, Logistello; patterns for any m×n).
//!
//! It proves nothing and is asked only which move to try first. Symmetric places share their weights;
//! the weights come from `fit.rs`.

use upstar_games::{Cell, Cells, Grid, Symmetry};
use upstar_machine::Machine;

use super::discs::Discs;

/// Weights are in quarters of a disc.
pub(super) const DISC: i32 = 4;
/// The most cells of a pattern.
const MOST_CELLS: usize = 10;
/// How many sets of cells a pattern has at most.
const CONTENTS: usize = 1 << MOST_CELLS;
/// The fewest empty cells of each stage of the game. Weights are for the stages one by one.
pub(super) const STAGES: [u32; 3] = [0, 14, 19];

/// The stage of a position with so many empty cells.
pub(super) fn stage(empties: u32) -> usize {
    STAGES
        .iter()
        .rposition(|&from| empties >= from)
        .expect("the first begins at 0")
}

/// A pattern: all its places on the board, and which of its contents are worth the same.
pub(super) struct Shape {
    /// The cells of each place, in corresponding order.
    pub(super) places: Vec<Vec<Cell>>,
    /// For each content, as a number in base 3, that of the weight.
    pub(super) weight_of: Vec<u32>,
    /// How many weights there are.
    pub(super) weights: usize,
}

/// The patterns of a board; none if it has holes or is too small.
pub(super) fn shapes(grid: &Grid) -> Vec<Shape> {
    let (rows, cols) = (grid.rows(), grid.cols());
    if grid.holes() != 0 || rows < 3 || cols < 3 {
        return Vec::new();
    }
    let mut bases: Vec<Vec<(usize, usize)>> = Vec::new();
    let corner = (0..9).map(|i| (i / 3, i % 3));
    bases.push(corner.collect());
    for row in 0..rows.div_ceil(2) {
        let mut line: Vec<_> = (0..cols).map(|col| (row, col)).collect();
        if row == 0 && cols >= 4 {
            line.extend([(1, 1), (1, cols - 2)]);
        }
        bases.push(line);
    }
    for col in 0..cols.div_ceil(2) {
        let mut line: Vec<_> = (0..rows).map(|row| (row, col)).collect();
        if col == 0 && rows >= 4 {
            line.extend([(1, 1), (rows - 2, 1)]);
        }
        bases.push(line);
    }
    for col in 0..cols {
        let diagonal = (0..rows).map(|row| (row, col + row));
        bases.push(diagonal.filter(|&(_, col)| col < cols).collect());
    }
    let symmetries = Symmetry::all(grid);
    let mut seen: Vec<u128> = Vec::new();
    let mut shapes = Vec::new();
    for base in bases {
        let base: Vec<Cell> = base.iter().map(|&(row, col)| grid.cell(row, col)).collect();
        let set = |cells: &[Cell]| cells.iter().fold(0u128, |set, &cell| set.with(cell));
        if !(4..=MOST_CELLS).contains(&base.len()) || seen.contains(&set(&base)) {
            continue;
        }
        let images = symmetries.iter().map(|symmetry| {
            base.iter()
                .map(|&cell| symmetry.cell(cell))
                .collect::<Vec<_>>()
        });
        let (mut places, mut turns): (Vec<Vec<Cell>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for image in images {
            if set(&image) == set(&base) {
                let order = |cell: &Cell| base.iter().position(|other| other == cell);
                turns.push(
                    image
                        .iter()
                        .map(|cell| order(cell).expect("the same set"))
                        .collect(),
                );
            }
            if !seen.contains(&set(&image)) {
                seen.push(set(&image));
                places.push(image);
            }
        }
        let (weight_of, weights) = weights_of(base.len(), &turns);
        shapes.push(Shape {
            places,
            weight_of,
            weights,
        });
    }
    shapes
}

/// Numbers the contents of a pattern of so many cells that these reorderings leave different.
fn weights_of(cells: usize, turns: &[Vec<usize>]) -> (Vec<u32>, usize) {
    let contents = 3usize.pow(cells as u32);
    let mut weight_of = vec![u32::MAX; contents];
    let mut weights = 0;
    for content in 0..contents {
        if weight_of[content] != u32::MAX {
            continue;
        }
        let digit = |cell: usize| content / 3usize.pow(cell as u32) % 3;
        for turn in turns {
            let turned = turn.iter().enumerate();
            let turned: usize = turned
                .map(|(cell, &from)| digit(from) * 3usize.pow(cell as u32))
                .sum();
            weight_of[turned] = weights;
        }
        weights += 1;
    }
    (weight_of, weights as usize)
}

/// A place of a pattern, ready to be read: its content's weight is found by the bits of its cells from
/// the lowest up.
struct Place {
    mask: u64,
    offset: u32,
}

/// What positions seem to be worth.
pub(super) struct Evaluation {
    places: Vec<Place>,
    /// For each stage the weights of all places.
    weights: [Vec<i16>; STAGES.len()],
    /// The number in base 3 with the digits 0 and 1 of a number in base 2.
    ternary: Box<[u16; CONTENTS]>,
}

impl Evaluation {
    /// With the weights of each stage, shape by shape.
    pub(super) fn new(shapes: &[Shape], stages: [&[i8]; STAGES.len()]) -> Self {
        let mut places = Vec::new();
        let mut weights: [Vec<i16>; STAGES.len()] = Default::default();
        let mut begin = 0;
        for shape in shapes {
            for cells in &shape.places {
                let mut sorted: Vec<usize> = (0..cells.len()).collect();
                sorted.sort_by_key(|&index| cells[index]);
                places.push(Place {
                    mask: cells.iter().fold(0u64, |set, &cell| set.with(cell)),
                    offset: weights[0].len() as u32,
                });
                for content in 0..shape.weight_of.len() {
                    let digits = sorted.iter().enumerate().map(|(place, &index)| {
                        content / 3usize.pow(place as u32) % 3 * 3usize.pow(index as u32)
                    });
                    let weight = begin + shape.weight_of[digits.sum::<usize>()] as usize;
                    for (weights, stage) in weights.iter_mut().zip(stages) {
                        weights.push(stage[weight].into());
                    }
                }
            }
            begin += shape.weights;
        }
        let digits =
            |bits: usize| (0..MOST_CELLS).map(move |i| (bits >> i & 1) as u16 * 3u16.pow(i as u32));
        let ternary = Box::new(std::array::from_fn(|bits| digits(bits).sum()));
        Self {
            places,
            weights,
            ternary,
        }
    }

    /// What the position seems to be worth to the side to move, in quarters of a disc.
    #[inline(always)]
    pub(super) fn score<M: Machine>(&self, discs: Discs, empties: u32) -> i32 {
        let weights = &self.weights[stage(empties)];
        let mut score = 0;
        for place in &self.places {
            let own = M::compress(discs.own, place.mask) as usize % CONTENTS;
            let opponent = M::compress(discs.opponent, place.mask) as usize % CONTENTS;
            let (own, opponent) = (self.ternary[own], self.ternary[opponent]);
            let content = u32::from(own) + 2 * u32::from(opponent);
            score += i32::from(weights[(place.offset + content) as usize]);
        }
        score
    }
}

/// The numbers of the weights that make up a position's worth, for the fit.
pub(super) fn features(shapes: &[Shape], discs: Discs, found: &mut Vec<u32>) {
    let mut begin = 0;
    for shape in shapes {
        for cells in &shape.places {
            let content = cells.iter().rev().fold(0, |content, &cell| {
                let digit = usize::from(discs.own.contains(cell))
                    + 2 * usize::from(discs.opponent.contains(cell));
                3 * content + digit
            });
            found.push(begin + shape.weight_of[content]);
        }
        begin += shape.weights as u32;
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::Random;
    use upstar_machine::{Isa, Kernel};

    use super::*;

    struct Score<'a>(&'a Evaluation, Discs, u32);
    impl Kernel for Score<'_> {
        type Output = i32;
        #[inline(always)]
        fn run<M: Machine>(self) -> i32 {
            self.0.score::<M>(self.1, self.2)
        }
    }

    #[test]
    fn evaluations_add_up_features_and_know_symmetry() {
        let mut random = Random::new(3);
        for size in ["8x8", "6x6", "5x7", "5x5", "4x6", "3x9"] {
            let grid: Grid = size.parse().unwrap();
            let shapes = shapes(&grid);
            let weights: usize = shapes.iter().map(|shape| shape.weights).sum();
            let stage: Vec<i8> = (0..weights).map(|_| random.bits() as i8).collect();
            let evaluation = Evaluation::new(&shapes, [&stage; STAGES.len()]);
            for _ in 0..20 {
                let occupied = random.bits() & u64::from_wide(grid.cells());
                let own = random.bits() & occupied;
                let discs = Discs {
                    own,
                    opponent: occupied & !own,
                };
                let mut found = Vec::new();
                features(&shapes, discs, &mut found);
                let sum: i32 = found
                    .iter()
                    .map(|&weight| i32::from(stage[weight as usize]))
                    .sum();
                for isa in Isa::available() {
                    assert_eq!(isa.run(Score(&evaluation, discs, 20)), sum, "{size}");
                }
                for symmetry in Symmetry::all(&grid) {
                    let (own, opponent) =
                        (symmetry.cells(discs.own), symmetry.cells(discs.opponent));
                    let turned = Discs { own, opponent };
                    assert_eq!(
                        Isa::best().run(Score(&evaluation, turned, 20)),
                        sum,
                        "{size}"
                    );
                }
            }
        }
    }
}
