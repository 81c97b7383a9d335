//! Games as players write them down: `f5d6c3d3c4…`, read tolerantly.

use thiserror::Error;

use super::Move;
use crate::excerpt;
use crate::game::Game;
use crate::variant::Variant;

/// The moves of a game from this position. Letters may be large or small; blanks, commas, hyphens and
/// move numbers (`1.`) are left out, and passes may be (`pa`, `ps`, `pass` or nothing).
///
/// # Errors
/// If a word is not a move or a move is not legal.
pub fn read<G: Game<Move = Move>>(
    game: &G,
    start: &G::Position,
    text: &str,
) -> Result<Vec<Move>, TranscriptError> {
    let mut position = *start;
    let mut moves = Vec::new();
    for word in words(text) {
        let passes = matches!(word.as_str(), "pa" | "ps" | "pass");
        let must_pass = game.moves(&position).next() == Some(Move::Pass);
        if must_pass {
            position = game.play_unchecked(&position, Move::Pass);
            moves.push(Move::Pass);
            if passes {
                continue;
            }
        }
        let mv = if passes { None } else { game.move_named(&word) };
        let Some(mv) = mv.or(passes.then_some(Move::Pass)) else {
            return Err(TranscriptError::NoMove(excerpt(&word)));
        };
        let illegal = || TranscriptError::Illegal {
            number: moves.len() + 1,
            name: word.clone(),
        };
        position = game.play(&position, mv).map_err(|_| illegal())?;
        moves.push(mv);
    }
    Ok(moves)
}

/// Letters followed by digits, or a word for a pass; in small letters.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut number = false;
    for letter in text.chars() {
        let digit = letter.is_ascii_digit();
        let separates = letter.is_whitespace() || matches!(letter, ',' | '-' | '.' | ';');
        // A number that follows no letters is a move's number.
        number = digit && (number || !open);
        if separates || number {
            open = false;
            continue;
        }
        let follows = words.last().and_then(|word| word.chars().last());
        let begins = !digit && follows.is_some_and(|last| last.is_ascii_digit());
        let passed = words
            .last()
            .is_some_and(|word| matches!(word.as_str(), "pa" | "ps" | "pass"));
        if !open || begins || passed && letter != 's' {
            words.push(String::new());
        }
        open = true;
        let last = words.last_mut().expect("one was begun");
        last.extend(letter.to_lowercase());
    }
    words
}

/// Writes moves by their names, without passes.
pub fn write<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for name in names {
        if name.as_ref() != "pass" {
            text += name.as_ref();
        }
    }
    text
}

/// Why a text is not a game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TranscriptError {
    /// A word that names no cell of this board.
    #[error("'{0}' is not a move on this board, like f5")]
    NoMove(String),
    /// A move that the rules do not allow.
    #[error("move {number}, {}, is not legal", excerpt(.name))]
    Illegal {
        /// Its number, passes included, counted from 1.
        number: usize,
        /// Its name.
        name: String,
    },
    /// Transcripts are of Othello, and this is another game.
    #[error("{0} is not Othello")]
    OtherGame(Variant),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::{Opening, start};
    use crate::{Color, Grid, Othello, Position, Rules};

    fn board(size: &str) -> (Othello<u64>, Position<u64>) {
        let grid: Grid = size.parse().unwrap();
        let game = Othello::new(grid);
        let position = game
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        (game, position)
    }

    #[test]
    fn passes_are_not_written() {
        assert_eq!(write(["a1", "a2", "a3", "pass", "d2"]), "a1a2a3d2");
    }

    fn check(size: &str, text: &str, expected: &str) {
        let (game, position) = board(size);
        let written = match read(&game, &position, text) {
            Ok(moves) => moves
                .iter()
                .map(|&mv| game.move_name(mv))
                .collect::<Vec<_>>()
                .join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn games_are_read() {
        check("8x8", "f5d6c3d3c4", "f5 d6 c3 d3 c4");
        check("8x8", "1. F5 D6 2. C3-d3,c4\n", "f5 d6 c3 d3 c4");
        check("8x8", "", "");
        check(
            "8x8",
            "f5d6c3z9",
            "'z9' is not a move on this board, like f5",
        );
        check("8x8", "f5f5", "move 2, f5, is not legal");
        check("3x4", "a1a2a3d2", "a1 a2 a3 pass d2");
        check("3x4", "a1a2a3 pass d2", "a1 a2 a3 pass d2");
        check("3x4", "A1A2A3PAD2", "a1 a2 a3 pass d2");
        check("3x4", "a1 pass", "move 2, pass, is not legal");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let (game, position) = board("8x8");
            let _ = read(&game, &position, &text);
        }

        #[test]
        fn nearly_right_texts_are_read_or_refused(text in "([a-h][1-8]|pas?s?|[., -]|[0-9]){0,20}") {
            let (game, position) = board("8x8");
            let _ = read(&game, &position, &text);
        }
    }
}
