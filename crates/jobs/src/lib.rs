//! Work that takes time: how much of it may be spent ([`Budget`]), many independent jobs on the
//! threads of this machine ([`Pool`]), and the quantities in which people say all that
//! ([`quantity`]).

mod budget;
mod pool;
pub mod quantity;

pub use budget::Budget;
pub use pool::Pool;
pub use quantity::MOST_THREADS;
