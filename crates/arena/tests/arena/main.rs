//! Matches, tournaments and their files, and statistics against players of known strength.

mod common;
mod endings;
mod forgetting;
mod jobs;
mod matches;
mod records;
mod statistics;
mod tournaments;
