//! A game that a network played against itself, as a line of `games-*.jsonl`: all that is learned from it,
//! and all that is needed to see it again.

use serde::{Deserialize, Serialize};

use super::field::{Field, TrainingGame};

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its place in the run.
    pub game: u64,
    /// The checksum of the network's file that played it; games of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The board.
    pub board: String,
    /// Random moves before the first that was thought about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// What was thought at each ply, and what was played.
    pub plies: Vec<Ply>,
    /// The result for Black: 1, 0 or −1.
    pub black: i32,
}

/// A ply of such a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the search expected for the side to move.
    pub value: f32,
    /// How likely each legal move should be, in the order of moves; empty if that is not to be learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<f32>,
    /// The result of best play for the side to move, if that is to be learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
    /// Positions after it that are learned too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
}

/// A position that was only thought of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inside {
    /// The moves that lead to it.
    pub line: Vec<String>,
    /// What the search expected there for the side to move, or the result of best play.
    pub value: f32,
    /// How likely each legal move should be; empty if that is not to be learned.
    pub policy: Vec<f32>,
}

impl Played {
    /// The positions that were thought about, and the last one; `None` if the game cannot have been played.
    #[must_use]
    pub fn positions<G: TrainingGame>(&self, field: &Field<G>) -> Option<Vec<G::Position>> {
        let mut position = field.start;
        for name in &self.opening {
            position = field
                .game
                .play(&position, field.game.move_named(name)?)
                .ok()?;
        }
        let mut positions = vec![position];
        for ply in &self.plies {
            let position = *positions.last().expect("there is a start");
            let mv = field.game.move_named(&ply.mv)?;
            positions.push(field.game.play(&position, mv).ok()?);
        }
        Some(positions)
    }

    /// The positions that were thought about, and the last one; `None` unless it was played to its end,
    /// with this result, and all its targets can be learned.
    pub(super) fn lessons<G: TrainingGame>(&self, field: &Field<G>) -> Option<Vec<G::Position>> {
        let positions = self.positions(field)?;
        let is_right = |(ply, position): (&Ply, &G::Position)| {
            let moves = field.game.moves(position).count();
            (ply.policy.is_empty() || ply.policy.len() == moves)
                && is_target(&ply.policy, ply.value)
                && ply.exact.is_none_or(|result| (-1..=1).contains(&result))
        };
        let last = positions.last().expect("there is a start");
        let is_whole = result_for_black(&field.game, last) == Some(self.black)
            && self.plies.iter().zip(&positions).all(is_right);
        is_whole.then_some(positions)
    }
}

/// The result of a finished game for Black: 1, 0 or −1.
pub(super) fn result_for_black<G: TrainingGame>(game: &G, last: &G::Position) -> Option<i32> {
    game.black_score(last).map(i32::signum)
}

/// Whether a network can learn this.
pub(super) fn is_target(policy: &[f32], value: f32) -> bool {
    let sum: f32 = policy.iter().sum();
    let is_share = |share: &f32| (0.0..=1.0).contains(share);
    let is_policy = policy.is_empty() || (sum - 1.0).abs() < 1e-3;
    is_policy && policy.iter().all(is_share) && (-1.001..=1.001).contains(&value)
}
