//! A document as a whole: what it says, section by section, as `experiments/papers/PAPER/paper.toml` tells it.
//!
//! Numbers in these texts are those of the results: `{ours TABLE: WORDS}` is our mean over the cells of a table that
//! have all these words, `{paper TABLE: WORDS}` the mean of what is printed there, and `{cells TABLE: WORDS}` how many
//! cells that are. Where a table was not run, [`NOT_RUN`] stands in place of the number.

use serde::Deserialize;
use upstar_jobs::quantity::grouped;

use crate::folder::TableResults;
use crate::interval::mean;
use crate::library;

/// What stands in place of a number that is not among the results.
pub const NOT_RUN: &str = "(not run)";

/// A document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Author, title and year.
    pub source: String,
    /// What it is about and what it claims.
    pub about: String,
    /// What it says, one thing after the other.
    pub sections: Vec<Section>,
}

/// Something that a document says, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The claim, in a few words.
    pub heading: String,
    /// What the document says and what was found, with numbers to be filled in.
    pub text: String,
    /// The tables that the claim is about.
    pub tables: Vec<String>,
    /// The table whose pictures show it.
    pub figure: Option<String>,
}

impl Paper {
    /// The document of this name; `None` if nothing is told of it.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let text = library::file(&format!("papers/{name}/paper.toml"))?;
        Some(toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}")))
    }
}

/// A text with its numbers filled in.
///
/// # Errors
/// If a text names a number in a wrong way; the error has the name.
pub fn filled(text: &str, results: &[TableResults]) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| format!("'{text}' lacks a closing brace"))?;
        filled += before;
        filled += &number(name, results).ok_or_else(|| format!("there is no number '{name}'"))?;
        rest = after;
    }
    Ok(filled + rest)
}

fn number(name: &str, results: &[TableResults]) -> Option<String> {
    let (what, cells) = name.split_once(' ')?;
    let (table, words) = cells.split_once(':')?;
    let Some(results) = results.iter().find(|it| it.table.name() == table) else {
        return Some(NOT_RUN.to_owned());
    };
    let ids = results.table.cells();
    let ids = ids.filter(|&id| results.table.has_words(id, words));
    let names: Vec<String> = ids.map(|id| results.table.cell_name(id)).collect();
    let cells = results.cells.iter();
    let cells: Vec<_> = cells.filter(|cell| names.contains(&cell.cell)).collect();
    let mean_of = |values: Vec<f64>| match values.is_empty() {
        true => NOT_RUN.to_owned(),
        false => rounded(mean(&values)),
    };
    match what {
        "cells" => Some(cells.len().to_string()),
        "ours" => Some(mean_of(
            cells.iter().filter_map(|cell| cell.ours.as_f64()).collect(),
        )),
        "paper" => Some(mean_of(
            cells
                .iter()
                .filter_map(|cell| cell.paper.as_f64())
                .collect(),
        )),
        _ => None,
    }
}

/// Three digits, or all of a whole number, in groups.
fn rounded(number: f64) -> String {
    if number >= 1000.0 {
        return grouped(number.round() as u64);
    }
    let digits = (2 - number.abs().max(1e-9).log10().floor() as i32).clamp(0, 6);
    format!("{number:.*}", digits as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let texts = [97.449, 0.1234, 5.0, 123_456.0].map(rounded);
        assert_eq!(texts, ["97.4", "0.123", "5.00", "123,456"]);
        assert_eq!(filled("nothing", &[]), Ok("nothing".to_owned()));
        let missing = filled("{ours a/b: c} games", &[]).unwrap();
        assert_eq!(missing, format!("{NOT_RUN} games"));
        assert!(filled("{ours a/b}", &[]).is_err());
        assert!(filled("{ours", &[]).is_err());
    }

    #[test]
    fn every_document_is_told_of() {
        for name in crate::papers() {
            let paper = Paper::find(&name).expect(&name);
            for section in &paper.sections {
                for table in section.tables.iter().chain(&section.figure) {
                    assert!(crate::Experiment::find(table).is_ok(), "{table}");
                }
            }
        }
    }
}
