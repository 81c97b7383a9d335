//! A quick hash of machine words: multiply and rotate, as in Firefox and rustc.
//!
//! The keys are numbers that this crate hands out itself, so nobody can choose them to collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::Value;

/// A map whose keys are a few machine words.
pub(crate) type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

const ODD: u64 = 0xf135_7aea_2e62_a9c5;

/// Takes words one after another.
#[derive(Clone, Copy, Default)]
pub(crate) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(ODD);
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word.cast_unsigned());
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// The hash of a pair of option sets.
pub(crate) fn hash_options(left: &[Value], right: &[Value]) -> u64 {
    let mut hasher = WordHasher(left.len() as u64);
    for option in left.iter().chain(right) {
        hasher.write_u64(option.index() as u64);
    }
    hasher.write_u64(right.len() as u64);
    mix(hasher.0)
}

/// Spreads all bits of a word over the whole word.
pub(crate) fn mix(mut word: u64) -> u64 {
    word ^= word >> 32;
    word = word.wrapping_mul(ODD);
    word ^ (word >> 29)
}
