//! From any options to the canonical ones: dominated options go, reversible ones are bypassed
//! (Siegel, II.2; Winning Ways, chapter 3).
//!
//! The arena is only read. The game being simplified is not in it yet, so it is compared through its
//! options; its value does not change on the way, so one table of comparisons with it serves throughout.

use rustc_hash::FxHashMap;

use crate::games::sort;
use crate::landmarks::Bearings;
use crate::{Comparisons, Games, Value};

/// Tables with more room than this are thrown away rather than emptied.
const MAX_KEPT: usize = 1 << 12;

impl Games {
    /// Reduces options to the canonical ones, sorted, without adding anything to the arena.
    ///
    /// [`Games::canonical`] is this and [`Games::intern`]. Threads may simplify many games at a time
    /// through one `&Games`, and one thread interns the results in a fixed order.
    pub fn simplify(
        &self,
        comparisons: &mut Comparisons,
        left: &mut Vec<Value>,
        right: &mut Vec<Value>,
    ) {
        sort(left);
        sort(right);
        let bearings = self.bearings_of(left, right);
        if let Some(landmark) = bearings.landmark() {
            left.clear();
            left.extend_from_slice(self.left(landmark));
            right.clear();
            right.extend_from_slice(self.right(landmark));
            return;
        }
        self.remove_dominated(comparisons, Side::Left, left);
        self.remove_dominated(comparisons, Side::Right, right);

        if comparisons.with_game.capacity() > MAX_KEPT {
            comparisons.with_game = FxHashMap::default();
        } else {
            comparisons.with_game.clear();
        }
        // The options as they were stay a form of the game while they are bypassed.
        let (given_left, given_right) = (left.clone(), right.clone());
        let game = Form {
            left: &given_left,
            right: &given_right,
            bearings,
        };
        self.bypass_reversible(comparisons, &game, Side::Left, left);
        self.bypass_reversible(comparisons, &game, Side::Right, right);
    }

    /// Removes each option that another is at least as good as.
    fn remove_dominated(
        &self,
        comparisons: &mut Comparisons,
        side: Side,
        options: &mut Vec<Value>,
    ) {
        let mut place = 0;
        while place < options.len() {
            let option = options[place];
            let dominated = options.iter().any(|&other| {
                other != option
                    && match side {
                        Side::Left => self.le_with(comparisons, option, other),
                        Side::Right => self.le_with(comparisons, other, option),
                    }
            });
            if dominated {
                options.remove(place);
            } else {
                place += 1;
            }
        }
    }

    /// Replaces each left option that reverses through some Gᴸᴿ ≤ G by the left options of that, and
    /// likewise for Right.
    fn bypass_reversible(
        &self,
        comparisons: &mut Comparisons,
        game: &Form<'_>,
        side: Side,
        options: &mut Vec<Value>,
    ) {
        let mut bypassed = false;
        let mut place = 0;
        while place < options.len() {
            let reply = match side {
                Side::Left => {
                    let mut replies = self.right(options[place]).iter();
                    replies.find(|&&reply| self.value_le(comparisons, reply, game))
                }
                Side::Right => {
                    let mut replies = self.left(options[place]).iter();
                    replies.find(|&&reply| self.value_ge(comparisons, reply, game))
                }
            };
            let Some(&reply) = reply else {
                place += 1;
                continue;
            };
            options.swap_remove(place);
            let instead = match side {
                Side::Left => self.left(reply),
                Side::Right => self.right(reply),
            };
            for &option in instead {
                if !options.contains(&option) {
                    options.push(option);
                }
            }
            bypassed = true;
        }
        if bypassed {
            sort(options);
            self.remove_dominated(comparisons, side, options);
        }
    }

    /// Whether a value is less than or equal to a game outside the arena.
    fn value_le(&self, comparisons: &mut Comparisons, value: Value, game: &Form<'_>) -> bool {
        if let Some(answer) = self.bearings(value).le(game.bearings) {
            return answer;
        }
        if let Some(&answer) = comparisons.with_game.get(&(value, true)) {
            return answer;
        }
        let answer = !game
            .right
            .iter()
            .any(|&option| self.le_with(comparisons, option, value))
            && !self
                .left(value)
                .iter()
                .any(|&option| self.value_ge(comparisons, option, game));
        comparisons.with_game.insert((value, true), answer);
        answer
    }

    /// Whether a value is greater than or equal to a game outside the arena.
    fn value_ge(&self, comparisons: &mut Comparisons, value: Value, game: &Form<'_>) -> bool {
        if let Some(answer) = game.bearings.le(self.bearings(value)) {
            return answer;
        }
        if let Some(&answer) = comparisons.with_game.get(&(value, false)) {
            return answer;
        }
        let answer = !game
            .left
            .iter()
            .any(|&option| self.le_with(comparisons, value, option))
            && !self
                .right(value)
                .iter()
                .any(|&option| self.value_le(comparisons, option, game));
        comparisons.with_game.insert((value, false), answer);
        answer
    }
}

/// Whose options are looked at.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// A game given by its options.
struct Form<'a> {
    left: &'a [Value],
    right: &'a [Value],
    bearings: Bearings,
}
