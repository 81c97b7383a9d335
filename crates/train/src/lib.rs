//! Learning as a run: a folder with a configuration, results, and checkpoints from which it goes on.
//!
//! A [`Config`] says what is learned from whom; a [`Run`] learns a block of games at a time. The same
//! seed gives the same weights, bit for bit, whether the run was interrupted or not. [`tune`] finds
//! good parameters by running many.

pub mod alphazero;
mod config;
mod exam;
mod examples;
mod folder;
mod gather;
mod learner;
mod run;
mod student;
pub mod tune;

pub use config::{
    Config, ConfigError, LearningConfig, Method, NetworkConfig, OpponentConfig, Positions, Teacher,
};
pub use examples::{Example, solved};
pub use folder::RunError;
pub use learner::Block;
pub use run::{Opponents, Run};
pub use student::Learnable;
