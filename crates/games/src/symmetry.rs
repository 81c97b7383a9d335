//! Turning and mirroring a grid: the maps of its cells onto themselves that keep neighbours
//! neighbours.

use crate::cells::{Cell, Cells};
use crate::grid::Grid;

/// A map of a grid's cells onto themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    images: Vec<Cell>,
}

impl Symmetry {
    /// All symmetries of a grid, the identity first: up to eight on a square, four otherwise, fewer
    /// where holes or a single row leave fewer different ones.
    #[must_use]
    pub fn all(grid: &Grid) -> Vec<Self> {
        let (rows, cols) = (grid.rows(), grid.cols());
        let mut found: Vec<Self> = Vec::new();
        for index in 0..8 {
            let (transpose, flip_rows, flip_cols) =
                (index & 4 != 0, index & 2 != 0, index & 1 != 0);
            if transpose && rows != cols {
                continue;
            }
            let image = |cell: Cell| {
                let (mut row, mut col) = grid.row_and_col(cell);
                if transpose {
                    (row, col) = (col, row);
                }
                if flip_rows {
                    row = rows - 1 - row;
                }
                if flip_cols {
                    col = cols - 1 - col;
                }
                grid.cell(row, col)
            };
            let images = (0..grid.len()).map(Cell::new).map(image).collect();
            let symmetry = Self { images };
            let keeps_holes = symmetry.cells(grid.holes()) == grid.holes();
            if keeps_holes && !found.contains(&symmetry) {
                found.push(symmetry);
            }
        }
        found
    }

    /// Where this cell goes.
    #[inline]
    #[must_use]
    pub fn cell(&self, cell: Cell) -> Cell {
        self.images[cell.index()]
    }

    /// Where these cells go.
    #[must_use]
    pub fn cells<B: Cells>(&self, cells: B) -> B {
        cells
            .iter()
            .fold(B::EMPTY, |image, cell| image.with(self.cell(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        let setup: crate::Setup = text.parse().unwrap();
        let crate::Board::Grid(grid) = setup.board else {
            panic!("{text} is a grid");
        };
        Symmetry::all(&grid).len()
    }

    #[test]
    fn squares_have_eight_rectangles_four_rows_two() {
        assert_eq!(count("...|...|..."), 8);
        assert_eq!(count("...|..."), 4);
        assert_eq!(count("..."), 2);
        assert_eq!(count("."), 1);
    }

    #[test]
    fn holes_break_symmetries() {
        assert_eq!(count("#..|...|..."), 2);
        assert_eq!(count("#.|.."), 2);
        assert_eq!(count("#..|..."), 1);
    }
}
