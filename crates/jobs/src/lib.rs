//! Work that takes time: how much of it may be spent ([`Budget`]), what it tells on its way
//! ([`Watch`]), the memory and threads that clients share ([`Ledger`]), many independent jobs on the
//! threads of this machine ([`Pool`]), jobs that can be done anywhere ([`job`]), and the quantities in
//! which people say all that ([`quantity`]).

mod budget;
pub mod job;
mod ledger;
mod pool;
pub mod quantity;
pub mod thread;
mod watch;

pub use budget::Budget;
pub use job::{Done, Job, Schedule};
pub use ledger::{Ledger, MemoryLease, NoMemory, ThreadLease};
pub use pool::Pool;
pub use quantity::MOST_THREADS;
pub use thread::ThreadError;
pub use watch::{Finding, Unwatched, Watch};
