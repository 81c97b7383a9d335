//! What gives a trial its score: it is trained as far as its rung says, and tested.

use std::path::Path;

use upstar_agents::Resources;
use upstar_jobs::{Budget, Unwatched};

use super::TRIALS;
use crate::alphazero::{AlphaZeroRun, End, Examination};
use crate::folder::{CONFIG, RunError};
use crate::learner::Block;
use crate::run::{Opponents, Run};
use crate::student::Learnable;

/// The objective of a search that trains: goes on with the trial's run, or begins it, until it has
/// learned so many games, and then plays `evaluation` games with learning off. Returns nothing new if
/// somebody says stop before that.
///
/// # Errors
/// If the run has one.
pub fn trained<G: Learnable>(
    folder: &Path,
    config: &str,
    (games, evaluation): (u64, u64),
    (game, start): (&G, &G::Position),
    opponents: Opponents<'_, G>,
    resources: &Resources,
    budget: &Budget,
) -> Result<Option<f64>, RunError> {
    let run = if folder.join(CONFIG).exists() {
        Run::resume(folder, game.clone(), *start, opponents)?
    } else {
        clear(folder)?;
        let file = folder.display().to_string();
        Run::create(folder, config, &file, game.clone(), *start, opponents)?
    };
    // Trials are shared among threads already.
    let run = run.with_threads(1).with_resources(resources);
    let mut run = run.with_budget(budget.clone());
    check(folder, "games", run.games(), games)?;
    // A trial ends with the first block in which its network is dead, also if that was known before
    // somebody killed the search.
    if run.results()?.last().is_some_and(Block::is_useless) {
        return Ok(None);
    }
    while run.games() < games {
        if budget.is_stopped() {
            return Ok(None);
        }
        let block = run.step()?;
        if block.is_none_or(|block| block.is_useless()) {
            return Ok(None);
        }
    }
    let Some(block) = run.evaluate(evaluation)? else {
        return Ok(None);
    };
    if run.is_learned() {
        // Leaves the network where it is found.
        while run.step()?.is_some() {}
    }
    Ok(score(&block))
}

/// The objective of a search over keys of AlphaZero: goes on with the trial's run, or begins it, until it
/// has made so many steps, and then examines its network. A run that has diverged has no score. Returns
/// nothing new if somebody says stop before that.
///
/// # Errors
/// If the run has one.
pub fn trained_alphazero(
    folder: &Path,
    config: &str,
    steps: u64,
    examination: &Examination,
    resources: &Resources,
    budget: &Budget,
) -> Result<Option<f64>, RunError> {
    let mut run = if folder.join(CONFIG).exists() {
        AlphaZeroRun::resume(folder, resources.clone())?
    } else {
        clear(folder)?;
        let file = folder.display().to_string();
        AlphaZeroRun::create(folder, config, &file, resources.clone())?
    };
    check(folder, "steps", run.steps(), steps)?;
    match run.go_until(steps, budget, &Unwatched, &mut |_| {}) {
        Ok(End::Finished) => run.examine(examination, budget),
        Ok(End::Stopped) => Ok(None),
        Err(_) if run.has_diverged() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes what a killed process left before its configuration was whole.
fn clear(folder: &Path) -> Result<(), RunError> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| RunError::io(folder, &error))?;
    }
    Ok(())
}

/// Whether a trial has learned no more than it should have by now.
fn check(folder: &Path, unit: &str, learned: u64, wanted: u64) -> Result<(), RunError> {
    if learned > wanted {
        return Err(RunError::of(format!(
            "{}: {learned} {unit} are learned, but {TRIALS} says at most {wanted}: a line was lost",
            folder.display(),
        )));
    }
    Ok(())
}

/// The share of points in an evaluation, or the error with a minus; nothing for a dead network.
fn score(block: &Block) -> Option<f64> {
    let points = block.wins as f64 + block.draws as f64 / 2.0;
    match block.error {
        _ if block.is_useless() => None,
        Some(error) if block.played == 0 => Some(-error),
        _ => Some(points / block.played.max(1) as f64),
    }
}
