//! The file of fitted weights that the program brings along, `data/othello.weights`.
//!
//! Eight bytes say what it is and eight are a checksum of the rest; then for each board rows, columns and
//! stages (a byte each), how many weights a stage has and how many bytes each stage takes (four bytes
//! each), the numbers of `ProbCut` (four bytes each); then the weights of the stages, each coded alone
//! by `coder.rs`, so that only those that are needed are unpacked. All is little-endian.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use upstar_games::{Cell, Grid};

use super::coder::{Decoder, Encoder};
use super::patterns::{DISC, Evaluation, Layout, Shape, shapes, stages};
use super::probcut::ProbCut;
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"upothel4";

/// What `fit` made for the boards that are asked for most.
const SHIPPED: &[u8] = include_bytes!("../../data/othello.weights");

/// The weights of one board.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub(super) grid: Grid,
    /// How many a stage has.
    count: usize,
    /// Those of each stage, packed.
    stages: Vec<Vec<u8>>,
    /// How far shallow searches are off.
    pub(super) probcut: ProbCut,
}

impl Weights {
    /// The weights of each stage, pattern by pattern, then the others.
    pub(super) fn new(grid: Grid, stages: &[Vec<i16>], probcut: ProbCut) -> Self {
        Self {
            grid,
            count: stages[0].len(),
            stages: stages.iter().map(|stage| pack(stage)).collect(),
            probcut,
        }
    }

    /// The evaluation of this grid with them, unless they are for another size.
    pub(super) fn evaluation(&self, grid: &Grid) -> Option<Evaluation> {
        let mut shapes = shapes(&self.grid);
        if self.grid != *grid {
            if grid.holes() != 0
                || (self.grid.rows(), self.grid.cols()) != (grid.cols(), grid.rows())
            {
                return None;
            }
            // The board lies on its side.
            let turned = |cell: Cell| {
                let (row, col) = self.grid.row_and_col(cell);
                grid.cell(col, row)
            };
            for place in shapes
                .iter_mut()
                .flat_map(|shape: &mut Shape| &mut shape.places)
            {
                place.iter_mut().for_each(|cell| *cell = turned(*cell));
            }
        }
        let wanted = Layout::new(&shapes).stage_weights();
        if self.count != wanted || self.stages.len() != stages(grid.len()) {
            return None;
        }
        let (packed, count) = (self.stages.clone(), self.count);
        let unpack = move |stage: usize| unpack(&packed[stage], count);
        Some(Evaluation::new(
            &shapes,
            self.stages.len(),
            Box::new(unpack),
        ))
    }
}

/// What is fitted for a board.
#[derive(Clone)]
pub(super) struct Fitted {
    pub(super) evaluation: Arc<Evaluation>,
    pub(super) probcut: ProbCut,
}

impl Fitted {
    /// From weights for this grid.
    pub(super) fn new(weights: &Weights, grid: &Grid) -> Option<Self> {
        Some(Self {
            evaluation: Arc::new(weights.evaluation(grid)?),
            probcut: weights.probcut,
        })
    }
}

/// What the program brings along for this board. It is read once for each board.
pub(super) fn shipped(grid: &Grid) -> Option<Fitted> {
    static READ: Mutex<BTreeMap<(usize, usize), Fitted>> = Mutex::new(BTreeMap::new());
    if grid.holes() != 0 {
        return None;
    }
    let sides = (grid.rows(), grid.cols());
    let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(fitted) = known.get(&sides) {
        return Some(fitted.clone());
    }
    let all = read(SHIPPED).expect("the shipped weights are well formed");
    let fitted = all.iter().find_map(|weights| Fitted::new(weights, grid))?;
    known.insert(sides, fitted.clone());
    Some(fitted)
}

/// A plain evaluation where nothing is fitted: moves count, and corners where the board has patterns.
pub(super) fn plain(grid: &Grid) -> Fitted {
    const MOVE: i32 = 2 * DISC / 5;
    const CORNER: i32 = 6 * DISC;
    let shapes = shapes(grid);
    let layout = Layout::new(&shapes);
    let mut weights = vec![0i16; layout.stage_weights()];
    layout.weigh_corners(&mut weights, CORNER as i16);
    layout.weigh_moves(&mut weights, MOVE as i16);
    let source = Box::new(move |_| weights.clone());
    Fitted {
        evaluation: Arc::new(Evaluation::new(&shapes, stages(grid.len()), source)),
        probcut: ProbCut::default(),
    }
}

/// The file with the weights of these boards.
#[must_use]
pub fn write(boards: &[Weights]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for weights in boards {
        let sides = [weights.grid.rows(), weights.grid.cols()];
        bytes.extend(sides.map(|side| side as u8));
        bytes.push(weights.stages.len() as u8);
        let lengths = weights.stages.iter().map(Vec::len);
        for number in std::iter::once(weights.count).chain(lengths) {
            bytes.extend((number as u32).to_le_bytes());
        }
        for number in weights.probcut.numbers() {
            bytes.extend(number.to_le_bytes());
        }
        weights.stages.iter().for_each(|stage| bytes.extend(stage));
    }
    let sum = checksum(&bytes).to_le_bytes();
    [MAGIC, &sum, bytes.as_slice()].concat()
}

/// Reads such a file; `None` if it is none, or damaged.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Vec<Weights>> {
    let (sum, mut rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    if u64::from_le_bytes(*sum) != checksum(rest) {
        return None;
    }
    let mut boards = Vec::new();
    while !rest.is_empty() {
        let (&[rows, cols, stages], after) = rest.split_first_chunk()?;
        rest = after;
        let mut word = || {
            let (word, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u32::from_le_bytes(*word))
        };
        let count = word()? as usize;
        let lengths: Vec<u32> = (0..stages).map(|_| word()).collect::<Option<_>>()?;
        let mut probcut = [0.0; ProbCut::NUMBERS];
        for number in &mut probcut {
            *number = f32::from_bits(word()?);
        }
        // A pattern has at most 3^10 contents, and there are a few dozen patterns.
        if count > 1 << 22 {
            return None;
        }
        let mut packed = Vec::new();
        for length in lengths {
            let (stage, after) = rest.split_at_checked(length as usize)?;
            packed.push(stage.to_vec());
            rest = after;
        }
        boards.push(Weights {
            grid: Grid::new(rows.into(), cols.into()).ok()?,
            count,
            stages: packed,
            probcut: ProbCut::from_numbers(&probcut),
        });
    }
    Some(boards)
}

fn pack(weights: &[i16]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut before = [0; 2];
    for &weight in weights {
        encoder.put(weight, context(before));
        before = [weight, before[0]];
    }
    encoder.finish()
}

fn unpack(packed: &[u8], count: usize) -> Vec<i16> {
    let mut decoder = Decoder::new(packed);
    let mut before = [0; 2];
    let next = |_| {
        let weight = decoder.get(context(before));
        before = [weight, before[0]];
        weight
    };
    (0..count).map(next).collect()
}

/// What the two weights before tell about one: their sizes, roughly.
fn context(before: [i16; 2]) -> usize {
    let size = |weight: i16| match weight.unsigned_abs() {
        0 => 0,
        1..=3 => 1,
        4..=10 => 2,
        _ => 3,
    };
    4 * size(before[0]) + size(before[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_back() {
        let grid: Grid = "4x5".parse().unwrap();
        let stages = [vec![0, 0, 1, 0], vec![-500, 0, 0, 0], vec![0; 4]];
        let numbers = std::array::from_fn(|index| index as f32 / 7.0);
        let weights = Weights::new(grid, &stages, ProbCut::from_numbers(&numbers));
        assert_eq!(unpack(&weights.stages[1], 4), stages[1]);
        let boards = vec![weights.clone(), weights];
        assert_eq!(read(&write(&boards)), Some(boards.clone()));
        let bytes = write(&boards);
        assert_eq!(read(&bytes[..bytes.len() - 5]), None);
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            assert_eq!(read(&damaged), None, "{place}");
        }
        assert_eq!(read(b"something else"), None);
    }

    #[test]
    fn shipped_weights_serve_a_board_and_its_side() {
        for size in ["8x8", "6x6", "5x7", "7x5", "8x5"] {
            assert!(shipped(&size.parse().unwrap()).is_some(), "{size}");
        }
        assert!(shipped(&"2x9".parse().unwrap()).is_none());
    }
}
