//! `runs`: the runs in some folders, with their kind, how far they are and when they last changed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use upstar_runs::{CONFIG, Kind, Lines, MANIFEST, RunFolder, lock};
use upstar_solve::othello::FitConfig;
use upstar_solve::run::SolveSession;
use upstar_train::alphazero::AlphaZeroConfig;
use upstar_train::tune::Search;

use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted, grouped};

/// Where to look.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders of runs, or folders that have some below them [default: the current folder]
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

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Running,
    Finished,
    Interrupted,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
        }
    }
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
        find(folder, &mut runs);
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

/// All runs below a folder, in the order of their names; links are not followed, and what a run keeps in
/// folders of its own is a part of it.
fn find(folder: &Path, runs: &mut Vec<Listed>) {
    let holds = |name: &str| folder.join(name).is_file();
    if (holds(CONFIG) || holds(MANIFEST))
        && let Some(kind) = Kind::of(folder)
    {
        runs.push(Listed::of(folder, kind));
        return;
    }
    for folder in folders(folder) {
        find(&folder, runs);
    }
}

impl Listed {
    fn of(folder: &Path, kind: Kind) -> Self {
        let (finished, progress) = progress(folder, kind);
        Self {
            folder: folder.display().to_string(),
            kind,
            state: match () {
                () if is_busy(folder) => State::Running,
                () if finished => State::Finished,
                () => State::Interrupted,
            },
            progress,
            changed: changed(folder),
        }
    }
}

/// The folders in a folder, in the order of their names.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

/// Whether a process works in a folder, on all of it or on a shard.
fn is_busy(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_shard = |name: &str| name.starts_with("shard-") && name.ends_with(".lock");
    let mut shards = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_shard));
    RunFolder::is_busy(folder) || shards.any(|entry| lock::is_held(&entry.path()))
}

/// Whether a run is finished, and how far it is in words.
fn progress(folder: &Path, kind: Kind) -> (bool, String) {
    let config = fs::read_to_string(folder.join(CONFIG)).unwrap_or_default();
    let table: toml::Table = toml::from_str(&config).unwrap_or_default();
    let number = |key: &str| table.get(key).and_then(toml::Value::as_integer);
    let of = |done: u64, all: Option<u64>, noun: &str| {
        let finished = all.is_some_and(|all| done >= all);
        let progress = match all {
            Some(all) => format!("{} of {}", grouped(done), counted(all, noun)),
            None => counted(done, noun),
        };
        (finished, progress)
    };
    match kind {
        Kind::Solve => {
            let sessions: Vec<SolveSession> = lines(&folder.join("sessions.jsonl"));
            let nodes: u64 = sessions.iter().map(|session| session.nodes).sum();
            let mut progress = counted(nodes, "node");
            if let Some(SolveSession {
                first_moves_refuted: Some(refuted),
                first_moves: Some(all),
                ..
            }) = sessions.last()
            {
                write!(progress, ", {refuted} of {all} first moves refuted").expect("a string");
            }
            (folder.join("result.json").exists(), progress)
        }
        Kind::Train => {
            let learned = last_games(&folder.join("results.jsonl"));
            let all = number("games").map(i64::unsigned_abs);
            let (_, progress) = of(learned, all, "game");
            let names = ["network.safetensors", "network-x.safetensors"];
            (
                names.iter().any(|name| folder.join(name).exists()),
                progress,
            )
        }
        Kind::Alphazero => {
            let done = count(&folder.join("learner.jsonl"));
            let config = AlphaZeroConfig::parse(&config, CONFIG).ok();
            let steps = config.map(|config| config.settings().max_steps);
            of(done, steps.filter(|&steps| steps > 0), "step")
        }
        Kind::Tune => {
            let done = count(&folder.join("trials.jsonl"));
            let jobs = Search::parse(&config, CONFIG).ok();
            of(done, jobs.map(|search| search.plan.jobs() as u64), "rung")
        }
        Kind::Tournament => {
            let games = count(&folder.join("games.jsonl"));
            (folder.join("table.json").exists(), counted(games, "game"))
        }
        Kind::Fit => {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let is_piece = |name: &str| name.starts_with("games-");
            let pieces = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_piece));
            let finished = folder.join(FitConfig::RESULT).exists();
            (
                finished,
                counted(pieces.count() as u64, "piece") + " of games",
            )
        }
        Kind::Reproduce => {
            let page = folder.join("report.html").exists();
            (
                page,
                if page { "reported" } else { "no report yet" }.to_owned(),
            )
        }
    }
}

/// The whole lines of a log that can be read.
fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let lines = Lines::of(path).into_iter().flatten();
    lines.map_while(Result::ok).collect()
}

fn count(path: &Path) -> u64 {
    lines::<serde::de::IgnoredAny>(path).len() as u64
}

/// The games that the last line of a training's results tells.
fn last_games(path: &Path) -> u64 {
    let blocks: Vec<upstar_train::Block> = lines(path);
    blocks.last().map_or(0, |block| block.games)
}

/// When a file in this folder was last written.
fn changed(folder: &Path) -> Option<Timestamp> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    let last: SystemTime = times.max()?;
    let time = Timestamp::try_from(last).ok()?;
    time.round(jiff::Unit::Second).ok()
}

fn text(runs: &[Listed]) -> String {
    if runs.is_empty() {
        return "no runs".to_owned();
    }
    let width = runs.iter().map(|run| run.folder.chars().count()).max();
    let width = width.unwrap_or(0);
    let lines = runs.iter().map(|run| {
        let changed = run.changed.map_or(String::new(), |time| time.to_string());
        format!(
            "{:<width$}  {:<10}  {:<11}  {changed:<20}  {}",
            run.folder,
            run.kind,
            run.state.name(),
            run.progress
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
