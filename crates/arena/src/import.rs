//! Games out of whatever has them: records of this program, GGF, transcripts, moves in a row, files of WTHOR.

use thiserror::Error;
use upstar_games::{AnyGame, Color, Grid, Start, Variant, excerpt};

use crate::othello::{ggf, records, wthor};
use crate::record::{Record, Winner};

/// A game that was played, as far as the text tells.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    /// Its number in the text, from 1.
    pub number: usize,
    /// Where its moves begin.
    pub start: AnyGame,
    /// The moves by name, all of them legal.
    pub moves: Vec<String>,
    /// The players of `x` and `o`.
    pub players: [String; 2],
    /// Who won, if that is known and somebody did.
    pub winner: Option<Color>,
}

/// Why a text has no games, with an example of a text that has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{sentence}")]
pub struct ImportError {
    /// What is wrong.
    pub sentence: String,
    /// What would be right.
    pub right: &'static str,
}

const RECORDS: &str = "records of upstar match";
const GGF: &str = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 …]B[d3]W[c3];)";
const TRANSCRIPT: &str = "f5d6c3d3c4";
const MOVES: &str = "a1b1 c2c1";

/// All games of a text that have moves. Records and GGF tell their own game and start; for moves alone they
/// are given. Games of moves stand on a line each, or are one game over several lines if `pasted`.
///
/// # Errors
/// If the text has no games, or one of them has an illegal move.
pub fn import(
    text: &str,
    variant: Variant,
    start: &Start,
    pasted: bool,
) -> Result<Vec<ImportedGame>, ImportError> {
    let begin = text.trim_start();
    let refused = |right| {
        move |error: &dyn std::fmt::Display| ImportError {
            sentence: error.to_string(),
            right,
        }
    };
    let (games, right) = if begin.starts_with('{') {
        let lines = begin.lines().filter(|line| !line.trim().is_empty());
        let records: Result<Vec<Record>, _> = lines.map(serde_json::from_str).collect();
        let records = records.map_err(|error| refused(RECORDS)(&error))?;
        (of_records(&records), RECORDS)
    } else if begin.contains("(;") {
        let records = ggf::read(begin).map_err(|error| refused(GGF)(&error))?;
        (of_records(&records), GGF)
    } else if let (Variant::Othello(_) | Variant::Reversi, Some(size)) = (variant, size(start)) {
        let text = match pasted {
            true => moves(begin).concat(),
            false => begin.to_owned(),
        };
        let records = records::from_transcripts(&text, variant, size);
        let records = records.map_err(|error| refused(TRANSCRIPT)(&error))?;
        (of_records(&records), TRANSCRIPT)
    } else {
        let start = AnyGame::open(variant, start, None);
        let start = start.map_err(|error| refused(MOVES)(&error))?;
        (of_lines(begin, &start, pasted), MOVES)
    };
    let games = games.map_err(|error| refused(right)(&error))?;
    if games.is_empty() {
        let sentence = format!("no moves in '{}'", excerpt(begin));
        return Err(ImportError { sentence, right });
    }
    for game in &games {
        let played = game.start.play_all(&game.moves);
        played.map_err(|error| refused(right)(&format!("game {}: {error}", game.number)))?;
    }
    Ok(games)
}

/// The same for the bytes of a file, which may be one of WTHOR: then `names` are those of its `.jou` file.
///
/// # Errors
/// If they are neither a text with games nor a file of WTHOR.
pub fn import_bytes(
    bytes: Vec<u8>,
    names: Option<&[u8]>,
    variant: Variant,
    start: &Start,
    pasted: bool,
) -> Result<Vec<ImportedGame>, ImportError> {
    let wrong = |sentence: String| ImportError {
        sentence,
        right: "records of upstar match, GGF, transcripts, or a .wtb file of WTHOR",
    };
    if wthor::is_wthor(&bytes) {
        let records = wthor::read(&bytes, names).map_err(|error| wrong(error.to_string()))?;
        return of_records(&records).map_err(wrong);
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8".to_owned()))?;
    import(&text, variant, start, pasted)
}

fn size(start: &Start) -> Option<Grid> {
    match start {
        Start::Size(size) => Some(*size),
        _ => None,
    }
}

fn of_records(records: &[Record]) -> Result<Vec<ImportedGame>, String> {
    let numbered = records.iter().enumerate();
    let game = |(index, record): (usize, &Record)| {
        Ok(ImportedGame {
            number: index + 1,
            start: record.open()?,
            moves: record.moves.clone(),
            players: [record.black.clone(), record.white.clone()],
            winner: record.winner.and_then(Winner::side),
        })
    };
    let moved = numbered.filter(|(_, record)| !record.moves.is_empty());
    moved.map(game).collect()
}

fn of_lines(text: &str, start: &AnyGame, pasted: bool) -> Result<Vec<ImportedGame>, String> {
    let whole = [text];
    let lines: Vec<&str> = match pasted {
        true => whole.to_vec(),
        false => text.lines().collect(),
    };
    let games = lines.into_iter().map(moves).filter(|it| !it.is_empty());
    let game = |(index, moves)| ImportedGame {
        number: index + 1,
        start: start.clone(),
        moves,
        players: ["x".to_owned(), "o".to_owned()],
        winner: None,
    };
    Ok(games.enumerate().map(game).collect())
}

/// The moves of a line, without their numbers.
fn moves(line: &str) -> Vec<String> {
    let words = line.split([' ', ',', ';', '\t', '\n', '\r']);
    let is_move = |word: &&str| {
        let word = word.trim_end_matches('.');
        !word.is_empty() && !word.chars().all(|letter| letter.is_ascii_digit())
    };
    words.filter(is_move).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, game: &str, start: &str) -> Result<Vec<ImportedGame>, ImportError> {
        import(text, game.parse().unwrap(), &start.parse().unwrap(), true)
    }

    #[test]
    fn moves_are_read_with_and_without_numbers() {
        let games = read("1. f5 d6\n2. c3", "othello", "8x8").unwrap();
        assert_eq!(games[0].moves, ["f5", "d6", "c3"]);
        let games = read("a1b1, c2c1", "clobber", "2x3").unwrap();
        assert_eq!(games[0].moves, ["a1b1", "c2c1"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_an_example() {
        let error = read("a1a9", "clobber", "2x3").unwrap_err();
        assert!(error.sentence.starts_with("game 1: "), "{error}");
        assert_eq!(error.right, MOVES);
        assert_eq!(
            read("  ", "clobber", "2x3").unwrap_err().sentence,
            "no moves in ''"
        );
        assert_eq!(read("{", "clobber", "2x3").unwrap_err().right, RECORDS);
    }
}
