//! The values of small components as the search needs them: options, negatives and outcomes by number.

use super::bounds::Bounds;
use crate::key::{Key, mix};

/// The number of a value. Options have smaller numbers than what they are options of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub(crate) u32);

impl Value {
    pub(crate) const ZERO: Self = Self(0);

    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of every value.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Values {
    keys: Vec<[Key; 2]>,
    negatives: Vec<Value>,
    /// Where the options of each value and side end; the first begin at 0.
    ends: Vec<u32>,
    options: Vec<Value>,
    /// Who wins moving first: bit 0 Left, bit 1 Right.
    winners: Vec<u8>,
    bounds: Vec<Bounds>,
}

impl Values {
    /// Adds the next value; its options must be there.
    pub(crate) fn push(
        &mut self,
        negative: Value,
        bounds: Bounds,
        left: &[Value],
        right: &[Value],
    ) {
        let key = |value: Value| mix(value.0.into(), u64::MAX);
        let value = Value(self.negatives.len() as u32);
        self.keys.push([key(value), key(negative)]);
        self.negatives.push(negative);
        self.bounds.push(bounds);
        let mut winners = 0;
        for (mover, options) in [left, right].into_iter().enumerate() {
            if options.iter().any(|&option| !self.wins(1 - mover, option)) {
                winners |= 1 << mover;
            }
            self.options.extend_from_slice(options);
            self.ends.push(self.options.len() as u32);
        }
        self.winners.push(winners);
    }

    /// Its keys as seen by Left and by Right.
    #[inline(always)]
    pub(crate) fn keys(&self, value: Value) -> [Key; 2] {
        self.keys[value.index()]
    }

    #[inline(always)]
    pub(crate) fn negative(&self, value: Value) -> Value {
        self.negatives[value.index()]
    }

    /// What the mover can make of it: Left is 0, Right is 1.
    #[inline(always)]
    pub(crate) fn options(&self, mover: usize, value: Value) -> &[Value] {
        let side = 2 * value.index() + mover;
        let begin = if side == 0 { 0 } else { self.ends[side - 1] };
        &self.options[begin as usize..self.ends[side] as usize]
    }

    /// Whether the mover, moving first, wins it.
    #[inline(always)]
    pub(crate) fn wins(&self, mover: usize, value: Value) -> bool {
        self.winners[value.index()] >> mover & 1 != 0
    }

    /// What it is at least and at most.
    #[inline(always)]
    pub(crate) fn bounds(&self, value: Value) -> Bounds {
        self.bounds[value.index()]
    }

    /// Whether the mover, moving first, wins a sum of values, if that can be told at once.
    #[inline(always)]
    pub(crate) fn winner(
        &self,
        mut sum: impl Iterator<Item = Value>,
        mover: usize,
        use_bounds: bool,
    ) -> Option<bool> {
        let Some(first) = sum.next() else {
            return Some(false);
        };
        let mut bounds = self.bounds(first);
        let mut single = true;
        for value in sum {
            bounds = bounds.plus(self.bounds(value));
            single = false;
        }
        if single {
            Some(self.wins(mover, first))
        } else if use_bounds {
            bounds.winner(mover)
        } else {
            None
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.negatives.len()
    }
}
