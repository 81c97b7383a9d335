//! Writing a proof of what was found.

use std::ops::ControlFlow;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use upstar_games::{Cells, Position};
use upstar_jobs::Budget;
use upstar_proof::othello::WriteOptions;
use upstar_proof::{WriteError, WriteWatcher, Written};
use upstar_solve::clobber::Solver;
use upstar_solve::{Outcome, othello};

use crate::failure::{Failure, shown};
use crate::output::grouped;

/// Writes the proof of this outcome for the side to move.
pub(super) fn write<B: Cells>(
    solver: &mut Solver<B>,
    start: &Position<B>,
    outcome: Outcome,
    file: &Path,
    budget: &Budget,
) -> Result<(), Failure> {
    let winner = if outcome == Outcome::Win {
        start.to_move
    } else {
        !start.to_move
    };
    watched(file, budget, |watcher| {
        solver.prove(start, winner, file, budget, watcher)
    })
}

/// Writes the proof of what was found about a position of Othello: its score, if that is known, or who
/// wins, or that nobody does.
pub(super) fn write_discs(
    solver: &othello::Solver,
    start: &Position<u64>,
    found: &othello::Solved,
    file: &Path,
    budget: &Budget,
) -> Result<(), Failure> {
    let bounds = match (found.score, found.bounds) {
        (Some(score), _) => (Some(score), Some(score)),
        (None, (1.., _)) => (Some(1), None),
        (None, (_, ..0)) => (None, Some(-1)),
        (None, (0, 0)) => (Some(0), Some(0)),
        // Nothing that was asked is proved.
        _ => return Ok(()),
    };
    let options = WriteOptions::default();
    watched(file, budget, |watcher| {
        solver.prove(start, bounds, file, &options, budget, watcher)
    })
}

/// Shows how far the writing is, and ends it with the budget.
fn watched(
    file: &Path,
    budget: &Budget,
    write: impl FnOnce(WriteWatcher<'_>) -> Result<Written, WriteError>,
) -> Result<(), Failure> {
    if file.exists() && !file.is_file() {
        let sentence = format!("{} is no file that a proof could replace", shown(file));
        return Err(Failure::input(sentence, "--proof 4x5.proof"));
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is right"));
    let written = write(&mut |written| {
        let (nodes, waiting, lemmas) = (written.nodes, written.waiting, written.lemmas);
        let lemmas = match lemmas {
            0 => String::new(),
            lemmas => format!(", {} lemmas", grouped(lemmas)),
        };
        bar.set_message(format!(
            "proof: {} positions written, {} waiting{lemmas}",
            grouped(nodes),
            grouped(waiting),
        ));
        bar.tick();
        if budget.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    written.map(|_| ()).map_err(|error| {
        let sentence = format!("no proof was written to {}: {error}", shown(file));
        Failure::input(
            sentence,
            "--proof FILE in a folder that can be written, without a short --time-limit",
        )
    })
}
