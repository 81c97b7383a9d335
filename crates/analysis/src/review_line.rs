//! A reviewed game as a line of JSON.

use serde::Serialize;
use upstar_games::Color;

use crate::line::KnowledgeLine;
use crate::review::{Review, ReviewedMove};

/// What a review has found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewLine {
    /// How Black and White have played.
    pub accuracy: [AccuracyLine; 2],
    /// All moves.
    pub moves: Vec<ReviewedMoveLine>,
    /// The numbers of the moves that were mistakes: proved ones first, then by size.
    pub mistakes: Vec<usize>,
}

/// How a side has played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccuracyLine {
    /// The share of winning chances that its moves kept on average.
    pub kept: f64,
    /// How many moves it made.
    pub moves: usize,
    /// How many of them were mistakes.
    pub proved_mistakes: usize,
    /// See [`AccuracyLine::proved_mistakes`].
    pub probable_mistakes: usize,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewedMoveLine {
    /// Its number, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: char,
    /// The move.
    pub r#move: String,
    /// What was known of the position.
    pub before: KnowledgeLine,
    /// What is known after the move, for the side that made it.
    pub after: KnowledgeLine,
    /// The best move, and how the game could have gone on.
    pub better: Vec<String>,
    /// `proved` or `probable`, if it was a mistake.
    pub mistake: Option<&'static str>,
    /// The winning chances that it gave away, from 0 to 1.
    pub chance_lost: Option<f64>,
    /// Othello: the discs that it gave away.
    pub discs_lost: Option<f64>,
}

impl ReviewLine {
    /// The review of a game.
    #[must_use]
    pub fn new(review: &Review) -> Self {
        let accuracy = |side| {
            let accuracy = review.accuracy(side);
            AccuracyLine {
                kept: rounded(accuracy.kept),
                moves: accuracy.moves,
                proved_mistakes: accuracy.proved,
                probable_mistakes: accuracy.probable,
            }
        };
        Self {
            accuracy: [Color::Black, Color::White].map(accuracy),
            moves: review.moves.iter().map(ReviewedMoveLine::new).collect(),
            mistakes: review.mistakes().iter().map(|it| it.ply).collect(),
        }
    }
}

impl ReviewedMoveLine {
    fn new(reviewed: &ReviewedMove) -> Self {
        let lost = reviewed.mistake;
        Self {
            ply: reviewed.ply,
            side: match reviewed.side {
                Color::Black => 'x',
                Color::White => 'o',
            },
            r#move: reviewed.mv.clone(),
            before: KnowledgeLine::new(&reviewed.before, reviewed.side),
            after: KnowledgeLine::new(&reviewed.after, reviewed.side),
            better: reviewed.better.clone(),
            mistake: lost.map(|lost| if lost.proved { "proved" } else { "probable" }),
            chance_lost: lost.map(|lost| rounded(lost.chance)),
            discs_lost: lost.and_then(|lost| lost.discs).map(rounded),
        }
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
