//! Writing a proof of what was found.

use std::path::Path;

use upstar_games::AnyGame;
use upstar_jobs::Budget;
use upstar_solve::{Query, SolveError, Solver};

use crate::failure::{Failure, shown};
use crate::progress::SearchProgress;

/// Writes the proof of what is asked, and checks what was written.
pub(super) fn write(
    solver: &Solver,
    game: &AnyGame,
    query: &Query,
    file: &Path,
    budget: &Budget,
) -> Result<(), Failure> {
    if file.exists() && !file.is_file() {
        let sentence = format!("{} is not a file that a proof could replace", shown(file));
        return Err(Failure::input(sentence, "--proof 4x5.proof"));
    }
    let progress = SearchProgress::default();
    let written = progress.during(|| solver.prove(game, query, file, budget, &progress));
    written.map(|_| ()).map_err(|error| match error {
        SolveError::NoProofs => Failure::input(
            "--proof is for Othello (not Reversi) on boards of at most 64 cells",
            "upstar solve othello 4x5 --proof FILE",
        ),
        error => Failure::input(
            format!("no proof was written to {}: {error}", shown(file)),
            "--proof FILE in a folder that can be written, without a short --time-limit",
        ),
    })
}
