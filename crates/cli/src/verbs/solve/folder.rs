//! A long solve as a folder: what was asked, what has been found, and how long it took so far.
//!
//! `config.toml` says what is solved and how, `manifest.json` with which program on which machine,
//! `results.journal` holds every result that took long, `sessions.jsonl` a line per session, and
//! `result.json` the answer. Killed at any moment it loses seconds of work; `upstar resume` goes on.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use upstar_jobs::quantity::{LEAST_MEMORY, MOST_MEMORY, MOST_THREADS};
use upstar_runs::lock;
use upstar_solve::{Finding, Journal, SearchName};

use super::Solved;
use crate::failure::{Failure, shown};
use crate::input;

/// What is solved, and how.
#[derive(Serialize, Deserialize)]
pub(crate) struct Config {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) to_move: char,
    pub(crate) threads: usize,
    pub(crate) memory: usize,
    pub(crate) proof: Option<PathBuf>,
    /// Othello: how many discs, not only who wins.
    #[serde(default)]
    pub(crate) exact: bool,
    #[serde(default)]
    pub(crate) empties_to_winner: bool,
}

#[derive(Serialize)]
struct Manifest {
    version: &'static str,
    os: &'static str,
    architecture: &'static str,
    processors: usize,
}

/// The answer, with the question, so that it is not taken for another one's.
#[derive(Serialize, Deserialize)]
struct Answer {
    question: Question,
    #[serde(flatten)]
    solved: Solved,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Question {
    game: String,
    position: String,
    to_move: char,
    exact: bool,
    empties_to_winner: bool,
}

impl Question {
    fn of(config: &Config) -> Self {
        Self {
            game: config.game.clone(),
            position: config.position.clone(),
            to_move: config.to_move,
            exact: config.exact,
            empties_to_winner: config.empties_to_winner,
        }
    }
}

/// What one session spent.
#[derive(Serialize, Deserialize)]
pub(super) struct Session {
    seconds: f64,
    nodes: u64,
    threads: usize,
    memory: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_moves_refuted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_moves: Option<usize>,
    proved: bool,
}

impl Session {
    pub(super) fn of(solved: &Solved, threads: usize, memory: usize) -> Self {
        Self {
            seconds: solved.seconds,
            nodes: solved.nodes,
            threads,
            memory,
            first_moves_refuted: None,
            first_moves: None,
            proved: solved.proved,
        }
    }
}

/// The most bytes that the small files of a run have.
const SMALL_FILE: u64 = 1 << 20;
const SESSIONS: u64 = 64 << 20;

/// The folder of a run. While it is open no other process works in it.
pub(crate) struct Folder {
    path: PathBuf,
    _lock: fs::File,
}

/// Takes hold of a folder; the system lets go of it when the process ends, however that happens.
fn held(path: &Path) -> Result<fs::File, Failure> {
    let file = path.join("lock");
    let held = lock::hold(&file).map_err(|error| Failure::file(&file, &error))?;
    held.ok_or_else(|| {
        let sentence = format!("another process works in {}", shown(path));
        Failure::input(sentence, "wait for it, or another folder for --out")
    })
}

impl Folder {
    /// Begins a run.
    pub(super) fn create(path: &Path, config: &Config) -> Result<Self, Failure> {
        let file = path.join("config.toml");
        if file.exists() {
            let sentence = format!("{} holds a run already", shown(path));
            return Err(Failure::input(
                sentence,
                format!("upstar resume {}", shown(path)),
            ));
        }
        fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
        let folder = Self {
            path: path.to_owned(),
            _lock: held(path)?,
        };
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION"),
            os: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
            processors: std::thread::available_parallelism().map_or(1, Into::into),
        };
        let json = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        folder.write("manifest.json", &(json + "\n"))?;
        let text = toml::to_string(config).map_err(|error| Failure::file(&file, &error))?;
        folder.write("config.toml", &text)?;
        Ok(folder)
    }

    /// The run in this folder.
    pub(crate) fn open(path: &Path) -> Result<(Self, Config), Failure> {
        let file = path.join("config.toml");
        let refused = |error: &dyn std::fmt::Display| {
            let sentence = format!("{} holds no run: {error}", shown(path));
            Failure::input(
                sentence,
                "upstar resume DIR after solve, tournament, train or tune with --out DIR; reproduce goes on by the same command",
            )
        };
        if !file.is_file() {
            return Err(refused(&"there is no file config.toml"));
        }
        let bytes = input::read_file(&file, SMALL_FILE)?;
        let damaged = |error: &dyn std::fmt::Display| refused(&format!("config.toml: {error}"));
        let text = String::from_utf8(bytes).map_err(|error| damaged(&error))?;
        let config: Config = toml::from_str(&text).map_err(|error| damaged(&error.message()))?;
        let memory = LEAST_MEMORY..=MOST_MEMORY;
        if !(1..=MOST_THREADS).contains(&config.threads) || !memory.contains(&config.memory) {
            return Err(refused(
                &"threads or memory in config.toml are out of range",
            ));
        }
        Ok((
            Self {
                path: path.to_owned(),
                _lock: held(path)?,
            },
            config,
        ))
    }

    /// Writes a file that is there as a whole or not at all.
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let file = self.path.join(name);
        upstar_runs::write(&file, text).map_err(|error| Failure::file(&file, &error))
    }

    /// The answer, if the run has come to its end.
    pub(super) fn result(&self, config: &Config) -> Result<Option<Solved>, Failure> {
        let file = self.path.join("result.json");
        if !file.exists() {
            return Ok(None);
        }
        let refused = |why: &str| {
            let sentence = format!("{}: {why}", shown(&file));
            Failure::input(sentence, "the folder without this file, to search again")
        };
        let bytes = input::read_file(&file, SMALL_FILE)?;
        let answer: Answer =
            serde_json::from_slice(&bytes).map_err(|_| refused("it is damaged"))?;
        if answer.question != Question::of(config) {
            return Err(refused("it answers another question than config.toml asks"));
        }
        let mut solved = answer.solved;
        let winner = solved.winner.as_deref();
        solved.is_good_move = winner == Some("draw") || winner == Some(&config.to_move.to_string());
        Ok(Some(solved))
    }

    /// What earlier sessions took: nodes and seconds.
    fn spent(&self) -> (u64, f64) {
        let bytes =
            input::read_file(&self.path.join("sessions.jsonl"), SESSIONS).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let sessions = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Session>(line).ok());
        sessions.fold((0, 0.0), |(nodes, seconds), session| {
            (nodes + session.nodes, seconds + session.seconds)
        })
    }

    /// The results that took long, of this run so far, and where further ones go.
    pub(super) fn journal(&self, search: SearchName) -> Result<(Journal, Vec<Finding>), Failure> {
        let file = self.path.join("results.journal");
        Journal::open(&file, search).map_err(|error| {
            Failure::input(
                format!("{}: {error}", shown(&file)),
                "a new folder for --out",
            )
        })
    }

    /// Writes down what came of a session: its share of the work, and the result if there is one.
    /// Returns the result of the whole run.
    pub(super) fn keep(
        &self,
        config: &Config,
        mut solved: Solved,
        session: &Session,
    ) -> Result<Solved, Failure> {
        let (nodes, seconds) = self.spent();
        self.append("sessions.jsonl", session)?;
        solved.nodes += nodes;
        solved.seconds += seconds;
        if solved.proved {
            let answer = Answer {
                question: Question::of(config),
                solved,
            };
            let json = serde_json::to_string(&answer).unwrap_or_default();
            self.write("result.json", &(json + "\n"))?;
            solved = answer.solved;
        }
        Ok(solved)
    }

    fn append(&self, name: &str, line: &impl Serialize) -> Result<(), Failure> {
        let file = self.path.join(name);
        let json = serde_json::to_string(line).unwrap_or_default() + "\n";
        let append = || {
            let mut out = OpenOptions::new().append(true).create(true).open(&file)?;
            out.write_all(json.as_bytes())
        };
        append().map_err(|error| Failure::file(&file, &error))
    }
}
