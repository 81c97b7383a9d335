//! The solver as an oracle for proof files: it names the winner's replies, and simpler components of
//! the same value.
//!
//! Nothing here needs to be trusted: a proof is checked by other code.

use std::collections::HashMap;
use std::sync::Arc;

use upstar_games::{Board, Color};
use upstar_proof::clobber::{Arena, Oracle, Piece, Sum};

use super::engine::{Engine, Part};
use super::shapes::Place;
use super::value_table::ValueTable;
use super::values::Value;
use upstar_jobs::Budget;

/// A solver that answers the questions of a proof's writer.
pub(crate) struct Proving<'a> {
    engine: &'a mut dyn Engine,
    values: Arc<ValueTable>,
    arena: Arena,
    /// Where the colourings of each shape begin in the table.
    shapes: HashMap<Vec<Place>, usize>,
    /// For each value the first component in the table that has it, which has the fewest stones.
    models: Vec<Option<(u32, u32)>>,
    /// All shapes by number.
    list: Vec<Vec<Place>>,
    /// Whether components are the same wherever they stand.
    moves_freely: bool,
    budget: &'a Budget,
    parts: HashMap<Piece, Part>,
}

impl<'a> Proving<'a> {
    pub(crate) fn new(
        engine: &'a mut dyn Engine,
        board: &Board,
        values: Arc<ValueTable>,
        arena: Arena,
        budget: &'a Budget,
    ) -> Self {
        let mut models = vec![None; values.value_count()];
        let mut shapes = HashMap::new();
        let mut list = Vec::new();
        for (number, (cells, base)) in values.shapes().enumerate() {
            shapes.insert(cells.to_vec(), base);
            list.push(cells.to_vec());
            for colouring in 0..1usize << cells.len() {
                let model = &mut models[values.value(base + colouring).0 as usize];
                if model.is_none() {
                    *model = Some((number as u32, colouring as u32));
                }
            }
        }
        Self {
            engine,
            values,
            arena,
            shapes,
            models,
            list,
            moves_freely: matches!(board, Board::Grid(_)),
            budget,
            parts: HashMap::new(),
        }
    }

    /// The value of a piece, if it is in the table.
    fn value(&self, piece: &Piece) -> Option<Value> {
        if piece.len() as usize > self.values.kind().stones {
            return None;
        }
        // The table of a strip has no shapes that stand upright.
        [false, true].into_iter().find_map(|turned| {
            let mut stones: Vec<(Place, Color)> = piece
                .stones()
                .map(|(row, col, color)| {
                    let place = (row as u8, col as u8);
                    (if turned { (place.1, place.0) } else { place }, color)
                })
                .collect();
            stones.sort_unstable_by_key(|&(place, _)| place);
            let cells: Vec<Place> = stones.iter().map(|&(place, _)| place).collect();
            let base = *self.shapes.get(&cells)?;
            let bit = |(i, &(_, color)): (usize, &(Place, Color))| {
                usize::from(color == Color::Black) << i
            };
            let colouring: usize = stones.iter().enumerate().map(bit).sum();
            Some(self.values.value(base + colouring))
        })
    }

    fn part(&mut self, piece: &Piece) -> Part {
        if let Some(&part) = self.parts.get(piece) {
            return part;
        }
        let part = match self.value(piece) {
            Some(value) => Part::Small(value),
            None => self.engine.large(
                piece.rows(),
                piece.cols(),
                [piece.cells(Color::Black), piece.cells(Color::White)],
            ),
        };
        // Large pieces are many, and seldom come back.
        if matches!(part, Part::Small(_)) {
            self.parts.insert(*piece, part);
        }
        part
    }
}

impl Oracle for Proving<'_> {
    fn simpler(&mut self, piece: &Piece) -> Option<Vec<Piece>> {
        if !self.moves_freely {
            return None;
        }
        let value = self.value(piece)?;
        if value == Value::ZERO {
            return Some(Vec::new());
        }
        let (shape, colouring) = self.models[value.0 as usize]?;
        let cells = &self.list[shape as usize];
        let rows = cells.iter().map(|cell| usize::from(cell.0)).max()? + 1;
        let cols = cells.iter().map(|cell| usize::from(cell.1)).max()? + 1;
        let (mut black, mut white) = (0u128, 0u128);
        for (i, &(row, col)) in cells.iter().enumerate() {
            let bit = 1 << (usize::from(row) * cols + usize::from(col));
            if colouring >> i & 1 != 0 {
                black |= bit;
            } else {
                white |= bit;
            }
        }
        let simpler = self.arena.pieces(rows, cols, black, white);
        (simpler != [*piece]).then_some(simpler)
    }

    fn lost(&mut self, to_move: Color, sums: &[Sum]) -> Option<usize> {
        let parts: Vec<Vec<Part>> = sums
            .iter()
            .map(|sum| sum.pieces().iter().map(|piece| self.part(piece)).collect())
            .collect();
        self.engine.first_lost(&parts, to_move.index(), self.budget)
    }
}
