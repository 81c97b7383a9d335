//! What a training keeps in the folder of its run: results, and the checkpoint to go on from.
//!
//! A checkpoint is a few files named after the number of games, and the state, which names them with their
//! checksums.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use upstar_jobs::ThreadError;
use upstar_nets::Network;
pub(crate) use upstar_runs::{CONFIG, Checksums, RunFolder, STATE};
use upstar_runs::{FolderError, LogError, checksum};

use crate::config::ConfigError;

pub(crate) const RESULTS: &str = "results.jsonl";

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) games: u64,
    pub(crate) evaluated: bool,
    /// Lines of results.
    pub(crate) lines: u64,
    /// Lines of the training set, where it grows.
    #[serde(default)]
    pub(crate) examples: u64,
    /// How long it has learned, where that is limited, in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) micros: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The checkpoints of a training.
pub(crate) trait Checkpoints {
    /// Whether a run without `state.json` has not begun yet, as when it was killed at once.
    fn check_fresh(&self) -> Result<(), RunError>;

    /// Writes a checkpoint, and removes what the one before needed unless it is to be kept.
    fn checkpoint(
        &self,
        state: State,
        before: Option<(State, bool)>,
        students: &[(&Network, Option<Vec<f32>>)],
    ) -> Result<(), RunError>;

    /// The network of a checkpoint.
    fn network(&self, games: u64, number: usize) -> Result<Network, RunError>;

    /// What Adam kept at a checkpoint.
    fn adam(&self, games: u64, number: usize) -> Result<Vec<f32>, RunError>;
}

impl Checkpoints for RunFolder {
    fn check_fresh(&self) -> Result<(), RunError> {
        let entries =
            fs::read_dir(self.path("")).map_err(|error| RunError::io(&self.path(""), &error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let begun = names.into_iter().find(|name| {
            let is_network = name.starts_with("network") && name.ends_with(".safetensors");
            name == RESULTS || is_network && !name.starts_with(&network_prefix(0))
        });
        match begun {
            Some(name) => Err(RunError::of(format!(
                "{} is missing, but there is {name}: the run has already begun and would start over",
                self.path(STATE).display()
            ))),
            None => Ok(()),
        }
    }

    fn checkpoint(
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
            let name = network_name(state.games, number);
            write(name, &network.to_bytes())?;
            if let Some(numbers) = adam {
                let name = adam_name(state.games, number);
                write(name, &adam_bytes(numbers))?;
            }
        }
        self.write_state(&state, files)?;
        if let Some((before, keep)) = before.filter(|(before, _)| before.games != state.games) {
            for number in 0..students.len() {
                // A file that stays behind does no harm.
                let _ = fs::remove_file(self.path(&adam_name(before.games, number)));
                if !keep {
                    let _ = fs::remove_file(self.path(&network_name(before.games, number)));
                }
            }
        }
        Ok(())
    }

    fn network(&self, games: u64, number: usize) -> Result<Network, RunError> {
        let path = self.path(&network_name(games, number));
        Network::load(&path).map_err(|error| RunError::of(format!("{}: {error}", path.display())))
    }

    fn adam(&self, games: u64, number: usize) -> Result<Vec<f32>, RunError> {
        let path = self.path(&adam_name(games, number));
        let bytes = fs::read(&path).map_err(|error| RunError::io(&path, &error))?;
        adam_numbers(&bytes).ok_or_else(|| {
            let path = path.display();
            RunError::of(format!("{path} is damaged, or of another version"))
        })
    }
}

fn network_prefix(games: u64) -> String {
    format!("network-{games:012}-")
}

fn network_name(games: u64, number: usize) -> String {
    format!("{}{number}.safetensors", network_prefix(games))
}

fn adam_name(games: u64, number: usize) -> String {
    format!("adam-{games:012}-{number}.bin")
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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{sentence}{}", example.as_ref().map_or(String::new(), |it| format!("; for example {it}")))]
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

impl From<ThreadError> for RunError {
    fn from(error: ThreadError) -> Self {
        Self::of(error.to_string())
    }
}

impl From<ConfigError> for RunError {
    fn from(error: ConfigError) -> Self {
        Self {
            sentence: error.sentence,
            example: Some(error.example),
        }
    }
}

impl From<FolderError> for RunError {
    fn from(error: FolderError) -> Self {
        Self {
            sentence: error.to_string(),
            example: error.advice(),
        }
    }
}

impl From<LogError> for RunError {
    fn from(error: LogError) -> Self {
        FolderError::from(error).into()
    }
}
