//! Whatever a user pastes: positions, boards as the program shows them, transcripts, OBF, GGF, records.

use serde::{Deserialize, Serialize};
use upstar_arena::{ImportedGame, import, othello::records};
use upstar_games::{AnyGame, Start, Variant};

use crate::board::BoardText;
use crate::error::Refused;

/// A text, and what a bare one is meant for.
#[derive(Deserialize)]
pub(crate) struct ReadRequest {
    text: String,
    game: Option<String>,
    /// Where moves begin; without it the game's usual board.
    position: Option<String>,
}

/// All that was found in a text.
#[derive(Serialize)]
pub(crate) struct ReadGames {
    games: Vec<ReadGame>,
}

#[derive(Serialize)]
struct ReadGame {
    #[serde(flatten)]
    board: BoardText,
    players: Option<[String; 2]>,
}

/// The most games that are told of.
const MOST_GAMES: usize = 1000;

impl ReadRequest {
    pub(crate) fn read(&self) -> Result<ReadGames, Refused> {
        let text = self.text.trim();
        let game = self.game.as_deref().unwrap_or("clobber");
        let variant: Variant = game.parse().map_err(Refused::input)?;
        // Before positions: a line of OBF could be a board of one row.
        if let Some(games) = obf(text) {
            return Ok(ReadGames { games });
        }
        if let Some(game) = position(text, variant) {
            return Ok(ReadGames { games: vec![game] });
        }
        // A transcript is Othello's, whatever is on the board.
        let (variant, usual) = match variant {
            Variant::Othello(_) | Variant::Reversi => (variant, "8x8"),
            other if is_transcript(text) => ("othello".parse().unwrap_or(other), "8x8"),
            other => (other, "6x6"),
        };
        let start = match is_transcript(text) {
            true => usual,
            false => self.position.as_deref().unwrap_or(usual),
        };
        let start: Start = start.parse().map_err(Refused::input)?;
        let games = import(text, variant, &start, true)
            .map_err(|error| Refused::input(format!("{error}; for example {}", error.right)))?;
        let games = games.into_iter().take(MOST_GAMES).map(ReadGame::of);
        Ok(ReadGames {
            games: games.collect(),
        })
    }
}

impl ReadGame {
    fn of(game: ImportedGame) -> Self {
        Self {
            board: text_of(&game.start, game.moves),
            players: Some(game.players),
        }
    }
}

fn text_of(game: &AnyGame, moves: Vec<String>) -> BoardText {
    BoardText {
        game: game.variant().to_string(),
        position: game.to_string(),
        to_move: Some(game.side_to_move().letter().to_string()),
        moves,
    }
}

/// A position, or a board as the program shows it.
fn position(text: &str, variant: Variant) -> Option<ReadGame> {
    // `xox|oxo --to-move o`, as verbs print it.
    let (text, side) = match text.rsplit_once(" --to-move ") {
        Some((text, side)) => (text, side.chars().next()),
        None => (text, None),
    };
    let (start, to_move) = Start::from_pasted(text.trim_matches('\'')).ok()?;
    let game = AnyGame::open(variant, &start, side.or(to_move)).ok()?;
    Some(ReadGame {
        board: text_of(&game, Vec::new()),
        players: None,
    })
}

/// Cells in a row, as in `f5d6c3`.
fn is_transcript(text: &str) -> bool {
    let mut letters = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .peekable();
    let mut cells = 0;
    while let Some(letter) = letters.next() {
        if !matches!(letter, 'a'..='h' | 'A'..='H') {
            return false;
        }
        if !letters
            .next()
            .is_some_and(|digit| matches!(digit, '1'..='8'))
        {
            return false;
        }
        cells += 1;
    }
    cells > 0
}

fn obf(text: &str) -> Option<Vec<ReadGame>> {
    let records = records::from_obf(text).ok()?;
    let game = |record: &upstar_arena::Record| {
        Some(ReadGame {
            board: text_of(&record.open().ok()?, Vec::new()),
            players: None,
        })
    };
    let games: Option<Vec<ReadGame>> = records.iter().take(MOST_GAMES).map(game).collect();
    games.filter(|games| !games.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, game: &str) -> Vec<BoardText> {
        let request = ReadRequest {
            text: text.to_owned(),
            game: Some(game.to_owned()),
            position: None,
        };
        let found = request.read().unwrap();
        found.games.into_iter().map(|game| game.board).collect()
    }

    #[test]
    fn anything_is_read() {
        assert_eq!(
            read("4x5", "clobber")[0].position,
            "xoxox|oxoxo|xoxox|oxoxo"
        );
        assert_eq!(
            read("xo.|#ox --to-move o", "clobber")[0].to_move.as_deref(),
            Some("o")
        );
        assert_eq!(read("f5d6c3", "clobber")[0].game, "othello");
        assert_eq!(read("F5 D6 C3", "othello")[0].moves, ["f5", "d6", "c3"]);
        let board = "    a b\n  1 x o\n  2 o x\no to move\n";
        assert_eq!(read(board, "clobber")[0].position, "xo|ox");
    }
}
