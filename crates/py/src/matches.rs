//! Matches between agents, searches with the user's networks, and functions of the user.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use upstar_agents::{AgentSpec, Choice, Fault, Playable, Turn};
use upstar_arena::{Contestant, Match, Openings, Place, RunError, TimeControl};
use upstar_games::{AnyGame, Random, with_game};
use upstar_jobs::Budget;
use upstar_jobs::quantity::MOST_THREADS;

use crate::agents::Agent;
use crate::failure::refused;
use crate::game::Game;
use crate::state::State;
use crate::work::{budget, resources, to_python, work};

/// A player of a match.
enum Player {
    Word(AgentSpec),
    /// Something with a method `choose(state, seed=…)`, or a function of a state.
    Python(Py<PyAny>),
}

impl Player {
    fn new(player: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(word) = player.extract::<&str>() {
            return Ok(Self::Word(word.parse().map_err(refused)?));
        }
        if let Ok(agent) = player.cast::<Agent>() {
            return Ok(Self::Word(agent.get().spec.clone()));
        }
        if !player.is_callable() && !player.hasattr("choose")? {
            return Err(refused(
                "a player is a specification like 'mcts:1000', an agent, a Puct, or a function of a state",
            ));
        }
        Ok(Self::Python(player.clone().unbind()))
    }

    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self {
            Self::Word(spec) => spec.to_string(),
            Self::Python(player) => player.bind(py).repr()?.to_string(),
        })
    }
}

/// A player whose moves Python chooses.
struct PythonPlayer<G> {
    rules: G,
    home: AnyGame,
    player: Py<PyAny>,
    /// The first exception of a player, which ends the match.
    raised: Arc<Mutex<Option<PyErr>>>,
    budget: Budget,
}

impl<G: Playable> upstar_agents::Agent<G> for PythonPlayer<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let seed = random.bits() >> 1;
        let name = Python::attach(|py| -> PyResult<String> {
            let setup = self.rules.setup(turn.start);
            let start = self.home.at(&setup, self.rules.side_to_move(turn.start));
            let mut state = State::at(start.map_err(refused)?);
            for &mv in turn.moves {
                state = state.after(&self.rules.move_name(mv))?;
            }
            let state = Bound::new(py, state)?;
            let player = self.player.bind(py);
            let chosen = if player.hasattr("choose")? {
                let named = pyo3::types::PyDict::new(py);
                named.set_item("seed", seed)?;
                player.call_method("choose", (&state,), Some(&named))?
            } else {
                player.call1((&state,))?
            };
            state.get().move_named(&chosen)
        });
        let name = name.map_err(|error| {
            let sentence = error.to_string();
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            raised.get_or_insert(error);
            self.budget.cancel();
            Fault(sentence)
        })?;
        let mv = self.rules.legal_move(turn.position, &name);
        mv.map(Choice::of).map_err(|error| Fault(error.to_string()))
    }
}

/// Plays a match: see `upstar.match`.
#[pyfunction]
#[pyo3(signature = (game, a, b, *, games, swap, openings, seed, threads, records, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn play_match(
    py: Python<'_>,
    game: PyRef<'_, Game>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    games: u64,
    swap: bool,
    openings: u32,
    seed: u64,
    threads: usize,
    records: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let start = game.start.clone();
    drop(game);
    let players = [Player::new(a)?, Player::new(b)?];
    let [a, b] = [players[0].name(py)?, players[1].name(py)?];
    let contest = Match {
        players: Contestant::two(&a, &b),
        games,
        swap,
        openings: match openings {
            0 => Openings::None,
            plies => Openings::Random(plies),
        },
        sprt: None,
        seed,
        threads: threads.clamp(1, MOST_THREADS),
        time: TimeControl::NONE,
    };
    let budget = budget(None, None)?;
    let raised = Arc::new(Mutex::new(None));
    let result = work(py, &budget, progress.as_ref(), |watch| {
        let (variant, position) = (start.variant(), start.to_string());
        let mut played = 0;
        let done = with_game!(
            &start,
            |rules, at| {
                let make = |which: usize| match &players[which] {
                    Player::Word(spec) => spec
                        .agent(rules, &resources())
                        .map_err(|error| error.to_string()),
                    Player::Python(player) => {
                        let player = Python::attach(|py| player.clone_ref(py));
                        let (rules, home) = (rules.clone(), start.clone());
                        let player = PythonPlayer {
                            rules,
                            home,
                            player,
                            raised: Arc::clone(&raised),
                            budget: budget.clone(),
                        };
                        Ok(Box::new(player) as Box<dyn upstar_agents::Agent<_>>)
                    }
                };
                let place = Place {
                    game: rules,
                    start: at,
                    variant,
                    position: &position,
                };
                let told = &mut |_: &upstar_arena::Finished<'_>| {
                    played += 1;
                    watch.pieces("games", played, games);
                };
                contest.play(&place, &make, &budget, records.as_deref(), told)
            },
            Err(RunError::NotForTwo(variant))
        );
        done.map_err(refused)
    })?;
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    match raised {
        Some(error) => Err(error),
        None => to_python(py, &result),
    }
}
