//! Numbers: the values m/2ᵉ, and which values they are (Siegel, II.3).
//!
//! {a|b} with numbers a < b is the simplest number between them, so a new value is known to be a number,
//! and which, from its options.

use crate::{Dyadic, Games, Value};

impl Games {
    /// The integer n, made with all integers between it and zero.
    pub fn integer(&mut self, n: i32) -> Value {
        if let Some(&value) = self.with_number.get(&Dyadic::from(n)) {
            return value;
        }
        let mut value = Value::ZERO;
        for _ in 0..n.unsigned_abs() {
            value = self.intern(&[value], &[]);
        }
        if n < 0 { self.negative(value) } else { value }
    }

    /// The number, made with all simpler numbers that its form needs; `None` if its integer part does
    /// not fit into an `i32`.
    pub fn number(&mut self, number: Dyadic) -> Option<Value> {
        if let Some(&value) = self.with_number.get(&number) {
            return Some(value);
        }
        if let Some(integer) = number.to_integer() {
            return i32::try_from(integer).ok().map(|n| self.integer(n));
        }
        let step = Dyadic::new(1, number.exponent())?;
        let left = self.number(number.checked_sub(step)?)?;
        let right = self.number(number.checked_add(step)?)?;
        Some(self.intern(&[left], &[right]))
    }

    /// Which number a value is, if it is one.
    pub fn to_number(&self, value: Value) -> Option<Dyadic> {
        if self.is_number(value) {
            self.number_of.get(&value).copied()
        } else {
            None
        }
    }

    /// Which integer a value is, if it is one.
    pub fn to_integer(&self, value: Value) -> Option<i64> {
        self.to_number(value)?.to_integer()
    }

    /// Which number has these canonical options, if one does.
    pub(crate) fn number_from(&self, left: &[Value], right: &[Value]) -> Option<Dyadic> {
        let bound = |options: &[Value]| match *options {
            [] => Some(None),
            [option] => self.to_number(option).map(Some),
            _ => None,
        };
        let (low, high) = (bound(left)?, bound(right)?);
        if low.zip(high).is_some_and(|(low, high)| low >= high) {
            return None;
        }
        Dyadic::simplest_between(low, high)
    }
}
