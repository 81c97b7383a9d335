//! Graded analysis and reviews, as the program's JSON tells them.

use std::time::Duration;

use pyo3::prelude::*;
use upstar_analysis::{Analyser, AnalysisLine, PlayedGame, Review, ReviewLine};
use upstar_games::{AnyGame, Color};

use crate::failure::refused;
use crate::state::State;
use crate::work::{budget, resources, to_python, work};

/// What is known of every move after so many seconds: proved, bounded or estimated, the best first; a
/// dictionary with the keys of `upstar analyse --json`.
#[pyfunction]
#[pyo3(signature = (state, *, time=2.0, multi=1, agent=None, prove=true))]
pub(crate) fn analyse(
    py: Python<'_>,
    state: PyRef<'_, State>,
    time: f64,
    multi: usize,
    agent: Option<&str>,
    prove: bool,
) -> PyResult<Py<PyAny>> {
    let game = state.now.clone();
    drop(state);
    let analyser = Analyser {
        agent: agent.map(str::parse).transpose().map_err(refused)?,
        multi,
        prove,
        ..analyser()
    };
    let budget = budget(Some(time), None)?;
    let analysis = work(py, &budget, None, |_| {
        analyser.run(&game, &budget, &mut |_| {}).map_err(refused)
    })?;
    to_python(py, &AnalysisLine::new(&analysis, &game, usize::MAX))
}

/// Mistakes of a game: its start is that of the state, its moves those that led there. Each position has so
/// many seconds; a dictionary with the keys of `upstar review --json`.
#[pyfunction]
#[pyo3(signature = (state, *, time=1.0, progress=None))]
pub(crate) fn review(
    py: Python<'_>,
    state: PyRef<'_, State>,
    time: f64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let played = PlayedGame {
        start: AnyGame::clone(&state.start),
        moves: state.names(),
        players: [Color::Black, Color::White].map(|side| side.letter().to_string()),
    };
    drop(state);
    let (budget, each) = (budget(None, None)?, Duration::try_from_secs_f64(time));
    let each = each.map_err(|_| refused(format!("{time} is no time in seconds")))?;
    let review = work(py, &budget, progress.as_ref(), |watch| {
        let analyser = analyser();
        Review::new(&played, &analyser, each, &budget, watch).map_err(refused)
    })?;
    to_python(py, &ReviewLine::new(&review))
}

fn analyser() -> Analyser {
    Analyser {
        resources: resources(),
        ..Analyser::default()
    }
}
