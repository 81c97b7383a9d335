//! The runs below some folders, by their identifiers.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use upstar_games::printable;
use upstar_runs::{Kind, fnv1a};

use super::detail::{RunDetail, RunKind, RunList, RunSummary};
use super::entry::Entry;
use super::networks::network_files;
use super::process::Processes;
use super::progress::{State, find};
use super::{RunRefusal, game_sets, locked};
use crate::games::{GameFilter, GamePage};
use crate::papers::Papers;

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

    /// The same where runs can be started, stopped and resumed by this program, so many at once.
    #[must_use]
    pub fn with_program(self, program: PathBuf, at_once: usize) -> Self {
        Self {
            processes: Some(Processes::new(program, at_once)),
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
        let Some(set) = set else {
            let refused = || RunRefusal::Input("this run has no such games".to_owned());
            return game_sets::dropped(entry.kind, &filter.set).ok_or_else(refused);
        };
        let mut reader = locked(&entry.reader);
        let log = reader.game_log(&entry, set);
        log.refresh();
        let filter = GameFilter {
            set: set.set.clone(),
            ..filter.clone()
        };
        log.page(&filter).or_else(|sentence| {
            // The file may have gone since its name was read.
            let dropped = game_sets::dropped(entry.kind, &set.set);
            dropped
                .filter(|_| !log.exists())
                .ok_or(RunRefusal::Input(sentence))
        })
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
        let folder = processes.start(&self.roots, name, config)?;
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
        .map_or(String::new(), |name| printable(&name.to_string_lossy()));
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
    find(root, 0, &mut runs, &mut records);
    let name = |path: &Path| match path.strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => {
            let own = canonical(root);
            printable(&own.file_name().unwrap_or_default().to_string_lossy())
        }
        Ok(rest) => printable(&rest.to_string_lossy()),
        Err(_) => printable(&path.to_string_lossy()),
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

/// What a run is called in requests: letters of its name, and a fingerprint of where it is.
pub(super) fn identifier(name: &str, path: &Path) -> String {
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
