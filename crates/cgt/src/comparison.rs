//! Which of two games is greater: G ≤ H unless some Gᴸ ≥ H or some Hᴿ ≤ G (Siegel, II.1).
//!
//! Landmarks answer most questions at once; the others go down the game trees, and their answers are kept
//! in a table of bounded size.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::hash::mix;
use crate::{Games, Value};

/// Remembered comparisons, so that no question is worked out twice in a row.
///
/// Separate from the arena: threads that share an arena bring one each. It belongs to the arena it was
/// first used with, whose values never change, and stays right while that arena grows.
#[derive(Clone, Debug)]
pub struct Comparisons {
    /// 0 for free, else the two handles and, in the lowest bit, the answer.
    slots: Vec<u64>,
    used: usize,
    max_slots: usize,
    /// How many more comparisons may be made. When there are none left, answers are wrong and nothing is made of
    /// them: see [`Games::try_canonical`].
    pub(crate) left: u64,
    /// Comparisons with the game that is being simplified: (value, whether it is on the left side).
    pub(crate) with_game: FxHashMap<(Value, bool), bool>,
}

impl Comparisons {
    /// An empty table that grows to 32 MB at most.
    pub fn new() -> Comparisons {
        Comparisons::with_slots(1 << 22)
    }

    /// An empty table that grows to a number of comparisons, rounded up to a power of two.
    pub fn with_slots(max_slots: usize) -> Comparisons {
        let max_slots = max_slots.max(2).next_power_of_two();
        Comparisons {
            slots: Vec::new(),
            used: 0,
            max_slots,
            left: u64::MAX,
            with_game: FxHashMap::default(),
        }
    }

    fn key(a: Value, b: Value) -> u64 {
        (a.index() as u64) << 32 | (b.index() as u64) << 1
    }

    fn answer(&self, key: u64) -> Option<bool> {
        let place = mix(key) as usize & self.slots.len().wrapping_sub(1);
        self.slots
            .get(place)
            .filter(|&slot| slot & !1 == key)
            .map(|slot| slot & 1 == 1)
    }

    fn remember(&mut self, key: u64, answer: bool) {
        if 2 * self.used >= self.slots.len() && self.slots.len() < self.max_slots {
            let bigger = vec![0; (2 * self.slots.len()).max(self.max_slots.min(1 << 10))];
            self.used = 0;
            for slot in std::mem::replace(&mut self.slots, bigger) {
                if slot != 0 {
                    self.place(slot);
                }
            }
        }
        self.place(key | u64::from(answer));
    }

    /// Later answers replace earlier ones in the same place.
    fn place(&mut self, slot: u64) {
        let place = mix(slot & !1) as usize & (self.slots.len() - 1);
        self.used += usize::from(self.slots[place] == 0);
        self.slots[place] = slot;
    }
}

impl Default for Comparisons {
    fn default() -> Comparisons {
        Comparisons::new()
    }
}

impl Games {
    /// Whether `a` ≤ `b`.
    pub fn le(&mut self, a: Value, b: Value) -> bool {
        let mut comparisons = std::mem::take(&mut self.comparisons);
        let answer = self.le_with(&mut comparisons, a, b);
        self.comparisons = comparisons;
        answer
    }

    /// How `a` compares with `b`; `None` if they are confused, `a` ‖ `b`.
    pub fn compare(&mut self, a: Value, b: Value) -> Option<Ordering> {
        let mut comparisons = std::mem::take(&mut self.comparisons);
        let answer = self.compare_with(&mut comparisons, a, b);
        self.comparisons = comparisons;
        answer
    }

    /// [`Games::compare`] on an arena that is only read.
    pub fn compare_with(
        &self,
        comparisons: &mut Comparisons,
        a: Value,
        b: Value,
    ) -> Option<Ordering> {
        if a == b {
            Some(Ordering::Equal)
        } else if self.le_with(comparisons, a, b) {
            Some(Ordering::Less)
        } else if self.le_with(comparisons, b, a) {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// [`Games::le`] on an arena that is only read.
    pub fn le_with(&self, comparisons: &mut Comparisons, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        comparisons.left = comparisons.left.saturating_sub(1);
        if comparisons.left == 0 {
            return false;
        }
        if let Some(answer) = self.bearings(a).le(self.bearings(b)) {
            return answer;
        }
        if self.is_number(a) && self.is_number(b) {
            return self.number_of[&a] <= self.number_of[&b];
        }
        // a ≤ b and −b ≤ −a are one question.
        let key = Comparisons::key(a, b).min(Comparisons::key(self.negative(b), self.negative(a)));
        if let Some(answer) = comparisons.answer(key) {
            return answer;
        }
        let answer = !self
            .left(a)
            .iter()
            .any(|&option| self.le_with(comparisons, b, option))
            && !self
                .right(b)
                .iter()
                .any(|&option| self.le_with(comparisons, option, a));
        if comparisons.left > 0 {
            comparisons.remember(key, answer);
        }
        answer
    }

    /// Lets `work` make this many comparisons; `None` if they are not enough.
    pub(crate) fn within_comparisons<T>(
        &mut self,
        most: u64,
        work: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        let outer = std::mem::replace(&mut self.comparisons.left, most);
        let done = work(self);
        let left = std::mem::replace(&mut self.comparisons.left, outer);
        (left > 0).then_some(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was cut short leaves no wrong answer behind.
    #[test]
    fn comparisons_may_run_out() {
        let texts = ["{{3|*7},{2|^2*3}|{-1|*5}}", "{{4|1*7}|{^3*2|-5}}"];
        let [mut games, mut whole] = [Games::new(), Games::new()];
        let [parts, whole_parts] = [&mut games, &mut whole].map(|games| {
            let read = texts.map(|text| games.parse(text).unwrap());
            (read[0], read[1])
        });
        let sum = whole.sum(whole_parts.0, whole_parts.1);
        let mut refused = 0;
        for most in (1..).map(|step| step * 50) {
            let attempt = |games: &mut Games| games.try_sum(parts.0, parts.1, usize::MAX);
            let Some(found) = games.within_comparisons(most, attempt).flatten() else {
                refused += 1;
                continue;
            };
            assert_eq!(games.name(found).to_string(), whole.name(sum).to_string());
            break;
        }
        assert!(refused > 0);
    }
}
