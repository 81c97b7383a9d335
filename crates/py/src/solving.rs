//! Exact results: answers of the solver, proofs, many positions at a time.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use pyo3::prelude::*;
use upstar::Verdict;
use upstar_games::AnyGame;
use upstar_jobs::{Pool, Unwatched};
use upstar_proof::{CheckOptions, check_file};
use upstar_solve::SolveError;

use crate::failure::refused;
use crate::state::{State, query};
use crate::work::{budget, solver, to_python, work};

/// What the solver found out.
#[pyclass(frozen, get_all, module = "upstar")]
pub(crate) struct Answer {
    /// 'x', 'o' or 'draw'; None if that is not proved.
    winner: Option<&'static str>,
    /// Othello: discs of x less those of o, if that was asked for and proved.
    score: Option<i32>,
    /// Othello: what is proved of the score, (at least, at most).
    bounds: Option<(i32, i32)>,
    /// A move that reaches the result.
    r#move: Option<String>,
    /// Best play to the end, where the search tells it.
    line: Vec<String>,
    /// How many positions were searched.
    nodes: u64,
    /// Whether what was asked is proved.
    proved: bool,
}

impl Answer {
    /// Nothing is known.
    fn open() -> Self {
        Self {
            winner: None,
            score: None,
            bounds: None,
            r#move: None,
            line: Vec::new(),
            nodes: 0,
            proved: false,
        }
    }

    pub(crate) fn new(answer: upstar_solve::Answer) -> Self {
        Self {
            winner: answer.winner(),
            score: answer.score,
            bounds: answer.bounds,
            r#move: answer.best,
            line: answer.line,
            nodes: answer.nodes,
            proved: answer.proved,
        }
    }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        let winner = self.winner.unwrap_or("open");
        let score = self
            .score
            .map_or(String::new(), |score| format!(" by {}", score.abs()));
        let by = self
            .r#move
            .as_deref()
            .map_or(String::new(), |mv| format!(" with {mv}"));
        let nodes = self.nodes;
        format!("<Answer: {winner}{score}{by}, {nodes} nodes>")
    }
}

/// Solves many positions, as `State.solve` does each, on so many workers; the answers are in the order of the
/// positions.
///
/// >>> import upstar as up
/// >>> game = up.Game("clobber", "3x3")
/// >>> [answer.winner for answer in up.solve_many([game.start(), game.state("xo.|...|...")])]
/// ['x', 'x']
#[pyfunction]
#[pyo3(signature = (positions, *, score=false, time_limit=None, nodes=None, workers=1, memory=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn solve_many(
    py: Python<'_>,
    positions: Vec<PyRef<'_, State>>,
    score: bool,
    time_limit: Option<f64>,
    nodes: Option<u64>,
    workers: usize,
    memory: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Answer>> {
    let games: Vec<AnyGame> = positions.iter().map(|state| state.now.clone()).collect();
    drop(positions);
    let count = games.len();
    // Each position has its own nodes; the time is that of all of them.
    let (solver, all, query) = (solver(1, memory)?, budget(time_limit, None)?, query(score));
    let answers = work(py, &all, progress.as_ref(), |watch| {
        let pool = Pool {
            threads: workers.max(1),
            jobs: games.len() as u64,
            budget: &all,
        };
        let (mut answers, count) = (Vec::with_capacity(games.len()), games.len() as u64);
        let done = pool.work(
            || (),
            |(), index, inner| {
                let inner = match nodes {
                    Some(nodes) => inner.clone().with_nodes(nodes),
                    None => inner.clone(),
                };
                let game = &games[index as usize];
                let answer = solver.solve(game, &query, &inner, &Unwatched);
                answer.map(Some)
            },
            |_, _| Ok(()),
            |_, answer| {
                answers.push(answer);
                watch.pieces("positions", answers.len() as u64, count);
                ControlFlow::Continue(())
            },
        );
        // What there was no time for stays open.
        done.map(|_| answers)
            .map_err(|error: SolveError| refused(error))
    })?;
    let open = std::iter::repeat_with(Answer::open);
    let answers = answers.into_iter().map(Answer::new).chain(open);
    Ok(answers.take(count).collect())
}

/// Checks a proof by code that knows only the rules. Returns what it proves, with the keys of
/// `upstar check --json`; raises unless it is accepted.
#[pyfunction]
#[pyo3(signature = (file, *, time_limit=None, threads=1, progress=None))]
pub(crate) fn check(
    py: Python<'_>,
    file: PathBuf,
    time_limit: Option<f64>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let budget = budget(time_limit, None)?;
    let options = CheckOptions {
        threads: threads.max(1),
        ..CheckOptions::default()
    };
    let begun = Instant::now();
    let checked = work(py, &budget, progress.as_ref(), |watch| {
        check_file(&file, &options, &budget, watch).map_err(refused)
    })?;
    to_python(
        py,
        &Verdict::accepted(checked, begun.elapsed().as_secs_f64()),
    )
}
