//! Positions and what is known of them, within a bound of memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::TreeError;

/// A fast hash of a few words; nobody chooses positions to do it harm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x6a09_e667_f3bc_c909) * 0xbb67_ae85_84ca_a73b;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}

/// A map of positions.
pub(super) type Positions<P, V> = HashMap<P, V, BuildHasherDefault<Mixer>>;

/// Refuses to hold more than fits into `bytes` of memory, of which `share` maps like this one exist. A
/// hash map has one more byte per place, an eighth of the places stay free, and while it grows it exists
/// one and a half times.
pub(super) fn check<P: Eq + Hash, V>(
    map: &Positions<P, V>,
    bytes: usize,
    share: usize,
) -> Result<(), TreeError> {
    if map.len() > bytes / share / 3 / (size_of::<(P, V)>() + 1) {
        return Err(TreeError::Memory(bytes));
    }
    Ok(())
}
