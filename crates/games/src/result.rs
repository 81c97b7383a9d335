//! How a game ended.

use std::cmp::Ordering;
use std::fmt;

use crate::color::Color;
use crate::side::Side;

/// How a game ended; its text says so in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Clobber: this side moved last and has won.
    LastMove(Side),
    /// Othello: the side with more discs has won.
    Discs {
        /// Black's discs on the board.
        black: u32,
        /// White's discs on the board.
        white: u32,
    },
    /// Solitaire: so many stones are left. There is no winner.
    StonesLeft(u32),
    /// Several colours: no player could move at all, so there is no winner.
    NoMoves,
}

impl GameResult {
    /// The side that has won; `None` for a draw and where there is no winner.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::LastMove(side) => Some(side),
            Self::Discs { black, white } => match black.cmp(&white) {
                Ordering::Greater => Some(Color::Black.into()),
                Ordering::Less => Some(Color::White.into()),
                Ordering::Equal => None,
            },
            Self::StonesLeft(_) | Self::NoMoves => None,
        }
    }

    /// Whether two sides have come out even.
    #[must_use]
    pub fn is_draw(self) -> bool {
        matches!(self, Self::Discs { black, white } if black == white)
    }

    /// Black's discs minus White's, in games that count discs.
    #[must_use]
    pub fn score(self) -> Option<i32> {
        match self {
            Self::Discs { black, white } => Some(black as i32 - white as i32),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.winner()) {
            (Self::Discs { black, white }, Some(winner)) => {
                let (more, less) = (black.max(white), black.min(white));
                write!(f, "{winner} wins, {more} to {less}")
            }
            (Self::Discs { black, white }, None) => write!(f, "draw, {black} to {white}"),
            (Self::StonesLeft(1), _) => write!(f, "1 stone left"),
            (Self::StonesLeft(stones), _) => write!(f, "{stones} stones left"),
            (_, Some(winner)) => write!(f, "{winner} wins"),
            (_, None) => write!(f, "nobody could move"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(result: GameResult, winner: Option<char>, score: Option<i32>, words: &str) {
        assert_eq!(result.winner().map(Side::letter), winner);
        assert_eq!(result.score(), score);
        assert_eq!(result.to_string(), words);
        assert_eq!(result.is_draw(), words.starts_with("draw"));
    }

    #[test]
    fn results_say_who_won() {
        let discs = |black, white| GameResult::Discs { black, white };
        check(discs(33, 31), Some('x'), Some(2), "x wins, 33 to 31");
        check(discs(0, 13), Some('o'), Some(-13), "o wins, 13 to 0");
        check(discs(32, 32), None, Some(0), "draw, 32 to 32");
        let last = GameResult::LastMove(Side::ALL[2]);
        check(last, Some('t'), None, "t wins");
        check(GameResult::StonesLeft(1), None, None, "1 stone left");
        check(GameResult::StonesLeft(2), None, None, "2 stones left");
        check(GameResult::NoMoves, None, None, "nobody could move");
    }
}
