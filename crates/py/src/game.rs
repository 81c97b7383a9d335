//! A game on one board.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use upstar_games::{AnyGame, Board, Start, Variant};

use crate::actions::Numbering;
use crate::failure::refused;
use crate::state::State;

/// A game on a board, with the position where it begins.
///
/// The texts are those of the command line: games `clobber`, `clobber:cannibal`, `othello`,
/// `othello:anti`, …; positions `4x5`, `xox|oxo`, `random:6x6,seed=7`, ….
///
/// >>> import upstar as up
/// >>> game = up.Game("clobber", "4x5")
/// >>> game.num_distinct_actions()
/// 80
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Game {
    pub(crate) start: AnyGame,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game, position, to_move=None))]
    fn new(game: &str, position: &str, to_move: Option<char>) -> PyResult<Self> {
        let variant: Variant = game.parse().map_err(refused)?;
        let start: Start = position.parse().map_err(refused)?;
        let start = AnyGame::open(variant, &start, to_move).map_err(refused)?;
        Ok(Self { start })
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> String {
        self.start.variant().to_string()
    }

    /// The position where it begins, as text.
    #[getter]
    fn position(&self) -> String {
        self.start.to_string()
    }

    /// Where the game begins.
    fn start(&self) -> State {
        State::at(self.start.clone())
    }

    /// The same as `start()`, by OpenSpiel's name.
    fn new_initial_state(&self) -> State {
        self.start()
    }

    /// A position of this game on this board.
    ///
    /// >>> import upstar as up
    /// >>> up.Game("clobber", "2x3").state("x.x|oxo", "o").legal_moves()
    /// ['a2a1', 'a2b2', 'c2c1', 'c2b2']
    #[pyo3(signature = (position, to_move=None))]
    fn state(&self, position: &str, to_move: Option<char>) -> PyResult<State> {
        let start: Start = position.parse().map_err(refused)?;
        let state = AnyGame::open(self.start.variant(), &start, to_move).map_err(refused)?;
        if state.board() != self.start.board() {
            return Err(refused("the position is of another board"));
        }
        Ok(State::at(state))
    }

    /// How many players there are.
    fn num_players(&self) -> usize {
        players(self.start.variant())
    }

    /// How many numbers stand for moves.
    fn num_distinct_actions(&self) -> usize {
        Numbering::of(&self.start).count()
    }

    /// An upper bound on the number of plies.
    fn max_game_length(&self) -> u32 {
        self.start.plies_left()
    }

    /// Planes, rows and columns of `State.observation_tensor`.
    fn observation_tensor_shape(&self) -> PyResult<[usize; 3]> {
        let (rows, cols) = rows_and_cols(&self.start)?;
        Ok([3, rows, cols])
    }

    /// What an action is called.
    fn action_to_string(&self, action: usize) -> PyResult<String> {
        let named = Numbering::of(&self.start).name(action);
        named.ok_or_else(|| refused(format!("{action} is no move on this board")))
    }

    /// For each action of OpenSpiel's numbering its place in the policy of Upstar's own networks; a pass,
    /// which those do not judge, has none: -1.
    fn network_actions(&self) -> PyResult<Vec<i64>> {
        rows_and_cols(&self.start)?;
        Ok(network_actions(&self.start))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.start == other.start
    }

    fn __hash__(&self) -> u64 {
        hash(&self.start)
    }

    fn __repr__(&self) -> String {
        let to_move = self.start.side_to_move().letter();
        format!(
            "Game('{}', '{}', '{to_move}')",
            self.name(),
            self.position()
        )
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, String, char))> {
        let class = py.get_type::<Self>().into_any().unbind();
        let to_move = self.start.side_to_move().letter();
        Ok((class, (self.name(), self.position(), to_move)))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.start.svg(None).map_err(refused)
    }
}

/// How many play.
pub(crate) fn players(variant: Variant) -> usize {
    match variant {
        Variant::Solitaire => 1,
        variant => variant.sides(),
    }
}

pub(crate) fn hash(game: &AnyGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

/// For each number of a move its place in the policy of our networks on a grid; -1 for a pass.
pub(crate) fn network_actions(game: &AnyGame) -> Vec<i64> {
    let (numbering, cells) = (Numbering::of(game), game.board().len());
    let place = |action: usize| match numbering.is_othello {
        true if action == cells => -1,
        true => action as i64,
        // Up, right, down, left become up, left, down, right.
        false => (action / 4 * 4 + (4 - action % 4) % 4) as i64,
    };
    (0..numbering.count()).map(place).collect()
}

/// Rows and columns of a board that has them.
pub(crate) fn rows_and_cols(game: &AnyGame) -> PyResult<(usize, usize)> {
    match game.board() {
        Board::Grid(grid) => Ok((grid.rows(), grid.cols())),
        Board::Graph(_) => Err(refused("a graph has no rows and columns")),
    }
}
