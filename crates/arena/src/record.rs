//! What is written down of a game: one JSON object per line, enough to play it again.

use std::fmt;

use serde::{Deserialize, Serialize};
use upstar_agents::{Choice, Evaluation};
use upstar_games::{
    AnyGame, Color, Game, GameResult, Rules, Setup, Side, Start, Variant, excerpt, with_game,
};
use upstar_solve::Outcome;

use crate::clock::TimeControl;

/// One game, finished unless the reason says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The game's word: `clobber`, `othello:anti`, …
    pub game: String,
    /// Where it begins, as the user wrote it: `6x6`, `xox|oxo`, …
    pub position: String,
    /// The name of the player of `x`.
    pub black: String,
    /// The name of the player of `o`.
    pub white: String,
    /// The specification of the agent that played `x`, if it was one.
    pub black_agent: Option<String>,
    /// The specification of the agent that played `o`, if it was one.
    pub white_agent: Option<String>,
    /// The checksum of the file of the network that played `x`, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_network: Option<String>,
    /// The same for `o`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_network: Option<String>,
    /// The time that the players had.
    #[serde(default, skip_serializing_if = "TimeControl::is_none")]
    pub time: TimeControl,
    /// The seed of the run.
    #[serde(default)]
    pub seed: u64,
    /// The game's number in the run, from 0; with the seed it gives the generators of this game.
    #[serde(default)]
    pub index: u64,
    /// The round of the run, from 0. Games of one round begin with the same opening.
    #[serde(default)]
    pub round: u64,
    /// The number of the pair of games with exchanged colours, from 0; without such pairs each game
    /// is its own.
    #[serde(default)]
    pub pair: u64,
    /// The moves of the opening, by name.
    #[serde(default)]
    pub opening: Vec<String>,
    /// The position after the opening.
    pub start: String,
    /// The side to move there, `x` or `o`.
    pub to_move: char,
    /// The moves that the players made, by name.
    pub moves: Vec<String>,
    /// What they thought: one for each move, or none at all.
    #[serde(default)]
    pub thoughts: Vec<Thought>,
    /// Who won; nothing if the game is not finished.
    pub winner: Option<Winner>,
    /// Discs of `x` less those of `o`, for Othello played to its end.
    pub score: Option<i32>,
    /// How it ended.
    pub reason: Reason,
    /// What there is to say about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How long it took.
    #[serde(default)]
    pub seconds: f64,
}

/// What a player thought of its move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The proved result for the side that moves.
    pub proved: Option<Proved>,
    /// The result to be expected for it, from −1 (lost) to 1 (won).
    pub expected: Option<f64>,
    /// The same in discs, where a record of another program says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discs: Option<f64>,
    /// Playouts, simulations or positions that it took.
    #[serde(default)]
    pub effort: u64,
    /// How long it took.
    #[serde(default)]
    pub seconds: f64,
    /// What a user should know, like a proof that was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A proved result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Proved {
    Win,
    Draw,
    Loss,
}

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Winner {
    /// The side with the stones `x`.
    #[serde(rename = "x")]
    Black,
    /// The side with the stones `o`.
    #[serde(rename = "o")]
    White,
    /// Nobody.
    #[serde(rename = "draw")]
    Draw,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// By the rules.
    Rules,
    /// The loser's time was up.
    Time,
    /// The loser made a move that the rules do not allow.
    Illegal,
    /// The loser could not go on.
    Fault,
    /// The loser resigned: somebody at the keyboard, or in records of other programs.
    Resigned,
    /// The players agreed on a result; only in records of other programs.
    Agreed,
    /// It has not ended.
    Unfinished,
}

impl Winner {
    /// The winner of a game with this result for Black.
    #[must_use]
    pub fn of_score(score: i32) -> Self {
        match score {
            1.. => Self::Black,
            0 => Self::Draw,
            _ => Self::White,
        }
    }

    /// The side that has won, if one has.
    #[must_use]
    pub fn side(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            Self::Draw => None,
        }
    }
}

impl From<Color> for Winner {
    fn from(side: Color) -> Self {
        match side {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        })
    }
}

impl From<Outcome> for Proved {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::Win,
            Outcome::Draw => Self::Draw,
            Outcome::Loss => Self::Loss,
        }
    }
}

impl Thought {
    /// What the agent said with its move, and how long that took.
    #[must_use]
    pub fn new<M>(choice: &Choice<M>, seconds: f64) -> Self {
        let (proved, expected) = match choice.evaluation {
            Some(Evaluation::Proved(outcome)) => (Some(outcome.into()), None),
            Some(Evaluation::Expected(mean)) => (None, mean.is_finite().then(|| micros(mean))),
            None => (None, None),
        };
        Self {
            proved,
            expected,
            discs: None,
            effort: choice.effort,
            seconds: micros(seconds),
            remark: choice.remark.clone(),
        }
    }
}

/// Six digits after the point: short, and read again as the same number. So records have their times.
#[must_use]
pub fn micros(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

impl Record {
    /// The record of a game of which nothing is known but these moves and, once they lead to the end, the result
    /// by the rules. It begins where the setup says, with this side to move.
    #[must_use]
    pub fn of_moves(
        game: impl fmt::Display,
        start: &Setup,
        to_move: Side,
        moves: Vec<String>,
        result: Option<GameResult>,
    ) -> Self {
        let winner = |result: GameResult| {
            let winner = result.winner().and_then(Side::color);
            winner.map_or(Winner::Draw, Winner::from)
        };
        Self {
            game: game.to_string(),
            position: start.to_string(),
            black: "x".to_owned(),
            white: "o".to_owned(),
            black_agent: None,
            white_agent: None,
            black_network: None,
            white_network: None,
            time: TimeControl::NONE,
            seed: 0,
            index: 0,
            round: 0,
            pair: 0,
            opening: Vec::new(),
            start: start.to_string(),
            to_move: to_move.letter(),
            moves,
            thoughts: Vec::new(),
            winner: result.map(winner),
            score: result.and_then(GameResult::score),
            reason: match result {
                Some(_) => Reason::Rules,
                None => Reason::Unfinished,
            },
            text: None,
            seconds: 0.0,
        }
    }

    /// The record without the times, which differ whenever a game is played again.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        self.seconds = 0.0;
        for thought in &mut self.thoughts {
            thought.seconds = 0.0;
        }
        self
    }

    /// The result for the player of this side: 2 for a win, 1 for a draw, 0 for a loss; nothing if
    /// the game has no result.
    #[must_use]
    pub fn half_points(&self, side: Color) -> Option<u8> {
        self.winner.map(|winner| half_points(winner, side))
    }

    /// The position before the moves of the opening, and the side to move there.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub fn before_opening(&self) -> Result<(String, char), String> {
        if self.opening.is_empty() {
            return Ok((self.start.clone(), self.to_move));
        }
        let any = self.open_before_opening()?;
        Ok((any.to_string(), any.side_to_move().letter()))
    }

    /// The game at the position before the moves of the opening, of which there are some.
    pub(crate) fn open_before_opening(&self) -> Result<AnyGame, String> {
        let variant: Variant = self.game.parse().map_err(sentence)?;
        let (start, _) = start_and_side(&self.position)?;
        let side = self.side_before_opening();
        AnyGame::open(variant, &start, Some(side)).map_err(sentence)
    }

    /// The side that made the first move of the opening: every move hands the turn over.
    pub(crate) fn side_before_opening(&self) -> char {
        let odd = self.opening.len() % 2 == 1;
        match (self.to_move, odd) {
            ('x', true) => 'o',
            ('o', true) => 'x',
            (same, _) => same,
        }
    }

    /// The game at the position where its moves begin.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub fn open(&self) -> Result<AnyGame, String> {
        let variant: Variant = self.game.parse().map_err(sentence)?;
        let setup: Setup = self.start.parse().map_err(sentence)?;
        let opened = AnyGame::open(variant, &Start::Given(setup), Some(self.to_move));
        opened.map_err(sentence)
    }

    /// All positions of the game as texts with the side to move, from the start to the end.
    ///
    /// # Errors
    /// If the record contradicts itself.
    pub fn positions(&self) -> Result<Vec<(String, char)>, String> {
        let any = self.open()?;
        with_game!(
            &any,
            |game, start| {
                let mut shown = Vec::with_capacity(self.moves.len() + 1);
                let mut show = |at: &_| {
                    shown.push((game.setup(at).to_string(), game.to_move(at).letter()));
                };
                show(start);
                replay(game, start, &self.moves, show)?;
                Ok(shown)
            },
            Err(no_game_for_two(&self.game))
        )
    }
}

pub(crate) fn sentence(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(crate) fn no_game_for_two(game: &str) -> String {
    format!("{game} is not a game of two players")
}

/// A position as tournaments and trainings have it, where the side to move may follow: `9x9 o`.
///
/// # Errors
/// If the text is not a position.
pub fn start_and_side(text: &str) -> Result<(Start, Option<char>), String> {
    let (position, side) = match text.trim().rsplit_once(' ') {
        Some((position, "x")) => (position, Some('x')),
        Some((position, "o")) => (position, Some('o')),
        _ => (text, None),
    };
    Ok((position.parse().map_err(sentence)?, side))
}

/// The result for this side: 2 for a win, 1 for a draw, 0 for a loss.
pub(crate) fn half_points(winner: Winner, side: Color) -> u8 {
    match winner.side() {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}

/// Plays these moves and shows the position after each; returns the last one.
pub(crate) fn replay<G: Game>(
    game: &G,
    start: &G::Position,
    names: &[String],
    mut seen: impl FnMut(&G::Position),
) -> Result<G::Position, String> {
    let mut position = *start;
    for (number, name) in names.iter().enumerate() {
        let next = game
            .move_named(name)
            .and_then(|mv| game.play(&position, mv).ok());
        position =
            next.ok_or_else(|| format!("move {}, '{}', is not legal", number + 1, excerpt(name)))?;
        seen(&position);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_again() {
        let record = Record {
            game: "clobber".into(),
            position: "1x4".into(),
            black: "a".into(),
            white: "b".into(),
            black_agent: Some("random".into()),
            white_agent: None,
            black_network: Some("0123456789abcdef".into()),
            white_network: None,
            time: TimeControl::NONE,
            seed: u64::MAX,
            index: 3,
            round: 1,
            pair: 1,
            opening: vec![],
            start: "xoxo".into(),
            to_move: 'x',
            moves: vec!["a1b1".into(), "d1c1".into()],
            thoughts: vec![
                Thought {
                    proved: Some(Proved::Win),
                    effort: 7,
                    seconds: micros(0.123_456_78),
                    ..Thought::default()
                },
                Thought {
                    expected: Some(micros(-1.0 / 3.0)),
                    remark: Some("no proof".into()),
                    ..Thought::default()
                },
            ],
            winner: Some(Winner::Black),
            score: None,
            reason: Reason::Time,
            text: Some("too late".into()),
            seconds: 0.25,
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.contains(r#""winner":"x""#), "{line}");
        assert!(line.contains(r#""reason":"time""#), "{line}");
        assert!(line.contains(r#"{"proved":"win","expected":null,"effort":7,"seconds":0.123457}"#));
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
        let positions = record.positions().unwrap();
        assert_eq!(positions[2], (".xo.".to_owned(), 'x'));
        assert_eq!(record.half_points(Color::White), Some(0));
    }
}
