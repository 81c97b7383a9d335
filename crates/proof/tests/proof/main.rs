//! Tests of proofs as a library's user meets them, in one binary.

mod clobber;
mod othello;
mod reading;
