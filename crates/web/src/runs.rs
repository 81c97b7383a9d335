//! The runs below some folders: what each is, how far it is, its curves, networks and games.
//!
//! A run is known by an identifier made of its folder's name; no path ever comes from a request. Each kind of run
//! has a file that shows it.

mod alphazero;
mod chart;
mod detail;
mod entry;
mod game_sets;
mod index;
mod matches;
mod networks;
mod process;
mod progress;
mod routes;
mod solve;
pub(crate) mod tail;
mod training;
mod tuning;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use chart::BandedPoint;
pub use chart::{Chart, ChartLine, Scale};
pub(crate) use detail::quoted;
pub use detail::{Fact, NetworkFile, RunDetail, RunKind, RunList, RunSummary, Setting};
pub use index::{RunIndex, look, look_papers};
pub use progress::{Progress, State, find_runs, progress};
pub(crate) use routes::routes;
pub use solve::SolveDetail;
pub use tuning::{ParameterDetail, TrialRung, TuningDetail};

/// Why a request about a run is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunRefusal {
    /// There is no run of this name.
    #[error("there is no such run")]
    Unknown,
    /// The page may only look.
    #[error("this server only shows runs")]
    ReadOnly,
    /// As many runs as may be are under way.
    #[error("{0}")]
    Crowded(String),
    /// Something else, in a sentence.
    #[error("{0}")]
    Input(String),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
