//! OBF: a position per line, with the scores of its moves where they are known.

use upstar_games::{AnyGame, Color, OpenError, Start, Variant, othello::Opening};
use upstar_solve::othello::obf;

use super::{FormatError, check_othello, numbered, record_of};
use crate::record::Record;

/// Reads positions as games without moves. What a line says of its moves becomes the text of the record.
///
/// # Errors
/// If a line is no position.
pub fn read(text: &str) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let problem = obf::parse(line).map_err(|error| FormatError::at(number + 1, error))?;
        let Some(problem) = problem else {
            continue;
        };
        let setup = problem.setup.clone();
        let position = setup.to_string();
        let variant = Variant::Othello(Opening::Diagonal);
        let side = Some(problem.to_move.letter());
        let any = AnyGame::open(variant, &Start::Given(setup), side)
            .map_err(|error: OpenError| FormatError::at(number + 1, error))?;
        let word = variant.to_string();
        let mut record = match &any {
            AnyGame::Othello64(game, start) => record_of(game, start, &[], &word, &position),
            AnyGame::Othello128(game, start) => record_of(game, start, &[], &word, &position),
            _ => unreachable!("the variant is Othello"),
        };
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
pub fn write(record: &Record) -> Result<String, FormatError> {
    check_othello(record)?;
    let positions = record.positions().map_err(FormatError::of_record)?;
    let mut text = String::new();
    for (number, (position, side)) in positions.iter().enumerate() {
        let mv = record.moves.get(number);
        if mv.is_none() && record.winner.is_some() && number > 0 {
            break;
        }
        text += &line(position, *side);
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

fn line(position: &str, side: char) -> String {
    let rows: Vec<&str> = position.split('|').collect();
    let size = match (rows.len(), rows[0].len()) {
        (8, 8) => String::new(),
        (rows, cols) => format!("{rows}x{cols} "),
    };
    let discs: String = rows.concat().to_ascii_uppercase().replace('.', "-");
    let side = if side == Color::Black.letter() {
        'X'
    } else {
        'O'
    };
    format!("{size}{discs} {side};")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::transcript;

    const FIRST: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";

    #[test]
    fn positions_are_read_and_written() {
        let text = format!("{FIRST} g8:+18; h1:+12;\n% nothing\n2x2 XOOX O;\n");
        let records = read(&text).unwrap();
        assert_eq!(records[0].text.as_deref(), Some("g8:+18; h1:+12"));
        assert_eq!(
            (records[1].start.as_str(), records[1].to_move),
            ("xo|ox", 'o')
        );
        let written: String = records
            .iter()
            .map(|record| write(record).unwrap())
            .collect();
        assert_eq!(written, format!("{FIRST} g8:+18; h1:+12;\n2x2 XOOX O;\n"));
        assert!(
            read("XO")
                .unwrap_err()
                .to_string()
                .starts_with("line 1: a problem on 8x8 ")
        );
    }

    #[test]
    fn a_game_is_written_position_by_position() {
        let game = &transcript::read_usual("e6f4e3f6g5d6e7f5c5").unwrap()[0];
        let text = write(game).unwrap();
        assert_eq!(text.lines().count(), 9);
        assert!(text.lines().nth(1).unwrap().ends_with(" O; % f4"));
        assert_eq!(read(&text).unwrap().len(), 9);
    }
}
