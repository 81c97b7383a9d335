//! The report's transposition table: a fixed number of slots, one entry each, and on a collision the
//! position nearer to the root stays, since finding it again would cost most.
//!
//! An entry holds the whole position, so what is found is never that of another one.

use std::hash::{Hash, Hasher};

use super::walk::Halt;
use crate::memory::Numbers;

/// What is known of positions, as far as memory goes.
///
/// Slots are small numbers that lead to the entries: an array of zeros costs nothing until it is
/// touched, and entries take memory only when they are made. So a large table is ready at once.
pub(super) struct Table<P, V> {
    /// For each slot the number of its entry, counted from 1; 0 if it is free.
    slots: Numbers,
    entries: Vec<Entry<P, V>>,
}

struct Entry<P, V> {
    position: P,
    /// How many moves after the root.
    ply: u32,
    value: V,
}

impl<P: Eq + Hash + Copy, V> Table<P, V> {
    /// A table that takes at most this many bytes, and has one slot at least; an error if the system has
    /// no room for it.
    pub(super) fn new(memory: usize) -> Result<Self, Halt> {
        let bytes = size_of::<Entry<P, V>>() + size_of::<u32>();
        let most = u32::MAX as usize;
        let slots = Numbers::zeroed((memory / bytes).clamp(1, most));
        Ok(Self {
            slots: slots.map_err(|_| Halt::NoRoom(memory))?,
            entries: Vec::new(),
        })
    }

    /// What is known of this position.
    #[inline]
    pub(super) fn find(&self, position: &P) -> Option<&V> {
        let number = self.slots.get(self.slot(position));
        let entry = &self.entries[(number as usize).checked_sub(1)?];
        (entry.position == *position).then_some(&entry.value)
    }

    /// Remembers this value of a position `ply` moves after the root, unless another one nearer to
    /// the root has its slot. What was known of the position itself is replaced. An error if the system
    /// has no room for more entries.
    pub(super) fn store(&mut self, position: &P, ply: u32, value: V) -> Result<(), Halt> {
        let slot = self.slot(position);
        let entry = Entry {
            position: *position,
            ply,
            value,
        };
        if let Some(index) = (self.slots.get(slot) as usize).checked_sub(1) {
            let old = &mut self.entries[index];
            if old.position == entry.position || old.ply >= entry.ply {
                *old = entry;
            }
        } else {
            self.make_room()?;
            self.entries.push(entry);
            self.slots.set(slot, self.entries.len() as u32);
        }
        Ok(())
    }

    /// Room for one more entry: twice as many each time, but never more than there are slots.
    fn make_room(&mut self) -> Result<(), Halt> {
        const FIRST: usize = 1024;
        let used = self.entries.len();
        if used == self.entries.capacity() {
            let more = used.max(FIRST).min(self.slots.len() - used);
            let bytes = (used + more) * size_of::<Entry<P, V>>();
            let made = self.entries.try_reserve_exact(more);
            made.map_err(|_| Halt::NoRoom(bytes))?;
        }
        Ok(())
    }

    #[inline]
    fn slot(&self, position: &P) -> usize {
        let mut mixer = Mixer(0);
        position.hash(&mut mixer);
        // The high bits of a product choose evenly among any number of slots.
        ((u128::from(mixer.finish()) * self.slots.len() as u128) >> 64) as usize
    }
}

/// A quick hash: a product for each word, whose upper half returns to the lower one.
struct Mixer(u64);

impl Hasher for Mixer {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        // 2⁶⁴ divided by the golden ratio, and an odd number to keep zeros from staying zero.
        let product = u128::from((self.0 ^ word).wrapping_add(0xd1b5_4a32_d192_ed03))
            * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_nearer_to_the_root_stays() {
        let mut table = Table::new(0).unwrap();
        table.store(&'b', 3, 30).unwrap();
        table.store(&'c', 4, 40).unwrap();
        assert_eq!((table.find(&'b'), table.find(&'c')), (Some(&30), None));
        table.store(&'b', 3, 31).unwrap();
        assert_eq!(table.find(&'b'), Some(&31));
        table.store(&'a', 2, 20).unwrap();
        assert_eq!((table.find(&'a'), table.find(&'b')), (Some(&20), None));
    }

    #[test]
    fn memory_is_bounded_and_used() {
        const MEMORY: usize = 1 << 20;
        let mut table = Table::new(MEMORY).unwrap();
        for number in 0..1_u64 << 18 {
            table.store(&number, 0, ()).unwrap();
        }
        let entry = size_of::<Entry<u64, ()>>();
        let bytes = table.entries.capacity() * entry + table.slots.len() * size_of::<u32>();
        assert!(bytes <= MEMORY);
        assert!(table.entries.len() > table.slots.len() * 9 / 10);
    }

    /// Four gigabytes, ready at once.
    #[test]
    fn a_large_table_costs_nothing_at_first() {
        let mut table = Table::new(1 << 32).unwrap();
        table.store(&1_u128, 0, 'a').unwrap();
        assert_eq!(table.find(&1), Some(&'a'));
        assert!(table.entries.capacity() < 1 << 12);
    }
}
