//! Othello as its lines: every row, column and diagonal of at least three cells, and the square of
//! nine cells in each corner, each as one of its 3ⁿ patterns (after Buro's Logistello, 1997).
//!
//! Areas that the board's symmetries turn into each other share their patterns, and patterns that
//! they turn into each other are one. Lines of more than eight cells are covered by pieces of eight.

use upstar_games::{Cell, Cells, Grid, Symmetry};

use crate::patterns::{NONE, Sight, digit};

const LONGEST: usize = 8;
const SHORTEST: usize = 3;
const CORNER: usize = 3;

/// The areas of a board and what their patterns are called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lines {
    areas: Vec<Area>,
    /// The inputs of the patterns of each kind of area, by their code.
    inputs: Vec<Vec<u32>>,
    /// The areas that each cell is in, with its weight in their code.
    places: Vec<Vec<(u16, u16)>>,
    count: usize,
}

/// Some cells, in the order of their digits.
#[derive(Clone, Debug, PartialEq)]
struct Area {
    cells: Vec<Cell>,
    kind: usize,
}

impl Lines {
    pub(crate) fn new(grid: &Grid) -> Self {
        let symmetries = Symmetry::all(grid);
        let mut sets = areas(grid);
        let images = sets.iter().flat_map(|&set| {
            let images = symmetries.iter().map(move |symmetry| symmetry.cells(set));
            images.collect::<Vec<u128>>()
        });
        let images: Vec<u128> = images.collect();
        sets.extend(images);
        sets.sort_unstable();
        sets.dedup();
        let (mut kinds, mut areas, mut inputs, mut count) =
            (Vec::<u128>::new(), Vec::new(), Vec::new(), 0);
        for &set in &sets {
            let image = |symmetry: &&Symmetry| symmetry.cells(set);
            let symmetry = symmetries.iter().min_by_key(image);
            let symmetry = symmetry.expect("there is the identity");
            let standard = symmetry.cells(set);
            let kind = kinds.iter().position(|&kind| kind == standard);
            let kind = kind.unwrap_or_else(|| {
                kinds.push(standard);
                inputs.push(numbered(standard, &symmetries, &mut count));
                kinds.len() - 1
            });
            let mut cells: Vec<Cell> = set.iter().collect();
            cells.sort_by_key(|&cell| symmetry.cell(cell).index());
            areas.push(Area { cells, kind });
        }
        let mut places = vec![Vec::new(); grid.len()];
        for (number, area) in areas.iter().enumerate() {
            let mut weight = 1;
            for cell in &area.cells {
                places[cell.index()].push((number as u16, weight));
                weight *= 3;
            }
        }
        Self {
            areas,
            inputs,
            places,
            count,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn see(&self, sides: [u128; 2], sight: &mut Sight) {
        sight.codes.clear();
        sight.shown.clear();
        for area in &self.areas {
            let cells = area.cells.iter().rev();
            let code = cells.fold(0, |code, cell| 3 * code + digit(sides, cell.index()));
            sight.codes.push(code);
            sight.shown.push(self.inputs[area.kind][usize::from(code)]);
        }
    }

    #[inline(always)]
    pub(crate) fn changes(
        &self,
        sight: &mut Sight,
        sides: [[u128; 2]; 2],
        mut change: impl FnMut(usize, f32),
    ) {
        sight.follow(sides, &self.places);
        let Sight {
            codes,
            shown,
            after: codes_after,
        } = sight;
        for (number, area) in self.areas.iter().enumerate() {
            if codes_after[number] != codes[number] {
                let input = self.inputs[area.kind][usize::from(codes_after[number])];
                if input != shown[number] {
                    change(shown[number] as usize, -1.0);
                    change(input as usize, 1.0);
                }
            }
        }
    }
}

/// Lines, in pieces if they are long, and corners; without those that holes cut into.
fn areas(grid: &Grid) -> Vec<u128> {
    let (rows, cols) = (grid.rows() as isize, grid.cols() as isize);
    let on_board = |row: isize, col: isize| (0..rows).contains(&row) && (0..cols).contains(&col);
    let bit = |row: isize, col: isize| u128::one(grid.cell(row as usize, col as usize));
    let mut found = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for index in 0..grid.len() as isize {
            let (mut row, mut col) = (index / cols, index % cols);
            if on_board(row - down, col - right) {
                continue;
            }
            let mut line = Vec::new();
            while on_board(row, col) {
                line.push(bit(row, col));
                (row, col) = (row + down, col + right);
            }
            if line.len() >= SHORTEST {
                let pieces = line.windows(line.len().min(LONGEST));
                found.extend(pieces.step_by(LONGEST / 2).map(union));
            }
        }
    }
    let side = CORNER as isize;
    if rows >= side && cols >= side {
        let corner = |(top, left): (isize, isize)| {
            let cells = (0..side * side).map(|n| bit(top + n / side, left + n % side));
            cells.fold(0, |set, cell| set | cell)
        };
        let corners = [
            (0, 0),
            (0, cols - side),
            (rows - side, 0),
            (rows - side, cols - side),
        ];
        found.extend(corners.map(corner));
    }
    found.retain(|set| set & grid.holes() == 0);
    found
}

fn union(cells: &[u128]) -> u128 {
    cells.iter().fold(0, |set, cell| set | cell)
}

/// The inputs of the patterns of an area by their code; those that symmetries turn into each other
/// have the same.
fn numbered(set: u128, symmetries: &[Symmetry], count: &mut usize) -> Vec<u32> {
    let cells: Vec<Cell> = set.iter().collect();
    let place = |cell: Cell| cells.iter().position(|&other| other == cell);
    // Where each digit goes.
    let turns: Vec<Vec<usize>> = symmetries
        .iter()
        .filter_map(|symmetry| {
            cells
                .iter()
                .map(|&cell| place(symmetry.cell(cell)))
                .collect()
        })
        .collect();
    let codes = 3usize.pow(cells.len() as u32);
    let mut inputs = vec![NONE; codes];
    for code in 0..codes {
        if inputs[code] == NONE {
            for turn in &turns {
                let (mut rest, mut image) = (code, 0);
                for &to in turn {
                    image += rest % 3 * 3usize.pow(to as u32);
                    rest /= 3;
                }
                inputs[image] = *count as u32;
            }
            *count += 1;
        }
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(size: &str) -> Lines {
        Lines::new(&size.parse().unwrap())
    }

    /// 8 rows, 8 columns, 2 · 11 diagonals and 4 corners.
    #[test]
    fn areas_of_the_usual_board() {
        let lines = lines("8x8");
        assert_eq!(lines.areas.len(), 8 + 8 + 22 + 4);
        // Four kinds of rows, six of diagonals, corners.
        assert_eq!(lines.inputs.len(), 4 + 6 + 1);
        // Patterns and their mirror images are one.
        let merged = |n: u32| (3usize.pow(n) + 3usize.pow(n.div_ceil(2))) / 2;
        let diagonals: usize = (3..=8).map(merged).sum();
        // The main diagonal lies on a mirror, which leaves its patterns as they are.
        let corners = (3usize.pow(9) + 3usize.pow(6)) / 2;
        assert_eq!(lines.count(), 4 * merged(8) + diagonals + corners);
    }

    #[test]
    fn every_board_has_lines_of_at_most_eight() {
        for size in ["1x1", "1x128", "2x2", "10x12", "8x16", "3x5"] {
            let lines = lines(size);
            let longest = lines.areas.iter().map(|area| area.cells.len()).max();
            assert!(longest.unwrap_or(0) <= 9, "{size}");
        }
    }
}
