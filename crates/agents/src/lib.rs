//! Players of small board games, from random to perfect: one call per move.
//!
//! An agent is named by a [`Word`] and made for the rules of one game:
//!
//! ```
//! use upstar_agents::{Resources, Turn, Word};
//! use upstar_games::{Clobber, Grid, Random, Rules, clobber};
//! use upstar_jobs::Budget;
//!
//! let grid: Grid = "4x4".parse()?;
//! let game = Clobber::<u64>::new(grid);
//! let start = game.position(&clobber::checkerboard(grid), 0);
//! let word: Word = "mcts:1000".parse()?;
//! let mut agent = word.agent(&game, &Resources::default())?;
//! let turn = Turn {
//!     start: &start,
//!     moves: &[],
//!     position: &start,
//!     budget: &Budget::unlimited(),
//! };
//! let choice = agent.choose(&turn, &mut Random::new(1))?;
//! assert!(game.play(&start, choice.mv).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
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
mod trail;
pub mod uct;
mod word;

pub use agent::{Agent, Choice, Evaluation, Fault, Turn};
pub use engine::Engine;
pub use greedy::{Greed, Greedy};
pub use monte_carlo::{MonteCarlo, Ties};
pub use net::NetAgent;
pub use options::Limit;
pub use playable::Playable;
pub use puct::{AlphaZero, AlphaZeroAgent};
pub use resources::Resources;
pub use simple::{PickFirst, RandomMover};
pub use solver::SolverAgent;
pub use uct::{FinalChoice, Mcts, MctsAgent};
pub use upstar_solve::{JudgedMoves, Prover, Solvable, judged_moves};
pub use word::{WORDS, Word, WordError};
