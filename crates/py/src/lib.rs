#![doc = include_str!("../README.md")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments from Python are made for the call"
)]

mod actions;
mod agents;
mod analysis;
mod arrays;
mod batch;
mod failure;
mod game;
mod matches;
mod network;
mod program;
mod puct;
mod runs;
mod search_result;
mod solving;
mod state;
mod values;
mod work;

use pyo3::prelude::*;

/// The compiled half of the package `upstar`; users import `upstar`.
#[pymodule]
mod _upstar {
    #[pymodule_export]
    use crate::agents::{Agent, Choice};
    #[pymodule_export]
    use crate::analysis::{analyse, review};
    #[pymodule_export]
    use crate::arrays::{encode, playouts, tally};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::failure::UpstarError;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::matches::play_match;
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::program::program;
    #[pymodule_export]
    use crate::puct::Puct;
    #[pymodule_export]
    use crate::runs::{PySharedSolve, Run, SolveWorker, Worker, fingerprint, results};
    #[pymodule_export]
    use crate::search_result::SearchResult;
    #[pymodule_export]
    use crate::solving::{Answer, check, solve_many};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::values::{Thermograph, Value, cgt, value};

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
