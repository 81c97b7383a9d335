//! `report`: compares what is in a folder of results with the papers, or shows how a run of AlphaZero went,
//! and writes the report anew.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use upstar_lab::{Folder, Summary};

use super::alphazero;
use crate::failure::{Done, Failure};
use crate::output::Output;

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
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    if alphazero::is_here(&arguments.folder) {
        return alphazero::report(&arguments.folder, output);
    }
    let cells = Folder::report(&arguments.folder)
        .map_err(|error| Failure::input(error, "upstar report DIR"))?;
    let report = Report {
        report: arguments.folder.join("report.html").display().to_string(),
        summary: Summary::of(&cells),
    };
    output.print(&report, |Report { report, summary }| {
        let Summary {
            cells,
            agree,
            differ,
            doubtful,
            open,
            unprinted,
        } = summary;
        let without = match unprinted {
            0 => String::new(),
            _ => format!(", {unprinted} without a verdict, because the paper prints no number"),
        };
        format!(
            "{cells} cells: {agree} agree, {differ} differ, {doubtful} doubtful in the paper, {open} open{without}\nreport: {report}"
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
