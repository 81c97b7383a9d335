//! Names of cells and moves in the Go Text Protocol. A Clobber move is two cells with a hyphen,
//! `A1-B1`; letters may be large or small.

use std::fmt;
use std::str::FromStr;

use upstar_games::{Board, Cell, Color, Grid, Variant, excerpt};

/// The most columns that have a letter in Go's coordinates.
pub const MOST_COLUMNS: usize = 25;

/// Where a cell's name is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// As the protocol has it for Go: columns are letters without I, and row 1 is at the bottom.
    Go,
    /// As everywhere else in this program and among Othello players: A1 is top-left.
    Own,
}

impl Coordinates {
    /// What players of this game expect: Othello's own coordinates, and Go's for Clobber.
    #[must_use]
    pub fn usual(variant: Variant) -> Self {
        match variant {
            Variant::Othello(_) | Variant::Reversi => Self::Own,
            _ => Self::Go,
        }
    }

    /// Whether the cells of a board have names.
    #[must_use]
    pub fn has_names(self, board: &Board) -> bool {
        let most = match self {
            Self::Go => MOST_COLUMNS,
            Self::Own => usize::MAX,
        };
        matches!(board, Board::Grid(grid) if grid.cols() <= most)
    }

    /// The name of a cell; none beyond the last letter.
    #[must_use]
    pub fn vertex(self, grid: &Grid, cell: Cell) -> Option<String> {
        let (row, col) = grid.row_and_col(cell);
        match self {
            Self::Own => Some(grid.name(cell).to_ascii_uppercase()),
            Self::Go => Some(format!("{}{}", letters().nth(col)?, grid.rows() - row)),
        }
    }

    /// The cell of this name; none if it is not on the board.
    #[must_use]
    pub fn cell(self, grid: &Grid, name: &str) -> Option<Cell> {
        if self == Self::Own {
            return grid.cell_named(&name.to_ascii_lowercase());
        }
        let mut rest = name.chars();
        let letter = rest.next()?.to_ascii_uppercase();
        let col = letters().position(|other| other == letter)?;
        let number = rest.as_str();
        if !number.starts_with(|digit: char| digit.is_ascii_digit()) {
            return None;
        }
        let row = grid.rows().checked_sub(number.parse().ok()?)?;
        let on_board = row < grid.rows() && col < grid.cols();
        let cell = on_board.then(|| grid.cell(row, col))?;
        (grid.holes() >> cell.index() & 1 == 0).then_some(cell)
    }

    /// A move of this program, `a1b1`, `c4` or `pass`, as the protocol has it; none if a cell has no
    /// name there.
    #[must_use]
    pub fn write(self, grid: &Grid, mv: &str) -> Option<String> {
        if mv == "pass" {
            return Some(mv.to_owned());
        }
        let (from, to) = halves(mv);
        let name = |cell: &str| self.vertex(grid, grid.cell_named(cell)?);
        Some(match to {
            None => name(from)?,
            Some(to) => format!("{}-{}", name(from)?, name(to)?),
        })
    }

    /// The move of this program that a text of the protocol means, legal or not. Two cells may stand
    /// with or without a hyphen.
    #[must_use]
    pub fn read(self, grid: &Grid, text: &str) -> Option<String> {
        if text.eq_ignore_ascii_case("pass") {
            return Some("pass".to_owned());
        }
        let (from, to) = match text.split_once('-') {
            Some((from, to)) => (from, Some(to)),
            None => halves(text),
        };
        let name = |text: &str| Some(grid.name(self.cell(grid, text)?));
        Some(match to {
            None => name(from)?,
            Some(to) => name(from)? + &name(to)?,
        })
    }
}

/// Two cells are parted where a letter follows a digit.
fn halves(name: &str) -> (&str, Option<&str>) {
    let bytes = name.as_bytes();
    let parted = |&at: &usize| bytes[at - 1].is_ascii_digit() && bytes[at].is_ascii_alphabetic();
    match (1..bytes.len()).find(parted) {
        Some(at) => (&name[..at], Some(&name[at..])),
        None => (name, None),
    }
}

fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').filter(|&letter| letter != 'I')
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Go => "go",
            Self::Own => "own",
        })
    }
}

impl FromStr for Coordinates {
    type Err = CoordinatesError;

    fn from_str(text: &str) -> Result<Self, CoordinatesError> {
        match text {
            "go" => Ok(Self::Go),
            "own" => Ok(Self::Own),
            _ => Err(CoordinatesError(excerpt(text))),
        }
    }
}

/// A text that does not name coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a way to name cells: go or own")]
pub struct CoordinatesError(String);

/// The name of a colour.
#[must_use]
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

/// The colour of this name.
#[must_use]
pub fn color_named(name: &str) -> Option<Color> {
    match &name.to_ascii_lowercase()[..] {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Coordinates::{Go, Own};
    use proptest::prelude::*;

    #[test]
    fn in_go_rows_count_from_the_bottom_and_there_is_no_i() {
        let grid: Grid = "3x10".parse().unwrap();
        assert_eq!(Go.vertex(&grid, grid.cell(0, 0)).unwrap(), "A3");
        assert_eq!(Go.vertex(&grid, grid.cell(2, 8)).unwrap(), "J1");
        assert_eq!(Go.cell(&grid, "j1"), Some(grid.cell(2, 8)));
        for wrong in [
            "i1",
            "L1",
            "A0",
            "A4",
            "A",
            "1",
            "",
            "A-1",
            "A+1",
            "A99999999999999999999",
            "é1",
        ] {
            assert_eq!(Go.cell(&grid, wrong), None, "{wrong}");
        }
        let wide: Grid = "1x26".parse().unwrap();
        assert_eq!(Go.vertex(&wide, wide.cell(0, 24)).unwrap(), "Z1");
        assert_eq!(Go.vertex(&wide, wide.cell(0, 25)), None);
        assert!(!Go.has_names(&wide.into()) && Own.has_names(&wide.into()));
    }

    #[test]
    fn othello_has_its_own_coordinates() {
        let grid: Grid = "8x9".parse().unwrap();
        assert_eq!(Coordinates::usual("othello".parse().unwrap()), Own);
        assert_eq!(Coordinates::usual("othello:reversi".parse().unwrap()), Own);
        assert_eq!(Coordinates::usual("clobber".parse().unwrap()), Go);
        for text in ["f5", "F5"] {
            assert_eq!(Own.read(&grid, text).unwrap(), "f5");
        }
        assert_eq!(Own.write(&grid, "f5").unwrap(), "F5");
        assert_eq!(Own.write(&grid, "i8").unwrap(), "I8");
        assert_eq!(Own.read(&grid, "PASS").unwrap(), "pass");
        assert_eq!(Own.read(&grid, "A1-b1").unwrap(), "a1b1");
        assert_eq!(Own.read(&grid, "a9"), None);
    }

    #[test]
    fn moves_are_read_with_and_without_a_hyphen() {
        let grid: Grid = "12x10".parse().unwrap();
        assert_eq!(Go.write(&grid, "j1j2").unwrap(), "K12-K11");
        for name in ["K12-K11", "k12k11", "K12K11"] {
            assert_eq!(Go.read(&grid, name).unwrap(), "j1j2", "{name}");
        }
        for wrong in [
            "K12--K11",
            "K1-2K11",
            "-K12K11",
            "K12K11-",
            "",
            "-",
            "K12K11K10",
        ] {
            assert_eq!(Go.read(&grid, wrong), None, "{wrong}");
        }
        assert_eq!(Go.read(&grid, "PASS").unwrap(), "pass");
        assert_eq!(Go.read(&grid, "A12").unwrap(), "a1");
    }

    proptest! {
        #[test]
        fn any_text_is_a_move_or_none(text in ".{0,8}", own in any::<bool>()) {
            let grid: Grid = "5x5".parse().unwrap();
            let coordinates = if own { Own } else { Go };
            if let Some(mv) = coordinates.read(&grid, &text) {
                let name = coordinates.write(&grid, &mv).unwrap();
                prop_assert_eq!(coordinates.read(&grid, &name), Some(mv));
            }
        }
    }
}
