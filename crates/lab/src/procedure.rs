//! How the numbers of a table are found: one file per procedure.

mod alphazero;
mod classic;
mod examples;
mod matches;
mod perfect_moves;
mod solving;
mod training;
mod tree;
mod versus_random;

use std::fmt;

use serde::Deserialize;
use thiserror::Error;
use upstar_agents::Resources;
use upstar_jobs::{Budget, MemoryLease, ThreadError};

use crate::experiment::Experiment;
use crate::folder::FolderError;
use crate::row::Row;
use crate::sample::Found;

/// A way to find numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Procedure {
    /// Games between two agents.
    Match,
    /// A network learns against Random as in leiden2018, and is measured against Random.
    VersusRandom,
    /// The same, but it is measured against another agent.
    VersusRandomThenMatch,
    /// A run of the crate `train`, or several, one after the other.
    Training,
    /// The share of moves of Black that keep the result of best play, perhaps after such runs.
    PerfectMoves,
    /// A network learns positions of a solved board.
    Examples,
    /// A run of AlphaZero.
    Alphazero,
    /// Who wins with best play.
    Solve,
    /// Sizes of game trees.
    Tree,
    /// The textbook solvers on rows of stones.
    Classic,
}

impl Procedure {
    /// Whether two runs differ by more than their games are a sample: a training is one draw.
    #[must_use]
    pub fn scatters(self) -> bool {
        match self {
            Self::VersusRandom
            | Self::VersusRandomThenMatch
            | Self::Training
            | Self::PerfectMoves
            | Self::Examples
            | Self::Alphazero => true,
            Self::Match | Self::Solve | Self::Tree | Self::Classic => false,
        }
    }

    pub(crate) fn run(self, lot: &Lot<'_>) -> Result<Found, Problem> {
        match self {
            Self::Match => matches::run(lot),
            Self::VersusRandom => versus_random::run(lot),
            Self::VersusRandomThenMatch => versus_random::run_then_match(lot),
            Self::Training => training::run(lot),
            Self::PerfectMoves => perfect_moves::run(lot),
            Self::Examples => examples::run(lot),
            Self::Alphazero => alphazero::run(lot),
            Self::Solve => solving::run(lot),
            Self::Tree => tree::run(lot),
            Self::Classic => classic::run(lot),
        }
    }
}

/// One run to be made.
pub(crate) struct Lot<'a> {
    pub(crate) table: &'a Experiment,
    /// The rows of the run, at least one.
    pub(crate) rows: Vec<&'a Row>,
    pub(crate) seed: u64,
    /// Whether it is the first of the seeds, whose learning curve is kept.
    pub(crate) is_first: bool,
    pub(crate) scale: f64,
    pub(crate) budget: &'a Budget,
    /// What agents, solvers and trees share with all other runs.
    pub(crate) resources: &'a Resources,
}

impl Lot<'_> {
    /// The row, or the first, which says what all rows of the run have in common.
    pub(crate) fn row(&self) -> &Row {
        self.rows[0]
    }

    /// A number of games of the paper, scaled.
    pub(crate) fn scaled(&self, games: u64) -> u64 {
        ((games as f64 * self.scale).round() as u64).max(1)
    }

    /// So many bytes of what there is for all runs.
    pub(crate) fn leased(&self, bytes: usize) -> Result<MemoryLease, Problem> {
        self.resources.ledger().memory(bytes).map_err(Problem::new)
    }

    /// Whether to go on.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.budget.is_stopped() {
            return Err(Problem::Stopped);
        }
        Ok(())
    }
}

/// Why a run has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// It was told to stop.
    #[error("stopped before the end")]
    Stopped,
    /// Something else, in a sentence.
    #[error("{0}")]
    Sentence(String),
}

impl Problem {
    pub(crate) fn new(why: impl fmt::Display) -> Self {
        Self::Sentence(why.to_string())
    }
}

impl From<FolderError> for Problem {
    fn from(error: FolderError) -> Self {
        Self::new(error)
    }
}

impl From<ThreadError> for Problem {
    fn from(error: ThreadError) -> Self {
        Self::new(error)
    }
}
