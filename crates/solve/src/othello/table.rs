//! What is proved about positions: bounds of their scores, and the moves that proved them.
//!
//! An entry is two words, the facts and the key mixed with them, so that a reader never takes one
//! thread's facts for another's (Hyatt and Mann, A lock-less transposition table, 2002). Four entries
//! fill a line of the cache; what took least work makes room for what is new.

use std::io;
use std::sync::atomic::Ordering;

use crate::key::{Key, mix};
use crate::memory::Buckets;

/// No move.
pub(super) const NONE: u8 = 64;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// The score is at least this.
    pub(super) lower: i8,
    /// The score is at most this.
    pub(super) upper: i8,
    /// The moves that did best, the last one first; [`NONE`] if there is none.
    pub(super) moves: [u8; 2],
}

impl Facts {
    /// Nothing, on a board with scores from −`size` to `size`.
    pub(super) fn nothing(size: i32) -> Self {
        Self {
            lower: -size as i8,
            upper: size as i8,
            moves: [NONE; 2],
        }
    }

    fn from_word(word: u64) -> Self {
        let [lower, upper, first, second, ..] = word.to_le_bytes();
        Self {
            lower: lower as i8,
            upper: upper as i8,
            moves: [first, second],
        }
    }

    fn word(self, effort: u8, age: u8) -> u64 {
        let [first, second] = self.moves;
        let (lower, upper) = (self.lower as u8, self.upper as u8);
        u64::from_le_bytes([lower, upper, first, second, effort, age, 0, 1])
    }
}

/// How much work an entry took, as a power of two, and when it was last written.
fn effort_and_age(word: u64) -> (u8, u8) {
    let bytes = word.to_le_bytes();
    (bytes[4], bytes[5])
}

/// Facts by position.
pub(super) struct Table(Buckets);

/// The name of a position, the same for both colours: what matters is who is to move.
#[inline(always)]
pub(super) fn key(own: u64, opponent: u64) -> Key {
    mix(own, opponent)
}

impl Table {
    /// A table in this many bytes, one line at least.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self(Buckets::new(bytes)?))
    }

    /// Uses as much as a search may need that grows to two to this power.
    pub(super) fn prepare(&self, doublings: f64) {
        self.0.prepare(doublings);
    }

    /// Tells the processor that this key will soon be asked for.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        self.0.prefetch(key);
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Facts> {
        let check = key as u64;
        for entry in self.0.of(key).chunks_exact(2) {
            let facts = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ facts == check && facts != 0 {
                return Some(Facts::from_word(facts));
            }
        }
        None
    }

    /// Remembers that the score is above `alpha` and at least `score`, or not above it and at most
    /// `score`; that took this many nodes, and this move, if any, did best.
    #[inline(always)]
    pub(super) fn put(&self, key: Key, found: Found, size: i32, age: u8) {
        let check = key as u64;
        let effort = found.nodes.max(1).ilog2() as u8;
        let bucket = self.0.of(key);
        let mut place = 0;
        let mut least = u32::MAX;
        let mut facts = Facts::nothing(size);
        for (index, entry) in bucket.chunks_exact(2).enumerate() {
            let old = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ old == check && old != 0 {
                facts = Facts::from_word(old);
                place = index;
                break;
            }
            let (old_effort, old_age) = effort_and_age(old);
            let current = u32::from(old != 0 && old_age == age);
            let worth = (current << 8) + u32::from(old_effort) + u32::from(old != 0);
            if worth < least {
                (least, place) = (worth, index);
            }
        }
        facts.lower = facts.lower.max(found.lower as i8);
        facts.upper = facts.upper.min(found.upper as i8);
        if found.best != NONE && found.best != facts.moves[0] {
            facts.moves = [found.best, facts.moves[0]];
        }
        let word = facts.word(effort, age);
        bucket[2 * place].store(check ^ word, Ordering::Relaxed);
        bucket[2 * place + 1].store(word, Ordering::Relaxed);
    }
}

/// What a search has found about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
    pub(super) nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lower: i32, upper: i32, best: u8, nodes: u64) -> Found {
        Found {
            lower,
            upper,
            best,
            nodes,
        }
    }

    #[test]
    fn bounds_meet_and_moves_follow_each_other() {
        let table = Table::new(1 << 16).unwrap();
        let key = key(3, 4);
        assert_eq!(table.get(key), None);
        table.put(key, found(-64, 10, 5, 100), 64, 1);
        table.put(key, found(2, 64, 7, 100), 64, 1);
        let known = Facts {
            lower: 2,
            upper: 10,
            moves: [7, 5],
        };
        assert_eq!(table.get(key), Some(known));
    }

    #[test]
    fn a_full_bucket_keeps_what_was_dear() {
        let table = Table::new(64).unwrap();
        for (own, nodes) in [(1, 1000), (2, 10), (3, 1000), (4, 1000), (5, 20)] {
            table.put(key(own, 0), found(0, 1, NONE, nodes), 64, 1);
        }
        let kept: Vec<bool> = (1..=5)
            .map(|own| table.get(key(own, 0)).is_some())
            .collect();
        assert_eq!(kept, [true, false, true, true, true]);
        // A later search takes old room first.
        table.put(key(6, 0), found(0, 1, NONE, 1), 64, 2);
        table.put(key(7, 0), found(0, 1, NONE, 1), 64, 2);
        assert!(table.get(key(6, 0)).is_some() && table.get(key(7, 0)).is_some());
    }
}
