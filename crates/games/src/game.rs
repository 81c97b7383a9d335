//! What every game is: positions that moves change, and for two players a winner.
//!
//! [`Rules`] is the part that solitaire and games for many share; [`Game`] adds two sides that move
//! in turn. Both are small, and their laws are checked for every game, size and variant by
//! `tests/games/laws.rs`.

use std::fmt::Debug;
use std::hash::Hash;

use thiserror::Error;

use crate::board::Board;
use crate::cells::Cell;
use crate::color::Color;
use crate::excerpt;
use crate::playout::{Playout, Tally};
use crate::position::PositionError;
use crate::random::Random;
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::Side;

/// Positions, moves, and their names.
///
/// # Laws
/// * `moves` is empty exactly when the game is over, and lists no move twice.
/// * `play` accepts exactly what `moves` lists.
/// * Play from `position` ends within `plies_left(position)` plies.
/// * `move_named` reads what `move_name` writes, and `position` what `setup` shows.
pub trait Rules: Send + Sync {
    /// All that matters for how the game goes on, including who is to move.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// One ply.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The legal moves, in the fixed order of this game.
    fn moves<'a>(
        &'a self,
        position: &Self::Position,
    ) -> impl Iterator<Item = Self::Move> + use<'a, Self>;

    /// The position after a move that must be legal; anything may come of one that is not.
    #[must_use]
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// An upper bound on the number of plies that can follow.
    fn plies_left(&self, position: &Self::Position) -> u32;

    /// The move as text.
    fn move_name(&self, mv: Self::Move) -> String;

    /// The move of this name, legal or not; `None` if the text names no move on this board.
    fn move_named(&self, name: &str) -> Option<Self::Move>;

    /// The cells between which an arrow shows the move: the same one twice for a disc that is placed,
    /// `None` for a pass.
    fn path(&self, mv: Self::Move) -> Option<(Cell, Cell)>;

    /// The board played on.
    fn board(&self) -> &Board;

    /// The position that a setup shows, with this side to move.
    ///
    /// # Errors
    /// If the setup is of another board, has stones of a side that the game does not have, or such
    /// a side is to move.
    fn position(
        &self,
        setup: &Setup,
        to_move: impl Into<Side>,
    ) -> Result<Self::Position, PositionError>;

    /// The board and the stones, as people see them.
    fn setup(&self, position: &Self::Position) -> Setup;

    /// The side whose stones are to move.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// How the game ended; `None` while it goes on.
    fn result(&self, position: &Self::Position) -> Option<GameResult>;

    /// The legal move of this name.
    ///
    /// # Errors
    /// If the text names no move on this board, or the move is not legal here.
    fn legal_move(&self, position: &Self::Position, name: &str) -> Result<Self::Move, PlayError> {
        let mv = self.move_named(name);
        let mv = mv.ok_or_else(|| PlayError::NoMove(excerpt(name)))?;
        if self.moves(position).any(|legal| legal == mv) {
            Ok(mv)
        } else {
            Err(PlayError::Illegal(self.move_name(mv)))
        }
    }

    /// How many moves there are.
    fn count_moves(&self, position: &Self::Position) -> u64 {
        self.moves(position).count() as u64
    }

    /// Whether the game is over.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.moves(position).next().is_none()
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal.
    fn play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, IllegalMove> {
        if self.moves(position).any(|legal| legal == mv) {
            Ok(self.play_unchecked(position, mv))
        } else {
            Err(IllegalMove)
        }
    }
}

/// A game of two sides that move in turn.
///
/// # Laws
/// * Every move hands the turn to the other side (a pass is a move).
/// * `score` is known exactly when the game is over.
pub trait Game: Rules {
    /// The side to move.
    fn to_move(&self, position: &Self::Position) -> Color;

    /// The result for the side to move once the game is over: above 0 it has won, below 0 lost.
    fn score(&self, position: &Self::Position) -> Option<i32>;

    /// The same for Black.
    fn black_score(&self, position: &Self::Position) -> Option<i32> {
        let score = self.score(position)?;
        Some(self.to_move(position).sign() * score)
    }

    /// Plays one game to its end, each legal move equally likely at every ply.
    fn playout(&self, position: &Self::Position, random: &mut Random) -> Playout {
        crate::playout::plain_playout(self, position, random)
    }

    /// Plays many such games.
    fn playouts(&self, position: &Self::Position, games: u64, random: &mut Random) -> Tally {
        crate::playout::plain_playouts(self, position, games, random)
    }
}

/// The number of lines of play of this many plies. A pass is a ply; a finished game counts as one
/// line at every greater depth.
pub fn perft<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => rules.count_moves(position).max(1),
        _ => {
            let mut over = true;
            let mut lines = 0;
            for mv in rules.moves(position) {
                over = false;
                lines += perft(rules, &rules.play_unchecked(position, mv), depth - 1);
            }
            if over { 1 } else { lines }
        }
    }
}

/// The refusal of a move that the rules do not allow in this position.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("this move is not legal here")]
pub struct IllegalMove;

/// Why a move cannot be played by its name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlayError {
    /// The text names no move on this board.
    #[error("'{0}' names no move on this board")]
    NoMove(String),
    /// The rules do not allow the move in this position.
    #[error("{0} is not legal here")]
    Illegal(String),
}
