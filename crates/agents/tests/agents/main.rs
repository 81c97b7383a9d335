//! Tests of the agents as their users meet them.

mod engines;
mod memory;
mod oracle;
mod players;
mod pondering;
mod proofs;
mod puct;
mod search;
mod strength;
mod time;
