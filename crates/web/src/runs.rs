//! The runs below some folders: what each is, how far it is, its curves, networks and games.
//!
//! A run is known by an identifier made of its folder's name; no path ever comes from a request. Reading takes no
//! lock, and of a log that grows only the new lines are read.

mod alphazero;
mod chart;
mod process;
mod progress;
mod routes;
mod solve;
pub(crate) mod tail;
mod training;
mod tuning;

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use upstar_arena::Standings;
use upstar_jobs::quantity::counted;
use upstar_lab::Summary;
use upstar_runs::{CONFIG, Kind, Manifest, fnv1a};
use upstar_solve::run::SolveSession;
use upstar_train::Block;

pub(crate) use chart::BandedPoint;
pub use chart::{Chart, ChartLine, Scale};
pub use progress::{Progress, State, find_runs, progress};
pub(crate) use routes::routes;
pub use solve::SolveDetail;
pub use tuning::{ParameterDetail, TrialRung, TuningDetail};

use crate::games::{GameFilter, GameLog, GamePage, GameSet, Source};
use crate::papers::{self, Papers};
use process::Processes;
use tail::Tail;

/// What the page shows as a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// A run in its folder.
    Folder(Kind),
    /// A file of records that a match has written.
    Match,
}

impl RunKind {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder(kind) => kind.name(),
            Self::Match => "match",
        }
    }
}

impl Serialize for RunKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// All runs.
#[derive(Clone, Debug, Serialize)]
pub struct RunList {
    /// How many folders were looked through.
    pub folders: usize,
    /// Whether runs can be started, stopped and resumed from the page.
    pub can_start: bool,
    /// The runs: those that work first, then the latest first.
    pub runs: Vec<RunSummary>,
}

/// A run in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// What it is called in requests.
    pub id: String,
    /// The name of its folder, seen from where runs are looked for.
    pub name: String,
    /// What it does.
    pub kind: RunKind,
    /// Which game on which board.
    pub game: String,
    /// Whether somebody works on it.
    pub state: State,
    /// How far it is, in words.
    pub progress: String,
    /// How much of it is done, from 0 to 1.
    pub share: Option<f64>,
    /// When a file of it was last written.
    pub changed: Option<Timestamp>,
}

/// Everything about a run that is not a game of it.
#[derive(Clone, Debug, Serialize)]
pub struct RunDetail {
    /// The run in a line.
    #[serde(flatten)]
    pub run: RunSummary,
    /// What it is, in words.
    pub about: String,
    /// A few facts.
    pub facts: Vec<Fact>,
    /// The curves, the most telling first.
    pub charts: Vec<Chart>,
    /// The configuration, key by key.
    pub settings: Vec<Setting>,
    /// The command that began it.
    pub command: String,
    /// The command that resumes it; nothing if it is finished, or cannot be resumed so.
    pub resume: Option<String>,
    /// Whether it was started from the page, which can stop it.
    pub ours: bool,
    /// Seconds that it will still take, estimated from its last steps.
    pub left: Option<f64>,
    /// What should be known about it: damaged logs, dead networks.
    pub remarks: Vec<String>,
    /// The networks that it has kept.
    pub networks: Vec<NetworkFile>,
    /// The games that can be looked at.
    pub games: Vec<GameSet>,
    /// Solves only.
    pub solve: Option<SolveDetail>,
    /// Searches for parameters only.
    pub tuning: Option<TuningDetail>,
    /// Matches and tournaments only.
    pub standings: Option<Standings>,
    /// Reproductions only: how many numbers agree. Their tables are in [`Papers`].
    pub verdicts: Option<Summary>,
}

/// Something worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// The fact.
    pub value: String,
}

impl Fact {
    pub(crate) fn new(name: &str, value: String) -> Self {
        Self {
            name: name.to_owned(),
            value,
        }
    }
}

/// A line of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The key with its sections, `learning.rate`.
    pub key: String,
    /// The value as TOML.
    pub value: String,
}

/// A network that a run has kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkFile {
    /// Its name in requests, together with the run's.
    pub name: String,
    /// For people: `step 12`, `last`.
    pub title: String,
    /// The step, or the games learned; nothing for the last one.
    pub step: Option<u64>,
}

/// Why a request about a run is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunRefusal {
    /// There is no run of this name.
    #[error("there is no such run")]
    Unknown,
    /// The page may only look.
    #[error("this server only shows runs")]
    ReadOnly,
    /// Something else, in a sentence.
    #[error("{0}")]
    Input(String),
}

/// The runs below some folders.
#[derive(Debug)]
pub struct RunIndex {
    roots: Vec<PathBuf>,
    /// Nothing if runs are only looked at.
    processes: Option<Processes>,
    found: Mutex<Found>,
}

/// What was found when folders were last looked through.
#[derive(Debug, Default)]
struct Found {
    at: Option<Instant>,
    runs: BTreeMap<String, Arc<Entry>>,
}

/// How long what was found is good for.
const FRESH: Duration = Duration::from_secs(4);

/// A run and what was read of it.
#[derive(Debug)]
struct Entry {
    id: String,
    name: String,
    path: PathBuf,
    kind: RunKind,
    reader: Mutex<Reader>,
}

/// What was read, and of which state of the files.
#[derive(Debug, Default)]
struct Reader {
    summary: Option<(u64, RunSummary)>,
    detail: Option<(u64, Arc<RunDetail>)>,
    papers: Option<(u64, Arc<Papers>)>,
    /// The state that was last told to watchers.
    told: Option<u64>,
    blocks: Option<Tail<Block>>,
    lines: Option<Tail<upstar_train::alphazero::Line>>,
    sessions: Option<Tail<SolveSession>>,
    games: BTreeMap<String, GameLog>,
}

impl RunIndex {
    /// The runs below these folders, only to be looked at.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            processes: None,
            found: Mutex::default(),
        }
    }

    /// The same where runs can be started, stopped and resumed by this program.
    #[must_use]
    pub fn with_program(self, program: PathBuf) -> Self {
        Self {
            processes: Some(Processes::new(program)),
            ..self
        }
    }

    /// All runs.
    #[must_use]
    pub fn list(&self) -> RunList {
        let mut runs: Vec<RunSummary> = self.entries().iter().map(|run| run.summary()).collect();
        runs.sort_by_key(|run| {
            let works = run.state == State::Running;
            (!works, std::cmp::Reverse(run.changed), run.name.clone())
        });
        RunList {
            folders: self.roots.len(),
            can_start: self.processes.is_some(),
            runs,
        }
    }

    /// The runs whose files have changed since the last call; at the first call none.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let mut changed = Vec::new();
        for entry in self.entries() {
            let now = entry.signature();
            let before = locked(&entry.reader).told.replace(now);
            if before.is_some_and(|before| before != now) {
                changed.push(entry.id.clone());
            }
        }
        changed
    }

    /// Everything about a run.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn detail(&self, id: &str) -> Result<Arc<RunDetail>, RunRefusal> {
        let entry = self.entry(id)?;
        let detail = entry.detail();
        let Some(processes) = &self.processes else {
            return Ok(detail);
        };
        let (ours, failure) = (
            processes.is_ours(&entry.path),
            processes.failure(&entry.path),
        );
        if !ours && failure.is_none() {
            return Ok(detail);
        }
        let mut detail = (*detail).clone();
        detail.ours = ours;
        detail.remarks.extend(failure);
        Ok(Arc::new(detail))
    }

    /// Games of a run.
    ///
    /// # Errors
    /// If there is no such run or no such set of games, or they cannot be read.
    pub fn games(&self, id: &str, filter: &GameFilter) -> Result<GamePage, RunRefusal> {
        let entry = self.entry(id)?;
        let detail = entry.detail();
        let mut sets = detail.games.iter();
        let set = match filter.set.as_str() {
            "" => sets.next(),
            set => sets.find(|other| other.set == set),
        };
        let refused = || RunRefusal::Input("this run has no such games".to_owned());
        let set = set.ok_or_else(refused)?;
        let mut reader = locked(&entry.reader);
        let log = entry.game_log(&mut reader, set).ok_or_else(refused)?;
        log.refresh();
        let filter = GameFilter {
            set: set.set.clone(),
            ..filter.clone()
        };
        log.page(&filter).map_err(RunRefusal::Input)
    }

    /// The tables of a reproduction.
    ///
    /// # Errors
    /// If there is no such run, or it is of another kind or damaged.
    pub fn papers(&self, id: &str) -> Result<Arc<Papers>, RunRefusal> {
        let entry = self.entry(id)?;
        if entry.kind != RunKind::Folder(Kind::Reproduce) {
            return Err(RunRefusal::Unknown);
        }
        entry.papers().map_err(RunRefusal::Input)
    }

    /// The file of a network that a run has kept, by the run's identifier and the network's name.
    #[must_use]
    pub fn network(&self, id: &str, name: &str) -> Option<PathBuf> {
        let entry = self.entry(id).ok()?;
        // The name is looked for among those that are there, and never made a path of.
        let files = network_files(&entry.path).into_iter();
        let mut named = files.filter(|(network, _)| network.name == name);
        named.next().map(|(_, path)| path)
    }

    /// The agent that plays with a network, `RUN:NETWORK`: those of AlphaZero search, small ones do not.
    pub(crate) fn agent(&self, name: &str) -> Option<String> {
        let (id, network) = name.split_once(':')?;
        let file = self.network(id, network)?;
        let file = file.to_str().filter(|file| !file.contains(','))?;
        Some(match self.entry(id).ok()?.kind {
            RunKind::Folder(Kind::Alphazero) => format!("az:{file},sims=100"),
            _ => format!("net:{file}"),
        })
    }

    /// Starts a run of this configuration in the first of the folders; returns its identifier.
    ///
    /// # Errors
    /// If the server only shows runs, or the configuration or the name is not good for a run.
    pub fn start(&self, name: &str, config: &str) -> Result<String, RunRefusal> {
        let processes = self.processes.as_ref().ok_or(RunRefusal::ReadOnly)?;
        let root = self.roots.first().ok_or(RunRefusal::ReadOnly)?;
        let folder = processes.start(root, name, config)?;
        locked(&self.found).at = None;
        Ok(identifier(name, &folder))
    }

    /// Stops a run that was started from here.
    ///
    /// # Errors
    /// If the server only shows runs, or the run was started elsewhere.
    pub fn stop(&self, id: &str) -> Result<(), RunRefusal> {
        let processes = self.processes.as_ref().ok_or(RunRefusal::ReadOnly)?;
        processes.stop(&self.entry(id)?.path)
    }

    /// Resumes a run that was interrupted.
    ///
    /// # Errors
    /// If the server only shows runs, or the run works, is finished, or is of a kind that is not resumed so.
    pub fn resume(&self, id: &str) -> Result<(), RunRefusal> {
        let processes = self.processes.as_ref().ok_or(RunRefusal::ReadOnly)?;
        let entry = self.entry(id)?;
        let summary = entry.summary();
        let refused = |sentence: &str| Err(RunRefusal::Input(sentence.to_owned()));
        match (entry.kind, summary.state) {
            (RunKind::Match | RunKind::Folder(Kind::Reproduce), _) => {
                refused("the same command again continues it")
            }
            (_, State::Running) => refused("the run is under way already"),
            (_, State::Finished) => refused("the run is finished"),
            (_, State::Interrupted) => processes.resume(&entry.path),
        }
    }

    /// Stops all runs that were started from here, and waits until they have written their checkpoints.
    pub(crate) fn stop_all(&self) {
        if let Some(processes) = &self.processes {
            processes.stop_all();
        }
    }

    fn entry(&self, id: &str) -> Result<Arc<Entry>, RunRefusal> {
        let known = |found: MutexGuard<'_, Found>| found.runs.get(id).cloned();
        if let Some(entry) = known(locked(&self.found)) {
            return Ok(entry);
        }
        self.entries();
        known(locked(&self.found)).ok_or(RunRefusal::Unknown)
    }

    /// All runs, looked for again if that was long ago.
    fn entries(&self) -> Vec<Arc<Entry>> {
        let mut found = locked(&self.found);
        if found.at.is_none_or(|at| at.elapsed() > FRESH) {
            let mut runs = BTreeMap::new();
            for root in &self.roots {
                for entry in look_through(root) {
                    let known = found.runs.get(&entry.id);
                    let known = known.filter(|known| known.kind == entry.kind).cloned();
                    runs.insert(entry.id.clone(), known.unwrap_or_else(|| Arc::new(entry)));
                }
            }
            *found = Found {
                at: Some(Instant::now()),
                runs,
            };
        }
        found.runs.values().cloned().collect()
    }
}

/// The run in one folder, or the records of one file, for a report.
///
/// # Errors
/// If there is neither.
pub fn look(path: &Path) -> Result<Arc<RunDetail>, RunRefusal> {
    entry_at(path).map(|entry| entry.detail())
}

/// The same for the tables of a reproduction.
///
/// # Errors
/// If it holds none, or they are damaged.
pub fn look_papers(path: &Path) -> Result<Arc<Papers>, RunRefusal> {
    entry_at(path)?.papers().map_err(RunRefusal::Input)
}

fn entry_at(path: &Path) -> Result<Entry, RunRefusal> {
    let name = canonical(path)
        .file_name()
        .map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let kind = match Kind::of(path) {
        Some(kind) => RunKind::Folder(kind),
        None if is_records(path) => RunKind::Match,
        None => return Err(RunRefusal::Unknown),
    };
    Ok(Entry::new(name, path.to_owned(), kind))
}

/// All runs and files of records below a folder.
fn look_through(root: &Path) -> Vec<Entry> {
    let (mut runs, mut records) = (Vec::new(), Vec::new());
    progress::find(root, 0, &mut runs, &mut records);
    let name = |path: &Path| match path.strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => {
            let own = canonical(root);
            own.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        }
        Ok(rest) => rest.to_string_lossy().into_owned(),
        Err(_) => path.to_string_lossy().into_owned(),
    };
    let runs = runs.into_iter().map(|(path, kind)| {
        let name = name(&path);
        Entry::new(name, path, RunKind::Folder(kind))
    });
    let records = records.into_iter().filter(|path| is_records(path));
    let matches = records.map(|path| {
        let name = name(&path.with_extension(""));
        Entry::new(name, path, RunKind::Match)
    });
    runs.chain(matches).collect()
}

/// Whether a file begins as records do.
fn is_records(path: &Path) -> bool {
    const BEGINNING: &[u8] = b"{\"game\":\"";
    let mut begin = [0; BEGINNING.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == BEGINNING
}

impl Entry {
    fn new(name: String, path: PathBuf, kind: RunKind) -> Self {
        Self {
            id: identifier(&name, &path),
            name,
            path,
            kind,
            reader: Mutex::default(),
        }
    }

    /// A number that changes with the files of the run, and when somebody begins or ceases to work on it.
    fn signature(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.kind {
            RunKind::Match => hash_file(&self.path, &mut hasher),
            RunKind::Folder(kind) => {
                let depth = if kind == Kind::Reproduce { 2 } else { 0 };
                hash_folder(&self.path, depth, &mut hasher);
                upstar_runs::RunFolder::is_busy(&self.path).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn summary(&self) -> RunSummary {
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
                let log = reader
                    .games
                    .entry(GAMES.to_owned())
                    .or_insert_with(|| GameLog::new(self.path.clone(), Source::Records));
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

    fn config(&self) -> String {
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

    fn detail(&self) -> Arc<RunDetail> {
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
            command: command(&manifest, &run),
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
        match self.kind {
            // It keeps no curves.
            RunKind::Folder(Kind::Fit) => {}
            RunKind::Folder(Kind::Solve) => {
                let tail = reader
                    .sessions
                    .get_or_insert_with(|| self.tail("sessions.jsonl"));
                tail.refresh_json();
                solve::show(&mut detail, &self.path, &config, tail.items());
                detail.remarks.extend(tail.fault().map(str::to_owned));
            }
            RunKind::Folder(Kind::Train) => {
                let tail = reader
                    .blocks
                    .get_or_insert_with(|| self.tail("results.jsonl"));
                tail.refresh_json();
                training::show(&mut detail, &config, tail.items());
                detail.remarks.extend(tail.fault().map(str::to_owned));
            }
            RunKind::Folder(Kind::Alphazero) => {
                let tail = reader
                    .lines
                    .get_or_insert_with(|| self.tail("learner.jsonl"));
                tail.refresh_json();
                let lines = tail.items();
                alphazero::show(&mut detail, &config, lines);
                detail.left = time_left(&detail.run, lines);
                detail.games = self.game_sets(lines.len() as u64);
                detail.remarks.extend(tail.fault().map(str::to_owned));
            }
            RunKind::Folder(Kind::Tune) => tuning::show(&mut detail, &self.path),
            RunKind::Match | RunKind::Folder(Kind::Tournament) => {
                let set = GameSet {
                    set: GAMES.to_owned(),
                    title: "all games".to_owned(),
                    step: None,
                };
                if let Some(log) = self.game_log(reader, &set) {
                    log.refresh();
                    detail.standings = Some(standings(log, &self.path, &config));
                    detail.remarks.extend(log.fault().map(str::to_owned));
                }
                detail.games.push(set);
            }
            RunKind::Folder(Kind::Reproduce) => match &reader.papers {
                Some((_, papers)) => detail.verdicts = Some(papers.summary),
                None => detail
                    .remarks
                    .push("The results cannot be read.".to_owned()),
            },
        }
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

    fn tail<T>(&self, name: &str) -> Tail<T> {
        Tail::new(self.path.join(name))
    }

    fn papers(&self) -> Result<Arc<Papers>, String> {
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

    /// The games of AlphaZero: those of the replay buffer's steps, and the tests after each step.
    fn game_sets(&self, steps: u64) -> Vec<GameSet> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        // The file of a step that has only begun may be empty.
        let is_filled = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| data.len() > 0);
        let names = entries
            .filter(is_filled)
            .filter_map(|entry| entry.file_name().into_string().ok());
        let step = |name: String| {
            let step = name.strip_prefix("games-")?.strip_suffix(".jsonl")?;
            step.parse::<u64>().ok()
        };
        let mut played: Vec<u64> = names.filter_map(step).collect();
        played.sort_unstable();
        let played = played.into_iter().rev().map(|step| GameSet {
            set: format!("{SELF_PLAY}{step}"),
            title: format!("self-play of step {step}"),
            step: Some(step),
        });
        let has_tests = self.path.join("evaluations.jsonl").is_file();
        let tested = (1..=steps).rev().filter(|_| has_tests);
        let tests = tested.map(|step| GameSet {
            set: format!("{TESTS}{step}"),
            title: format!("against MCTS after step {step}"),
            step: Some(step),
        });
        played.chain(tests).collect()
    }

    /// The log that has these games. The name of a set was compared with those that there are.
    fn game_log<'a>(&self, reader: &'a mut Reader, set: &GameSet) -> Option<&'a mut GameLog> {
        let config = || toml::from_str::<toml::Table>(&self.config()).unwrap_or_default();
        let game = || {
            let config = config();
            let game = config.get("game").and_then(toml::Value::as_str);
            game.unwrap_or_default().to_owned()
        };
        let (file, source) = match (self.kind, set.step) {
            (RunKind::Match, _) => (self.path.clone(), Source::Records),
            (RunKind::Folder(_), None) => (self.path.join("games.jsonl"), Source::Records),
            (RunKind::Folder(_), Some(step)) if set.set.starts_with(TESTS) => (
                self.path.join("evaluations.jsonl"),
                Source::Tests(game(), step),
            ),
            (RunKind::Folder(_), Some(step)) => {
                let file = self.path.join(format!("games-{step:06}.jsonl"));
                (file, Source::SelfPlay(game()))
            }
        };
        // Logs of a few steps are remembered, not those of all that were ever looked at.
        if reader.games.len() > 8 && !reader.games.contains_key(&set.set) {
            reader.games.clear();
        }
        let log = reader.games.entry(set.set.clone());
        Some(log.or_insert_with(|| GameLog::new(file, source)))
    }
}

/// The set of a tournament's games; beginnings of the names of AlphaZero's.
const GAMES: &str = "games";
const SELF_PLAY: &str = "step-";
const TESTS: &str = "tests-";

fn standings(log: &GameLog, path: &Path, config: &str) -> Standings {
    let table: toml::Table = toml::from_str(config).unwrap_or_default();
    let anchor = table.get("anchor").and_then(toml::Value::as_str);
    let read = upstar_arena::Config::read(&path.join(CONFIG)).ok();
    log.standings(anchor, read.map(|(config, _)| config.all_games()))
}

/// What the last steps took, for each of those that are left.
fn time_left(run: &RunSummary, lines: &[upstar_train::alphazero::Line]) -> Option<f64> {
    let share = run.share.filter(|&share| share > 0.0 && share < 1.0)?;
    let last = &lines[lines.len().saturating_sub(5)..];
    let seconds: f64 = last
        .iter()
        .map(|line| line.seconds.iter().sum::<f64>())
        .sum();
    let steps = lines.len() as f64 * (1.0 - share) / share;
    (run.state == State::Running && !last.is_empty()).then(|| steps * seconds / last.len() as f64)
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

fn about(run: &RunSummary) -> String {
    let what = match run.kind {
        RunKind::Folder(Kind::Solve) => "Who wins",
        RunKind::Folder(Kind::Train) => "Training of a small network",
        RunKind::Folder(Kind::Alphazero) => "AlphaZero training",
        RunKind::Folder(Kind::Tune) => "Search for parameters",
        RunKind::Folder(Kind::Tournament) => "Tournament",
        RunKind::Folder(Kind::Fit) => return "Evaluation of Othello, fitted".to_owned(),
        RunKind::Folder(Kind::Reproduce) => return "Tables of the papers, run again".to_owned(),
        RunKind::Match => return "Records of a match".to_owned(),
    };
    match run.game.as_str() {
        "" => what.to_owned(),
        game if what == "Who wins" => format!("{what} {game}?"),
        game => format!("{what}, {game}"),
    }
}

/// The command that began a run, or one that does the same where the manifest does not say it.
fn command(manifest: &Manifest, run: &RunSummary) -> String {
    let name = quoted(&run.name);
    if let [_, words @ ..] = manifest.command.as_slice()
        && !words.is_empty()
    {
        let words = words.iter().map(|word| quoted(word));
        return format!("upstar {}", words.collect::<Vec<_>>().join(" "));
    }
    match run.kind {
        RunKind::Folder(Kind::Train | Kind::Alphazero) => {
            format!("upstar train {name}/config.toml --out NEW")
        }
        RunKind::Folder(Kind::Tune) => format!("upstar tune {name}/config.toml --out NEW"),
        RunKind::Folder(Kind::Tournament) => {
            format!("upstar tournament {name}/config.toml --out NEW")
        }
        RunKind::Folder(Kind::Solve | Kind::Fit) => format!("upstar resume {name}"),
        RunKind::Folder(Kind::Reproduce) => format!("upstar reproduce --all --out {name}"),
        RunKind::Match => format!("upstar elo {name}.jsonl"),
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

/// Seconds as people say them.
pub(crate) fn spent(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match () {
        () if seconds < 10.0 => format!("{seconds:.1} s"),
        () if seconds < 120.0 => format!("{seconds:.0} s"),
        () if minutes < 120 => format!("{minutes} min"),
        () => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

fn settings(config: &str) -> Vec<Setting> {
    fn add(settings: &mut Vec<Setting>, key: &str, value: &toml::Value) {
        let below = |inner: &str| match key {
            "" => inner.to_owned(),
            key => format!("{key}.{inner}"),
        };
        match value {
            toml::Value::Table(table) => {
                table
                    .iter()
                    .for_each(|(inner, value)| add(settings, &below(inner), value));
            }
            toml::Value::Array(values) if values.iter().any(toml::Value::is_table) => {
                let values = (1..).zip(values);
                values.for_each(|(place, value)| add(settings, &below(&place.to_string()), value));
            }
            value => settings.push(Setting {
                key: key.to_owned(),
                value: value.to_string(),
            }),
        }
    }
    let table: toml::Table = toml::from_str(config).unwrap_or_default();
    let mut settings = Vec::new();
    add(&mut settings, "", &toml::Value::Table(table));
    settings
}

/// The networks of a run: those of steps in their order, then the last one of each side.
fn network_files(folder: &Path) -> Vec<(NetworkFile, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let network = |entry: fs::DirEntry| {
        let file = entry.file_name().into_string().ok()?;
        let name = file.strip_suffix(".safetensors")?;
        let rest = name.strip_prefix("network")?;
        let step = rest
            .strip_prefix('-')
            .map(|rest| rest.split('-').next().unwrap_or(rest));
        let step = step.and_then(|digits| digits.parse::<u64>().ok());
        let title = match (step, rest) {
            (Some(step), _) => format!("step {step}"),
            (None, "") => "last".to_owned(),
            (None, side) => format!("last, {}", side.trim_start_matches('-')),
        };
        let network = NetworkFile {
            name: name.to_owned(),
            title,
            step,
        };
        Some((network, entry.path()))
    };
    let mut networks: Vec<(NetworkFile, PathBuf)> = entries.filter_map(network).collect();
    networks.sort_by_key(|(network, _)| (network.step.unwrap_or(u64::MAX), network.name.clone()));
    networks
}

/// What a run is called in requests: letters of its name, and a fingerprint of where it is.
fn identifier(name: &str, path: &Path) -> String {
    let mut word = String::new();
    for c in name.chars().take(40) {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => word.push(c),
            _ if word.ends_with('-') || word.is_empty() => {}
            _ => word.push('-'),
        }
    }
    let place = canonical(path);
    let bytes = place.as_os_str().as_encoded_bytes().iter();
    let sum = fnv1a(bytes.map(|&byte| u64::from(byte))) as u32;
    format!("{}-{sum:08x}", word.trim_end_matches('-'))
}

fn canonical(path: &Path) -> PathBuf {
    let parent = || {
        Some(
            fs::canonicalize(path.parent()?)
                .ok()?
                .join(path.file_name()?),
        )
    };
    let place = fs::canonicalize(path).ok();
    // A folder that is not there yet has the place that it will have.
    place.or_else(parent).unwrap_or_else(|| path.to_owned())
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
