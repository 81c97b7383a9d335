//! Work that takes time: how much of it may be spent ([`Budget`]), many independent jobs on the
//! threads of this machine ([`Pool`]), jobs that can be done anywhere ([`job`]), and the quantities in which people say all that
//! ([`quantity`]).

mod budget;
pub mod job;
mod pool;
pub mod quantity;

pub use budget::Budget;
pub use job::{Done, Job, Ledger};
pub use pool::{Pool, ThreadError};
pub use quantity::MOST_THREADS;
