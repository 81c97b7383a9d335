//! What searches have guessed about positions: bounds of their scores after so many plies, with so much
//! confidence, and the moves that did best. Threads share it without locks, as they do `table.rs`.

use std::io;
use std::sync::atomic::Ordering;

use super::table::NONE;
use crate::key::Key;
use crate::memory::Buckets;

/// What is thought of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// How many plies were searched, and how surely: the index of a confidence.
    pub(super) depth: u8,
    pub(super) level: u8,
    /// The moves that did best, the last one first; [`NONE`] if there is none.
    pub(super) moves: [u8; 2],
}

impl Guess {
    fn from_word(word: u64) -> Self {
        let [lower, upper, depth, level, first, second, ..] = word.to_le_bytes();
        Self {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            level,
            moves: [first, second],
        }
    }

    fn word(self, age: u8) -> u64 {
        let Self {
            depth,
            level,
            moves: [first, second],
            ..
        } = self;
        let (lower, upper) = (self.lower as u8, self.upper as u8);
        u64::from_le_bytes([lower, upper, depth, level, first, second, age, 1])
    }
}

/// Guesses by position.
pub(super) struct Estimates(Buckets);

impl Estimates {
    /// In this many bytes, one line at least.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self(Buckets::new(bytes)?))
    }

    /// Uses as much as a search may need that grows to two to this power.
    pub(super) fn prepare(&self, doublings: f64) {
        self.0.prepare(doublings);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.clear();
    }

    /// Tells the processor that this key will soon be asked for.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        self.0.prefetch(key);
    }

    /// What is thought of the position with this key.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Guess> {
        for entry in self.0.of(key).chunks_exact(2) {
            let word = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ word == key as u64 && word != 0 {
                return Some(Guess::from_word(word));
            }
        }
        None
    }

    /// Keeps a guess, and what was thought before as far as it still counts.
    #[inline(always)]
    pub(super) fn put(&self, key: Key, found: Guess, age: u8) {
        let check = key as u64;
        let line = self.0.of(key);
        let (mut place, mut least) = (0, u32::MAX);
        let mut guess = found;
        for (index, entry) in line.chunks_exact(2).enumerate() {
            let word = entry[1].load(Ordering::Relaxed);
            let old = Guess::from_word(word);
            if entry[0].load(Ordering::Relaxed) ^ word == check && word != 0 {
                place = index;
                if (old.depth, old.level) == (found.depth, found.level) {
                    // Bounds that contradict each other come of cuts; the later one counts.
                    let (lower, upper) = (found.lower.max(old.lower), found.upper.min(old.upper));
                    if lower <= upper {
                        (guess.lower, guess.upper) = (lower, upper);
                    }
                }
                guess.moves = match found.moves[0] {
                    NONE => old.moves,
                    best if best == old.moves[0] => old.moves,
                    best => [best, old.moves[0]],
                };
                break;
            }
            let current = u32::from(word != 0 && word.to_le_bytes()[6] == age);
            let worth = (current << 8) + u32::from(old.depth) + u32::from(word != 0);
            if worth < least {
                (least, place) = (worth, index);
            }
        }
        let word = guess.word(age);
        line[2 * place].store(check ^ word, Ordering::Relaxed);
        line[2 * place + 1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::key;
    use super::*;

    #[test]
    fn guesses_of_one_kind_meet_and_others_replace() {
        let estimates = Estimates::new(1 << 12).unwrap();
        let guess = |lower, upper, depth, level, best| Guess {
            lower,
            upper,
            depth,
            level,
            moves: [best, NONE],
        };
        let key = key(5, 6);
        assert_eq!(estimates.get(key), None);
        estimates.put(key, guess(-64, 10, 8, 1, 4), 1);
        estimates.put(key, guess(2, 64, 8, 1, 7), 1);
        let moves = [7, 4];
        let both = Guess {
            moves,
            ..guess(2, 10, 8, 1, 7)
        };
        assert_eq!(estimates.get(key), Some(both));
        estimates.put(key, guess(12, 64, 8, 1, NONE), 1);
        let later = Guess {
            moves,
            ..guess(12, 64, 8, 1, 7)
        };
        assert_eq!(estimates.get(key), Some(later));
        estimates.put(key, guess(-64, 1, 9, 0, 7), 1);
        let deeper = Guess {
            moves,
            ..guess(-64, 1, 9, 0, 7)
        };
        assert_eq!(estimates.get(key), Some(deeper));
    }
}
