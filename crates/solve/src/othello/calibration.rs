//! How far shallow searches are off: positions of games are searched at all depths without cuts, and the
//! logarithms of the differences' deviations are fitted as `probcut.rs` wants them.

use upstar_games::{Grid, Random};
use upstar_jobs::{Budget, Pool};

use super::fit::{FitError, Recipe};
use super::midgame::{Effort, Midgame};
use super::probcut::{MOST_EMPTIES, ProbCut, ending_terms, midgame_terms};
use super::selfplay::{Play, Player, Sample};
use super::space::Space;
use super::weights::{Fitted, Weights};

/// So many games give positions, or as many as are learned from.
const GAMES: u64 = 400;
/// The deepest search.
const DEEPEST: u32 = 7;
/// A deviation counts if it comes from at least so many positions.
const FEWEST: usize = 20;
/// Positions are put together by so many empty cells.
const BAND: u32 = 4;

/// Scores of one position after 0, 1, 2, … plies, and at the end of the game.
struct Scores {
    empties: u32,
    by_depth: Vec<i32>,
    end: Option<i32>,
}

/// The same weights with margins fitted to them.
pub(super) fn calibrate(
    grid: Grid,
    weights: &Weights,
    recipe: &Recipe,
    threads: usize,
    budget: &Budget,
) -> Result<Weights, FitError> {
    let games = GAMES.min(recipe.games.into());
    let pool = Pool {
        threads,
        jobs: games,
        budget,
    };
    let space = Space::new(&grid, false);
    let play = Play {
        depth: 2,
        solved_from: 8,
    };
    let fitted = Fitted::new(weights, &grid).expect("they were made for this grid");
    let scores = pool.collect(
        || {
            let midgame = Midgame::of(&grid, fitted.clone(), 1 << 22).expect("four megabytes");
            (Player::new(grid, Some(weights)), midgame)
        },
        |(player, midgame), game, budget| {
            if budget.is_over() {
                return Ok(None);
            }
            let mut random = Random::for_game(recipe.seed, 1 << 50 | game);
            let samples = player.samples(play, &mut random);
            // Every few plies one: neighbours in a game tell the same.
            let offset = random.below(BAND) as usize;
            midgame.forget();
            let samples = samples.iter().skip(offset).step_by(BAND as usize);
            let scores = samples.map(|sample| scores(&space, midgame, sample));
            Ok::<_, FitError>(Some(scores.collect::<Vec<_>>()))
        },
    )?;
    if (scores.len() as u64) < games {
        return Err(FitError::Stopped);
    }
    let scores: Vec<Scores> = scores.into_iter().flatten().collect();
    let mut calibrated = weights.clone();
    calibrated.probcut = margins(&scores);
    Ok(calibrated)
}

fn scores(space: &Space, midgame: &mut Midgame, sample: &Sample) -> Scores {
    let discs = sample.discs;
    let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
    let mut guess = sample.score.into();
    let mut score = |depth: u32| {
        let effort = Effort {
            depth,
            level: Effort::SURE,
            threads: 1,
        };
        let score = midgame.score(discs, effort, guess, &Budget::unlimited());
        guess = score.expect("no limit");
        guess
    };
    let deepest = DEEPEST.min(empties.saturating_sub(1));
    Scores {
        empties,
        by_depth: (0..=deepest).map(&mut score).collect(),
        end: (empties <= MOST_EMPTIES).then(|| score(empties)),
    }
}

/// Regressions on the logarithms of deviations.
fn margins(scores: &[Scores]) -> ProbCut {
    let usual = ProbCut::default();
    let (mut midgame, mut ending) = (Regression::new(), Regression::new());
    let most = scores
        .iter()
        .map(|scores| scores.empties)
        .max()
        .unwrap_or(0);
    for band in 0..=most / BAND {
        let here: Vec<&Scores> = scores
            .iter()
            .filter(|scores| scores.empties / BAND == band)
            .collect();
        let deviation = |pair: &dyn Fn(&Scores) -> Option<(i32, i32)>| {
            let pairs = here.iter().filter_map(|scores| pair(scores));
            let squares: Vec<f64> = pairs.map(|(a, b)| f64::from(a - b).powi(2)).collect();
            let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
            // Rounding to whole discs alone makes a difference.
            (squares.len() >= FEWEST).then(|| (mean + 0.1).sqrt().ln())
        };
        let middle = band * BAND + BAND / 2;
        for shallow in 0..DEEPEST {
            for deep in (shallow + 1..=DEEPEST).filter(|deep| (deep - shallow) % 2 == 0) {
                let pair = |scores: &Scores| {
                    let at = |depth: u32| scores.by_depth.get(depth as usize).copied();
                    Some((at(shallow)?, at(deep)?))
                };
                if let Some(log) = deviation(&pair) {
                    midgame.add(midgame_terms(middle, shallow, deep), log);
                }
            }
            let pair =
                |scores: &Scores| Some((*scores.by_depth.get(shallow as usize)?, scores.end?));
            if let Some(log) = deviation(&pair) {
                ending.add(ending_terms(middle, shallow), log);
            }
        }
    }
    ProbCut {
        midgame: midgame.solve(usual.midgame),
        ending: ending.solve(usual.ending),
    }
}

/// Least squares in N unknowns.
struct Regression<const N: usize> {
    matrix: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> Regression<N> {
    fn new() -> Self {
        Self {
            matrix: [[0.0; N]; N],
            right: [0.0; N],
        }
    }

    fn add(&mut self, terms: [f64; N], value: f64) {
        for row in 0..N {
            for (col, term) in terms.iter().enumerate() {
                self.matrix[row][col] += terms[row] * term;
            }
            self.right[row] += terms[row] * value;
        }
    }

    /// The factors, drawn a little towards those that are usual.
    fn solve(mut self, usual: [f32; N]) -> [f32; N] {
        const PULL: f64 = 0.01;
        for (index, usual) in usual.into_iter().enumerate() {
            self.matrix[index][index] += PULL;
            self.right[index] += PULL * f64::from(usual);
        }
        // Gauss and Jordan; the matrix is positive definite, so no pivot is zero.
        for pivot in 0..N {
            let scale = 1.0 / self.matrix[pivot][pivot];
            self.matrix[pivot].iter_mut().for_each(|it| *it *= scale);
            self.right[pivot] *= scale;
            let (line, right) = (self.matrix[pivot], self.right[pivot]);
            for row in (0..N).filter(|&row| row != pivot) {
                let factor = self.matrix[row][pivot];
                for (entry, pivot) in self.matrix[row].iter_mut().zip(line) {
                    *entry -= factor * pivot;
                }
                self.right[row] -= factor * right;
            }
        }
        self.right.map(|factor| factor as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_again() {
        let mut regression = Regression::new();
        for x in 0..10 {
            for y in 0..10 {
                let (x, y) = (f64::from(x), f64::from(y));
                regression.add([1.0, x, y], 3.0 - 2.0 * x + 0.5 * y);
            }
        }
        let found = regression.solve([3.0, -2.0, 0.5]);
        for (found, right) in found.into_iter().zip([3.0, -2.0, 0.5]) {
            assert!((found - right).abs() < 1e-4f32, "{found}");
        }
    }
}
