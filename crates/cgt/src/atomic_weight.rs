//! Atomic weights of all-small games: how many ups a game is worth (Siegel, II.7; Winning Ways, chapter 8).
//!
//! With G̃ = {aw(Gᴸ) − 2 | aw(Gᴿ) + 2}, aw(G) = G̃ unless G̃ is an integer. Then it is 0 if G is confused with the
//! far star; if G is greater, the greatest integer n ⊲| aw(Gᴿ) + 2 for all Gᴿ; if it is less, the least n |⊳ aw(Gᴸ) − 2
//! for all Gᴸ. The far star is any ∗N that no follower of G is equal to; here N is one more than the birthday.

use std::cmp::Ordering;

use crate::{Games, Value};

impl Games {
    /// The atomic weight of an all-small game, `None` for others.
    ///
    /// ```
    /// # use upstar_cgt::Games;
    /// let mut games = Games::new();
    /// let value = games.parse("{2·↑*|2·↓*}")?;
    /// let weight = games.atomic_weight(value).unwrap();
    /// assert_eq!(games.name(weight).to_string(), "*");
    /// # Ok::<(), upstar_cgt::ParseError>(())
    /// ```
    pub fn atomic_weight(&mut self, value: Value) -> Option<Value> {
        self.is_all_small(value).then(|| self.weight(value))
    }

    fn weight(&mut self, value: Value) -> Value {
        if let Some(&weight) = self.weights.get(&value) {
            return weight;
        }
        let two = self.integer(2);
        let mut left = self.left(value).to_vec();
        for option in &mut left {
            let weight = self.weight(*option);
            *option = self.difference(weight, two);
        }
        let mut right = self.right(value).to_vec();
        for option in &mut right {
            let weight = self.weight(*option);
            *option = self.sum(weight, two);
        }
        let mut weight = self.canonical(&left, &right);
        if let Some(integer) = self.to_integer(weight) {
            let far_star = self.nimber(self.birthday(value) + 1);
            weight = match self.compare(value, far_star) {
                Some(Ordering::Greater) => self.last_integer(integer, 1, &right),
                Some(_) => self.last_integer(integer, -1, &left),
                None => Value::ZERO,
            };
        }
        self.weights.insert(value, weight);
        self.weights
            .insert(self.negative(value), self.negative(weight));
        weight
    }

    /// From an integer that fits, the last one that still does on the way up, or down: n ⊲| x for all
    /// right options x, or n |⊳ x for all left options.
    fn last_integer(&mut self, integer: i64, step: i64, options: &[Value]) -> Value {
        assert!(
            !options.is_empty(),
            "a game comparable with the far star has options for both"
        );
        let mut last = integer;
        loop {
            let next = i32::try_from(last + step).expect("weights are less than birthdays");
            let n = self.integer(next);
            let fits = options.iter().all(|&x| {
                let beyond = if step > 0 {
                    self.le(x, n)
                } else {
                    self.le(n, x)
                };
                !beyond
            });
            if !fits {
                return self.integer(next - step as i32);
            }
            last += step;
        }
    }
}
