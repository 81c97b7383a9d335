//! A long solve as a folder: what was asked, what has been found, and how long it took so far.
//!
//! `config.toml` says what is solved and how, `manifest.json` with which program on which machine,
//! `results.journal` holds every result that took long, `sessions.jsonl` a line per session, and
//! `result.json` the answer. Killed at any moment it loses seconds of work; `upstar resume` goes on.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use upstar_games::{Cells, Clobber, Position, Rules};
use upstar_solve::Budget;
use upstar_solve::clobber::{Journal, Result as Proved, Settings, Watch};

use super::{Algorithm, Solved, proof};
use crate::failure::{Failure, shown};
use crate::progress::SearchProgress;
use crate::search::{LEAST_MEMORY, MOST_THREADS, SearchArguments, value_tables};

/// What is solved, and how.
#[derive(Serialize, Deserialize)]
pub(crate) struct Config {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) to_move: char,
    pub(crate) threads: usize,
    pub(crate) memory: usize,
    pub(crate) proof: Option<PathBuf>,
}

#[derive(Serialize)]
struct Manifest {
    version: &'static str,
    os: &'static str,
    architecture: &'static str,
    processors: usize,
}

#[derive(Serialize, Deserialize)]
struct Session {
    seconds: f64,
    nodes: u64,
    threads: usize,
    memory: usize,
    first_moves_refuted: usize,
    first_moves: usize,
    proved: bool,
}

/// Results that took this many nodes are kept: about a tenth of a second's work.
const WORTH_KEEPING: u64 = 1 << 16;

/// The folder of a run.
pub(crate) struct Folder {
    path: PathBuf,
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
                "upstar resume DIR after 'upstar solve clobber 6x6 --out DIR'",
            )
        };
        let text = fs::read_to_string(&file).map_err(|error| refused(&error))?;
        let config: Config = toml::from_str(&text).map_err(|error| refused(&error.message()))?;
        if !(1..=MOST_THREADS).contains(&config.threads) || config.memory < LEAST_MEMORY {
            return Err(refused(
                &"threads or memory in config.toml are out of range",
            ));
        }
        Ok((
            Self {
                path: path.to_owned(),
            },
            config,
        ))
    }

    /// Writes a file under another name first, so that under its own it is always whole.
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let (draft, file) = (self.path.join(format!("{name}.part")), self.path.join(name));
        let write = || {
            let mut out = fs::File::create(&draft)?;
            out.write_all(text.as_bytes())?;
            out.sync_all()?;
            fs::rename(&draft, &file)
        };
        write().map_err(|error| Failure::file(&file, &error))
    }

    /// The answer, if the run has come to its end.
    pub(super) fn result(&self) -> Option<Solved> {
        let text = fs::read_to_string(self.path.join("result.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// What earlier sessions took: nodes and seconds.
    fn spent(&self) -> (u64, f64) {
        let text = fs::read_to_string(self.path.join("sessions.jsonl")).unwrap_or_default();
        let sessions = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Session>(line).ok());
        sessions.fold((0, 0.0), |(nodes, seconds), session| {
            (nodes + session.nodes, seconds + session.seconds)
        })
    }

    /// Goes on with the search.
    pub(super) fn solve<B: Cells>(
        &self,
        search: &SearchArguments,
        settings: &Settings,
        rules: &Clobber<B>,
        start: &Position<B>,
        proof: Option<&Path>,
        budget: &Budget,
    ) -> Result<Solved, Failure> {
        let mut solver = search.solver(&value_tables(), rules, start, settings)?;
        let file = self.path.join("results.journal");
        let (journal, before) = Journal::open(&file, solver.values()).map_err(|error| {
            Failure::input(
                format!("{}: {error}", shown(&file)),
                "a new folder for --out",
            )
        })?;
        for result in before {
            solver.remember(result);
        }
        let begun = Instant::now();
        let progress = SearchProgress::default();
        let watch = Keeping {
            journal: &journal,
            progress: &progress,
        };
        let verdict = progress.during(|| solver.solve(start, budget, &watch));
        let (refuted, of) = progress.first_moves_refuted();
        let session = Session {
            seconds: begun.elapsed().as_secs_f64(),
            nodes: verdict.nodes,
            threads: settings.threads,
            memory: settings.memory,
            first_moves_refuted: refuted,
            first_moves: of,
            proved: verdict.outcome.is_some(),
        };
        let (nodes, seconds) = self.spent();
        self.append("sessions.jsonl", &session)?;
        let mut solved = Solved::new(rules, start, &verdict, begun.elapsed(), Algorithm::Sums);
        solved.nodes += nodes;
        solved.seconds += seconds;
        if verdict.outcome.is_some() {
            let json = serde_json::to_string(&solved).unwrap_or_default();
            self.write("result.json", &(json + "\n"))?;
        }
        if let (Some(file), Some(outcome)) = (proof, verdict.outcome) {
            proof::write(&mut solver, start, outcome, file, budget)?;
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

/// Keeps what was found, and shows progress.
struct Keeping<'a> {
    journal: &'a Journal,
    progress: &'a SearchProgress,
}

impl Watch for Keeping<'_> {
    fn least(&self) -> u64 {
        WORTH_KEEPING
    }

    fn solved(&self, result: Proved) {
        // What cannot be written now is found again later.
        let _ = self.journal.add(result);
    }

    fn first_moves(&self, refuted: usize, of: usize) {
        self.progress.first_moves(refuted, of);
    }

    fn nodes(&self, nodes: u64) {
        self.progress.nodes(nodes);
    }

    fn fill(&self, share: f64) {
        self.progress.fill(share);
    }
}

/// The configuration of a run that is about to begin.
pub(super) fn config<B: Cells>(
    rules: &Clobber<B>,
    start: &Position<B>,
    settings: &Settings,
    proof: Option<&Path>,
) -> Config {
    let game = if rules.is_cannibal() {
        "clobber:cannibal"
    } else {
        "clobber"
    };
    Config {
        game: game.to_owned(),
        position: rules.setup(start).to_string(),
        to_move: start.to_move.letter(),
        threads: settings.threads,
        memory: settings.memory,
        proof: proof.map(Path::to_owned),
    }
}
