//! Upstar beside other libraries: large networks beside burn, values of games beside the crate cgt.
//!
//! The tests compare with the libraries themselves. The program writes what they say about a few
//! examples into the data files with which Upstar's own tests compare: `make recordings`.

mod burn_network;
mod cgt_forms;
#[allow(dead_code)]
#[path = "../../crates/cgt/tests/cgt/clobber.rs"]
mod clobber;
#[allow(dead_code)]
#[path = "../../crates/nets/tests/nets/course.rs"]
mod course;
#[allow(dead_code)]
#[path = "../../crates/cgt/tests/cgt/facts.rs"]
mod facts;
#[allow(dead_code)]
#[path = "../../crates/cgt/tests/cgt/tree.rs"]
mod tree;

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    fs::write(
        crates.join("nets/tests/data/burn.json"),
        burn_network::recording(),
    )?;
    fs::write(
        crates.join("cgt/tests/data/cgt-crate.csv"),
        cgt_forms::recording(),
    )
}
