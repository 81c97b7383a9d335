//! WTHOR, the database of the French Othello federation: files `.wtb` with the games of a year, and `.jou` with
//! the players' names.
//!
//! A header of 16 bytes (date of the file, number of games as 32 bits, number of names as 16, year as 16, size of the
//! board, kind, depth, a spare byte; low bytes first) is followed by games of 68 bytes: tournament, Black and White as
//! 16 bits each, Black's discs at the end, Black's discs after best play, and 60 moves `10 * row + column`, 0 where
//! there is none. Passes are left out. A name of a player takes 20 bytes and ends with a zero.

use std::fs;
use std::path::Path;

use super::records::from_usual_transcripts;
use super::{FormatError, numbered};
use crate::record::{Reason, Record, Winner};

const HEADER: usize = 16;
const GAME: usize = 68;
const NAME: usize = 20;
/// The longest file of names that is read, in bytes: more than 16 bits can number.
const LONGEST: u64 = 2 << 20;

/// Whether these are the bytes of such a file: no text has a length and a header that fit so well.
#[must_use]
pub fn is_wthor(bytes: &[u8]) -> bool {
    bytes.len() >= HEADER
        && bytes.len() - HEADER == count(bytes) * GAME
        && matches!(bytes[12], 0 | 8 | 10)
}

fn count(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize
}

fn word(bytes: &[u8]) -> usize {
    usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
}

/// Reads all games. `names` are the bytes of a `.jou` file; without it players have numbers.
///
/// # Errors
/// If the file is another, the board is not 8×8, or a game has a move that is not legal.
pub fn read(bytes: &[u8], names: Option<&[u8]>) -> Result<Vec<Record>, FormatError> {
    if !is_wthor(bytes) {
        return Err(FormatError::of_record(
            "not a file of WTHOR, or only a part of one",
        ));
    }
    if bytes[12] == 10 {
        return Err(FormatError::of_record(
            "games of WTHOR on 10x10 are not read",
        ));
    }
    let games = bytes[HEADER..].chunks_exact(GAME).enumerate();
    let read = games.map(|(index, game)| {
        read_game(game, names)
            .map_err(|what| FormatError::of_record(format!("game {}: {what}", index + 1)))
    });
    Ok(numbered(read.collect::<Result<_, _>>()?))
}

fn read_game(game: &[u8], names: Option<&[u8]>) -> Result<Record, String> {
    let played = game[8..].iter().take_while(|&&cell| cell != 0);
    let cell = |&cell: &u8| match (cell / 10, cell % 10) {
        (row @ 1..=8, col @ 1..=8) => Ok(format!("{}{row}", char::from(b'a' + col - 1))),
        _ => Err(format!("{cell} is not a cell")),
    };
    let moves = played.map(cell).collect::<Result<String, String>>()?;
    // A game without moves is an empty line, which is none.
    let records = from_usual_transcripts(&moves).map_err(|error| error.what)?;
    let mut record = records.into_iter().next().ok_or("it has no moves")?;
    (record.black, record.white) = (name(names, word(&game[2..])), name(names, word(&game[4..])));
    if record.winner.is_none() {
        // What the players agreed on, or who lost by time.
        record.winner = Some(Winner::of_score(i32::from(game[6]) - 32));
        record.reason = Reason::Agreed;
    }
    Ok(record)
}

fn name(names: Option<&[u8]>, number: usize) -> String {
    let begin = HEADER + number * NAME;
    let name = names.and_then(|names| names.get(begin..begin + NAME));
    // Letters beyond ASCII are those of Latin-1.
    let letters = name
        .unwrap_or_default()
        .iter()
        .take_while(|&&byte| byte != 0);
    let name: String = letters.map(|&byte| char::from(byte)).collect();
    match name.trim() {
        "" => format!("player {number}"),
        name => name.to_owned(),
    }
}

/// The bytes of the only `.jou` file beside this one, if there is one.
#[must_use]
pub fn names_beside(file: &Path) -> Option<Vec<u8>> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_names = |path: &Path| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("jou"))
    };
    let found: Vec<_> = paths.filter(|path| is_names(path)).collect();
    let [names] = &found[..] else {
        return None;
    };
    let about = fs::metadata(names).ok()?;
    (about.is_file() && about.len() <= LONGEST).then(|| fs::read(names).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of these games: Black, White, Black's discs, moves.
    fn file(games: &[(u16, u16, u8, &str)]) -> Vec<u8> {
        let mut bytes = vec![20, 18, 11, 18];
        bytes.extend((games.len() as u32).to_le_bytes());
        bytes.extend([0, 0, 0xea, 7, 8, 0, 22, 0]);
        for &(black, white, discs, moves) in games {
            let players = [7u16.to_le_bytes(), black.to_le_bytes(), white.to_le_bytes()];
            bytes.extend(players.concat());
            bytes.extend([discs, discs]);
            let cells = moves.as_bytes().chunks(2);
            let mut cells: Vec<u8> = cells
                .map(|at| 10 * (at[1] - b'0') + at[0] - b'a' + 1)
                .collect();
            cells.resize(60, 0);
            bytes.extend(cells);
        }
        bytes
    }

    /// Nine moves after which White has no disc (the shortest game).
    const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn games_are_read_byte_by_byte() {
        let bytes = file(&[(1, 2, 64, SHORTEST), (2, 0, 20, "f5d6c3")]);
        assert_eq!(bytes[16 + 8], 65);
        let mut names = vec![0; HEADER];
        for name in ["Nobody", "Tamenori", "Brøderløs"] {
            let mut letters: Vec<u8> = name.chars().map(|letter| letter as u8).collect();
            letters.resize(NAME, 0);
            names.extend(letters);
        }
        let records = read(&bytes, Some(&names)).unwrap();
        let [first, second] = &records[..] else {
            panic!("two games");
        };
        assert_eq!(first.moves.concat(), SHORTEST);
        assert_eq!(
            (first.winner, first.reason),
            (Some(Winner::Black), Reason::Rules)
        );
        assert_eq!([&*first.black, &*first.white], ["Tamenori", "Brøderløs"]);
        assert_eq!(
            (second.winner, second.reason),
            (Some(Winner::White), Reason::Agreed)
        );
        assert_eq!(second.index, 1);
        assert_eq!(read(&bytes, None).unwrap()[0].white, "player 2");
    }

    #[test]
    fn other_files_and_wrong_moves_are_refused() {
        let bytes = file(&[(1, 2, 40, "f5"), (1, 2, 40, "a1")]);
        let sentence = |bytes: &[u8]| read(bytes, None).unwrap_err().to_string();
        assert!(
            sentence(&bytes).starts_with("game 2: "),
            "{}",
            sentence(&bytes)
        );
        assert!(!is_wthor(&bytes[..bytes.len() - 1]) && !is_wthor(b"f5d6c3d3c4f4c5b3c2"));
        assert_eq!(
            sentence(&bytes[..40]),
            "not a file of WTHOR, or only a part of one"
        );
        let mut wrong = bytes.clone();
        wrong[16 + 8] = 99;
        assert_eq!(sentence(&wrong), "game 1: 99 is not a cell");
        wrong[12] = 10;
        assert!(sentence(&wrong).contains("10x10"));
    }
}
