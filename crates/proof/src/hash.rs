//! Hashes of positions, and the checksum of the file.
//!
//! A position is known by 128 bits. The checker draws a new key for every check, so nobody can prepare
//! a file in which two positions have the same hash.

use std::hash::{BuildHasher, Hasher, RandomState};

/// What hashes depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key([u64; 4]);

impl Key {
    /// The same key always, where nobody has an interest in collisions.
    pub(crate) const FIXED: Self = Self([
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0xd6e8_feb8_6659_fd93,
    ]);

    /// A key that nobody knows before.
    pub(crate) fn fresh() -> Self {
        Self(std::array::from_fn(|index| {
            RandomState::new().hash_one(index) | 1
        }))
    }

    /// Two lanes of 64 bits, each multiplied and folded word by word.
    #[inline]
    pub(crate) fn words(&self, words: impl Iterator<Item = u64>) -> u128 {
        let [mut low, mut high, by_low, by_high] = self.0;
        for word in words {
            low = fold(low ^ word, by_low);
            high = fold(high.rotate_left(23) ^ word, by_high);
        }
        u128::from(fold(high ^ by_low, by_high)) << 64 | u128::from(fold(low ^ by_high, by_low))
    }
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Makes the hashers of maps keyed by pieces, or by hashes of positions.
impl BuildHasher for Key {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding {
            state: self.0[0],
            by: self.0[2],
        }
    }
}

/// The hasher of a map.
#[derive(Debug)]
pub(crate) struct Folding {
    state: u64,
    by: u64,
}

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.state = fold(self.state ^ word, self.by);
    }

    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.state ^= word as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

/// The checksum of some bytes: eight at a time, in an order that matters. Whatever changes within
/// eight bytes changes the sum.
pub(crate) fn checksum(start: u64, bytes: &[u8]) -> u64 {
    let mut state = start ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        state = (state ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^= state >> 32;
    }
    state
}
