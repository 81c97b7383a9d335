//! Readings: other ways to understand what a paper says about its procedure.
//!
//! A paper's readings are listed in `experiments/papers/PAPER/readings.toml`. A reading changes some values of a
//! table's rows; all else, seeds included, is the same, so that its numbers can be laid beside those of the
//! ordinary way, which is called *plain*.
//!
//! A reading is the default of its tables if it earns it by results ([`Reading::earns_default`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Summary, Verdict};
use crate::folder::TableResults;
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
    /// Whether its tables are run under it unless somebody asks for another.
    #[serde(default)]
    pub default: bool,
    /// Whether the paper's own words are against it, so that it cannot be the default.
    #[serde(default)]
    contradicts_text: bool,
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
    /// The name of the ordinary way, where a reading is the default.
    pub const PLAIN: &str = "plain";

    /// The ordinary way of a table whose default is this reading.
    pub(crate) fn plain(&self) -> Self {
        Self {
            name: Self::PLAIN.to_owned(),
            about: format!("Without the default reading, {}.", self.name),
            against: format!("Fewer printed numbers agree than under {}.", self.name),
            default: false,
            contradicts_text: false,
            tables: self.tables.clone(),
            set: BTreeMap::new(),
        }
    }

    /// Whether these results make it the default of its tables: all were run under it, some agree better than in
    /// the ordinary way, none worse, no other reading does so with more cells that agree, and the paper's words are
    /// not against it.
    #[must_use]
    pub fn earns_default(&self, results: &[TableResults]) -> bool {
        let Some(agree) = self.agreeing_without_contradiction(results) else {
            return false;
        };
        let rivals = results.iter().flat_map(|results| results.table.readings());
        let rivals = rivals.filter(|other| {
            other.name != self.name && other.tables.iter().any(|it| self.tables.contains(it))
        });
        let rivals = rivals.filter_map(|other| other.agreeing_without_contradiction(results));
        agree >= rivals.max().unwrap_or(0)
    }

    /// How many cells agree under it, if some table has more of them than in the ordinary way and none is worse.
    fn agreeing_without_contradiction(&self, results: &[TableResults]) -> Option<usize> {
        let (mut agree, mut gained, mut tables) = (0, 0, 0);
        for results in results {
            let Some([under, plain]) = results.under_and_plain(self) else {
                continue;
            };
            if under.agree < plain.agree || under.differ > plain.differ {
                return None;
            }
            tables += 1;
            agree += under.agree;
            gained += under.agree - plain.agree;
        }
        let complete = tables == self.tables.len();
        (complete && gained > 0 && !self.contradicts_text).then_some(agree)
    }

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

impl TableResults {
    /// How many cells agree under a reading, and in the ordinary way, as far as both were run.
    fn under_and_plain(&self, reading: &Reading) -> Option<[Summary; 2]> {
        let here = |name: Option<&str>| match self.table.reading() {
            reading if reading.map(|it| it.name.as_str()) == name => Some(&self.cells),
            _ => {
                let name = name.unwrap_or(Reading::PLAIN);
                let mut others = self.readings.iter();
                let other = others.find(|other| other.reading.name == name);
                other.map(|other| &other.cells)
            }
        };
        let same_paper = self.table.readings().contains(reading);
        let cells = [here(Some(&reading.name))?, here(None)?];
        let explained = |cell: &Cell| !matches!(cell.verdict, Verdict::AgreesUnder(_));
        same_paper.then(|| {
            cells.map(|cells| {
                let mut summary = Summary::of(cells.iter().filter(|cell| explained(cell)));
                // What another reading explains differs without it.
                summary.differ += cells.iter().filter(|cell| !explained(cell)).count();
                summary
            })
        })
    }
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
