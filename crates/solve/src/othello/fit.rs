//! Makes the evaluation and its margins from nothing but the rules and a seed: rounds of games against itself
//! (`selfplay.rs`), each with the weights of the round before, weights for all stages (`regression.rs`), and
//! last how far shallow searches are off (`calibration.rs`).
//!
//! Games and stages are independent pieces of work, so the result is the same for any number of threads.
//! With a folder every piece of games is kept, and a fit that was interrupted goes on with the next piece.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use upstar_games::{Grid, Random};
use upstar_jobs::thread::ThreadError;
use upstar_jobs::{Budget, Pool};
use upstar_runs::{CONFIG, FolderError, Kind, Manifest, RunFolder};

use super::calibration::calibrate;
use super::discs::Discs;
use super::patterns::{DISC, Layout, shapes, stage, stages};
use super::probcut::ProbCut;
use super::regression::{StageFit, fit_stage};
use super::selfplay::{Play, Player, Sample};
use super::space::Space;
use super::weights::Weights;
use crate::checksum::checksum;

/// How weights are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// How often games are played and weights fitted to them. The first round plays at random.
    pub rounds: u32,
    /// How many games the last round has on 8×8, on smaller boards fewer; each round before it has a
    /// sixteenth of them.
    pub games: u32,
    /// How many plies ahead the engine looks: two more in each round, up to this.
    pub depth: u32,
    /// From so many empty cells on positions are solved.
    pub solved_from: u32,
    /// The seed of all that is random.
    pub seed: u64,
}

impl Default for Recipe {
    /// What made the weights that the program brings along.
    fn default() -> Self {
        Self {
            rounds: 3,
            games: 320_000,
            depth: 4,
            solved_from: 12,
            seed: Random::DEFAULT_SEED,
        }
    }
}

/// The boards whose weights the program brings along.
pub const BOARDS: [&str; 6] = ["8x8", "6x6", "5x6", "5x7", "5x8", "6x7"];

/// What a fit is to make, as its run folder keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitConfig {
    /// The boards, one after the other.
    pub boards: Vec<Grid>,
    /// How weights are made.
    pub recipe: Recipe,
}

/// The same as text.
#[derive(Serialize, Deserialize)]
struct ConfigFile {
    fit: FitSection,
}

#[derive(Serialize, Deserialize)]
struct FitSection {
    boards: Vec<String>,
    #[serde(flatten)]
    recipe: Recipe,
}

impl FitConfig {
    /// The file in the run's folder that has the weights in the end.
    pub const RESULT: &str = "othello.weights";

    /// Begins a run in a new folder.
    ///
    /// # Errors
    /// If something is in it, or it cannot be written.
    pub fn begin(&self, path: &Path) -> Result<RunFolder, FitError> {
        let fit = FitSection {
            boards: self.boards.iter().map(Grid::to_string).collect(),
            recipe: self.recipe,
        };
        let text = toml::to_string(&ConfigFile { fit }).expect("plain data");
        let manifest = Manifest::new(Kind::Fit).with_seed(self.recipe.seed);
        Ok(RunFolder::create(path, manifest, &text)?)
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// # Errors
    /// If there is none, or it was changed.
    pub fn open(path: &Path) -> Result<(Self, RunFolder), FitError> {
        let folder = RunFolder::open(path)?;
        let text = folder.read_text(CONFIG)?;
        folder.check_config(&text)?;
        let config = || {
            let ConfigFile { fit } = toml::from_str(&text).ok()?;
            let boards = fit.boards.iter().map(|board| board.parse().ok());
            Some(Self {
                boards: boards.collect::<Option<_>>()?,
                recipe: fit.recipe,
            })
        };
        let config = config().ok_or_else(|| FitError::BadConfig(path.to_owned()))?;
        Ok((config, folder))
    }
}

/// How the fit goes, told after each round.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedRound {
    /// The round, counted from 1.
    pub round: u32,
    /// How many positions were learned from.
    pub positions: usize,
    /// The mean square error in discs of positions that were not learned from, and how many there were,
    /// for each stage of two plies from the end of the game to its beginning.
    pub errors: Vec<(f64, usize)>,
}

/// A piece of work has so many games.
const PIECE: u64 = 500;
/// Of so many pieces one is held out to test the weights.
const HELD_OUT: u64 = 20;
/// A sample in a file: both sides' discs and the score.
const SAMPLE: usize = 17;

/// Whether this board has patterns to fit weights to.
#[must_use]
pub fn has_patterns(grid: Grid) -> bool {
    grid.len() <= 64 && !shapes(&grid).is_empty()
}

/// Fits weights for a board. The same recipe makes the same weights, however many threads work and however
/// often it was interrupted.
///
/// # Errors
/// If the board's shape has no patterns, the budget is spent first, or the folder cannot be used.
pub fn fit(
    grid: Grid,
    recipe: &Recipe,
    threads: usize,
    folder: Option<&RunFolder>,
    budget: &Budget,
    watch: &mut dyn FnMut(FittedRound),
) -> Result<Weights, FitError> {
    if !has_patterns(grid) {
        return Err(FitError::NoPatterns(grid));
    }
    let mut made: Option<Weights> = None;
    for round in 1..=recipe.rounds.max(1) {
        let games = Games {
            grid,
            round,
            recipe,
            threads,
            weights: made.as_ref(),
        };
        let (samples, held_out) = games.all(folder, budget)?;
        let (stages, errors) = learn(grid, recipe, threads, &samples, &held_out, budget)?;
        watch(FittedRound {
            round,
            positions: samples.len(),
            errors,
        });
        made = Some(Weights::new(grid, &stages, ProbCut::default()));
    }
    let weights = made.expect("there is a round");
    calibrate(grid, &weights, recipe, threads, budget)
}

/// Why no weights were fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The board is too small, or too large.
    #[error("{0} has no patterns to fit weights to")]
    NoPatterns(Grid),
    /// The budget was spent.
    #[error("the fit was stopped")]
    Stopped,
    /// The run's configuration is not one.
    #[error("{} does not hold the run of a fit", .0.display())]
    BadConfig(PathBuf),
    /// The run's folder refuses something.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No thread could be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The games of one round.
struct Games<'a> {
    grid: Grid,
    round: u32,
    recipe: &'a Recipe,
    threads: usize,
    weights: Option<&'a Weights>,
}

impl Games<'_> {
    /// The samples to learn from, and those to test with.
    fn all(
        &self,
        folder: Option<&RunFolder>,
        budget: &Budget,
    ) -> Result<(Vec<Sample>, Vec<Sample>), FitError> {
        let Self { recipe, round, .. } = *self;
        let earlier = if round < recipe.rounds { 4 } else { 0 };
        let play = Play {
            depth: recipe.depth.min(2 * (round - 1)),
            solved_from: recipe.solved_from.min(self.grid.len() as u32 / 3),
        };
        // The fewer cells, the fewer positions there are.
        let size = self.grid.len() as u64;
        let games = u64::from(recipe.games) * size.pow(3) / 64u64.pow(3);
        let pieces = (games >> earlier).div_ceil(PIECE).max(1);
        let pool = Pool {
            threads: self.threads,
            jobs: pieces,
            budget,
        };
        let file = |piece: u64| format!("games-{}-{round}-{piece}.bin", self.grid);
        let kept = |piece: u64| {
            let path = folder?.path(&file(piece));
            read_samples(&std::fs::read(path).ok()?)
        };
        let (mut samples, mut held_out) = (Vec::new(), Vec::new());
        let done = pool.work(
            || None,
            |player: &mut Option<Player>, piece, budget| {
                if let Some(samples) = kept(piece) {
                    return Ok(Some((samples, true)));
                }
                let player = player.get_or_insert_with(|| Player::new(self.grid, self.weights));
                let mut samples = Vec::new();
                for game in 0..PIECE {
                    if budget.is_over() {
                        return Ok(None);
                    }
                    let index = u64::from(round) << 40 | (piece * PIECE + game);
                    let mut random = Random::for_game(recipe.seed, index);
                    samples.extend(player.samples(play, &mut random));
                }
                Ok::<_, FitError>(Some((samples, false)))
            },
            |piece, (samples, was_kept)| match folder {
                Some(folder) if !was_kept => Ok(folder.write(&file(piece), bytes_of(samples))?),
                _ => Ok(()),
            },
            |piece, (more, _)| {
                match piece % HELD_OUT {
                    // A single piece has to serve for both.
                    0 if pieces == 1 => {
                        held_out.extend_from_slice(&more);
                        samples.extend(more);
                    }
                    0 => held_out.extend(more),
                    _ => samples.extend(more),
                }
                std::ops::ControlFlow::Continue(())
            },
        )?;
        match done {
            true => Ok((samples, held_out)),
            false => Err(FitError::Stopped),
        }
    }
}

/// The mean square error in discs of each stage, and how many positions it comes from.
type Errors = Vec<(f64, usize)>;

/// Fits the weights of all stages, in sixteenths of a disc; with them the errors on what was held out.
fn learn(
    grid: Grid,
    recipe: &Recipe,
    threads: usize,
    samples: &[Sample],
    held_out: &[Sample],
    budget: &Budget,
) -> Result<(Vec<Vec<i16>>, Errors), FitError> {
    let (space, layout) = (Space::new(&grid, false), Layout::new(&shapes(&grid)));
    let empties = |sample: &Sample| {
        let Discs { own, opponent } = sample.discs;
        (space.board & !(own | opponent)).count_ones()
    };
    let count = stages(grid.len());
    let pool = Pool {
        threads,
        jobs: count as u64,
        budget,
    };
    let fits = pool.collect(
        || (),
        |(), number, _| {
            let number = number as usize;
            // A stage learns from the plies next to it as well.
            let is_near = |sample: &&Sample| {
                let empties = empties(sample) as usize;
                empties + 1 >= 2 * number && empties <= 2 * number + 2
            };
            let near: Vec<Sample> = samples.iter().filter(is_near).copied().collect();
            let is_here = |sample: &&Sample| stage(empties(sample)) == number;
            let here: Vec<Sample> = held_out.iter().filter(is_here).copied().collect();
            let seed = recipe.seed ^ number as u64;
            Ok::<_, FitError>(Some(fit_stage(&space, &layout, &near, &here, seed)))
        },
    )?;
    if fits.len() < count {
        return Err(FitError::Stopped);
    }
    let fits = filled(fits);
    let whole = |weight: &f32| (weight * DISC as f32).round().clamp(-32_000.0, 32_000.0) as i16;
    let weights = fits
        .iter()
        .map(|fit| fit.weights.iter().map(whole).collect());
    let error = |(sum, count): (f64, usize)| (sum / count.max(1) as f64, count);
    let errors = fits.iter().map(|fit| error(fit.held_out));
    Ok((weights.collect(), errors.collect()))
}

/// Gives stages that no game came to the weights of the next one: of the first plies only random ones are played.
fn filled(mut fits: Vec<StageFit>) -> Vec<StageFit> {
    let is_empty = |fit: &StageFit| fit.weights.iter().all(|&weight| weight == 0.0);
    for stage in 1..fits.len() {
        if is_empty(&fits[stage]) {
            fits[stage].weights = fits[stage - 1].weights.clone();
        }
    }
    fits
}

/// Samples as a file: a checksum, then each sample.
fn bytes_of(samples: &[Sample]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + samples.len() * SAMPLE);
    bytes.extend([0; 8]);
    for sample in samples {
        bytes.extend(sample.discs.own.to_le_bytes());
        bytes.extend(sample.discs.opponent.to_le_bytes());
        bytes.push(sample.score as u8);
    }
    let sum = checksum(&bytes[8..]).to_le_bytes();
    bytes[..8].copy_from_slice(&sum);
    bytes
}

/// The samples of such a file; `None` if it is damaged.
fn read_samples(bytes: &[u8]) -> Option<Vec<Sample>> {
    let (sum, rest) = bytes.split_first_chunk()?;
    if u64::from_le_bytes(*sum) != checksum(rest) {
        return None;
    }
    let sample = |bytes: &[u8]| {
        let word = |at: usize| bytes[at..at + 8].try_into().map(u64::from_le_bytes);
        Some(Sample {
            discs: Discs {
                own: word(0).ok()?,
                opponent: word(8).ok()?,
            },
            score: bytes[16] as i8,
        })
    };
    rest.chunks_exact(SAMPLE).map(sample).collect()
}
