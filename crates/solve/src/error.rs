//! Why a solver has no answer.

use std::io;

use upstar_jobs::{NoMemory, ThreadError};
use upstar_proof::{Refusal, WriteError};

use crate::answer::Algorithm;
use crate::clobber::{TableError, TableKind};

/// Why a solver has no answer. That the budget was spent is not an error but an open answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The game does not have two sides.
    #[error("this game does not have two sides")]
    NotForTwo,
    /// The game has no values.
    #[error("this game has no values; clobber and clobber:cannibal have")]
    NoValues,
    /// The algorithm does not suit the game.
    #[error("{0} cannot solve this game")]
    Unsuitable(Algorithm),
    /// A value table for other rules or another board.
    #[error("a table of {0} is not for this board and these rules")]
    OtherTable(TableKind),
    /// The weights are for other boards.
    #[error("there are no weights for this board")]
    OtherWeights,
    /// A value table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Too much memory is in use.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The system has no room for a table of this many bytes.
    #[error("there is no memory for a table of {} MB: {}", .0 >> 20, .1)]
    NoRoom(usize, io::Error),
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// Results of this game cannot be written as a proof.
    #[error("proofs are for Clobber, and for Othello (not Reversi) on boards of at most 64 cells")]
    NoProofs,
    /// The budget was spent before there was something to prove.
    #[error("the search was stopped before the result was known")]
    Open,
    /// The proof could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The proof was written, and then not accepted by the checker.
    #[error("the proof that was written is not accepted: {0}")]
    Check(#[from] Refusal),
}

impl SolveError {
    /// Whether there was no memory; other clients may give some back.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        use SolveError::{Memory, NoRoom, Table};
        matches!(self, Memory(_) | NoRoom(..) | Table(TableError::Memory(_)))
    }
}
