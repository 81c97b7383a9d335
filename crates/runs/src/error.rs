//! What can be wrong with the folder of a run.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lines::LogError;

/// Why a run's folder cannot be worked with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("{}: {what}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// The kind of failure.
        kind: io::ErrorKind,
        /// What the system says.
        what: String,
    },
    /// Another process holds the lock.
    #[error("another process works in {}", .0.display())]
    Busy(PathBuf),
    /// A run was to begin where something else is.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A run was to begin where there is one.
    #[error("{} holds a run already", .0.display())]
    Taken(PathBuf),
    /// There is no run.
    #[error("{} holds no run: there is no {}", .0.display(), crate::CONFIG)]
    NoRun(PathBuf),
    /// A file is not as it was written.
    #[error("{} is damaged{}{what}", path.display(), if what.is_empty() { "" } else { ": " })]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it, where more can be said.
        what: String,
    },
    /// A file that should be sealed is not.
    #[error("{} is not sealed, so its contents cannot be trusted", .0.display())]
    Unsealed(PathBuf),
    /// The configuration was changed.
    #[error("{} was changed after the run began: it does not match {}", .0.display(), crate::MANIFEST)]
    ConfigChanged(PathBuf),
    /// A file that the run depends on was changed.
    #[error("{file} was changed since the run in {} began", folder.display())]
    FileChanged {
        /// Which one.
        file: String,
        /// The run's folder.
        folder: PathBuf,
    },
    /// A file of the last checkpoint was changed.
    #[error("{} was changed or comes from another run: it does not match {}", .0.display(), crate::STATE)]
    CheckpointChanged(PathBuf),
    /// A log is shorter than the state says.
    #[error("{} has {found} lines, but {} records {expected}", path.display(), crate::STATE)]
    LinesMissing {
        /// Which log.
        path: PathBuf,
        /// How many lines it has.
        found: u64,
        /// How many it should have at least.
        expected: u64,
    },
    /// A symbolic link in the folder names something outside it.
    #[error("{} is a symbolic link that leads out of the folder, to {}", link.display(), target.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// A line of a log.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl FolderError {
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            kind: error.kind(),
            what: error.to_string(),
        }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    /// What would be right, where that can be said.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        Some(match self {
            Self::NotEmpty(path) | Self::Taken(path) => {
                format!("upstar resume {}, or another folder", path.display())
            }
            Self::ConfigChanged(_) => format!(
                "{} as it was; with another, a run in another folder",
                crate::CONFIG
            ),
            Self::LeadsOut { .. } => {
                "the folder with the file itself instead of the link".to_owned()
            }
            Self::Busy(_) => "wait for it, or another folder".to_owned(),
            _ => return None,
        })
    }
}
