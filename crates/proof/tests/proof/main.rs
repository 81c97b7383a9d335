//! Tests of proofs as a library's user meets them, in one binary.

mod clobber;
mod othello;
mod reading;

use std::io::Cursor;

use upstar_jobs::{Budget, Unwatched};
use upstar_proof::{CheckOptions, Checked, Refusal, check};

/// Checks the bytes of a proof.
fn checked(file: &[u8], options: &CheckOptions) -> Result<Checked, Refusal> {
    check(Cursor::new(file), options, &Budget::unlimited(), &Unwatched)
}
