//! What a paper says in words, tested: of two ways to do something, one is said to be better.
//!
//! Claims are listed in a table's file. Each names two rows and a measure; the means over seeds are compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::experiment::{CellId, Experiment};
use crate::interval::{difference, mean};
use crate::sample::Sample;

/// A statement that one row of a table has larger numbers than another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is said, in a sentence.
    pub text: String,
    /// Where the paper says it.
    pub section: String,
    /// The measured column that is compared.
    measure: String,
    /// The columns that name the better row.
    better: BTreeMap<String, String>,
    /// The columns that name the other.
    worse: BTreeMap<String, String>,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// What is said, in a sentence.
    pub claim: String,
    /// Where the paper says it.
    pub section: String,
    /// The mean of what is said to be better; nothing before it was run.
    pub better: Option<f64>,
    /// The mean of the other.
    pub worse: Option<f64>,
    /// The lower end of the 99 % interval of their difference.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// How many seeds each of the two has.
    pub seeds: [usize; 2],
    /// Whether it holds.
    pub finding: Finding,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// The whole interval is above zero.
    Holds,
    /// The whole interval is below zero: it is the other way round.
    Contradicted,
    /// The interval holds zero, or too little was run.
    Open,
}

impl Finding {
    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Contradicted => "contradicted",
            Self::Open => "open",
        }
    }
}

impl ClaimResult {
    /// The claims of a table, with what these samples of it say.
    #[must_use]
    pub fn of(table: &Experiment, samples: &[Sample]) -> Vec<Self> {
        let result = |claim: &Claim| {
            let [better, worse] = [&claim.better, &claim.worse].map(|row| {
                let id = table.cells().find(|&id| is_meant(table, id, row, claim));
                id.map_or(Vec::new(), |id| numbers(table, id, samples))
            });
            let bounds = difference(&better, &worse);
            let known = |values: &[f64]| (!values.is_empty()).then(|| mean(values));
            Self {
                claim: claim.text.clone(),
                section: claim.section.clone(),
                better: known(&better),
                worse: known(&worse),
                low: bounds.map(|[low, _]| low),
                high: bounds.map(|[_, high]| high),
                seeds: [better.len(), worse.len()],
                finding: match bounds {
                    Some([low, _]) if low > 0.0 => Finding::Holds,
                    Some([_, high]) if high < 0.0 => Finding::Contradicted,
                    _ => Finding::Open,
                },
            }
        };
        table.claims.iter().map(result).collect()
    }
}

fn is_meant(table: &Experiment, id: CellId, row: &BTreeMap<String, String>, claim: &Claim) -> bool {
    table.measure(id).column == claim.measure && table.row(id).has(row)
}

/// What each seed brought for a cell, in the unit of the table.
fn numbers(table: &Experiment, id: CellId, samples: &[Sample]) -> Vec<f64> {
    let unit = table.measure(id).unit(table.games_of(id)).unwrap_or(1.0);
    let of_run = samples.iter().filter(|sample| sample.run == id.run);
    let numbers = of_run.filter_map(|sample| sample.values.get(id.place)?.number());
    numbers.map(|number| number * unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Measured;

    #[test]
    fn claims_hold_if_the_whole_interval_says_so() {
        let table = Experiment::find("jans2021/claims").unwrap();
        let claims = ClaimResult::of(&table, &[]);
        assert!(claims.len() >= 9);
        let fresh = |claim: &ClaimResult| claim.finding == Finding::Open && claim.seeds == [0, 0];
        assert!(claims.iter().all(fresh));
        let claim = &table.claims[0];
        let run = |row| {
            let mut cells = table.cells();
            let cell = cells.find(|&id| is_meant(&table, id, row, claim));
            cell.expect("both rows are in the table").run
        };
        let sample = |run: usize, seed: u64, kept: u64| Sample {
            table: table.name(),
            run,
            seed,
            values: vec![Measured::games(kept + seed, 1000); table.measures.len()],
            live_gradient_share: None,
            dead: None,
            exploded: None,
            curve: Vec::new(),
            seconds: 1.0,
            scale: None,
            version: None,
        };
        let finding = |better: u64, worse: u64| {
            let both = [(&claim.better, better), (&claim.worse, worse)];
            let samples = both.into_iter().flat_map(|(row, kept)| {
                let run = run(row);
                (0..4).map(move |seed| sample(run, seed, kept))
            });
            ClaimResult::of(&table, &samples.collect::<Vec<_>>())[0].clone()
        };
        assert_eq!(finding(950, 900).finding, Finding::Holds);
        assert_eq!(finding(900, 950).finding, Finding::Contradicted);
        assert_eq!(finding(900, 901).finding, Finding::Open);
        let better = finding(950, 900).better.expect("it was run");
        assert!((better - 95.15).abs() < 1e-9, "{better}");
    }

    /// Every claim names two rows of its table.
    #[test]
    fn claims_are_about_rows() {
        for name in crate::tables() {
            let table = Experiment::find(&name).unwrap();
            for claim in &table.claims {
                for row in [&claim.better, &claim.worse] {
                    let count = table.cells().filter(|&id| is_meant(&table, id, row, claim));
                    assert_eq!(count.count(), 1, "{name}: {}", claim.text);
                }
            }
        }
    }
}
