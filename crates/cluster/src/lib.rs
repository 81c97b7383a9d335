#![doc = include_str!("../README.md")]

mod context;
mod coordinator;
mod error;
mod fingerprint;
mod solving;
mod worker;

pub use context::Context;
pub use coordinator::{Advance, Coordinator};
pub use error::ClusterError;
pub use fingerprint::{fingerprint, fingerprint_on};
pub use solving::{SharedSolve, SolveWorker};
pub use worker::Worker;

use serde::{Deserialize, Serialize};
use upstar_arena::{MatchGame, Record};
use upstar_jobs::Done;
use upstar_train::alphazero::{Played, SelfPlay};
use upstar_train::tune;

/// A job of any kind, as it travels.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", content = "job", rename_all = "kebab-case")]
enum AnyJob {
    SelfPlay(SelfPlay),
    Game(Box<MatchGame>),
    Trial(tune::TrialJob),
}

/// A job with what came of it, as it travels.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", content = "done", rename_all = "kebab-case")]
enum AnyDone {
    SelfPlay(Done<SelfPlay, Vec<Played>>),
    Game(Box<Done<MatchGame, Record>>),
    Trial(Done<tune::TrialJob, tune::Line>),
}

/// Plain data as a line of JSON.
fn line(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("jobs and results are plain data")
}
