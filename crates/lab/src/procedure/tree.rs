//! Sizes of game trees (cammel2015, chapter 3): what `quantity` says of the tree of a board.

use upstar_solve::tree::{TreeError, count, optimal};

use super::{Lot, Problem};
use crate::sample::{Found, Measured};

/// The most memory, in bytes.
const MEMORY: usize = 1 << 30;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let (game, start) = row.othello()?;
    let refused = |error: TreeError| match error {
        TreeError::Spent => Problem::Stopped,
        error => Problem::new(error),
    };
    let lease = lot.leased(MEMORY)?;
    let tree = || count(&game, &start, &lease, lot.budget).map_err(refused);
    let best = || optimal(&game, &start, &lease, lot.budget).map_err(refused);
    let percent = |part: u128, whole: u128| 100.0 * part as f64 / whole as f64;
    let number = match row.text("quantity")? {
        "nodes" => tree()?.nodes as f64,
        "x_wins" => tree()?.x_wins as f64,
        "o_wins" => tree()?.o_wins as f64,
        "draws" => tree()?.draws as f64,
        "x_wins_percent" => tree().map(|tree| percent(tree.x_wins, tree.leaves))?,
        "o_wins_percent" => tree().map(|tree| percent(tree.o_wins, tree.leaves))?,
        "draws_percent" => tree().map(|tree| percent(tree.draws, tree.leaves))?,
        "optimal_nodes" => best()?.nodes as f64,
        "optimal_length" => f64::from(best()?.length),
        "optimal_percent" => percent(best()?.nodes, tree()?.nodes),
        other => return Err(Problem::new(format!("there is no quantity '{other}'"))),
    };
    Ok(Found::values(vec![Measured::Number(number)]))
}
