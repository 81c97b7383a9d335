//! Who wins Othello with best play (cammel2015, table 1).

use upstar_games::Rules;
use upstar_solve::Outcome;
use upstar_solve::othello::Solver;
use upstar_solve::{Question, Unwatched};

use super::{Lot, Problem};
use crate::sample::{Found, Measured};

/// The solver's table, in bytes.
const MEMORY: usize = 256 << 20;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let (game, start) = row.othello()?;
    if game.is_over(&start) {
        return Ok(Found::values(vec![Measured::Text("none".to_owned())]));
    }
    // Scaled like games are, so that a quick look is quick.
    let nodes = lot.scaled(row.read("nodes")?);
    let _lease = lot.leased(MEMORY)?;
    let solver = Solver::new(&game, MEMORY, 1).map_err(Problem::new)?;
    let budget = lot.budget.clone().with_nodes(nodes);
    let solved = solver.solve(&start, Question::Winner, &budget, &Unwatched);
    lot.check()?;
    let word = solved.outcome.map(|outcome| match outcome {
        Outcome::Win => "black",
        Outcome::Draw => "draw",
        Outcome::Loss => "white",
    });
    let value = word.map_or(Measured::Nothing(()), |word| {
        Measured::Text(word.to_owned())
    });
    Ok(Found::values(vec![value]))
}
