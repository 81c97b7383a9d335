//! Makes the weights of the evaluation, from nothing but the rules and a seed.
//!
//! Games begin at random, go on as the evaluation so far thinks best, and are solved exactly when few
//! cells are left; all positions of the better part learn the score. Then the weights are fitted to the
//! scores by stochastic gradient descent, and better ones make the games of the next round.

use upstar_games::othello::{Opening, start};
use upstar_games::{Cells, Color, Grid, Othello, Position, Random, Rules, random_move};
use upstar_machine::Isa;

use super::discs::Discs;
use super::order::{Judge, Order};
use super::patterns::{DISC, STAGES, Shape, features, shapes, stage};
use super::weights::Weights;
use super::{Question, Solver};
use upstar_jobs::{Budget, Unwatched};

/// How weights are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How often games are played and weights fitted to them.
    pub rounds: u32,
    /// How many games each round has.
    pub games: u32,
    /// With so many empty cells, or one or two fewer, a game is solved.
    pub solved_from: u32,
    /// With so many empty cells, at most, a game begins to count.
    pub played_from: u32,
    /// The seed of all that is random.
    pub seed: u64,
}

impl Default for Recipe {
    /// What made the weights that the program brings along.
    fn default() -> Self {
        Self {
            rounds: 3,
            games: 60_000,
            solved_from: 11,
            played_from: 26,
            seed: Random::DEFAULT_SEED,
        }
    }
}

/// The boards whose weights the program brings along.
pub const BOARDS: [&str; 6] = ["8x8", "6x6", "5x6", "5x7", "5x8", "6x7"];

/// How the fit goes, told after each round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The round, counted from 1.
    pub round: u32,
    /// How many positions were learned from.
    pub positions: usize,
    /// The mean square error in discs, for each stage.
    pub errors: [f64; STAGES.len()],
}

/// A weight counts if it was seen at least so often.
const SEEN: u32 = 4;

/// Whether this board has patterns to fit weights to.
#[must_use]
pub fn has_patterns(grid: Grid) -> bool {
    grid.len() <= 64 && shapes(&grid).iter().any(|shape| shape.weights > 0)
}

/// Fits weights for a board. The same recipe makes the same
/// weights: [`weights::write`](super::weights::write) of those of [`BOARDS`] with the default recipe, one
/// after the other, is the file that the program brings along. That takes about twenty minutes.
///
/// # Errors
/// If the board's shape has no patterns, or the budget is spent first.
pub fn fit(
    grid: Grid,
    recipe: &Recipe,
    budget: &Budget,
    watch: &mut dyn FnMut(Fitted),
) -> Result<Weights, FitError> {
    let shapes = shapes(&grid);
    let count: usize = shapes.iter().map(|shape| shape.weights).sum();
    if !has_patterns(grid) {
        return Err(FitError::NoPatterns(grid));
    }
    let game = Othello::<u64>::new(grid);
    let mut weights = vec![0f32; STAGES.len() * count];
    let mut solver = Solver::new(&game, 1 << 22, 1).expect("four megabytes");
    solver.order = Order::new(None, solver.space.size);
    let mut made = None;
    for round in 0..recipe.rounds {
        let mut samples = Samples {
            width: features_of(&shapes),
            numbers: Vec::new(),
            scores: Vec::new(),
        };
        for index in 0..recipe.games {
            if budget.is_over() {
                return Err(FitError::Stopped);
            }
            let index = u64::from(round) << 32 | u64::from(index);
            let mut random = Random::for_game(recipe.seed, index);
            // Until there are weights, only positions that are solved can be judged.
            let most = recipe.played_from.min(grid.len().saturating_sub(10) as u32);
            let played_from = if round == 0 { recipe.solved_from } else { most };
            play(
                &game,
                &solver,
                recipe.solved_from,
                played_from,
                &mut random,
                |discs, empties, score| {
                    let begin = samples.numbers.len();
                    features(&shapes, discs, &mut samples.numbers);
                    let shift = (stage(empties) * count) as u32;
                    samples.numbers[begin..]
                        .iter_mut()
                        .for_each(|number| *number += shift);
                    samples.scores.push(score as f32);
                },
            );
        }
        let errors = descend(&mut weights, count, &samples, recipe.seed, budget);
        if budget.is_over() {
            return Err(FitError::Stopped);
        }
        if round == 0 {
            // The later stages begin where the first one is.
            let first = weights[..count].to_vec();
            weights
                .chunks_mut(count)
                .for_each(|stage| stage.copy_from_slice(&first));
        }
        watch(Fitted {
            round: round + 1,
            positions: samples.scores.len(),
            errors,
        });
        // What was hardly ever seen is left out.
        let mut seen = vec![0u32; weights.len()];
        samples
            .numbers
            .iter()
            .for_each(|&number| seen[number as usize] += 1);
        if round == 0 {
            let first = seen[..count].to_vec();
            seen.chunks_mut(count)
                .for_each(|stage| stage.copy_from_slice(&first));
        }
        let byte = |(&weight, &seen): (&f32, &u32)| {
            if seen < SEEN {
                0
            } else {
                (weight * DISC as f32).round() as i8
            }
        };
        let bytes: Vec<i8> = weights.iter().zip(&seen).map(byte).collect();
        let mut stages = bytes.chunks(count).map(<[i8]>::to_vec);
        let stages = std::array::from_fn(|_| stages.next().expect("a stage"));
        let fitted = Weights { grid, stages };
        let evaluation = fitted.evaluation(&grid).map(Into::into);
        solver.order = Order::new(evaluation, solver.space.size);
        made = Some(fitted);
    }
    made.ok_or(FitError::Stopped)
}

/// Why no weights were fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The board is too small, or too large.
    #[error("{0} has no patterns to fit weights to")]
    NoPatterns(Grid),
    /// The budget was spent.
    #[error("the fit was stopped")]
    Stopped,
}

fn features_of(shapes: &[Shape]) -> usize {
    shapes.iter().map(|shape| shape.places.len()).sum()
}

/// Positions as the numbers of their weights, and their scores.
struct Samples {
    width: usize,
    numbers: Vec<u32>,
    scores: Vec<f32>,
}

/// Plays one game and tells of positions, how many cells are empty, and the score for the side to move.
fn play(
    game: &Othello<u64>,
    solver: &Solver,
    solved_from: u32,
    played_from: u32,
    random: &mut Random,
    mut tell: impl FnMut(Discs, u32, i32),
) {
    let setup = start(solver.grid, Opening::Diagonal).expect("a board with patterns has a middle");
    let to_move = Color::ALL[random.below(2) as usize];
    let position = game.position(&setup, to_move);
    let mut position = position.expect("the start is on the solver's board");
    let empties = |position: &Position<u64>| (solver.space.board & !position.occupied()).len();
    // Nothing but exact scores comes of the search, so its order of moves has no influence.
    let solved_from = solved_from.saturating_sub(random.below(3));
    let spread = played_from.saturating_sub(solved_from);
    let counts_from = solved_from + random.below(spread + 1);
    let wildness = random.unit();
    while empties(&position) > counts_from {
        let best = if random.unit() < wildness {
            None
        } else {
            judged(game, solver, &position, 1)
        };
        let Some(mv) = best.or_else(|| random_move(game, &position, random)) else {
            return;
        };
        position = game.play_unchecked(&position, mv);
    }
    let mut path = Vec::new();
    while empties(&position) > solved_from {
        path.push(position);
        let Some(mv) = judged(game, solver, &position, 3) else {
            return;
        };
        position = game.play_unchecked(&position, mv);
    }
    path.push(position);
    let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
    let score = solved.score.expect("no limit");
    for position in path {
        let score = position.to_move.sign() * score;
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        tell(discs, empties(&position), score);
    }
}

/// The move that looks best so many plies ahead; `None` if the game is over or there is no way to judge.
fn judged(
    game: &Othello<u64>,
    solver: &Solver,
    position: &Position<u64>,
    depth: u32,
) -> Option<upstar_games::othello::Move> {
    let evaluation = solver.order.evaluation.as_ref()?;
    game.moves(position).max_by_key(|&mv| {
        let next = game.play_unchecked(position, mv);
        let discs = Discs {
            own: next.own,
            opponent: next.opponent,
        };
        let space = &solver.space;
        -Isa::best().run(Judge {
            space,
            evaluation,
            discs,
            depth: depth - 1,
            alpha: -i32::MAX,
            beta: i32::MAX,
        })
    })
}

/// Fits weights to samples; the mean square error of each stage in the last pass.
fn descend(
    weights: &mut [f32],
    count: usize,
    samples: &Samples,
    seed: u64,
    budget: &Budget,
) -> [f64; STAGES.len()] {
    const PASSES: u32 = 24;
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..samples.scores.len() as u32).collect();
    let mut errors = [(0.0, 0u32); STAGES.len()];
    for pass in (0..PASSES).take_while(|_| !budget.is_over()) {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u32 + 1) as usize);
        }
        // Large steps first, small ones later.
        let rate = 0.5 * 0.05f32.powf(pass as f32 / PASSES as f32) / samples.width as f32;
        errors = Default::default();
        for &sample in &order {
            let numbers = &samples.numbers[sample as usize * samples.width..][..samples.width];
            let sum: f32 = numbers.iter().map(|&number| weights[number as usize]).sum();
            let error = samples.scores[sample as usize] - sum;
            let tally = &mut errors[numbers[0] as usize / count];
            *tally = (tally.0 + f64::from(error * error), tally.1 + 1);
            for &number in numbers {
                weights[number as usize] += rate * error;
            }
        }
    }
    errors.map(|(sum, samples)| sum / f64::from(samples.max(1)))
}
