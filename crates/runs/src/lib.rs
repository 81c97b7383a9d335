#![doc = include_str!("../README.md")]

mod checksum;
mod error;
pub mod export;
mod folder;
mod kind;
mod lines;
mod links;
pub mod lock;
mod log;
mod manifest;
mod replace;
mod seal;

pub use checksum::{checksum, checksum_of, fnv1a};
pub use error::FolderError;
pub use folder::{CONFIG, Checksums, MANIFEST, RunFolder, STATE};
pub use kind::Kind;
pub use lines::{LONGEST_LINE, Lines, LogError};
pub use links::check_links;
pub use log::Log;
pub use manifest::{Manifest, set_commit};
pub use replace::{check_writable, is_draft, remove_drafts, replace, write};
