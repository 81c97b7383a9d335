//! Tests of learning as a library's user meets it, in one binary.

mod alphazero;
mod recorded;
mod runs;
mod safety;
mod setup;
mod starts;
mod tune;
