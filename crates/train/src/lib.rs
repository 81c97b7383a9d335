#![doc = include_str!("../README.md")]

pub mod alphazero;
mod config;
mod exam;
mod examples;
mod folder;
mod gather;
mod learner;
mod recorded;
mod run;
mod shipped;
mod student;
mod training_set;
pub mod tune;

pub use config::{
    Config, ConfigError, LearningConfig, Method, NetworkConfig, OpeningsConfig, OpponentConfig,
    Positions, Teacher, with_changes, with_files,
};
pub use examples::{Example, solved};
pub use folder::RunError;
pub use learner::Block;
pub use run::{Opponents, Run};
pub use shipped::{example, example_names};
pub use student::Learnable;
