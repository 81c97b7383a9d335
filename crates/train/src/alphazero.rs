//! AlphaZero: a network plays against itself, led by its own search, and learns from these games
//! (Silver and others, 2018; jans2021 for Clobber).
//!
//! A run goes in *steps*. In each a number of games is played with the network as it is, their positions
//! go into the replay buffer, the network learns from positions drawn from it, and is tested. Games, tests
//! and draws have generators of their own: a run gives the same networks for any number of threads, and
//! whether it was interrupted or not.

mod actor;
mod config;
mod evaluation;
mod examination;
mod field;
mod log;
mod memory;
mod record;
mod replay;
mod run;
mod self_play;
mod settings;
mod summary;

pub use actor::{Effort, Playground};
pub use config::AlphaZeroConfig;
pub use evaluation::LevelGame;
pub use examination::{Examination, Measure};
pub use field::{Field, TrainingGame};
pub use log::{Cache, Evaluated, Kept, Line, Loss, Outcomes, Statistics};
pub use record::{Inside, Played, Ply};
pub use run::{AlphaZeroRun, End, StepPlan};
pub use self_play::{SelfPlay, SelfPlayContext};
pub use settings::{Preset, RawSettings, Settings};
