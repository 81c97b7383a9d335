//! Monte Carlo tree search that is watched while it goes on.

use std::time::{Duration, Instant};

use upstar_agents::{AnyUct, Mcts, Resources, SearchedMove};
use upstar_games::{AnyGame, Random};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::refusal::Refusal;

/// How an analysis searches, how long, and how often it tells what it knows.
#[derive(Clone, Debug)]
pub struct Analyser {
    /// The options of the search; their limit does not matter.
    pub options: Mcts,
    /// The most simulations.
    pub simulations: u64,
    /// The most time, from the first simulation on.
    pub time: Option<Duration>,
    /// How often it tells what it knows.
    pub every: Duration,
}

/// What a tree search knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// How many simulations were made.
    pub simulations: u64,
    /// The result of best play for the side to move, if that is proved.
    pub outcome: Option<Outcome>,
    /// All moves, best first.
    pub moves: Vec<SearchedMove>,
}

impl Analyser {
    /// Searches in a position, where the game must not be over, until a limit is reached, the budget is
    /// spent, or the result is proved.
    ///
    /// # Errors
    /// If there is no memory or no thread for the search.
    pub fn run(
        &self,
        game: &AnyGame,
        resources: &Resources,
        budget: &Budget,
        random: &mut Random,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, Refusal> {
        // What the trees take is leased like all other memory; they do with less if they must.
        const LEAST: usize = 8 << 20;
        let ledger = &resources.solver.settings().ledger;
        let wanted = self.options.memory;
        let lease = ledger.up_to(wanted, wanted.min(LEAST));
        let lease = lease.map_err(Refusal::new)?;
        let options = Mcts {
            memory: lease.bytes(),
            ..self.options.clone()
        };
        let mut search = AnyUct::new(game, &options, resources).map_err(Refusal::new)?;
        let limited = match self.time {
            Some(time) => budget.within(time),
            None => budget.clone(),
        };
        let mut told = Instant::now();
        loop {
            let rest = self.simulations.saturating_sub(search.simulations());
            let slice = limited.within(self.every.saturating_sub(told.elapsed()));
            let made = search.run(rest, &slice, random);
            let done = made == 0 || made == rest || search.outcome().is_some();
            if done || limited.is_over() {
                break;
            }
            if told.elapsed() >= self.every {
                tell(Analysis::of(&search));
                told = Instant::now();
            }
        }
        Ok(Analysis::of(&search))
    }
}

impl Analysis {
    fn of(search: &AnyUct) -> Self {
        Self {
            simulations: search.simulations(),
            outcome: search.outcome(),
            moves: search.moves(),
        }
    }
}
