//! The tests by which endgame solvers compare themselves: the problems of the French Othello federation
//! (FFO), and endings of our own on which the solver's settings are chosen instead.

use std::sync::Arc;

use upstar_games::othello::obf::{self, Problem};
use upstar_games::othello::{Move, Opening, start};
use upstar_games::{Color, Game, Grid, Othello, Position, Random, Rules, random_move};
use upstar_jobs::{Budget, Unwatched};

use super::midgame::{Effort, Midgame};
use super::weights::{self, Fitted};
use super::{Question, Solver};
use crate::answer::Answer;

/// The problems, with the scores of all moves.
const PROBLEMS: &str = include_str!("../../data/othello-ffo.obf");
/// Positions of [`generated_endings`], 20 for each number of empty cells from 20 to 30, with 2026 plus that number
/// as seed, made by the weights of 18 November 2026.
const ENDINGS: &str = include_str!("../../data/othello-endings.obf");

/// A problem and what the solver made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its number among those it belongs to, from 1 on.
    pub number: usize,
    /// The position with the true scores of its moves, if they are known.
    pub problem: Problem,
    /// The solver's answer; its score is that of Black.
    pub answer: Answer<Move>,
    /// How many positions were looked at only to order moves: those beside the answer's nodes.
    pub looked: u64,
}

impl Attempt {
    /// Whether score and move are right; `None` if the budget was spent first or nothing is known.
    #[must_use]
    pub fn is_right(&self) -> Option<bool> {
        let true_score = self.problem.score()?;
        let score = self.problem.to_move.sign() * self.answer.score?;
        let game = game();
        let best = self.answer.best.map(|mv| game.move_name(mv));
        let mut scores = self.problem.scores.iter();
        let said = scores.find(|(name, _)| Some(name) == best.as_ref());
        Some(true_score == score && said.map(|&(_, score)| score) == Some(true_score))
    }
}

/// All problems of the federation, the first is #1.
#[must_use]
pub fn problems() -> Vec<Problem> {
    read(PROBLEMS)
}

/// Endings of our own games, to choose settings on.
#[must_use]
pub fn endings() -> Vec<Problem> {
    read(ENDINGS)
}

fn read(lines: &str) -> Vec<Problem> {
    let read = |line| obf::parse(line).expect("the problems are well formed");
    lines.lines().filter_map(read).collect()
}

/// Positions with so many empty cells, from games of the engine that begin with eight random moves. The
/// same seed gives the same positions as long as the engine's weights are the same.
///
/// # Errors
/// If there is no memory for the engine.
pub fn generated_endings(count: usize, empties: u32, seed: u64) -> std::io::Result<Vec<Problem>> {
    const RANDOM: u32 = 8;
    let game = game();
    let grid: Grid = "8x8".parse().expect("a size");
    let setup = start(grid, Opening::DIAGONAL).expect("an even board");
    let mut random = Random::new(seed);
    let mut midgame = Midgame::new(&game, 1 << 22)?;
    let left = |position: &Position<u64>| position.occupied().count_zeros();
    let mut found = Vec::new();
    while found.len() < count {
        midgame.forget();
        let start = game.position(&setup, Color::Black);
        let mut position = start.expect("the start is on this board");
        while left(&position) > empties && game.score(&position).is_none() {
            let mv = if left(&position) > 60 - RANDOM {
                random_move(&game, &position, &mut random)
            } else {
                let unlimited = Budget::unlimited();
                let found = midgame.estimate(&position, Effort::plies(6), None, &unlimited);
                found.and_then(|found| found.line.first().copied())
            };
            let Some(mv) = mv else { break };
            position = game.play_unchecked(&position, mv);
        }
        if left(&position) == empties && game.moves(&position).count() > 1 {
            found.push(Problem {
                setup: game.setup(&position),
                to_move: position.to_move,
                scores: Vec::new(),
            });
        }
    }
    Ok(found)
}

/// Solves the problems with these numbers, one after the other with one table, and tells of each.
///
/// # Errors
/// If there is not so much memory.
pub fn run(
    problems: &[Problem],
    numbers: std::ops::RangeInclusive<usize>,
    memory: usize,
    threads: usize,
    budget: &Budget,
    tell: &mut dyn FnMut(Attempt),
) -> std::io::Result<()> {
    let game = game();
    let solver = Solver::new(&game, memory, threads)?.with_empties_to_winner();
    for (index, problem) in problems.iter().enumerate() {
        let number = index + 1;
        if !numbers.contains(&number) || budget.is_over() {
            continue;
        }
        let position = game.position(&problem.setup, problem.to_move);
        let position = position.expect("all problems are on 8x8");
        let before = solver.looked();
        let answer = solver.solve(&position, Question::Score, budget, &Unwatched);
        tell(Attempt {
            number,
            problem: problem.clone(),
            answer,
            looked: solver.looked() - before,
        });
    }
    Ok(())
}

/// A player for measurements. With so many plies it is exact from twice as many empty cells on.
pub struct Player {
    midgame: Midgame,
    depth: u32,
    level: u8,
}

impl Player {
    /// The engine.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn engine(depth: u32) -> std::io::Result<Self> {
        Ok(Self {
            midgame: Midgame::new(&game(), 1 << 24)?,
            depth,
            level: Effort::PLIES.level,
        })
    }

    /// A player that stays the same while the engine changes its search: it cuts nothing by shallow searches, and
    /// knows three stages of the game, the first of them with the weights of 22 and 23 empty cells.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn reference(depth: u32) -> std::io::Result<Self> {
        let grid: Grid = "8x8".parse().expect("a size");
        let fitted = weights::shipped(&grid).expect("8x8 has weights");
        let evaluation = fitted.evaluation.with_stages(&grid, |stage| match stage {
            0..=4 => 4,
            5..=8 => 7,
            _ => 11,
        });
        let fitted = Fitted {
            evaluation: Arc::new(evaluation),
            ..fitted
        };
        Ok(Self {
            midgame: Midgame::of(&grid, fitted, 1 << 24)?,
            depth,
            level: Effort::SURE,
        })
    }

    fn choose(&mut self, position: &Position<u64>) -> Option<Move> {
        let empties = self.midgame.empties(position);
        let is_ending = empties <= 2 * self.depth;
        let plies = (1..=self.depth.min(empties)).map(|depth| Effort {
            depth,
            level: self.level,
            threads: 1,
        });
        let ending = [0, 2, Effort::SURE].map(|level| Effort {
            depth: empties,
            level,
            threads: 1,
        });
        let plan: Vec<Effort> = match is_ending {
            true if empties <= 12 => ending[2..].to_vec(),
            true => plies.take(empties as usize / 2).chain(ending).collect(),
            false => plies.collect(),
        };
        let (mut best, mut guess) = (None, None);
        for effort in plan {
            let unlimited = Budget::unlimited();
            let found = self.midgame.estimate(position, effort, guess, &unlimited)?;
            guess = Some(found.discs);
            best = found.line.first().copied().or(best);
        }
        best
    }
}

/// Plays pairs of games with colours swapped after eight random moves. Returns how many games the first wins,
/// draws and loses.
#[must_use]
pub fn play(players: &mut [Player; 2], pairs: usize, seed: u64) -> [usize; 3] {
    let game = game();
    let grid: Grid = "8x8".parse().expect("a size");
    let setup = start(grid, Opening::DIAGONAL).expect("an even board");
    let mut results = [0; 3];
    for pair in 0..pairs {
        for swapped in [false, true] {
            players
                .iter_mut()
                .for_each(|player| player.midgame.forget());
            let mut random = Random::for_game(seed, pair as u64);
            let start = game.position(&setup, Color::Black);
            let mut position = start.expect("the start is on this board");
            let mut played = 0;
            while game.score(&position).is_none() {
                let first = (position.to_move == Color::Black) != swapped;
                let mv = match played < 8 {
                    true => random_move(&game, &position, &mut random),
                    false => players[usize::from(!first)].choose(&position),
                };
                let mv = mv.or_else(|| game.moves(&position).next());
                position = game.play_unchecked(&position, mv.expect("the game goes on"));
                played += 1;
            }
            let lead = game.black_score(&position).expect("the game is over");
            let lead = if swapped { -lead } else { lead };
            results[(1 - lead.signum()) as usize] += 1;
        }
    }
    results
}

/// Solves random positions with so many empty cells and compares each score with that of all lines of play,
/// searched by the rules alone. Returns how many differ.
///
/// # Errors
/// If there is no memory for the solver.
pub fn wrong_endings(count: u64, empties: u32, seed: u64) -> std::io::Result<u64> {
    let game = game();
    let solver = Solver::new(&game, 1 << 20, 1)?;
    let grid: Grid = "8x8".parse().expect("a size");
    let setup = start(grid, Opening::DIAGONAL).expect("an even board");
    let (mut index, mut solved, mut wrong) = (0, 0, 0);
    while solved < count {
        let mut random = Random::for_game(seed, index);
        index += 1;
        let start = game.position(&setup, Color::Black);
        let mut position = start.expect("the start is on this board");
        while position.occupied().count_zeros() > empties
            && let Some(mv) = random_move(&game, &position, &mut random)
        {
            position = game.play_unchecked(&position, mv);
        }
        if position.occupied().count_zeros() > empties {
            continue;
        }
        let unlimited = Budget::unlimited();
        let answer = solver.solve(&position, Question::Score, &unlimited, &Unwatched);
        let score = answer.score.expect("there was no limit");
        wrong += u64::from(score != position.to_move.sign() * all_lines(&game, &position));
        solved += 1;
    }
    Ok(wrong)
}

/// The score for the side to move.
fn all_lines(game: &Othello<u64>, position: &Position<u64>) -> i32 {
    if let Some(score) = game.score(position) {
        return score;
    }
    let next = game.moves(position).map(|mv| {
        let next = game.play_unchecked(position, mv);
        -all_lines(game, &next)
    });
    next.max().expect("a pass is a move")
}

fn game() -> Othello<u64> {
    Othello::new("8x8".parse().expect("a size"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_endings_are_solved_as_all_lines_say() {
        assert_eq!(wrong_endings(300, 7, 1).unwrap(), 0);
    }

    /// It was worse once: its move came from a search that asked for more than the position held.
    #[test]
    fn five_plies_beat_three() {
        let mut players = [Player::engine(5).unwrap(), Player::engine(3).unwrap()];
        let [won, _, lost] = play(&mut players, 30, 1);
        assert!(won > lost + 10, "{won} won, {lost} lost");
    }

    #[test]
    fn endings_are_20_for_each_number_of_empty_cells() {
        let grid: Grid = "8x8".parse().unwrap();
        let endings = endings();
        assert_eq!(endings.len(), 220);
        for (index, ending) in endings.iter().enumerate() {
            let left = (0..grid.len())
                .map(upstar_games::Cell::new)
                .filter(|&cell| ending.setup.letter(cell) == '.');
            assert_eq!(left.count(), 20 + index / 20);
        }
    }
}
