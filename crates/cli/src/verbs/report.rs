//! `report`: runs as one page that needs nothing else: curves of trainings, over each other where several are named,
//! tables of tournaments, solves, and results beside the papers' numbers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use serde::de::IgnoredAny;
use upstar_games::printable;
use upstar_lab::{Cell, Folder, Summary};
use upstar_runs::{Kind, Lines, LogError, check_links};
use upstar_train::Config;
use upstar_web::report::Report;
use upstar_web::runs::{RunKind, RunRefusal, State};

use super::{train, tune};
use crate::failure::{Done, Failure, shown};
use crate::output::{Output, write_file};

/// Which runs, and where the page goes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders of runs or of results, as given to --out, or files of records; several runs are drawn over each other
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The page [default: report.html in DIR, or here if there are several]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
    #[serde(flatten)]
    summary: Summary,
    /// The fewest and the most seeds of a cell.
    seeds: [usize; 2],
}

impl Table {
    /// One of cells that are all of the same table.
    fn of(cells: &[Cell]) -> Self {
        let seeds = || cells.iter().map(|cell| cell.seeds);
        Self {
            table: cells[0].table.clone(),
            summary: Summary::of(cells),
            seeds: [seeds().min(), seeds().max()].map(Option::unwrap_or_default),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let mut cells = Vec::new();
    for folder in &arguments.folders {
        cells.extend(prepare(folder)?);
    }
    let report = Report::of(&arguments.folders).map_err(|(place, refusal)| {
        let folder = shown(&arguments.folders[place]);
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
    let tables = cells.chunk_by(|cell, next| cell.table == next.table);
    let written = Written {
        report: page.display().to_string(),
        runs: report.runs().map(Shown::of).collect(),
        summary: (!cells.is_empty()).then(|| Summary::of(&cells)),
        tables: tables.map(Table::of).collect(),
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

/// Refuses what is damaged or has nothing to show yet, and writes what else a folder has from its kind; returns the
/// cells of a reproduction.
fn prepare(folder: &Path) -> Result<Vec<Cell>, Failure> {
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
fn compared(folder: &Path) -> Result<Vec<Cell>, Failure> {
    let config = folder.join("config.toml");
    if config.is_file() {
        // One that is no TOML belongs to no kind of run, and it is said why.
        let (text, name) = train::read(&config)?;
        if toml::from_str::<toml::Table>(&text).is_err() {
            Config::parse(&text, &name).map_err(|error| train::refused(&error.into()))?;
        }
    }
    let cells = Folder::report(folder).map_err(|error| Failure::input(error, RIGHT))?;
    match cells.is_empty() {
        true => {
            let sentence = format!("{} has no results of a table yet", shown(folder));
            Err(Failure::input(sentence, RIGHT))
        }
        false => Ok(cells),
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
        "table", "cells", "agree", "differ", "doubtful", "open", "seeds",
    ]);
    for Table {
        table,
        summary,
        seeds: [fewest, most],
    } in tables
    {
        let counts = [
            summary.cells,
            summary.agree,
            summary.differ,
            summary.doubtful,
            summary.open,
        ];
        let [cells, agree, differ, doubtful, open] = counts.map(|count| count.to_string());
        let seeds = match fewest == most {
            true => most.to_string(),
            false => format!("{fewest}–{most}"),
        };
        text += &line([table, &cells, &agree, &differ, &doubtful, &open, &seeds]);
    }
    text
}

fn line([table, rest @ ..]: [&str; 7]) -> String {
    let rest = rest.map(|column| format!("{column:>9}")).concat();
    format!("{table:<28}{rest}\n")
}
