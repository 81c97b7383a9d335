//! Where stones stand, as bits of a word, and what is the same component elsewhere.
//!
//! A component is worth the same wherever it stands and however it is turned: only who is next to
//! whom matters. [`Lattice`] keeps the rows of a small grid at a fixed stride in a `u64`, so that a
//! normal form costs some shifts and no tables.

use upstar_games::Cells;
use upstar_machine::Machine;

use super::diamond;
use crate::key::{Key, mix};

/// The cells of a board as bits, their neighbours, and the names of components.
pub(crate) trait Space: Send + Sync {
    /// A set of cells.
    type Set: Cells;

    /// The cells next to any of these.
    fn spread(&self, set: Self::Set) -> Self::Set;

    /// Whether the neighbours of `cell` among these stones are certainly connected without it. `false`
    /// means nothing.
    fn surely_connected<M: Machine>(&self, _cell: Self::Set, _occupied: Self::Set) -> bool {
        false
    }

    /// The same shape, moved to where all its copies are moved.
    fn corner(&self, shape: Self::Set) -> Self::Set;

    /// The cells of a box, put somewhere on this board; where it does not fit as it is, turned.
    fn embed(&self, rows: usize, cols: usize, cells: u128) -> Self::Set;

    /// The keys of a connected set of stones, the same for all turned, mirrored or moved copies: as
    /// seen by the owner of the first stones, and by the owner of the second.
    fn keys(&self, stones: [Self::Set; 2]) -> [Key; 2];

    /// The number of the diamond around a cell.
    fn diamond<M: Machine>(&self, own: Self::Set, opponent: Self::Set, cell: u32) -> usize;

    /// The cells of that diamond.
    fn near(&self, cell: u32) -> Self::Set;

    /// What one's own stone adds to the number of the diamond around `middle`; nothing if it stands outside,
    /// but it is at most three steps away.
    fn power(&self, middle: u32, cell: u32) -> u32;

    /// The bits of `set` at the places in `mask`, packed.
    fn compress<M: Machine>(set: Self::Set, mask: Self::Set) -> usize;

    /// The stones connected to `seed`.
    #[inline(always)]
    fn fill(&self, seed: Self::Set, occupied: Self::Set) -> Self::Set {
        let mut filled = seed;
        loop {
            let next = (filled | self.spread(filled)) & occupied;
            if next == filled {
                return filled;
            }
            filled = next;
        }
    }
}

/// The cells of a box with this many columns, by row and column.
pub(crate) fn boxed(cols: usize, cells: u128) -> impl Iterator<Item = (usize, usize)> {
    cells
        .iter()
        .map(move |cell| (cell.index() / cols, cell.index() % cols))
}

/// A grid of 64 / `STRIDE` rows and `STRIDE` columns: 8, 16, 32 or 64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice<const STRIDE: u32>;

impl<const STRIDE: u32> Lattice<STRIDE> {
    pub(crate) const ROWS: u32 = 64 / STRIDE;

    /// The first row.
    const ROW: u64 = !0 >> (64 - STRIDE);

    /// The first column.
    const COLUMN: u64 = {
        let (mut set, mut row) = (0, 0);
        while row < Self::ROWS {
            set |= 1 << (row * STRIDE);
            row += 1;
        }
        set
    };

    /// The cells of the 3×3 window around each cell.
    const WINDOW: [u64; 64] = Self::around(2, 1);

    /// The cells of the diamond around each cell.
    const DIAMOND: [u64; 64] = Self::around(2, 2);

    /// The cells within so many steps of each cell, and within this distance in rows and in columns.
    const fn around(steps: u32, distance: u32) -> [u64; 64] {
        let mut around = [0; 64];
        let mut cell = 0;
        while cell < 64 {
            let (row, col) = (cell as u32 / STRIDE, cell as u32 % STRIDE);
            let mut other = 0;
            while other < 64 {
                let (rows, cols) = (
                    row.abs_diff(other as u32 / STRIDE),
                    col.abs_diff(other as u32 % STRIDE),
                );
                if rows + cols <= steps && rows <= distance && cols <= distance {
                    around[cell] |= 1 << other;
                }
                other += 1;
            }
            cell += 1;
        }
        around
    }

    /// The farthest that two cells within three steps of each other are apart in a word.
    const APART: u32 = 3 * STRIDE;

    /// What a stone adds to the number of a diamond, by how far it is behind the middle in a word, beginning
    /// with `-APART`. Cells within three steps have places of their own, for a row has eight or more.
    const POWERS: [u32; 385] = {
        let mut powers = [0; 385];
        let mut rows = -2;
        while rows <= 2 {
            let mut cols = -2;
            while cols <= 2 {
                let apart = rows * STRIDE as i32 + cols;
                let power = diamond::power(rows, cols);
                if power != 0 {
                    powers[(Self::APART as i32 + apart) as usize] = power;
                }
                cols += 1;
            }
            rows += 1;
        }
        powers
    };

    /// The cells of a diamond whose upper tip is in the upper left corner, as far as a word has them.
    const THIRTEEN: u64 = {
        let rows = [(0, 0b1), (1, 0b111), (2, 0b11111), (3, 0b111), (4, 0b1)];
        let (mut set, mut row) = (0, 0);
        while row < 5 && STRIDE <= 16 {
            let (down, cells) = rows[row];
            let cells: u64 = cells;
            let width = 64 - cells.leading_zeros();
            let shift = down * STRIDE;
            if shift < 64 {
                set |= cells.rotate_left(shift + 64 - width / 2);
            }
            row += 1;
        }
        set
    };

    /// The nine cells of a window in the upper left corner.
    const NINE: u64 = if STRIDE <= 16 {
        0b111 | 0b111 << STRIDE | 0b111 << (2 * STRIDE)
    } else {
        0
    };

    /// The union of all rows, in the first one.
    #[inline(always)]
    fn fold_rows(set: u64) -> u64 {
        let mut fold = set;
        let mut shift = 32;
        while shift >= STRIDE {
            fold |= fold >> shift;
            shift /= 2;
        }
        fold & Self::ROW
    }

    /// The rows in the opposite order.
    #[inline(always)]
    fn flip(set: u64) -> u64 {
        match STRIDE {
            8 => set.swap_bytes(),
            16 => {
                let swapped =
                    (set & 0x0000_ffff_0000_ffff) << 16 | set >> 16 & 0x0000_ffff_0000_ffff;
                swapped.rotate_left(32)
            }
            32 => set.rotate_left(32),
            _ => set,
        }
    }

    /// The bits of the diamond around a cell, row by row.
    #[inline(always)]
    fn thirteen<M: Machine>(set: u64, cell: u32) -> usize {
        if STRIDE <= 16 {
            let near = set & Self::DIAMOND[cell as usize];
            let near = near.rotate_right(cell.wrapping_sub(2 * STRIDE) & 63);
            let bits = M::compress(near, Self::THIRTEEN) as usize;
            if STRIDE == 8 {
                return bits;
            }
            // Of four rows only one is two rows away: above, or below, where the tip is the last bit.
            let is_below = cell / STRIDE < 2;
            if is_below {
                bits & !1 | (bits & 1) << 12
            } else {
                bits
            }
        } else {
            let (row, col) = (cell / STRIDE, cell % STRIDE);
            // So many cells to either side of the one in this row and the same column.
            let beside = |row: u32, width: u32| {
                if row < Self::ROWS {
                    let cells = u128::from(set >> (row * STRIDE) & Self::ROW);
                    (cells << width >> col) as usize & ((2 << (2 * width)) - 1)
                } else {
                    0
                }
            };
            beside(row.wrapping_sub(1), 1) << 1 | beside(row, 2) << 4 | beside(row + 1, 1) << 9
        }
    }

    /// The nine bits around a cell, row by row.
    #[inline(always)]
    fn nine<M: Machine>(set: u64, cell: u32) -> usize {
        if STRIDE <= 16 {
            let window = set & Self::WINDOW[cell as usize];
            M::compress(
                window.rotate_right(cell.wrapping_sub(STRIDE + 1) & 63),
                Self::NINE,
            ) as usize
        } else {
            let (row, col) = (cell / STRIDE, cell % STRIDE);
            let three = |row: u32| {
                if row < Self::ROWS {
                    let cells = set >> (row * STRIDE) & Self::ROW;
                    (u128::from(cells) << 1 >> col) as usize & 0b111
                } else {
                    0
                }
            };
            three(row.wrapping_sub(1)) | three(row) << 3 | three(row + 1) << 6
        }
    }
}

/// Rows and columns exchanged, by exchanging ever larger blocks (Hacker's Delight 7–3).
#[inline(always)]
fn transpose(mut set: u64) -> u64 {
    let mut swap = |mask: u64, shift: u32| {
        let t = (set ^ set >> shift) & mask;
        set ^= t ^ t << shift;
    };
    swap(0x00aa_00aa_00aa_00aa, 7);
    swap(0x0000_cccc_0000_cccc, 14);
    swap(0x0000_0000_f0f0_f0f0, 28);
    set
}

/// For the nine bits of a window, whether the stones beside its middle are connected around it.
pub(crate) const CONNECTED: [bool; 512] = {
    // The ring around the middle, clockwise from the upper left; beside the middle are the odd ones.
    const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
    let mut table = [false; 512];
    let mut bits = 0;
    while bits < 512 {
        let (mut joints, mut beside, mut i) = (0, 0, 0);
        while i < 8 {
            let here = bits >> RING[i] & 1 != 0;
            let before = bits >> RING[(i + 7) % 8] & 1 != 0;
            let after = bits >> RING[(i + 1) % 8] & 1 != 0;
            if here && i % 2 == 1 {
                beside += 1;
            }
            // A corner joins its two neighbours; count the joints between places beside the middle.
            if here && i % 2 == 0 && before && after {
                joints += 1;
            }
            i += 1;
        }
        // A closed ring has as many joints as places.
        table[bits] = beside - joints <= 1;
        bits += 1;
    }
    table
};

impl<const STRIDE: u32> Space for Lattice<STRIDE> {
    type Set = u64;

    #[inline(always)]
    fn spread(&self, set: u64) -> u64 {
        let (up, down) = if STRIDE < 64 {
            (set >> STRIDE, set << STRIDE)
        } else {
            (0, 0)
        };
        let last = Self::COLUMN << (STRIDE - 1);
        up | down | (set & !last) << 1 | (set & !Self::COLUMN) >> 1
    }

    #[inline(always)]
    fn surely_connected<M: Machine>(&self, cell: u64, occupied: u64) -> bool {
        CONNECTED[Self::nine::<M>(occupied, cell.trailing_zeros())]
    }

    #[inline(always)]
    fn corner(&self, set: u64) -> u64 {
        let set = set >> (set.trailing_zeros() & !(STRIDE - 1) & 63);
        set >> (Self::fold_rows(set).trailing_zeros() & 63)
    }

    fn embed(&self, rows: usize, cols: usize, cells: u128) -> u64 {
        let (height, width) = (Self::ROWS as usize, STRIDE as usize);
        let upright = rows <= height && cols <= width;
        debug_assert!(upright || cols <= height && rows <= width);
        let bit = |(row, col): (usize, usize)| {
            let (row, col) = if upright { (row, col) } else { (col, row) };
            1 << (row * width + col)
        };
        boxed(cols, cells).map(bit).sum()
    }

    #[inline(always)]
    fn keys(&self, stones: [u64; 2]) -> [Key; 2] {
        let occupied = stones[0] | stones[1];
        let row = occupied.trailing_zeros() & !(STRIDE - 1) & 63;
        let col = Self::fold_rows(occupied >> row).trailing_zeros() & 63;
        let (first, occupied) = (stones[0] >> row >> col, occupied >> row >> col);
        let height = (63 - occupied.leading_zeros()) / STRIDE + 1;
        let width = 64 - Self::fold_rows(occupied).leading_zeros();
        let mut least = [Key::MAX; 2];
        let mut images = |first: u64, occupied: u64, height: u32, width: u32| {
            let (below, beside) = ((Self::ROWS - height) * STRIDE, STRIDE - width);
            let turn = |set: u64| set.reverse_bits() >> below >> beside;
            let flip = |set: u64| Self::flip(set) >> below;
            let (first_turned, turned) = (turn(first), turn(occupied));
            for (first, occupied) in [
                (first, occupied),
                (flip(first), flip(occupied)),
                (first_turned, turned),
                (flip(first_turned), flip(turned)),
            ] {
                let shape = Key::from(occupied) << 64;
                least[0] = least[0].min(shape | Key::from(first));
                least[1] = least[1].min(shape | Key::from(occupied ^ first));
            }
        };
        images(first, occupied, height, width);
        if STRIDE == 8 {
            images(transpose(first), transpose(occupied), width, height);
        }
        least.map(|image| mix((image >> 64) as u64, image as u64))
    }

    #[inline(always)]
    fn diamond<M: Machine>(&self, own: u64, opponent: u64, cell: u32) -> usize {
        let [own, opponent] = [own, opponent].map(|set| Self::thirteen::<M>(set, cell));
        diamond::number(own, opponent)
    }

    #[inline(always)]
    fn near(&self, cell: u32) -> u64 {
        Self::DIAMOND[cell as usize]
    }

    #[inline(always)]
    fn power(&self, middle: u32, cell: u32) -> u32 {
        Self::POWERS[(Self::APART + cell - middle) as usize]
    }

    #[inline(always)]
    fn compress<M: Machine>(set: u64, mask: u64) -> usize {
        M::compress(set, mask) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::anywhere::Plane;
    use upstar_games::{Cell, Grid, Random};
    use upstar_machine::{Isa, Kernel};

    /// The numbers of a diamond by this machine's best instructions.
    struct Numbers<'a, S: Space>(&'a S, [S::Set; 2], u32);

    impl<S: Space> Kernel for Numbers<'_, S> {
        type Output = usize;

        #[inline(always)]
        fn run<M: Machine>(self) -> usize {
            let Self(space, [own, opponent], cell) = self;
            space.diamond::<M>(own, opponent, cell)
        }
    }

    /// Compares with a loop over all cells.
    fn check<S: Space>(space: &S, rows: usize, cols: usize, stride: usize) {
        let mut random = Random::new(7);
        let place = |row: usize, col: usize| Cell::new(row * stride + col);
        let apart = |a: usize, b: usize| b as i32 - a as i32;
        for _ in 0..20 {
            let mut stones = [S::Set::EMPTY; 2];
            for cell in (0..rows * cols).map(|cell| place(cell / cols, cell % cols)) {
                if let side @ 0..2 = random.below(3) as usize {
                    stones[side] |= S::Set::one(cell);
                }
            }
            for middle in 0..rows * cols {
                let (row, col) = (middle / cols, middle % cols);
                let middle = place(row, col).index() as u32;
                let mut expected = 0;
                for other in 0..rows * cols {
                    let (other_row, other_col) = (other / cols, other % cols);
                    let (down, right) = (apart(row, other_row), apart(col, other_col));
                    let power = diamond::power(down, right);
                    let other = place(other_row, other_col);
                    if down.abs() + right.abs() <= 3 {
                        assert_eq!(space.power(middle, other.index() as u32), power);
                    }
                    assert_eq!(space.near(middle).contains(other), power != 0);
                    let stone = stones.iter().position(|set| set.contains(other));
                    expected += stone.map_or(0, |side| power as usize * (side + 1));
                }
                for isa in Isa::available() {
                    let number = isa.run(Numbers(space, stones, middle));
                    assert_eq!(number, expected, "{rows}x{cols}, {row}, {col}");
                }
            }
        }
    }

    #[test]
    fn diamonds_are_what_a_loop_over_the_cells_finds() {
        check(&Lattice::<8>, 8, 8, 8);
        check(&Lattice::<16>, 4, 16, 16);
        check(&Lattice::<32>, 2, 32, 32);
        check(&Lattice::<64>, 1, 64, 64);
        check(&Plane::new(&Grid::new(9, 9).unwrap()), 9, 9, 9);
    }
}
