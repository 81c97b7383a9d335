//! Networks that learn positions of a solved board, and how well they sort moves (cammel2015,
//! chapter 4).

use upstar_games::Random;

use super::{Lot, Problem};
use crate::row::Row;
use crate::sample::{Found, Measured};
use crate::solved_board::{Judged, Lesson, SolvedBoard};

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let board = SolvedBoard::new(lot.row())?;
    let mut seeds = Random::new(lot.seed);
    let mut train = |row: &Row, extra: &[bool]| -> Result<Judged, Problem> {
        let mut random = Random::new(seeds.bits());
        let lesson = lesson(lot, row)?;
        let network = board.train(&lesson, extra, &mut random, lot.budget)?;
        Ok(board.judge(&network))
    };
    let values = match lot.row().get("mode") {
        Some("overlap") => {
            let row = |hidden: u32| {
                let mut row = lot.row().clone();
                row.0
                    .insert("hidden_neurons".to_owned(), hidden.to_string());
                row
            };
            let judged = (1..=10).map(|hidden| train(&row(hidden), &[]));
            let judged: Vec<Judged> = judged.collect::<Result<_, _>>()?;
            let overlap = |row: &&Row| -> Result<Measured, Problem> {
                let of = |column| -> Result<&Judged, Problem> {
                    Ok(&judged[row.read::<usize>(column)? - 1])
                };
                let (base, other) = (of("row_hidden_neurons")?, of("column_hidden_neurons")?);
                Ok(Measured::Number(base.overlap(&board, other)))
            };
            lot.rows.iter().map(overlap).collect::<Result<_, _>>()?
        }
        Some("by-empty-cells") => {
            let judged = train(lot.row(), &[])?;
            let share = |row: &&Row| -> Result<Measured, Problem> {
                let empty = row.read("empty_cells")?;
                Ok(Measured::Number(judged.share_of_misses(&board, empty)))
            };
            lot.rows.iter().map(share).collect::<Result<_, _>>()?
        }
        Some("by-pattern") => {
            let judged = train(lot.row(), &[])?;
            let shares = |row: &&Row| -> Result<Vec<Measured>, Problem> {
                let shares = judged.pattern_shares(&board, row.text("pattern")?)?;
                Ok(shares.map(Measured::Number).to_vec())
            };
            let shares = lot.rows.iter().map(shares);
            shares.collect::<Result<Vec<_>, _>>()?.concat()
        }
        mode => {
            let first = lot.rows.iter().map(|row| train(row, &[]));
            let mut judged: Vec<Judged> = first.collect::<Result<_, _>>()?;
            if mode == Some("common-misses") {
                let missed = (0..board.parents.len())
                    .map(|parent| judged.iter().all(|judged| judged.missed[parent]));
                let missed: Vec<bool> = missed.collect();
                let again = lot.rows.iter().map(|row| train(row, &missed));
                judged = again.collect::<Result<_, _>>()?;
            }
            let measures = &lot.table.measures;
            judged
                .iter()
                .zip(&lot.rows)
                .flat_map(|(judged, row)| {
                    measures.iter().map(|measure| {
                        let quantity = row.get("quantity").unwrap_or(&measure.column);
                        Measured::Number(judged.value(&board, quantity))
                    })
                })
                .collect()
        }
    };
    Ok(Found::values(values))
}

/// What the row says of a training.
fn lesson(lot: &Lot<'_>, row: &Row) -> Result<Lesson, Problem> {
    Ok(Lesson {
        hidden: row.read("hidden_neurons")?,
        initial: row.read("initial")?,
        rate: row.read("learning_rate")?,
        presentations: lot.scaled(row.read("used_examples")?),
    })
}
