//! `table`: the values of all small components, which Clobber's solver keeps in the user's cache folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde::Serialize;
use upstar_solve::clobber::{TableKind, ValueTable};

use super::value::{RowFormat, Rows};
use crate::failure::{Done, Failure, in_full};
use crate::notation::NameOptions;
use crate::output::{Output, grouped};
use crate::progress::Share;
use crate::search::{budget, value_tables, words};
use crate::values;

/// What to do with it.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Build a table, replacing the one that is there
    Build(Which),
    /// Show what a table holds, or list all tables
    Info(Which),
    /// Build a table again and compare it with the stored one, bit by bit
    Verify(Which),
    /// Write all components of a table with their values, each once up to symmetry
    Export(Export),
}

#[derive(Args)]
struct Export {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    rows: RowFormat,
    #[command(flatten)]
    names: NameOptions,
}

#[derive(Args)]
struct Which {
    /// Components of at most this many stones [default: 10; 12 in two rows, 16 in one]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    stones: Option<usize>,
    /// Only components that fit into this many rows
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rows: Option<usize>,
    /// Stones may take their own kind
    #[arg(long)]
    cannibal: bool,
}

#[derive(Serialize)]
struct Info {
    file: String,
    stones: usize,
    rows: usize,
    cannibal: bool,
    components: usize,
    values: usize,
    bytes: usize,
    seconds: f64,
}

impl Which {
    fn kind(&self) -> Result<TableKind, Failure> {
        let usual = TableKind::serving(
            self.rows.unwrap_or(usize::MAX),
            usize::MAX,
            self.cannibal,
            usize::MAX,
        );
        let stones = self.stones.unwrap_or(usual.stones);
        let rows = self.rows.map_or(stones, |rows| rows.min(stones));
        let kind = TableKind {
            rows,
            stones,
            cannibal: self.cannibal,
        };
        if kind.is_possible() {
            Ok(kind)
        } else {
            let sentence = format!("there is no table of {kind}: it would be empty or too large");
            Err(Failure::input(sentence, "upstar table build --stones 10"))
        }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let begun = Instant::now();
    let which = match &arguments.action {
        Action::Build(which) | Action::Info(which) | Action::Verify(which) => which,
        Action::Export(export) => return self::export(export, output),
    };
    if let (Action::Info(_), None, None, false) =
        (&arguments.action, which.stones, which.rows, which.cannibal)
    {
        return list(output);
    }
    let kind = which.kind()?;
    let file = file(kind)?;
    let refused = |error| Failure::input(error, format!("upstar table build {}", words(kind)));
    let table = match arguments.action {
        Action::Export(_) => unreachable!("exported above"),
        Action::Build(_) => {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
            }
            let table = make(kind)?;
            table.save(&file).map_err(refused)?;
            table
        }
        Action::Info(_) => ValueTable::open(&file, kind).map_err(refused)?,
        Action::Verify(_) => {
            let table = ValueTable::open(&file, kind).map_err(refused)?;
            if !table.same_as(&make(kind)?) {
                let sentence = format!("{} differs from a table made now", in_full(&file));
                return Err(Failure::input(
                    sentence,
                    format!("upstar table build {}", words(kind)),
                ));
            }
            table
        }
    };
    let info = info(&table, &file, begun.elapsed().as_secs_f64());
    output.print(&info, |info| {
        let done = match arguments.action {
            Action::Build(_) => "built",
            Action::Info(_) => "whole",
            _ => "verified",
        };
        describe(done, kind, info)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Where a table of this kind is kept.
fn file(kind: TableKind) -> Result<PathBuf, Failure> {
    value_tables().file(kind).ok_or_else(|| {
        let sentence = "this system has no folder for caches";
        Failure::input(sentence, "UPSTAR_CACHE=folder upstar table build")
    })
}

/// Writes the components of a table in rows.
fn export(arguments: &Export, output: &Output) -> Done {
    let kind = arguments.which.kind()?;
    let table = ValueTable::open(&file(kind)?, kind)
        .map_err(|error| Failure::input(error, format!("upstar table build {}", words(kind))))?;
    let mut rows = Rows::new(&arguments.rows, output);
    rows.push_table(&table, None, &arguments.rows.names(&arguments.names))?;
    rows.end()?;
    Ok(ExitCode::SUCCESS)
}

/// Shows all tables that are there.
fn list(output: &Output) -> Done {
    let files = value_tables().files();
    for file in &files {
        let begun = Instant::now();
        let table = ValueTable::open_any(file)
            .map_err(|error| Failure::input(error, "upstar table build, or remove the file"))?;
        let info = info(&table, file, begun.elapsed().as_secs_f64());
        output.print(&info, |info| describe("whole", table.kind(), info))?;
    }
    if files.is_empty() {
        let sentence = "there is no table yet; solving makes those it needs";
        return Err(Failure::input(sentence, "upstar table build"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A table in words.
fn describe(done: &str, kind: TableKind, info: &Info) -> String {
    format!(
        "{done}: {kind}\n{} components, {} values, {} bytes, {:.1} s\n{}",
        grouped(info.components as u64),
        grouped(info.values as u64),
        grouped(info.bytes as u64),
        info.seconds,
        info.file,
    )
}

fn make(kind: TableKind) -> Result<ValueTable, Failure> {
    let threads = values::all_cores();
    let bar = Share::new("values of small components");
    let table = ValueTable::make(kind, threads, &budget(None), &bar);
    bar.finish();
    table.map_err(|error| Failure::input(error, format!("upstar table build {}", words(kind))))
}

fn info(table: &ValueTable, file: &Path, seconds: f64) -> Info {
    let kind = table.kind();
    Info {
        file: file.display().to_string(),
        stones: kind.stones,
        rows: kind.rows,
        cannibal: kind.cannibal,
        components: table.component_count(),
        values: table.value_count(),
        bytes: table.bytes(),
        seconds,
    }
}
