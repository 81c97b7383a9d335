//! Names of cells and moves as the Go Text Protocol writes them, and nowhere else: columns are letters
//! without I, and row 1 is at the bottom. A Clobber move is two vertices with a hyphen, `A1-B1`.

use upstar_games::{Board, Cell, Color, Game, Grid};

/// The most columns that have a letter.
pub const MOST_COLUMNS: usize = 25;

/// Whether the cells of a board have names in this protocol.
#[must_use]
pub fn has_names(board: &Board) -> bool {
    matches!(board, Board::Grid(grid) if grid.cols() <= MOST_COLUMNS)
}

/// The name of a cell; none beyond the last letter.
#[must_use]
pub fn vertex(grid: &Grid, cell: Cell) -> Option<String> {
    let (row, col) = grid.row_and_col(cell);
    let letter = letters().nth(col)?;
    Some(format!("{letter}{}", grid.rows() - row))
}

/// The cell of this name, in either case; none if it is not on the board.
#[must_use]
pub fn cell(grid: &Grid, name: &str) -> Option<Cell> {
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

fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').filter(|&letter| letter != 'I')
}

/// The name of a move on this grid: a vertex, two of them, or `pass`.
#[must_use]
pub fn move_name<G: Game>(game: &G, grid: &Grid, mv: G::Move) -> Option<String> {
    let Some((from, to)) = game.path(mv) else {
        return Some("pass".to_owned());
    };
    let (first, second) = (vertex(grid, from)?, vertex(grid, to)?);
    Some(if from == to {
        first
    } else {
        format!("{first}-{second}")
    })
}

/// The move of this name, legal or not. Two vertices may stand with or without a hyphen.
#[must_use]
pub fn move_named<G: Game>(game: &G, grid: &Grid, name: &str) -> Option<G::Move> {
    if name.eq_ignore_ascii_case("pass") {
        return game.move_named("pass");
    }
    let bare: String = name.chars().filter(|&letter| letter != '-').collect();
    let hyphens = name.len() - bare.len();
    let second = bare
        .char_indices()
        .skip(1)
        .find(|(_, letter)| letter.is_ascii_alphabetic());
    match second {
        None if hyphens == 0 => game.move_named(&grid.name(cell(grid, &bare)?)),
        Some((place, _))
            if hyphens == 0 || hyphens == 1 && name.as_bytes().get(place) == Some(&b'-') =>
        {
            let (from, to) = bare.split_at_checked(place)?;
            let (from, to) = (cell(grid, from)?, cell(grid, to)?);
            game.move_named(&format!("{}{}", grid.name(from), grid.name(to)))
        }
        _ => None,
    }
}

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
    use proptest::prelude::*;
    use upstar_games::{Clobber, Othello, Rules};

    #[test]
    fn rows_count_from_the_bottom_and_there_is_no_i() {
        let grid: Grid = "3x10".parse().unwrap();
        assert_eq!(vertex(&grid, grid.cell(0, 0)).unwrap(), "A3");
        assert_eq!(vertex(&grid, grid.cell(2, 8)).unwrap(), "J1");
        assert_eq!(cell(&grid, "j1"), Some(grid.cell(2, 8)));
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
            assert_eq!(cell(&grid, wrong), None, "{wrong}");
        }
        let wide: Grid = "1x26".parse().unwrap();
        assert_eq!(vertex(&wide, wide.cell(0, 24)).unwrap(), "Z1");
        assert_eq!(vertex(&wide, wide.cell(0, 25)), None);
        assert!(!has_names(&wide.into()));
    }

    #[test]
    fn moves_are_read_with_and_without_a_hyphen() {
        let grid: Grid = "12x10".parse().unwrap();
        let game = Clobber::<u128>::new(grid);
        let mv = game.move_named("j1j2").unwrap();
        assert_eq!(move_name(&game, &grid, mv).unwrap(), "K12-K11");
        for name in ["K12-K11", "k12k11", "K12K11"] {
            assert_eq!(move_named(&game, &grid, name), Some(mv), "{name}");
        }
        for wrong in [
            "K12",
            "K12--K11",
            "K1-2K11",
            "-K12K11",
            "K12K11-",
            "pass",
            "",
            "-",
            "K12K11K10",
        ] {
            assert_eq!(move_named(&game, &grid, wrong), None, "{wrong}");
        }
        let game = Othello::<u128>::new(grid);
        let pass = game.move_named("pass").unwrap();
        assert_eq!(move_name(&game, &grid, pass).unwrap(), "pass");
        assert_eq!(move_named(&game, &grid, "PASS"), Some(pass));
        assert_eq!(move_named(&game, &grid, "A12"), game.move_named("a1"));
        assert_eq!(move_named(&game, &grid, "A12A11"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_move_or_none(text in ".{0,8}") {
            let grid: Grid = "5x5".parse().unwrap();
            let game = Clobber::<u64>::new(grid);
            if let Some(mv) = move_named(&game, &grid, &text) {
                let name = move_name(&game, &grid, mv).unwrap();
                prop_assert_eq!(move_named(&game, &grid, &name), Some(mv));
            }
        }
    }
}
