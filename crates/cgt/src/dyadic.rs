//! Dyadic rationals m/2ᵉ: the values of numbers, and the coordinates of thermographs.
//!
//! Exact, in an `i64` and an exponent of at most 62; whatever leaves that range is `None`.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// A rational whose denominator is a power of two, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    exponent: u32,
}

impl Dyadic {
    /// 0
    pub const ZERO: Dyadic = Dyadic {
        numerator: 0,
        exponent: 0,
    };
    /// 1
    pub const ONE: Dyadic = Dyadic {
        numerator: 1,
        exponent: 0,
    };
    /// −1
    pub const MINUS_ONE: Dyadic = Dyadic {
        numerator: -1,
        exponent: 0,
    };
    /// The greatest exponent of a denominator.
    pub const MAX_EXPONENT: u32 = 62;

    /// The number `numerator / 2^exponent`, if it is in range once in lowest terms.
    ///
    /// ```
    /// # use upstar_cgt::Dyadic;
    /// assert_eq!(Dyadic::new(6, 3).unwrap().to_string(), "3/4");
    /// ```
    pub fn new(numerator: i64, exponent: u32) -> Option<Dyadic> {
        Dyadic::reduced(i128::from(numerator), exponent)
    }

    fn reduced(numerator: i128, exponent: u32) -> Option<Dyadic> {
        if numerator == 0 {
            return Some(Dyadic::ZERO);
        }
        let twos = numerator.trailing_zeros().min(exponent);
        let (numerator, exponent) = (numerator >> twos, exponent - twos);
        // i64::MIN is left out, so that negation never fails.
        let numerator = i64::try_from(numerator).ok().filter(|&n| n != i64::MIN)?;
        (exponent <= Dyadic::MAX_EXPONENT).then_some(Dyadic {
            numerator,
            exponent,
        })
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The e of the denominator 2ᵉ in lowest terms.
    pub fn exponent(self) -> u32 {
        self.exponent
    }

    /// Whether the denominator is 1.
    pub fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// The number as an integer, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        self.is_integer().then_some(self.numerator)
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / (1u64 << self.exponent) as f64
    }

    /// The sum, if it is in range.
    pub fn checked_add(self, other: Dyadic) -> Option<Dyadic> {
        let exponent = self.exponent.max(other.exponent);
        Dyadic::reduced(self.over(exponent) + other.over(exponent), exponent)
    }

    /// The difference, if it is in range.
    pub fn checked_sub(self, other: Dyadic) -> Option<Dyadic> {
        self.checked_add(-other)
    }

    /// Half of it, if that is in range.
    pub fn checked_half(self) -> Option<Dyadic> {
        Dyadic::reduced(i128::from(self.numerator), self.exponent + 1)
    }

    /// The distance from zero.
    #[must_use]
    pub fn abs(self) -> Dyadic {
        Dyadic {
            numerator: self.numerator.abs(),
            ..self
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(self) -> i64 {
        self.numerator >> self.exponent
    }

    /// The simplest number strictly between two, where `None` is without bound: the integer nearest to
    /// zero, or else the one with the smallest denominator. `None` if the bounds leave no room in range.
    pub fn simplest_between(low: Option<Dyadic>, high: Option<Dyadic>) -> Option<Dyadic> {
        let above_low = |x: Dyadic| low.is_none_or(|low| low < x);
        let below_high = |x: Dyadic| high.is_none_or(|high| x < high);
        if above_low(Dyadic::ZERO) && below_high(Dyadic::ZERO) {
            return Some(Dyadic::ZERO);
        }
        match low {
            Some(low) if low >= Dyadic::ZERO => (0..=Dyadic::MAX_EXPONENT).find_map(|exponent| {
                // The least multiple of 1/2ᵉ that is greater than `low`.
                let scaled = (i128::from(low.numerator) << exponent) >> low.exponent;
                Dyadic::reduced(scaled + 1, exponent).filter(|&x| below_high(x))
            }),
            _ => Dyadic::simplest_between(high.map(Neg::neg), low.map(Neg::neg)).map(Neg::neg),
        }
    }

    /// The numerator over a denominator that is not smaller than its own.
    fn over(self, exponent: u32) -> i128 {
        i128::from(self.numerator) << (exponent - self.exponent)
    }
}

impl From<i32> for Dyadic {
    fn from(integer: i32) -> Dyadic {
        Dyadic {
            numerator: i64::from(integer),
            exponent: 0,
        }
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let exponent = self.exponent.max(other.exponent);
        self.over(exponent).cmp(&other.over(exponent))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As `3`, `-3/4`.
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, 1u64 << exponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dyadic(numerator: i64, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).unwrap()
    }

    #[test]
    fn arithmetic_is_exact_and_checked() {
        assert_eq!(dyadic(3, 2).checked_add(dyadic(1, 1)), Some(dyadic(5, 2)));
        assert_eq!(dyadic(1, 1).checked_sub(dyadic(1, 1)), Some(Dyadic::ZERO));
        assert_eq!(dyadic(1, 62).checked_half(), None);
        assert_eq!(dyadic(i64::MAX, 0).checked_add(Dyadic::ONE), None);
        assert_eq!(dyadic(i64::MAX, 0).checked_add(dyadic(1, 62)), None);
        assert_eq!(Dyadic::new(i64::MIN, 0), None);
        assert_eq!(dyadic(-3, 2).floor(), -1);
        assert!(dyadic(-3, 2) < dyadic(-1, 1) && dyadic(1, 62) > Dyadic::ZERO);
    }

    #[test]
    fn the_simplest_number() {
        let between = |low, high| Dyadic::simplest_between(low, high).unwrap().to_string();
        assert_eq!(between(None, None), "0");
        assert_eq!(between(Some(dyadic(3, 0)), None), "4");
        assert_eq!(between(Some(dyadic(5, 1)), Some(dyadic(7, 0))), "3");
        assert_eq!(between(Some(dyadic(0, 0)), Some(dyadic(1, 0))), "1/2");
        assert_eq!(between(Some(dyadic(1, 2)), Some(dyadic(1, 0))), "1/2");
        assert_eq!(between(Some(dyadic(5, 3)), Some(dyadic(3, 2))), "11/16");
        assert_eq!(between(Some(dyadic(-1, 0)), Some(dyadic(-1, 1))), "-3/4");
        assert_eq!(between(None, Some(dyadic(-5, 1))), "-3");
    }
}
