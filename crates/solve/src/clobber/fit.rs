//! Makes the order of moves from nothing but the rules: rounds of searches, each with the weights of the
//! round before, and weights fitted to the positions that they have solved (`regression.rs`).
//!
//! Searches are independent pieces of work, so the result is the same for any number of threads.

use upstar_games::{Clobber, Color, Grid, Position, Random, Rules, clobber, random_move};
use upstar_jobs::{Budget, Pool, ThreadError, Unwatched};

use super::regression::{FitErrors, Fitting, Importance};
use super::samples::{Classes, Samples};
use super::solver::{Settings, Solver};
use super::value_tables::{Need, ValueTables};
use super::weights::Weights;
use crate::error::SolveError;

/// How weights are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How often positions are solved and weights fitted to them. The first round has no order.
    pub rounds: u32,
    /// How many searches the last round has; each round before it has half of them.
    pub searches: u32,
    /// After how many positions a search is given up. What it has solved by then counts.
    pub nodes: u64,
    /// The seed of all that is random.
    pub seed: u64,
}

impl Default for Recipe {
    /// What made the weights that the program brings along.
    fn default() -> Self {
        Self {
            rounds: 4,
            searches: 600,
            nodes: 300_000,
            seed: Random::DEFAULT_SEED,
        }
    }
}

/// The boards that share weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boards {
    /// Single rows.
    OneRow,
    /// Two rows.
    TwoRows,
    /// All others.
    Larger,
}

/// A board to begin searches on: rows, columns, and the fewest and the most random plies before them.
type Start = (usize, usize, u32, u32);

impl Boards {
    /// What counts in single rows are the many small positions.
    fn importance(self) -> Importance {
        match self {
            Self::OneRow => Importance::Even,
            Self::TwoRows | Self::Larger => Importance::ByNodes,
        }
    }

    /// Where searches begin, one after the other.
    fn starts(self) -> &'static [Start] {
        match self {
            Self::OneRow => &[
                (1, 34, 0, 4),
                (1, 40, 0, 4),
                (1, 44, 0, 4),
                (1, 48, 0, 6),
                (1, 52, 0, 6),
                (1, 56, 0, 8),
            ],
            Self::TwoRows => &[
                (2, 12, 0, 2),
                (2, 13, 0, 2),
                (2, 14, 0, 3),
                (2, 15, 1, 4),
                (2, 16, 1, 4),
                (2, 17, 2, 5),
                (2, 18, 2, 6),
            ],
            Self::Larger => &[
                (3, 8, 0, 3),
                (3, 9, 1, 4),
                (3, 10, 2, 5),
                (4, 6, 0, 3),
                (4, 7, 1, 4),
                (4, 8, 3, 6),
                (5, 5, 0, 3),
                (5, 6, 2, 5),
                (5, 7, 5, 8),
                (6, 6, 5, 8),
            ],
        }
    }
}

/// How the fit goes, told after each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedRound {
    /// The round, counted from 1.
    pub round: u32,
    /// How many positions were learned from.
    pub positions: usize,
    /// How far the weights are off on positions that were not learned from.
    pub errors: FitErrors,
}

/// Why no weights were fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The budget was spent.
    #[error("the fit was stopped")]
    Stopped,
    /// A search could not begin.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No thread could be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The last of every 19 searches is held out to test the weights; no number of starts is a multiple of 19.
const HELD_OUT: u64 = 19;

/// Fits weights for boards of one kind. The same recipe makes the same weights, however many threads search.
/// Each of them takes this much memory, value table included.
///
/// # Errors
/// If the budget is spent first, or a search cannot begin.
pub fn fit(
    boards: Boards,
    recipe: &Recipe,
    tables: &ValueTables,
    memory: usize,
    threads: usize,
    budget: &Budget,
    told: &mut dyn FnMut(FittedRound),
) -> Result<Weights, FitError> {
    let classes = Classes::new();
    let mut weights = Weights::none();
    for round in 1..=recipe.rounds.max(1) {
        let searches = Searches {
            boards,
            recipe,
            round,
            weights: &weights,
            tables,
            memory,
        };
        let (samples, held_out) = searches.all(&classes, threads, budget)?;
        let mut fitting = Fitting::new(&weights, &classes, boards.importance());
        fitting.follow(&samples, recipe.seed ^ u64::from(round));
        weights = fitting.weights(&classes);
        told(FittedRound {
            round,
            positions: samples.len(),
            errors: fitting.errors(&held_out),
        });
    }
    Ok(weights)
}

/// The searches of one round.
struct Searches<'a> {
    boards: Boards,
    recipe: &'a Recipe,
    round: u32,
    weights: &'a Weights,
    tables: &'a ValueTables,
    memory: usize,
}

impl Searches<'_> {
    /// The samples to learn from, and those to test with.
    fn all(
        &self,
        classes: &Classes,
        threads: usize,
        budget: &Budget,
    ) -> Result<(Samples, Samples), FitError> {
        let earlier = self.recipe.rounds.max(1) - self.round;
        let searches = self.recipe.searches >> earlier.min(31);
        let pool = Pool {
            threads,
            jobs: u64::from(searches).max(1),
            budget,
        };
        let (mut samples, mut held_out) = (Samples::default(), Samples::default());
        let done = pool.work(
            || (),
            |(), search, budget| {
                let samples = self.search(search, budget)?;
                Ok::<_, FitError>(samples.map(|samples| samples.classed(classes)))
            },
            |_, _| Ok(()),
            |search, more| {
                match search % HELD_OUT == HELD_OUT - 1 {
                    true => held_out.append(&more),
                    false => samples.append(&more),
                }
                std::ops::ControlFlow::Continue(())
            },
        )?;
        match done {
            true => Ok((samples, held_out)),
            false => Err(FitError::Stopped),
        }
    }

    /// What a search solves; `None` if it was stopped.
    fn search(&self, search: u64, budget: &Budget) -> Result<Option<Samples>, SolveError> {
        let starts = self.boards.starts();
        let (rows, cols, least, most) = starts[search as usize % starts.len()];
        let index = u64::from(self.round) << 40 | search;
        let mut random = Random::for_game(self.recipe.seed, index);
        let grid = Grid::new(rows, cols).expect("a small board");
        let rules = Clobber::<u64>::new(grid);
        let plies = least + random.below(most - least + 1);
        let position = after_random_plies(&rules, grid, plies, &mut random);
        let stones = (position.own | position.opponent).count_ones() as usize;
        let need = Need {
            board: rules.board(),
            stones,
            cannibal: false,
            memory: self.memory,
            patient: true,
        };
        let values = self.tables.serving(need, budget, &Unwatched)?;
        let settings = Settings {
            memory: self.memory,
            weights: Some(self.weights.clone()),
            ..Settings::default()
        };
        let mut solver = Solver::new(&rules, stones, values, &settings)?;
        solver.collect();
        let limited = budget.clone().with_nodes(self.recipe.nodes);
        solver.wins(&position, &limited, &Unwatched);
        Ok((!budget.is_over()).then(|| solver.collected()))
    }
}

/// The checkerboard after random moves.
fn after_random_plies(
    rules: &Clobber<u64>,
    grid: Grid,
    plies: u32,
    random: &mut Random,
) -> Position<u64> {
    let start = rules.position(&clobber::checkerboard(grid), Color::Black);
    let mut position = start.expect("a checkerboard is a position");
    for _ in 0..plies {
        if let Some(mv) = random_move(rules, &position, random) {
            position = rules.play_unchecked(&position, mv);
        }
    }
    position
}
