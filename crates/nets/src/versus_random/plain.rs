//! The same, a position at a time, for every network.
/// todo
pub struct Plain;
