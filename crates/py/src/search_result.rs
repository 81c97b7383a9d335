//! What a search with the user's network found out.

use numpy::PyArray1;
use pyo3::prelude::*;
use upstar_agents::Playable;
use upstar_agents::puct::Puct as Tree;
use upstar_agents::uct::MoveStatistics;

use crate::actions::Numbering;
use crate::failure::refused;

/// What a search found out about a position.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct SearchResult {
    /// Number, name, and what is known of each move, in the order of the numbers.
    moves: Vec<(usize, String, MoveStatistics<()>)>,
    best: usize,
    mean: f32,
    outcome: Option<i32>,
    simulations: u32,
    /// How many actions the game has, legal or not.
    actions: usize,
}

#[pymethods]
impl SearchResult {
    /// The numbers of the legal moves.
    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.moves.iter().map(|(action, ..)| *action).collect()
    }

    /// How many simulations began with each of them.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let visits = self.moves.iter().map(|(_, _, known)| known.visits as i64);
        PyArray1::from_iter(py, visits)
    }

    /// The mean result of each for the side to move.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.moves.iter().map(|(_, _, known)| known.mean))
    }

    /// The number of the move to play.
    #[getter]
    pub(crate) fn action(&self) -> usize {
        self.moves[self.best].0
    }

    /// The name of the move to play.
    #[getter(r#move)]
    fn best(&self) -> &str {
        &self.moves[self.best].1
    }

    /// The mean result for the side to move.
    #[getter]
    fn value(&self) -> f32 {
        self.mean
    }

    /// The proved result for the side to move, 1, 0 or -1; None if it is not proved.
    #[getter]
    fn proved(&self) -> Option<i32> {
        self.outcome
    }

    /// How many simulations were made.
    #[getter]
    fn simulations(&self) -> u32 {
        self.simulations
    }

    /// Chances of all actions in proportion to visits to the power of 1 / temperature; at 0 the move to play.
    #[pyo3(signature = (temperature=1.0))]
    fn policy<'py>(
        &self,
        py: Python<'py>,
        temperature: f64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if temperature.is_nan() || temperature < 0.0 {
            return Err(refused("a temperature is at least 0"));
        }
        let mut policy = vec![0.0; self.actions];
        let most = self.moves.iter().map(|(_, _, known)| known.visits).max();
        let most = most.unwrap_or(0).max(1) as f64;
        let weight = |visits: u64| (visits as f64 / most).powf(1.0 / temperature);
        let visited = self.moves.iter().any(|(_, _, known)| known.visits > 0);
        if temperature == 0.0 || !visited {
            policy[self.action()] = 1.0;
            return Ok(PyArray1::from_vec(py, policy));
        }
        let all: f64 = self
            .moves
            .iter()
            .map(|(_, _, known)| weight(known.visits))
            .sum();
        for (action, _, known) in &self.moves {
            policy[*action] = (weight(known.visits) / all) as f32;
        }
        Ok(PyArray1::from_vec(py, policy))
    }

    fn __repr__(&self) -> String {
        format!(
            "<SearchResult: {} after {} simulations>",
            self.best(),
            self.simulations
        )
    }
}

impl SearchResult {
    /// What a tree tells of its root.
    pub(crate) fn of<G: Playable>(rules: &G, numbering: Numbering<'_>, tree: &Tree<G>) -> Self {
        let number = |mv: G::Move| numbering.number(rules.path(mv));
        let best = tree.best().map(|best| number(best.mv));
        let named = |known: MoveStatistics<G::Move>| {
            let MoveStatistics {
                mv,
                visits,
                mean,
                proved,
            } = known;
            let known = MoveStatistics {
                mv: (),
                visits,
                mean,
                proved,
            };
            (number(mv), rules.move_name(mv), known)
        };
        let mut moves: Vec<_> = tree.moves().into_iter().map(named).collect();
        moves.sort_by_key(|(number, ..)| *number);
        let best = moves.iter().position(|(number, ..)| Some(*number) == best);
        Self {
            best: best.unwrap_or(0),
            moves,
            mean: tree.mean(),
            outcome: tree.outcome().map(upstar_solve::Outcome::sign),
            simulations: tree.visits(),
            actions: numbering.count(),
        }
    }
}
