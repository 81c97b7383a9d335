//! Runs in their folders, and their jobs for other machines.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value as Json;
use upstar_cluster::{Advance, Context, Coordinator, SharedSolve};
use upstar_jobs::{Budget, quantity};
use upstar_lab::{Cell, Folder};
use upstar_runs::{Kind, RunFolder};

use crate::failure::refused;
use crate::solving::Answer;
use crate::state::State;
use crate::work::{resources, to_python, work};

/// A run whose work may be shared: a training of AlphaZero, a tournament, a search for parameters.
///
/// `jobs` are lines that a `Worker` anywhere can do; `accept` takes what came of them, in any order, twice if
/// need be; `advance` goes on when all are in. `upstar.Run` has more.
#[pyclass(frozen, module = "upstar", name = "_Run")]
pub(crate) struct Run {
    folder: PathBuf,
    kind: Kind,
    run: Mutex<Option<Coordinator>>,
    budget: Mutex<Budget>,
}

impl Run {
    fn of(folder: PathBuf, run: Coordinator) -> Self {
        Self {
            folder,
            kind: run.kind(),
            run: Mutex::new(Some(run)),
            budget: Mutex::new(Budget::unlimited()),
        }
    }

    fn run(&self) -> MutexGuard<'_, Option<Coordinator>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Py<PyAny>>,
        act: impl FnOnce(&mut Coordinator, &Budget, &dyn upstar_jobs::Watch) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let budget = Budget::unlimited();
        *self.budget() = budget.clone();
        work(py, &budget, progress, |watch| {
            let mut run = self.run();
            let run = run.as_mut().ok_or_else(|| refused("the run is closed"))?;
            act(run, &budget, watch)
        })
    }
}

#[pymethods]
impl Run {
    /// Begins the run that a file describes, in a new folder.
    #[staticmethod]
    fn _create(folder: PathBuf, config: PathBuf) -> PyResult<Self> {
        let run = Coordinator::create(&folder, &config, resources()).map_err(refused)?;
        Ok(Self::of(folder, run))
    }

    /// Goes on with the run in a folder.
    #[staticmethod]
    fn _open(folder: PathBuf) -> PyResult<Self> {
        let run = Coordinator::open(&folder, resources()).map_err(refused)?;
        Ok(Self::of(folder, run))
    }

    /// The folder.
    #[getter]
    fn folder(&self) -> &Path {
        &self.folder
    }

    /// What kind of run it is: 'alphazero', 'tournament' or 'tune'.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// Whether all is done and written down.
    #[getter]
    fn is_finished(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, None, |run, _, _| run.is_finished().map_err(refused))
    }

    /// The jobs that are missing now, each a line; games of self-play in bundles of so many.
    #[pyo3(signature = (bundle=32))]
    fn jobs(&self, py: Python<'_>, bundle: usize) -> PyResult<Vec<String>> {
        self.with(py, None, |run, _, _| run.jobs(bundle).map_err(refused))
    }

    /// What workers need beside jobs, until the run goes on.
    fn context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let context = self.with(py, None, |run, _, _| run.context().map_err(refused))?;
        Ok(PyBytes::new(py, &context.to_bytes()))
    }

    /// Takes results of jobs; says how many were new.
    fn accept(&self, py: Python<'_>, lines: Vec<String>) -> PyResult<usize> {
        self.with(py, None, |run, _, _| {
            let mut new = 0;
            for line in &lines {
                new += usize::from(run.accept(line).map_err(refused)?);
            }
            Ok(new)
        })
    }

    /// Goes on if all jobs are in. Returns ('missing', how many), ('on', line), ('finished', line or None) or
    /// ('stopped', None).
    #[pyo3(signature = (*, progress=None))]
    fn advance(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(&'static str, Py<PyAny>)> {
        let advanced = self.with(py, progress.as_ref(), |run, budget, watch| {
            run.advance(budget, watch).map_err(refused)
        })?;
        let read = |line: &str| serde_json::from_str::<Json>(line).map_err(refused);
        Ok(match advanced {
            Advance::Missing(jobs) => ("missing", to_python(py, &jobs)?),
            Advance::On(line) => ("on", to_python(py, &read(&line)?)?),
            Advance::Finished(line) => {
                let line = line.as_deref().map(read).transpose()?;
                ("finished", to_python(py, &line)?)
            }
            Advance::Stopped => ("stopped", py.None()),
        })
    }

    /// Ends what is under way, from another thread; the run can be opened again.
    fn stop(&self) {
        self.budget().cancel();
    }

    /// Lets go of the folder, so that another process may go on.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *self.run() = None);
    }

    /// The lines of one of the run's logs: `learner.jsonl`, `games.jsonl`, `trials.jsonl`, ….
    fn log(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let folder = RunFolder::look(&self.folder).map_err(refused)?;
        to_python(py, &folder.lines::<Json>(name).map_err(refused)?)
    }
}

/// Does jobs of a run, with what `Run.context` returned. It keeps nothing: it may end at any moment.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Worker {
    worker: upstar_cluster::Worker,
    under_way: Mutex<UnderWay>,
}

/// The jobs under way. Each has a budget of its own: one that is interrupted leaves the worker as it was.
#[derive(Default)]
struct UnderWay {
    is_stopped: bool,
    begun: u64,
    budgets: HashMap<u64, Budget>,
}

impl Worker {
    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Worker {
    #[new]
    fn new(py: Python<'_>, context: &[u8]) -> PyResult<Self> {
        let context = Context::from_bytes(context).map_err(refused)?;
        let worker = py.detach(|| upstar_cluster::Worker::new(&context, resources()));
        Ok(Self {
            worker: worker.map_err(refused)?,
            under_way: Mutex::default(),
        })
    }

    /// Does a job and returns the line of its result.
    fn perform(&self, py: Python<'_>, job: &str) -> PyResult<String> {
        let budget = Budget::unlimited();
        let mut under_way = self.under_way();
        if under_way.is_stopped {
            budget.cancel();
        }
        under_way.begun += 1;
        let number = under_way.begun;
        under_way.budgets.insert(number, budget.clone());
        drop(under_way);
        let done = work(py, &budget, None, |_| {
            self.worker.perform(job, &budget).map_err(refused)
        });
        self.under_way().budgets.remove(&number);
        done?.ok_or_else(|| refused("the job was stopped"))
    }

    /// Ends what is under way, and does no more.
    fn stop(&self) {
        let mut under_way = self.under_way();
        under_way.is_stopped = true;
        under_way.budgets.values().for_each(Budget::cancel);
    }
}

/// A position of Clobber that many machines solve, in the folder of a run: `upstar.cluster.solve` has the loop.
#[pyclass(frozen, module = "upstar", name = "_SharedSolve")]
pub(crate) struct PySharedSolve(Mutex<Option<SharedSolve>>);

impl PySharedSolve {
    fn with<T>(&self, act: impl FnOnce(&mut SharedSolve) -> T) -> PyResult<T> {
        let mut run = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let run = run.as_mut().ok_or_else(|| refused("the run is closed"))?;
        Ok(act(run))
    }
}

#[pymethods]
impl PySharedSolve {
    #[new]
    #[pyo3(signature = (folder, state, *, memory="1G", proof=None))]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        state: PyRef<'_, State>,
        memory: &str,
        proof: Option<PathBuf>,
    ) -> PyResult<Self> {
        let memory = quantity::memory(memory).map_err(refused)?;
        let game = state.now.clone();
        drop(state);
        let run = py.detach(|| SharedSolve::begin(&folder, &game, memory, proof, &resources()));
        Ok(Self(Mutex::new(Some(run.map_err(refused)?))))
    }

    /// What a worker needs.
    fn problem(&self) -> PyResult<String> {
        self.with(|run| run.problem())
    }

    /// The next slice for a worker.
    fn slice(&self, worker: usize, nodes: u64) -> PyResult<String> {
        self.with(|run| run.slice(worker, nodes))
    }

    /// A worker has begun anew and knows nothing.
    fn begins_anew(&self, worker: usize) -> PyResult<()> {
        self.with(|run| run.begins_anew(worker))
    }

    /// Takes what came of a slice.
    fn accept(&self, worker: usize, line: &str) -> PyResult<usize> {
        self.with(|run| run.accept(worker, line).map_err(refused))?
    }

    /// Whether a worker has come to the answer.
    #[getter]
    fn is_solved(&self) -> PyResult<bool> {
        self.with(|run| run.is_solved())
    }

    /// The nodes of all slices so far.
    #[getter]
    fn nodes(&self) -> PyResult<u64> {
        self.with(|run| run.nodes())
    }

    /// Finds the answer again from what was proved, and writes and checks the proof.
    #[pyo3(signature = (*, progress=None))]
    fn finish(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Answer> {
        let budget = Budget::unlimited();
        let answer = work(py, &budget, progress.as_ref(), |watch| {
            self.with(|run| run.finish(&budget, watch).map_err(refused))?
        })?;
        Ok(Answer::new(answer))
    }

    /// Lets go of the folder, so that another process may go on.
    fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Searches slices of a position that many machines solve.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct SolveWorker(upstar_cluster::SolveWorker);

#[pymethods]
impl SolveWorker {
    #[new]
    fn new(py: Python<'_>, problem: &str) -> PyResult<Self> {
        let worker = py.detach(|| upstar_cluster::SolveWorker::new(problem, &resources()));
        Ok(Self(worker.map_err(refused)?))
    }

    /// Searches a slice and returns the line of what came of it.
    fn perform(&self, py: Python<'_>, slice: &str) -> PyResult<String> {
        let budget = Budget::unlimited();
        let done = work(py, &budget, None, |_| {
            self.0.perform(slice, &budget).map_err(refused)
        })?;
        done.ok_or_else(|| refused("the slice was stopped"))
    }
}

/// A text that is equal on two machines if they compute the same numbers to the last bit.
#[pyfunction]
pub(crate) fn fingerprint() -> &'static str {
    upstar_cluster::fingerprint()
}

/// The papers' numbers beside ours in a folder of `upstar reproduce`: a list of dictionaries, one for each cell,
/// as `pandas.DataFrame` and `polars.DataFrame` take it.
#[pyfunction]
pub(crate) fn results(py: Python<'_>, folder: PathBuf) -> PyResult<Py<PyAny>> {
    let tables = py.detach(|| Folder::report(&folder)).map_err(refused)?;
    let cells: Vec<Cell> = tables.into_iter().flat_map(|table| table.cells).collect();
    to_python(py, &cells)
}
