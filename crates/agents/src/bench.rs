//! How fast the tree grows here.

use std::time::Instant;

use cpu_time::ThreadTime;
use upstar_games::Random;
use upstar_jobs::Budget;

use crate::options::Limit;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::spec::AgentSpecError;
use crate::uct::{Mcts, Uct};

/// What was done in a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulations {
    /// Simulations of all searches.
    pub simulations: u64,
    /// Searches, each from an empty tree.
    pub searches: u64,
    /// How long that took: CPU time of one thread, the clock's time of several.
    pub seconds: f64,
}

/// Searches a position again and again for about so many seconds, with proved results backed up.
///
/// # Errors
/// If there is no room for a search.
pub fn simulations<G: Playable>(
    game: &G,
    position: &G::Position,
    simulations_per_search: u64,
    seconds: f64,
    threads: usize,
) -> Result<Simulations, AgentSpecError> {
    let options = Mcts {
        threads,
        ..Mcts::new(Limit::Count(simulations_per_search))
    };
    let mut search = Uct::new(game, &options, &Resources::default())?;
    let mut random = Random::new(Random::DEFAULT_SEED);
    let budget = Budget::unlimited();
    let (clock, cpu) = (Instant::now(), ThreadTime::now());
    let mut done = Simulations::default();
    while done.searches == 0 || clock.elapsed().as_secs_f64() < seconds {
        search.begin(position);
        done.simulations += search.run(simulations_per_search, &budget, &mut random);
        done.searches += 1;
    }
    done.seconds = match threads {
        0 | 1 => cpu.elapsed().as_secs_f64(),
        _ => clock.elapsed().as_secs_f64(),
    };
    Ok(done)
}
