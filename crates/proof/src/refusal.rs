//! Why a file proves nothing.

use std::{fmt, io};

use upstar_games::Color;
use upstar_jobs::ThreadError;

/// Why a proof was not accepted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The file could not be read.
    Io(io::Error),
    /// It does not begin like a proof.
    NoProof,
    /// It is written in a version that this checker does not know.
    Version,
    /// It ends too early.
    Truncated,
    /// Some bytes are not those that were written.
    Checksum,
    /// Something is not as the format says.
    Malformed(&'static str),
    /// The header names no first move for the winner who begins, or one that is not legal, or one
    /// for the loser.
    FirstMove,
    /// A lemma is not of the form that lemmas have, or comes in the wrong place.
    LemmaOrder(String),
    /// A lemma is false.
    FalseLemma(String),
    /// There are more lemmas than fit into the memory allowed.
    ManyLemmas(u64),
    /// A node of the proof is not simplified by the lemmas.
    NotSimplified(String),
    /// A reply that is not a move.
    NoReply(String),
    /// A leaf of the proof that the winner does not win.
    Leaf {
        /// The pieces.
        sum: String,
        /// Who is to move.
        to_move: Color,
    },
    /// A leaf of the proof in which the side that should gets less than is claimed.
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
    Missing(u64),
    /// A search took more positions than allowed.
    TooHard(String),
    /// A thread could not be started.
    Thread(ThreadError),
    /// The budget was spent.
    Stopped,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the proof cannot be read: {error}"),
            Self::NoProof => write!(
                f,
                "this is not a proof: it does not begin with upstar-proof"
            ),
            Self::Version => write!(f, "the proof has another version than 1"),
            Self::Truncated => write!(f, "the proof ends too early"),
            Self::Checksum => write!(f, "the proof is damaged: a checksum is wrong"),
            Self::Malformed(what) => write!(f, "the proof is malformed: {what}"),
            Self::FirstMove => write!(f, "the header's first move is missing or not possible"),
            Self::LemmaOrder(lemma) => write!(f, "lemma {lemma} is in no place it may be in"),
            Self::FalseLemma(lemma) => write!(f, "lemma {lemma} is false"),
            Self::ManyLemmas(lemmas) => {
                write!(
                    f,
                    "{lemmas} lemmas do not fit into the memory they may take"
                )
            }
            Self::NotSimplified(sum) => write!(f, "node {sum} is not simplified by the lemmas"),
            Self::NoReply(sum) => write!(f, "a reply in {sum} is not a move"),
            Self::Leaf { sum, to_move } => {
                write!(
                    f,
                    "leaf {sum} with {to_move} to move is not won by the winner"
                )
            }
            Self::Score {
                position,
                to_move,
                prover,
                goal,
            } => {
                write!(
                    f,
                    "in {position} with {to_move} to move {prover} does not reach a score of {goal}"
                )
            }
            Self::Missing(positions) => {
                write!(
                    f,
                    "the proof has gaps: {positions} positions are not listed"
                )
            }
            Self::TooHard(sum) => write!(f, "the search of {sum} exceeds its limit"),
            Self::Thread(error) => write!(f, "the check did not begin: {error}"),
            Self::Stopped => write!(f, "the check was stopped"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ThreadError> for Refusal {
    fn from(error: ThreadError) -> Self {
        Self::Thread(error)
    }
}
