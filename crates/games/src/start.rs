//! Where a game begins, as the user says it: a size, a position text, or `random:…`.

use std::str::FromStr;

use thiserror::Error;

use crate::excerpt;
use crate::grid::{Grid, SizeError};
use crate::random::Random;
use crate::setup::{Setup, SetupError};

/// Where a game begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The game's own start position on this board.
    Size(Grid),
    /// A position drawn at random.
    Random {
        /// The board.
        grid: Grid,
        /// The seed of the draw.
        seed: u64,
        /// The share of cells with a stone; `None` leaves it to the game.
        density: Option<f64>,
    },
    /// Just this position.
    Given(Setup),
}

/// Reads `4x5`, `random:5x6,seed=7,density=0.8`, or a position text.
impl FromStr for Start {
    type Err = StartError;

    fn from_str(text: &str) -> Result<Self, StartError> {
        let text = text.trim();
        if let Some(words) = text.strip_prefix("random:") {
            return random_start(words);
        }
        // A pasted board may begin with the number of its first row.
        let is_size = text.starts_with(|c: char| c.is_ascii_digit())
            && !text.contains('=')
            && !text.contains(char::is_whitespace);
        if is_size {
            text.parse().map(Self::Size).map_err(StartError::Size)
        } else {
            text.parse().map(Self::Given).map_err(StartError::Setup)
        }
    }
}

impl Start {
    /// Reads what the program itself shows of a position, or any other text of a start: a line
    /// `o to move` after the board says whose turn it is, and what follows is left out.
    ///
    /// # Errors
    /// If the text is not a start.
    pub fn from_pasted(text: &str) -> Result<(Self, Option<char>), StartError> {
        let mut board = Vec::new();
        let mut to_move = None;
        for line in text.lines() {
            let first = line.chars().next();
            let rest = first.map_or("", |letter| &line[letter.len_utf8()..]);
            if rest.starts_with(" to move") {
                to_move = first;
                break;
            }
            if line.starts_with(OVER) {
                break;
            }
            board.push(line);
        }
        Ok((board.join("\n").parse()?, to_move))
    }
}

/// How the line after a board begins when the game is over.
pub const OVER: &str = "over: ";

fn random_start(text: &str) -> Result<Start, StartError> {
    let mut words = text.split(',');
    let size = words.next().unwrap_or_default();
    let grid = size.parse().map_err(StartError::Size)?;
    let (mut seed, mut density) = (Random::DEFAULT_SEED, None);
    for word in words {
        let bad = || StartError::BadWord(excerpt(word));
        match word.split_once('=').ok_or_else(bad)? {
            ("seed", number) => seed = number.parse().map_err(|_| bad())?,
            ("density", number) => {
                let share = number.parse().map_err(|_| bad())?;
                density = Some(share).filter(|share| (0.0..=1.0).contains(share));
                if density.is_none() {
                    return Err(bad());
                }
            }
            _ => return Err(bad()),
        }
    }
    Ok(Start::Random {
        grid,
        seed,
        density,
    })
}

/// Why a text is not a start.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StartError {
    /// A size that is not that of a board.
    #[error(transparent)]
    Size(SizeError),
    /// A text that is not a position.
    #[error(transparent)]
    Setup(SetupError),
    /// A word after `random:` that is not understood.
    #[error("'{0}' is neither seed=NUMBER nor density=SHARE with a share from 0 to 1")]
    BadWord(String),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn starts_are_told_apart() {
        let grid: Grid = "5x6".parse().unwrap();
        assert_eq!("5x6".parse(), Ok(Start::Size(grid)));
        assert_eq!("xo".parse(), Ok(Start::Given("xo".parse().unwrap())));
        assert!(matches!("1=x,2=o,1-2".parse(), Ok(Start::Given(_))));
        let random = Start::Random {
            grid,
            seed: 7,
            density: Some(0.8),
        };
        assert_eq!("random:5x6,seed=7,density=0.8".parse(), Ok(random));
    }

    #[test]
    fn what_is_shown_is_read() {
        let pasted = |text| Start::from_pasted(text).unwrap();
        let setup = "xo|ox".parse().unwrap();
        let shown = "    a b\n  1 x o\n  2 o x\no to move\nxo|ox --to-move o\n";
        assert_eq!(pasted(shown), (Start::Given(setup), Some('o')));
        let setup = "x.".parse().unwrap();
        assert_eq!(
            pasted("    a b\n  1 x .\nover: x wins\nx.\n"),
            (Start::Given(setup), None)
        );
        let setup = ".xo|o..".parse().unwrap();
        assert_eq!(pasted("1 . x o\n2 o . .\n"), (Start::Given(setup), None));
        assert_eq!(pasted("4x5\n"), (Start::Size("4x5".parse().unwrap()), None));
    }

    #[test]
    fn bad_words_are_refused() {
        for text in [
            "random:",
            "random:5x6,seed",
            "random:5x6,seed=-1",
            "random:5x6,density=1.5",
            "random:5x6,density=NaN",
            "random:5x6,colour=red",
            "0x3",
            "4x",
        ] {
            assert!(text.parse::<Start>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = text.parse::<Start>();
            let _ = Start::from_pasted(&text);
        }

        #[test]
        fn any_words_after_random_are_read_or_refused(text in "random:[0-9x,sed=.ynti-]{0,30}") {
            let _ = text.parse::<Start>();
        }
    }
}
