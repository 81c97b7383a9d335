//! An analysis as a line of JSON. Scores count discs of `x` less those of `o`; chances are those of the
//! side to move.

use serde::Serialize;
use upstar_games::{AnyGame, Color};
use upstar_solve::Outcome;

use crate::analyser::{Analysis, GradedMove};
use crate::knowledge::Knowledge;

/// What is known of a position and its moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisLine {
    /// The move to play.
    pub r#move: Option<String>,
    /// What is known of the position.
    #[serde(flatten)]
    pub known: KnowledgeLine,
    /// Positions that the solver has searched.
    pub nodes: u64,
    /// Simulations, or positions of the midgame search.
    pub simulations: u64,
    /// How long that took.
    pub seconds: f64,
    /// All moves or the best few, the best first.
    pub moves: Vec<MoveLine>,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveLine {
    /// The move.
    pub r#move: String,
    /// What it leads to.
    #[serde(flatten)]
    pub known: KnowledgeLine,
    /// How the game may go on.
    pub pv: Vec<String>,
}

/// A result and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnowledgeLine {
    /// `proved`, `bounded`, `estimated` or `unknown`.
    pub grade: &'static str,
    /// `win`, `draw` or `loss` for the side to move, if that is proved.
    pub proved: Option<&'static str>,
    /// `x`, `o` or `draw`, if that is proved.
    pub winner: Option<&'static str>,
    /// Othello: the proved score.
    pub score: Option<i32>,
    /// Othello: proved bounds of the score.
    pub at_least: Option<i32>,
    /// See [`KnowledgeLine::at_least`].
    pub at_most: Option<i32>,
    /// How likely the side to move wins, from 0 to 1: estimated, null where the result is proved.
    pub win: Option<f64>,
    /// Othello: the expected score, null where it is proved.
    pub discs: Option<f64>,
    /// Who estimates.
    pub by: Option<&'static str>,
    /// After how many simulations or plies.
    pub work: Option<u64>,
}

impl AnalysisLine {
    /// The analysis of a position; at most so many moves.
    #[must_use]
    pub fn new(analysis: &Analysis, game: &AnyGame, multi: usize) -> Self {
        let mover = game.side_to_move().color().unwrap_or(Color::Black);
        let told = |graded: &GradedMove| MoveLine {
            r#move: graded.mv.clone(),
            known: KnowledgeLine::new(&graded.known, mover),
            pv: graded.line.clone(),
        };
        Self {
            r#move: analysis.moves.first().map(|best| best.mv.clone()),
            known: KnowledgeLine::new(&analysis.known, mover),
            nodes: analysis.nodes,
            simulations: analysis.work,
            seconds: (analysis.time.as_secs_f64() * 1e6).round() / 1e6,
            moves: analysis.moves.iter().take(multi).map(told).collect(),
        }
    }
}

impl KnowledgeLine {
    /// What this side, which is to move, knows.
    #[must_use]
    pub fn new(known: &Knowledge, mover: Color) -> Self {
        let black = mover == Color::Black;
        let [low, high] = match black {
            true => [known.at_least, known.at_most],
            false => [known.at_most, known.at_least].map(|bound| bound.map(|score| -score)),
        };
        let sign = if black { 1.0 } else { -1.0 };
        let guess = known.estimate.as_ref().filter(|_| !known.is_proved());
        let rounded = |number: f64, parts: f64| (number * parts).round() / parts;
        Self {
            grade: known.grade().name(),
            proved: known.outcome.map(|outcome| match outcome {
                Outcome::Win => "win",
                Outcome::Draw => "draw",
                Outcome::Loss => "loss",
            }),
            winner: known.outcome.map(|outcome| outcome.winner(mover)),
            score: low.filter(|_| low == high),
            at_least: low,
            at_most: high,
            win: guess
                .filter(|_| known.outcome.is_none())
                .map(|guess| rounded(guess.win, 1e4)),
            discs: guess
                .and(known.discs())
                .map(|discs| rounded(sign * discs, 100.0)),
            by: guess.map(|guess| guess.by),
            work: guess.map(|guess| guess.work),
        }
    }
}
