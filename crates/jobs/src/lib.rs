#![doc = include_str!("../README.md")]

mod budget;
pub mod job;
mod ledger;
mod pool;
pub mod quantity;
pub mod thread;
mod watch;

pub use budget::Budget;
pub use job::{Done, Job, Schedule};
pub use ledger::{KeepsSpare, Ledger, MemoryLease, NoMemory, ThreadLease};
pub use pool::Pool;
pub use quantity::MOST_THREADS;
pub use thread::ThreadError;
pub use watch::{Finding, Unwatched, Watch};
