//! The test by which endgame solvers compare themselves: the problems of the French Othello federation
//! (FFO), #40 to #45 above all.

use upstar_games::othello::obf::{self, Problem};
use upstar_games::{Othello, Rules};

use super::{Question, Solver};
use crate::answer::Answer;
use upstar_games::othello::Move;
use upstar_jobs::{Budget, Unwatched};

/// The problems, with the scores of all moves.
const PROBLEMS: &str = include_str!("../../data/othello-ffo.obf");

/// A problem and what the solver made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its number, 1 to 79.
    pub number: usize,
    /// The position with the true scores of its moves.
    pub problem: Problem,
    /// The solver's answer; its score is that of Black.
    pub answer: Answer<Move>,
}

impl Attempt {
    /// Whether score and move are right; `None` if the budget was spent first.
    #[must_use]
    pub fn is_right(&self) -> Option<bool> {
        let score = self.problem.to_move.sign() * self.answer.score?;
        let game = game();
        let best = self.answer.best.map(|mv| game.move_name(mv));
        let mut scores = self.problem.scores.iter();
        let said = scores.find(|(name, _)| Some(name) == best.as_ref());
        let true_score = self.problem.score();
        Some(true_score == Some(score) && said.map(|&(_, score)| score) == true_score)
    }
}

/// All problems, the first is #1.
#[must_use]
pub fn problems() -> Vec<Problem> {
    let read = |line| obf::parse(line).expect("the problems are well formed");
    PROBLEMS.lines().filter_map(read).collect()
}

/// Solves the problems with these numbers, one after the other with one table, and tells of each.
///
/// # Errors
/// If there is not so much memory.
pub fn run(
    numbers: std::ops::RangeInclusive<usize>,
    memory: usize,
    threads: usize,
    budget: &Budget,
    tell: &mut dyn FnMut(Attempt),
) -> std::io::Result<()> {
    let game = game();
    let solver = Solver::new(&game, memory, threads)?.with_empties_to_winner();
    for (index, problem) in problems().into_iter().enumerate() {
        let number = index + 1;
        if !numbers.contains(&number) || budget.is_over() {
            continue;
        }
        let position = game.position(&problem.setup, problem.to_move);
        let position = position.expect("all problems are on 8x8");
        let answer = solver.solve(&position, Question::Score, budget, &Unwatched);
        tell(Attempt {
            number,
            problem,
            answer,
        });
    }
    Ok(())
}

fn game() -> Othello<u64> {
    Othello::new("8x8".parse().expect("a size"))
}
