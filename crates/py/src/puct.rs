//! Upstar's tree search with a network of the user's own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use upstar_agents::Playable;
use upstar_agents::puct::{Descent, Guidance, Puct as Tree, TreeMemory};
use upstar_games::{AnyGame, Random, with_game};
use upstar_nets::Visible;

use crate::actions::Numbering;
use crate::arrays::Encoding;
use crate::batch::Leaves;
use crate::failure::refused;
use crate::game::rows_and_cols;
use crate::search_result::SearchResult;
use crate::state::State;
use crate::work::resources;

/// The memory of trees that a search keeps for the next one, in bytes.
const MOST_KEPT: usize = 128 << 20;

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
    /// Of trees that are done with: the system need not find and clear new pages for the next ones.
    memory: Mutex<Vec<TreeMemory>>,
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
            memory: Mutex::default(),
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
    ) -> PyResult<SearchResult> {
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
    ) -> PyResult<Vec<SearchResult>> {
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
        with_game!(
            first,
            |rules, _start| self.run(py, rules, &games, noise),
            Err(refused(
                "the game does not have two sides that move in turn"
            ))
        )
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
pub(crate) struct Search<G: Playable> {
    pub(crate) tree: Tree<G>,
    /// It still lacks simulations, and its result is open.
    goes_on: bool,
    made: u32,
}

impl Puct {
    fn run<G: Playable + Visible>(
        &self,
        py: Python<'_>,
        rules: &G,
        games: &[AnyGame],
        noise: Option<Noise>,
    ) -> PyResult<Vec<SearchResult>> {
        let mut searches = Vec::with_capacity(games.len());
        for game in games {
            let position = rules
                .position(&game.setup(), game.side_to_move())
                .map_err(refused)?;
            let tree = Tree::new(rules, self.guidance, &resources()).map_err(refused)?;
            let mut tree = tree.with_memory(self.memory().pop().unwrap_or_default());
            tree.begin(&position);
            searches.push(Search {
                tree,
                goes_on: true,
                made: 0,
            });
        }
        let mut leaves = Leaves::new(rules, &games[0], self.encoding)?;
        // The roots alone, so that noise comes before the first choice.
        for first in (0..searches.len()).step_by(self.batch) {
            let last = searches.len().min(first + self.batch);
            for (index, search) in searches[first..last].iter_mut().enumerate() {
                search.made = 1;
                match search.tree.descend() {
                    Descent::Judge(leaf) => leaves.push(first + index, leaf),
                    _ => unreachable!("a new tree has its root judged first"),
                }
            }
            let judged = leaves.judge(py, &self.evaluate)?;
            judged.in_slices(|judged| leaves.answer(judged, &mut searches))?;
        }
        if let Some(((alpha, share), seeds)) = noise {
            for (search, seed) in searches.iter_mut().zip(seeds) {
                search.tree.add_noise(alpha, share, &mut Random::new(seed));
            }
        }
        let mut turn = 0;
        py.detach(|| self.gather(&mut searches, &mut leaves, &mut turn));
        // Python's lock is taken once for each batch: for the arrays, and for the network.
        while !leaves.is_empty() {
            let judged = leaves.judge(py, &self.evaluate)?;
            judged.in_slices(|judged| {
                py.detach(|| {
                    leaves.answer(judged, &mut searches)?;
                    self.gather(&mut searches, &mut leaves, &mut turn);
                    PyResult::Ok(())
                })
            })?;
            py.check_signals()?;
        }
        let numbering = Numbering::of(&games[0]);
        let results = searches
            .iter()
            .map(|search| SearchResult::of(rules, numbering, &search.tree))
            .collect();
        self.keep(searches);
        Ok(results)
    }

    fn memory(&self) -> MutexGuard<'_, Vec<TreeMemory>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the memory of trees for the next searches.
    fn keep<G: Playable>(&self, searches: Vec<Search<G>>) {
        let mut kept = self.memory();
        let mut bytes: usize = kept.iter().map(TreeMemory::bytes).sum();
        for search in searches {
            let memory = search.tree.into_memory();
            bytes += memory.bytes();
            if bytes > MOST_KEPT {
                return;
            }
            kept.push(memory);
        }
    }

    /// Leaves for one batch, from the searches in turn; none if all searches are done.
    fn gather<G: Playable + Visible>(
        &self,
        searches: &mut [Search<G>],
        leaves: &mut Leaves<'_, G>,
        turn: &mut usize,
    ) {
        let count = searches.len();
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
                    leaves.push(index, leaf);
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
    }
}
