//! Transcripts: a game per line, `f5d6c3d3c4…`, without its passes.

use upstar_games::othello::Opening;
use upstar_games::{AnyGame, Board, Grid, OpenError, Start, Variant};
use upstar_solve::othello::transcript;

use super::{FormatError, check_othello, numbered, record_of};
use crate::record::Record;

/// Reads games that begin at the start position of this variant and size. Empty lines and lines that begin with
/// `#` or `%` are left out; passes may be there or not.
///
/// # Errors
/// If a line is no game.
pub fn read(text: &str, variant: Variant, grid: Grid) -> Result<Vec<Record>, FormatError> {
    let opened = AnyGame::open(variant, &Start::Size(grid), None);
    let any = opened.map_err(|error: OpenError| FormatError::of_record(error))?;
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        macro_rules! record {
            ($game:expr, $start:expr) => {{
                let moves = transcript::read($game, $start, line);
                let moves = moves.map_err(|error| FormatError::at(number + 1, error))?;
                record_of(
                    $game,
                    $start,
                    &moves,
                    &variant.to_string(),
                    &grid.to_string(),
                )
            }};
        }
        records.push(match &any {
            AnyGame::Othello64(game, start) => record!(game, start),
            AnyGame::Othello128(game, start) => record!(game, start),
            AnyGame::Reversi64(game, start) => record!(game, start),
            AnyGame::Reversi128(game, start) => record!(game, start),
            _ => return Err(FormatError::of_record(format!("{variant} is no Othello"))),
        });
    }
    Ok(numbered(records))
}

/// Reads games of the usual kind: 8×8 from the usual start.
///
/// # Errors
/// If a line is no game.
pub fn read_usual(text: &str) -> Result<Vec<Record>, FormatError> {
    let grid = Grid::new(8, 8).expect("a board has room for 64 cells");
    read(text, Variant::Othello(Opening::Diagonal), grid)
}

/// Whether the record's position is the start of a size, by that name or as a board.
fn is_start(record: &Record) -> bool {
    let setup = match record.position.parse() {
        Ok(Start::Size(_)) => return true,
        Ok(Start::Given(setup)) => setup,
        _ => return false,
    };
    if record.opening.is_empty() && record.to_move != 'x' {
        return false;
    }
    let (Board::Grid(grid), Ok(variant)) = (&setup.board, record.game.parse()) else {
        return false;
    };
    let usual = AnyGame::open(variant, &Start::Size(*grid), None);
    let given = AnyGame::open(variant, &Start::Given(setup.clone()), None);
    match (usual, given) {
        (Ok(AnyGame::Othello64(_, usual)), Ok(AnyGame::Othello64(_, given))) => usual == given,
        (Ok(AnyGame::Othello128(_, usual)), Ok(AnyGame::Othello128(_, given))) => usual == given,
        _ => false,
    }
}

/// The game as a line: opening and moves without passes.
///
/// # Errors
/// If the game is not Othello or did not begin at the start position of a size: then moves alone do
/// not tell it.
pub fn write(record: &Record) -> Result<String, FormatError> {
    check_othello(record)?;
    if !is_start(record) {
        let what = format!(
            "a transcript begins at the start position of a size, and the record at {}",
            record.position
        );
        return Err(FormatError::of_record(what));
    }
    let moves = record.opening.iter().chain(&record.moves);
    Ok(moves
        .filter(|name| *name != "pass")
        .map(String::as_str)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Reason, Winner};

    /// The shortest game that wipes one side out (nine moves, Black wins 13 to 0).
    const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn games_are_read_and_written() {
        let text = format!("# games\n{SHORTEST}\n\nF5D6C3\n");
        let records = read_usual(&text).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(
            (records[0].score, records[0].winner),
            (Some(13), Some(Winner::Black))
        );
        assert_eq!(records[1].reason, Reason::Unfinished);
        assert_eq!(records[1].index, 1);
        assert_eq!(write(&records[0]).unwrap(), SHORTEST);
        assert_eq!(write(&records[1]).unwrap(), "f5d6c3");
    }

    #[test]
    fn passes_are_put_in_and_left_out() {
        let variant = Variant::Othello(Opening::Diagonal);
        let records = read("a1a2a3d2", variant, "3x4".parse().unwrap()).unwrap();
        assert_eq!(records[0].moves, ["a1", "a2", "a3", "pass", "d2"]);
        assert_eq!(write(&records[0]).unwrap(), "a1a2a3d2");
    }

    #[test]
    fn bad_lines_are_named() {
        let refused = |text: &str| read_usual(text).unwrap_err().to_string();
        assert_eq!(refused("f5\nf5f5"), "line 2: move 2, f5, is not legal");
        assert_eq!(
            refused("z9"),
            "line 1: 'z9' is no move on this board, like f5"
        );
        let clobber = read("", Variant::Clobber, "3x4".parse().unwrap());
        assert_eq!(clobber, Ok(vec![]));
        assert!(read("a1", Variant::Clobber, "3x4".parse().unwrap()).is_err());
    }
}
