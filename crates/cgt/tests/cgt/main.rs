//! Tests of values as a library's user meets them, in one binary.

mod calculator;
mod clobber;
mod facts;
mod laws;
mod oracles;
mod tables;
mod texts;
mod tree;
