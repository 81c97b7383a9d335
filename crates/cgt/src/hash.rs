//! Hashes of sets of options, and spreading the bits of a word.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::Value;

const ODD: u64 = 0xf135_7aea_2e62_a9c5;

/// The hash of a pair of option sets.
pub(crate) fn hash_options(left: &[Value], right: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(left.len());
    for option in left.iter().chain(right) {
        hasher.write_usize(option.index());
    }
    hasher.write_usize(right.len());
    mix(hasher.finish())
}

/// Spreads all bits of a word over the whole word.
pub(crate) fn mix(mut word: u64) -> u64 {
    word ^= word >> 32;
    word = word.wrapping_mul(ODD);
    word ^ (word >> 29)
}
