//! Exact results of Othello: who wins, by how many discs, and how.
//!
//! Boards of at most 64 cells have the fast [`Solver`]; [`plain`] search answers for larger ones and
//! for Reversi.
//!
//! ```
//! use upstar_games::{Color, Othello, Rules, othello};
//! use upstar_solve::othello::Solver;
//! use upstar_solve::{Budget, Outcome, Question, Unwatched};
//!
//! let grid = "4x5".parse()?;
//! let game = Othello::<u64>::new(grid);
//! let start = othello::start(grid, othello::Opening::DIAGONAL).unwrap();
//! let start = game.position(&start, Color::Black).unwrap();
//! let solver = Solver::new(&game, 1 << 20, 1)?;
//! let answer = solver.solve(&start, Question::Score, &Budget::unlimited(), &Unwatched);
//! assert_eq!(answer.outcome, Some(Outcome::Win));
//! assert_eq!(answer.score, Some(16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The search is that of the strong endgame solvers (Buro, Andersson, Delorme's Edax), on boards of
//! any shape: null windows (`search.rs`), a table of bounds and moves (`table.rs`), stable discs
//! (`space.rs`), moves in the order of mobility, parity and a fitted evaluation (`order.rs`) and of the
//! work that their proof seems to take (`work.rs`), the last four cells by special code (`last.rs`),
//! threads on one table (`crew.rs`).

pub mod bench;
mod calibration;
mod coder;
mod crew;
mod discs;
mod estimates;
mod finding;
mod fit;
mod last;
mod line;
mod midgame;
mod mirror;
mod order;
mod patterns;
pub mod plain;
mod probcut;
mod prover;
mod proving;
mod regression;
mod search;
mod selective;
mod selfplay;
mod shallow;
mod solver;
mod space;
mod table;
pub mod weights;
mod work;

pub use fit::{BOARDS, FitConfig, FitError, FittedRound, Recipe, fit, has_patterns};
pub use midgame::{Effort, Estimate, Midgame, winning_chance};
pub use solver::Solver;

use upstar_games::Color;
use upstar_games::othello::Move;

use crate::answer::{Algorithm, Answer, Outcome};

pub use crate::answer::Question;

/// What was proved, from bounds for the side to move.
fn answer(
    question: Question,
    to_move: Color,
    (lower, upper): (i32, i32),
    line: Vec<Move>,
    nodes: u64,
) -> Answer<Move> {
    let outcome = match (lower, upper) {
        (1.., _) => Some(Outcome::Win),
        (_, ..0) => Some(Outcome::Loss),
        (0, 0) => Some(Outcome::Draw),
        _ => None,
    };
    let bounds = match to_move {
        Color::Black => (lower, upper),
        Color::White => (-upper, -lower),
    };
    let score = (question == Question::Score && lower == upper).then_some(bounds.0);
    Answer {
        to_move,
        outcome,
        score,
        bounds: Some(bounds),
        best: line.first().copied(),
        line,
        nodes,
        proved: outcome.is_some() && (score.is_some() || question == Question::Winner),
        algorithm: Algorithm::AlphaBeta,
    }
}
