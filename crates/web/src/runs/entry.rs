//! One run: what was read of its files, and of which state of them. Reading takes no lock, and of a log that
//! grows only the new lines are read.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::de::DeserializeOwned;
use upstar_jobs::quantity::counted;
use upstar_runs::{CONFIG, Kind, Manifest};
use upstar_solve::run::{SolveProgress, SolveSession};
use upstar_train::Block;
use upstar_train::alphazero::Line;

use super::detail::{Fact, RunDetail, RunKind, RunSummary, about, command, quoted, settings};
use super::index::identifier;
use super::networks::network_files;
use super::progress::{self, Progress, State, progress};
use super::tail::Tail;
use super::{alphazero, game_sets, locked, matches, solve, training, tuning};
use crate::games::{GameLog, GameSet};
use crate::papers::{self, Papers};

/// A run and what was read of it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) kind: RunKind,
    pub(super) reader: Mutex<Reader>,
}

/// What was read, and of which state of the files.
#[derive(Debug, Default)]
pub(super) struct Reader {
    summary: Option<(u64, RunSummary)>,
    detail: Option<(u64, Arc<RunDetail>)>,
    papers: Option<(u64, Arc<Papers>)>,
    /// The state that was last told to watchers.
    pub(super) told: Option<u64>,
    pub(super) blocks: Option<Tail<Block>>,
    pub(super) lines: Option<Tail<Line>>,
    pub(super) sessions: Option<Tail<SolveSession>>,
    pub(super) progress: Option<Tail<SolveProgress>>,
    games: BTreeMap<String, GameLog>,
}

impl Reader {
    /// What was read of the tables of a reproduction.
    pub(super) fn papers(&self) -> Option<&Papers> {
        self.papers.as_ref().map(|(_, papers)| papers.as_ref())
    }

    /// The log that has these games.
    pub(super) fn game_log(&mut self, entry: &Entry, set: &GameSet) -> &mut GameLog {
        // Logs of a few steps are remembered, not those of all that were ever looked at.
        if self.games.len() > 8 && !self.games.contains_key(&set.set) {
            self.games.clear();
        }
        let log = self.games.entry(set.set.clone());
        log.or_insert_with(|| game_sets::log_of(entry, set))
    }
}

impl Entry {
    pub(super) fn new(name: String, path: PathBuf, kind: RunKind) -> Self {
        Self {
            id: identifier(&name, &path),
            name,
            path,
            kind,
            reader: Mutex::default(),
        }
    }

    /// A number that changes with the files of the run, and when somebody begins or ceases to work on it.
    pub(super) fn signature(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.kind {
            RunKind::Match => hash_file(&self.path, &mut hasher),
            RunKind::Folder(kind) => {
                let depth = if kind == Kind::Reproduce { 3 } else { 0 };
                hash_folder(&self.path, depth, &mut hasher);
                upstar_runs::RunFolder::is_busy(&self.path).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    pub(super) fn summary(&self) -> RunSummary {
        let now = self.signature();
        let mut reader = locked(&self.reader);
        match &reader.summary {
            Some((then, summary)) if *then == now => summary.clone(),
            _ => {
                let summary = self.summarise(&mut reader);
                reader.summary = Some((now, summary.clone()));
                summary
            }
        }
    }

    fn summarise(&self, reader: &mut Reader) -> RunSummary {
        let progress = match self.kind {
            RunKind::Folder(kind) => progress(&self.path, kind),
            RunKind::Match => {
                let log = reader.game_log(self, &game_sets::all_games());
                log.refresh();
                let written = fs::metadata(&self.path).and_then(|it| it.modified());
                Progress {
                    state: match upstar_runs::lock::is_held(&self.path) {
                        true => State::Running,
                        false => State::Finished,
                    },
                    words: counted(log.len() as u64, "game"),
                    share: None,
                    changed: written.ok().and_then(progress::time),
                }
            }
        };
        RunSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            kind: self.kind,
            game: self.game(),
            state: progress.state,
            progress: progress.words,
            share: progress.share,
            changed: progress.changed,
        }
    }

    pub(super) fn config(&self) -> String {
        match self.kind {
            RunKind::Match => String::new(),
            RunKind::Folder(_) => fs::read_to_string(self.path.join(CONFIG)).unwrap_or_default(),
        }
    }

    /// Which game on which board, `clobber 4x5`.
    fn game(&self) -> String {
        let table: toml::Table = toml::from_str(&self.config()).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        words.extend(
            table
                .get("game")
                .and_then(toml::Value::as_str)
                .map(str::to_owned),
        );
        let boards = ["board", "boards", "position"]
            .iter()
            .find_map(|key| table.get(*key));
        let boards: Vec<&str> = match boards {
            Some(toml::Value::String(board)) => vec![board],
            Some(toml::Value::Array(boards)) => {
                boards.iter().filter_map(toml::Value::as_str).collect()
            }
            _ => Vec::new(),
        };
        let mut different: Vec<&str> = Vec::new();
        for board in boards {
            if !different.contains(&board) {
                different.push(board);
            }
        }
        words.extend(match different.as_slice() {
            [] => None,
            [one] => Some(size_of(one)),
            [first, .., last] => Some(format!("{} to {}", size_of(first), size_of(last))),
        });
        words.join(" ")
    }

    pub(super) fn detail(&self) -> Arc<RunDetail> {
        let now = self.signature();
        let run = self.summary();
        if self.kind == RunKind::Folder(Kind::Reproduce) {
            // Read before the lock below, which it takes too.
            let _ = self.papers();
        }
        let mut reader = locked(&self.reader);
        match &reader.detail {
            Some((then, detail)) if *then == now => Arc::clone(detail),
            _ => {
                let detail = Arc::new(self.describe(run, &mut reader));
                reader.detail = Some((now, Arc::clone(&detail)));
                detail
            }
        }
    }

    fn describe(&self, run: RunSummary, reader: &mut Reader) -> RunDetail {
        let config = self.config();
        let manifest = match self.kind {
            RunKind::Folder(_) => Manifest::read(&self.path).unwrap_or_default(),
            RunKind::Match => Manifest::default(),
        };
        let resumable = !matches!(self.kind, RunKind::Match | RunKind::Folder(Kind::Reproduce));
        let resume = (resumable && run.state == State::Interrupted)
            .then(|| format!("upstar resume {}", quoted(&self.path.to_string_lossy())));
        let mut detail = RunDetail {
            about: about(&run),
            facts: Vec::new(),
            charts: Vec::new(),
            settings: settings(&config),
            command: command(&manifest, &run, &config),
            resume,
            ours: false,
            left: None,
            remarks: Vec::new(),
            networks: network_files(&self.path)
                .into_iter()
                .map(|(network, _)| network)
                .collect(),
            games: Vec::new(),
            solve: None,
            tuning: None,
            standings: None,
            verdicts: None,
            run,
        };
        let show = match self.kind {
            RunKind::Folder(Kind::Solve) => solve::show,
            RunKind::Folder(Kind::Train) => training::show,
            RunKind::Folder(Kind::Alphazero) => alphazero::show,
            RunKind::Folder(Kind::Tune) => tuning::show,
            RunKind::Match | RunKind::Folder(Kind::Tournament) => matches::show,
            RunKind::Folder(Kind::Reproduce) => show_verdicts,
            RunKind::Folder(Kind::Fit) => show_nothing,
        };
        show(&mut detail, self, reader, &config);
        if let Some(seed) = manifest.seed {
            detail.facts.push(Fact::new("Seed", seed.to_string()));
        }
        if let Some(begun) = manifest.begun {
            detail.facts.push(Fact::new(
                "Begun",
                begun.strftime("%-d %b %Y, %H:%M UTC").to_string(),
            ));
        }
        detail
    }

    /// The lines of a log of the run; what is wrong with it becomes a remark.
    pub(super) fn lines<'a, T: DeserializeOwned>(
        &self,
        tail: &'a mut Option<Tail<T>>,
        name: &str,
        remarks: &mut Vec<String>,
    ) -> &'a [T] {
        let tail = tail.get_or_insert_with(|| Tail::new(self.path.join(name)));
        tail.refresh_json();
        remarks.extend(tail.fault().map(str::to_owned));
        tail.items()
    }

    pub(super) fn papers(&self) -> Result<Arc<Papers>, String> {
        let now = self.signature();
        let mut reader = locked(&self.reader);
        if let Some((then, papers)) = &reader.papers
            && *then == now
        {
            return Ok(Arc::clone(papers));
        }
        let papers = Arc::new(papers::read(&self.id, &self.name, &self.path)?);
        reader.papers = Some((now, Arc::clone(&papers)));
        Ok(papers)
    }
}

/// Fitted weights keep no curves.
fn show_nothing(_: &mut RunDetail, _: &Entry, _: &mut Reader, _: &str) {}

/// A reproduction: how many numbers agree. Its tables are read by [`Entry::papers`].
fn show_verdicts(detail: &mut RunDetail, _: &Entry, reader: &mut Reader, _: &str) {
    detail.verdicts = reader.papers().map(|papers| papers.summary);
    if detail.verdicts.is_none() {
        let remark = "The results cannot be read.";
        detail.remarks.push(remark.to_owned());
    }
}

/// A short name of a position: its size, where it is written out.
fn size_of(position: &str) -> String {
    let rows: Vec<&str> = position.split('|').collect();
    match rows.as_slice() {
        [row] if !row.contains(['x', 'o']) || row.starts_with(|c: char| c.is_ascii_digit()) => {
            (*row).to_owned()
        }
        rows => format!("{}x{}", rows.len(), rows[0].chars().count()),
    }
}

fn hash_folder(folder: &Path, depth: usize, hasher: &mut DefaultHasher) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true if depth > 0 => hash_folder(&path, depth - 1, hasher),
            true => {}
            false => hash_file(&path, hasher),
        }
    }
}

fn hash_file(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    if let Ok(data) = fs::metadata(path) {
        data.len().hash(hasher);
        data.modified().ok().hash(hasher);
    }
}
