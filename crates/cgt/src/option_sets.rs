//! Pairs of option sets `{left|right}`, numbered in the order of their arrival and found again by content.
//!
//! All options lie in one vector; a hash table with open addressing holds, per pair, 32 bits of its hash
//! and its number.

use crate::Value;
use crate::hash::hash_options;

/// A numbered collection of different pairs of sets.
#[derive(Clone, Debug)]
pub(crate) struct OptionSets {
    options: Vec<Value>,
    /// Where the left options begin and where the right ones do, for each pair; then the end.
    bounds: Vec<usize>,
    /// 0 for free, else 32 bits of the hash above 1 + number.
    slots: Vec<u64>,
}

impl OptionSets {
    pub(crate) fn new() -> OptionSets {
        OptionSets {
            options: Vec::new(),
            bounds: vec![0],
            slots: vec![0; 64],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bounds.len() / 2
    }

    pub(crate) fn left(&self, number: usize) -> &[Value] {
        &self.options[self.bounds[2 * number]..self.bounds[2 * number + 1]]
    }

    pub(crate) fn right(&self, number: usize) -> &[Value] {
        &self.options[self.bounds[2 * number + 1]..self.bounds[2 * number + 2]]
    }

    /// The number of a pair whose sets are sorted in the same way as when it was added.
    pub(crate) fn find(&self, left: &[Value], right: &[Value]) -> Option<usize> {
        let tag = hash_options(left, right) >> 32;
        let mask = self.slots.len() - 1;
        let mut place = tag as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return None;
            }
            let number = (slot as u32) as usize - 1;
            if slot >> 32 == tag && self.left(number) == left && self.right(number) == right {
                return Some(number);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a pair that is not there yet, and returns its number.
    pub(crate) fn push(&mut self, left: &[Value], right: &[Value]) -> usize {
        let number = self.len();
        self.options.extend_from_slice(left);
        self.bounds.push(self.options.len());
        self.options.extend_from_slice(right);
        self.bounds.push(self.options.len());
        if 4 * self.len() > 3 * self.slots.len() {
            let bigger = vec![0; 2 * self.slots.len()];
            for slot in std::mem::replace(&mut self.slots, bigger) {
                if slot != 0 {
                    self.occupy(slot);
                }
            }
        }
        let stored = u32::try_from(number + 1).expect("fewer than 2^32 pairs of option sets");
        self.occupy(hash_options(left, right) >> 32 << 32 | u64::from(stored));
        number
    }

    /// Forgets everything, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.options.clear();
        self.bounds.truncate(1);
        self.slots.fill(0);
    }

    fn occupy(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut place = (slot >> 32) as usize & mask;
        while self.slots[place] != 0 {
            place = (place + 1) & mask;
        }
        self.slots[place] = slot;
    }
}
