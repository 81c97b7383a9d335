//! The textbook solvers on a row of stones, as the report on linear Clobber compares them: positions
//! visited in place of seconds, because these are the same on every machine.

use upstar_games::{AnyGame, Variant, with_game};
use upstar_solve::classic::{Algorithm, solve};

use super::{Lot, Problem};
use crate::sample::{Found, Measured};

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let algorithm: Algorithm = row.read("algorithm")?;
    let length: usize = row.read("length")?;
    let boards: u64 = row.read_or("boards", 1)?;
    let boards = lot.scaled(boards);
    let budget = lot
        .budget
        .clone()
        .with_nodes(lot.scaled(row.read("nodes")?));
    let memory = row.read::<usize>("memory_megabytes")? << 20;
    let _lease = lot.leased(memory)?;
    let mut nodes = 0;
    for board in 0..boards {
        let position = match row.text("pattern")? {
            "alternating" => "xo".repeat(length.div_ceil(2))[..length].to_owned(),
            // The same boards for all algorithms.
            _ => format!("random:1x{length},seed={}", length as u64 * 1000 + board),
        };
        let start = position.parse().map_err(Problem::new)?;
        let opened = AnyGame::open(Variant::Clobber, &start, None).map_err(Problem::new)?;
        let verdict = with_game!(
            &opened,
            |game, start| {
                let verdict = solve(algorithm, game, start, memory, &budget);
                let verdict = verdict.map_err(Problem::new)?;
                (verdict.outcome.is_some(), verdict.nodes)
            },
            return Err(Problem::new("Clobber is a game of two players"))
        );
        lot.check()?;
        if !verdict.0 {
            return Ok(Found::values(vec![Measured::Nothing(())]));
        }
        nodes += verdict.1;
    }
    let mean = nodes as f64 / boards as f64;
    Ok(Found::values(vec![Measured::Number(mean)]))
}
