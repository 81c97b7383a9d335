//! Clobber as the shapes of its components: what a shape is worth does not depend on where it
//! stands, so a shape has the same input everywhere.
//!
//! Stones that no stone of the other colour is connected with will never move and show nothing. A
//! component of few stones is one shape. In a larger one each stone shows the square of nine cells
//! around it, without stones that are not connected with it there; beyond the board is as empty.
//! Shapes that are turned or mirrored are the same, and so are small components with the same
//! neighbourhoods: the rules see nothing else of a board.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use upstar_games::{Cells, Grid};

use crate::patterns::{NONE, Sight, digit};

/// The most stones of a component that is one shape.
const SMALL: usize = 6;
/// Squares of nine cells, three digits a row, the centre in the middle.
const SQUARE: usize = 9;
const CODES: usize = 3usize.pow(SQUARE as u32);
const CENTRE: usize = 4;

/// What shapes need to know of a board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shapes {
    cols: usize,
    /// All cells but those of the first and of the last column.
    not_first: u128,
    not_last: u128,
    /// The cells whose square each cell is in, with its weight in their code.
    around: Vec<Vec<(u16, u16)>>,
    names: &'static Names,
}

/// The inputs of all shapes.
#[derive(Debug, PartialEq)]
struct Names {
    /// Of squares by their code.
    squares: Vec<u32>,
    small: SmallNames,
    count: usize,
}

impl Shapes {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        let column =
            |col: usize| (0..rows).fold(0, |set, row| set | u128::one(grid.cell(row, col)));
        let around = |index: usize| {
            let (row, col) = (index / cols, index % cols);
            let mut squares = Vec::new();
            for place in 0..SQUARE {
                // The square in which the cell is at this place.
                let (centre_row, centre_col) = (row + 1, col + 1);
                let (Some(r), Some(c)) = (
                    centre_row.checked_sub(place / 3),
                    centre_col.checked_sub(place % 3),
                ) else {
                    continue;
                };
                if r < rows && c < cols {
                    let weight = 3u16.pow(place as u32);
                    squares.push((grid.cell(r, c).index() as u16, weight));
                }
            }
            squares
        };
        Self {
            cols,
            not_first: !column(0),
            not_last: !column(cols - 1),
            around: (0..grid.len()).map(around).collect(),
            names: names(),
        }
    }

    pub(crate) fn count() -> usize {
        names().count
    }

    pub(crate) fn see(&self, sides: [u128; 2], sight: &mut Sight) {
        sight.codes.clear();
        sight.codes.resize(self.around.len(), 0);
        sight.shown.clear();
        sight.shown.resize(self.around.len(), NONE);
        let occupied = sides[0] | sides[1];
        for cell in occupied.iter() {
            for &(square, weight) in &self.around[cell.index()] {
                sight.codes[usize::from(square)] += weight * digit(sides, cell.index());
            }
        }
        let Sight { codes, shown, .. } = sight;
        self.name_components(sides, occupied, codes, |cell, input| shown[cell] = input);
    }

    #[inline(always)]
    pub(crate) fn changes(
        &self,
        sight: &mut Sight,
        [before, after]: [[u128; 2]; 2],
        mut change: impl FnMut(usize, f32),
    ) {
        let differing = sight.follow([before, after], &self.around);
        let Sight {
            shown,
            after: codes_after,
            ..
        } = sight;
        // Components outside stay as they are.
        let occupied = after[0] | after[1];
        let region = self.connected(differing, before[0] | before[1] | occupied);
        let mut left = region;
        self.name_components(after, occupied & region, codes_after, |cell, input| {
            if shown[cell] == input {
                left &= !(1 << cell);
            } else {
                change(input as usize, 1.0);
            }
        });
        for cell in left.iter() {
            let input = shown[cell.index()];
            if input != NONE {
                change(input as usize, -1.0);
            }
        }
    }

    /// Tells the input of each place of these whole components that shows a shape.
    #[inline(always)]
    fn name_components(
        &self,
        sides: [u128; 2],
        mut stones: u128,
        codes: &[u16],
        mut name: impl FnMut(usize, u32),
    ) {
        while stones != 0 {
            let first = stones & stones.wrapping_neg();
            let component = self.connected(first, stones);
            stones &= !component;
            if component & sides[0] == 0 || component & sides[1] == 0 {
                continue;
            }
            if component.len() as usize <= SMALL {
                let key = self.key(sides, component);
                let place = first.trailing_zeros() as usize;
                name(place, self.names.small.input(key));
            } else {
                for cell in component.iter() {
                    let code = usize::from(codes[cell.index()]);
                    name(cell.index(), self.names.squares[code]);
                }
            }
        }
    }

    /// The stones that are connected with some of these.
    #[inline(always)]
    fn connected(&self, first: u128, stones: u128) -> u128 {
        let mut found = first;
        loop {
            let beside = (found & self.not_last) << 1 | (found & self.not_first) >> 1;
            let grown = found | ((beside | found << self.cols | found >> self.cols) & stones);
            if grown == found {
                return found;
            }
            found = grown;
        }
    }

    /// A small component, wherever it stands, as a number.
    #[inline(always)]
    fn key(&self, sides: [u128; 2], component: u128) -> u64 {
        let top = component.trailing_zeros() as usize / self.cols;
        let mut left = self.cols;
        let mut cells = [(0, 0, 0); SMALL];
        for (cell, place) in component.iter().zip(&mut cells) {
            let (row, col) = (cell.index() / self.cols, cell.index() % self.cols);
            left = left.min(col);
            *place = (row - top, col, digit(sides, cell.index()));
        }
        key(cells.map(|(row, col, digit)| (row, col.max(left) - left, digit)))
    }
}

/// Rows and columns of a small component, counted from its top row and its leftmost column, with the
/// digits of its stones; places without a stone have the digit 0.
#[inline(always)]
fn key(cells: [(usize, usize, u16); SMALL]) -> u64 {
    let (mut own, mut opponent) = (0, 0);
    for (row, col, digit) in cells {
        let bit = 1u64 << (row * SMALL + col);
        own |= if digit == 1 { bit } else { 0 };
        opponent |= if digit == 2 { bit } else { 0 };
    }
    // Different for all components, which is checked when they are named.
    own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
}

/// From the key of a small component to its input: open addressing.
#[derive(Debug, PartialEq)]
struct SmallNames {
    table: Vec<(u64, u32)>,
}

impl SmallNames {
    fn new(names: &HashMap<u64, u32>) -> Self {
        let mut table = vec![(0, NONE); (2 * names.len()).next_power_of_two()];
        let mask = table.len() - 1;
        for (&key, &input) in names {
            let mut place = Self::place(key, mask);
            while table[place].1 != NONE {
                place = (place + 1) & mask;
            }
            table[place] = (key, input);
        }
        Self { table }
    }

    #[inline(always)]
    fn place(key: u64, mask: usize) -> usize {
        (key.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize & mask
    }

    #[inline(always)]
    fn input(&self, key: u64) -> u32 {
        let mask = self.table.len() - 1;
        let mut place = Self::place(key, mask);
        loop {
            let (found, input) = self.table[place];
            if found == key || input == NONE {
                return input;
            }
            place = (place + 1) & mask;
        }
    }
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut count = 0;
        let squares = name_squares(&mut count);
        let small = SmallNames::new(&name_small(&mut count));
        Names {
            squares,
            small,
            count,
        }
    })
}

/// Squares whose centre is empty show nothing.
fn name_squares(count: &mut usize) -> Vec<u32> {
    let mut found: HashMap<[u16; SQUARE], u32> = HashMap::new();
    let name = |code: usize| {
        let digits: [u16; SQUARE] =
            std::array::from_fn(|place| (code / 3usize.pow(place as u32) % 3) as u16);
        if digits[CENTRE] == 0 {
            return NONE;
        }
        *found
            .entry(standard(connected_square(digits)))
            .or_insert_with(|| {
                *count += 1;
                *count as u32 - 1
            })
    };
    (0..CODES).map(name).collect()
}

/// Without stones in a corner that have no neighbour in the square.
fn connected_square(mut digits: [u16; SQUARE]) -> [u16; SQUARE] {
    for (corner, neighbours) in [(0, [1, 3]), (2, [1, 5]), (6, [3, 7]), (8, [5, 7])] {
        if neighbours.iter().all(|&place| digits[place] == 0) {
            digits[corner] = 0;
        }
    }
    digits
}

/// The lowest of the eight turned and mirrored squares.
fn standard(digits: [u16; SQUARE]) -> [u16; SQUARE] {
    let turned = |digits: [u16; SQUARE]| -> [u16; SQUARE] {
        std::array::from_fn(|place| digits[(2 - place % 3) * 3 + place / 3])
    };
    let mirrored = |digits: [u16; SQUARE]| -> [u16; SQUARE] {
        std::array::from_fn(|place| digits[place / 3 * 3 + 2 - place % 3])
    };
    let (mut lowest, mut image) = (digits, digits);
    for _ in 0..4 {
        image = turned(image);
        lowest = lowest.min(image).min(mirrored(image));
    }
    lowest
}

/// All components of at most so many stones, in every colouring with both colours.
fn name_small(count: &mut usize) -> HashMap<u64, u32> {
    let mut inputs = HashMap::new();
    let mut kinds: HashMap<u64, u32> = HashMap::new();
    let mut cells: BTreeSet<Vec<(usize, usize)>> = [vec![(0, 0)]].into();
    for stones in 2..=SMALL {
        cells = cells.iter().flat_map(|cells| grown(cells)).collect();
        for cells in &cells {
            // Neither none nor all of them the mover's.
            for coloring in 1..(1u32 << stones) - 1 {
                let digits: Vec<u16> = (0..stones)
                    .map(|stone| if coloring >> stone & 1 == 1 { 1 } else { 2 })
                    .collect();
                let input = *kinds
                    .entry(neighbourhoods(cells, &digits))
                    .or_insert_with(|| {
                        *count += 1;
                        *count as u32 - 1
                    });
                let mut stones = [(0, 0, 0); SMALL];
                for (stone, (&(row, col), &digit)) in
                    stones.iter_mut().zip(cells.iter().zip(&digits))
                {
                    *stone = (row, col, digit);
                }
                let before = inputs.insert(key(stones), input);
                assert!(before.is_none(), "components have different keys");
            }
        }
    }
    inputs
}

/// The component with one more cell, in all ways, in the standard place.
fn grown(cells: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    for &(row, col) in cells {
        // Moved by one, so that there is room above and to the left.
        let (row, col) = (row + 1, col + 1);
        for new in [
            (row - 1, col),
            (row + 1, col),
            (row, col - 1),
            (row, col + 1),
        ] {
            let mut grown: Vec<_> = cells.iter().map(|&(row, col)| (row + 1, col + 1)).collect();
            if grown.contains(&new) {
                continue;
            }
            grown.push(new);
            let top = grown.iter().map(|cell| cell.0).min().unwrap_or(0);
            let left = grown.iter().map(|cell| cell.1).min().unwrap_or(0);
            for cell in &mut grown {
                *cell = (cell.0 - top, cell.1 - left);
            }
            grown.sort_unstable();
            found.push(grown);
        }
    }
    found
}

/// A number that depends on who is next to whom only: each stone takes up what its neighbours have
/// taken up, again and again (Weisfeiler and Leman, 1968).
fn neighbourhoods(cells: &[(usize, usize)], digits: &[u16]) -> u64 {
    fn mix(number: u64) -> u64 {
        let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    let beside = |a: usize, b: usize| {
        let (a, b) = (cells[a], cells[b]);
        a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1
    };
    let mut marks: Vec<u64> = digits.iter().map(|&digit| mix(u64::from(digit))).collect();
    for _ in 0..SMALL {
        let taken_up = |stone: usize| {
            let neighbours = (0..cells.len()).filter(|&other| beside(stone, other));
            let sum = neighbours.fold(0u64, |sum, other| sum.wrapping_add(marks[other]));
            mix(marks[stone].wrapping_mul(3).wrapping_add(sum))
        };
        marks = (0..cells.len()).map(taken_up).collect();
    }
    marks
        .iter()
        .fold(0, |sum, &mark| sum.wrapping_add(mix(mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_shapes() {
        let mut count = 0;
        let squares = name_squares(&mut count);
        assert_eq!(
            squares.iter().filter(|&&input| input == NONE).count(),
            CODES / 3
        );
        let small = Shapes::count() - count;
        assert_eq!((count, small), (1460, 424));
    }

    /// Components have the same name exactly if one can be laid onto the other so that neighbours stay
    /// neighbours and colours stay: tried with all orders of the stones.
    #[test]
    fn the_same_name_means_the_same_game() {
        type Component = (Vec<(usize, usize)>, Vec<u16>);
        fn matches(a: &Component, b: &Component, chosen: &mut Vec<usize>) -> bool {
            let stone = chosen.len();
            if stone == a.0.len() {
                return true;
            }
            let beside = |cells: &[(usize, usize)], i: usize, j: usize| {
                cells[i].0.abs_diff(cells[j].0) + cells[i].1.abs_diff(cells[j].1) == 1
            };
            for image in 0..b.0.len() {
                let fits = !chosen.contains(&image)
                    && a.1[stone] == b.1[image]
                    && (0..stone).all(|other| {
                        beside(&a.0, stone, other) == beside(&b.0, image, chosen[other])
                    });
                if fits {
                    chosen.push(image);
                    if matches(a, b, chosen) {
                        return true;
                    }
                    chosen.pop();
                }
            }
            false
        }
        let mut cells: BTreeSet<Vec<(usize, usize)>> = [vec![(0, 0)]].into();
        for stones in 2..=SMALL {
            cells = cells.iter().flat_map(|cells| grown(cells)).collect();
            let mut firsts: HashMap<u64, Component> = HashMap::new();
            for cells in &cells {
                for coloring in 1..(1u32 << stones) - 1 {
                    let digits = (0..stones).map(|stone| 1 + (coloring >> stone & 1) as u16);
                    let component = (cells.clone(), digits.collect::<Vec<u16>>());
                    let name = neighbourhoods(&component.0, &component.1);
                    let first = firsts.entry(name).or_insert_with(|| component.clone());
                    assert!(matches(first, &component, &mut Vec::new()), "{component:?}");
                }
            }
            if stones <= 5 {
                let different: Vec<&Component> = firsts.values().collect();
                for (index, a) in different.iter().enumerate() {
                    for b in &different[..index] {
                        assert!(!matches(a, b, &mut Vec::new()), "{a:?} {b:?}");
                    }
                }
            }
        }
    }

    /// Fixed polyominoes: 2, 6, 19, 63, 216 (OEIS A001168).
    #[test]
    fn every_small_component_has_a_name() {
        let mut cells: BTreeSet<Vec<(usize, usize)>> = [vec![(0, 0)]].into();
        for expected in [2, 6, 19, 63, 216] {
            cells = cells.iter().flat_map(|cells| grown(cells)).collect();
            assert_eq!(cells.len(), expected);
        }
        let mut count = 0;
        let names = name_small(&mut count);
        assert_eq!(names.len(), 2 * 2 + 6 * 6 + 19 * 14 + 63 * 30 + 216 * 62);
    }
}
