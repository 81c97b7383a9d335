//! A position that was solved, as the journal of a long search keeps it.

use super::value_table::{Kind, VERSION};
use crate::journal;

/// Who wins a position, and what it took to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Its key.
    pub key: u128,
    /// Whether the side to move wins.
    pub win: bool,
    /// The nodes it took.
    pub nodes: u64,
}

/// Keys depend on the table of values.
impl journal::Result for Solved {
    type Search = Kind;

    fn name(kind: Kind) -> [u8; 16] {
        let mut name = [0; 16];
        let numbers = [
            VERSION as u8,
            kind.rows as u8,
            kind.stones as u8,
            kind.cannibal.into(),
        ];
        name[..4].copy_from_slice(&numbers);
        name
    }

    fn pack(&self) -> (u128, u64) {
        (self.key, self.nodes << 1 | u64::from(self.win))
    }

    fn unpack(key: u128, found: u64) -> Self {
        Self {
            key,
            win: found & 1 != 0,
            nodes: found >> 1,
        }
    }
}
