//! A table of a paper as data: the file `experiments/PAPER/TABLE.toml`, and the rows beside it.
//!
//! A *run* is one training or one match; it gives one or more *cells*, the printed numbers. Rows that
//! differ only in the columns of `series`, like the tenths of a long run, belong to the same run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;
use upstar_runs::fnv1a;

use crate::claim::Claim;
use crate::library;
use crate::procedure::Procedure;
use crate::reading::Reading;
use crate::row::Row;

/// One table of a paper.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The paper, `leiden2018`.
    pub paper: String,
    /// The table, `5.4`.
    pub table: String,
    /// What it is about, in a line.
    pub title: String,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// Columns for the two directions of a heat map, downwards and to the right.
    pub grid: Option<[String; 2]>,
    /// Pictures of lines.
    pub charts: Vec<Chart>,
    /// What a reader should know about our way to do it.
    pub remarks: Vec<String>,
    /// What was ruled out as the reason, where the table still differs systematically.
    pub ruled_out: Option<String>,
    /// What the paper says in words, to be tested by comparing rows.
    pub claims: Vec<Claim>,
    rows: Vec<Row>,
    /// Which rows belong together.
    runs: Vec<Vec<usize>>,
    /// How the numbers of each run are found.
    procedures: Vec<Procedure>,
    /// The columns that tell rows apart.
    varied: Vec<String>,
    /// The columns that tell parts of a run apart.
    series: Vec<String>,
    doubts: Vec<Doubt>,
    readings: Vec<Reading>,
    /// The reading under which it is run, if it is not the ordinary way.
    reading: Option<Reading>,
}

/// A column that was measured.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Its name.
    pub column: String,
    /// What is in it.
    pub kind: Kind,
    /// The column, or the number, of games that a share is of.
    pub of: Option<String>,
    /// The largest number that there can be, if there is one.
    most: Option<f64>,
    /// The smallest number that there can be.
    #[serde(default)]
    pub(crate) least: f64,
}

/// A picture: what was measured over a column, a line for each value of another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chart {
    /// Its title.
    #[serde(default = "ours")]
    pub title: String,
    /// The measures that it shows; all if none is named.
    #[serde(default)]
    pub measures: Vec<String>,
    /// The column whose numbers go to the right.
    pub right: String,
    /// The column that tells lines apart, if there are several.
    pub lines: Option<String>,
    /// Whether powers of ten are as far apart as one from the next.
    #[serde(default)]
    pub logarithmic: bool,
    /// Whether there is a second picture, of seconds.
    #[serde(default)]
    pub seconds: bool,
}

fn ours() -> String {
    "Ours".to_owned()
}

/// What a measured column contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Games won, of so many.
    Count,
    /// Their share.
    Ratio,
    /// Their share in percent.
    Percent,
    /// A number that is not a share of games.
    Number,
    /// A word.
    Text,
}

/// A printed number that there is reason to doubt.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Doubt {
    /// Columns with these values; all rows if left out.
    #[serde(default)]
    at: BTreeMap<String, String>,
    /// The measured column; all if left out.
    measure: Option<String>,
    why: String,
}

/// Values for the rows in which columns have certain values; all rows if none are named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    #[serde(default)]
    at: BTreeMap<String, String>,
    set: BTreeMap<String, String>,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    procedure: Procedure,
    data: Option<String>,
    measures: Vec<Measure>,
    #[serde(default)]
    series: Vec<String>,
    /// Columns that neither tell runs apart nor are compared.
    #[serde(default)]
    aside: Vec<String>,
    grid: Option<[String; 2]>,
    #[serde(default)]
    charts: Vec<Chart>,
    #[serde(default)]
    remarks: Vec<String>,
    ruled_out: Option<String>,
    #[serde(default)]
    claims: Vec<Claim>,
    /// Values for every row, in place of those of the paper's columns.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    /// Values for some of the rows.
    #[serde(default)]
    values: Vec<Values>,
    #[serde(default)]
    rows: Vec<BTreeMap<String, String>>,
    #[serde(default)]
    doubtful: Vec<Doubt>,
}

/// One printed number: a measure of a row of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellId {
    /// The run.
    pub run: usize,
    /// Its place among the numbers of the run.
    pub place: usize,
    /// The row of the table.
    pub row: usize,
    /// The measure.
    pub measure: usize,
}

/// The column that names another procedure than the table's.
const PROCEDURE: &str = "procedure";
/// Columns that are about the transcription, not about the experiment.
const ASIDE: [&str; 2] = ["inferred", "note"];

impl Experiment {
    pub(crate) fn read(paper: &str, table: &str, text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut rows: Vec<Row> = written.rows.into_iter().map(Row).collect();
        let mut columns: Vec<String> = Vec::new();
        if let Some(data) = &written.data {
            let name = format!("papers/{paper}/{data}");
            let text = library::file(&name).ok_or_else(|| format!("there is no {name}"))?;
            let mut lines = csv::Reader::from_reader(text.as_bytes());
            let wrong = |error: csv::Error| format!("{name}: {error}");
            let names = lines.headers().map_err(wrong)?;
            columns = names.iter().map(str::to_owned).collect();
            for line in lines.records() {
                let line = line.map_err(wrong)?;
                let fields = line.iter().map(str::to_owned);
                rows.push(Row(columns.iter().cloned().zip(fields).collect()));
            }
        } else {
            let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.0.keys()).collect();
            columns.extend(names.into_iter().cloned());
        }
        let measured = |column: &String| {
            written
                .measures
                .iter()
                .any(|measure| measure.column == *column)
        };
        let told_apart: Vec<&String> = columns
            .iter()
            .filter(|column| {
                let aside = ASIDE.contains(&column.as_str()) || written.aside.contains(column);
                !measured(column) && !aside
            })
            .collect();
        let varied = told_apart.iter().filter(|column| {
            let values: BTreeSet<Option<&str>> = rows.iter().map(|row| row.get(column)).collect();
            values.len() > 1
        });
        let varied: Vec<String> = varied.map(|column| (*column).clone()).collect();
        let mut runs: Vec<(Vec<Option<String>>, Vec<usize>)> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let of_run = told_apart
                .iter()
                .filter(|column| !written.series.contains(column));
            let key: Vec<Option<String>> = of_run
                .map(|column| row.get(column).map(str::to_owned))
                .collect();
            match runs.iter_mut().find(|(other, _)| *other == key) {
                Some((_, rows)) if !written.series.is_empty() => rows.push(place),
                _ => runs.push((key, vec![place])),
            }
        }
        for row in &mut rows {
            row.0.extend(written.parameters.clone());
            if let Ok(board) = row.board() {
                row.0.insert("board".to_owned(), board);
            }
            for Values { at, set } in &written.values {
                if row.has(at) {
                    row.0.extend(set.clone());
                }
            }
        }
        let runs: Vec<Vec<usize>> = runs.into_iter().map(|(_, rows)| rows).collect();
        let procedures = runs.iter().map(|run| match rows[run[0]].get(PROCEDURE) {
            Some(word) => {
                let word = IntoDeserializer::<WordError>::into_deserializer(word);
                Procedure::deserialize(word).map_err(|error| error.to_string())
            }
            None => Ok(written.procedure),
        });
        Ok(Self {
            paper: paper.to_owned(),
            table: table.to_owned(),
            title: written.title,
            procedures: procedures.collect::<Result<_, _>>()?,
            measures: written.measures,
            grid: written.grid,
            charts: written.charts,
            remarks: written.remarks,
            ruled_out: written.ruled_out,
            claims: written.claims,
            runs,
            rows,
            varied,
            series: written.series,
            doubts: written.doubtful,
            readings: Reading::of(paper, table)?,
            reading: None,
        })
    }

    /// Its name, `leiden2018/5.4`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.paper, self.table)
    }

    /// The same table as it is run if nobody asks for a reading: under the default one if it has one.
    #[must_use]
    pub fn by_default(self) -> Self {
        let default = self.readings.iter().find(|reading| reading.default);
        match default.and_then(|reading| self.under(&reading.name)) {
            Some(table) => table,
            None => self,
        }
    }

    /// The ways to read the paper that this table knows, beside the ordinary one.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The reading under which it is run, if it is not the ordinary way.
    #[must_use]
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// The same table under a reading of this name; `None` if it has none.
    #[must_use]
    pub fn under(&self, reading: &str) -> Option<Self> {
        let reading = self.readings.iter().find(|other| other.name == reading)?;
        let mut table = self.clone();
        for row in &mut table.rows {
            row.0.extend(reading.set.clone());
        }
        table.reading = Some(reading.clone());
        Some(table)
    }

    /// How the numbers of a run are found.
    #[must_use]
    pub fn procedure(&self, run: usize) -> Procedure {
        self.procedures[run]
    }

    /// Whether there are trainings in it, of which one run says little.
    #[must_use]
    pub fn scatters(&self) -> bool {
        self.procedures.iter().any(|procedure| procedure.scatters())
    }

    /// Where its results are, below the folder of all.
    pub(crate) fn folder(&self) -> String {
        match &self.reading {
            Some(reading) => format!("{}/{}", self.name(), reading.name),
            None => self.name(),
        }
    }

    /// The rows of each run.
    #[must_use]
    pub fn runs(&self) -> impl ExactSizeIterator<Item = Vec<&Row>> {
        self.runs
            .iter()
            .map(|rows| rows.iter().map(|&row| &self.rows[row]).collect())
    }

    /// The rows of one run.
    pub(crate) fn run(&self, run: usize) -> Vec<&Row> {
        self.runs[run].iter().map(|&row| &self.rows[row]).collect()
    }

    /// All printed numbers, in the order of runs. Those that the paper does not print are left out.
    pub fn cells(&self) -> impl Iterator<Item = CellId> {
        let (measures, has_numbers) = (self.measures.len(), self.has_numbers());
        let cells = self.runs.iter().enumerate().flat_map(move |(run, rows)| {
            rows.iter().enumerate().flat_map(move |(part, &row)| {
                (0..measures).map(move |measure| CellId {
                    run,
                    place: part * measures + measure,
                    row,
                    measure,
                })
            })
        });
        cells.filter(move |cell| {
            !has_numbers || self.row(*cell).get(&self.measure(*cell).column).is_some()
        })
    }

    /// Which version of the experiment a run is of: a fingerprint (FNV-1a) of the procedure and of all
    /// that its rows say, but for what was measured and notes. Two runs of the same version with the
    /// same seed bring the same.
    #[must_use]
    pub fn version(&self, run: usize) -> String {
        let mut text = format!("{:?}", self.procedure(run));
        for row in self.run(run) {
            for (column, value) in &row.0 {
                let measured = self
                    .measures
                    .iter()
                    .any(|measure| measure.column == *column);
                if !measured && !ASIDE.contains(&column.as_str()) {
                    text += &format!("\n{column}={value}");
                }
            }
            text.push('\n');
        }
        format!("{:016x}", fnv1a(text.bytes().map(u64::from)))
    }

    /// Whether the paper prints any numbers here, and not only a picture or a sentence.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        self.rows.iter().any(|row| {
            let printed = |measure: &Measure| row.get(&measure.column).is_some();
            self.measures.iter().any(printed)
        })
    }

    /// The row of a cell.
    #[must_use]
    pub fn row(&self, cell: CellId) -> &Row {
        &self.rows[cell.row]
    }

    /// The measure of a cell.
    #[must_use]
    pub fn measure(&self, cell: CellId) -> &Measure {
        &self.measures[cell.measure]
    }

    /// What the cell is called: the columns that vary in this table, and the measure if there are
    /// several.
    #[must_use]
    pub fn cell_name(&self, cell: CellId) -> String {
        let row = self.row(cell);
        let is_board = |column: &str| column.starts_with("board_");
        let mut words = Vec::new();
        if self.varied.iter().any(|column| is_board(column)) {
            words.extend(row.board().ok());
        }
        for column in self.varied.iter().filter(|column| !is_board(column)) {
            if let Some(value) = row.get(column) {
                words.push(format!("{column}={value}"));
            }
        }
        if self.measures.len() > 1 || words.is_empty() {
            words.push(self.measure(cell).column.clone());
        }
        words.join(" ")
    }

    /// Whether a cell's name has all of these words; the whole name of a cell has.
    #[must_use]
    pub fn has_words(&self, cell: CellId, words: &str) -> bool {
        let name = self.cell_name(cell);
        let has = |word: &str| name.split_whitespace().any(|other| other == word);
        words.split_whitespace().all(has)
    }

    /// What the run of a cell is called: the columns that vary, those of the series left out.
    #[must_use]
    pub fn run_name(&self, cell: CellId) -> String {
        let row = self.row(cell);
        let named = self
            .varied
            .iter()
            .filter(|column| !self.series.contains(column));
        let words: Vec<&str> = named.filter_map(|column| row.get(column)).collect();
        words.join(" ")
    }

    /// Why the printed number is doubtful, if it is.
    #[must_use]
    pub fn doubt(&self, cell: CellId) -> Option<&str> {
        let row = self.row(cell);
        let column = &self.measure(cell).column;
        let about = |doubt: &&Doubt| {
            row.has(&doubt.at) && doubt.measure.as_ref().is_none_or(|name| name == column)
        };
        self.doubts
            .iter()
            .find(about)
            .map(|doubt| doubt.why.as_str())
    }

    /// How many games a printed share is of.
    #[must_use]
    pub fn games_of(&self, cell: CellId) -> Option<u64> {
        let of = self.measure(cell).of.as_deref()?;
        let number = of.parse().ok();
        number.or_else(|| self.row(cell).get(of)?.parse().ok())
    }
}

impl Measure {
    /// The largest number that there can be. None is below 0.
    pub(crate) fn most(&self, games: Option<u64>) -> f64 {
        self.most.or(self.unit(games)).unwrap_or(f64::INFINITY)
    }

    /// What a share is multiplied by to be in the table's unit; `None` if it is not a share.
    #[must_use]
    pub fn unit(&self, games: Option<u64>) -> Option<f64> {
        match self.kind {
            Kind::Count => games.map(|games| games as f64),
            Kind::Ratio => Some(1.0),
            Kind::Percent => Some(100.0),
            Kind::Number | Kind::Text => None,
        }
    }
}
