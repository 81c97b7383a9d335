//! A part of a long solve as a job: a position and a limit of nodes in, its answer and the journal's
//! records out. Any machine may do it; [`SolveRun::accept`](crate::run::SolveRun::accept) takes what it found.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use upstar_games::{AnyGame, Setup, Start, Variant};
use upstar_jobs::{Budget, Finding, Job, ThreadError, Unwatched, Watch};

use crate::answer::{Answer, Question};
use crate::error::SolveError;
use crate::journal::{JournalRecord, SearchName};
use crate::solver::{Query, Settings, Solver};

/// A position of a larger problem, to be solved by itself. Equal subproblems have equal answers on all machines: each is searched on one
/// thread, from an empty table of this size, with the value table that the search's name tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Subproblem {
    /// The search to which its findings belong; see [`Solver::search_name`].
    pub search: SearchName,
    /// The game by name.
    pub game: String,
    /// The board of the whole problem.
    pub position: String,
    /// The letter of the side to move there.
    pub to_move: char,
    /// The moves that lead to the part, by name.
    pub moves: Vec<String>,
    /// Othello: how many discs, not only who wins.
    pub exact: bool,
    /// Othello: cells that stay empty count for the winner.
    pub empties_to_winner: bool,
    /// Bytes of the search's tables.
    pub memory: usize,
    /// The most nodes; without it the search goes on to the end.
    pub nodes: Option<u64>,
    /// From how many nodes on a finding is kept.
    pub least: u64,
}

/// What came of a subproblem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubproblemAnswer {
    /// The winner: `x`, `o` or `draw`; `None` if that is not proved.
    pub winner: Option<String>,
    /// Discs of `x` less those of `o`, if that was asked for and proved.
    pub score: Option<i32>,
    /// What is proved of that score.
    pub bounds: Option<(i32, i32)>,
    /// A move that reaches the result, if it was found.
    pub best: Option<String>,
    /// How many positions were searched.
    pub nodes: u64,
    /// Whether what was asked is proved.
    pub proved: bool,
    /// What the search has found on its way, for the journal.
    pub records: Vec<JournalRecord>,
}

/// Why a subproblem has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SubproblemError {
    /// There is no such position.
    #[error("{0}")]
    Position(String),
    /// The search here is another one, or keeps no findings.
    #[error(
        "the subproblem belongs to a different search than the one this program uses for the position"
    )]
    OtherSearch,
    /// The solver.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl From<ThreadError> for SubproblemError {
    fn from(error: ThreadError) -> Self {
        Self::Solve(error.into())
    }
}

impl Subproblem {
    /// The part of a problem after these moves, with tables of this many bytes.
    ///
    /// # Errors
    /// If the search for this game keeps no findings, or as for [`Solver::prepare`].
    pub fn new(
        game: &AnyGame,
        moves: &[String],
        query: &Query,
        memory: usize,
        settings: &Settings,
    ) -> Result<Self, SubproblemError> {
        let query = Query {
            memory: None,
            ..query.clone()
        };
        let solver = solver(settings, memory);
        let search = solver.search_name(game, &query, &Budget::unlimited(), &Unwatched)?;
        Ok(Self {
            search: search.ok_or(SubproblemError::OtherSearch)?,
            game: game.variant().to_string(),
            position: game.setup().to_string(),
            to_move: game.side_to_move().letter(),
            moves: moves.to_vec(),
            exact: query.question == Question::Score,
            empties_to_winner: query.empties_to_winner,
            memory,
            nodes: None,
            least: 1 << 16,
        })
    }

    fn open(&self) -> Result<AnyGame, String> {
        let variant: Variant = self.game.parse().map_err(sentence)?;
        let setup: Setup = self.position.parse().map_err(sentence)?;
        let opened = AnyGame::open(variant, &Start::Given(setup), Some(self.to_move));
        opened.map_err(sentence)
    }

    /// The position to be solved.
    fn part(&self, whole: &AnyGame) -> Result<AnyGame, String> {
        let play = |game: AnyGame, mv: &String| game.play(mv).map_err(sentence);
        self.moves.iter().try_fold(whole.clone(), play)
    }
}

fn sentence(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A solver whose results depend on nothing but the value table.
fn solver(settings: &Settings, memory: usize) -> Solver {
    Solver::new(Settings {
        memory,
        threads: 1,
        tables: settings.tables.clone(),
        ledger: settings.ledger.clone(),
        patient: settings.patient,
        ..Settings::default()
    })
}

impl Job<Settings> for Subproblem {
    type Output = SubproblemAnswer;
    type Error = SubproblemError;

    fn run(
        &self,
        settings: &Settings,
        budget: &Budget,
    ) -> Result<Option<SubproblemAnswer>, SubproblemError> {
        let whole = self.open().map_err(SubproblemError::Position)?;
        let part = self.part(&whole).map_err(SubproblemError::Position)?;
        let solver = solver(settings, self.memory);
        let query = Query {
            question: match self.exact {
                true => Question::Score,
                false => Question::Winner,
            },
            empties_to_winner: self.empties_to_winner,
            ..Query::default()
        };
        // Made ready for the whole problem: value tables go by the number of stones.
        let search = match solver.search_name(&whole, &query, budget, &Unwatched) {
            Err(_) if budget.is_over() => return Ok(None),
            search => search?,
        };
        if search != Some(self.search) {
            return Err(SubproblemError::OtherSearch);
        }
        let limited = match self.nodes {
            Some(nodes) => budget.clone().with_nodes(nodes),
            None => budget.clone(),
        };
        let notes = Notes {
            least: self.least,
            findings: Mutex::default(),
        };
        let answer = solver.solve(&part, &query, &limited, &notes)?;
        // What was stopped from outside depends on when.
        if !answer.proved && budget.is_over() {
            return Ok(None);
        }
        let findings = notes.findings.into_inner();
        let findings = findings.unwrap_or_else(PoisonError::into_inner);
        Ok(Some(SubproblemAnswer::of(answer, findings)))
    }
}

impl SubproblemAnswer {
    fn of(answer: Answer, findings: Vec<Finding>) -> Self {
        Self {
            winner: answer.winner().map(str::to_owned),
            score: answer.score,
            bounds: answer.bounds,
            best: answer.best,
            nodes: answer.nodes,
            proved: answer.proved,
            records: findings.into_iter().map(JournalRecord).collect(),
        }
    }
}

/// Keeps what is found.
struct Notes {
    least: u64,
    findings: Mutex<Vec<Finding>>,
}

impl Watch for Notes {
    fn least(&self) -> u64 {
        self.least
    }

    fn found(&self, finding: Finding) {
        let findings = self.findings.lock();
        findings
            .unwrap_or_else(PoisonError::into_inner)
            .push(finding);
    }
}
