//! Upstar's own large networks.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use upstar_agents::puct::shipped;
use upstar_games::{AnyGame, Board, Random};
use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Observation};

use crate::actions::Numbering;
use crate::failure::refused;
use crate::state::State;
use crate::work::to_python;

/// Logits by position and action, and values by position.
type Judged<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// One of Upstar's own large networks: what `az:FILE` plays with and AlphaZero trains.
///
/// >>> import upstar as up
/// >>> network = up.Network.default("clobber")
/// >>> logits, values = network.evaluate([up.Game("clobber", "6x6").start()])
/// >>> logits.shape, bool(-1 <= values[0] <= 1)
/// ((1, 144), True)
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Network(DeepNetwork);

#[pymethods]
impl Network {
    /// The network of a file.
    #[staticmethod]
    fn load(file: PathBuf) -> PyResult<Self> {
        Ok(Self(DeepNetwork::load(&file).map_err(refused)?))
    }

    /// The network that comes with the program for a game.
    #[staticmethod]
    #[pyo3(signature = (game="clobber"))]
    fn default(game: &str) -> PyResult<Self> {
        let size = if game.starts_with("othello") {
            "8x8"
        } else {
            "6x6"
        };
        let found = match AnyGame::parse(game, size).map_err(refused)? {
            AnyGame::Clobber64(rules, _) => shipped(&rules),
            AnyGame::Othello64(rules, _) => shipped(&rules),
            _ => None,
        };
        let network =
            found.ok_or_else(|| refused("no network for this game comes with the program"))?;
        Ok(Self(network))
    }

    /// A network of this design with random weights: keys game, board (or none for every size), model, planes,
    /// width, depth.
    #[staticmethod]
    #[pyo3(signature = (design, *, seed=1))]
    fn random(py: Python<'_>, design: &Bound<'_, PyDict>, seed: u64) -> PyResult<Self> {
        let design = read(py, design)?;
        let network = DeepNetwork::random(design, &mut Random::new(seed));
        Ok(Self(network.map_err(refused)?))
    }

    /// A network of this design with these tensors, by the names of `tensors`.
    #[staticmethod]
    fn of_tensors(
        py: Python<'_>,
        design: &Bound<'_, PyDict>,
        tensors: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let network = Self::random(py, design, 1)?;
        let mut network = network.0;
        let shapes: Vec<(String, Vec<usize>)> = network
            .tensors()
            .map(|(name, dimensions, _)| (name.to_owned(), dimensions.to_vec()))
            .collect();
        if shapes.len() != tensors.len() {
            return Err(refused(format!(
                "the design has {} tensors, not {}",
                shapes.len(),
                tensors.len()
            )));
        }
        for (name, dimensions) in shapes {
            let given = tensors.get_item(&name)?;
            let given = given.ok_or_else(|| refused(format!("the tensor {name} is missing")))?;
            let given: PyReadonlyArrayDyn<'_, f32> = given
                .extract()
                .map_err(|_| refused(format!("{name} is not an array of float32")))?;
            if given.as_array().shape() != dimensions {
                return Err(refused(format!("{name} has the shape {dimensions:?}")));
            }
            let place = network.tensor_mut(&name).expect("it was listed");
            for (number, given) in place.iter_mut().zip(given.as_array().iter()) {
                if !given.is_finite() {
                    return Err(refused(format!("{name} has numbers that are not finite")));
                }
                *number = *given;
            }
        }
        Ok(Self(network))
    }

    /// What it is made for and of.
    #[getter]
    fn design(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, self.0.design())
    }

    /// How many numbers it consists of.
    #[getter]
    fn parameters(&self) -> usize {
        self.0.parameters()
    }

    /// Its tensors by name; weights of layers stand by input and output, those of convolutions as in PyTorch.
    fn tensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tensors = PyDict::new(py);
        for (name, dimensions, numbers) in self.0.tensors() {
            let array = PyArray1::from_slice(py, numbers).reshape(dimensions.to_vec())?;
            tensors.set_item(name, array)?;
        }
        Ok(tensors)
    }

    /// What it says of positions of one board: logits of all actions by OpenSpiel's numbers (zero for a pass and
    /// what is no move), and values for the side to move.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        states: Vec<PyRef<'_, State>>,
    ) -> PyResult<Judged<'py>> {
        let first = states
            .first()
            .ok_or_else(|| refused("there are no positions"))?;
        let Board::Grid(grid) = first.now.board() else {
            return Err(refused("large networks judge positions on grids"));
        };
        let mut seen = Vec::with_capacity(states.len());
        for state in &states {
            if state.now.board() != first.now.board() {
                return Err(refused("the positions are of different boards"));
            }
            seen.push(self.observe(&state.now)?);
        }
        let order = crate::game::network_actions(&first.now);
        let (count, grid) = (Numbering::of(&first.now).count(), *grid);
        let rows = states.len();
        drop(states);
        let (logits, values) = py.detach(|| -> PyResult<_> {
            let mut evaluator = Evaluator::new(&self.0, &grid).map_err(refused)?;
            let actions = evaluator.actions();
            let mut policy = vec![0.0; actions * rows];
            let mut values = vec![0.0; rows];
            // A batch at a time, as much as a cache holds.
            let batches = seen.chunks(64).zip(policy.chunks_mut(64 * actions));
            for ((seen, policy), values) in batches.zip(values.chunks_mut(64)) {
                evaluator.evaluate(seen, policy, values);
            }
            let mut logits = vec![0.0; count * rows];
            for (to, from) in logits
                .chunks_exact_mut(count)
                .zip(policy.chunks_exact(actions))
            {
                for (number, &place) in to.iter_mut().zip(&order) {
                    *number = usize::try_from(place).map_or(0.0, |place| from[place]);
                }
            }
            Ok((logits, values))
        })?;
        let logits = PyArray1::from_vec(py, logits).reshape([rows, count])?;
        Ok((logits, PyArray1::from_vec(py, values)))
    }

    /// Writes it to a file that `az:FILE` plays with.
    fn save(&self, file: PathBuf) -> PyResult<()> {
        self.0.save(&file).map_err(refused)
    }

    fn __repr__(&self) -> String {
        let design = self.0.design();
        format!(
            "<Network: {} {} {}x{}, {} numbers>",
            design.game,
            design.model,
            design.width,
            design.depth,
            self.0.parameters()
        )
    }
}

impl Network {
    fn observe(&self, game: &AnyGame) -> PyResult<Observation> {
        let wanted = self.0.design().game;
        if game.variant() != wanted {
            return Err(refused(format!("the network is for {wanted}")));
        }
        match game {
            AnyGame::Clobber64(rules, at) => Ok(rules.observe(at)),
            AnyGame::Clobber128(rules, at) => Ok(rules.observe(at)),
            AnyGame::Othello64(rules, at) => Ok(rules.observe(at)),
            AnyGame::Othello128(rules, at) => Ok(rules.observe(at)),
            _ => Err(refused(format!("the network is for {wanted}"))),
        }
    }
}

/// A design from its dictionary.
fn read(py: Python<'_>, design: &Bound<'_, PyDict>) -> PyResult<Design> {
    let text = py.import("json")?.call_method1("dumps", (design,))?;
    let text: String = text.extract()?;
    serde_json::from_str(&text).map_err(refused)
}
