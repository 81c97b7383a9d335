//! Long work: Python's lock is released, Ctrl-C ends it, progress is told if asked. One ledger of memory serves
//! the whole process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use serde::Serialize;
use upstar_agents::Resources;
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Ledger, Watch, quantity};
use upstar_solve::clobber::ValueTables;
use upstar_solve::{Settings, Solver};

use crate::failure::refused;

/// Ctrl-C is looked for, and progress told, so often.
const BEAT: Duration = Duration::from_millis(50);
/// The memory of a search where nothing else is said, as in the program.
const MEMORY: usize = 2 << 30;
/// So many solvers with different settings keep what they proved.
const MOST_SOLVERS: usize = 4;

static RESOURCES: LazyLock<Resources> = LazyLock::new(|| {
    let ledger = Ledger::unlimited();
    Resources {
        solver: Solver::new(Settings {
            tables: ValueTables::of_user().with_ledger(&ledger),
            ledger,
            ..Settings::default()
        }),
        ..Resources::default()
    }
});

/// What agents, analyses and searches of this process share.
pub(crate) fn resources() -> Resources {
    RESOURCES.clone()
}

/// The solvers in use, by threads and memory.
type Solvers = Vec<((usize, usize), Solver)>;

/// The solver with so many threads and so much memory, `"1G"`; the same one for the same settings.
pub(crate) fn solver(threads: usize, memory: Option<&str>) -> PyResult<Solver> {
    static SOLVERS: Mutex<Solvers> = Mutex::new(Vec::new());
    let memory = memory.map(quantity::memory).transpose().map_err(refused)?;
    let settings = (threads.max(1), memory.unwrap_or(MEMORY));
    let mut solvers = SOLVERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, solver)) = solvers.iter().find(|(key, _)| *key == settings) {
        return Ok(solver.clone());
    }
    let solver = Solver::new(Settings {
        threads: settings.0,
        memory: settings.1,
        patient: true,
        ..RESOURCES.solver.settings().clone()
    });
    if solvers.len() == MOST_SOLVERS {
        solvers.remove(0);
    }
    solvers.push((settings, solver.clone()));
    Ok(solver)
}

/// A budget of so many seconds and nodes.
pub(crate) fn budget(time_limit: Option<f64>, nodes: Option<u64>) -> PyResult<Budget> {
    let mut budget = Budget::unlimited();
    if let Some(seconds) = time_limit {
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|_| refused(format!("{seconds} is no time in seconds")))?;
        budget = budget.with_time(time);
    }
    if let Some(nodes) = nodes {
        budget = budget.with_nodes(nodes);
    }
    Ok(budget)
}

/// What work has told of itself so far.
#[derive(Default)]
pub(crate) struct Meter {
    nodes: AtomicU64,
    /// In millionths.
    share: AtomicU64,
}

impl Watch for Meter {
    fn nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    fn progress(&self, share: f64) {
        self.share.store((share * 1e6) as u64, Ordering::Relaxed);
    }

    fn pieces(&self, _: &str, done: u64, of: u64) {
        self.progress(done as f64 / of.max(1) as f64);
    }
}

impl Meter {
    fn tell(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let told = PyDict::new(py);
        told.set_item("nodes", self.nodes.load(Ordering::Relaxed))?;
        let share = self.share.load(Ordering::Relaxed) as f64 / 1e6;
        told.set_item("progress", share)?;
        progress.call1(py, (told,)).map(|_| ())
    }
}

/// Does work without Python's lock. Ctrl-C, and an exception of `progress`, end it. `progress` is a function or a bool.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    budget: &Budget,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Watch) -> PyResult<T> + Send,
) -> PyResult<T> {
    let meter = &Meter::default();
    let progress = progress.map(|progress| teller(py, progress)).transpose()?;
    let progress = progress.as_ref().and_then(Option::as_ref);
    py.detach(|| {
        thread::scope(|scope| {
            let (alive, ended) = mpsc::channel::<()>();
            let worker = start(scope, STACK, move || {
                let _alive = alive;
                work(meter)
            });
            let worker = worker.map_err(refused)?;
            let mut interrupted = None;
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    progress.map_or(Ok(()), |progress| meter.tell(py, progress))
                });
                if let Err(error) = looked {
                    budget.cancel();
                    interrupted.get_or_insert(error);
                }
            }
            let done = worker.join();
            let done = done.map_err(|_| PyRuntimeError::new_err("a worker has panicked"))?;
            match interrupted {
                Some(error) => Err(error),
                None => done,
            }
        })
    })
}

/// The function that hears of progress: True stands for `upstar.progress()`, False for none.
fn teller(py: Python<'_>, progress: &Py<PyAny>) -> PyResult<Option<Py<PyAny>>> {
    match progress.bind(py).cast::<PyBool>() {
        Err(_) => Ok(Some(progress.clone_ref(py))),
        Ok(asked) if asked.is_true() => {
            let line = py.import("upstar")?.call_method0("progress")?;
            Ok(Some(line.unbind()))
        }
        Ok(_) => Ok(None),
    }
}

/// A line of JSON as Python's own objects.
pub(crate) fn to_python(py: Python<'_>, line: &impl Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(line).map_err(refused)?;
    let read = py.import("json")?.call_method1("loads", (text,))?;
    Ok(read.unbind())
}
