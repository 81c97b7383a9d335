//! What goes wrong between machines.

use std::path::PathBuf;

use upstar_arena::{RunError as GameError, TournamentError};
use upstar_games::Variant;
use upstar_runs::Kind;
use upstar_solve::SolveError;
use upstar_solve::run::SolveRunError;
use upstar_train::{ConfigError, RunError};

/// Why a shared run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// There is no run of a known kind.
    #[error("{} holds no run that many machines can share", .0.display())]
    NoRun(PathBuf),
    /// It is one of a kind whose work is not divided.
    #[error(
        "a run of the kind {0} is not shared among machines; trainings of AlphaZero, tournaments and searches for parameters are"
    )]
    NotShared(Kind),
    /// A line is neither a job nor a result.
    #[error("the line is not a {0}: {1}")]
    Line(&'static str, String),
    /// A job or result of another kind than the run's.
    #[error("the line is of another kind of run")]
    OtherKind,
    /// The context does not hold what a worker needs.
    #[error("the context is not whole: {0}")]
    Context(String),
    /// This machine would give other numbers.
    #[error(
        "this machine computes other last bits than the one that keeps the run ({own} against {wanted}): its results \
         would not be those of the run; use machines with the same kind of processor and system library"
    )]
    OtherNumbers {
        /// The fingerprint of this machine.
        own: String,
        /// That of the run.
        wanted: String,
    },
    /// A file cannot be read.
    #[error("{}: {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A player that is not on every machine.
    #[error("'{0}' cannot play on other machines: jobs start no other programs and ask no people")]
    OutsideAgent(String),
    /// Only Clobber is solved by many machines.
    #[error("many machines solve positions of Clobber, not of {0}")]
    NotClobber(Variant),
    /// The search here is another one.
    #[error(
        "this program would search the problem with another value table than the one that keeps the run"
    )]
    OtherSearch,
    /// A solve.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The run of a solve.
    #[error(transparent)]
    SolveRun(#[from] SolveRunError),
    /// A training.
    #[error("{}", .0.sentence)]
    Train(RunError),
    /// A configuration.
    #[error("{}", .0.sentence)]
    Config(ConfigError),
    /// A tournament.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// A game of it.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<RunError> for ClusterError {
    fn from(error: RunError) -> Self {
        Self::Train(error)
    }
}

impl From<ConfigError> for ClusterError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}
