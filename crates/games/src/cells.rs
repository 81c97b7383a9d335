//! A cell, and an ordered set of cells.
//!
//! A set of cells is a machine word: `u64` where 64 cells suffice, `u128` otherwise. Intersection,
//! union, difference and complement are the word's own `&`, `|`, `& !` and `!`; iteration goes from
//! the lowest cell to the highest.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// The most cells that a board may have.
pub const MAX_CELLS: usize = 128;

/// A place for one stone: a square of a grid, counted row by row from the top-left one, or a vertex
/// of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this index.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_CELLS`].
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_CELLS, "a cell's index is below 128");
        Self(index as u8)
    }

    /// Its place in the order of cells.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An ordered set of cells, held in one machine word.
pub trait Cells:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Into<u128>
{
    /// The set without cells.
    const EMPTY: Self;
    /// How many cells the word has room for.
    const CAPACITY: usize;

    /// The set of just this cell.
    fn one(cell: Cell) -> Self;
    /// How many cells it holds.
    fn len(self) -> u32;
    /// The lowest cell, if there is any.
    fn first(self) -> Option<Cell>;
    /// The set without its lowest cell.
    fn without_first(self) -> Self;
    /// The same cells from a 128-bit word; cells beyond [`Self::CAPACITY`] are dropped.
    fn from_wide(cells: u128) -> Self;

    /// The set of the cells 0 … `count` − 1.
    #[inline]
    fn first_cells(count: usize) -> Self {
        Self::from_wide(u128::MAX.checked_shr(128 - count as u32).unwrap_or(0))
    }

    /// Whether it holds no cell.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether it holds this cell.
    #[inline(always)]
    fn contains(self, cell: Cell) -> bool {
        !(self & Self::one(cell)).is_empty()
    }

    /// The set with this cell added.
    #[inline(always)]
    #[must_use]
    fn with(self, cell: Cell) -> Self {
        self | Self::one(cell)
    }

    /// The set with this cell removed.
    #[inline(always)]
    #[must_use]
    fn without(self, cell: Cell) -> Self {
        self & !Self::one(cell)
    }

    /// Its cells, lowest first.
    #[inline(always)]
    fn iter(self) -> CellIter<Self> {
        CellIter(self)
    }
}

/// The cells of a set, lowest first.
#[derive(Clone, Debug)]
pub struct CellIter<B>(B);

impl<B: Cells> Iterator for CellIter<B> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0 = self.0.without_first();
        Some(cell)
    }
}

macro_rules! cells_in_a_word {
    ($word:ty) => {
        impl Cells for $word {
            const EMPTY: Self = 0;
            const CAPACITY: usize = <$word>::BITS as usize;

            #[inline(always)]
            fn one(cell: Cell) -> Self {
                1 << cell.0
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> Option<Cell> {
                (self != 0).then(|| Cell(self.trailing_zeros() as u8))
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn from_wide(cells: u128) -> Self {
                cells as Self
            }
        }
    };
}

cells_in_a_word!(u64);
cells_in_a_word!(u128);

#[cfg(test)]
mod tests {
    use super::*;

    fn behaves_as_a_set<B: Cells>() {
        let last = Cell::new(B::CAPACITY - 1);
        let set = B::EMPTY.with(last).with(Cell::new(3)).with(Cell::new(3));
        assert_eq!(set.len(), 2);
        assert!(set.contains(last) && !set.contains(Cell::new(4)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Cell::new(3), last]);
        assert_eq!(set.without(last).first(), Some(Cell::new(3)));
        assert_eq!(B::EMPTY.first(), None);
        assert_eq!(B::first_cells(0), B::EMPTY);
        assert_eq!(B::first_cells(B::CAPACITY), !B::EMPTY);
        assert_eq!(B::first_cells(5).len(), 5);
    }

    #[test]
    fn both_widths_behave_as_sets() {
        behaves_as_a_set::<u64>();
        behaves_as_a_set::<u128>();
    }
}
