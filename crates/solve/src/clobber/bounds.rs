//! Bounds in ups: what a sum of many values is worth at least and at most, without searching it.
//!
//! For each value the largest n with n·↑ ≤ G and the largest n with n·↑∗ ≤ G are known, and likewise
//! from above. Bounds add as values do, ∗ + ∗ being 0; and who wins n·↑ and n·↑∗ is known (Winning Ways,
//! chapter 3; Siegel, *Combinatorial Game Theory*, II.5): n·↑ is positive for n ≥ 1, n·↑∗ for n ≥ 2, and
//! whoever moves first wins ↓∗, ∗ and ↑∗.

use upstar_cgt::{Games, Value};

/// Beyond this many ups no difference is made.
const MOST: i32 = 12;
/// No bound at all; sums of it stay out of reach.
const NONE: i16 = 1000;

/// Bounds of a value or of a sum of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// It is at least so many ups, and at least so many ups and a star.
    least: [i16; 2],
    /// It is at most so many ups, and at most so many ups and a star.
    most: [i16; 2],
}

impl Bounds {
    /// The bounds of the sum of both.
    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        let [a, b] = [self.least, other.least];
        let [c, d] = [self.most, other.most];
        Self {
            least: [
                (a[0] + b[0]).max(a[1] + b[1]),
                (a[0] + b[1]).max(a[1] + b[0]),
            ]
            .map(|n| n.max(-NONE)),
            most: [
                (c[0] + d[0]).min(c[1] + d[1]),
                (c[0] + d[1]).min(c[1] + d[0]),
            ]
            .map(|n| n.min(NONE)),
        }
    }

    /// Whether the mover (Left is 0, Right is 1) wins moving first, if the bounds tell.
    #[inline(always)]
    pub(crate) fn winner(self, mover: usize) -> Option<bool> {
        let Self { least, most } = if mover == 0 { self } else { self.negative() };
        if least[0] >= 1 || least[1] >= -1 {
            Some(true)
        } else if most[0] <= 0 || most[1] <= -2 {
            Some(false)
        } else {
            None
        }
    }

    fn negative(self) -> Self {
        Self {
            least: self.most.map(|n| -n),
            most: self.least.map(|n| -n),
        }
    }

    /// As four bytes of a file.
    pub(crate) fn to_bytes(self) -> [u8; 4] {
        let byte = |n: i16| n.clamp(-127, 127) as i8 as u8;
        [self.least[0], self.least[1], self.most[0], self.most[1]].map(byte)
    }

    pub(crate) fn from_bytes(bytes: [u8; 4]) -> Self {
        let [a, b, c, d] = bytes.map(|byte| match byte as i8 {
            127 => NONE,
            -127 => -NONE,
            n => n.into(),
        });
        Self {
            least: [a, b],
            most: [c, d],
        }
    }
}

/// Finds the bounds of values.
pub(crate) struct Ruler {
    /// For each star, the values from −[`MOST`] to [`MOST`] ups.
    marks: [Vec<Value>; 2],
}

impl Ruler {
    pub(crate) fn new(games: &mut Games) -> Self {
        let star = games.nimber(1);
        let ups: Vec<Value> = (-MOST..=MOST).map(|n| games.ups(n)).collect();
        let starred = ups.iter().map(|&up| games.sum(up, star)).collect();
        Self {
            marks: [ups, starred],
        }
    }

    pub(crate) fn bounds(&self, games: &mut Games, value: Value) -> Bounds {
        let least = [0, 1].map(|star| self.least(games, star, value));
        let negative = games.negative(value);
        let most = [0, 1].map(|star| -self.least(games, star, negative));
        Bounds { least, most }
    }

    /// The largest n with n·↑ ≤ value, or with n·↑∗ ≤ value.
    fn least(&self, games: &mut Games, star: usize, value: Value) -> i16 {
        let marks = &self.marks[star];
        let mut below = |n: i32| games.le(marks[(n + MOST) as usize], value);
        let mut n = 0;
        if below(n) {
            while n < MOST && below(n + 1) {
                n += 1;
            }
        } else {
            while !below(n) {
                if n == -MOST {
                    return -NONE;
                }
                n -= 1;
            }
        }
        n as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_cgt::Outcome;

    /// Whoever the bounds name really wins, for all sums of two of some values.
    #[test]
    fn bounds_tell_the_truth() {
        let mut games = Games::new();
        let ruler = Ruler::new(&mut games);
        let names = [
            "0",
            "*",
            "*2",
            "^",
            "^*",
            "v",
            "v*",
            "2.^",
            "2.^*",
            "{0,^*|0,v*}",
            "{*|v}",
            "{^|v*}",
            "1",
            "-1/2",
            "{1|-1}",
        ];
        let values: Vec<Value> = names
            .iter()
            .map(|name| games.parse(name).unwrap())
            .collect();
        let mut told = 0;
        for &a in &values {
            for &b in &values {
                let bounds = ruler
                    .bounds(&mut games, a)
                    .plus(ruler.bounds(&mut games, b));
                let sum = games.sum(a, b);
                let outcome = games.outcome(sum);
                for (mover, first_wins) in [
                    (0, matches!(outcome, Outcome::N | Outcome::L)),
                    (1, matches!(outcome, Outcome::N | Outcome::R)),
                ] {
                    if let Some(win) = bounds.winner(mover) {
                        assert_eq!(win, first_wins);
                        told += 1;
                    }
                }
            }
        }
        assert!(told > 300, "{told}");
        let zero = ruler.bounds(&mut games, Value::ZERO);
        assert_eq!(
            zero,
            Bounds {
                least: [0, -2],
                most: [0, 2]
            }
        );
        let unknown = Bounds {
            least: [-NONE; 2],
            most: [NONE; 2],
        };
        assert_eq!(Bounds::from_bytes(unknown.to_bytes()), unknown);
    }
}
