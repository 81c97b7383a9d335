//! What was proved, kept in a file from one analysis to the next.
//!
//! Each line is one position with what is known of it, sealed by a checksum; turned and mirrored images
//! of a position are one entry. Lines are only added, and the tightest bounds hold.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use upstar_games::AnyGame;
use upstar_runs::{LONGEST_LINE, Log, LogError};
use upstar_solve::Outcome;

use crate::knowledge::Knowledge;

/// Proved results by position: in a file, or by default in memory only.
#[derive(Default)]
pub struct ProvedResults(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    log: Option<Log>,
    known: HashMap<Key, Knowledge>,
    /// What went wrong when a line was added; told when the book is closed.
    failure: Option<LogError>,
}

/// A game, a position in its normal form, and the side to move.
type Key = (String, String, char);

/// A line of the file: results for the side to move.
#[derive(Serialize, Deserialize)]
struct Line {
    game: String,
    position: String,
    to_move: char,
    proved: Option<Proved>,
    at_least: Option<i32>,
    at_most: Option<i32>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Proved {
    Win,
    Draw,
    Loss,
}

impl ProvedResults {
    /// Opens a file of them, or begins one.
    ///
    /// # Errors
    /// If the file cannot be read and written, another program holds it, or it is something else.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let mut known: HashMap<Key, Knowledge> = HashMap::new();
        let log = Log::hold(path, "{\"game\":", LONGEST_LINE, |line: &Line| {
            let key = (line.game.clone(), line.position.clone(), line.to_move);
            known.entry(key).or_default().learn(&line.known());
            Ok(())
        })?;
        Ok(Self(Mutex::new(Inner {
            log: Some(log.sealed()),
            known,
            failure: None,
        })))
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many positions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.locked().known.len()
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is proved of a position, for the side to move.
    #[must_use]
    pub fn find(&self, game: &AnyGame) -> Option<Knowledge> {
        self.locked().known.get(&key(game)).cloned()
    }

    /// Keeps what is proved of a position, for the side to move.
    pub(crate) fn keep(&self, game: &AnyGame, known: &Knowledge) {
        let key = key(game);
        let mut inner = self.locked();
        let old = inner.known.entry(key.clone()).or_default();
        let before = old.clone();
        old.learn(known);
        old.estimate = None;
        if *old == before {
            return;
        }
        let line = Line {
            game: key.0,
            position: key.1,
            to_move: key.2,
            proved: old.outcome.map(|outcome| match outcome {
                Outcome::Win => Proved::Win,
                Outcome::Draw => Proved::Draw,
                Outcome::Loss => Proved::Loss,
            }),
            at_least: old.at_least,
            at_most: old.at_most,
        };
        if let Some(Err(error)) = inner.log.as_mut().map(|log| log.add(&line)) {
            inner.failure = Some(error);
        }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn sync(&self) -> Result<(), LogError> {
        let mut inner = self.locked();
        match inner.failure.take() {
            Some(error) => Err(error),
            None => inner.log.as_ref().map_or(Ok(()), Log::sync),
        }
    }
}

impl Line {
    fn known(&self) -> Knowledge {
        let mut known = Knowledge {
            outcome: self.proved.map(|proved| match proved {
                Proved::Win => Outcome::Win,
                Proved::Draw => Outcome::Draw,
                Proved::Loss => Outcome::Loss,
            }),
            ..Knowledge::default()
        };
        known.bound(self.at_least, self.at_most);
        known
    }
}

fn key(game: &AnyGame) -> Key {
    let (position, to_move) = normal_form(game);
    (game.variant().to_string(), position, to_move)
}

/// The same for a position and all its turned and mirrored images, and the side to move.
pub(crate) fn normal_form(game: &AnyGame) -> (String, char) {
    let images = game.symmetries().into_iter();
    let text = |image: AnyGame| image.setup().to_string();
    let position = images.map(text).min().expect("itself is one of them");
    (position, game.side_to_move().letter())
}
