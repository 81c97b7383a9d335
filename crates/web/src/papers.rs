//! The papers' tables as data: every printed number beside ours, with its verdict, heat maps and curves.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use upstar_lab::{
    Cell, CellId, ClaimResult, Experiment, Folder, Measured, Reading, Sample, Summary,
    TableResults, TableTest, Verdict,
};

use crate::runs::quoted;
use crate::runs::{BandedPoint, Chart, Scale};

/// The tables of a reproduction, or all tables as they are printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Papers {
    /// The run; empty for the tables as they are printed.
    pub id: String,
    /// Its name.
    pub name: String,
    /// In which part of its full size the tables were run.
    pub scale: f64,
    /// How many numbers agree.
    pub summary: Summary,
    /// The tables, in the order of the papers.
    pub tables: Vec<PaperTable>,
}

/// A table of a paper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperTable {
    /// The paper.
    pub paper: String,
    /// Paper and table, `leiden2018/5.4`.
    pub table: String,
    /// What it is about.
    pub title: String,
    /// What a reader should know about our way to do it.
    pub remarks: Vec<String>,
    /// Whether the paper prints numbers here.
    pub printed: bool,
    /// How many agree.
    pub summary: Summary,
    /// The command that runs it again.
    pub command: String,
    /// What the numbers say together; nothing before any was run.
    pub test: Option<TableTest>,
    /// The reading of the paper that is this table's default, if it has one.
    pub default_reading: Option<PaperReading>,
    /// What the paper says in words, and whether it holds.
    pub claims: Vec<ClaimResult>,
    /// How the numbers compare under other readings of the paper.
    pub readings: Vec<PaperReading>,
    /// The numbers.
    pub cells: Vec<PaperCell>,
    /// The same as a grid, if it is one.
    pub grid: Option<PaperGrid>,
    /// Lines over a column, and learning curves.
    pub charts: Vec<Chart>,
}

/// A table under another reading of the paper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperReading {
    /// Its name.
    pub name: String,
    /// What is done differently.
    pub about: String,
    /// What speaks against it.
    pub against: String,
    /// How many numbers agree under it; none before any was run.
    pub summary: Summary,
    /// The most seeds of a number.
    pub seeds: usize,
}

/// A printed number beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperCell {
    /// Which number of the table.
    pub name: String,
    /// `agrees`, `differs`, `reading` (agrees under another reading), `doubtful`, `open`, `unprinted`, or `waiting` if it was not run yet.
    pub verdict: String,
    /// Why, if there is something to say.
    pub why: Option<String>,
    /// What the paper prints.
    pub paper: Value,
    /// What we found: the mean over seeds.
    pub ours: Value,
    /// Where the printed number should be, with 99 %.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// The lowest over seeds.
    pub lowest: Option<f64>,
    /// The highest over seeds.
    pub highest: Option<f64>,
    /// The median over seeds.
    pub median: Option<f64>,
    /// How many seeds.
    pub seeds: usize,
    /// The games that ours is of.
    pub games: Option<u64>,
    /// How many seeds ended with a dead network.
    pub dead: Option<usize>,
    /// How many seeds ended with weights beyond all numbers.
    pub exploded: Option<usize>,
    /// The share of positions from which something was learned.
    pub live: Option<f64>,
    /// How long all seeds took together.
    pub seconds: f64,
    /// The largest number that there can be; colours of heat maps go by it.
    pub unit: Option<f64>,
    /// What each seed brought; told when it is asked for, because there are many.
    #[serde(skip)]
    pub samples: Vec<PaperSample>,
}

/// What one seed brought for a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperSample {
    /// Which of the seeds, from 0.
    pub seed: u64,
    /// Its number, in the unit of the table, or its word.
    pub value: Value,
    /// The games that it won, where games are counted.
    pub wins: Option<u64>,
    /// Of so many.
    pub games: Option<u64>,
    /// Whether the network ended without any opinion.
    pub dead: Option<bool>,
    /// The share of positions from which something was learned.
    pub live: Option<f64>,
    /// How long it took.
    pub seconds: f64,
}

/// What stands behind a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperSamples {
    /// One for each seed.
    pub samples: Vec<PaperSample>,
}

impl Papers {
    /// What stands behind a number of a table, if there is such a number.
    #[must_use]
    pub fn samples(&self, table: &str, cell: &str) -> Option<PaperSamples> {
        let table = self.tables.iter().find(|it| it.table == table)?;
        let cell = table.cells.iter().find(|it| it.name == cell)?;
        let samples = cell.samples.clone();
        Some(PaperSamples { samples })
    }
}

/// Where the numbers stand in a grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperGrid {
    /// The parameter that changes downwards.
    pub down: String,
    /// The parameter that changes to the right.
    pub right: String,
    /// The values of the rows.
    pub rows: Vec<String>,
    /// The values of the columns.
    pub columns: Vec<String>,
    /// For each field, row by row, the place of its number in [`PaperTable::cells`].
    pub fields: Vec<Option<usize>>,
}

/// The tables of the reproduction in this folder. Nothing is written.
pub(crate) fn read(id: &str, name: &str, folder: &Path) -> Result<Papers, String> {
    let (scale, results) = Folder::look(folder).map_err(|error| error.to_string())?;
    let tables = tables_of(&results, name, scale);
    let cells = results.iter().flat_map(|results| &results.cells);
    Ok(Papers {
        id: id.to_owned(),
        name: name.to_owned(),
        scale,
        summary: Summary::of(cells),
        tables,
    })
}

/// The tables of these results, which are in a folder of this name.
pub(crate) fn tables_of(results: &[TableResults], name: &str, scale: f64) -> Vec<PaperTable> {
    let most = |cells: &[Cell]| cells.iter().map(|cell| cell.seeds).max().unwrap_or(1);
    let tables = results.iter().map(|results| {
        let options = format!(
            " --seeds {}{} --out {}",
            most(&results.cells),
            if scale == 1.0 {
                String::new()
            } else {
                format!(" --scale {scale}")
            },
            quoted(name)
        );
        of_table(results, &options)
    });
    tables.collect()
}

/// All tables as they are printed, before anything was run.
#[must_use]
pub fn printed() -> Papers {
    let names = upstar_lab::tables();
    let tables = names.iter().filter_map(|name| Experiment::find(name).ok());
    let tables = tables.map(|table| {
        let results = TableResults {
            table,
            cells: Vec::new(),
            samples: Vec::new(),
            readings: Vec::new(),
        };
        of_table(&results, " --seeds 4 --out DIR")
    });
    Papers {
        id: String::new(),
        name: String::new(),
        scale: 1.0,
        summary: Summary::default(),
        tables: tables.collect(),
    }
}

fn of_table(results: &TableResults, options: &str) -> PaperTable {
    let TableResults {
        table,
        cells,
        samples,
        ..
    } = results;
    let found: BTreeMap<&str, &Cell> = cells
        .iter()
        .map(|cell| (cell.cell.as_str(), cell))
        .collect();
    let ids: Vec<CellId> = table.cells().collect();
    let shown = ids.iter().map(|&id| {
        let name = table.cell_name(id);
        let found = found.get(name.as_str()).copied();
        let samples = of_samples(table, id, samples);
        PaperCell {
            samples,
            ..of_cell(table, id, found, name)
        }
    });
    PaperTable {
        paper: table.paper.clone(),
        table: table.name(),
        title: table.title.clone(),
        remarks: table.remarks.clone(),
        printed: table.has_numbers(),
        summary: Summary::of(cells),
        command: format!("upstar reproduce {}{options}", table.name()),
        test: (!cells.is_empty() && table.has_numbers()).then(|| TableTest::of(table, cells)),
        default_reading: table
            .reading()
            .map(|reading| of_reading(reading, cells, Summary::of(cells))),
        claims: ClaimResult::of(table, samples),
        readings: readings(results),
        grid: grid(table, &ids),
        charts: charts(table, &found, samples),
        cells: shown.collect(),
    }
}

/// The other readings of a table: those that were run, then those that were not.
fn readings(results: &TableResults) -> Vec<PaperReading> {
    let ran = results.readings.iter();
    let mut readings: Vec<PaperReading> = ran
        .map(|ran| of_reading(&ran.reading, &ran.cells, ran.summary))
        .collect();
    for reading in results.table.readings() {
        let is_shown = readings.iter().any(|shown| shown.name == reading.name);
        if !is_shown && results.table.reading() != Some(reading) {
            readings.push(of_reading(reading, &[], Summary::default()));
        }
    }
    readings
}

fn of_reading(reading: &Reading, cells: &[Cell], summary: Summary) -> PaperReading {
    PaperReading {
        name: reading.name.clone(),
        about: reading.about.clone(),
        against: reading.against.clone(),
        summary,
        seeds: cells.iter().map(|cell| cell.seeds).max().unwrap_or(0),
    }
}

fn of_cell(table: &Experiment, id: CellId, found: Option<&Cell>, name: String) -> PaperCell {
    let measure = table.measure(id);
    let printed = table.row(id).get(&measure.column);
    let printed = printed.map_or(Value::Null, |text| match text.parse::<f64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(text),
    });
    let (verdict, why) = match found.map(|cell| &cell.verdict) {
        None => ("waiting", None),
        Some(Verdict::Agrees) => ("agrees", None),
        Some(Verdict::Differs) => ("differs", None),
        Some(Verdict::AgreesUnder(reading)) => ("reading", Some(reading.clone())),
        Some(Verdict::Doubtful(why)) => ("doubtful", Some(why.clone())),
        Some(Verdict::Open(why)) => ("open", Some(why.clone())),
        Some(Verdict::Unprinted) => ("unprinted", None),
    };
    PaperCell {
        name,
        verdict: verdict.to_owned(),
        why,
        paper: found.map_or(printed, |cell| cell.paper.clone()),
        ours: found.map_or(Value::Null, |cell| cell.ours.clone()),
        low: found.and_then(|cell| cell.low),
        high: found.and_then(|cell| cell.high),
        lowest: found.and_then(|cell| cell.lowest),
        highest: found.and_then(|cell| cell.highest),
        median: found.and_then(|cell| cell.median),
        seeds: found.map_or(0, |cell| cell.seeds),
        games: found.and_then(|cell| cell.games),
        dead: found.and_then(|cell| cell.dead),
        exploded: found.and_then(|cell| cell.exploded),
        live: found.and_then(|cell| cell.live_gradient_share),
        seconds: found.map_or(0.0, |cell| cell.seconds),
        unit: measure.unit(table.games_of(id)),
        samples: Vec::new(),
    }
}

fn of_samples(table: &Experiment, id: CellId, samples: &[Sample]) -> Vec<PaperSample> {
    let unit = table.measure(id).unit(table.games_of(id)).unwrap_or(1.0);
    let of_run = samples.iter().filter(|sample| sample.run == id.run);
    let shown = of_run.filter_map(|sample| {
        let (value, counts) = match sample.values.get(id.place)? {
            &Measured::Games { wins, games } => {
                let share = wins as f64 / games.max(1) as f64;
                (Value::from(share * unit), Some((wins, games)))
            }
            Measured::Number(number) => (Value::from(number * unit), None),
            Measured::Text(text) => (Value::from(text.as_str()), None),
            Measured::Nothing(()) => (Value::Null, None),
        };
        Some(PaperSample {
            seed: sample.seed,
            value,
            wins: counts.map(|(wins, _)| wins),
            games: counts.map(|(_, games)| games),
            dead: sample.dead,
            live: sample.live_gradient_share,
            seconds: sample.seconds,
        })
    });
    shown.collect()
}

fn grid(table: &Experiment, ids: &[CellId]) -> Option<PaperGrid> {
    let [down, right] = table.grid.as_ref()?;
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let places: Vec<(usize, usize)> = ids
        .iter()
        .map(|&id| {
            let value = |column: &str| table.row(id).get(column).unwrap_or_default().to_owned();
            (
                place_in(&mut rows, value(down)),
                place_in(&mut columns, value(right)),
            )
        })
        .collect();
    let mut fields = vec![None; rows.len() * columns.len()];
    for (number, (row, column)) in places.into_iter().enumerate() {
        fields[row * columns.len() + column] = Some(number);
    }
    Some(PaperGrid {
        down: down.replace('_', " "),
        right: right.replace('_', " "),
        rows,
        columns,
        fields,
    })
}

/// The place of a name in a list; a new one goes to its end.
fn place_in(names: &mut Vec<String>, name: String) -> usize {
    let known = names.iter().position(|other| *other == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// The most curves in one picture.
const MOST_CURVES: usize = 6;

fn charts(table: &Experiment, found: &BTreeMap<&str, &Cell>, samples: &[Sample]) -> Vec<Chart> {
    let mut charts = lines(table, found);
    let mut pictures: Vec<(String, Vec<(String, &Sample)>)> = Vec::new();
    for sample in samples.iter().filter(|sample| !sample.curve.is_empty()) {
        let Some(id) = table.cells().find(|id| id.run == sample.run) else {
            continue;
        };
        let value = |column: &str| named(column, table.row(id).get(column).unwrap_or_default());
        // A grid has a picture for each row; others begin a new one when it is full.
        let (title, name) = match &table.grid {
            Some([down, right]) => (format!("Learning curves, {}", value(down)), value(right)),
            None => ("Learning curves".to_owned(), table.run_name(id)),
        };
        let has_room = |lines: &Vec<_>| table.grid.is_some() || lines.len() < MOST_CURVES;
        match pictures.last_mut() {
            Some((last, lines)) if *last == title && has_room(lines) => lines.push((name, sample)),
            _ => pictures.push((title, vec![(name, sample)])),
        }
    }
    for (title, lines) in pictures {
        let chart = Chart::new(&title, "games won, first seed", "games", Scale::Share);
        charts.push(lines.iter().fold(chart, |chart, (name, sample)| {
            let points = sample.curve.iter();
            chart.with(
                name,
                points.map(|&(games, share)| (games as f64, Some(share))),
            )
        }));
    }
    charts
}

/// What was measured over a column of the table, and perhaps how long it took.
fn lines(table: &Experiment, found: &BTreeMap<&str, &Cell>) -> Vec<Chart> {
    let ours = |cell: &Cell| {
        let ours = cell.ours.as_f64()?;
        Some([
            cell.lowest.unwrap_or(ours),
            ours,
            cell.highest.unwrap_or(ours),
        ])
    };
    let seconds = |cell: &Cell| {
        let mean = cell.seconds / cell.seeds.max(1) as f64;
        Some([mean; 3])
    };
    let mut charts = Vec::new();
    for chart in &table.charts {
        charts.push(line_chart(
            table,
            found,
            chart,
            [&chart.title, "mean over seeds"],
            &ours,
        ));
        if chart.seconds {
            charts.push(line_chart(
                table,
                found,
                chart,
                ["Time", "seconds"],
                &seconds,
            ));
        }
    }
    charts.retain(|chart| !chart.lines.is_empty());
    charts
}

/// Lines over a column: what `up` finds in each cell, with its range.
fn line_chart(
    table: &Experiment,
    found: &BTreeMap<&str, &Cell>,
    chart: &upstar_lab::Chart,
    [title, unit]: [&str; 2],
    up: &dyn Fn(&Cell) -> Option<[f64; 3]>,
) -> Chart {
    let mut lines: Vec<(String, Vec<BandedPoint>)> = Vec::new();
    for id in table.cells() {
        let (row, measure) = (table.row(id), &table.measure(id).column);
        if !chart.measures.is_empty() && !chart.measures.contains(measure) {
            continue;
        }
        let right: Option<f64> = row.get(&chart.right).and_then(|text| text.parse().ok());
        let cell = found.get(table.cell_name(id).as_str());
        let (Some(right), Some(up)) = (right, cell.and_then(|cell| up(cell))) else {
            continue;
        };
        let mut words: Vec<String> = Vec::new();
        let column = chart.lines.as_ref();
        let value = column.and_then(|column| Some((column, row.get(column)?)));
        words.extend(value.map(|(column, value)| named(column, value)));
        if table.measures.len() > 1 {
            words.push(measure.replace('_', " "));
        }
        let name = words.join(", ");
        match lines.iter_mut().find(|(other, _)| *other == name) {
            Some((_, points)) => points.push((right, Some(up))),
            None => lines.push((name, vec![(right, Some(up))])),
        }
    }
    let scale = match chart.logarithmic {
        true => Scale::Logarithmic,
        false => Scale::Linear,
    };
    let empty = Chart::new(title, unit, &chart.right.replace('_', " "), scale);
    lines.into_iter().fold(empty, |chart, (name, points)| {
        chart.with_band(&name, "over seeds", points)
    })
}

/// A value that says which parameter it is of, unless it is a word.
fn named(column: &str, value: &str) -> String {
    match value.parse::<f64>() {
        Ok(_) => format!("{} {value}", column.replace('_', " ")),
        Err(_) => value.to_owned(),
    }
}
