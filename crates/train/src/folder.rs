//! The folder of a run: configuration, manifest, results, and the checkpoint to go on from.
//!
//! A checkpoint is a few files named after the number of games, and `state.json`, which names them
//! with their checksums and is renamed into place last: what it names is whole, and a file that was
//! changed or comes from another run is not taken for it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use upstar_nets::Network;
use upstar_runs::{checksum, lock};

use crate::config::ConfigError;
use crate::learner::Block;

pub(crate) const CONFIG: &str = "config.toml";
const MANIFEST: &str = "manifest.json";
const RESULTS: &str = "results.jsonl";
const LOCK: &str = "lock";
pub(crate) const STATE: &str = "state.json";

/// A file to which lines are added. What was added outlives the program, and after [`Self::sync`] also the machine.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    pub(crate) fn add(&mut self, what: &impl Serialize) -> Result<(), RunError> {
        let line = serde_json::to_string(what).expect("it is plain data") + "\n";
        let added = self.file.write_all(line.as_bytes());
        added.map_err(|error| RunError::io(&self.path, &error))
    }

    pub(crate) fn sync(&self) -> Result<(), RunError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| RunError::io(&self.path, &error))
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) games: u64,
    pub(crate) evaluated: bool,
    /// Lines of results.
    pub(crate) lines: u64,
}

#[derive(Serialize)]
struct Manifest<'a> {
    program: &'static str,
    version: &'static str,
    seed: u64,
    machine: String,
    /// The checksum of `config.toml`: a run goes on with what it began with.
    config: String,
    /// The checksums of other files that it goes on with.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    files: &'a Checksums,
}

/// What a run began with.
#[derive(Deserialize)]
struct Known {
    config: Option<String>,
    #[serde(default)]
    files: Checksums,
}

/// The checksums of files, by name.
pub(crate) type Checksums = BTreeMap<String, String>;

/// What stands in `state.json` behind its own checksum.
#[derive(Serialize, Deserialize)]
struct Standing<S> {
    state: S,
    files: Checksums,
}

/// What stands in `state.json` before its checksum, and behind it.
const SEAL: &str = "{\"checksum\":\"";
const SEAL_END: &str = "\",";

/// While it is open no other process works in it.
pub(crate) struct Folder {
    path: PathBuf,
    lock: Option<File>,
}

impl Folder {
    /// Begins a run in a new folder, or in an empty one.
    pub(crate) fn create(
        path: &Path,
        config: &str,
        seed: u64,
        files: &Checksums,
    ) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(|error| RunError::io(path, &error))?;
        // The lock is a file too, so it is not taken in a folder of something else.
        Self::check_empty(path)?;
        let folder = Self::locked(path)?;
        // Another process may have had it until now.
        Self::check_empty(path)?;
        let manifest = Manifest {
            program: "upstar",
            version: env!("CARGO_PKG_VERSION"),
            seed,
            machine: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            config: checksum(config.as_bytes()),
            files,
        };
        let manifest = serde_json::to_string_pretty(&manifest).expect("it is plain data");
        folder.write(MANIFEST, manifest.as_bytes())?;
        // It comes last: with it the folder holds a run.
        folder.write(CONFIG, config.as_bytes())?;
        Ok(folder)
    }

    /// Whether nothing is in a folder but what a run leaves that was killed at once.
    fn check_empty(path: &Path) -> Result<(), RunError> {
        let is_left = |name: &str| matches!(name, LOCK | MANIFEST) || name.ends_with(".part");
        let taken = fs::read_dir(path)
            .map_err(|error| RunError::io(path, &error))?
            .any(|entry| !entry.is_ok_and(|it| it.file_name().to_str().is_some_and(is_left)));
        match taken {
            false => Ok(()),
            true => Err(RunError {
                sentence: format!("{} is not empty", path.display()),
                example: Some(format!(
                    "upstar resume {}, or another folder",
                    path.display()
                )),
            }),
        }
    }

    /// A folder that may not be there yet.
    pub(crate) fn named(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            lock: None,
        }
    }

    /// The folder of a run.
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        if !path.join(CONFIG).is_file() {
            let sentence = format!("{} holds no run: there is no {CONFIG}", path.display());
            return Err(RunError::of(sentence));
        }
        Self::locked(path)
    }

    fn known(&self) -> Result<Known, RunError> {
        serde_json::from_str(&self.read_text(MANIFEST)?).map_err(|error| {
            let path = self.path(MANIFEST);
            RunError::of(format!("{} is damaged: {error}", path.display()))
        })
    }

    /// Whether other files are still those that the run began with.
    pub(crate) fn check_files(&self, files: &Checksums) -> Result<(), RunError> {
        let known = self.known()?.files;
        let is_other =
            |(file, sum): &(&String, &String)| known.get(*file).is_some_and(|it| it != *sum);
        match files.iter().find(is_other) {
            Some((file, _)) => Err(RunError::of(format!(
                "{file} was changed since the run in {} began",
                self.path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Whether the configuration is still the one that the run began with.
    pub(crate) fn check_config(&self, config: &str) -> Result<(), RunError> {
        match self.known()?.config {
            Some(known) if known != checksum(config.as_bytes()) => Err(RunError {
                sentence: format!(
                    "{} was changed since the run began, and {MANIFEST} knows it as it was",
                    self.path(CONFIG).display()
                ),
                example: Some(format!(
                    "{CONFIG} as it was; with another, a run in another folder"
                )),
            }),
            _ => Ok(()),
        }
    }

    /// Whether a run without `state.json` has not begun yet, as when it was killed at once.
    pub(crate) fn check_fresh(&self) -> Result<(), RunError> {
        let entries = fs::read_dir(&self.path).map_err(|error| RunError::io(&self.path, &error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let begun = names.into_iter().find(|name| {
            let is_network = name.starts_with("network") && name.ends_with(".safetensors");
            name == RESULTS || is_network && !name.starts_with(&Self::network_prefix(0))
        });
        match begun {
            Some(name) => Err(RunError::of(format!(
                "{} is missing, but there is {name}: the run had begun, and would begin anew",
                self.path(STATE).display()
            ))),
            None => Ok(()),
        }
    }

    /// Takes hold of a folder; the system lets go of it when the process ends, however that happens.
    fn locked(path: &Path) -> Result<Self, RunError> {
        let file = path.join(LOCK);
        let held = lock::hold(&file).map_err(|error| RunError::io(&file, &error))?;
        let lock = held
            .ok_or_else(|| RunError::of(format!("another process works in {}", path.display())))?;
        Ok(Self {
            path: path.to_owned(),
            lock: Some(lock),
        })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn read_text(&self, name: &str) -> Result<String, RunError> {
        let path = self.path(name);
        fs::read_to_string(&path).map_err(|error| RunError::io(&path, &error))
    }

    /// Writes a file that is there as a whole or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path(name);
        upstar_runs::write(&path, bytes).map_err(|error| RunError::io(&path, &error))
    }

    /// Writes how far the run is, with the checksums of the files that belong to it.
    pub(crate) fn write_state(
        &self,
        state: &impl Serialize,
        mut files: Checksums,
    ) -> Result<(), RunError> {
        files.insert(CONFIG.to_owned(), self.checksum_of(CONFIG)?);
        let standing = Standing { state, files };
        let text = serde_json::to_string(&standing).expect("it is plain data");
        let text = text.strip_prefix('{').expect("it is an object");
        let text = format!("{SEAL}{}{}{text}", checksum(text.as_bytes()), SEAL_END);
        self.write(STATE, text.as_bytes())
    }

    /// How far the run is, and the checksums of its files, all of which were looked at; `None` if it
    /// has no checkpoint yet.
    pub(crate) fn state<S: for<'de> Deserialize<'de>>(
        &self,
    ) -> Result<Option<(S, Checksums)>, RunError> {
        if !self.path(STATE).exists() {
            return Ok(None);
        }
        let text = self.read_text(STATE)?;
        let damaged = || RunError::of(format!("{} is damaged", self.path(STATE).display()));
        let (known, rest) = text
            .strip_prefix(SEAL)
            .and_then(|text| text.split_once(SEAL_END))
            .ok_or_else(damaged)?;
        if known != checksum(rest.as_bytes()) {
            return Err(damaged());
        }
        let standing: Standing<S> = serde_json::from_str(&text).map_err(|_| damaged())?;
        for (name, known) in &standing.files {
            if self.checksum_of(name)? != *known {
                return Err(RunError::of(format!(
                    "{} was changed, or comes from another run: {STATE} knows it as it was",
                    self.path(name).display()
                )));
            }
        }
        Ok(Some((standing.state, standing.files)))
    }

    /// The checksum of a file.
    pub(crate) fn checksum_of(&self, name: &str) -> Result<String, RunError> {
        checksum_of(&self.path(name))
    }

    fn network_prefix(games: u64) -> String {
        format!("network-{games:012}-")
    }

    fn network_name(games: u64, number: usize) -> String {
        format!("{}{number}.safetensors", Self::network_prefix(games))
    }

    fn adam_name(games: u64, number: usize) -> String {
        format!("adam-{games:012}-{number}.bin")
    }

    /// Writes a checkpoint, and removes what the one before needed unless it is to be kept.
    pub(crate) fn checkpoint(
        &self,
        state: State,
        before: Option<(State, bool)>,
        students: &[(&Network, Option<Vec<f32>>)],
    ) -> Result<(), RunError> {
        let mut files = Checksums::new();
        let mut write = |name: String, bytes: &[u8]| -> Result<(), RunError> {
            self.write(&name, bytes)?;
            files.insert(name, checksum(bytes));
            Ok(())
        };
        for (number, (network, adam)) in students.iter().enumerate() {
            let name = Self::network_name(state.games, number);
            write(name, &network.to_bytes())?;
            if let Some(numbers) = adam {
                let name = Self::adam_name(state.games, number);
                write(name, &adam_bytes(numbers))?;
            }
        }
        self.write_state(&state, files)?;
        if let Some((before, keep)) = before.filter(|(before, _)| before.games != state.games) {
            for number in 0..students.len() {
                // A file that stays behind does no harm.
                let _ = fs::remove_file(self.path(&Self::adam_name(before.games, number)));
                if !keep {
                    let _ = fs::remove_file(self.path(&Self::network_name(before.games, number)));
                }
            }
        }
        Ok(())
    }

    /// The network of a checkpoint.
    pub(crate) fn network(&self, games: u64, number: usize) -> Result<Network, RunError> {
        let path = self.path(&Self::network_name(games, number));
        Network::load(&path).map_err(|error| RunError::of(format!("{}: {error}", path.display())))
    }

    /// What Adam kept at a checkpoint.
    pub(crate) fn adam(&self, games: u64, number: usize) -> Result<Vec<f32>, RunError> {
        let path = self.path(&Self::adam_name(games, number));
        let bytes = fs::read(&path).map_err(|error| RunError::io(&path, &error))?;
        adam_numbers(&bytes).ok_or_else(|| {
            let path = path.display();
            RunError::of(format!("{path} is damaged, or of another version"))
        })
    }

    /// Adds a line of results.
    pub(crate) fn add(&self, block: &Block) -> Result<(), RunError> {
        self.append(RESULTS, block)
    }

    /// Adds a line to a file.
    pub(crate) fn append(&self, name: &str, what: &impl Serialize) -> Result<(), RunError> {
        let mut log = self.log(name)?;
        log.add(what)?;
        log.sync()
    }

    /// A file to which lines are added.
    pub(crate) fn log(&self, name: &str) -> Result<Log, RunError> {
        let path = self.path(name);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|error| RunError::io(&path, &error))?;
        Ok(Log { path, file })
    }

    /// Drops lines that were written after the last checkpoint, and a last one that was cut off:
    /// they will be written again.
    pub(crate) fn cut(&self, lines: u64) -> Result<(), RunError> {
        self.cut_file(RESULTS, lines)
    }

    /// The same for any file of lines, which has to have so many.
    pub(crate) fn cut_file(&self, name: &str, lines: u64) -> Result<(), RunError> {
        let path = self.path(name);
        let text = if path.exists() {
            self.read_text(name)?
        } else {
            String::new()
        };
        let kept: String = text.split_inclusive('\n').take(lines as usize).collect();
        let whole = kept.matches('\n').count() as u64;
        if whole < lines {
            return Err(RunError::of(format!(
                "{} has {whole} lines, and {STATE} says that there were {lines}",
                path.display()
            )));
        }
        if kept.len() == text.len() {
            return Ok(());
        }
        self.write(name, kept.as_bytes())
    }

    /// The lines of results.
    pub(crate) fn results(&self) -> Result<Vec<Block>, RunError> {
        self.lines(RESULTS)
    }

    /// The lines of a file; none if it is not there yet.
    pub(crate) fn lines<T: for<'de> Deserialize<'de>>(
        &self,
        name: &str,
    ) -> Result<Vec<T>, RunError> {
        match self.path(name).exists() {
            true => self.parsed(name, &self.read_text(name)?),
            false => Ok(Vec::new()),
        }
    }

    fn parsed<T: for<'de> Deserialize<'de>>(
        &self,
        name: &str,
        text: &str,
    ) -> Result<Vec<T>, RunError> {
        let damaged = |(number, error)| {
            let path = self.path(name);
            RunError::of(format!(
                "{}, line {number} is damaged: {error}",
                path.display()
            ))
        };
        let parsed = text.lines().enumerate().map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| damaged((index + 1, error)))
        });
        parsed.collect()
    }

    /// The lines of a file to which lines are added, without a last one that was cut off; where the folder
    /// is ours it is taken out of the file too.
    pub(crate) fn whole_lines<T: for<'de> Deserialize<'de>>(
        &self,
        name: &str,
    ) -> Result<Vec<T>, RunError> {
        if !self.path(name).exists() {
            return Ok(Vec::new());
        }
        let text = self.read_text(name)?;
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        if whole.len() < text.len() && self.lock.is_some() {
            self.write(name, whole.as_bytes())?;
        }
        self.parsed(name, whole)
    }
}

/// How the file of what Adam keeps begins; behind it a checksum and the numbers.
const ADAM: [u8; 8] = *b"UPADAM01";

fn adam_bytes(numbers: &[f32]) -> Vec<u8> {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    let numbers: Vec<u8> = numbers.collect();
    [ADAM.as_slice(), checksum(&numbers).as_bytes(), &numbers].concat()
}

/// What [`adam_bytes`] wrote; `None` if it is damaged.
fn adam_numbers(bytes: &[u8]) -> Option<Vec<f32>> {
    let (sum, numbers) = bytes.strip_prefix(&ADAM)?.split_at_checked(16)?;
    let (words, rest) = numbers.as_chunks();
    let whole = rest.is_empty() && sum == checksum(numbers).as_bytes();
    whole.then(|| words.iter().map(|word| f32::from_le_bytes(*word)).collect())
}

/// The checksum of a file.
pub(crate) fn checksum_of(path: &Path) -> Result<String, RunError> {
    upstar_runs::checksum_of(path).map_err(|error| RunError::io(path, &error))
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// What is wrong.
    pub sentence: String,
    /// How it could be right, where that can be said.
    pub example: Option<String>,
}

impl RunError {
    pub(crate) fn of(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            example: None,
        }
    }

    /// The same, with the name of the file in which it is wrong.
    pub(crate) fn in_file(self, file: &str) -> Self {
        Self {
            sentence: format!("{file}, {}", self.sentence),
            ..self
        }
    }

    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::of(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)?;
        match &self.example {
            Some(example) => write!(f, "; for example {example}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ConfigError> for RunError {
    fn from(error: ConfigError) -> Self {
        Self {
            sentence: error.sentence,
            example: Some(error.example),
        }
    }
}
