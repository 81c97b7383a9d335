//! Writing a proof of what was found.

use std::ops::ControlFlow;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use upstar_games::{Cells, Position};
use upstar_solve::clobber::Solver;
use upstar_solve::{Budget, Outcome};

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
    if file.exists() && !file.is_file() {
        let sentence = format!("{} is no file that a proof could replace", shown(file));
        return Err(Failure::input(sentence, "--proof 4x5.proof"));
    }
    let winner = if outcome == Outcome::Win {
        start.to_move
    } else {
        !start.to_move
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is right"));
    let written = solver.prove(start, winner, file, budget, &mut |written| {
        let (nodes, waiting, lemmas) = (written.nodes, written.waiting, written.lemmas);
        bar.set_message(format!(
            "proof: {} positions written, {} waiting, {} lemmas",
            grouped(nodes),
            grouped(waiting),
            grouped(lemmas),
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
