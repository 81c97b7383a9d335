//! One position solved by many machines that share no memory.
//!
//! Every worker searches the whole problem, a slice of nodes at a time, with a table of its own. Between two slices
//! it hears what the others have proved and where they are at work, and tries other moves first. What
//! it tells is proved, so order, duplicates and lost slices do not matter.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use upstar_agents::Resources;
use upstar_games::{AnyGame, Setup, Start, Variant};
use upstar_jobs::{Budget, Finding, Unwatched, Watch};
use upstar_solve::run::{SolveConfig, SolveProgress, SolveRun, SolveSession};
use upstar_solve::{Answer, JournalRecord, Query, SearchName, Settings, Solver};

use crate::error::ClusterError;
use crate::line;

/// From how many nodes on a result is told to the others, unless slices are short.
const LEAST: u64 = 1 << 12;
/// In a slice there is room for so many of them, one after the other.
const IN_A_SLICE: u64 = 128;

/// The problem, as workers get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Problem {
    game: String,
    position: String,
    to_move: char,
    /// Bytes of each search's tables.
    memory: usize,
    search: SearchName,
}

impl Problem {
    fn open(&self) -> Result<AnyGame, ClusterError> {
        let wrong = |what: &dyn std::fmt::Display| ClusterError::Context(what.to_string());
        let variant: Variant = self.game.parse().map_err(|error| wrong(&error))?;
        let setup: Setup = self.position.parse().map_err(|error| wrong(&error))?;
        let opened = AnyGame::open(variant, &Start::Given(setup), Some(self.to_move));
        opened.map_err(|error| wrong(&error))
    }
}

/// A slice of the search, as it travels.
#[derive(Serialize, Deserialize)]
struct Slice {
    nodes: u64,
    /// What others have proved since the last slice.
    records: Vec<JournalRecord>,
    /// Where they are at work: keys in hexadecimal digits.
    taken: Vec<String>,
}

/// What came of a slice.
#[derive(Serialize, Deserialize)]
struct Sliced {
    winner: Option<String>,
    nodes: u64,
    records: Vec<JournalRecord>,
    path: Vec<String>,
    /// First moves that are known to lose, and all of them.
    first_moves: (usize, usize),
    /// The share of the worker's table that is in use.
    fill: f64,
}

/// How often at most the log tells how far it is.
const PAUSE: Duration = Duration::from_secs(2);

/// The one place of a solve that machines share: keeps what they prove, and ends with the answer.
pub struct SharedSolve {
    run: SolveRun,
    game: AnyGame,
    problem: Problem,
    solver: Solver,
    records: Vec<JournalRecord>,
    known: HashSet<u128>,
    workers: Vec<Seat>,
    winner: Option<String>,
    nodes: u64,
    begun: Instant,
    /// When the log was written last.
    logged: Option<Instant>,
    first_moves: (usize, usize),
    fill: f64,
}

/// What is known of a worker.
#[derive(Clone, Default)]
struct Seat {
    /// So many records it has been told.
    told: usize,
    path: Vec<String>,
}

impl SharedSolve {
    /// Begins to solve a position in a new folder, or goes on in one that is there. Each search has so many bytes for its
    /// tables.
    ///
    /// # Errors
    /// If the game is not Clobber, or the folder holds another run.
    pub fn begin(
        folder: &Path,
        game: &AnyGame,
        memory: usize,
        proof: Option<PathBuf>,
        resources: &Resources,
    ) -> Result<Self, ClusterError> {
        if !matches!(game, AnyGame::Clobber64(..) | AnyGame::Clobber128(..)) {
            return Err(ClusterError::NotClobber(game.variant()));
        }
        let config = SolveConfig {
            game: game.variant().to_string(),
            position: game.to_string(),
            to_move: game.side_to_move().letter(),
            threads: 1,
            memory,
            proof,
            exact: false,
            empties_to_winner: false,
        };
        let run = match folder.join(upstar_runs::CONFIG).exists() {
            true => SolveRun::open(folder)?,
            false => SolveRun::create(folder, config.clone())?,
        };
        let kept = run.config();
        if (&kept.game, &kept.position, kept.to_move)
            != (&config.game, &config.position, config.to_move)
        {
            return Err(ClusterError::NoRun(folder.to_owned()));
        }
        let solver = solver(resources, memory);
        let (budget, query) = (Budget::unlimited(), Query::winner());
        let search = solver.search_name(game, &query, &budget, &Unwatched)?;
        let search = search.ok_or(ClusterError::NotClobber(game.variant()))?;
        let records: Vec<JournalRecord> = run.found(search)?;
        Ok(Self {
            known: records.iter().map(|record| record.0.key).collect(),
            records,
            run,
            problem: Problem {
                game: config.game,
                position: config.position,
                to_move: config.to_move,
                memory,
                search,
            },
            game: game.clone(),
            solver,
            workers: Vec::new(),
            winner: None,
            nodes: 0,
            begun: Instant::now(),
            logged: None,
            first_moves: (0, 0),
            fill: 0.0,
        })
    }

    /// What a worker needs: [`SolveWorker::new`].
    #[must_use]
    pub fn problem(&self) -> String {
        line(&self.problem)
    }

    /// The next slice for this worker, a line of JSON.
    pub fn slice(&mut self, worker: usize, nodes: u64) -> String {
        if self.workers.len() <= worker {
            self.workers.resize(worker + 1, Seat::default());
        }
        let own: HashSet<&String> = self.workers[worker].path.iter().collect();
        let mut taken = Vec::new();
        for (index, seat) in self.workers.iter().enumerate() {
            // Of two that are at the same place the later one gives way.
            let gives_way = |key: &&String| index < worker || !own.contains(key);
            if index != worker {
                taken.extend(seat.path.iter().filter(gives_way).cloned());
            }
        }
        let slice = Slice {
            nodes,
            taken,
            records: self.records[self.workers[worker].told..].to_vec(),
        };
        self.workers[worker].told = self.records.len();
        line(&slice)
    }

    /// This worker has begun anew and knows nothing.
    pub fn begins_anew(&mut self, worker: usize) {
        if let Some(seat) = self.workers.get_mut(worker) {
            *seat = Seat::default();
        }
    }

    /// Takes what came of a slice; says how many results were new.
    ///
    /// # Errors
    /// If the line is not one, or the journal cannot be written.
    pub fn accept(&mut self, worker: usize, text: &str) -> Result<usize, ClusterError> {
        let sliced: Sliced = serde_json::from_str(text)
            .map_err(|error| ClusterError::Line("slice", error.to_string()))?;
        let is_new = |record: &JournalRecord| self.known.insert(record.0.key);
        let new: Vec<JournalRecord> = sliced.records.into_iter().filter(is_new).collect();
        self.run.accept(self.problem.search, &new)?;
        self.records.extend(&new);
        self.nodes += sliced.nodes;
        if let Some(seat) = self.workers.get_mut(worker) {
            seat.path = sliced.path;
        }
        self.winner = self.winner.take().or(sliced.winner);
        self.first_moves = self.first_moves.max(sliced.first_moves);
        self.fill = self.fill.max(sliced.fill);
        if self.logged.is_none_or(|time| time.elapsed() >= PAUSE) {
            self.log()?;
        }
        Ok(new.len())
    }

    /// Writes down how far it is, for those who look at the folder.
    fn log(&mut self) -> Result<(), ClusterError> {
        self.logged = Some(Instant::now());
        let (refuted, of) = self.first_moves;
        Ok(self.run.log(&SolveProgress {
            session: self.run.session(),
            seconds: self.begun.elapsed().as_secs_f64(),
            nodes: self.nodes,
            decided: self.records.len() as u64,
            first_moves_refuted: (of > 0).then_some(refuted),
            first_moves: (of > 0).then_some(of),
            fill: self.fill,
            memory: self.problem.memory,
            left: None,
        })?)
    }

    /// Whether a worker has come to the answer.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.winner.is_some()
    }

    /// The nodes of all slices so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Finds the answer again from what was proved, in this process, and writes the proof if one was asked for; it is
    /// checked by the rules alone.
    ///
    /// # Errors
    /// If the solver or the checker has no answer, or something cannot be written.
    pub fn finish(&mut self, budget: &Budget, watch: &dyn Watch) -> Result<Answer, ClusterError> {
        let query = Query::winner();
        let told: Vec<Finding> = self.records.iter().map(|record| record.0).collect();
        self.solver
            .remember(&self.game, &query, &told, budget, watch)?;
        let answer = self.solver.solve(&self.game, &query, budget, watch)?;
        self.nodes += answer.nodes;
        let loses = |winner: &str| !winner.starts_with(self.problem.to_move);
        if answer.proved && answer.winner().is_some_and(loses) {
            // Workers tell only of those that they have refuted themselves.
            self.first_moves.0 = self.first_moves.1;
        }
        self.log()?;
        self.keep(&answer)?;
        if let Some(file) = self.run.config().proof.clone().filter(|_| answer.proved) {
            self.solver
                .prove(&self.game, &query, &file, budget, watch)?;
        }
        Ok(answer)
    }

    /// Writes down what this session spent and, if there is one, the answer.
    fn keep(&self, answer: &Answer) -> Result<(), ClusterError> {
        let (nodes, seconds) = self.run.spent()?;
        let (refuted, of) = self.first_moves;
        let session = SolveSession {
            session: self.run.session(),
            seconds: self.begun.elapsed().as_secs_f64(),
            nodes: self.nodes,
            threads: self.workers.len().max(1),
            memory: self.problem.memory,
            first_moves_refuted: (of > 0).then_some(refuted),
            first_moves: (of > 0).then_some(of),
            proved: answer.proved,
        };
        self.run.add(&session)?;
        if answer.proved {
            // The keys of `upstar solve --json`, which `upstar resume` reads.
            self.run.finish(serde_json::json!({
                "winner": answer.winner(),
                "score": answer.score,
                "move": answer.best,
                "proved": true,
                "nodes": nodes + session.nodes,
                "seconds": seconds + session.seconds,
                "algorithm": "sums",
            }))?;
        }
        Ok(())
    }
}

fn solver(resources: &Resources, memory: usize) -> Solver {
    Solver::new(Settings {
        memory,
        threads: 1,
        patient: true,
        ..resources.solver.settings().clone()
    })
}

/// Searches slices of a problem. It keeps a table of what it found, which helps, and nothing that matters.
pub struct SolveWorker {
    game: AnyGame,
    solver: Solver,
}

impl SolveWorker {
    /// A worker for this problem.
    ///
    /// # Errors
    /// If the line is not a problem, or this program would search it in another way.
    pub fn new(problem: &str, resources: &Resources) -> Result<Self, ClusterError> {
        let problem: Problem = serde_json::from_str(problem)
            .map_err(|error| ClusterError::Line("problem", error.to_string()))?;
        let game = problem.open()?;
        let solver = solver(resources, problem.memory);
        let (budget, query) = (Budget::unlimited(), Query::winner());
        let search = solver.search_name(&game, &query, &budget, &Unwatched)?;
        if search != Some(problem.search) {
            return Err(ClusterError::OtherSearch);
        }
        Ok(Self { game, solver })
    }

    /// Searches a slice and returns the line of what came of it; `None` if the budget ended it.
    ///
    /// # Errors
    /// If the line is not a slice, or there is no memory.
    pub fn perform(&self, text: &str, budget: &Budget) -> Result<Option<String>, ClusterError> {
        let slice: Slice = serde_json::from_str(text)
            .map_err(|error| ClusterError::Line("slice", error.to_string()))?;
        let query = Query::winner();
        let told: Vec<Finding> = slice.records.iter().map(|record| record.0).collect();
        self.solver
            .remember(&self.game, &query, &told, budget, &Unwatched)?;
        let keys = slice.taken.iter().map(|key| u128::from_str_radix(key, 16));
        let keys: Result<HashSet<u128>, _> = keys.collect();
        let notes = Notes {
            least: LEAST.min(slice.nodes / IN_A_SLICE).max(1),
            taken: keys.map_err(|error| ClusterError::Line("slice", error.to_string()))?,
            found: Mutex::default(),
        };
        let limited = budget.clone().with_nodes(slice.nodes);
        let answer = self.solver.solve(&self.game, &query, &limited, &notes)?;
        if !answer.proved && budget.is_over() {
            return Ok(None);
        }
        let found = notes
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(Some(line(&Sliced {
            winner: answer.winner().map(str::to_owned),
            nodes: answer.nodes,
            records: found.findings.into_iter().map(JournalRecord).collect(),
            path: found.path.iter().map(|key| format!("{key:x}")).collect(),
            first_moves: found.first_moves,
            fill: found.fill,
        })))
    }
}

/// What a slice tells.
struct Notes {
    least: u64,
    taken: HashSet<u128>,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
    path: Vec<u128>,
    first_moves: (usize, usize),
    fill: f64,
}

impl Notes {
    fn note(&self, note: impl FnOnce(&mut Found)) {
        note(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Watch for Notes {
    fn least(&self) -> u64 {
        self.least
    }

    fn found(&self, finding: Finding) {
        self.note(|found| found.findings.push(finding));
    }

    fn first_moves(&self, refuted: usize, of: usize) {
        self.note(|found| found.first_moves = (refuted, of));
    }

    fn fill(&self, share: f64) {
        self.note(|found| found.fill = share);
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn is_taken(&self, key: u128) -> bool {
        self.taken.contains(&key)
    }

    fn stopped_at(&self, path: &[u128]) {
        self.note(|found| found.path = path.to_vec());
    }
}
