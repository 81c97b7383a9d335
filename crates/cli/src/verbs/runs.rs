//! `runs`: the runs in some folders, with their kind, how far they are and when they last changed.

use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Timestamp;
use serde::Serialize;
use upstar_games::printable;
use upstar_runs::Kind;
use upstar_web::runs::{State, find_runs, progress};

use crate::failure::{Done, Failure, shown};
use crate::output::Output;

/// Where to look.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders of runs, or folders that contain some [default: the current folder]
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// A run in a line.
#[derive(Serialize)]
struct Listed {
    folder: String,
    kind: Kind,
    state: State,
    progress: String,
    /// When a file of it was last written.
    changed: Option<Timestamp>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let here = [PathBuf::from(".")];
    let folders = match arguments.folders.as_slice() {
        [] => &here[..],
        folders => folders,
    };
    let mut runs = Vec::new();
    for folder in folders {
        if !folder.is_dir() {
            let sentence = format!("there is no folder {}", shown(folder));
            return Err(Failure::input(sentence, "upstar runs DIR"));
        }
        runs.extend(find_runs(folder).into_iter().map(|(folder, kind)| {
            let progress = progress(&folder, kind);
            Listed {
                folder: folder.display().to_string(),
                kind,
                state: progress.state,
                progress: progress.words,
                changed: progress.changed,
            }
        }));
    }
    if output.is_json() {
        for run in &runs {
            output.print(run, |_| "")?;
        }
    } else {
        output.print(&runs, |runs| text(runs))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(runs: &[Listed]) -> String {
    if runs.is_empty() {
        return "no runs".to_owned();
    }
    let width = runs.iter();
    let width = width
        .map(|run| printable(&run.folder).chars().count())
        .max();
    let width = width.unwrap_or(0);
    let lines = runs.iter().map(|run| {
        let changed = run.changed.map_or(String::new(), |time| time.to_string());
        format!(
            "{:<width$}  {:<10}  {:<11}  {changed:<20}  {}",
            printable(&run.folder),
            run.kind,
            run.state.name(),
            run.progress
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
