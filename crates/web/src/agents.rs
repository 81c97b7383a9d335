//! Who may sit at a board: agents by allow-list. A file or a command never comes from a request.

use serde::Serialize;
use upstar_agents::{AgentSpec, BestEffort, Limit};

use crate::error::Refused;

/// An agent that the page offers.
#[derive(Clone, Serialize)]
pub(crate) struct Offered {
    spec: &'static str,
    label: &'static str,
    /// The game that it plays, if only one.
    game: Option<&'static str>,
}

/// What the page offers, from weak to strong.
pub(crate) const OFFERED: [Offered; 11] = [
    offered("random", "Random moves"),
    offered("greedy", "Greedy"),
    offered("mc:50", "Flat Monte Carlo, 50 playouts a move"),
    offered("mcts:1000", "Tree search, 1,000 simulations"),
    offered("mcts:1s", "Tree search, a second a move"),
    othello("ab:3", "Othello engine, level 3"),
    othello("ab:8", "Othello engine, level 8"),
    offered("az:default,sims=50", "Network, 50 simulations"),
    offered("az:default,sims=400", "Network, 400 simulations"),
    offered("solver:5s", "Solver, five seconds a move"),
    offered("best", "The strongest here, a second a move"),
];

const fn offered(spec: &'static str, label: &'static str) -> Offered {
    Offered {
        spec,
        label,
        game: None,
    }
}

const fn othello(spec: &'static str, label: &'static str) -> Offered {
    Offered {
        spec,
        label,
        game: Some("othello"),
    }
}

/// What an agent may spend on a move.
const MOST_SECONDS: u64 = 60;
const MOST_SIMULATIONS: u64 = 1_000_000;
const MOST_MEMORY: usize = 512 << 20;
const MOST_PLIES: u64 = 16;
/// The most stones or empty cells that are solved at the leaves of a search.
const MOST_EXACT: u32 = 16;

/// The agent that a request names, if requests may name it.
pub(crate) fn allowed(text: &str) -> Result<AgentSpec, Refused> {
    let spec: AgentSpec = text.parse().map_err(Refused::input)?;
    let is_small = |limit: &Limit| match limit {
        Limit::Count(count) => *count <= MOST_SIMULATIONS,
        Limit::Time(time) => time.as_secs() <= MOST_SECONDS,
    };
    let is_allowed = match &spec {
        AgentSpec::Random | AgentSpec::PickFirst | AgentSpec::Greedy(_) => true,
        AgentSpec::MonteCarlo(limit, _) => is_small(limit),
        AgentSpec::Mcts(options) => {
            is_small(&options.limit)
                && options.threads <= 2
                && options.memory <= MOST_MEMORY
                && options.exact <= MOST_EXACT
        }
        AgentSpec::Solver(limit) => limit.as_ref().is_some_and(is_small),
        AgentSpec::Best(options) => {
            let is_short = match options.effort {
                BestEffort::Time(time) => is_small(&Limit::Time(time)),
                BestEffort::Work { simulations, nodes } => {
                    simulations.max(nodes) <= MOST_SIMULATIONS
                }
            };
            is_short && options.threads <= 2 && options.memory <= MOST_MEMORY
        }
        AgentSpec::AlphaBeta(options) => {
            let is_short = match options.limit {
                Limit::Count(plies) => plies <= MOST_PLIES,
                Limit::Time(_) => is_small(&options.limit),
            };
            spec.file().is_none()
                && is_short
                && options.exact.is_none_or(|exact| exact <= MOST_EXACT)
                && options.threads <= 2
                && options.memory <= MOST_MEMORY
        }
        AgentSpec::AlphaZero(options) => {
            spec.file().is_none()
                && is_small(&options.limit)
                && options.guidance.exact <= MOST_EXACT
        }
        _ => false,
    };
    match is_allowed {
        true => Ok(spec),
        false => Err(Refused::forbidden(
            "this agent may not be asked from the page; it takes random, greedy, mc:50, mcts:1000, solver:5s, ab:8, best and az:default \
             with at most a million simulations or a minute a move",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_is_allowed() {
        for offered in OFFERED {
            assert!(allowed(offered.spec).is_ok(), "{}", offered.spec);
        }
    }

    #[test]
    fn files_and_commands_are_refused() {
        for text in [
            "engine:\"touch x\"",
            "net:/etc/passwd",
            "az:network.safetensors",
            "az:../default",
            "human",
            "solver",
            "mcts:2h",
            "mcts:1000,memory=100G",
            "mcts:1000,threads=64",
            "mcts:100000000",
            "az:default,exact=64",
            "mcts:100,exact=64",
            "ab:20",
            "ab:2h",
            "ab:8,exact=30",
            "ab:8,book=/etc/passwd",
            "best:2h",
            "best:1s,threads=64",
            "best:1s,memory=100G",
            "best:nodes=100000000",
        ] {
            assert!(allowed(text).is_err(), "{text}");
        }
    }
}
