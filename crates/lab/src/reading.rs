//! Readings: other ways to understand what a paper says about its procedure.
//!
//! A paper's readings are listed in `experiments/papers/PAPER/readings.toml`. A reading changes some values of a
//! table's rows; all else, seeds included, is the same, so that its numbers can be laid beside those of the
//! ordinary way.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Summary, Verdict};
use crate::library;

/// Another way to understand a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Its name, `errors-after`.
    pub name: String,
    /// What is done differently, in a sentence.
    pub about: String,
    /// What speaks against it.
    pub against: String,
    /// The tables of the paper to which it applies.
    #[serde(skip_serializing)]
    tables: Vec<String>,
    /// The values that it sets: columns of rows, or keys of the configuration of a training.
    pub set: BTreeMap<String, String>,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    readings: Vec<Reading>,
}

impl Reading {
    /// The readings of a table.
    pub(crate) fn of(paper: &str, table: &str) -> Result<Vec<Self>, String> {
        let name = format!("papers/{paper}/readings.toml");
        let Some(text) = library::file(&name) else {
            return Ok(Vec::new());
        };
        let written: Written = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        let mut readings = written.readings;
        readings.retain(|reading| reading.tables.iter().any(|other| other == table));
        Ok(readings)
    }
}

/// What came of a table under a reading.
#[derive(Clone, Debug)]
pub struct ReadingResults {
    /// The reading.
    pub reading: Reading,
    /// The table's numbers under it, beside the printed ones.
    pub cells: Vec<Cell>,
    /// How many of them agree.
    pub summary: Summary,
}

/// Of the readings under which more cells agree than otherwise, the one with the most: its name goes into the
/// verdicts of the cells that differ otherwise and agree under it.
///
/// Only one reading of a table counts: with many, some cell would agree under one of them by chance.
pub(crate) fn explain(cells: &mut [Cell], readings: &[ReadingResults]) {
    let before = Summary::of(&*cells).agree;
    let best = readings
        .iter()
        .rev()
        .max_by_key(|results| results.summary.agree);
    let Some(best) = best.filter(|best| best.summary.agree > before) else {
        return;
    };
    for cell in cells
        .iter_mut()
        .filter(|cell| cell.verdict == Verdict::Differs)
    {
        let other = best.cells.iter().find(|other| other.cell == cell.cell);
        if other.is_some_and(|other| other.verdict == Verdict::Agrees) {
            cell.verdict = Verdict::AgreesUnder(best.reading.name.clone());
        }
    }
}
