//! A position: immutable, hashable, with the moves that led to it.

use std::sync::Arc;
use std::time::Instant;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use upstar::Verdict;
use upstar_games::{AnyGame, GameResult, Side, Variant};
use upstar_solve::{Query, Question};

use crate::actions::{self, Numbering};
use crate::agents::Choice;
use crate::arrays::{self, Encoding};
use crate::failure::refused;
use crate::game::{Game, hash, players};
use crate::solving::Answer;
use crate::work::{budget, solver, to_python, work};

/// OpenSpiel's player of a game that is over.
const TERMINAL: i32 = -4;

/// A position with the moves that led to it. It never changes: `child` makes a new one.
///
/// Two are equal if game, board, stones and side to move are; how they came about does not matter.
///
/// >>> import upstar as up
/// >>> state = up.Game("clobber", "2x3").start()
/// >>> state.legal_moves()[:2]
/// ['a1b1', 'a1a2']
/// >>> str(state.child("a1b1"))
/// '.xx|oxo'
#[pyclass(frozen, module = "upstar")]
pub(crate) struct State {
    pub(crate) now: AnyGame,
    pub(crate) start: Arc<AnyGame>,
    last: Option<Arc<Played>>,
}

/// A function of Python, and what it makes the state of.
type Pickled = (Py<PyAny>, (Game, Vec<String>));

/// A move and those before it.
struct Played {
    name: String,
    action: usize,
    before: Option<Arc<Played>>,
}

impl State {
    /// Where a game begins.
    pub(crate) fn at(game: AnyGame) -> Self {
        Self {
            start: Arc::new(game.clone()),
            now: game,
            last: None,
        }
    }

    /// The moves since the start, by name.
    pub(crate) fn names(&self) -> Vec<String> {
        self.played().map(|played| played.name.clone()).collect()
    }

    fn played(&self) -> impl Iterator<Item = &Played> {
        let mut all = Vec::new();
        let mut last = self.last.as_deref();
        while let Some(played) = last {
            all.push(played);
            last = played.before.as_deref();
        }
        all.into_iter().rev()
    }

    /// The position after a legal move.
    pub(crate) fn after(&self, name: &str) -> PyResult<Self> {
        let name = self.now.legal_move(name).map_err(refused)?;
        let action = actions::number(&self.now, &name);
        Ok(Self {
            now: self.now.play(&name).map_err(refused)?,
            start: Arc::clone(&self.start),
            last: Some(Arc::new(Played {
                name,
                action,
                before: self.last.clone(),
            })),
        })
    }

    /// The name of a legal move, given by its number, its name, or a choice.
    pub(crate) fn move_named(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(name) = action.cast::<PyString>() {
            return Ok(name.to_string());
        }
        if let Ok(choice) = action.cast::<Choice>() {
            return Ok(choice.get().name.clone());
        }
        let number: usize = action.extract()?;
        let name = Numbering::of(&self.now).name(number);
        name.ok_or_else(|| refused(format!("{number} is no move on this board")))
    }

    fn winner_side(&self) -> Option<Side> {
        self.now.result().and_then(GameResult::winner)
    }
}

/// First what OpenSpiel has, by its names; then what is ours.
#[pymethods]
impl State {
    /// The player to move, from 0; -4 when the game is over.
    fn current_player(&self) -> i32 {
        match (self.now.is_over(), self.now.variant()) {
            (true, _) => TERMINAL,
            (false, Variant::Solitaire) => 0,
            (false, _) => self.now.side_to_move().index() as i32,
        }
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.now.is_over()
    }

    /// The numbers of the legal moves, in order.
    fn legal_actions(&self) -> Vec<usize> {
        actions::legal_numbers(&self.now)
    }

    /// One for each number of a legal move, zero for the others.
    fn legal_actions_mask(&self) -> Vec<usize> {
        let mut mask = vec![0; Numbering::of(&self.now).count()];
        for action in actions::legal_numbers(&self.now) {
            mask[action] = 1;
        }
        mask
    }

    /// The names of the legal moves, in the order of `legal_actions`.
    fn legal_moves(&self) -> Vec<String> {
        let legal = actions::legal(&self.now).into_iter();
        legal.map(|(_, name)| name).collect()
    }

    /// The position after a move, given by number or name.
    fn child(&self, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.after(&self.move_named(action)?)
    }

    /// The position after several moves.
    ///
    /// >>> import upstar as up
    /// >>> up.Game("othello", "8x8").start().play("f5", "d6", "c3").side_to_move
    /// 'o'
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut state = self.clone_state();
        for action in &actions {
            state = state.child(action)?;
        }
        Ok(state)
    }

    /// The name of a move, legal or not.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: usize, action: Option<usize>) -> PyResult<String> {
        let action = action.unwrap_or(player_or_action);
        let name = Numbering::of(&self.now).name(action);
        name.ok_or_else(|| refused(format!("{action} is no move on this board")))
    }

    /// The number of a legal move with this name.
    #[pyo3(signature = (player_or_name, name=None))]
    fn string_to_action(
        &self,
        player_or_name: &Bound<'_, PyAny>,
        name: Option<&str>,
    ) -> PyResult<usize> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => player_or_name.extract()?,
        };
        let name = self.now.legal_move(&name).map_err(refused)?;
        Ok(actions::number(&self.now, &name))
    }

    /// The result for each player: 1 won, -1 lost, 0 drawn or not over. In solitaire the stones left,
    /// negative.
    fn returns(&self) -> Vec<f64> {
        let Some(result) = self.now.result() else {
            return vec![0.0; players(self.now.variant())];
        };
        if let GameResult::StonesLeft(stones) = result {
            return vec![-f64::from(stones)];
        }
        let winner = self.winner_side();
        let sides = self.now.variant().sides();
        let result = |side: &Side| match winner {
            Some(winner) if winner == *side => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        };
        Side::ALL[..sides].iter().map(result).collect()
    }

    /// The result for one player.
    fn player_return(&self, player: usize) -> PyResult<f64> {
        let returns = self.returns();
        let found = returns.get(player).copied();
        found.ok_or_else(|| refused(format!("there is no player {player}")))
    }

    /// The results so far, which are those of the end.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// What a network sees, as OpenSpiel shows it: planes of float32, flat, for the player to move.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let player = player.unwrap_or_else(|| self.now.side_to_move().index());
        let planes = arrays::observation(&self.now, Encoding::OpenSpiel, player)?;
        Ok(PyArray1::from_vec(py, planes))
    }

    /// The board in lines.
    #[pyo3(signature = (player=None))]
    fn observation_string(&self, player: Option<usize>) -> String {
        // Both players see the same.
        let _ = player;
        self.now.to_string().replace('|', "\n")
    }

    /// The numbers of the moves since the start.
    fn history(&self) -> Vec<usize> {
        self.played().map(|played| played.action).collect()
    }

    /// How many moves were played since the start.
    fn move_number(&self) -> usize {
        self.played().count()
    }

    /// The same position: states never change.
    fn clone(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// The game that it belongs to, from where this one began.
    fn get_game(&self) -> Game {
        self.game()
    }

    /// Never: nothing is left to chance.
    fn is_chance_node(&self) -> bool {
        false
    }

    /// Never: players move in turn.
    fn is_simultaneous_node(&self) -> bool {
        false
    }

    /// The game, from where this one began.
    #[getter(game)]
    fn py_game(&self) -> Game {
        self.game()
    }

    /// The stone of the side to move: 'x', 'o', ….
    #[getter]
    fn side_to_move(&self) -> char {
        self.now.side_to_move().letter()
    }

    /// The names of the moves since the start.
    #[getter]
    fn moves_played(&self) -> Vec<String> {
        self.names()
    }

    /// Who has won, 'x' or 'o'; None if nobody has, or nobody yet.
    #[getter]
    fn winner(&self) -> Option<char> {
        self.winner_side().map(Side::letter)
    }

    /// The result in words; None while the game goes on.
    #[getter]
    fn result(&self) -> Option<String> {
        self.now.result().map(|result| result.to_string())
    }

    /// The different positions that turning and mirroring make of this one, itself first.
    fn symmetries(&self) -> Vec<Self> {
        self.now.symmetries().into_iter().map(Self::at).collect()
    }

    /// How many lines of play of so many plies there are.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.now.perft(depth))
    }

    /// Who wins with best play, and how; with `score` in Othello by how many discs. What time and nodes
    /// did not suffice for stays open: `proved` is False then.
    ///
    /// >>> import upstar as up
    /// >>> answer = up.Game("clobber", "3x4").start().solve()
    /// >>> answer.winner, answer.proved
    /// ('o', True)
    #[pyo3(signature = (*, score=false, time_limit=None, nodes=None, threads=1, memory=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn solve(
        &self,
        py: Python<'_>,
        score: bool,
        time_limit: Option<f64>,
        nodes: Option<u64>,
        threads: usize,
        memory: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let (solver, budget) = (solver(threads, memory)?, budget(time_limit, nodes)?);
        let query = query(score);
        let answer = work(py, &budget, progress.as_ref(), |watch| {
            let answer = solver.solve(&self.now, &query, &budget, watch);
            answer.map_err(refused)
        })?;
        Ok(Answer::new(answer))
    }

    /// With `exact` the proved winner of each move (None where time did not suffice; with `score` the
    /// discs), by name; else the names of the legal moves.
    ///
    /// >>> import upstar as up
    /// >>> up.Game("clobber", "xxo").start().moves(exact=True)
    /// {'b1c1': 'x'}
    #[pyo3(signature = (*, exact=false, score=false, time_limit=None, threads=1, memory=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        exact: bool,
        score: bool,
        time_limit: Option<f64>,
        threads: usize,
        memory: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !exact {
            return Ok(self.legal_moves().into_pyobject(py)?.into_any());
        }
        let (solver, budget) = (solver(threads, memory)?, budget(time_limit, None)?);
        let query = query(score);
        let judged = work(py, &budget, progress.as_ref(), |watch| {
            let moves = solver.moves(&self.now, &query, &budget, watch);
            moves.map_err(refused)
        })?;
        let moves = PyDict::new(py);
        for judged in judged {
            match score {
                true => moves.set_item(judged.mv, judged.answer.score)?,
                false => moves.set_item(judged.mv, judged.answer.winner())?,
            }
        }
        Ok(moves.into_any())
    }

    /// Writes a proof of the winner (with `score` of the exact score) into a file that `check` accepts.
    /// Returns what it proves, with the keys of `upstar check --json`.
    #[pyo3(signature = (file, *, score=false, time_limit=None, threads=1, memory=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn prove(
        &self,
        py: Python<'_>,
        file: std::path::PathBuf,
        score: bool,
        time_limit: Option<f64>,
        threads: usize,
        memory: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let (solver, budget) = (solver(threads, memory)?, budget(time_limit, None)?);
        let (query, begun) = (query(score), Instant::now());
        let (_, checked) = work(py, &budget, progress.as_ref(), |watch| {
            let proved = solver.prove(&self.now, &query, &file, &budget, watch);
            proved.map_err(refused)
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        to_python(py, &Verdict::accepted(checked, seconds))
    }

    /// A picture.
    #[pyo3(signature = (arrow=None))]
    fn svg(&self, arrow: Option<&str>) -> PyResult<String> {
        self.now.svg(arrow).map_err(refused)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    fn __str__(&self) -> String {
        self.now.to_string()
    }

    fn __repr__(&self) -> String {
        let to_move = self.side_to_move();
        format!(
            "State('{}', '{}', to_move='{to_move}')",
            self.now.variant(),
            self.now
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.now == other.now
    }

    fn __hash__(&self) -> u64 {
        hash(&self.now)
    }

    /// Pickles keep the moves that led here.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<Pickled> {
        let replay = py.import("upstar._state")?.getattr("replay")?;
        Ok((replay.unbind(), (self.game(), self.names())))
    }
}

impl State {
    pub(crate) fn game(&self) -> Game {
        Game {
            start: AnyGame::clone(&self.start),
        }
    }

    fn clone_state(&self) -> Self {
        Self {
            now: self.now.clone(),
            start: Arc::clone(&self.start),
            last: self.last.clone(),
        }
    }
}

pub(crate) fn query(score: bool) -> Query {
    Query {
        question: if score {
            Question::Score
        } else {
            Question::Winner
        },
        ..Query::default()
    }
}
