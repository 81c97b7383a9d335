//! `report`: compares what is in a folder of results with the papers, or shows how a training run went, and
//! writes the report anew.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use serde::de::DeserializeOwned;
use upstar_lab::{Cell, Folder, Summary};
use upstar_runs::{Kind, Lines, LogError, check_links};
use upstar_train::Config;

use super::{alphazero, train, tune};
use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted};

/// Which folder.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of results or of a run, as given to --out
    folder: PathBuf,
}

#[derive(Serialize)]
struct Report {
    report: String,
    #[serde(flatten)]
    summary: Summary,
    tables: Vec<Table>,
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
    let folder = &arguments.folder;
    if folder.is_dir() {
        let right = "a folder without such links";
        check_links(folder).map_err(|error| Failure::input(error, right))?;
    }
    match Kind::of(folder) {
        Some(Kind::Alphazero) => return alphazero::report(folder, output),
        Some(Kind::Tune) => return tune::report(folder, output),
        Some(Kind::Train) => return train::report(folder, output),
        // Others have no page, and it is said so below.
        Some(Kind::Reproduce | Kind::Solve | Kind::Tournament | Kind::Fit) | None => {}
    }
    if !folder.is_dir() {
        let sentence = match folder.exists() {
            true => format!("{} is not a folder", shown(folder)),
            false => format!("there is no folder {}", shown(folder)),
        };
        return Err(Failure::input(sentence, RIGHT));
    }
    let config = folder.join("config.toml");
    if config.is_file() {
        // One that is no TOML belongs to no kind of run, and it is said why.
        let (text, name) = train::read(&config)?;
        if toml::from_str::<toml::Table>(&text).is_err() {
            Config::parse(&text, &name).map_err(|error| train::refused(&error.into()))?;
        }
    }
    let cells = Folder::report(folder).map_err(|error| Failure::input(error, RIGHT))?;
    if cells.is_empty() {
        let sentence = format!("{} has no results of a table yet", shown(folder));
        return Err(Failure::input(sentence, RIGHT));
    }
    let tables = cells.chunk_by(|cell, next| cell.table == next.table);
    let report = Report {
        report: folder.join("report.html").display().to_string(),
        summary: Summary::of(&cells),
        tables: tables.map(Table::of).collect(),
    };
    output.print(&report, text)?;
    Ok(ExitCode::SUCCESS)
}

const RIGHT: &str = "upstar report DIR, the folder of a run of train, tune or reproduce";

/// The lines of a run's log.
pub(super) fn log<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Failure> {
    let read = || match file.exists() {
        true => Lines::of(file)?.collect(),
        false => Ok(Vec::new()),
    };
    let right = "the file as it was, or without that line";
    let lines: Vec<T> = read().map_err(|error: LogError| Failure::input(error, right))?;
    // A page that is there may be of what was in it before.
    if lines.is_empty() {
        let sentence = format!(
            "{} has no line yet, so there is nothing to show",
            shown(file)
        );
        return Err(Failure::input(sentence, RIGHT));
    }
    Ok(lines)
}

/// Writes the page of the run in this folder, of which so many steps are done.
pub(super) fn write(folder: &Path, html: &str, steps: usize, step: &str, output: &Output) -> Done {
    #[derive(Serialize)]
    struct Written {
        report: String,
        steps: usize,
    }
    let report = write_page(folder, html)?.display().to_string();
    output.print(&Written { report, steps }, |Written { report, steps }| {
        format!("{}\nreport: {report}", counted(*steps as u64, step))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a folder, and returns its name.
pub(super) fn write_page(folder: &Path, html: &str) -> Result<PathBuf, Failure> {
    let page = folder.join("report.html");
    upstar_runs::write(&page, html).map_err(|error| Failure::file(&page, &error))?;
    Ok(page)
}

fn text(report: &Report) -> String {
    let mut text = line([
        "table", "cells", "agree", "differ", "doubtful", "open", "seeds",
    ]);
    for Table {
        table,
        summary,
        seeds: [fewest, most],
    } in &report.tables
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
    format!("{text}{}\nreport: {}", report.summary, report.report)
}

fn line([table, rest @ ..]: [&str; 7]) -> String {
    let rest = rest.map(|column| format!("{column:>9}")).concat();
    format!("{table:<28}{rest}\n")
}
