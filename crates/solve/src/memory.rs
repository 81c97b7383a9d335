//! Large arrays whose memory may be refused, and the hint that a part of one will soon be read.
//!
//! The only unsafe code of this crate. Fresh pages are zero and cost nothing until they are touched;
//! huge pages save a fifth of the time of a search that reads all over the array.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use memmap2::MmapMut;

use crate::key::Key;

/// How many words fill one line of the processor's cache.
pub(crate) const LINE: usize = 8;

/// Words, all zero in the beginning, that threads read and write without locks.
pub(crate) struct Words {
    map: MmapMut,
}

impl Words {
    /// This many words.
    pub(crate) fn zeroed(words: usize) -> io::Result<Self> {
        const LARGE: usize = 64 << 20;
        let map = MmapMut::map_anon(words.max(1) * size_of::<AtomicU64>())?;
        // A wish only: without huge pages everything works as well, a little slower.
        #[cfg(target_os = "linux")]
        if map.len() >= LARGE {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self { map })
    }

    /// The line with this index.
    #[inline(always)]
    #[expect(unsafe_code, reason = "atomic words in mapped memory")]
    pub(crate) fn line(&self, index: usize) -> &[AtomicU64; LINE] {
        let bytes = LINE * size_of::<AtomicU64>();
        let start = &self.map[index * bytes..][..bytes];
        // SAFETY: the slice is as long as the array; a mapping begins at a page, so its lines are aligned; it
        // is private and anonymous, and nobody reads or writes it but as atomic words.
        unsafe { &*start.as_ptr().cast::<[AtomicU64; LINE]>() }
    }

    /// How many lines there are.
    pub(crate) fn lines(&self) -> usize {
        self.map.len() / (LINE * size_of::<AtomicU64>())
    }

    /// Tells the processor that the line will soon be read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        prefetch(self.line(index));
    }
}

/// Words by key, a line for all keys that meet there.
pub(crate) struct Buckets {
    words: Words,
    /// How many lines are in use: fresh memory is dear, and small searches need little.
    used: AtomicUsize,
}

impl Buckets {
    /// In this many bytes, one line at least.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        let lines = (bytes / (LINE * size_of::<u64>())).max(1);
        let words = Words::zeroed(lines * LINE)?;
        let used = AtomicUsize::new(words.lines());
        Ok(Self { words, used })
    }

    /// Uses as much as a search may need that grows to two to this power. What other lines hold is not found
    /// until they are in use again.
    pub(crate) fn prepare(&self, doublings: f64) {
        let lines = (doublings.exp2() as usize).clamp(1, self.words.lines());
        self.used.store(lines, Ordering::Relaxed);
    }

    /// The line of this key.
    #[inline(always)]
    pub(crate) fn of(&self, key: Key) -> &[AtomicU64; LINE] {
        self.words.line(self.index(key))
    }

    /// Tells the processor that this key will soon be asked for.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key) {
        self.words.prefetch(self.index(key));
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for index in 0..self.words.lines() {
            let line = self.words.line(index);
            line.iter()
                .for_each(|word| word.store(0, Ordering::Relaxed));
        }
    }

    #[inline(always)]
    fn index(&self, key: Key) -> usize {
        let high = (key >> 64) as u64;
        let used = self.used.load(Ordering::Relaxed);
        ((u128::from(high) * used as u128) >> 64) as usize
    }
}

/// Numbers, all zero in the beginning, of a single thread.
pub(crate) struct Numbers {
    map: MmapMut,
}

impl Numbers {
    /// This many numbers, one at least.
    pub(crate) fn zeroed(numbers: usize) -> io::Result<Self> {
        let map = MmapMut::map_anon(numbers.max(1) * size_of::<u32>())?;
        Ok(Self { map })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.map.len() / size_of::<u32>()
    }

    /// The number with this index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u32 {
        let bytes = self.map[index * size_of::<u32>()..].first_chunk();
        u32::from_ne_bytes(*bytes.expect("a number has four bytes"))
    }

    /// Another number with this index.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, number: u32) {
        let bytes = self.map[index * size_of::<u32>()..].first_chunk_mut();
        *bytes.expect("a number has four bytes") = number.to_ne_bytes();
    }
}

/// Tells the processor that this will soon be read.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "a hint to the processor")]
    // SAFETY: a prefetch of valid memory reads nothing that the program could see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// A file in memory, to be read.
pub(crate) struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a whole file.
    #[expect(unsafe_code, reason = "a file in memory")]
    pub(crate) fn open(path: &std::path::Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)?;
        // SAFETY: the files that are mapped are written under another name and renamed when whole, so
        // nobody of ours changes one; whoever else does gets the wrong numbers he wrote.
        let map = unsafe { memmap2::Mmap::map(&file) }?;
        Ok(Self(map))
    }

    /// Its contents.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept() {
        let mut numbers = Numbers::zeroed(5).unwrap();
        numbers.set(4, u32::MAX);
        numbers.set(1, 7);
        let all: Vec<u32> = (0..numbers.len()).map(|index| numbers.get(index)).collect();
        assert_eq!(all, [0, 7, 0, 0, u32::MAX]);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        assert!(Words::zeroed(1 << 58).is_err());
        assert!(Numbers::zeroed(1 << 59).is_err());
    }
}
