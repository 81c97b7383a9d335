//! Upstar's tree search with a network of the user's own.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use upstar_agents::Playable;
use upstar_agents::puct::{Descent, Guidance, Leaf, Puct as Tree};
use upstar_agents::uct::MoveStatistics;
use upstar_games::{AnyGame, Random, with_game};

use crate::actions::Numbering;
use crate::arrays::{Arrays, Encoded, Encoding, Seen};
use crate::failure::refused;
use crate::game::rows_and_cols;
use crate::state::State;
use crate::work::resources;

/// Tree search led by a network of your own: one call for each batch of positions.
///
/// `evaluate(batch)` gets `batch.planes` (positions, 3, rows, columns) and `batch.mask` (positions, actions),
/// and returns logits (positions, actions) and values (positions,) for the side to move, from -1 to 1. Logits of
/// illegal actions are ignored.
///
/// >>> import numpy as np
/// >>> import upstar as up
/// >>> def evaluate(batch):
/// ...     return np.zeros(batch.mask.shape, np.float32), np.zeros(len(batch.mask), np.float32)
/// >>> found = up.Puct(evaluate, sims=200).search(up.Game("clobber", "3x4").start())
/// >>> int(found.visits.sum())
/// 199
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Puct {
    evaluate: Py<PyAny>,
    simulations: u32,
    batch: usize,
    guidance: Guidance,
    encoding: Encoding,
}

/// Positions that a network is to judge.
#[pyclass(frozen, get_all, module = "upstar")]
pub(crate) struct Batch {
    /// What the network sees: float32 (positions, 3, rows, columns).
    planes: Py<PyAny>,
    /// Which actions are legal: bool (positions, actions).
    mask: Py<PyAny>,
}

#[pymethods]
impl Batch {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.mask.bind(py).len()
    }
}

/// What a search found out about a position.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Searched {
    found: Found,
    count: usize,
}

/// The result of a search by the numbers of moves.
struct Found {
    /// Number, name, and what is known of each move, in the order of the numbers.
    moves: Vec<(usize, String, MoveStatistics<()>)>,
    best: usize,
    mean: f32,
    outcome: Option<i32>,
    simulations: u32,
}

#[pymethods]
impl Searched {
    /// The numbers of the legal moves.
    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.found
            .moves
            .iter()
            .map(|(action, ..)| *action)
            .collect()
    }

    /// How many simulations began with each of them.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let visits = self
            .found
            .moves
            .iter()
            .map(|(_, _, known)| known.visits as i64);
        PyArray1::from_iter(py, visits)
    }

    /// The mean result of each for the side to move.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.found.moves.iter().map(|(_, _, known)| known.mean))
    }

    /// The number of the move to play.
    #[getter]
    fn action(&self) -> usize {
        self.found.moves[self.found.best].0
    }

    /// The name of the move to play.
    #[getter(r#move)]
    fn best(&self) -> &str {
        &self.found.moves[self.found.best].1
    }

    /// The mean result for the side to move.
    #[getter]
    fn value(&self) -> f32 {
        self.found.mean
    }

    /// The proved result for the side to move, 1, 0 or -1; None if it is not proved.
    #[getter]
    fn proved(&self) -> Option<i32> {
        self.found.outcome
    }

    /// How many simulations were made.
    #[getter]
    fn simulations(&self) -> u32 {
        self.found.simulations
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
        let mut policy = vec![0.0; self.count];
        let most = self
            .found
            .moves
            .iter()
            .map(|(_, _, known)| known.visits)
            .max();
        let most = most.unwrap_or(0).max(1) as f64;
        let weight = |visits: u64| (visits as f64 / most).powf(1.0 / temperature);
        let visited = self
            .found
            .moves
            .iter()
            .any(|(_, _, known)| known.visits > 0);
        if temperature == 0.0 || !visited {
            policy[self.action()] = 1.0;
            return Ok(PyArray1::from_vec(py, policy));
        }
        let all: f64 = self
            .found
            .moves
            .iter()
            .map(|(_, _, known)| weight(known.visits))
            .sum();
        for (action, _, known) in &self.found.moves {
            policy[*action] = (weight(known.visits) / all) as f32;
        }
        Ok(PyArray1::from_vec(py, policy))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Searched: {} after {} simulations>",
            self.best(),
            self.found.simulations
        )
    }
}

#[pymethods]
impl Puct {
    #[new]
    #[pyo3(signature = (evaluate, sims=200, *, batch=64, c=1.5, exact=0, planes="openspiel"))]
    fn new(
        evaluate: Py<PyAny>,
        sims: u32,
        batch: usize,
        c: f32,
        exact: u32,
        planes: &str,
    ) -> PyResult<Self> {
        if sims == 0 || batch == 0 {
            return Err(refused(
                "a search has at least one simulation, and a batch one position",
            ));
        }
        Ok(Self {
            evaluate,
            simulations: sims,
            batch,
            guidance: Guidance { c, exact },
            encoding: planes.parse()?,
        })
    }

    /// Searches a position. With `noise=(alpha, share)` so much Dirichlet noise is mixed into the priors of its
    /// moves, as in self-play.
    #[pyo3(signature = (state, *, noise=None, seed=1))]
    fn search(
        &self,
        py: Python<'_>,
        state: PyRef<'_, State>,
        noise: Option<(f64, f32)>,
        seed: u64,
    ) -> PyResult<Searched> {
        let mut found = self.search_many(py, vec![state], noise, Some(vec![seed]))?;
        Ok(found.remove(0))
    }

    /// Searches several positions of one board at the same time, so that their leaves share batches. A search
    /// alone has more leaves of its own in a batch, and so finds a little else.
    #[pyo3(signature = (states, *, noise=None, seeds=None))]
    fn search_many(
        &self,
        py: Python<'_>,
        states: Vec<PyRef<'_, State>>,
        noise: Option<(f64, f32)>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<Vec<Searched>> {
        let games: Vec<AnyGame> = states.iter().map(|state| state.now.clone()).collect();
        drop(states);
        let Some(first) = games.first() else {
            return Ok(Vec::new());
        };
        let seeds = seeds.unwrap_or_else(|| (1..=games.len() as u64).collect());
        if seeds.len() != games.len() {
            return Err(refused("there is one seed for each position"));
        }
        rows_and_cols(first)?;
        let other =
            |game: &AnyGame| game.board() != first.board() || game.variant() != first.variant();
        if games.iter().any(other) {
            return Err(refused("the positions are of different games or boards"));
        }
        if games.iter().any(AnyGame::is_over) {
            return Err(refused("a game is over"));
        }
        let noise = noise.map(|noise| (noise, seeds));
        let found = with_game!(
            first,
            |rules, _start| self.run(py, rules, &games, noise),
            Err(refused(
                "the game does not have two sides that move in turn"
            ))
        )?;
        let count = Numbering::of(first).count();
        Ok(found
            .into_iter()
            .map(|found| Searched { found, count })
            .collect())
    }

    /// The number of the move to play: what matches call.
    #[pyo3(signature = (state, *, seed=1))]
    fn choose(&self, py: Python<'_>, state: PyRef<'_, State>, seed: u64) -> PyResult<usize> {
        Ok(self.search(py, state, None, seed)?.action())
    }

    fn __repr__(&self) -> String {
        format!(
            "<Puct: {} simulations, batches of {}>",
            self.simulations, self.batch
        )
    }
}

/// Noise for the roots, and the seed of each.
type Noise = ((f64, f32), Vec<u64>);

/// A search among several.
struct Search<G: Playable> {
    tree: Tree<G>,
    /// It still lacks simulations, and its result is open.
    goes_on: bool,
    made: u32,
}

impl Puct {
    fn run<G: Playable>(
        &self,
        py: Python<'_>,
        rules: &G,
        games: &[AnyGame],
        noise: Option<Noise>,
    ) -> PyResult<Vec<Found>> {
        let numbering = Numbering::of(&games[0]);
        let mut searches = Vec::with_capacity(games.len());
        for game in games {
            let setup = game.setup();
            let position = rules
                .position(&setup, game.side_to_move())
                .map_err(refused)?;
            let mut tree = Tree::new(rules, self.guidance, &resources()).map_err(refused)?;
            tree.begin(&position);
            searches.push(Search {
                tree,
                goes_on: true,
                made: 0,
            });
        }
        // The roots alone, so that noise comes before the first choice.
        let roots: Vec<_> = searches
            .iter_mut()
            .enumerate()
            .map(|(index, search)| {
                search.made = 1;
                match search.tree.descend() {
                    Descent::Judge(leaf) => (index, leaf),
                    _ => unreachable!("a new tree has its root judged first"),
                }
            })
            .collect();
        for roots in roots.chunks(self.batch) {
            self.judge(py, rules, numbering, &games[0], &mut searches, roots)?;
        }
        if let Some(((alpha, share), seeds)) = noise {
            for (search, seed) in searches.iter_mut().zip(seeds) {
                search.tree.add_noise(alpha, share, &mut Random::new(seed));
            }
        }
        let mut turn = 0;
        while searches.iter().any(|search| search.goes_on) {
            let leaves = py.detach(|| self.gather(&mut searches, &mut turn));
            if !leaves.is_empty() {
                self.judge(py, rules, numbering, &games[0], &mut searches, &leaves)?;
            }
            py.check_signals()?;
        }
        Ok(searches
            .iter()
            .map(|search| found(rules, numbering, search))
            .collect())
    }

    /// Leaves for one batch, from the searches in turn.
    fn gather<G: Playable>(
        &self,
        searches: &mut [Search<G>],
        turn: &mut usize,
    ) -> Vec<(usize, Leaf<G::Position>)> {
        let count = searches.len();
        let mut leaves = Vec::with_capacity(self.batch);
        // Searches that have nothing to look at before others are answered.
        let mut waiting = 0;
        while leaves.len() < self.batch && waiting < count {
            let index = *turn % count;
            *turn += 1;
            let search = &mut searches[index];
            if !search.goes_on || search.made >= self.simulations {
                search.goes_on = false;
                waiting += 1;
                continue;
            }
            match search.tree.descend() {
                Descent::Judge(leaf) => {
                    search.made += 1;
                    leaves.push((index, leaf));
                    waiting = 0;
                }
                Descent::Known => {
                    search.made += 1;
                    waiting = 0;
                }
                Descent::Waiting => waiting += 1,
                Descent::Proved => {
                    search.goes_on = false;
                    waiting += 1;
                }
            }
        }
        leaves
    }

    /// Has the leaves judged by the user's network.
    fn judge<G: Playable>(
        &self,
        py: Python<'_>,
        rules: &G,
        numbering: Numbering<'_>,
        game: &AnyGame,
        searches: &mut [Search<G>],
        leaves: &[(usize, Leaf<G::Position>)],
    ) -> PyResult<()> {
        let actions = numbering.count();
        let size = 3 * game.board().len();
        let shown = py.detach(|| {
            let mut planes = vec![0.0; size * leaves.len()];
            let mut mask = vec![false; actions * leaves.len()];
            let places = planes
                .chunks_exact_mut(size)
                .zip(mask.chunks_exact_mut(actions));
            for ((_, leaf), (planes, mask)) in leaves.iter().zip(places) {
                let seen = Seen::of(rules, &leaf.position);
                seen.write(self.encoding, numbering.is_othello, planes);
                for mv in rules.moves(&leaf.position) {
                    mask[numbering.number(rules.path(mv))] = true;
                }
            }
            Encoded { planes, mask }
        });
        let (planes, mask): Arrays<'_> = shown.arrays(py, game)?;
        let batch = Batch {
            planes: planes.into_any().unbind(),
            mask: mask.into_any().unbind(),
        };
        let judged = self.evaluate.call1(py, (batch,))?;
        let wrong = || {
            refused(format!(
                "evaluate returns logits and values as float32 arrays of shapes ({0}, {actions}) and ({0},)",
                leaves.len()
            ))
        };
        let judged = judged.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>(py);
        let (logits, values) = judged.map_err(|_| wrong())?;
        let logits: PyReadonlyArray2<'_, f32> = logits.extract().map_err(|_| wrong())?;
        let values: PyReadonlyArray1<'_, f32> = values.extract().map_err(|_| wrong())?;
        let (logits, values) = (logits.as_array(), values.as_array());
        if logits.dim() != (leaves.len(), actions) || values.len() != leaves.len() {
            return Err(wrong());
        }
        let mut priors = Vec::new();
        for (row, (index, leaf)) in leaves.iter().enumerate() {
            priors.clear();
            let moves = rules.moves(&leaf.position);
            priors.extend(moves.map(|mv| logits[[row, numbering.number(rules.path(mv))]]));
            softmax(&mut priors);
            let value = values[row];
            if !value.is_finite() || priors.iter().any(|prior| !prior.is_finite()) {
                return Err(refused("evaluate returned numbers that are not finite"));
            }
            searches[*index]
                .tree
                .receive(leaf, value.clamp(-1.0, 1.0), &priors);
        }
        Ok(())
    }
}

fn softmax(numbers: &mut [f32]) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = (*number - most).exp();
        sum += *number;
    }
    for number in numbers {
        *number /= sum;
    }
}

fn found<G: Playable>(rules: &G, numbering: Numbering<'_>, search: &Search<G>) -> Found {
    let best = search.tree.best().map(|best| rules.path(best.mv));
    let best = best.map(|path| numbering.number(path));
    let named = |known: MoveStatistics<G::Move>| {
        let number = numbering.number(rules.path(known.mv));
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
        (number, rules.move_name(mv), known)
    };
    let mut moves: Vec<_> = search.tree.moves().into_iter().map(named).collect();
    moves.sort_by_key(|(number, ..)| *number);
    let best = moves.iter().position(|(number, ..)| Some(*number) == best);
    Found {
        best: best.unwrap_or(0),
        moves,
        mean: search.tree.mean(),
        outcome: search.tree.outcome().map(upstar_solve::Outcome::sign),
        simulations: search.tree.visits(),
    }
}
