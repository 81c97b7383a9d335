//! Problems in OBF, a line each: 64 discs row by row, the side to move, then moves with their scores.
//!
//! `--XXXXX-…-- X; G8:+18; H1:+12; …` The side to move is `X`, `*` or `B`, or `O`; what follows `%` is
//! a comment. Boards of other sizes begin with their size, `6x6 …`.

use std::fmt;

use thiserror::Error;

use crate::board::Board;
use crate::cells::{Cell, MAX_CELLS};
use crate::color::Color;
use crate::excerpt;
use crate::grid::Grid;
use crate::setup::Setup;
use crate::side::Side;

/// A position and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The board with its discs.
    pub setup: Setup,
    /// The side to move.
    pub to_move: Color,
    /// Moves, by name, with their scores for the side to move, as far as the line tells.
    pub scores: Vec<(String, i32)>,
}

impl Problem {
    /// The best of the scores: that of the position, if the line is right and tells of a best move.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Writes the line, `--XX… X; g8:+18; h1:+12;`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = &self.setup.board;
        if board.to_string() != "8x8" {
            write!(f, "{board} ")?;
        }
        for cell in (0..board.len()).map(Cell::new) {
            let letter = self.setup.letter(cell).to_ascii_uppercase();
            write!(f, "{}", if letter == '.' { '-' } else { letter })?;
        }
        write!(f, " {};", self.to_move.letter().to_ascii_uppercase())?;
        for (name, score) in &self.scores {
            write!(f, " {name}:{score:+};")?;
        }
        Ok(())
    }
}

/// Reads a line; nothing if it is empty or a comment.
///
/// # Errors
/// If it is not a problem.
pub fn parse(line: &str) -> Result<Option<Problem>, ObfError> {
    let line = line.split('%').next().unwrap_or_default().trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut fields = line.split(';').map(str::trim);
    let position = fields.next().unwrap_or_default();
    let (size, discs) = match position.split_once(char::is_whitespace) {
        Some((size, discs)) if size.starts_with(|c: char| c.is_ascii_digit()) => (size, discs),
        _ => ("8x8", position),
    };
    let grid: Grid = size.parse().map_err(|_| ObfError::Size(excerpt(size)))?;
    let letters: Vec<char> = discs
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(MAX_CELLS + 2)
        .collect();
    if letters.len() != grid.len() + 1 {
        let found = letters.len().saturating_sub(1);
        return Err(ObfError::Length { grid, found });
    }
    let (&side, discs) = letters.split_last().expect("a board and a side to move");
    let color = |letter: char| Side::from_letter(letter).and_then(Side::color);
    let mut setup = Setup::new(grid);
    for (index, &letter) in discs.iter().enumerate() {
        match color(letter) {
            Some(color) => setup.put(Cell::new(index), color),
            None if matches!(letter, '-' | '.') => {}
            None => return Err(ObfError::Letter(letter)),
        }
    }
    let to_move = color(side).ok_or(ObfError::Letter(side))?;
    let mut scores = Vec::new();
    for field in fields.filter(|field| !field.is_empty()) {
        scores.push(score_of(field, &setup).ok_or_else(|| ObfError::Score(excerpt(field)))?);
    }
    Ok(Some(Problem {
        setup,
        to_move,
        scores,
    }))
}

/// A move with its score, `G8:+18`; a pass is `PS`, `PA` or `pass`.
fn score_of(field: &str, setup: &Setup) -> Option<(String, i32)> {
    let (mv, score) = field.split_once(':')?;
    let mv = mv.trim().to_ascii_lowercase();
    let score = score.trim().parse().ok()?;
    let Board::Grid(grid) = &setup.board else {
        return None;
    };
    let name = match mv.as_str() {
        "ps" | "pa" | "pass" => "pass".to_owned(),
        cell => grid.name(grid.cell_named(cell)?),
    };
    Some((name, score))
}

/// Why a line is not a problem.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ObfError {
    /// A first word that is not a size.
    #[error("'{0}' is not a size ROWSxCOLS")]
    Size(String),
    /// Too many or too few letters for the board.
    #[error(
        "a problem on {grid} has {} letters, the last of them for the side to move; there are {}",
        .grid.len() + 1,
        .found + 1
    )]
    Length {
        /// The board.
        grid: Grid,
        /// The number of letters before the side to move.
        found: usize,
    },
    /// A letter that stands for nothing.
    #[error("'{}' is not a disc: X and O are discs, - is empty", .0.escape_debug())]
    Letter(char),
    /// A field that is not a move with its score.
    #[error("'{0}' is not a move with its score, like G8:+18")]
    Score(String),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";

    #[test]
    fn problems_are_read() {
        let problem = parse(&format!("{FIRST} X; G8:+18; h1:+12; % FFO #1"))
            .unwrap()
            .unwrap();
        let start = "..xxxxx.|.oooxx.o|.oooxxox|.oxoxoxx|oxxxoxxx|..xoxoxx|.xxxooo.|.ooooo..";
        assert_eq!(problem.setup.to_string(), start);
        assert_eq!((problem.to_move, problem.score()), (Color::Black, Some(18)));
        assert_eq!(problem.scores[1], ("h1".to_owned(), 12));
        let small = parse("2x2 xo.- O").unwrap().unwrap();
        assert_eq!(
            (small.setup.to_string().as_str(), small.to_move),
            ("xo|..", Color::White)
        );
        assert_eq!(parse(" % nothing").unwrap(), None);
        let written = format!("{FIRST} X; g8:+18; h1:+12;");
        assert_eq!(problem.to_string(), written);
        assert_eq!(parse(&written), Ok(Some(problem)));
        assert_eq!(small.to_string(), "2x2 XO-- O;");
    }

    #[test]
    fn bad_lines_are_refused_with_a_sentence() {
        let refused = |line: &str| parse(line).unwrap_err().to_string();
        assert_eq!(
            refused("XO X"),
            "a problem on 8x8 has 65 letters, the last of them for the side to move; there are 3"
        );
        assert_eq!(refused("0x2 X"), "'0x2' is not a size ROWSxCOLS");
        assert_eq!(
            refused("1x2 X? X"),
            "'?' is not a disc: X and O are discs, - is empty"
        );
        assert_eq!(
            refused("1x2 XO t"),
            "'t' is not a disc: X and O are discs, - is empty"
        );
        let field = refused(&format!("{FIRST} X; G9:+18"));
        assert_eq!(field, "'G9:+18' is not a move with its score, like G8:+18");
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in any::<String>()) {
            let _ = parse(&line);
        }

        #[test]
        fn nearly_right_lines_are_read_or_refused(line in "[1-3]x[1-3] [XO.-]{0,10} [XO*]?;( [a-c][1-3]:[+-]?[0-9]{1,2};)?") {
            let _ = parse(&line);
        }
    }
}
