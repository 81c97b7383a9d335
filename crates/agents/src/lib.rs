#![doc = include_str!("../README.md")]

mod agent;
mod alpha_beta;
mod any;
mod any_search;
pub mod bench;
mod engine;
mod greedy;
pub mod gtp_names;
mod monte_carlo;
mod net;
mod options;
mod playable;
pub mod puct;
mod resources;
mod simple;
mod solver;
mod spec;
mod trail;
pub mod uct;

pub use agent::{Agent, Choice, Evaluation, Fault, Turn};
pub use alpha_beta::{AlphaBeta, AlphaBetaAgent};
pub use any::AnyAgent;
pub use any_search::{AnySearch, SearchedMove};
pub use engine::{Engine, EngineSpec};
pub use greedy::{Greed, Greedy};
pub use monte_carlo::{MonteCarlo, Ties};
pub use net::NetAgent;
pub use options::Limit;
pub use playable::Playable;
pub use puct::{AlphaZero, AlphaZeroAgent};
pub use resources::Resources;
pub use simple::{PickFirst, RandomMover};
pub use solver::SolverAgent;
pub use spec::{AGENT_EXAMPLES, AgentSpec, AgentSpecError};
pub use uct::{FinalChoice, Mcts, MctsAgent};
pub use upstar_solve::{JudgedMoves, Prover, Solvable, judged_moves};
