//! The kinds of runs.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::folder::CONFIG;
use crate::manifest::Manifest;

/// What a run does; `resume` and `report` go by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A long solve.
    Solve,
    /// A small network that learns.
    Train,
    /// A large network that learns from games against itself.
    Alphazero,
    /// A search for parameters of learning.
    Tune,
    /// Agents that play each other.
    Tournament,
    /// The papers' experiments.
    Reproduce,
    /// An evaluation that is fitted to games.
    Fit,
}

impl Kind {
    /// The kind of the run in this folder: by its manifest, or by its configuration where an older
    /// program wrote the manifest. `None` if there is no run that this program knows.
    #[must_use]
    pub fn of(folder: &Path) -> Option<Self> {
        let manifest = Manifest::read(folder).ok();
        let known = manifest.as_ref().and_then(|manifest| manifest.kind);
        match fs::read_to_string(folder.join(CONFIG)) {
            Ok(config) => known.or_else(|| Self::of_config(&toml::from_str(&config).ok()?)),
            // Only reproductions have no configuration.
            Err(_) => manifest?.detail::<f64>("scale").map(|_| Self::Reproduce),
        }
    }

    /// The kind of run that a configuration describes, by the sections and keys that only it has.
    #[must_use]
    pub fn of_config(config: &toml::Table) -> Option<Self> {
        let has = |key: &str| config.contains_key(key);
        Some(match () {
            () if has("fit") => Self::Fit,
            () if has("players") => Self::Tournament,
            () if has("space") => Self::Tune,
            () if has("alphazero") || has("boards") => Self::Alphazero,
            () if has("network") || has("learning") || has("opponent") => Self::Train,
            () if has("position") && has("to_move") => Self::Solve,
            () => return None,
        })
    }

    /// What it is called in manifests and lists.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Train => "train",
            Self::Alphazero => "alphazero",
            Self::Tune => "tune",
            Self::Tournament => "tournament",
            Self::Reproduce => "reproduce",
            Self::Fit => "fit",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
