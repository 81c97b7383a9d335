//! Results of reproductions as an article to read: what the documents say, what came of it with many seeds, and what
//! was ruled out where numbers still differ. All numbers in its sentences are those of the results.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use upstar_jobs::quantity::{counted, grouped};
use upstar_lab::{Folder, Paper, Summary, TableResults, TableTest, filled};

use crate::papers::{PaperTable, tables_of};
use crate::report::page;

/// The module that draws it.
const ENTRY: &str = "papers/article.js";
/// Below this chance a table differs systematically.
const SYSTEMATIC: f64 = 0.01;

/// An article.
#[derive(Debug, Serialize)]
pub struct Article {
    version: &'static str,
    made: String,
    title: &'static str,
    /// The whole in a few sentences.
    summary: Vec<String>,
    /// How all numbers compare.
    counts: Summary,
    documents: Vec<Document>,
}

/// What became of a document.
#[derive(Debug, Serialize)]
struct Document {
    name: String,
    source: String,
    about: String,
    counts: Summary,
    sections: Vec<ArticleSection>,
    /// A sentence for each table that differs systematically.
    remains: Vec<Remains>,
}

/// A claim of a document.
#[derive(Debug, Serialize)]
struct ArticleSection {
    heading: String,
    text: String,
    /// What the numbers of its tables say together.
    finding: String,
    counts: Summary,
    /// The table whose pictures are shown.
    figure: Option<PaperTable>,
}

/// A table that differs more than chance would have it.
#[derive(Debug, Serialize)]
struct Remains {
    table: String,
    finding: String,
    ruled_out: String,
}

impl Article {
    /// Of the results in this folder.
    ///
    /// # Errors
    /// If it is not a folder of results.
    pub fn of(folder: &Path, results: &[TableResults]) -> Result<Self, String> {
        let scale = Folder::scale(folder).map_err(|error| error.to_string())?;
        let name = folder.display().to_string();
        let tables = tables_of(results, &name, scale);
        let mut documents = Vec::new();
        for paper in upstar_lab::papers() {
            let here = results.iter().any(|results| results.table.paper == paper);
            if let Some(told) = Paper::find(&paper).filter(|_| here) {
                documents.push(Document::of(paper, &told, results, &tables)?);
            }
        }
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            made: Timestamp::now().strftime("%-d %B %Y").to_string(),
            title: "Five documents on Clobber and Othello, run again",
            summary: summary(results, &documents),
            counts: Summary::of(results.iter().flat_map(|results| &results.cells)),
            documents,
        })
    }

    /// The file.
    #[must_use]
    pub fn html(&self) -> String {
        page(self.title, ENTRY, self)
    }
}

fn summary(results: &[TableResults], documents: &[Document]) -> Vec<String> {
    let counts = Summary::of(results.iter().flat_map(|results| &results.cells));
    let compared = counts.agree + counts.differ + counts.under + counts.doubtful;
    let samples: u64 = results.iter().map(|it| it.samples.len() as u64).sum();
    let seconds = results.iter().flat_map(|results| &results.samples);
    let hours = seconds.map(|sample| sample.seconds).sum::<f64>() / 3600.0;
    let printed = results
        .iter()
        .filter(|results| results.table.has_numbers())
        .count();
    let systematic: usize = documents
        .iter()
        .map(|document| document.remains.len())
        .sum();
    vec![
        format!(
            "{} of {} with {} were run again by one program: {} trainings, matches and searches, {hours:.0} hours of one core.",
            counted(printed as u64, "table"),
            counted(documents.len() as u64, "document"),
            counted((counts.cells - counts.unprinted) as u64, "printed number"),
            grouped(samples),
        ),
        format!(
            "Of {} that can be compared, {} agree ({:.0} %); {} agree under another reading of the procedure, {} differ, and {} are doubtful in print. {} stay open.",
            counted(compared as u64, "number"),
            grouped(counts.agree as u64),
            100.0 * counts.agree as f64 / compared.max(1) as f64,
            counts.under,
            counts.differ,
            counts.doubtful,
            grouped(counts.open as u64),
        ),
        format!(
            "{} differ systematically: more numbers are outside of their 99 % intervals than chance would put there with probability {SYSTEMATIC}.",
            counted(systematic as u64, "table"),
        ),
    ]
}

impl Document {
    fn of(
        name: String,
        told: &Paper,
        results: &[TableResults],
        tables: &[PaperTable],
    ) -> Result<Self, String> {
        let own = || results.iter().filter(|results| results.table.paper == name);
        let sections = told.sections.iter().map(|section| {
            let about: Vec<&TableResults> = own()
                .filter(|results| section.tables.contains(&results.table.name()))
                .collect();
            let counts = Summary::of(about.iter().flat_map(|results| &results.cells));
            let figure = section.figure.as_ref();
            let figure = figure.and_then(|name| tables.iter().find(|it| it.table == *name));
            Ok(ArticleSection {
                heading: section.heading.clone(),
                text: filled(&section.text, results)?,
                finding: finding(&about),
                counts,
                figure: figure.cloned(),
            })
        });
        let sections = sections.collect::<Result<_, String>>()?;
        let remains = own()
            .filter(|results| is_systematic(results))
            .map(|results| {
                let ruled_out = results.table.ruled_out.clone();
                Remains {
                    table: results.table.name(),
                    finding: finding(&[results]),
                    ruled_out: ruled_out.unwrap_or_else(|| "Nothing was ruled out yet.".to_owned()),
                }
            });
        Ok(Self {
            source: told.source.clone(),
            about: filled(&told.about, results)?,
            counts: Summary::of(own().flat_map(|results| &results.cells)),
            sections,
            remains: remains.collect(),
            name,
        })
    }
}

/// Whether more of a table's numbers differ than chance would have it.
#[must_use]
pub fn is_systematic(results: &TableResults) -> bool {
    let summary = Summary::of(&results.cells);
    let test = TableTest::of(&results.table, &results.cells);
    summary.differ > 0 && test.chance < SYSTEMATIC
}

/// What the numbers of some tables say together.
fn finding(tables: &[&TableResults]) -> String {
    let counts = Summary::of(tables.iter().flat_map(|results| &results.cells));
    let printed = counts.cells - counts.unprinted;
    let claims: Vec<_> = tables
        .iter()
        .flat_map(|results| upstar_lab::ClaimResult::of(&results.table, &results.samples))
        .collect();
    let mut parts = Vec::new();
    if printed > 0 {
        let compared = printed - counts.open;
        parts.push(format!(
            "{} of {} agree, {} differ",
            counts.agree,
            counted(compared as u64, "comparable number"),
            counts.differ
        ));
        for (count, what) in [
            (counts.under, "agree under another reading"),
            (counts.doubtful, "are doubtful in print"),
            (counts.open, "are open"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        let more = match tables.iter().any(|results| is_systematic(results)) {
            true => "more",
            false => "no more",
        };
        parts.push(format!("{more} differ than chance would have it"));
    } else if claims.is_empty() {
        parts.push("the document prints no numbers here".to_owned());
    }
    if !claims.is_empty() {
        let count = |name: &str| {
            let named = claims.iter().filter(|claim| claim.finding.name() == name);
            named.count()
        };
        parts.push(format!(
            "of {} {} hold, {} are contradicted and {} stay open",
            counted(claims.len() as u64, "claim"),
            count("holds"),
            count("contradicted"),
            count("open")
        ));
    }
    let mut sentence = parts.join("; ");
    sentence.push('.');
    let mut letters = sentence.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
