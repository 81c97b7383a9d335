//! From a small component to its value: one look for the shape, one for the colouring.

use std::sync::Arc;

use upstar_games::Cells;

use super::shapes::Place;
use super::value_table::ValueTable;
use super::values::{Value, Values};

/// The place of a free slot: beyond the entries of every table, so that a component without a value
/// ends the program instead of giving a wrong result.
const MISSING: u32 = u32::MAX;

/// The shapes of the value table as sets of cells of one board.
pub(crate) struct Lookup<B> {
    table: Arc<ValueTable>,
    /// Open addressing; an empty set is a free place.
    slots: Vec<(B, u32)>,
    shift: u32,
    largest: u32,
}

impl<B: Cells> Lookup<B> {
    /// The shapes that fit on the board: `set` says which cells they are there. None with more stones
    /// than `most`.
    pub(crate) fn new(
        table: Arc<ValueTable>,
        set: impl Fn(&[Place]) -> Option<B>,
        most: u32,
    ) -> Self {
        let shapes: Vec<(B, u32)> = table
            .shapes()
            .filter_map(|(cells, place)| Some((set(cells)?, place as u32)))
            .collect();
        let size = (2 * shapes.len()).next_power_of_two().max(2);
        let mut lookup = Self {
            largest: most.min(table.kind().stones as u32),
            table,
            slots: vec![(B::EMPTY, MISSING); size],
            shift: 64 - size.ilog2(),
        };
        for (shape, base) in shapes {
            let place = lookup.place(shape);
            lookup.slots[place] = (shape, base);
        }
        lookup
    }

    /// How many stones a component may have to be in the table.
    #[inline(always)]
    pub(crate) fn largest(&self) -> u32 {
        self.largest
    }

    /// Whether it is about single rows.
    pub(crate) fn is_of_rows(&self) -> bool {
        self.table.kind().rows == 1
    }

    /// What is known of the values.
    #[inline(always)]
    pub(crate) fn values(&self) -> &Values {
        &self.table.values
    }

    /// Where this shape is, or would be.
    #[inline(always)]
    fn place(&self, shape: B) -> usize {
        let wide: u128 = shape.into();
        let word = wide as u64 ^ (wide >> 64) as u64;
        let mut place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[place].0 != shape && !self.slots[place].0.is_empty() {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }

    /// The value of a shape of the table with this colouring.
    #[inline(always)]
    pub(crate) fn value(&self, shape: B, colouring: usize) -> Value {
        let (_, base) = self.slots[self.place(shape)];
        self.table.value(base as usize + colouring)
    }
}
