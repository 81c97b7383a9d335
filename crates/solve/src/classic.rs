//! The textbook solvers, side by side: one file per idea, written to be read and compared.
//!
//! They are those of a student report on a solver for linear Clobber ("the report" in this module),
//! for any [`Game`], and proof-number search, which the report considered and left out. The outcome
//! is the sign of the score. All count the positions they visit, the root included and a position
//! as often as it is visited, so their node counts can be compared.
//!
//! | algorithm | idea | file |
//! |---|---|---|
//! | `minimax` | two functions, one for each side | `minimax.rs` |
//! | `negamax` | one function: what is good for one is bad for the other | `negamax.rs` |
//! | `negamax-tt` | remember the outcome of each position | `negamax.rs` |
//! | `id` | look one ply deeper each time, until there is a proof | `deepening.rs` |
//! | `id-tt` | remember proofs and best moves from one depth to the next | `deepening.rs` |
//! | `pns` | go where the proof seems to need least | `pns.rs` |
//!
//! All are recursive, one call per ply: fewer than 128 calls in Clobber and 256 in Othello on the
//! largest boards, which take well under a megabyte of stack.

mod deepening;
mod minimax;
mod negamax;
mod pns;
mod table;
mod walk;

use std::fmt;
use std::io::ErrorKind;
use std::str::FromStr;

use upstar_games::{Game, excerpt};

use crate::answer::{self, Answer};
use crate::error::SolveError;
use upstar_jobs::Budget;
use walk::{Halt, Walk};

/// A way to solve a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// One function for each side.
    Minimax,
    /// One function for both sides.
    Negamax,
    /// Negamax with a transposition table: the report's second solver.
    NegamaxTt,
    /// Iterative deepening without a table.
    Id,
    /// Iterative deepening with a transposition table: the report's main solver.
    IdTt,
    /// Depth-first proof-number search.
    Pns,
}

impl Algorithm {
    /// All of them, the plainest first.
    pub const ALL: [Self; 6] = [
        Self::Minimax,
        Self::Negamax,
        Self::NegamaxTt,
        Self::Id,
        Self::IdTt,
        Self::Pns,
    ];
}

/// Who wins, and by which move. A table, if the algorithm has one, takes at most `memory` bytes and
/// only as many as it uses; however few there are, the answer stays right.
///
/// # Errors
/// If the system has no room for the table.
pub fn solve<G: Game>(
    algorithm: Algorithm,
    game: &G,
    position: &G::Position,
    memory: usize,
    budget: &Budget,
) -> Result<Answer<G::Move>, SolveError> {
    let mut walk = Walk::new(game, budget);
    let proof = match algorithm {
        Algorithm::Minimax => minimax::solve(&mut walk, position),
        Algorithm::Negamax => negamax::solve(&mut walk, position),
        Algorithm::NegamaxTt => negamax::solve_with_table(&mut walk, position, memory),
        Algorithm::Id => deepening::solve(&mut walk, position),
        Algorithm::IdTt => deepening::solve_with_table(&mut walk, position, memory),
        Algorithm::Pns => pns::solve(&mut walk, position, memory),
    };
    let proof = match proof {
        Ok(proof) => Some(proof),
        Err(Halt::Spent) => None,
        Err(Halt::NoRoom(bytes)) => {
            return Err(SolveError::NoRoom(bytes, ErrorKind::OutOfMemory.into()));
        }
    };
    Ok(Answer::of_outcome(
        game.to_move(position),
        answer::Algorithm::Classic(algorithm),
        proof.map(|proof| proof.outcome),
        proof.and_then(|proof| proof.best),
        walk.nodes(),
    ))
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::NegamaxTt => "negamax-tt",
            Self::Id => "id",
            Self::IdTt => "id-tt",
            Self::Pns => "pns",
        })
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let named = |algorithm: &Self| algorithm.to_string() == text;
        let found = Self::ALL.into_iter().find(named);
        found.ok_or_else(|| AlgorithmError(excerpt(text)))
    }
}

/// The refusal of a text that names no algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an algorithm; there are {names}", names = Algorithm::ALL.map(|it| it.to_string()).join(", "))]
pub struct AlgorithmError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        let refused = "ID".parse::<Algorithm>().unwrap_err().to_string();
        let names = "minimax, negamax, negamax-tt, id, id-tt, pns";
        assert_eq!(
            refused,
            format!("'ID' is not an algorithm; there are {names}")
        );
    }
}
