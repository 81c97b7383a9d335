//! Canonical values of components, from the values of what their moves lead to.
//!
//! A component is valued once: its copies elsewhere, turned or mirrored, have the same key, and with the
//! colours exchanged it is worth the negative.

use std::collections::HashMap;

use upstar_cgt::{Games, Value};
use upstar_games::Cells;

use super::super::space::Space;
use crate::Budget;
use crate::key::Key;

/// Sums of followers between two looks at the clock.
const SUMS: usize = 1 << 10;

/// Values of components on one board, as they become known.
pub(super) struct Valuation<'a, S: Space> {
    space: S,
    cannibal: bool,
    budget: &'a Budget,
    /// The most values to hold.
    room: usize,
    pub(super) games: Games,
    known: HashMap<Key, Value>,
}

impl<'a, S: Space> Valuation<'a, S> {
    pub(super) fn new(space: S, cannibal: bool, room: usize, budget: &'a Budget) -> Self {
        Self {
            space,
            cannibal,
            budget,
            room,
            games: Games::new(),
            known: HashMap::new(),
        }
    }

    /// The value of these stones; `None` if the budget is spent first or there are too many values.
    pub(super) fn value(&mut self, stones: [S::Set; 2]) -> Option<Value> {
        let mut rest = stones[0] | stones[1];
        let mut sum = Value::ZERO;
        while let Some(cell) = rest.first() {
            let part = self.space.fill(S::Set::one(cell), rest);
            rest &= !part;
            let value = self.component(stones.map(|stones| stones & part))?;
            sum = self.sum(sum, value)?;
        }
        Some(sum)
    }

    /// The sum of two values; `None` as for [`Self::value`].
    pub(super) fn sum(&mut self, a: Value, b: Value) -> Option<Value> {
        loop {
            if let Some(sum) = self.games.try_sum(a, b, SUMS) {
                return Some(sum);
            }
            // Whatever was found on the way is remembered, so each round gets further.
            if self.is_spent() {
                return None;
            }
        }
    }

    /// The value of connected stones.
    fn component(&mut self, stones: [S::Set; 2]) -> Option<Value> {
        let occupied = stones[0] | stones[1];
        let is_dead = if self.cannibal {
            occupied.len() < 2
        } else {
            stones.iter().any(|stones| stones.is_empty())
        };
        if is_dead {
            return Some(Value::ZERO);
        }
        let keys = self.space.keys(stones);
        let key = keys[0].min(keys[1]);
        let seen = |games: &Games, value: Value| match key == keys[0] {
            true => value,
            false => games.negative(value),
        };
        if let Some(&value) = self.known.get(&key) {
            return Some(seen(&self.games, value));
        }
        if self.is_spent() {
            return None;
        }
        let mut options = [Vec::new(), Vec::new()];
        for (mover, options) in options.iter_mut().enumerate() {
            for from in stones[mover].iter() {
                let near = self.space.spread(S::Set::one(from));
                let prey = if self.cannibal { occupied } else { stones[1 - mover] };
                for to in (near & prey).iter() {
                    let mut after = stones;
                    after[mover] = stones[mover].without(from).with(to);
                    after[1 - mover] = stones[1 - mover].without(to);
                    options.push(self.value(after)?);
                }
            }
        }
        let t = std::time::Instant::now();
        let value = self.games.canonical(&options[0], &options[1]);
        if t.elapsed().as_millis() > 50 { eprintln!("canonical {:?} {} values {}", t.elapsed(), self.known.len(), self.games.len()); }
        let under_key = seen(&self.games, value);
        self.known.insert(key, under_key);
        Some(value)
    }

    fn is_spent(&self) -> bool {
        self.games.len() > self.room || self.budget.is_over()
    }
    pub(super) fn len(&self) -> usize { self.known.len() }
}
