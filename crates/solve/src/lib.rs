#![doc = include_str!("../README.md")]

mod answer;
mod checksum;
pub mod classic;
pub mod clobber;
mod error;
pub mod journal;
mod key;
mod memory;
pub mod othello;
mod prover;
pub mod run;
mod solver;
mod table;
pub mod tree;

pub use answer::{Algorithm, Answer, MoveAnswer, Outcome, Question};
pub use error::SolveError;
pub use journal::{Journal, SearchName};
pub use prover::{JudgedMoves, Prover, Solvable, judged_moves, memory_for};
pub use solver::{Query, Settings, Solver};
pub use upstar_jobs::{Budget, Finding, Ledger, Unwatched, Watch};
