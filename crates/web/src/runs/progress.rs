//! How far a run is: whether it works, is finished or was interrupted, and in words how much is done.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use upstar_jobs::quantity::{counted, grouped};
use upstar_lab::Unfinished;
use upstar_runs::{CONFIG, Kind, Lines, MANIFEST, RunFolder, check_links, lock};
use upstar_solve::othello::FitConfig;
use upstar_solve::run::{PROGRESS, SESSIONS, SolveProgress, SolveSession};
use upstar_train::alphazero::AlphaZeroConfig;
use upstar_train::tune::Search;

use super::solve::Total;

/// Whether somebody works on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// A process works on it.
    Running,
    /// It is at its end.
    Finished,
    /// It is not, and can be resumed.
    Interrupted,
}

impl State {
    /// What it is called in lists.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Whether somebody works on it.
    pub state: State,
    /// How far it is, in words.
    pub words: String,
    /// How much of it is done, from 0 to 1, where that is known.
    pub share: Option<f64>,
    /// When a file of it was last written.
    pub changed: Option<Timestamp>,
}

/// All runs below a folder with their kinds, in the order of their names. Links are not followed, and what a run keeps in folders of
/// its own is a part of it; hidden folders and caches (those with a `CACHEDIR.TAG`) are left out.
#[must_use]
pub fn find_runs(folder: &Path) -> Vec<(PathBuf, Kind)> {
    let mut runs = Vec::new();
    find(folder, 0, &mut runs, &mut Vec::new());
    runs
}

/// How deep runs are looked for.
const DEEPEST: usize = 12;

/// Adds the runs below a folder, and files that may hold records of games. Runs with links that lead out of
/// them, or with pipes and the like among their files, are left out.
pub(super) fn find(
    folder: &Path,
    depth: usize,
    runs: &mut Vec<(PathBuf, Kind)>,
    records: &mut Vec<PathBuf>,
) {
    let holds = |name: &str| folder.join(name).is_file();
    if (holds(CONFIG) || holds(MANIFEST)) && check_links(folder).is_err() {
        return;
    }
    if (holds(CONFIG) || holds(MANIFEST))
        && let Some(kind) = Kind::of(folder)
    {
        runs.push((folder.to_owned(), kind));
        return;
    }
    if depth == DEEPEST || depth > 0 && holds("CACHEDIR.TAG") {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<fs::DirEntry> = entries.collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
            continue;
        };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(&entry.path(), depth + 1, runs, records),
            Ok(kind) if kind.is_file() && name.ends_with(".jsonl") => records.push(entry.path()),
            _ => {}
        }
    }
}

/// How far the run in this folder is.
#[must_use]
pub fn progress(folder: &Path, kind: Kind) -> Progress {
    let (finished, words, share) = done(folder, kind);
    Progress {
        state: match () {
            () if is_busy(folder) => State::Running,
            () if finished => State::Finished,
            () => State::Interrupted,
        },
        words,
        share: share.map(|share| share.clamp(0.0, 1.0)),
        changed: changed(folder),
    }
}

/// Whether a process works in a folder, on all of it or on a shard.
fn is_busy(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_shard = |name: &str| name.starts_with("shard-") && name.ends_with(".lock");
    let mut shards = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_shard));
    RunFolder::is_busy(folder) || shards.any(|entry| lock::is_held(&entry.path()))
}

/// What is needed of a line of `learner.jsonl`.
#[derive(Deserialize)]
struct StepTime {
    /// Seconds of work on all steps up to this one.
    #[serde(default)]
    time_rel: f64,
}

/// A line of `extensions.jsonl`: steps that were asked for later.
#[derive(Deserialize)]
struct MoreSteps {
    max_steps: u64,
}

/// Whether a run is finished, how far it is in words, and as a share.
fn done(folder: &Path, kind: Kind) -> (bool, String, Option<f64>) {
    let config = fs::read_to_string(folder.join(CONFIG)).unwrap_or_default();
    let table: toml::Table = toml::from_str(&config).unwrap_or_default();
    let number = |key: &str| table.get(key).and_then(toml::Value::as_integer);
    let of = |done: u64, all: Option<u64>, noun: &str| {
        let finished = all.is_some_and(|all| done >= all);
        let words = match all {
            Some(all) => format!("{} of {}", grouped(done), counted(all, noun)),
            None => counted(done, noun),
        };
        let share = all.map(|all| done as f64 / all.max(1) as f64);
        (finished, words, share)
    };
    match kind {
        Kind::Solve => {
            let sessions: Vec<SolveSession> = lines(&folder.join(SESSIONS));
            let progress: Vec<SolveProgress> = lines(&folder.join(PROGRESS));
            let total = Total::of(&sessions, &progress);
            let mut words = counted(total.nodes, "node");
            let mut share = None;
            if let Some((refuted, all)) = total.first_moves {
                words += &format!(", {refuted} of {all} first moves refuted");
                share = Some(refuted as f64 / all as f64);
            }
            (folder.join("result.json").exists(), words, share)
        }
        Kind::Train => {
            let blocks: Vec<upstar_train::Block> = lines(&folder.join("results.jsonl"));
            let learned = blocks.last().map_or(0, |block| block.games);
            let all = number("games").map(i64::unsigned_abs);
            let (_, words, share) = of(learned, all, "game");
            let names = ["network.safetensors", "network-x.safetensors"];
            let finished = names.iter().any(|name| folder.join(name).exists());
            (finished, words, share)
        }
        Kind::Alphazero => {
            let log: Vec<StepTime> = lines(&folder.join("learner.jsonl"));
            let config = AlphaZeroConfig::parse(&config, CONFIG).ok();
            let seconds = config.as_ref().and_then(|config| config.seconds);
            let more: Vec<MoreSteps> = lines(&folder.join("extensions.jsonl"));
            let steps = config.map(|config| config.settings().max_steps);
            let steps = more.last().map(|more| more.max_steps).or(steps);
            let spent = log.last().map_or(0.0, |line| line.time_rel);
            let is_late = seconds.is_some_and(|seconds| spent >= seconds);
            let (finished, words, share) =
                of(log.len() as u64, steps.filter(|&steps| steps > 0), "step");
            (finished || is_late, words, share)
        }
        Kind::Tune => {
            let done = count(&folder.join("trials.jsonl"));
            let jobs = Search::parse(&config, CONFIG).ok();
            of(done, jobs.map(|search| search.plan.jobs() as u64), "rung")
        }
        Kind::Tournament => {
            let games = count(&folder.join("games.jsonl"));
            let finished = folder.join("table.json").exists();
            (finished, counted(games, "game"), None)
        }
        Kind::Fit => {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let is_piece = |name: &str| name.starts_with("games-");
            let pieces = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_piece));
            let finished = folder.join(FitConfig::RESULT).exists();
            let words = counted(pieces.count() as u64, "piece") + " of games";
            (finished, words, None)
        }
        Kind::Reproduce => {
            let unfinished = upstar_lab::Folder::unfinished(folder);
            let tables = tables(folder).len() as u64;
            let sum = |of: fn(&Unfinished) -> u64| unfinished.iter().map(of).sum::<u64>();
            let (done, runs) = (sum(|plan| plan.done), sum(|plan| plan.runs));
            match runs {
                0 => (tables > 0, counted(tables, "table"), None),
                _ => {
                    let words = format!("{} of {}", grouped(done), counted(runs, "run"));
                    (false, words, Some(done as f64 / runs as f64))
                }
            }
        }
    }
}

/// The folders of a reproduction's tables, `PAPER/TABLE`.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.is_dir()).collect()
    };
    let papers = below(folder);
    papers.iter().flat_map(|paper| below(paper)).collect()
}

/// The whole lines of a log that can be read.
fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let lines = Lines::of(path).into_iter().flatten();
    lines.map_while(Result::ok).collect()
}

fn count(path: &Path) -> u64 {
    lines::<IgnoredAny>(path).len() as u64
}

/// When a file in this folder was last written.
fn changed(folder: &Path) -> Option<Timestamp> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    time(times.max()?)
}

/// A time of the file system, in whole seconds.
pub(super) fn time(time: SystemTime) -> Option<Timestamp> {
    let time = Timestamp::try_from(time).ok()?;
    time.round(jiff::Unit::Second).ok()
}
