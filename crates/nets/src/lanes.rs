//! Sixteen numbers handled together, in arrays that the compiler turns into vectors.
//!
//! Every sum has a fixed order, and no multiplication is fused with an addition, so that a seed gives
//! the same weights on every machine, bit for bit.

/// How many numbers make up a [`Lanes`].
pub const LANES: usize = 16;

/// Sixteen numbers: a cache line, and the widest vector of today's processors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; LANES]);

/// How many groups of lanes hold so many numbers.
#[must_use]
pub const fn groups(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}

impl Lanes {
    /// All zero.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// The same number in each lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(number: f32) -> Self {
        Self([number; LANES])
    }

    #[inline(always)]
    pub(crate) fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..LANES {
            result.0[lane] = operation(self.0[lane], other.0[lane]);
        }
        result
    }

    #[inline(always)]
    pub(crate) fn map(self, operation: impl Fn(f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..LANES {
            result.0[lane] = operation(self.0[lane]);
        }
        result
    }

    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    /// Each lane, or 0 where it is below.
    #[inline(always)]
    pub(crate) fn positive(self) -> Self {
        self.map(|x| if x > 0.0 { x } else { 0.0 })
    }

    /// The sum of all lanes, halves first.
    #[inline(always)]
    pub(crate) fn sum(self) -> f32 {
        let mut eight = [0.0; 8];
        for lane in 0..8 {
            eight[lane] = self.0[lane] + self.0[lane + 8];
        }
        let mut four = [0.0; 4];
        for lane in 0..4 {
            four[lane] = eight[lane] + eight[lane + 4];
        }
        (four[0] + four[2]) + (four[1] + four[3])
    }
}
