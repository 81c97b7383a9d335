//! A board as a request names it: a game, where it begins, and the moves since then.

use serde::{Deserialize, Serialize};
use upstar_games::{AnyGame, Start, Variant};
use upstar_session::side_letter;

use crate::error::Refused;

/// The most moves of a game; no game here is longer.
const MOST_MOVES: usize = 300;

/// A game in progress, whole.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct BoardText {
    pub(crate) game: String,
    pub(crate) position: String,
    #[serde(default)]
    pub(crate) to_move: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// The same, played by the rules.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The start and the position after each move.
    pub(crate) line: Vec<AnyGame>,
    /// The moves by their canonical names.
    pub(crate) moves: Vec<String>,
}

impl BoardText {
    pub(crate) fn open(&self) -> Result<Board, Refused> {
        let variant: Variant = self.game.parse().map_err(Refused::input)?;
        let start: Start = self.position.parse().map_err(Refused::input)?;
        let to_move = self.to_move.as_deref().map(side_letter).transpose();
        let to_move = to_move.map_err(Refused::input)?;
        let start = AnyGame::open(variant, &start, to_move).map_err(Refused::input)?;
        Board::play(start, &self.moves)
    }
}

impl Board {
    pub(crate) fn play(start: AnyGame, moves: &[String]) -> Result<Self, Refused> {
        if moves.len() > MOST_MOVES {
            let sentence = format!("a game has at most {MOST_MOVES} moves");
            return Err(Refused::input(sentence));
        }
        let mut board = Self {
            line: vec![start],
            moves: Vec::new(),
        };
        for (index, mv) in moves.iter().enumerate() {
            let numbered = |error| Refused::input(format!("move {}: {error}", index + 1));
            let mv = board.now().legal_move(mv).map_err(numbered)?;
            let next = board.now().play(&mv).map_err(numbered)?;
            board.moves.push(mv);
            board.line.push(next);
        }
        Ok(board)
    }

    pub(crate) fn start(&self) -> &AnyGame {
        &self.line[0]
    }

    pub(crate) fn now(&self) -> &AnyGame {
        self.line.last().expect("a line has its start")
    }
}
