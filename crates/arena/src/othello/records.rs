//! Records from transcripts and lines of OBF, and back. The formats themselves are in `upstar-games`.

use upstar_games::othello::{Opening, obf, transcript};
use upstar_games::{AnyGame, Board, Grid, Setup, Side, Start, Variant, with_game};

use super::{FormatError, check_othello, numbered, record_of};
use crate::record::Record;

/// Reads games that begin at the start position of this variant and size, one per line. Empty lines and
/// lines that begin with `#` or `%` are left out; passes may be there or not.
///
/// # Errors
/// If a line is not a game.
pub fn from_transcripts(
    text: &str,
    variant: Variant,
    grid: Grid,
) -> Result<Vec<Record>, FormatError> {
    let opened = AnyGame::open(variant, &Start::Size(grid), None);
    let any = opened.map_err(FormatError::of_record)?;
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
            _ => return Err(FormatError::of_record(format!("{variant} is not Othello"))),
        });
    }
    Ok(numbered(records))
}

/// Reads games of the usual kind: 8×8 from the usual start.
///
/// # Errors
/// If a line is not a game.
pub fn from_usual_transcripts(text: &str) -> Result<Vec<Record>, FormatError> {
    let grid = Grid::new(8, 8).expect("a board has room for 64 cells");
    from_transcripts(text, Variant::Othello(Opening::DIAGONAL), grid)
}

/// The game as a line: opening and moves without passes.
///
/// # Errors
/// If the game is not Othello or did not begin at the start position of a size: then moves alone do
/// not tell it.
pub fn to_transcript(record: &Record) -> Result<String, FormatError> {
    check_othello(record)?;
    if !is_start(record) {
        let what = format!(
            "a transcript begins at the start position of a size, and the record at {}",
            record.position
        );
        return Err(FormatError::of_record(what));
    }
    let moves = record.opening.iter().chain(&record.moves);
    Ok(transcript::write(moves))
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
    matches!(variant, Variant::Othello(_)) && usual.is_ok() && usual == given
}

/// Reads positions as games without moves. What a line says of its moves becomes the text of the record.
///
/// # Errors
/// If a line is not a position.
pub fn from_obf(text: &str) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let problem = obf::parse(line).map_err(|error| FormatError::at(number + 1, error))?;
        let Some(problem) = problem else {
            continue;
        };
        let setup = problem.setup.clone();
        let position = setup.to_string();
        let variant = Variant::Othello(Opening::DIAGONAL);
        let side = Some(problem.to_move.letter());
        let any = AnyGame::open(variant, &Start::Given(setup), side)
            .map_err(|error| FormatError::at(number + 1, error))?;
        let word = variant.to_string();
        let mut record = with_game!(
            &any,
            |game, start| record_of(game, start, &[], &word, &position),
            unreachable!("Othello is a game for two")
        );
        let scores = problem
            .scores
            .iter()
            .map(|(mv, score)| format!("{mv}:{score:+}"));
        let scores: Vec<String> = scores.collect();
        record.text = (!scores.is_empty()).then(|| scores.join("; "));
        records.push(record);
    }
    Ok(numbered(records))
}

/// The positions of a game, a line each, with the move that was played as a comment; the last one only
/// if the game has not ended there. A record without moves is written with what its text says.
///
/// # Errors
/// If the game is not Othello or the record contradicts itself.
pub fn to_obf(record: &Record) -> Result<String, FormatError> {
    check_othello(record)?;
    let positions = record.positions().map_err(FormatError::of_record)?;
    let mut text = String::new();
    for (number, (position, side)) in positions.iter().enumerate() {
        let mv = record.moves.get(number);
        if mv.is_none() && record.winner.is_some() && number > 0 {
            break;
        }
        text += &line(position, *side)?;
        match (mv, &record.text) {
            (Some(mv), _) => text += &format!(" % {mv}"),
            // Only a text of scores was one before.
            (None, Some(scores)) if scores.contains(':') => text += &format!(" {scores};"),
            _ => {}
        }
        text.push('\n');
    }
    Ok(text)
}

fn line(position: &str, side: char) -> Result<String, FormatError> {
    let setup: Setup = position.parse().map_err(FormatError::of_record)?;
    let to_move = Side::from_letter(side).and_then(Side::color);
    let to_move =
        to_move.ok_or_else(|| FormatError::of_record("the side to move is not x or o"))?;
    let problem = obf::Problem {
        setup,
        to_move,
        scores: Vec::new(),
    };
    Ok(problem.to_string())
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
        let records = from_usual_transcripts(&text).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(
            (records[0].score, records[0].winner),
            (Some(13), Some(Winner::Black))
        );
        assert_eq!(records[1].reason, Reason::Unfinished);
        assert_eq!(records[1].index, 1);
        assert_eq!(to_transcript(&records[0]).unwrap(), SHORTEST);
        assert_eq!(to_transcript(&records[1]).unwrap(), "f5d6c3");
    }

    #[test]
    fn passes_are_put_in_and_left_out() {
        let variant = Variant::Othello(Opening::DIAGONAL);
        let records = from_transcripts("a1a2a3d2", variant, "3x4".parse().unwrap()).unwrap();
        assert_eq!(records[0].moves, ["a1", "a2", "a3", "pass", "d2"]);
        assert_eq!(to_transcript(&records[0]).unwrap(), "a1a2a3d2");
    }

    #[test]
    fn bad_lines_are_named() {
        let refused = |text: &str| from_usual_transcripts(text).unwrap_err().to_string();
        assert_eq!(refused("f5\nf5f5"), "line 2: move 2, f5, is not legal");
        assert_eq!(
            refused("z9"),
            "line 1: 'z9' is not a move on this board, like f5"
        );
        let clobber = from_transcripts("", Variant::Clobber, "3x4".parse().unwrap());
        assert_eq!(clobber, Ok(vec![]));
        assert!(from_transcripts("a1", Variant::Clobber, "3x4".parse().unwrap()).is_err());
    }

    const FIRST: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";

    #[test]
    fn positions_are_read_and_written() {
        let text = format!("{FIRST} g8:+18; h1:+12;\n% nothing\n2x2 XOOX O;\n");
        let records = from_obf(&text).unwrap();
        assert_eq!(records[0].text.as_deref(), Some("g8:+18; h1:+12"));
        assert_eq!(
            (records[1].start.as_str(), records[1].to_move),
            ("xo|ox", 'o')
        );
        let written: String = records
            .iter()
            .map(|record| to_obf(record).unwrap())
            .collect();
        assert_eq!(written, format!("{FIRST} g8:+18; h1:+12;\n2x2 XOOX O;\n"));
        assert!(
            from_obf("XO")
                .unwrap_err()
                .to_string()
                .starts_with("line 1: a problem on 8x8 ")
        );
    }

    #[test]
    fn a_game_is_written_position_by_position() {
        let game = &from_usual_transcripts("e6f4e3f6g5d6e7f5c5").unwrap()[0];
        let text = to_obf(game).unwrap();
        assert_eq!(text.lines().count(), 9);
        assert!(text.lines().nth(1).unwrap().ends_with(" O; % f4"));
        assert_eq!(from_obf(&text).unwrap().len(), 9);
    }
}
