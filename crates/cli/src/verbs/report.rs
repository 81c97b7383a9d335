//! `report`: runs as one page that needs nothing else: curves of trainings, over each other where several are named,
//! tables of tournaments, solves, and results beside the papers' numbers.

mod markdown;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use serde::de::IgnoredAny;
use upstar_games::printable;
use upstar_lab::{Cell, ClaimResult, Folder, ReadingResults, Summary, TableResults, TableTest};
use upstar_runs::{Kind, Lines, LogError, check_links, export};
use upstar_train::Config;
use upstar_web::article::Article;
use upstar_web::report::Report;
use upstar_web::runs::{RunKind, RunRefusal, State};

use super::{train, tune};
use crate::failure::{Done, Failure, shown};
use crate::output::{Output, check_ending, write_file};

/// Which runs, and where the page goes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders of runs or of results, as given to --out, or files of records; several runs are drawn over each other,
    /// and those of train --seeds as their mean with a band
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The page [default: report.html in DIR, or here if there are several]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write the results of one reproduction as an article: what the papers say, what came of it, what was ruled out
    #[arg(long, value_name = "FILE")]
    paper: Option<PathBuf>,
    /// Also write the comparison with the papers as tables in Markdown; in a file that has the comments
    /// '<!-- tables -->' and '<!-- readings -->' with their ends only what is between them is replaced
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Also write the logs of the runs as one table, nested keys as columns like loss.sum
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also write the logs as events of TensorBoard, a folder for each run
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
}

/// What was written.
#[derive(Serialize)]
struct Written {
    report: String,
    runs: Vec<Shown>,
    /// How the numbers of all reproductions compare.
    #[serde(flatten)]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Table>,
}

/// A run in a line.
#[derive(Serialize)]
struct Shown {
    name: String,
    about: String,
    kind: RunKind,
    state: State,
    progress: String,
}

/// A table of a paper in a line.
#[derive(Serialize)]
struct Table {
    table: String,
    /// The reading of the paper that is its default, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<String>,
    #[serde(flatten)]
    summary: Summary,
    /// The fewest and the most seeds of a cell.
    seeds: [usize; 2],
    /// What the cells say together.
    test: TableTest,
    /// What the paper says in words, and whether it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<ClaimResult>,
    /// How the numbers compare under other readings of the paper.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<UnderReading>,
}

/// A table under a reading.
#[derive(Serialize)]
struct UnderReading {
    reading: String,
    #[serde(flatten)]
    summary: Summary,
    seeds: [usize; 2],
}

impl Table {
    fn of(results: &TableResults) -> Self {
        let cells = &results.cells;
        let readings = results.readings.iter();
        Self {
            table: results.table.name(),
            reading: results.table.reading().map(|reading| reading.name.clone()),
            summary: Summary::of(cells),
            seeds: seeds_of(cells),
            test: TableTest::of(&results.table, cells),
            claims: ClaimResult::of(&results.table, &results.samples),
            readings: readings.map(UnderReading::of).collect(),
        }
    }
}

impl UnderReading {
    fn of(results: &ReadingResults) -> Self {
        Self {
            reading: results.reading.name.clone(),
            summary: results.summary,
            seeds: seeds_of(&results.cells),
        }
    }
}

/// The fewest and the most seeds of a cell.
fn seeds_of(cells: &[Cell]) -> [usize; 2] {
    let seeds = || cells.iter().map(|cell| cell.seeds);
    [seeds().min(), seeds().max()].map(Option::unwrap_or_default)
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let mut results = Vec::new();
    let folders: Vec<PathBuf> = arguments
        .folders
        .iter()
        .flat_map(|it| runs_of(it))
        .collect();
    for folder in &folders {
        results.extend(prepare(folder)?);
    }
    let report = Report::of(&folders).map_err(|(place, refusal)| {
        let folder = shown(&folders[place]);
        let sentence = match refusal {
            RunRefusal::Unknown => format!("{folder} holds neither a run nor records of games"),
            refusal => refusal.to_string(),
        };
        Failure::input(sentence, RIGHT)
    })?;
    let page = match (&arguments.out, arguments.folders.as_slice()) {
        (Some(file), _) => file.clone(),
        (None, [folder]) if folder.is_dir() => folder.join("report.html"),
        (None, _) => PathBuf::from("report.html"),
    };
    write_file(&page, report.html())?;
    write_logs(arguments, &folders)?;
    if let Some(file) = &arguments.paper {
        write_article(file, &arguments.folders, &results)?;
    }
    let tables: Vec<Table> = results.iter().map(Table::of).collect();
    if let Some(file) = &arguments.markdown {
        markdown::write(file, &tables)?;
    }
    let cells = results.iter().flat_map(|table| &table.cells);
    let written = Written {
        report: page.display().to_string(),
        runs: report.runs().map(Shown::of).collect(),
        summary: (!results.is_empty()).then(|| Summary::of(cells)),
        tables,
    };
    output.print(&written, text)?;
    Ok(ExitCode::SUCCESS)
}

impl Shown {
    fn of(detail: &upstar_web::runs::RunDetail) -> Self {
        let run = &detail.run;
        Self {
            name: run.name.clone(),
            about: detail.about.clone(),
            kind: run.kind,
            state: run.state,
            progress: run.progress.clone(),
        }
    }
}

const RIGHT: &str = "upstar report DIR, the folder of a run or of results of reproduce";

/// The runs of `train --seeds` in this folder by their seeds, or the folder itself if it holds none.
fn runs_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let seed = name.to_str()?.strip_prefix("seed-")?.parse().ok()?;
            Some((seed, entry.path()))
        })
        .filter(|(_, path)| matches!(Kind::of(path), Some(Kind::Train | Kind::Alphazero)))
        .collect();
    if runs.is_empty() || Kind::of(folder).is_some() {
        return vec![folder.to_owned()];
    }
    runs.sort();
    runs.into_iter().map(|(_, path)| path).collect()
}

/// Refuses what is damaged or has nothing to show yet, and writes what else a folder has from its kind; returns the
/// tables of a reproduction.
fn prepare(folder: &Path) -> Result<Vec<TableResults>, Failure> {
    if folder.is_file() {
        return Ok(Vec::new());
    }
    if !folder.is_dir() {
        let sentence = format!("there is no folder {}", shown(folder));
        return Err(Failure::input(sentence, RIGHT));
    }
    let right = "a folder without such links";
    check_links(folder).map_err(|error| Failure::input(error, right))?;
    match Kind::of(folder) {
        Some(Kind::Train) => check_log(&folder.join("results.jsonl"))?,
        Some(Kind::Alphazero) => check_log(&folder.join("learner.jsonl"))?,
        Some(Kind::Tune) => tune::write_report(folder)?,
        Some(Kind::Solve | Kind::Tournament | Kind::Fit) => {}
        Some(Kind::Reproduce) | None => return compared(folder),
    }
    Ok(Vec::new())
}

/// The results in a folder beside the papers', which are written there too.
fn compared(folder: &Path) -> Result<Vec<TableResults>, Failure> {
    let config = folder.join("config.toml");
    if config.is_file() {
        // One that is no TOML belongs to no kind of run, and it is said why.
        let (text, name) = train::read(&config)?;
        if toml::from_str::<toml::Table>(&text).is_err() {
            Config::parse(&text, &name).map_err(|error| train::refused(&error.into()))?;
        }
    }
    let tables = Folder::report(folder).map_err(|error| Failure::input(error, RIGHT))?;
    match tables.is_empty() {
        true => {
            let sentence = format!("{} has no results of a table yet", shown(folder));
            Err(Failure::input(sentence, RIGHT))
        }
        false => Ok(tables),
    }
}

/// Writes the article of a reproduction.
fn write_article(
    file: &Path,
    folders: &[PathBuf],
    results: &[TableResults],
) -> Result<(), Failure> {
    let right = "upstar report results --paper article.html, with one folder of reproduce";
    check_ending("--paper", file, "html")?;
    let [folder] = folders else {
        let sentence = format!("--paper needs one folder, not {}", folders.len());
        return Err(Failure::input(sentence, right));
    };
    if results.is_empty() {
        let sentence = format!("{} holds no results of reproduce", shown(folder));
        return Err(Failure::input(sentence, right));
    }
    let article = Article::of(folder, results).map_err(|error| Failure::input(error, right))?;
    write_file(file, article.html())
}

/// Writes the logs of all runs for other programs, as far as that was asked for.
fn write_logs(arguments: &Arguments, folders: &[PathBuf]) -> Result<(), Failure> {
    if arguments.csv.is_none() && arguments.tensorboard.is_none() {
        return Ok(());
    }
    let mut runs = Vec::new();
    for folder in folders {
        let Some(kind) = Kind::of(folder) else {
            continue;
        };
        let rows = export::flat_rows(folder, kind);
        let rows = rows.map_err(|error| Failure::input(error, RIGHT))?;
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let name = name.to_string_lossy().into_owned();
        if let Some(events) = &arguments.tensorboard {
            let bytes = export::tensorboard(kind, &rows, export::begun(folder));
            let place = events.join(&name);
            fs::create_dir_all(&place).map_err(|error| Failure::file(&place, &error))?;
            write_file(&place.join(export::EVENTS), &bytes)?;
        }
        runs.push((name, rows));
    }
    match &arguments.csv {
        Some(file) => write_file(file, export::csv(&runs)),
        None => Ok(()),
    }
}

/// Whether a run's log is whole, and not empty.
fn check_log(file: &Path) -> Result<(), Failure> {
    let count = || match file.exists() {
        true => Lines::<IgnoredAny>::of(file)?.try_fold(0, |count, line| line.map(|_| count + 1)),
        false => Ok(0),
    };
    let right = "the file as it was, or without that line";
    let count: u64 = count().map_err(|error: LogError| Failure::input(error, right))?;
    // A page that is there may be of what was in it before.
    match count {
        0 => Err(Failure::input(
            format!(
                "{} has no line yet, so there is nothing to show",
                shown(file)
            ),
            RIGHT,
        )),
        _ => Ok(()),
    }
}

/// Writes the page of one folder, for the verbs that make it at their end.
pub(super) fn write_page(folder: &Path) -> Result<PathBuf, Failure> {
    let report = Report::of(&[folder.to_owned()]);
    let report = report.map_err(|(_, refusal)| Failure::input(refusal, RIGHT))?;
    let page = folder.join("report.html");
    upstar_runs::write(&page, report.html()).map_err(|error| Failure::file(&page, &error))?;
    Ok(page)
}

fn text(written: &Written) -> String {
    let mut text = String::new();
    for run in &written.runs {
        let (state, progress) = (run.state.name(), &run.progress);
        let _ = writeln!(text, "{}: {}, {state}, {progress}", run.name, run.about);
    }
    if let Some(summary) = &written.summary {
        text += &tables(&written.tables);
        let _ = writeln!(text, "{summary}");
    }
    format!("{text}report: {}", printable(&written.report))
}

fn tables(tables: &[Table]) -> String {
    let mut text = line([
        "table", "cells", "agree", "differ", "under", "doubtful", "open", "seeds", "chance",
        "ranks",
    ]);
    for table in tables {
        let test = &table.test;
        let chance = match test.compared {
            0 => "–".to_owned(),
            _ => format!("{:.1e}", test.chance),
        };
        let ranks = test
            .ranks
            .map_or("–".to_owned(), |ranks| format!("{ranks:.2}"));
        text += &counts(&table.table, &table.summary, table.seeds, [&chance, &ranks]);
        if let Some(reading) = &table.reading {
            let _ = writeln!(text, "  by default under {reading}");
        }
        for under in &table.readings {
            let name = format!("  {}", under.reading);
            text += &counts(&name, &under.summary, under.seeds, ["", ""]);
        }
    }
    for claim in tables.iter().flat_map(|table| &table.claims) {
        text += &claim_line(claim);
    }
    text + "chance: that of so many cells outside of 99 % intervals; ranks: correlation with the printed order; under: agree under the best reading\n"
}

fn claim_line(claim: &ClaimResult) -> String {
    let number = |number: Option<f64>| number.map_or("–".to_owned(), |it| format!("{it:.1}"));
    let between = match (claim.low, claim.high) {
        (Some(low), Some(high)) => format!(", difference {low:.1} to {high:.1}"),
        _ => String::new(),
    };
    let (finding, [a, b]) = (claim.finding.name(), claim.seeds);
    let (better, worse) = (number(claim.better), number(claim.worse));
    let text = &claim.claim;
    format!("{finding:<13} {text} {better} against {worse}{between} ({a} and {b} seeds)\n")
}

fn counts(
    name: &str,
    summary: &Summary,
    [fewest, most]: [usize; 2],
    [chance, ranks]: [&str; 2],
) -> String {
    let counts = [
        summary.cells,
        summary.agree,
        summary.differ,
        summary.under,
        summary.doubtful,
        summary.open,
    ];
    let [cells, agree, differ, under, doubtful, open] = counts.map(|count| count.to_string());
    let seeds = match fewest == most {
        true => most.to_string(),
        false => format!("{fewest}–{most}"),
    };
    line([
        name, &cells, &agree, &differ, &under, &doubtful, &open, &seeds, chance, ranks,
    ])
}

fn line([table, rest @ ..]: [&str; 10]) -> String {
    let rest = rest.map(|column| format!("{column:>9}")).concat();
    let line = format!("{table:<28}{rest}");
    format!("{}\n", line.trim_end())
}
