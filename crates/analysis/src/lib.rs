#![doc = include_str!("../README.md")]

mod analyser;
mod error;
mod estimator;
mod graph;
mod knowledge;
mod line;
mod proved_results;
mod prover;
mod puzzle;
mod puzzle_check;
mod review;
mod review_line;
mod state;

pub use analyser::{Analyser, Analysis, GradedMove};
pub use error::AnalysisError;
pub use knowledge::{Estimate, Grade, Knowledge};
pub use line::{AnalysisLine, KnowledgeLine, MoveLine};
pub use proved_results::ProvedResults;
pub use puzzle::{Puzzle, PuzzleError, PuzzleMaker, Sample, Seen};
pub use puzzle_check::{CheckedPuzzle, PuzzleCheck, PuzzleFault};
pub use review::{Accuracy, Mistake, PlayedGame, Review, ReviewError, ReviewedMove};
pub use review_line::{AccuracyLine, ReviewLine, ReviewedMoveLine};
