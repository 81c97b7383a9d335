//! The file of fitted weights that the program brings along, `data/othello.weights`.
//!
//! Eight bytes say what it is and eight are a checksum of the rest; then for each board rows, columns, how many weights a stage has and how
//! many bytes they all take, four bytes each and little-endian; then the weights, coded by `coder.rs`
//! stage by stage, each in the context of the same weight one stage earlier.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use upstar_games::{Cell, Grid};

use super::coder::{Decoder, Encoder};
use super::patterns::{Evaluation, STAGES, Shape, shapes};
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"upothel3";

/// What `fit` made for the boards that are asked for most.
const SHIPPED: &[u8] = include_bytes!("../../data/othello.weights");

/// The weights of one board: those of each stage, shape by shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pub(super) grid: Grid,
    pub(super) stages: [Vec<i8>; STAGES.len()],
}

impl Weights {
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
            for place in shapes.iter_mut().flat_map(|shape| &mut shape.places) {
                place.iter_mut().for_each(|cell| *cell = turned(*cell));
            }
        }
        let wanted: usize = shapes.iter().map(|shape: &Shape| shape.weights).sum();
        let right = self.stages.iter().all(|stage| stage.len() == wanted);
        right.then(|| Evaluation::new(&shapes, self.stages.each_ref().map(Vec::as_slice)))
    }
}

/// The evaluation for this board that the program brings along. It is unpacked once for each board.
pub(super) fn shipped(grid: &Grid) -> Option<Arc<Evaluation>> {
    static UNPACKED: Mutex<BTreeMap<(usize, usize), Arc<Evaluation>>> = Mutex::new(BTreeMap::new());
    if grid.holes() != 0 {
        return None;
    }
    let sides = (grid.rows(), grid.cols());
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(evaluation) = unpacked.get(&sides) {
        return Some(Arc::clone(evaluation));
    }
    let all = records(SHIPPED).expect("the shipped weights are well formed");
    let fits = |record: &&Record<'_>| {
        let (rows, cols) = (record.grid.rows(), record.grid.cols());
        sides == (rows, cols) || sides == (cols, rows)
    };
    let evaluation = all.iter().find(fits)?.weights().evaluation(grid)?;
    let evaluation = Arc::new(evaluation);
    unpacked.insert(sides, Arc::clone(&evaluation));
    Some(evaluation)
}

/// The file with the weights of these boards.
#[must_use]
pub fn write(boards: &[Weights]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for weights in boards {
        let mut encoder = Encoder::new();
        let stage = weights.stages[0].len();
        let mut earlier = vec![0; stage];
        for weights in &weights.stages {
            for (&weight, &earlier) in weights.iter().zip(&earlier) {
                encoder.put(weight, context(earlier));
            }
            earlier.clone_from(weights);
        }
        let packed = encoder.finish();
        bytes.extend([weights.grid.rows() as u8, weights.grid.cols() as u8]);
        bytes.extend((stage as u32).to_le_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        bytes.extend(packed);
    }
    let sum = checksum(&bytes).to_le_bytes();
    [MAGIC, &sum, bytes.as_slice()].concat()
}

/// Reads such a file; `None` if it is none, or damaged.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Vec<Weights>> {
    Some(records(bytes)?.iter().map(Record::weights).collect())
}

/// The weights of one board as they stand in the file.
struct Record<'a> {
    grid: Grid,
    /// How many weights a stage has.
    stage: usize,
    packed: &'a [u8],
}

fn records(bytes: &[u8]) -> Option<Vec<Record<'_>>> {
    let (sum, mut rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    if u64::from_le_bytes(*sum) != checksum(rest) {
        return None;
    }
    let mut records = Vec::new();
    while !rest.is_empty() {
        let (head, body) = rest.split_at_checked(10)?;
        let number = |at: usize| head[at..at + 4].try_into().ok().map(u32::from_le_bytes);
        let (stage, length) = (number(2)? as usize, number(6)? as usize);
        let (packed, after) = body.split_at_checked(length)?;
        let grid = Grid::new(head[0].into(), head[1].into()).ok()?;
        // A pattern has at most 3^10 contents, and there are a few dozen patterns.
        if stage > 1 << 22 {
            return None;
        }
        records.push(Record {
            grid,
            stage,
            packed,
        });
        rest = after;
    }
    Some(records)
}

impl Record<'_> {
    fn weights(&self) -> Weights {
        let mut decoder = Decoder::new(self.packed);
        let mut earlier = vec![0; self.stage];
        let stages = std::array::from_fn(|_| {
            for weight in &mut earlier {
                *weight = decoder.get(context(*weight));
            }
            earlier.clone()
        });
        Weights {
            grid: self.grid,
            stages,
        }
    }
}

/// What a weight of the stage before tells about this one: its sign and about its size.
fn context(earlier: i8) -> usize {
    let size = match earlier.unsigned_abs() {
        0 => return 0,
        1..=2 => 1,
        3..=5 => 2,
        6..=10 => 3,
        11..=20 => 4,
        _ => 5,
    };
    if earlier < 0 { 5 + size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_back() {
        let grid: Grid = "4x5".parse().unwrap();
        let stages = [vec![0, 0, 1, 0], vec![-5, 0, 0, 0], vec![0; 4]];
        let weights = Weights { grid, stages };
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
