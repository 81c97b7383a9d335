//! Why a file proves nothing.

use std::io;

use upstar_games::Color;
use upstar_jobs::ThreadError;

/// Why a proof was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The file could not be read.
    #[error("the proof cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin like a proof.
    #[error("this is not a proof: it does not begin with upstar-proof")]
    NoProof,
    /// It is written in a version that this checker does not know.
    #[error("the proof has another version than 1")]
    Version,
    /// It ends too early.
    #[error("the proof ends too early")]
    Truncated,
    /// Some bytes are not those that were written.
    #[error("the proof is damaged: a checksum is wrong")]
    Checksum,
    /// Something is not as the format says.
    #[error("the proof is malformed: {0}")]
    Malformed(&'static str),
    /// The header names no first move for the winner who begins, or one that is not legal, or one
    /// for the loser.
    #[error("the header's first move is missing or not possible")]
    FirstMove,
    /// A lemma is not of the form that lemmas have, or comes in the wrong place.
    #[error("lemma {0} is out of order")]
    LemmaOrder(String),
    /// A lemma is false.
    #[error("lemma {0} is false")]
    FalseLemma(String),
    /// There are more lemmas than fit into the memory allowed.
    #[error("{0} lemmas do not fit into the memory limit")]
    ManyLemmas(u64),
    /// There are more nodes than fit into the memory allowed; only who wants to play needs all.
    #[error("{0} positions do not fit into the memory limit")]
    ManyNodes(u64),
    /// The proof has no replies of this side.
    #[error("the proof has no replies of {0}")]
    NoStrategy(Color),
    /// A node of the proof is not simplified by the lemmas.
    #[error("node {0} is not simplified by the lemmas")]
    NotSimplified(String),
    /// A reply that is not a move.
    #[error("a reply in {0} is not a move")]
    NoReply(String),
    /// A leaf of the proof that the winner does not win.
    #[error("leaf {sum} with {to_move} to move is not won by the winner")]
    Leaf {
        /// The pieces.
        sum: String,
        /// Who is to move.
        to_move: Color,
    },
    /// A leaf of the proof in which the side that should gets less than is claimed.
    #[error("in {position} with {to_move} to move {prover} does not reach a score of {goal}")]
    Score {
        /// The discs.
        position: String,
        /// Who is to move.
        to_move: Color,
        /// Who should get something.
        prover: Color,
        /// How many discs more than the other side.
        goal: i32,
    },
    /// So many positions, at least, are needed and not listed.
    #[error("the proof has gaps: {0} positions are not listed")]
    Missing(u64),
    /// A search took more positions than allowed.
    #[error("the search of {0} exceeds its limit")]
    TooHard(String),
    /// A thread could not be started.
    #[error("the check did not begin: {0}")]
    Thread(#[from] ThreadError),
    /// The budget was spent.
    #[error("the check was stopped")]
    Stopped,
}
