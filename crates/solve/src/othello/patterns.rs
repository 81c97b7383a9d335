//! An evaluation by patterns: the score is about the sum of what each line, corner and edge is worth with
//! the discs on it, and of what the moves of both sides are worth (Buro, Logistello; patterns for any m×n).
//!
//! It proves nothing: it says which move to try first, and what a position seems to be worth. Symmetric
//! places share their weights; the weights come from `fit.rs`. What the patterns hold is kept up to date
//! from move to move ([`Features`]), a number in base 3 for each place, as Edax does.

use std::sync::{Arc, OnceLock};

use upstar_games::{Cell, Cells, Grid, Symmetry};
use upstar_machine::Machine;

use super::discs::Discs;
use super::space::Space;

/// Weights are in sixteenths of a disc.
pub(super) const DISC: i32 = 16;
/// The most cells of a pattern: its contents are told by 16 bits.
const MOST_CELLS: usize = 10;
/// The most places of all patterns of a board.
const LANES: usize = 64;
/// A stage's weights of all contents are found by a number with so many bits.
const BITS: u32 = 19;
/// More moves than this are not told apart.
const MOST_MOVES: usize = 31;
/// What a stage has beside the weights of patterns: those of the moves of the side to move, of the other
/// side's, and of the parity of the empty cells.
pub(super) const OTHER_WEIGHTS: usize = 2 * (MOST_MOVES + 1) + 2;
/// How many features a position has that are not patterns.
pub(super) const OTHER_FEATURES: usize = 3;

/// How many stages a board of this many cells has.
pub(super) fn stages(size: usize) -> usize {
    size / 2 + 1
}

/// The stage of a position with so many empty cells.
#[inline(always)]
pub(super) fn stage(empties: u32) -> usize {
    empties as usize / 2
}

/// A pattern: all its places on the board, and which of its contents are worth the same.
pub(super) struct Shape {
    /// The cells of each place, in corresponding order.
    pub(super) places: Vec<Vec<Cell>>,
    /// For each content, as a number in base 3, that of the weight.
    weight_of: Vec<u32>,
    /// How many weights there are.
    weights: usize,
}

/// One place of each pattern, as rows and columns: corners of 3×3 and 2×5, the corner with both its edges,
/// edges with their X cells, edges with the inner cells of the second line, and all lines.
fn bases(rows: usize, cols: usize) -> Vec<Vec<(usize, usize)>> {
    let corner = (0..9).map(|i| (i / 3, i % 3)).collect();
    let mut bases: Vec<Vec<(usize, usize)>> = vec![corner];
    if cols >= 5 {
        bases.push((0..10).map(|i| (i / 5, i % 5)).collect());
    }
    if rows >= 5 {
        bases.push((0..10).map(|i| (i % 5, i / 5)).collect());
    }
    if rows >= 5 && cols >= 5 {
        let angle = (1..5).map(|i| (0, i)).chain((1..5).map(|i| (i, 0)));
        bases.push([(0, 0), (1, 1)].into_iter().chain(angle).collect());
    }
    // An edge of this length as the pattern with both X cells, and the one with inner cells.
    let edge = |length: usize, place: &dyn Fn(usize, usize) -> (usize, usize)| {
        let line = (0..length).map(|i| place(0, i));
        let beside = [1, length - 2].map(|i| place(1, i));
        let ends = [place(0, 0), place(0, length - 1)];
        let inner = (2..length - 2).flat_map(|i| [place(0, i), place(1, i)]);
        [
            line.chain(beside).collect::<Vec<_>>(),
            inner.chain(ends).collect(),
        ]
    };
    if cols >= 5 {
        bases.extend(edge(cols, &|across, along| (across, along)));
    }
    if rows >= 5 {
        bases.extend(edge(rows, &|across, along| (along, across)));
    }
    let is_new = |length: usize, index: usize| index > 0 || length + 2 > MOST_CELLS || length < 5;
    let row = |row: usize| (0..cols).map(move |col| (row, col)).collect();
    let col = |col: usize| (0..rows).map(move |row| (row, col)).collect();
    bases.extend((0..rows.div_ceil(2)).filter(|&i| is_new(cols, i)).map(row));
    bases.extend((0..cols.div_ceil(2)).filter(|&i| is_new(rows, i)).map(col));
    bases.extend((0..cols).map(|first| {
        let diagonal = (0..rows).map(|row| (row, first + row));
        diagonal.filter(|&(_, col)| col < cols).collect()
    }));
    bases
}

/// The patterns of a board; none if it has holes or is too small.
pub(super) fn shapes(grid: &Grid) -> Vec<Shape> {
    let (rows, cols) = (grid.rows(), grid.cols());
    if grid.holes() != 0 || rows < 3 || cols < 3 {
        return Vec::new();
    }
    let symmetries = Symmetry::all(grid);
    let mut seen: Vec<u128> = Vec::new();
    let mut shapes = Vec::new();
    let mut lanes = 0;
    for base in bases(rows, cols) {
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
        lanes += places.len();
        if lanes > LANES {
            break;
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

/// One number for each place of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Lanes([u16; LANES]);

impl Lanes {
    const ZERO: Self = Self([0; LANES]);

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (lane, other) in self.0.iter_mut().zip(&other.0) {
            *lane = lane.wrapping_add(*other);
        }
    }
}

/// What the patterns hold, as the side to move sees it and as the other side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    own: Lanes,
    opponent: Lanes,
}

/// Where the patterns of a board are, and how their contents share weights.
pub(super) struct Layout {
    /// For each cell what an own disc on it adds to the content of each place.
    digits: Box<[Lanes; 64]>,
    /// Where the weights of each place begin, and how many places there are.
    offsets: [u32; LANES],
    places: usize,
    /// For each content of each pattern the number of its weight.
    weight_of: Vec<u32>,
    /// How many weights the patterns have.
    weights: usize,
}

impl Layout {
    pub(super) fn new(shapes: &[Shape]) -> Self {
        let mut layout = Self {
            digits: Box::new([Lanes::ZERO; 64]),
            offsets: [0; LANES],
            places: 0,
            weight_of: Vec::new(),
            weights: 0,
        };
        for shape in shapes {
            for cells in &shape.places {
                layout.offsets[layout.places] = layout.weight_of.len() as u32;
                for (digit, cell) in cells.iter().enumerate() {
                    layout.digits[cell.index()].0[layout.places] = 3u16.pow(digit as u32);
                }
                layout.places += 1;
            }
            let shift = layout.weights as u32;
            let shifted = shape.weight_of.iter().map(|weight| weight + shift);
            layout.weight_of.extend(shifted);
            layout.weights += shape.weights;
        }
        assert!(
            layout.weight_of.len() <= 1 << BITS,
            "contents fit in a table"
        );
        layout
    }

    /// How many weights a stage has.
    pub(super) fn stage_weights(&self) -> usize {
        self.weights + OTHER_WEIGHTS
    }

    /// Makes an own disc in a corner worth so much, and the other side's as much less. The first pattern has the
    /// corner as its first cell; a board without patterns has no weights for it.
    pub(super) fn weigh_corners(&self, weights: &mut [i16], worth: i16) {
        let corner = self.weight_of.iter().take(3usize.pow(9)).enumerate();
        for (content, &weight) in corner {
            weights[weight as usize] = [0, worth, -worth][content % 3];
        }
    }

    /// Makes each move worth so much to the side that has it.
    pub(super) fn weigh_moves(&self, weights: &mut [i16], worth: i16) {
        let (own, others) = weights[self.weights..].split_at_mut(MOST_MOVES + 1);
        for (moves, (own, opponent)) in own.iter_mut().zip(others).enumerate() {
            (*own, *opponent) = (worth * moves as i16, -worth * moves as i16);
        }
    }

    /// How many features a position has.
    pub(super) fn width(&self) -> usize {
        self.places + OTHER_FEATURES
    }

    #[inline(always)]
    fn sum(&self, mut cells: u64) -> Lanes {
        let mut sum = Lanes::ZERO;
        while cells != 0 {
            sum.add(&self.digits[cells.trailing_zeros() as usize & 63]);
            cells &= cells - 1;
        }
        sum
    }

    /// From scratch.
    #[inline(always)]
    pub(super) fn features(&self, discs: Discs) -> Features {
        let (mine, other) = (self.sum(discs.own), self.sum(discs.opponent));
        let view = |once: &Lanes, twice: &Lanes| {
            let mut view = *once;
            view.add(twice);
            view.add(twice);
            view
        };
        Features {
            own: view(&mine, &other),
            opponent: view(&other, &mine),
        }
    }

    /// After a disc on this cell has turned others; the other side is to move.
    #[inline(always)]
    pub(super) fn after(&self, features: &Features, cell: usize, turned: u64) -> Features {
        let turned = self.sum(turned);
        let placed = &self.digits[cell & 63];
        let mut next = Features {
            own: features.opponent,
            opponent: features.own,
        };
        for lane in 0..LANES {
            let (turned, placed) = (turned.0[lane], placed.0[lane]);
            let own = &mut next.own.0[lane];
            *own = own.wrapping_add(turned).wrapping_add(2 * placed);
            let opponent = &mut next.opponent.0[lane];
            *opponent = opponent.wrapping_sub(turned).wrapping_add(placed);
        }
        next
    }

    /// The numbers of the weights that make up a position's worth, for the fit: as many as [`width`](Self::width).
    #[inline(always)]
    pub(super) fn numbers<M: Machine>(&self, space: &Space, discs: Discs, found: &mut Vec<u32>) {
        let features = self.features(discs);
        let contents = features.own.0.iter().zip(&self.offsets);
        let number = |(&content, &offset): (&u16, &u32)| {
            self.weight_of[(offset + u32::from(content)) as usize]
        };
        found.extend(contents.take(self.places).map(number));
        let [own, opponent] = moves::<M>(space, discs);
        let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
        let others = [
            own,
            MOST_MOVES + 1 + opponent,
            2 * (MOST_MOVES + 1) + empties as usize % 2,
        ];
        found.extend(others.map(|other| (self.weights + other) as u32));
    }
}

impl Features {
    /// The same with the other side to move.
    #[inline(always)]
    pub(super) fn passed(&self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
        }
    }
}

/// How many moves both sides have, as far as they are told apart.
#[inline(always)]
fn moves<M: Machine>(space: &Space, discs: Discs) -> [usize; 2] {
    let own = space.placements::<M>(discs.own, discs.opponent);
    let opponent = space.placements::<M>(discs.opponent, discs.own);
    [own, opponent].map(|moves| (moves.count_ones() as usize).min(MOST_MOVES))
}

/// The weights of one stage: those of all contents of the patterns, and the others.
struct Stage {
    contents: Box<[i16; 1 << BITS]>,
    own_moves: [i16; MOST_MOVES + 1],
    opponent_moves: [i16; MOST_MOVES + 1],
    parity: [i16; 2],
}

/// What positions seem to be worth.
pub(super) struct Evaluation {
    pub(super) layout: Layout,
    /// Made when they are needed.
    stages: Vec<OnceLock<Stage>>,
    /// The weights of a stage.
    source: Box<dyn Fn(usize) -> Vec<i16> + Send + Sync>,
}

impl Evaluation {
    /// With the weights of so many stages.
    pub(super) fn new(
        shapes: &[Shape],
        stages: usize,
        source: Box<dyn Fn(usize) -> Vec<i16> + Send + Sync>,
    ) -> Self {
        Self {
            layout: Layout::new(shapes),
            stages: (0..stages).map(|_| OnceLock::new()).collect(),
            source,
        }
    }

    /// The same with the weights of other stages for some.
    pub(super) fn with_stages(self: &Arc<Self>, grid: &Grid, instead: fn(usize) -> usize) -> Self {
        let this = Arc::clone(self);
        let source = move |stage| (this.source)(instead(stage));
        Self::new(&shapes(grid), self.stages.len(), Box::new(source))
    }

    #[inline(always)]
    fn stage(&self, empties: u32) -> &Stage {
        let stage = stage(empties);
        self.stages[stage].get_or_init(|| self.unpack(stage))
    }

    #[cold]
    fn unpack(&self, stage: usize) -> Stage {
        let weights = (self.source)(stage);
        let mut contents = vec![0; 1 << BITS].into_boxed_slice();
        for (content, &weight) in contents.iter_mut().zip(&self.layout.weight_of) {
            *content = weights[weight as usize];
        }
        let others = &weights[self.layout.weights..];
        let (own, others) = others.split_at(MOST_MOVES + 1);
        let (opponent, parity) = others.split_at(MOST_MOVES + 1);
        let right = "a stage has all its weights";
        Stage {
            contents: contents.try_into().expect(right),
            own_moves: own.try_into().expect(right),
            opponent_moves: opponent.try_into().expect(right),
            parity: parity.try_into().expect(right),
        }
    }

    /// What the position with these features seems to be worth to the side to move, in sixteenths of a disc.
    #[inline(always)]
    pub(super) fn score<M: Machine>(
        &self,
        space: &Space,
        discs: Discs,
        features: &Features,
    ) -> i32 {
        let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
        let stage = self.stage(empties);
        let mut score = i32::from(stage.parity[empties as usize % 2]);
        let [own, opponent] = moves::<M>(space, discs);
        score += i32::from(stage.own_moves[own]) + i32::from(stage.opponent_moves[opponent]);
        for place in 0..self.layout.places.min(LANES) {
            let content = self.layout.offsets[place] + u32::from(features.own.0[place]);
            score += i32::from(stage.contents[content as usize % (1 << BITS)]);
        }
        score
    }

    /// The same from scratch.
    #[inline(always)]
    pub(super) fn score_of<M: Machine>(&self, space: &Space, discs: Discs) -> i32 {
        self.score::<M>(space, discs, &self.layout.features(discs))
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::othello::{Opening, start};
    use upstar_games::{Color, Othello, Random, Rules, random_move};
    use upstar_machine::{Isa, Kernel};

    use super::*;

    struct Score<'a>(&'a Evaluation, &'a Space, Discs);
    impl Kernel for Score<'_> {
        type Output = (i32, Vec<u32>);
        #[inline(always)]
        fn run<M: Machine>(self) -> Self::Output {
            let Self(evaluation, space, discs) = self;
            let mut numbers = Vec::new();
            evaluation.layout.numbers::<M>(space, discs, &mut numbers);
            (evaluation.score_of::<M>(space, discs), numbers)
        }
    }

    #[test]
    fn evaluations_add_up_features_and_know_symmetry() {
        let mut random = Random::new(3);
        for size in ["8x8", "6x6", "5x7", "5x5", "4x6", "3x9", "4x16", "7x9"] {
            let grid: Grid = size.parse().unwrap();
            let (shapes, space) = (shapes(&grid), Space::new(&grid, false));
            let count = Layout::new(&shapes).stage_weights();
            let weights: Vec<i16> = (0..count).map(|_| random.bits() as i16 / 64).collect();
            let weights = Arc::new(weights);
            let source = Arc::clone(&weights);
            let source = Box::new(move |_| source.to_vec());
            let evaluation = Evaluation::new(&shapes, stages(grid.len()), source);
            for _ in 0..20 {
                let occupied = random.bits() & space.board;
                let own = random.bits() & occupied;
                let discs = Discs {
                    own,
                    opponent: occupied & !own,
                };
                for isa in Isa::available() {
                    let (score, numbers) = isa.run(Score(&evaluation, &space, discs));
                    let worth = |&number: &u32| i32::from(weights[number as usize]);
                    let sum: i32 = numbers.iter().map(worth).sum();
                    assert_eq!(numbers.len(), evaluation.layout.width());
                    assert_eq!(score, sum, "{size}");
                    for symmetry in Symmetry::all(&grid) {
                        let (own, opponent) =
                            (symmetry.cells(discs.own), symmetry.cells(discs.opponent));
                        let turned = Discs { own, opponent };
                        let (score, _) = isa.run(Score(&evaluation, &space, turned));
                        assert_eq!(score, sum, "{size}");
                    }
                }
            }
        }
    }

    #[test]
    fn features_follow_the_game() {
        let mut random = Random::new(4);
        for size in ["8x8", "6x6", "5x8"] {
            let grid: Grid = size.parse().unwrap();
            let layout = Layout::new(&shapes(&grid));
            let game = Othello::<u64>::new(grid);
            let setup = start(grid, Opening::DIAGONAL).unwrap();
            let mut position = game.position(&setup, Color::Black).unwrap();
            let discs = |position: &upstar_games::Position<u64>| Discs {
                own: position.own,
                opponent: position.opponent,
            };
            let mut features = layout.features(discs(&position));
            while let Some(mv) = random_move(&game, &position, &mut random) {
                let before = discs(&position);
                position = game.play_unchecked(&position, mv);
                features = match mv {
                    upstar_games::othello::Move::Place(cell) => {
                        let turned = before.opponent & !discs(&position).own;
                        layout.after(&features, cell.index(), turned)
                    }
                    upstar_games::othello::Move::Pass => features.passed(),
                };
                assert_eq!(features, layout.features(discs(&position)), "{size}");
            }
        }
    }
}
