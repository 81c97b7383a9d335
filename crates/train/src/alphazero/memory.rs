//! Whether a run fits into the memory that is free.

use std::fs;

use upstar_nets::deep::Learner;

use super::config::AlphaZeroConfig;
use crate::folder::RunError;

/// About the bytes of a position in the replay buffer, but for its moves, and of each move.
const SAMPLE: u64 = 112;
const SAMPLE_MOVE: u64 = 6;
/// About the bytes of a move in a search tree.
const TREE_MOVE: u64 = 24;

/// Refuses a run that takes more memory than there is.
pub(super) fn check(config: &AlphaZeroConfig) -> Result<(), RunError> {
    let needed = needed(config);
    match free() {
        Some(free) if needed > free => Err(RunError::of(format!(
            "this run takes about {} of memory, and {} are free; smaller values of replay_buffer_size, \
             train_batch_size, games_at_once or nn_width take less",
            gigabytes(needed),
            gigabytes(free)
        ))),
        _ => Ok(()),
    }
}

/// About how many bytes a run takes: replay buffer, learning, and the trees of all games at a time.
fn needed(config: &AlphaZeroConfig) -> u64 {
    let (settings, design) = (config.settings(), config.design());
    let (grids, _) = config.turns();
    let actions = grids.iter().map(|grid| design.actions(grid)).max();
    // Of all actions at most a half are legal.
    let moves = actions.expect("there is a board") as u64 / 2;
    let replay = settings.replay_buffer_size as u64 * (SAMPLE + SAMPLE_MOVE * moves);
    let learning = grids
        .iter()
        .map(|grid| Learner::bytes(&design, grid, settings.train_batch_size))
        .sum::<u64>();
    let games = (settings.actors * settings.games_at_once) as u64;
    let trees = games * u64::from(settings.max_simulations) * moves * TREE_MOVE;
    replay.saturating_add(learning).saturating_add(trees)
}

/// The memory that is free, where the system tells.
fn free() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}
