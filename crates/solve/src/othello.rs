//! Exact results of Othello: who wins, by how many discs, and how.
//!
//! Boards of at most 64 cells have the fast [`Solver`]; [`plain`] search answers for larger ones and
//! for Reversi.
//!
//! ```
//! use upstar_games::{Color, Othello, Rules, othello};
//! use upstar_solve::othello::{Question, Solver, Unwatched};
//! use upstar_solve::{Budget, Outcome};
//!
//! let grid = "4x5".parse()?;
//! let game = Othello::<u64>::new(grid);
//! let start = othello::start(grid, othello::Opening::Diagonal).unwrap();
//! let start = game.position(&start, Color::Black).unwrap();
//! let solver = Solver::new(&game, 1 << 20, 1)?;
//! let solved = solver.solve(&start, Question::Score, &Budget::unlimited(), &Unwatched);
//! assert_eq!(solved.verdict.outcome, Some(Outcome::Win));
//! assert_eq!(solved.score, Some(16));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The search is that of the strong endgame solvers (Buro, Andersson, Delorme's Edax), on boards of
//! any shape: null windows (`search.rs`), a table of bounds and moves (`table.rs`), stable discs
//! (`space.rs`), moves in the order of mobility, parity and a fitted evaluation (`order.rs`) and of the
//! work that their proof seems to take (`work.rs`), the last four cells by special code (`last.rs`),
//! threads on one table (`crew.rs`).

pub mod bench;
mod coder;
mod crew;
mod discs;
mod fit;
mod last;
mod line;
mod mirror;
mod order;
mod patterns;
pub mod plain;
mod proving;
mod search;
mod shallow;
mod solver;
mod space;
mod table;
mod watch;
pub mod weights;
mod work;

pub use fit::{BOARDS, Fitted, Recipe, fit, has_patterns};
pub use solver::Solver;
pub use watch::{Finding, Progress, SameSearch, Unwatched, Watch};

use upstar_games::Color;
use upstar_games::othello::Move;

use crate::verdict::{Outcome, Verdict};

/// What is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Who wins, or that nobody does.
    Winner,
    /// By how many discs.
    Score,
}

/// What was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The result for the side to move and a move that reaches it.
    pub verdict: Verdict<Move>,
    /// Discs of `x` less those of `o` at the end, if that was asked for and proved.
    pub score: Option<i32>,
    /// What is proved about that score: it is at least the first and at most the second.
    pub bounds: (i32, i32),
    /// Best play to the end of the game, passes included; shorter if the budget was spent on the
    /// way. When only the winner is asked for, the loser's moves in it are arbitrary.
    pub line: Vec<Move>,
}

impl Solved {
    /// Of bounds for the side to move.
    fn new(
        question: Question,
        to_move: Color,
        (lower, upper): (i32, i32),
        line: Vec<Move>,
        nodes: u64,
    ) -> Self {
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
        let best = line.first().copied();
        Self {
            verdict: Verdict {
                outcome,
                best,
                nodes,
            },
            score: (question == Question::Score && lower == upper).then_some(bounds.0),
            bounds,
            line,
        }
    }
}
