//! Families of values with names: nimbers, ups, numbers plus those, switches, tinies and minies
//! (Siegel, II.4; Winning Ways, chapters 5 and 8).
//!
//! Their canonical forms are known, so they are interned directly, and recognised by looking at options.

use crate::{Dyadic, Games, Outcome, Value};

/// The game x + n·↑ + ∗m.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberUpStar {
    /// The number x.
    pub number: Dyadic,
    /// The n of n·↑; negative for downs.
    pub ups: i32,
    /// The m of the nimber ∗m.
    pub star: u32,
}

impl Games {
    /// The nimber ∗n.
    pub fn nimber(&mut self, n: u32) -> Value {
        self.star_at(Value::ZERO, n)
    }

    /// n·↑, or −n·↓ for negative n.
    pub fn ups(&mut self, n: i32) -> Value {
        self.ups_at(Value::ZERO, n, 0)
    }

    /// x + n·↑ + ∗m; `None` if the number is out of reach, see [`Games::number`].
    pub fn number_up_star(&mut self, name: NumberUpStar) -> Option<Value> {
        let number = self.number(name.number)?;
        Some(self.ups_at(number, name.ups, name.star))
    }

    /// The switch {left|right}; a game ±x is `switch(x, -x)`.
    pub fn switch(&mut self, left: Value, right: Value) -> Value {
        self.canonical(&[left], &[right])
    }

    /// ±x = {x|−x}.
    pub fn plus_minus(&mut self, x: Value) -> Value {
        self.switch(x, self.negative(x))
    }

    /// ⧾ₓ = {0‖0|−x}, "tiny-x".
    pub fn tiny(&mut self, x: Value) -> Value {
        let threat = self.canonical(&[Value::ZERO], &[self.negative(x)]);
        self.canonical(&[Value::ZERO], &[threat])
    }

    /// ⧿ₓ = {x|0‖0}, "miny-x".
    pub fn miny(&mut self, x: Value) -> Value {
        let tiny = self.tiny(x);
        self.negative(tiny)
    }

    /// The m for which a value is the nimber ∗m; 0 for zero.
    pub fn to_nimber(&self, value: Value) -> Option<u32> {
        self.to_star_at(Value::ZERO, value)
    }

    /// The x, n and m for which a value is x + n·↑ + ∗m.
    pub fn to_number_up_star(&self, value: Value) -> Option<NumberUpStar> {
        if let Some(number) = self.to_number(value) {
            return Some(NumberUpStar {
                number,
                ups: 0,
                star: 0,
            });
        }
        // A number is an option for Left if n ≥ 0, and for Right if n ≤ 0.
        let a_number = |options: &[Value]| options.iter().copied().find(|&v| self.is_number(v));
        let up = |value: Value| {
            let base = a_number(self.left(value))?;
            let (ups, star) = self.to_ups_at(base, value)?;
            Some(NumberUpStar {
                number: self.to_number(base)?,
                ups,
                star,
            })
        };
        up(value).or_else(|| {
            let NumberUpStar { number, ups, star } = up(self.negative(value))?;
            Some(NumberUpStar {
                number: -number,
                ups: -ups,
                star,
            })
        })
    }

    /// The x for which a value is ±x = {x|−x} in canonical form.
    pub fn to_plus_minus(&self, value: Value) -> Option<Value> {
        match (self.left(value), self.right(value)) {
            (&[x], &[y]) if y == self.negative(x) && x != y && !self.is_number(value) => Some(x),
            _ => None,
        }
    }

    /// The x > 0 for which a value is ⧾ₓ in canonical form.
    pub fn to_tiny(&self, value: Value) -> Option<Value> {
        let (&[Value::ZERO], &[threat]) = (self.left(value), self.right(value)) else {
            return None;
        };
        let (&[Value::ZERO], &[negative]) = (self.left(threat), self.right(threat)) else {
            return None;
        };
        let x = self.negative(negative);
        (self.outcome(x) == Outcome::L).then_some(x)
    }

    /// The x > 0 for which a value is ⧿ₓ in canonical form.
    pub fn to_miny(&self, value: Value) -> Option<Value> {
        self.to_tiny(self.negative(value))
    }

    /// base + ∗star, for a number `base`.
    fn star_at(&mut self, base: Value, star: u32) -> Value {
        let mut nimbers = vec![base];
        for _ in 0..star {
            let next = self.intern(&nimbers, &nimbers);
            nimbers.push(next);
        }
        nimbers[nimbers.len() - 1]
    }

    /// base + ups·↑ + ∗star, for a number `base`.
    fn ups_at(&mut self, base: Value, ups: i32, star: u32) -> Value {
        if ups < 0 {
            let positive = self.ups_at(self.negative(base), -ups, star);
            return self.negative(positive);
        }
        if ups == 0 {
            return self.star_at(base, star);
        }
        // n·↑ + ∗m = {0 | (n−1)·↑ + ∗(m⊕1)}, except ↑∗ = {0,∗|0}.
        let first_star = star ^ ((ups - 1) as u32 & 1);
        let mut value = if first_star == 1 {
            let base_star = self.star_at(base, 1);
            self.intern(&[base, base_star], &[base])
        } else {
            let right = self.star_at(base, first_star ^ 1);
            self.intern(&[base], &[right])
        };
        for _ in 1..ups {
            value = self.intern(&[base], &[value]);
        }
        value
    }

    /// The m for which a value is base + ∗m.
    fn to_star_at(&self, base: Value, value: Value) -> Option<u32> {
        if value == base {
            return Some(0);
        }
        let nimbers = self.left(value);
        let is_nimber = |place: usize| {
            let smaller = &nimbers[..place];
            self.left(nimbers[place]) == smaller && self.right(nimbers[place]) == smaller
        };
        let found = self.right(value) == nimbers
            && nimbers.first() == Some(&base)
            && (1..nimbers.len()).all(is_nimber);
        found.then_some(nimbers.len() as u32)
    }

    /// The n ≥ 0 and m for which a value is base + n·↑ + ∗m.
    fn to_ups_at(&self, base: Value, value: Value) -> Option<(i32, u32)> {
        let (mut value, mut ups) = (value, 0);
        loop {
            if let Some(star) = self.to_star_at(base, value) {
                // {0|0} would be ∗ itself, not ↑ + ∗.
                return (ups == 0 || star > 0).then_some((ups, star ^ (ups as u32 & 1)));
            }
            match (self.left(value), self.right(value)) {
                (&[left], &[right]) if left == base => value = right,
                (&[left, star], &[right])
                    if left == base && right == base && self.to_star_at(base, star) == Some(1) =>
                {
                    return Some((ups + 1, 1 ^ (ups as u32 & 1)));
                }
                _ => return None,
            }
            ups += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_recognised_and_add_up() {
        let mut games = Games::new();
        let half = Dyadic::new(1, 1).unwrap();
        for number in [Dyadic::ZERO, half, -half, Dyadic::from(-2)] {
            for ups in -4..=4 {
                for star in 0..6 {
                    let name = NumberUpStar { number, ups, star };
                    let value = games.number_up_star(name).unwrap();
                    assert_eq!(games.to_number_up_star(value), Some(name));

                    let number = games.number(number).unwrap();
                    let (up, nimber) = (games.ups(1), games.nimber(star));
                    let ups = games.multiple(ups, up);
                    let sum = games.sum(number, ups);
                    assert_eq!(games.sum(sum, nimber), value, "{name:?}");
                }
            }
        }
    }

    #[test]
    fn others_are_not_recognised() {
        let mut games = Games::new();
        let (one, two) = (games.integer(1), games.integer(2));
        let (up, star) = (games.ups(1), games.nimber(1));
        let values = [
            games.tiny(one),
            games.miny(two),
            games.plus_minus(one),
            games.switch(up, star),
        ];
        for value in values {
            assert_eq!(games.to_number_up_star(value), None);
        }
        assert_eq!(games.to_tiny(values[0]), Some(one));
        assert_eq!(games.to_miny(values[1]), Some(two));
        assert_eq!(games.to_plus_minus(values[2]), Some(one));
        assert_eq!(games.to_plus_minus(up), None);
    }
}
