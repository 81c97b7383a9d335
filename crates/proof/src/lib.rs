#![doc = include_str!("../README.md")]

mod check;
pub mod clobber;
mod coder;
mod file;
pub mod frame;
mod hash;
mod listing;
pub mod othello;
mod refusal;
mod strategy;
mod write;

pub use check::{AnyClaim, CheckOptions, Checked, check, check_file};
pub use file::{Entry, Line, Node, ProofFile, Sizes, Summary};
pub use refusal::Refusal;
pub use strategy::Strategy;
pub use write::{WriteError, Written};
