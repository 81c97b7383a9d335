//! Boards that no [`Lattice`](super::space::Lattice) holds: large grids, and graphs. Everything is
//! right there and a little slower.

use upstar_games::{Board, Cell, Cells, Grid};
use upstar_machine::Machine;

use super::diamond;
use super::space::{Space, boxed};
use crate::key::{Key, mix};

/// A grid of at most 128 cells, row by row in a word.
pub(crate) struct Plane {
    rows: usize,
    cols: usize,
    first_column: u128,
    last_column: u128,
    /// For each cell those of its diamond.
    near: Vec<u128>,
}

impl Plane {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        let beside = |cells: u128| {
            let neighbours = |cell: Cell| Board::Grid(*grid).neighbours(cell);
            cells.iter().flat_map(neighbours).fold(cells, u128::with)
        };
        let near = |cell| beside(beside(u128::one(Cell::new(cell))));
        Self {
            near: (0..grid.len()).map(near).collect(),
            rows,
            cols,
            first_column: grid.columns(|col| col == 0),
            last_column: grid.columns(|col| col + 1 == cols),
        }
    }

    fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.cols, cell.index() % self.cols)
    }

    fn above_and_below(&self, set: u128) -> u128 {
        if self.rows == 1 {
            0
        } else {
            set << self.cols | set >> self.cols
        }
    }
}

impl Space for Plane {
    type Set = u128;

    fn spread(&self, set: u128) -> u128 {
        self.above_and_below(set) | (set & !self.last_column) << 1 | (set & !self.first_column) >> 1
    }

    fn corner(&self, set: u128) -> u128 {
        let row = set.iter().map(|cell| self.place(cell).0).min().unwrap_or(0);
        let col = set.iter().map(|cell| self.place(cell).1).min().unwrap_or(0);
        set >> (row * self.cols + col)
    }

    fn embed(&self, rows: usize, cols: usize, cells: u128) -> u128 {
        let upright = rows <= self.rows && cols <= self.cols;
        let bit = |(row, col): (usize, usize)| {
            let (row, col) = if upright { (row, col) } else { (col, row) };
            1 << (row * self.cols + col)
        };
        boxed(cols, cells).map(bit).sum()
    }

    fn keys(&self, stones: [u128; 2]) -> [Key; 2] {
        let occupied = stones[0] | stones[1];
        let places = || occupied.iter().map(|cell| self.place(cell));
        let (top, bottom) = (places().map(|p| p.0).min(), places().map(|p| p.0).max());
        let (left, right) = (places().map(|p| p.1).min(), places().map(|p| p.1).max());
        let (Some(top), Some(bottom), Some(left), Some(right)) = (top, bottom, left, right) else {
            return [0; 2];
        };
        // Each image as two words in its own box, and the shape of the box.
        let image = |symmetry: usize, set: u128| {
            let (mut height, mut width) = (bottom - top + 1, right - left + 1);
            if symmetry & 4 != 0 {
                (height, width) = (width, height);
            }
            let mut image = 0u128;
            for cell in set.iter() {
                let (row, col) = self.place(cell);
                let row = if symmetry & 1 != 0 {
                    bottom - row
                } else {
                    row - top
                };
                let col = if symmetry & 2 != 0 {
                    right - col
                } else {
                    col - left
                };
                let (row, col) = if symmetry & 4 != 0 {
                    (col, row)
                } else {
                    (row, col)
                };
                debug_assert!(row < height);
                image |= 1 << (row * width + col);
            }
            (width, image)
        };
        [0, 1].map(|view| {
            let images = (0..8).map(|symmetry| {
                let (width, shape) = image(symmetry, occupied);
                (width, shape, image(symmetry, stones[view]).1)
            });
            let (width, shape, own) = images.min().expect("there are eight images");
            let half = |wide: u128| mix(wide as u64, (wide >> 64) as u64);
            let mixed = half(shape)
                .wrapping_mul(3)
                .wrapping_add(half(own))
                .wrapping_add(width as u128);
            half(mixed)
        })
    }

    fn diamond<M: Machine>(&self, own: u128, opponent: u128, cell: u32) -> usize {
        let near = self.near(cell);
        let number = |set: u128| -> u32 {
            let stones = (set & near).iter();
            stones
                .map(|stone| self.power(cell, stone.index() as u32))
                .sum()
        };
        (number(own) + 2 * number(opponent)) as usize
    }

    fn near(&self, cell: u32) -> u128 {
        self.near[cell as usize]
    }

    fn power(&self, middle: u32, cell: u32) -> u32 {
        let place = |cell: u32| {
            let (row, col) = self.place(Cell::new(cell as usize));
            (row as i32, col as i32)
        };
        let ((row, col), (other_row, other_col)) = (place(middle), place(cell));
        diamond::power(other_row - row, other_col - col)
    }

    fn compress<M: Machine>(set: u128, mask: u128) -> usize {
        compress_wide::<M>(set, mask)
    }
}

#[inline(always)]
fn compress_wide<M: Machine>(set: u128, mask: u128) -> usize {
    let low = M::compress(set as u64, mask as u64);
    let high = M::compress((set >> 64) as u64, (mask >> 64) as u64);
    (low | high << (mask as u64).count_ones()) as usize
}

/// A graph: a component is itself only where it stands.
pub(crate) struct Network {
    beside: Vec<u128>,
}

impl Network {
    pub(crate) fn new(board: &Board) -> Self {
        let set = |cell| {
            board
                .neighbours(Cell::new(cell))
                .into_iter()
                .fold(0, u128::with)
        };
        Self {
            beside: (0..board.len()).map(set).collect(),
        }
    }
}

impl Space for Network {
    type Set = u128;

    fn spread(&self, set: u128) -> u128 {
        set.iter()
            .fold(0, |reached, cell| reached | self.beside[cell.index()])
    }

    fn corner(&self, set: u128) -> u128 {
        set
    }

    fn embed(&self, _rows: usize, _cols: usize, cells: u128) -> u128 {
        cells
    }

    fn keys(&self, stones: [u128; 2]) -> [Key; 2] {
        let half = |wide: u128| mix(wide as u64, (wide >> 64) as u64);
        let key = |own: u128, opponent: u128| {
            half(half(own).wrapping_mul(3).wrapping_add(half(opponent)))
        };
        [key(stones[0], stones[1]), key(stones[1], stones[0])]
    }

    /// The diamond of a vertex: itself in the middle, and its neighbours around it, as far as there is room.
    fn diamond<M: Machine>(&self, own: u128, opponent: u128, cell: u32) -> usize {
        let number = |set: u128| -> u32 {
            let stones = (set & self.near(cell)).iter();
            stones
                .map(|stone| self.power(cell, stone.index() as u32))
                .sum()
        };
        (number(own) + 2 * number(opponent)) as usize
    }

    fn near(&self, cell: u32) -> u128 {
        self.beside[cell as usize] | 1 << cell
    }

    fn power(&self, middle: u32, cell: u32) -> u32 {
        // Those of a cell of a grid come to where they are there.
        const AROUND: [(i32, i32); 8] = [
            (-1, 0),
            (0, -1),
            (0, 1),
            (1, 0),
            (-1, -1),
            (-1, 1),
            (1, -1),
            (1, 1),
        ];
        if middle == cell {
            return diamond::power(0, 0);
        }
        let beside = self.beside[middle as usize];
        if beside >> cell & 1 == 0 {
            return 0;
        }
        let before = (beside & ((1 << cell) - 1)).count_ones() as usize;
        let place = AROUND.get(before);
        place.map_or(0, |&(rows, cols)| diamond::power(rows, cols))
    }

    fn compress<M: Machine>(set: u128, mask: u128) -> usize {
        compress_wide::<M>(set, mask)
    }
}
