//! What agents share and where it comes from: a solver with its value tables, memory.

use std::time::Duration;

use upstar_jobs::Ledger;
use upstar_solve::Solver;

/// What agents may use beside their own options. Cheap to clone; clones share what was opened.
#[derive(Clone)]
pub struct Resources {
    /// Makes the provers of agents. A large value table that is not there yet is not made for an
    /// agent: it does with a small one, which takes a tenth of a second.
    pub solver: Solver,
    /// The most memory for a solver's tables, in bytes.
    pub memory: usize,
    /// How long another program may take for an answer that the clock does not limit.
    pub patience: Duration,
}

impl Resources {
    /// The memory of a solver where nothing else is said.
    pub const MEMORY: usize = 256 << 20;
    /// The patience with another program where nothing else is said.
    pub const PATIENCE: Duration = Duration::from_secs(60);

    /// What all clients of the process may use together.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.solver.settings().ledger
    }
}

impl Default for Resources {
    /// Tables made in memory.
    fn default() -> Self {
        Self {
            solver: Solver::default(),
            memory: Self::MEMORY,
            patience: Self::PATIENCE,
        }
    }
}
