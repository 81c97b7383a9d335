//! Tests of exact results as a library's user meets them, in one binary.

mod classic;
mod clobber;
mod othello;
mod othello_proofs;
mod position_values;
mod solver;
mod subproblems;
mod tree;
