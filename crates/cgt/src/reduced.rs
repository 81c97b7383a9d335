//! Reduced canonical forms: games up to infinitesimals (Calistrate 1996; Grossman and Siegel,
//! *Reductions of partizan games*, 2009).
//!
//! G ≥ H up to infinitesimals if the right stop of G − H is at least 0. A game infinitely close to a number
//! is reduced to that number; in any other, options are reduced first, then those dominated up to
//! infinitesimals go and reversible ones are bypassed, until nothing changes.

use rustc_hash::FxHashMap;

use crate::{Games, Value};

impl Games {
    /// The reduced canonical form, the simplest game infinitely close to this one; `None` if it takes
    /// more than `budget` sums of followers, or numbers beyond those of [`Dyadic`](crate::Dyadic).
    ///
    /// ```
    /// # use upstar_cgt::{Games, Value};
    /// let mut games = Games::new();
    /// let hot = games.parse("{2|{1|0}}+^*")?;
    /// let reduced = games.reduced_canonical_form(hot, 10_000).unwrap();
    /// assert_eq!(games.name(reduced).to_string(), "{2|{1|0}}");
    /// let up = games.ups(1);
    /// assert_eq!(games.reduced_canonical_form(up, 10_000), Some(Value::ZERO));
    /// # Ok::<(), upstar_cgt::ParseError>(())
    /// ```
    pub fn reduced_canonical_form(&mut self, value: Value, budget: usize) -> Option<Value> {
        let mut budget = budget;
        self.reduce(value, &mut FxHashMap::default(), &mut budget)
    }

    fn reduce(
        &mut self,
        value: Value,
        known: &mut FxHashMap<Value, Value>,
        budget: &mut usize,
    ) -> Option<Value> {
        if self.is_number(value) {
            return Some(value);
        }
        if let Some(&reduced) = known.get(&value) {
            return Some(reduced);
        }
        let thermograph = self.thermograph(value)?;
        let reduced = if thermograph.left_stop() == thermograph.right_stop() {
            self.number(thermograph.left_stop())?
        } else {
            let mut sides = [self.left(value).to_vec(), self.right(value).to_vec()];
            for option in sides.iter_mut().flatten() {
                *option = self.reduce(*option, known, budget)?;
            }
            let mut game = self.canonical(&sides[0], &sides[1]);
            loop {
                let next = self.reduce_options(game, budget)?;
                if next == game {
                    break game;
                }
                game = next;
            }
        };
        known.insert(value, reduced);
        Some(reduced)
    }

    /// One step: options of both sides that are dominated or reversible up to infinitesimals.
    fn reduce_options(&mut self, game: Value, budget: &mut usize) -> Option<Value> {
        let left = self.reduce_left(game, budget)?;
        let turned = self.negative(left);
        let right = self.reduce_left(turned, budget)?;
        Some(self.negative(right))
    }

    fn reduce_left(&mut self, game: Value, budget: &mut usize) -> Option<Value> {
        let right = self.right(game).to_vec();
        let mut kept = self.left(game).to_vec();
        let mut place = 0;
        while place < kept.len() {
            let mut dominated = false;
            for other in 0..kept.len() {
                dominated |= other != place && self.nearly_le(kept[place], kept[other], budget)?;
            }
            if dominated {
                kept.remove(place);
            } else {
                place += 1;
            }
        }
        let mut found = self.canonical(&kept, &right);
        for place in 0..kept.len() {
            for reply in self.right(kept[place]).to_vec() {
                if self.nearly_le(reply, found, budget)? {
                    let mut options = kept.clone();
                    options.remove(place);
                    options.extend_from_slice(self.left(reply));
                    let bypassed = self.canonical(&options, &right);
                    // In a game that is no number the two are infinitely close; it is seen to here.
                    if self.nearly_le(bypassed, found, budget)?
                        && self.nearly_le(found, bypassed, budget)?
                        && bypassed != found
                    {
                        return Some(bypassed);
                    }
                }
            }
        }
        if !self.nearly_le(found, game, budget)? || !self.nearly_le(game, found, budget)? {
            found = game;
        }
        Some(found)
    }

    /// Whether `a` ≤ `b` up to infinitesimals.
    fn nearly_le(&mut self, a: Value, b: Value, budget: &mut usize) -> Option<bool> {
        let opposite = self.negative(a);
        let difference = self.sum_within(b, opposite, budget)?;
        let thermograph = self.thermograph(difference)?;
        Some(thermograph.right_stop() >= crate::Dyadic::ZERO)
    }
}
