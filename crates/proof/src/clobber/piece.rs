//! A piece: stones that hang together, in normal form.
//!
//! On a grid a piece is the content of its bounding box, and of all its turned and mirrored images
//! the least one stands for all: the rules know only which cells are neighbours. On a graph a piece
//! stays where it is.

use std::fmt;
use std::hash::{Hash, Hasher};

use upstar_games::{Cells, Color};

/// Connected stones in normal form. Cell `row × cols + col` of the box is bit number
/// `row × cols + col`; on a graph the box has one row, with a column for each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    rows: u8,
    cols: u8,
    black: u128,
    white: u128,
}

impl Piece {
    /// The stones of a box as they stand, which the caller knows to be connected.
    pub(crate) const fn placed(rows: u8, cols: u8, black: u128, white: u128) -> Self {
        Self {
            rows,
            cols,
            black,
            white,
        }
    }

    /// The rows of the box.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// The columns of the box: on a graph, its number of vertices.
    #[must_use]
    pub const fn cols(&self) -> usize {
        self.cols as usize
    }

    /// The cells of the box with stones of this colour.
    #[must_use]
    pub const fn cells(&self, color: Color) -> u128 {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The cells of the box that hold a stone.
    #[must_use]
    pub const fn occupied(&self) -> u128 {
        self.black | self.white
    }

    /// The number of stones.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.black.count_ones() + self.white.count_ones()
    }

    /// Whether there is no stone, which never holds for a piece of a [`Sum`](crate::clobber::Sum).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.occupied() == 0
    }

    /// The stones by row and column, row by row; on a graph the column is the vertex.
    pub fn stones(&self) -> impl Iterator<Item = (usize, usize, Color)> + use<> {
        let (cols, black) = (self.cols(), self.black);
        self.occupied().iter().map(move |cell| {
            let color = if black.contains(cell) {
                Color::Black
            } else {
                Color::White
            };
            (cell.index() / cols, cell.index() % cols, color)
        })
    }

    /// The colours exchanged, the stones left in their places.
    pub(crate) const fn exchanged(self) -> Self {
        Self {
            black: self.white,
            white: self.black,
            ..self
        }
    }

    /// The order of lemmas: fewer stones first, then box and stones.
    pub(crate) const fn rank(&self) -> (u32, &Self) {
        (self.len(), self)
    }

    /// Whether the colours and the box are such that the one could be the other's negative.
    pub(crate) const fn may_cancel(&self, other: &Self) -> bool {
        self.rows == other.rows
            && self.cols == other.cols
            && self.black.count_ones() == other.white.count_ones()
            && self.white.count_ones() == other.black.count_ones()
    }

    /// The stones of `part` alone, in their own bounding box.
    pub(crate) fn cropped(&self, part: u128) -> Self {
        let cols = u32::from(self.cols);
        let top = part.trailing_zeros() / cols;
        let bottom = (127 - part.leading_zeros()) / cols;
        let width = first(cols);
        let columns = (top..=bottom).fold(0, |columns, row| columns | part >> (row * cols)) & width;
        let left = columns.trailing_zeros();
        let new_cols = 128 - columns.leading_zeros() - left;
        let new_rows = bottom - top + 1;
        let crop = |cells: u128| {
            if new_cols == cols {
                return (cells & part) >> (top * cols);
            }
            (0..new_rows).fold(0, |kept, row| {
                let line = (cells & part) >> ((top + row) * cols + left) & first(new_cols);
                kept | line << (row * new_cols)
            })
        };
        Self {
            rows: new_rows as u8,
            cols: new_cols as u8,
            black: crop(self.black),
            white: crop(self.white),
        }
    }

    /// The least of the turned and mirrored images, with no more rows than columns.
    pub(crate) fn least_image(&self) -> Self {
        let upright = if self.rows > self.cols {
            self.transposed()
        } else {
            *self
        };
        let least = upright.least_of_four();
        if self.rows == self.cols {
            least.min(upright.transposed().least_of_four())
        } else {
            least
        }
    }

    fn least_of_four(self) -> Self {
        let mirrored = self.upside_down();
        let turned = self.half_turned().min(mirrored.half_turned());
        self.min(mirrored).min(turned)
    }

    /// Turned by 180 degrees: the order of all cells is reversed.
    fn half_turned(self) -> Self {
        let unused = 128 - u32::from(self.rows) * u32::from(self.cols);
        Self {
            black: self.black.reverse_bits() >> unused,
            white: self.white.reverse_bits() >> unused,
            ..self
        }
    }

    /// The order of rows is reversed.
    fn upside_down(self) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let flip = |cells: u128| {
            (0..rows).fold(0, |flipped, row| {
                flipped | (cells >> (row * cols) & first(cols)) << ((rows - 1 - row) * cols)
            })
        };
        Self {
            black: flip(self.black),
            white: flip(self.white),
            ..self
        }
    }

    /// Rows become columns.
    fn transposed(self) -> Self {
        let (rows, cols) = (u32::from(self.rows), u32::from(self.cols));
        let transpose = |mut cells: u128| {
            let mut image = 0;
            while cells != 0 {
                let cell = cells.trailing_zeros();
                cells &= cells - 1;
                image |= 1 << ((cell % cols) * rows + cell / cols);
            }
            image
        };
        Self {
            rows: self.cols,
            cols: self.rows,
            black: transpose(self.black),
            white: transpose(self.white),
        }
    }
}

/// The cells 0 … `count` − 1, for a count from 1 to 128.
pub(crate) const fn first(count: u32) -> u128 {
    u128::MAX >> (128 - count)
}

/// Few words, because hashing pieces is hot: the upper halves only of boxes that have them.
impl Hash for Piece {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.words() {
            state.write_u64(word);
        }
    }
}

impl Piece {
    /// Words that tell this piece from all others: two pieces of different boxes differ in the first.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let halves = if self.rows() * self.cols() > 64 { 5 } else { 3 };
        let shape = u64::from(self.rows) << 8 | u64::from(self.cols);
        let words = [
            shape,
            self.black as u64,
            self.white as u64,
            (self.black >> 64) as u64,
            (self.white >> 64) as u64,
        ];
        words.into_iter().take(halves)
    }
}

/// The box row by row, `xo.|.xo`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..self.rows() * self.cols() {
            if index > 0 && index % self.cols() == 0 {
                write!(f, "|")?;
            }
            let letter = match (self.black >> index & 1, self.white >> index & 1) {
                (1, _) => Color::Black.letter(),
                (_, 1) => Color::White.letter(),
                _ => '.',
            };
            write!(f, "{letter}")?;
        }
        Ok(())
    }
}
