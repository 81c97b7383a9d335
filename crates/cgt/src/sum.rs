//! Sums of games: a move in G + H is a move in one of them (Siegel, II.1).
//!
//! Sums of followers are remembered. A sum may still have far more followers than there is time for, so
//! there is a version with a budget.

use crate::{Games, Value};

impl Games {
    /// The sum of two games.
    ///
    /// May take very long for games with many followers; see [`Games::try_sum`].
    pub fn sum(&mut self, a: Value, b: Value) -> Value {
        self.try_sum(a, b, usize::MAX)
            .expect("a budget without end is not used up")
    }

    /// The sum of two games, unless it takes more than `budget` sums of followers that are not yet
    /// known. Each makes at most one new value and its negative.
    pub fn try_sum(&mut self, a: Value, b: Value, budget: usize) -> Option<Value> {
        let mut budget = budget;
        self.sum_within(a, b, &mut budget)
    }

    /// `a` − `b`.
    pub fn difference(&mut self, a: Value, b: Value) -> Value {
        self.sum(a, self.negative(b))
    }

    /// The sum of n copies of a game, or of −n copies of its negative.
    pub fn multiple(&mut self, n: i32, value: Value) -> Value {
        let value = if n < 0 { self.negative(value) } else { value };
        (0..n.unsigned_abs()).fold(Value::ZERO, |sum, _| self.sum(sum, value))
    }

    pub(crate) fn sum_within(&mut self, a: Value, b: Value, budget: &mut usize) -> Option<Value> {
        let (a, b) = (a.min(b), a.max(b));
        if a == Value::ZERO {
            return Some(b);
        }
        if self.negative(a) == b {
            return Some(Value::ZERO);
        }
        if let Some(&sum) = self.sums.get(&(a, b)) {
            return Some(sum);
        }
        *budget = budget.checked_sub(1)?;
        let sum = match self.sum_of_numbers(a, b) {
            Some(sum) => sum,
            None => self.sum_by_options(a, b, budget)?,
        };
        self.remember_sum(a, b, sum);
        self.remember_sum(self.negative(a), self.negative(b), self.negative(sum));
        Some(sum)
    }

    fn sum_of_numbers(&mut self, a: Value, b: Value) -> Option<Value> {
        let sum = self.to_number(a)?.checked_add(self.to_number(b)?)?;
        self.number(sum)
    }

    fn sum_by_options(&mut self, a: Value, b: Value, budget: &mut usize) -> Option<Value> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (moved, kept) in [(a, b), (b, a)] {
            // Number translation: no player needs to move in a number while the other part is not one.
            if self.is_number(moved) && !self.is_number(kept) {
                continue;
            }
            for place in 0..self.left(moved).len() {
                left.push(self.sum_within(self.left(moved)[place], kept, budget)?);
            }
            for place in 0..self.right(moved).len() {
                right.push(self.sum_within(self.right(moved)[place], kept, budget)?);
            }
        }
        self.try_canonical(&left, &right)
    }

    fn remember_sum(&mut self, a: Value, b: Value, sum: Value) {
        self.sums.insert((a.min(b), a.max(b)), sum);
    }
}
