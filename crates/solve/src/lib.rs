#![doc = include_str!("../README.md")]

mod answer;
mod checksum;
pub mod classic;
pub mod clobber;
mod error;
pub mod journal;
mod judged_moves;
mod key;
mod memory;
pub mod othello;
mod prover;
pub mod run;
mod solver;
mod subproblem;
mod transposition_table;
pub mod tree;

pub use answer::{Algorithm, Answer, MoveAnswer, Outcome, Question};
pub use error::SolveError;
pub use journal::{Journal, JournalRecord, SearchName};
pub use judged_moves::{JudgedMoves, judged_moves};
pub use prover::{Look, LookedMove, Prover, Solvable, memory_for};
pub use solver::{Query, Settings, Solver};
pub use subproblem::{Subproblem, SubproblemAnswer, SubproblemError};
pub use upstar_jobs::{Budget, Finding, Ledger, Unwatched, Watch};
