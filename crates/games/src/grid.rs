//! A rectangular board, with or without holes, and the names of its cells.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::cells::{Cell, Cells, MAX_CELLS};

/// A board of rows and columns. Row 1 is the top row and `a1` its leftmost cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: u8,
    cols: u8,
    holes: u128,
}

impl Grid {
    /// A board of this size without holes.
    ///
    /// # Errors
    /// If it would have no cell, or more than [`MAX_CELLS`].
    pub fn new(rows: usize, cols: usize) -> Result<Self, SizeError> {
        match rows.checked_mul(cols) {
            Some(0) => Err(SizeError::Empty { rows, cols }),
            Some(1..=MAX_CELLS) => Ok(Self {
                rows: rows as u8,
                cols: cols as u8,
                holes: 0,
            }),
            _ => Err(SizeError::TooLarge { rows, cols }),
        }
    }

    /// The same board with these cells cut out.
    #[must_use]
    pub fn with_holes(self, holes: u128) -> Self {
        Self {
            holes: holes & u128::first_cells(self.len()),
            ..self
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// The number of columns.
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols.into()
    }

    /// The number of cells, holes included: cells have the indices below it.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a grid has at least one cell")]
    pub fn len(&self) -> usize {
        self.rows() * self.cols()
    }

    /// The cells cut out.
    #[must_use]
    pub fn holes(&self) -> u128 {
        self.holes
    }

    /// The cells that can hold a stone.
    #[must_use]
    pub fn cells(&self) -> u128 {
        u128::first_cells(self.len()) & !self.holes
    }

    /// The cell at this row and column, both counted from 0.
    #[must_use]
    pub fn cell(&self, row: usize, col: usize) -> Cell {
        debug_assert!(row < self.rows() && col < self.cols());
        Cell::new(row * self.cols() + col)
    }

    /// Row and column of a cell, both counted from 0.
    #[must_use]
    pub fn row_and_col(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.cols(), cell.index() % self.cols())
    }

    /// The cells in the columns for which `keep` holds.
    #[must_use]
    pub fn columns(&self, keep: impl Fn(usize) -> bool) -> u128 {
        (0..self.len())
            .filter(|index| keep(index % self.cols()))
            .fold(0, |set, index| set.with(Cell::new(index)))
    }

    /// The cells next to this one that are not holes, in the order up, left, down, right.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (row, col) = self.row_and_col(cell);
        let up = row.checked_sub(1).map(|row| (row, col));
        let left = col.checked_sub(1).map(|col| (row, col));
        let down = (row + 1 < self.rows()).then_some((row + 1, col));
        let right = (col + 1 < self.cols()).then_some((row, col + 1));
        [up, left, down, right]
            .into_iter()
            .flatten()
            .map(|(row, col)| self.cell(row, col))
            .filter(|&neighbour| !self.holes.contains(neighbour))
    }

    /// The name of a cell: `a1` is top-left, `b1` right of it, `aa1` follows `z1`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let (row, col) = self.row_and_col(cell);
        format!("{}{}", column_name(col), row + 1)
    }

    /// The cell of this name, if it is on the board and no hole.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = name.split_at(digits);
        let col = column_index(letters)?;
        let row = number.parse::<usize>().ok()?.checked_sub(1)?;
        // "a01" and "a+1" are no names of ours.
        let canonical = number.bytes().all(|b| b.is_ascii_digit()) && !number.starts_with('0');
        (canonical && row < self.rows() && col < self.cols())
            .then(|| self.cell(row, col))
            .filter(|&cell| !self.holes.contains(cell))
    }
}

/// The letters of a column counted from 0: a … z, aa, ab, …
#[must_use]
pub fn column_name(col: usize) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    if col < 26 {
        letter(col).to_string()
    } else {
        format!("{}{}", letter(col / 26 - 1), letter(col % 26))
    }
}

fn column_index(letters: &str) -> Option<usize> {
    let value = |letter: u8| {
        letter
            .is_ascii_lowercase()
            .then(|| usize::from(letter - b'a'))
    };
    match *letters.to_ascii_lowercase().as_bytes() {
        [one] => value(one),
        [high, low] => Some((value(high)? + 1) * 26 + value(low)?),
        _ => None,
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// Reads a size, `ROWSxCOLS`.
impl FromStr for Grid {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let malformed = || SizeError::Malformed(crate::excerpt(text));
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or_else(malformed)?;
        let number = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(malformed());
            }
            digits
                .parse()
                .map_err(|_| SizeError::Huge(crate::excerpt(text)))
        };
        Self::new(number(rows)?, number(cols)?)
    }
}

/// Why a size is not that of a board.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SizeError {
    /// Not of the form `ROWSxCOLS`.
    #[error("'{0}' is not a size ROWSxCOLS")]
    Malformed(String),
    /// Numbers beyond all bounds.
    #[error("a {0} board has more than {MAX_CELLS} cells")]
    Huge(String),
    /// No cell at all.
    #[error("a {rows}x{cols} board has no cells")]
    Empty {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// More than [`MAX_CELLS`] cells.
    #[error("a {rows}x{cols} board has more than {MAX_CELLS} cells")]
    TooLarge {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_column_letter_and_row_from_the_top() {
        let grid: Grid = "4x5".parse().unwrap();
        assert_eq!(grid.name(grid.cell(0, 0)), "a1");
        assert_eq!(grid.name(grid.cell(3, 4)), "e4");
        let row: Grid = "1x128".parse().unwrap();
        assert_eq!(row.name(Cell::new(25)), "z1");
        assert_eq!(row.name(Cell::new(26)), "aa1");
        assert_eq!(row.name(Cell::new(127)), "dx1");
    }

    #[test]
    fn every_name_is_read_back() {
        for size in ["1x128", "128x1", "8x16", "3x3"] {
            let grid: Grid = size.parse().unwrap();
            for cell in grid.cells().iter() {
                assert_eq!(grid.cell_named(&grid.name(cell)), Some(cell));
            }
        }
    }

    #[test]
    fn names_off_the_board_are_refused() {
        let grid: Grid = "3x3".parse().unwrap();
        for name in [
            "", "a", "1", "a0", "a4", "d1", "a01", "a+1", "aa1", "aaa1", "ä1", "a1b",
        ] {
            assert_eq!(grid.cell_named(name), None, "{name}");
        }
        assert_eq!(grid.with_holes(1).cell_named("a1"), None);
    }

    #[test]
    fn sizes_outside_the_limits_are_refused() {
        assert!("8x16".parse::<Grid>().is_ok());
        assert!("0x5".parse::<Grid>().is_err());
        assert!("3x43".parse::<Grid>().is_err());
        assert!("99999999999999999999x2".parse::<Grid>().is_err());
        for text in ["", "4", "4x", "x4", "4x5x6", "-4x5", "+4x5", "4 x 5"] {
            assert!(
                matches!(text.parse::<Grid>(), Err(SizeError::Malformed(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn neighbours_come_up_left_down_right_and_skip_holes() {
        let grid: Grid = "3x3".parse().unwrap();
        let names = |grid: Grid| -> Vec<String> {
            grid.neighbours(grid.cell(1, 1))
                .map(|cell| grid.name(cell))
                .collect()
        };
        assert_eq!(names(grid), ["b1", "a2", "b3", "c2"]);
        let without_b1 = grid.with_holes(u128::one(grid.cell(0, 1)));
        assert_eq!(names(without_b1), ["a2", "b3", "c2"]);
    }
}
