//! Why there is no analysis.

use upstar_agents::AgentSpecError;
use upstar_solve::SolveError;

/// Why a position is not analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// Nobody is to move.
    #[error("the game is over")]
    Over,
    /// Solitaire, or more than two colours.
    #[error("{0} does not have two sides that move in turn")]
    NotForTwo(upstar_games::Variant),
    /// The agent only chooses moves.
    #[error(
        "{0} says nothing about moves that it does not choose; estimates come from mcts:… or az:…"
    )]
    NotWatchable(String),
    /// The agent cannot be had.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// The solver refused.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The file of what was proved cannot be read or written.
    #[error(transparent)]
    ProvedResults(#[from] upstar_runs::LogError),
    /// A thread cannot be had.
    #[error(transparent)]
    Thread(#[from] upstar_jobs::ThreadError),
}

impl AnalysisError {
    /// Whether there was no memory for it; others may give some back.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self, Self::Solver(error) if error.is_memory())
    }
}
