//! What a search tells while it runs, and what it finds on the way.

use upstar_games::othello::Move;

use super::table::NONE;
use crate::journal;

/// Somebody who looks on, from any thread.
pub trait Watch: Sync {
    /// Called now and then.
    fn progress(&self, _progress: Progress) {}

    /// Findings that took this many nodes are worth telling.
    fn least(&self) -> u64 {
        u64::MAX
    }

    /// Something was proved on the way.
    fn found(&self, _finding: Finding) {}
}

/// Nobody.
pub struct Unwatched;

impl Watch for Unwatched {}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many positions were visited, by all threads.
    pub nodes: u64,
    /// The question in work: is the score, for the side to move, above this?
    pub above: i32,
    /// The first move in work, if any.
    pub first: Option<Move>,
}

/// What was proved about a position, as the journal of a long search keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(super) key: u128,
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) best: u8,
    /// What it took; more than 2⁴⁰ is not told apart.
    pub(super) nodes: u64,
}

/// The searches whose findings may be put together: those on one board with one way to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameSearch {
    pub(super) rows: u8,
    pub(super) cols: u8,
    pub(super) holes: u64,
    pub(super) empties_to_winner: bool,
}

impl journal::Result for Finding {
    type Search = SameSearch;

    fn name(search: SameSearch) -> [u8; 16] {
        const VERSION: u8 = 1;
        let mut name = [0; 16];
        let numbers = [
            b'O',
            VERSION,
            search.rows,
            search.cols,
            search.empties_to_winner.into(),
        ];
        name[..5].copy_from_slice(&numbers);
        name[8..].copy_from_slice(&search.holes.to_le_bytes());
        name
    }

    fn pack(&self) -> (u128, u64) {
        let [a, b, c, d, e, ..] = self.nodes.min((1 << 40) - 1).to_le_bytes();
        let (lower, upper) = (self.lower as u8, self.upper as u8);
        let found = u64::from_le_bytes([lower, upper, self.best, a, b, c, d, e]);
        (self.key, found)
    }

    fn unpack(key: u128, found: u64) -> Self {
        let [lower, upper, best, ..] = found.to_le_bytes();
        Self {
            key,
            lower: lower as i8,
            upper: upper as i8,
            best: best.min(NONE),
            nodes: found >> 24,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Result;

    #[test]
    fn findings_are_packed_and_unpacked() {
        let finding = Finding {
            key: 1 << 100 | 7,
            lower: -64,
            upper: 13,
            best: 63,
            nodes: 123_456_789_012,
        };
        let (key, found) = finding.pack();
        assert_eq!(Finding::unpack(key, found), finding);
    }
}
