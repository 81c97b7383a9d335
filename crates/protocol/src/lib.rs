#![doc = include_str!("../README.md")]

pub mod gtp;
pub mod json;
mod lines;
pub mod nboard;

pub use gtp::Gtp;
pub use json::JsonLines;
pub use nboard::NBoard;
pub use upstar_session::Refusal;
