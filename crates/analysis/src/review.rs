//! Where a game went wrong: every position is analysed, from the last to the first, and every move
//! compared with the best one.

use std::time::Duration;

use upstar_games::{AnyGame, Color, PlayError};
use upstar_jobs::{Budget, Watch};

use crate::analyser::{Analyser, Analysis};
use crate::error::AnalysisError;
use crate::knowledge::Knowledge;
use crate::prover::ended;

/// A game to be reviewed.
#[derive(Clone)]
pub struct PlayedGame {
    /// Where it begins.
    pub start: AnyGame,
    /// The moves.
    pub moves: Vec<String>,
    /// The names of Black and White.
    pub players: [String; 2],
}

/// What came of a review.
#[derive(Clone, Debug)]
pub struct Review {
    /// One for each move that was made.
    pub moves: Vec<ReviewedMove>,
    /// What is known of the last position, for `x`.
    pub last: Knowledge,
}

/// A move that was made, and what could have been.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Color,
    /// The move.
    pub mv: String,
    /// Stones or empty cells that were left before it.
    pub left: u32,
    /// What was known of the position, for the side that moved.
    pub before: Knowledge,
    /// What is known after the move, for the same side.
    pub after: Knowledge,
    /// The best move, and how the game could have gone on.
    pub better: Vec<String>,
    /// What was wrong with it, if anything was.
    pub mistake: Option<Mistake>,
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The winning chances that it gave away, from 0 to 1.
    pub chance: f64,
    /// Othello: the discs that it gave away.
    pub discs: Option<f64>,
    /// Whether that is proved.
    pub proved: bool,
}

/// A move that gives away less chance than this, and fewer discs, counts as good enough.
const LEAST_CHANCE: f64 = 0.15;
const LEAST_DISCS: f64 = 2.0;

/// How one side has played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The share of winning chances that its moves kept on average, from 0 to 1.
    pub kept: f64,
    /// How many moves it made.
    pub moves: usize,
    /// Its proved mistakes, and the probable ones.
    pub proved: usize,
    /// See [`Accuracy::proved`].
    pub probable: usize,
}

impl PlayedGame {
    /// All positions, the first and the last included.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn positions(&self) -> Result<Vec<AnyGame>, PlayError> {
        let mut positions = vec![self.start.clone()];
        for mv in &self.moves {
            let last = positions.last().expect("there is a start");
            positions.push(last.play(mv)?);
        }
        Ok(positions)
    }
}

impl Review {
    /// Reviews a game with so much time for each position, until the budget is spent; what was not looked at
    /// by then stays unknown. The watch is told of each position.
    ///
    /// # Errors
    /// If a move cannot be played, or a position cannot be analysed.
    pub fn new(
        game: &PlayedGame,
        analyser: &Analyser,
        time: Duration,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Self, ReviewError> {
        let positions = game.positions()?;
        // What is proved of a position is remembered for the one before it.
        let analyser = Analyser {
            proved: Some(analyser.proved.clone().unwrap_or_default()),
            ..analyser.clone()
        };
        let mut reviewed = Vec::new();
        let last = positions.last().expect("there is a start");
        // What is known of the position after the move, for the side to move there.
        let mut next = match last.is_over() {
            true => ended(last),
            false => {
                analysed(&analyser, last, time, budget)?.map_or_else(Knowledge::default, known)
            }
        };
        let of_black = |game: &AnyGame, known: &Knowledge| match color(game) {
            Color::Black => known.clone(),
            Color::White => known.reversed(),
        };
        let last = of_black(last, &next);
        let total = game.moves.len();
        for (index, mv) in game.moves.iter().enumerate().rev() {
            let position = &positions[index];
            let analysis = analysed(&analyser, position, time, budget)?;
            watch.pieces("positions", (total - index) as u64, total as u64);
            let mv = position.legal_move(mv)?;
            let mut after = next.reversed();
            let (mut before, mut better) = (Knowledge::default(), Vec::new());
            if let Some(analysis) = analysis {
                if let Some(graded) = analysis.of(&mv) {
                    after.learn(&graded.known);
                }
                better.clone_from(&analysis.moves[0].line);
                before = known(analysis);
            }
            // The position is at least as good as the move that was made.
            before.bound(after.at_least, None);
            if after.outcome == Some(upstar_solve::Outcome::Win) {
                before.outcome = after.outcome;
            }
            // Nothing better is known than a move that is itself the best one found.
            let is_best = better.first() == Some(&mv);
            let mistake = Mistake::of(&before, &after).filter(|lost| lost.proved || !is_best);
            next = before.clone();
            reviewed.push(ReviewedMove {
                ply: index + 1,
                side: color(position),
                mv,
                left: crate::prover::left(position),
                before,
                after,
                better,
                mistake,
            });
        }
        reviewed.reverse();
        Ok(Self {
            moves: reviewed,
            last,
        })
    }

    /// The mistakes, proved ones before probable ones, the largest first.
    #[must_use]
    pub fn mistakes(&self) -> Vec<&ReviewedMove> {
        let mistakes = self
            .moves
            .iter()
            .filter(|reviewed| reviewed.mistake.is_some());
        let mut mistakes: Vec<&ReviewedMove> = mistakes.collect();
        let size = |reviewed: &ReviewedMove| {
            let mistake = reviewed.mistake.expect("it is one");
            (mistake.proved, mistake.chance, mistake.discs.unwrap_or(0.0))
        };
        mistakes.sort_by(|a, b| {
            let (a, b) = (size(a), size(b));
            let by_proof = b.0.cmp(&a.0);
            by_proof.then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
        });
        mistakes
    }

    /// How this side has played.
    #[must_use]
    pub fn accuracy(&self, side: Color) -> Accuracy {
        let moves = self.moves.iter().filter(|reviewed| reviewed.side == side);
        let mut accuracy = Accuracy::default();
        let mut lost = 0.0;
        for reviewed in moves {
            accuracy.moves += 1;
            if let (Some(before), Some(after)) = (reviewed.before.win(), reviewed.after.win()) {
                lost += (before - after).max(0.0);
            }
            match reviewed.mistake {
                Some(mistake) if mistake.proved => accuracy.proved += 1,
                Some(_) => accuracy.probable += 1,
                None => {}
            }
        }
        accuracy.kept = 1.0 - lost / accuracy.moves.max(1) as f64;
        accuracy
    }

    /// The mistake of a side after which it never was better again: why it lost.
    #[must_use]
    pub fn decisive(&self, loser: Color) -> Option<&ReviewedMove> {
        let own = |reviewed: &&ReviewedMove| reviewed.side == loser && reviewed.mistake.is_some();
        let turned = |reviewed: &&ReviewedMove| {
            let before = reviewed.before.win().is_some_and(|chance| chance >= 0.5);
            before && reviewed.after.win().is_some_and(|chance| chance < 0.5)
        };
        let mut moves = self.moves.iter().rev();
        moves.clone().filter(own).find(turned).or(moves.find(own))
    }
}

impl Mistake {
    /// What a move gave away, if that is enough to be called a mistake.
    #[must_use]
    pub fn of(before: &Knowledge, after: &Knowledge) -> Option<Self> {
        let chance = match (before.win(), after.win()) {
            (Some(before), Some(after)) => (before - after).max(0.0),
            _ => return None,
        };
        let discs = match (before.discs(), after.discs()) {
            (Some(before), Some(after)) => Some((before - after).max(0.0)),
            _ => None,
        };
        let lost_result = match (before.outcome, after.outcome) {
            (Some(before), Some(after)) => after < before,
            _ => false,
        };
        // Bounds prove a loss of discs before both scores are known.
        let lost_discs = match (before.at_least, after.at_most) {
            (Some(before), Some(after)) => f64::from(before - after) >= LEAST_DISCS,
            _ => false,
        };
        let proved = lost_result || lost_discs;
        let sure = before.outcome.is_some() && after.outcome.is_some();
        let probable = !sure && chance >= LEAST_CHANCE
            || before.score().is_none() | after.score().is_none()
                && discs.is_some_and(|discs| discs >= LEAST_DISCS);
        (proved || probable).then_some(Self {
            chance,
            discs,
            proved,
        })
    }
}

/// Why a game is not reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A move is wrong.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A position cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

fn color(game: &AnyGame) -> Color {
    game.side_to_move().color().unwrap_or(Color::Black)
}

/// The analysis of a position; `None` when the budget is spent.
fn analysed(
    analyser: &Analyser,
    game: &AnyGame,
    time: Duration,
    budget: &Budget,
) -> Result<Option<Analysis>, AnalysisError> {
    if budget.is_over() {
        return Ok(None);
    }
    let analysis = analyser.run(game, &budget.within(time), &mut |_| {})?;
    Ok(Some(analysis))
}

fn known(analysis: Analysis) -> Knowledge {
    analysis.known
}
