//! What all crates need that keep something on disk: files that are there as a whole or not at all, one
//! program at a time in a folder, and checksums by which a changed file is noticed.

mod checksum;
pub mod lock;
mod replace;

pub use checksum::{checksum, checksum_of, fnv1a};
pub use replace::{replace, write};
