//! The program as an engine for others: GTP 2, NBoard 2, and JSON lines, each a translation of what
//! `upstar-session` does.
//!
//! Every server reads lines from any [`BufRead`](std::io::BufRead), writes to any
//! [`Write`](std::io::Write), and does nothing else: it prints nothing, never panics on what it is
//! sent, and looks at no more than a megabyte of a line.
//!
//! * [`Gtp`]: all games for two on grids, for referees and boards that speak the Go Text Protocol.
//! * [`NBoard`]: Othello on 8x8, for the boards of Othello players.
//! * [`JsonLines`]: everything, for programs; long work is watched and cancelled.
//!
//! The page of each is its manual.

pub mod gtp;
pub mod json;
mod lines;
pub mod nboard;

pub use gtp::Gtp;
pub use json::JsonLines;
pub use nboard::NBoard;
pub use upstar_session::Refusal;
