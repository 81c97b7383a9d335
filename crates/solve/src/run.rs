//! A long solve as a run: what was asked, what has been found, and how long it took so far.
//!
//! `config.toml` says what is solved and how, `results.journal` holds every result that took long,
//! `progress.jsonl` a line every few seconds, `sessions.jsonl` a line per session, and `result.json` the answer,
//! sealed. Killed at any moment it loses seconds of work.

mod progress;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use upstar_games::AnyGame;
use upstar_jobs::{Budget, Finding, Watch};
use upstar_runs::{CONFIG, FolderError, Kind, Manifest, RunFolder};

use crate::answer::Answer;
use crate::error::SolveError;
use crate::journal::{Journal, JournalError, JournalRecord, SearchName};
use crate::solver::{Query, Solver};

use progress::{Recorder, Told};
pub use progress::{SolveProgress, unfinished};

/// The log of sessions that have ended.
pub const SESSIONS: &str = "sessions.jsonl";
/// The log of how far sessions are.
pub const PROGRESS: &str = "progress.jsonl";
const JOURNAL: &str = "results.journal";
const RESULT: &str = "result.json";

/// The run of a long solve. While it is open no other process works in its folder.
#[derive(Debug)]
pub struct SolveRun {
    folder: RunFolder,
    config: SolveConfig,
    /// The number of this session, from 1.
    session: u64,
}

/// What is solved, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveConfig {
    /// The name of the game.
    pub game: String,
    /// The position, as text.
    pub position: String,
    /// The letter of the side to move.
    pub to_move: char,
    /// How many threads search.
    pub threads: usize,
    /// Bytes of the transposition table.
    pub memory: usize,
    /// Where the proof goes when the result is known.
    pub proof: Option<PathBuf>,
    /// Othello: how many discs, not only who wins.
    #[serde(default)]
    pub exact: bool,
    /// Othello: cells that stay empty count for the winner.
    #[serde(default)]
    pub empties_to_winner: bool,
}

/// What one session spent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveSession {
    /// Its number in [`SolveProgress`], from 1; 0 in runs of older programs.
    #[serde(default)]
    pub session: u64,
    /// How long it searched.
    pub seconds: f64,
    /// How many nodes.
    pub nodes: u64,
    /// By how many threads.
    pub threads: usize,
    /// With so many bytes of table.
    pub memory: usize,
    /// Clobber: first moves that are known to lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves_refuted: Option<usize>,
    /// Clobber: all first moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_moves: Option<usize>,
    /// Whether it came to the answer.
    pub proved: bool,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept<A> {
    /// The answer.
    Answer(A),
    /// There is a result, but it is not sealed, damaged, or answers another question: it says nothing, and
    /// the search goes on from the journal. Why, in a sentence.
    Untrusted(String),
    /// There is no result yet.
    Nothing,
}

/// The answer, with the question, so that it is not taken for another one's.
#[derive(Serialize, Deserialize)]
struct Answered<A> {
    question: Question,
    #[serde(flatten)]
    answer: A,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Question {
    game: String,
    position: String,
    to_move: char,
    exact: bool,
    empties_to_winner: bool,
}

/// Why a run cannot continue.
#[derive(Debug, Error)]
pub enum SolveRunError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Its configuration.
    #[error("{} holds no run of a solve: {CONFIG}: {what}", folder.display())]
    Config {
        /// The run's folder.
        folder: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Its journal.
    #[error("{}: {error}", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: JournalError,
    },
    /// Its search keeps no findings.
    #[error("runs are for Clobber, and for Othello (not Reversi) on boards of at most 64 cells")]
    Unsuitable,
    /// The solver.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl SolveRun {
    /// Begins a run.
    ///
    /// # Errors
    /// If there is a run in the folder already, another process works in it, or it cannot be written.
    ///
    /// # Panics
    /// Never: a configuration can be written as TOML.
    pub fn create(path: &Path, config: SolveConfig) -> Result<Self, SolveRunError> {
        let taken = || path.join(CONFIG).exists();
        if taken() {
            return Err(FolderError::Taken(path.to_owned()).into());
        }
        let folder = RunFolder::take(path)?;
        // Another process may have had it until now.
        if taken() {
            return Err(FolderError::Taken(path.to_owned()).into());
        }
        let text = toml::to_string(&config).expect("text and numbers");
        folder.begin(Manifest::new(Kind::Solve), &text)?;
        Ok(Self {
            folder,
            config,
            session: 1,
        })
    }

    /// The run in this folder.
    ///
    /// # Errors
    /// If there is none, another process works in it, or its configuration is damaged.
    pub fn open(path: &Path) -> Result<Self, SolveRunError> {
        let folder = RunFolder::open(path)?;
        let text = folder.read_text(CONFIG)?;
        if folder.path(upstar_runs::MANIFEST).exists() {
            folder.check_config(&text)?;
        }
        let config = toml::from_str(&text).map_err(|error| SolveRunError::Config {
            folder: path.to_owned(),
            what: error.message().to_owned(),
        })?;
        let mut run = Self {
            folder,
            config,
            session: 0,
        };
        let last = run.progress().last().map_or(0, |line| line.session);
        run.session = last.max(run.sessions()?.len() as u64) + 1;
        Ok(run)
    }

    /// The number of this session, from 1.
    #[must_use]
    pub fn session(&self) -> u64 {
        self.session
    }

    fn sessions(&self) -> Result<Vec<SolveSession>, SolveRunError> {
        Ok(self.folder.lines(SESSIONS)?)
    }

    /// How far the sessions have come. The log is there to be looked at: if it is damaged, the run goes on
    /// without it.
    fn progress(&self) -> Vec<SolveProgress> {
        self.folder.lines(PROGRESS).unwrap_or_default()
    }

    /// What is solved, and how.
    #[must_use]
    pub fn config(&self) -> &SolveConfig {
        &self.config
    }

    fn question(&self) -> Question {
        let config = self.config.clone();
        Question {
            game: config.game,
            position: config.position,
            to_move: config.to_move,
            exact: config.exact,
            empties_to_winner: config.empties_to_winner,
        }
    }

    /// The answer, if the run has come to its end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn result<A: DeserializeOwned>(&self) -> Result<Kept<A>, SolveRunError> {
        let path = self.folder.path(RESULT);
        match self.folder.unseal::<Answered<A>>(RESULT) {
            Ok(None) => Ok(Kept::Nothing),
            Ok(Some(answered)) if answered.question == self.question() => {
                Ok(Kept::Answer(answered.answer))
            }
            Ok(Some(_)) => Ok(Kept::Untrusted(format!(
                "{} answers another question than {CONFIG} asks",
                path.display()
            ))),
            Err(error @ (FolderError::Unsealed(_) | FolderError::Damaged { .. })) => {
                Ok(Kept::Untrusted(error.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Searches from where the run stands. What takes long is written into the journal as it is found.
    ///
    /// # Errors
    /// If the journal is damaged or of another search, or the solver has no answer.
    pub fn solve(
        &self,
        solver: &Solver,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Answer, SolveRunError> {
        // About a tenth of a second's work.
        let least = match game {
            AnyGame::Clobber64(..) | AnyGame::Clobber128(..) => 1 << 16,
            _ => 1 << 20,
        };
        let search = solver.search_name(game, query, budget, watch)?;
        let search = search.ok_or(SolveRunError::Unsuitable)?;
        let path = self.folder.path(JOURNAL);
        let opened = Journal::open(&path, search);
        let (journal, before) = opened.map_err(|error| SolveRunError::Journal { path, error })?;
        solver.remember(game, query, &before, budget, watch)?;
        let told = Told::default();
        told.decided.store(before.len() as u64, Ordering::Relaxed);
        let recorder = Recorder {
            log: self.folder.log(PROGRESS).ok(),
            session: self.session,
            earlier: self.spent()?.1,
            told: &told,
            ledger: &solver.settings().ledger,
        };
        let keeping = Keeping {
            journal: &journal,
            told: &told,
            least,
            watch,
        };
        let answer = recorder.during(|| {
            let answer = solver.solve(game, query, budget, &keeping)?;
            told.nodes.fetch_max(answer.nodes, Ordering::Relaxed);
            Ok::<Answer, SolveError>(answer)
        });
        Ok(answer?)
    }

    /// What was found so far by searches of this name.
    ///
    /// # Errors
    /// If the journal is of another search, damaged, or cannot be read.
    pub fn found(&self, search: SearchName) -> Result<Vec<JournalRecord>, SolveRunError> {
        let path = self.folder.path(JOURNAL);
        let opened = Journal::open(&path, search);
        let (_, found) = opened.map_err(|error| SolveRunError::Journal { path, error })?;
        Ok(found.into_iter().map(JournalRecord).collect())
    }

    /// Takes over what was found elsewhere ([`Subproblem`](crate::Subproblem)), so that the next search knows
    /// it; how many of the records are new. Whoever accepts records trusts the machine that made them.
    ///
    /// # Errors
    /// If the journal is of another search than theirs, damaged, or cannot be written.
    pub fn accept(
        &self,
        search: SearchName,
        records: &[JournalRecord],
    ) -> Result<usize, SolveRunError> {
        let path = self.folder.path(JOURNAL);
        let refused = |error| SolveRunError::Journal {
            path: path.clone(),
            error,
        };
        let (journal, before) = Journal::open(&path, search).map_err(refused)?;
        let mut known: HashSet<Finding> = before.into_iter().collect();
        let mut new = 0;
        for JournalRecord(finding) in records {
            if known.insert(*finding) {
                journal
                    .add(finding)
                    .map_err(|error| refused(error.into()))?;
                new += 1;
            }
        }
        Ok(new)
    }

    /// What all earlier sessions took: nodes and seconds, of killed ones up to their last line.
    ///
    /// # Errors
    /// If their log is damaged.
    pub fn spent(&self) -> Result<(u64, f64), SolveRunError> {
        let (sessions, progress) = (self.sessions()?, self.progress());
        let ended = sessions.iter().map(|it| (it.nodes, it.seconds));
        let lost = unfinished(&progress, &sessions).filter(|line| line.session != self.session);
        let lost = lost.map(|line| (line.nodes, line.seconds));
        Ok(ended.chain(lost).fold((0, 0.0), |all, (nodes, seconds)| {
            (all.0 + nodes, all.1 + seconds)
        }))
    }

    /// Adds a line to the log of progress, for sessions whose work is done elsewhere.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn log(&self, line: &SolveProgress) -> Result<(), SolveRunError> {
        let mut log = self.folder.log(PROGRESS)?;
        log.add(line).map_err(FolderError::from)?;
        Ok(())
    }

    /// Writes down what a session spent.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, session: &SolveSession) -> Result<(), SolveRunError> {
        let mut log = self.folder.log(SESSIONS)?;
        log.add(session).map_err(FolderError::from)?;
        log.sync().map_err(FolderError::from)?;
        Ok(())
    }

    /// Writes down the answer, which must be proved.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish<A: Serialize>(&self, answer: A) -> Result<(), SolveRunError> {
        let question = self.question();
        Ok(self.folder.seal(RESULT, &Answered { question, answer })?)
    }
}

/// Writes findings into the journal, counts for the log of progress, and passes everything on.
struct Keeping<'a> {
    journal: &'a Journal,
    told: &'a Told,
    least: u64,
    watch: &'a dyn Watch,
}

impl Watch for Keeping<'_> {
    fn least(&self) -> u64 {
        self.least
    }

    fn found(&self, finding: Finding) {
        // What cannot be written now is found again later.
        if self.journal.add(&finding).is_ok() {
            self.told.decided.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn nodes(&self, nodes: u64) {
        // Threads tell sums that may come late.
        self.told.nodes.fetch_max(nodes, Ordering::Relaxed);
        self.watch.nodes(nodes);
    }

    fn progress(&self, share: f64) {
        self.watch.progress(share);
    }

    fn first_moves(&self, refuted: usize, of: usize) {
        self.told.first_moves(refuted, of);
        self.watch.first_moves(refuted, of);
    }

    fn above(&self, score: i32) {
        self.watch.above(score);
    }

    fn bounds(&self, lower: i32, upper: i32) {
        self.watch.bounds(lower, upper);
    }

    fn fill(&self, share: f64) {
        self.told.fill(share);
        self.watch.fill(share);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use upstar_jobs::Unwatched;

    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Answer {
        winner: String,
        score: Option<i32>,
        proved: bool,
    }

    fn begun(path: &Path) -> (SolveRun, Answer) {
        let config = SolveConfig {
            game: "othello".to_owned(),
            position: "ox|xo".to_owned(),
            to_move: 'x',
            threads: 1,
            memory: 1 << 20,
            proof: None,
            exact: true,
            empties_to_winner: false,
        };
        let answer = Answer {
            winner: "x".to_owned(),
            score: Some(10),
            proved: true,
        };
        (SolveRun::create(path, config).unwrap(), answer)
    }

    #[test]
    fn a_flipped_bit_never_gives_another_result() {
        let folder = tempfile::tempdir().unwrap();
        let (run, answer) = begun(folder.path());
        assert_eq!(run.result::<Answer>().unwrap(), Kept::Nothing);
        run.finish(answer.clone()).unwrap();
        assert_eq!(run.result().unwrap(), Kept::Answer(answer));
        let file = folder.path().join(RESULT);
        let right = fs::read(&file).unwrap();
        for bit in 0..8 * right.len() {
            let mut changed = right.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, changed).unwrap();
            let kept = run.result::<Answer>().unwrap();
            assert!(matches!(kept, Kept::Untrusted(_)), "{bit}");
        }
    }

    #[test]
    fn results_that_older_programs_did_not_seal_are_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let (run, _) = begun(folder.path());
        let old = r#"{"question":{"game":"othello","position":"ox|xo","to_move":"x","exact":true,"empties_to_winner":false},"winner":"o","score":null,"proved":true}"#;
        fs::write(folder.path().join(RESULT), old).unwrap();
        let Kept::Untrusted(why) = run.result::<Answer>().unwrap() else {
            panic!("it is trusted");
        };
        assert!(why.contains("is not sealed"), "{why}");
    }

    fn line_of(session: u64, seconds: f64, nodes: u64) -> SolveProgress {
        SolveProgress {
            session,
            seconds,
            nodes,
            decided: 0,
            first_moves_refuted: None,
            first_moves: None,
            fill: 0.0,
            memory: 0,
            left: None,
        }
    }

    #[test]
    fn a_solve_says_how_far_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let game = AnyGame::parse("clobber", "4x5").unwrap();
        let config = SolveConfig {
            game: "clobber".to_owned(),
            position: game.to_string(),
            to_move: 'x',
            threads: 1,
            memory: 1 << 26,
            proof: None,
            exact: false,
            empties_to_winner: false,
        };
        let solver = Solver::new(crate::Settings {
            memory: 1 << 26,
            ledger: upstar_jobs::Ledger::new(1 << 28, 1),
            ..crate::Settings::default()
        });
        for session in 1..=2 {
            let run = match session {
                1 => SolveRun::create(folder.path(), config.clone()).unwrap(),
                _ => SolveRun::open(folder.path()).unwrap(),
            };
            let budget = Budget::unlimited();
            let solved = run.solve(&solver, &game, &Query::winner(), &budget, &Unwatched);
            assert!(solved.unwrap().proved);
            let lines = run.progress();
            assert_eq!(lines.last().map(|line| line.session), Some(session));
            assert!(lines[0].nodes > 0 && lines[0].memory > 0, "{lines:?}");
        }
    }

    #[test]
    fn sessions_add_up_and_another_run_is_not_begun_over_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let (run, _) = begun(folder.path());
        let session = SolveSession {
            session: run.session(),
            seconds: 1.5,
            nodes: 7,
            threads: 1,
            memory: 2,
            first_moves_refuted: None,
            first_moves: None,
            proved: false,
        };
        run.add(&session).unwrap();
        run.add(&session).unwrap();
        assert_eq!(run.spent().unwrap(), (14, 3.0));
        // A session that was killed has left lines of how far it was, the last one cut off.
        let mut log = run.folder.log(PROGRESS).unwrap();
        for (session, seconds, nodes) in [(1, 1.0, 5), (2, 2.0, 10), (2, 4.0, 30)] {
            let line = line_of(session, seconds, nodes);
            log.add(&line).unwrap();
        }
        let file = folder.path().join(PROGRESS);
        let mut text = fs::read_to_string(&file).unwrap();
        text += "{\"session\":2,\"seco";
        fs::write(&file, text).unwrap();
        let config = run.config().clone();
        drop((run, log));
        let run = SolveRun::open(folder.path()).unwrap();
        assert_eq!((run.session(), run.config()), (3, &config));
        assert_eq!(run.spent().unwrap(), (44, 7.0));
        assert!(fs::read_to_string(&file).unwrap().ends_with("}\n"));
        let again = SolveRun::create(folder.path(), run.config().clone()).unwrap_err();
        assert!(
            again.to_string().ends_with("holds a run already"),
            "{again}"
        );
        drop(run);
        let text = fs::read_to_string(folder.path().join(CONFIG)).unwrap();
        fs::write(folder.path().join(CONFIG), text.replace("ox|xo", "xx|xo")).unwrap();
        let changed = SolveRun::open(folder.path()).unwrap_err();
        assert!(changed.to_string().contains("was changed"), "{changed}");
    }
}
