//! The folder of a run.
//!
//! A checkpoint is some files and `state.json`, which names them with their checksums and takes its place
//! last: what it names is whole, and a file that was changed or comes from another run is not taken for it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checksum::{checksum, checksum_of};
use crate::error::FolderError;
use crate::lines::{Lines, LogError};
use crate::links::check_links;
use crate::log::Log;
use crate::manifest::Manifest;
use crate::replace::{is_draft, remove_drafts};
use crate::seal::{Broken, Seals, seal, unseal};
use crate::{lock, write};

/// What the run does; where this file is, there is a run.
pub const CONFIG: &str = "config.toml";
/// What the run is.
pub const MANIFEST: &str = "manifest.json";
/// How far it is.
pub const STATE: &str = "state.json";
const LOCK: &str = "lock";

/// The most bytes that the small files of a run have.
const SMALL_FILE: u64 = 64 << 20;

/// The checksums of files, by name.
pub type Checksums = BTreeMap<String, String>;

/// What stands in `state.json`.
#[derive(Serialize, Deserialize)]
struct Checkpoint<S> {
    state: S,
    files: Checksums,
}

/// The folder of a run. Unless it is only looked at, no other process works in it meanwhile.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: Option<File>,
}

impl RunFolder {
    /// Begins a run in a new folder, or in an empty one.
    ///
    /// # Errors
    /// If something is in it, another process works there, or it cannot be written.
    pub fn create(path: &Path, manifest: Manifest, config: &str) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(|error| FolderError::io(path, &error))?;
        // The lock is a file too, so it is not taken in a folder of something else.
        check_empty(path)?;
        let folder = Self::take(path)?;
        // Another process may have had it until now.
        check_empty(path)?;
        folder.begin(manifest, config)?;
        Ok(folder)
    }

    /// The folder of a run, to go on with it.
    ///
    /// # Errors
    /// If there is no run, another process works in it, or a link leads out of it.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        if !path.join(CONFIG).is_file() {
            return Err(FolderError::NoRun(path.to_owned()));
        }
        Self::take(path)
    }

    /// The folder of a run to look at, also while another process works in it; it may not be there yet.
    ///
    /// # Errors
    /// If a link leads out of it.
    pub fn look(path: &Path) -> Result<Self, FolderError> {
        if path.is_dir() {
            check_links(path)?;
        }
        Ok(Self {
            path: path.to_owned(),
            lock: None,
        })
    }

    /// Takes a folder, whatever is in it, and makes it if it is not there. The system lets go of it when the
    /// process ends, however that happens. Drafts that killed programs have left are removed.
    ///
    /// # Errors
    /// If another process works in it, a link leads out of it, or it cannot be written.
    pub fn take(path: &Path) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(|error| FolderError::io(path, &error))?;
        check_links(path)?;
        let file = path.join(LOCK);
        let held = lock::hold(&file).map_err(|error| FolderError::io(&file, &error))?;
        let lock = held.ok_or_else(|| FolderError::Busy(path.to_owned()))?;
        remove_drafts(path);
        Ok(Self {
            path: path.to_owned(),
            lock: Some(lock),
        })
    }

    /// Begins a run in a folder that was taken.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&self, manifest: Manifest, config: &str) -> Result<(), FolderError> {
        self.write(MANIFEST, manifest.with_config(config).to_json())?;
        // It comes last: with it the folder holds a run.
        self.write(CONFIG, config)
    }

    /// Whether a process works in this folder.
    #[must_use]
    pub fn is_busy(path: &Path) -> bool {
        lock::is_held(&path.join(LOCK))
    }

    /// Whether it is only looked at.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    /// The place of a file in it; of the folder itself if the name is empty.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        match name {
            "" => self.path.clone(),
            name => self.path.join(name),
        }
    }

    /// What the run is.
    ///
    /// # Errors
    /// If the manifest is not there, or damaged.
    pub fn manifest(&self) -> Result<Manifest, FolderError> {
        Manifest::read(&self.path)
    }

    /// Whether the configuration is still the one that the run began with.
    ///
    /// # Errors
    /// If it is not, or the manifest cannot be read.
    pub fn check_config(&self, config: &str) -> Result<(), FolderError> {
        match self.manifest()?.config {
            Some(known) if known != checksum(config.as_bytes()) => {
                Err(FolderError::ConfigChanged(self.path(CONFIG)))
            }
            _ => Ok(()),
        }
    }

    /// Whether other files are still those that the run began with.
    ///
    /// # Errors
    /// If one is not, or the manifest cannot be read.
    pub fn check_files(&self, files: &Checksums) -> Result<(), FolderError> {
        let known = self.manifest()?.files;
        let is_other =
            |(file, sum): &(&String, &String)| known.get(*file).is_some_and(|it| it != *sum);
        match files.iter().find(is_other) {
            Some((file, _)) => Err(FolderError::FileChanged {
                file: file.clone(),
                folder: self.path.clone(),
            }),
            None => Ok(()),
        }
    }

    /// A file as text.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than such files are.
    pub fn read_text(&self, name: &str) -> Result<String, FolderError> {
        let path = self.path(name);
        let read = || -> io::Result<String> {
            if fs::metadata(&path)?.len() > SMALL_FILE {
                return Err(io::Error::other(format!(
                    "it is larger than {SMALL_FILE} bytes"
                )));
            }
            fs::read_to_string(&path)
        };
        read().map_err(|error| FolderError::io(&path, &error))
    }

    /// Writes a file that is there as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), FolderError> {
        let path = self.path(name);
        write(&path, bytes).map_err(|error| FolderError::io(&path, &error))
    }

    /// Writes an object behind its checksum.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If it is not an object in JSON.
    pub fn seal(&self, name: &str, object: &impl Serialize) -> Result<(), FolderError> {
        self.write(name, seal(object))
    }

    /// What [`Self::seal`] has written; `None` if it is not there.
    ///
    /// # Errors
    /// If it is not sealed or damaged.
    pub fn unseal<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FolderError> {
        let path = self.path(name);
        if !path.exists() {
            return Ok(None);
        }
        let text = match self.read_text(name) {
            Err(FolderError::Io {
                kind: io::ErrorKind::InvalidData,
                ..
            }) => return Err(FolderError::damaged(&path, "")),
            read => read?,
        };
        match unseal(&text) {
            Ok(object) => Ok(Some(object)),
            Err(Broken::Unsealed) => Err(FolderError::Unsealed(path)),
            Err(Broken::Damaged) => Err(FolderError::damaged(&path, "")),
        }
    }

    /// Writes how far the run is, with the checksums of the files that belong to it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_state(
        &self,
        state: &impl Serialize,
        mut files: Checksums,
    ) -> Result<(), FolderError> {
        files.insert(CONFIG.to_owned(), self.checksum_of(CONFIG)?);
        self.seal(STATE, &Checkpoint { state, files })
    }

    /// How far the run is, and the checksums of its files, all of which were looked at; `None` if it
    /// has no checkpoint yet.
    ///
    /// # Errors
    /// If the state or a file that it names is damaged.
    pub fn state<S: DeserializeOwned>(&self) -> Result<Option<(S, Checksums)>, FolderError> {
        let checkpoint = match self.unseal::<Checkpoint<S>>(STATE) {
            Err(FolderError::Unsealed(path)) => return Err(FolderError::damaged(&path, "")),
            other => other?,
        };
        let Some(Checkpoint { state, files }) = checkpoint else {
            return Ok(None);
        };
        for (name, known) in &files {
            if self.checksum_of(name)? != *known {
                return Err(FolderError::CheckpointChanged(self.path(name)));
            }
        }
        Ok(Some((state, files)))
    }

    /// The checksum of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn checksum_of(&self, name: &str) -> Result<String, FolderError> {
        let path = self.path(name);
        checksum_of(&path).map_err(|error| FolderError::io(&path, &error))
    }

    /// A file to which sealed lines are added.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn log(&self, name: &str) -> Result<Log, FolderError> {
        Ok(Log::append(&self.path(name))?)
    }

    /// Adds an object to a file as a line with a checksum, and waits until it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If it is not an object in JSON.
    pub fn append(&self, name: &str, object: &impl Serialize) -> Result<(), FolderError> {
        let mut log = self.log(name)?;
        log.add(object)?;
        Ok(log.sync()?)
    }

    /// The lines of a log, without a last one that was cut off; where the folder is ours it is taken out of
    /// the file too. None if the file is not there yet.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub fn lines<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, FolderError> {
        let path = self.path(name);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut lines = Lines::of(&path)?;
        let objects = lines.by_ref().collect::<Result<Vec<T>, _>>()?;
        if self.lock.is_some() {
            self.log(name)?.mend(lines.whole(), lines.open_end())?;
        }
        Ok(objects)
    }

    /// Drops the lines of a log that were written after the last checkpoint, and a last one that was cut off:
    /// they will be written again.
    ///
    /// # Errors
    /// If there are fewer than `lines`, one of them is damaged, or the file cannot be read or written.
    pub fn cut(&self, name: &str, lines: u64) -> Result<(), FolderError> {
        let path = self.path(name);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| FolderError::io(&path, &error))?,
        };
        let all = text.split_inclusive(|&byte| byte == b'\n');
        let all = all.filter(|line| line.ends_with(b"\n"));
        let (mut found, mut length) = (0, 0);
        let mut seals = Seals::default();
        for line in all.take(lines as usize) {
            found += 1;
            length += line.len();
            seals.check(line).map_err(|what| LogError {
                path: path.clone(),
                line: Some(found),
                what: what.to_owned(),
            })?;
        }
        if found < lines {
            return Err(FolderError::LinesMissing {
                path,
                found,
                expected: lines,
            });
        }
        match length == text.len() {
            true => Ok(()),
            false => self.write(name, &text[..length]),
        }
    }
}

/// Whether nothing is in a folder but what a run leaves that was killed at once.
fn check_empty(path: &Path) -> Result<(), FolderError> {
    let is_left = |name: &str| matches!(name, LOCK | MANIFEST) || is_draft(name);
    let taken = fs::read_dir(path)
        .map_err(|error| FolderError::io(path, &error))?
        .any(|entry| !entry.is_ok_and(|it| it.file_name().to_str().is_some_and(is_left)));
    match taken {
        false => Ok(()),
        true => Err(FolderError::NotEmpty(path.to_owned())),
    }
}
