//! The transposition table: which positions are won and which lost, as far as memory goes.
//!
//! An entry is one word: 57 bits that tell positions apart, the result, and how much work it took. A
//! bucket is one line of the cache; the cheapest result in it makes room for a new one, so what was
//! dear stays even when the table is full. A single word is read and written at once, so threads
//! share the table without locks.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::key::Key;
use crate::memory::{LINE, Words};

const EFFORT_BITS: u32 = 6;
const CHECK: u64 = !0 << (EFFORT_BITS + 1);
const WIN: u64 = 1 << EFFORT_BITS;
const EFFORT: u64 = WIN - 1;

/// Results by key.
pub(crate) struct TranspositionTable {
    words: Words,
}

impl TranspositionTable {
    /// A table in this many bytes.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        let lines = (bytes / (LINE * size_of::<u64>())).max(1);
        let words = Words::zeroed(lines * LINE)?;
        Ok(Self { words })
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> usize {
        let high = (key >> 64) as u64;
        ((u128::from(high) * self.words.lines() as u128) >> 64) as usize
    }

    /// The compared bits of a key, never all zero: an empty entry is zero.
    #[inline(always)]
    fn check(key: Key) -> u64 {
        let check = key as u64 & CHECK;
        if check == 0 { CHECK } else { check }
    }

    /// Tells the processor that this key will soon be asked for.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key) {
        self.words.prefetch(self.bucket(key));
    }

    /// Whether the side to move wins, if that is known.
    #[inline(always)]
    pub(crate) fn get(&self, key: Key) -> Option<bool> {
        let check = Self::check(key);
        let bucket = self.words.line(self.bucket(key));
        let mut found = 0;
        for entry in bucket {
            let entry = entry.load(Ordering::Relaxed);
            found |= if entry & CHECK == check { entry } else { 0 };
        }
        (found != 0).then_some(found & WIN != 0)
    }

    /// Remembers a result that took this many nodes.
    pub(crate) fn put(&self, key: Key, win: bool, nodes: u64) {
        let check = Self::check(key);
        let effort = u64::from(nodes.max(1).ilog2());
        let entry = check | if win { WIN } else { 0 } | effort.min(EFFORT);
        let bucket = self.words.line(self.bucket(key));
        let load = |slot: &AtomicU64| slot.load(Ordering::Relaxed);
        let worth = |slot: &&AtomicU64| match load(slot) {
            0 => 0,
            old if old & CHECK == check => 0,
            old => 1 + (old & EFFORT),
        };
        // An entry of the same position counts as free, so that no position stands twice in a bucket
        // unless two threads write it at once; they write the same result.
        let place = bucket.iter().find(|slot| load(slot) & CHECK == check);
        let place = place.or_else(|| bucket.iter().min_by_key(worth));
        place
            .expect("a bucket has entries")
            .store(entry, Ordering::Relaxed);
    }

    /// Forgets all results.
    pub(crate) fn clear(&self) {
        for line in 0..self.words.lines() {
            for entry in self.words.line(line) {
                entry.store(0, Ordering::Relaxed);
            }
        }
    }

    /// The share of entries in use, from a sample.
    pub(crate) fn fill(&self) -> f64 {
        let lines = self.words.lines();
        let step = lines.div_ceil(1000);
        let (mut used, mut seen) = (0, 0);
        for line in (0..lines).step_by(step) {
            let entries = self.words.line(line);
            used += entries
                .iter()
                .filter(|e| e.load(Ordering::Relaxed) != 0)
                .count();
            seen += LINE;
        }
        used as f64 / seen as f64
    }
}
