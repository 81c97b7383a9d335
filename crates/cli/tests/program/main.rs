//! Tests of the program as its users meet it, in one binary.

mod analysis;
mod architecture;
mod bad_input;
mod bench;
mod book;
mod matches;
mod othello;
mod pasting;
mod play;
mod proofs;
mod readme;
mod reproduce;
mod run;
mod runs;
mod signals;
mod solved;
mod solving;
mod tables;
mod terminal;
mod theory;
mod training;
mod value;
