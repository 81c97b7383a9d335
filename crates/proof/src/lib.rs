#![doc = include_str!("../README.md")]

mod check;
pub mod clobber;
mod coder;
pub mod frame;
mod hash;
mod listing;
pub mod othello;
mod refusal;
mod write;

pub use check::{AnyClaim, CheckOptions, Checked, check, check_file};
pub use refusal::Refusal;
pub use write::{WriteError, Written};
