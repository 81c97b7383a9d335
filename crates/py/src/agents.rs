//! Players by their specifications.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use upstar_agents::{AgentSpec, AnyAgent, Evaluation};
use upstar_games::{GameResult, Random};

use crate::actions;
use crate::failure::refused;
use crate::state::State;
use crate::work::{budget, resources, work};

/// A player by its specification, as on the command line: `random`, `mcts:1000`, `az:default,sims=400`, `solver`, ….
///
/// The same position and the same seed give the same choice, unless the agent's limit is a time.
///
/// >>> import upstar as up
/// >>> state = up.Game("clobber", "xxo").start()
/// >>> up.Agent("solver").choose(state).move
/// 'b1c1'
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Agent {
    pub(crate) spec: AgentSpec,
    player: Mutex<Option<AnyAgent>>,
}

/// What an agent chose.
#[pyclass(frozen, get_all, module = "upstar")]
pub(crate) struct Choice {
    /// The number of the move.
    action: usize,
    /// The name of the move.
    #[pyo3(name = "move")]
    pub(crate) name: String,
    /// 'win', 'draw' or 'loss' for the side that plays it, if that is proved.
    proved: Option<&'static str>,
    /// The mean result that the agent expects, from -1 (lost) to 1 (won).
    expected: Option<f64>,
    /// How many playouts, simulations or positions it took.
    effort: u64,
    /// What a user should know.
    remark: Option<String>,
}

#[pymethods]
impl Choice {
    fn __index__(&self) -> usize {
        self.action
    }

    fn __str__(&self) -> String {
        self.name.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Choice {}>", self.name)
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (spec))]
    fn new(spec: &str) -> PyResult<Self> {
        let spec: AgentSpec = spec.parse().map_err(refused)?;
        if matches!(spec, AgentSpec::Human) {
            return Err(refused("a human is not asked from Python"));
        }
        Ok(Self {
            spec,
            player: Mutex::new(None),
        })
    }

    /// The agent's specification.
    #[getter(spec)]
    fn text(&self) -> String {
        self.spec.to_string()
    }

    /// Chooses a move.
    #[pyo3(signature = (state, *, seed=1, time_limit=None))]
    fn choose(
        &self,
        py: Python<'_>,
        state: PyRef<'_, State>,
        seed: u64,
        time_limit: Option<f64>,
    ) -> PyResult<Choice> {
        if state.now.is_over() {
            let result = state
                .now
                .result()
                .map(|result: GameResult| result.to_string());
            let result = result.unwrap_or_default();
            return Err(refused(format!("the game is over: {result}")));
        }
        let (start, moves, now) = (state.start.clone(), state.names(), state.now.clone());
        drop(state);
        let budget = budget(time_limit, None)?;
        let choice = work(py, &budget, None, |_| {
            let mut kept = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            let mut player = match kept.take().filter(|player| player.plays(&start)) {
                Some(player) => player,
                None => AnyAgent::new(&self.spec, &start, &resources()).map_err(refused)?,
            };
            player.begin_game().map_err(refused)?;
            let choice = player.choose(&start, &moves, &budget, &mut Random::new(seed));
            *kept = Some(player);
            choice.map_err(refused)
        })?;
        let (proved, expected) = match choice.evaluation {
            Some(Evaluation::Proved(outcome)) => {
                let word = match outcome.sign() {
                    1 => "win",
                    0 => "draw",
                    _ => "loss",
                };
                (Some(word), None)
            }
            Some(Evaluation::Expected(mean)) => (None, Some(mean)),
            None => (None, None),
        };
        Ok(Choice {
            action: actions::number(&now, &choice.mv),
            name: choice.mv,
            proved,
            expected,
            effort: choice.effort,
            remark: choice.remark,
        })
    }

    /// The number of the move that it chooses: OpenSpiel's word for `choose`.
    fn step(&self, py: Python<'_>, state: PyRef<'_, State>) -> PyResult<usize> {
        Ok(self.choose(py, state, 1, None)?.action)
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}')", self.spec)
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.text(),))
    }
}
