//! The text that Edax writes with `book export` and reads with `book import`: a line for each position, with the
//! board from a1 row by row (`X` and `O`, `-` for an empty cell), the side to move, the level, and the best move
//! that leads out of the book (`--` for none) with its score.
//!
//! ```text
//! ---------------------------OX------XO--------------------------- X,14,d3,0
//! ```

use std::fmt::Write;

use upstar_games::othello::Move;
use upstar_games::{Cell, Color, Position, Rules, excerpt};

use super::{Entry, Key, Leaf, OpeningBook};

/// What Edax writes where there is no move.
const NO_MOVE: &str = "--";
/// The score that goes with it.
const NO_SCORE: i32 = -127;
/// The highest level that there is.
const MOST_LEVEL: u8 = 60;

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what} in '{shown}'")]
pub struct EdaxError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
    /// The line, as far as it is shown.
    pub shown: String,
}

impl OpeningBook {
    /// The book as Edax's text. Edax knows boards of 8×8 only.
    #[must_use]
    pub fn to_edax(&self) -> String {
        let mut text = String::new();
        for (key, entry) in &self.entries {
            let discs = |index: usize| match (key.own >> index & 1, key.opponent >> index & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            };
            let board: String = (0..self.grid.len()).map(discs).collect();
            let (name, score) = match entry.leaf {
                Leaf::Move { cell, score } => {
                    let mv = Move::Place(Cell::new(cell.into()));
                    (self.game.move_name(mv), i32::from(score))
                }
                Leaf::Nothing | Leaf::Unsearched => (NO_MOVE.to_owned(), NO_SCORE),
            };
            let level = entry.level;
            writeln!(text, "{board} X,{level},{name},{score}").expect("a string takes all");
        }
        text
    }

    /// Puts the positions of such a text in, in place of those that are there. Returns how many there are.
    ///
    /// # Errors
    /// If a line is no position of a book; then nothing is put in.
    pub fn insert_edax(&mut self, text: &str) -> Result<usize, EdaxError> {
        let mut found = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let entry = self.edax_entry(line.trim()).map_err(|what| EdaxError {
                line: index + 1,
                what,
                shown: excerpt(line),
            })?;
            found.extend(entry);
        }
        let count = found.len();
        self.entries.extend(found);
        self.settle();
        Ok(count)
    }

    /// A position; `None` if its side to move cannot place a disc, which Edax keeps and this book does not.
    fn edax_entry(&self, line: &str) -> Result<Option<(Key, Entry)>, &'static str> {
        let mut parts = line.split(',').map(str::trim);
        let board = parts.next().unwrap_or_default();
        let (board, side) = board.split_at_checked(64).ok_or("the board is too short")?;
        let mut position = Position {
            own: 0u64,
            opponent: 0,
            to_move: Color::Black,
        };
        for (index, letter) in board.chars().enumerate() {
            match letter {
                'X' | 'x' | '*' => position.own |= 1 << index,
                'O' | 'o' => position.opponent |= 1 << index,
                '-' | '.' => {}
                _ => return Err("there is an unknown disc"),
            }
        }
        match side.trim() {
            "X" | "x" | "*" => {}
            "O" | "o" => std::mem::swap(&mut position.own, &mut position.opponent),
            _ => return Err("the side to move is missing"),
        }
        let level: Option<u8> = parts.next().and_then(|level| level.parse().ok());
        let level = level.filter(|level| *level <= MOST_LEVEL);
        let level = level.ok_or("the level is no number from 0 to 60")?;
        let leaf = match (parts.next(), parts.next()) {
            (None | Some("" | NO_MOVE), _) => None,
            (Some(name), Some(score)) => {
                let mv = self.game.move_named(&name.to_lowercase());
                let mv = mv.ok_or("the move is none")?;
                let score: Option<i8> = score.parse().ok();
                let score = score.filter(|score| score.unsigned_abs() <= 64);
                Some((mv, score.ok_or("the score is no number from -64 to 64")?))
            }
            (Some(_), None) => return Err("the score is missing"),
        };
        let (key, symmetry) = self.normal(&position);
        let leaf = match leaf {
            // Edax keeps no leaf where all moves are in the book, or where it was not searched; the next growth
            // tells which.
            None => Leaf::Unsearched,
            Some((Move::Pass, _)) => return Ok(None),
            Some((Move::Place(cell), score)) => Leaf::Move {
                cell: symmetry.cell(cell).index() as u8,
                score,
            },
        };
        if self.game.placements(&position) == 0 {
            return Ok(None);
        }
        if !self.is_possible(key, leaf) {
            return Err("the move cannot be played");
        }
        let entry = Entry {
            level,
            leaf,
            score: None,
        };
        Ok(Some((key, entry)))
    }
}

#[cfg(test)]
mod tests {
    use upstar_jobs::Budget;

    use super::super::Growth;
    use super::*;

    #[test]
    fn texts_are_read_back() {
        let mut book = OpeningBook::new("8x8".parse().unwrap());
        let growth = Growth {
            level: 2,
            positions: 60,
            ..Growth::default()
        };
        let grown = book.grow(&growth, 1, &Budget::unlimited(), &mut |_, _| Ok(()));
        assert!(grown.unwrap());
        let text = book.to_edax();
        let mut again = OpeningBook::new(book.grid());
        assert_eq!(again.insert_edax(&text), Ok(book.len()));
        let grown = again.grow(&growth, 1, &Budget::unlimited(), &mut |_, _| Ok(()));
        assert!(grown.unwrap());
        assert_eq!(again.entries, book.entries);
    }

    #[test]
    fn other_texts_are_refused() {
        let start = "---------------------------OX------XO---------------------------";
        let mut book = OpeningBook::new("8x8".parse().unwrap());
        let good = format!("{start} X,10,F5,+1\n\n{start} X,10,--,-127\n");
        assert_eq!(book.insert_edax(&good), Ok(2));
        for (line, what) in [
            ("---- X,1,d3,0".to_owned(), "the board is too short"),
            (format!("{start},10,d3,0"), "the side to move is missing"),
            (
                format!("{start} X,99,d3,0"),
                "the level is no number from 0 to 60",
            ),
            (format!("{start} X,9,a1,0"), "the move cannot be played"),
            (
                format!("{start} X,9,d3,100"),
                "the score is no number from -64 to 64",
            ),
            (format!("{start} X,9,d3"), "the score is missing"),
        ] {
            let error = book.insert_edax(&line).unwrap_err();
            assert_eq!((error.line, error.what), (1, what));
        }
    }
}
