//! Sixteen numbers together: written once for each type of register, and passed on to
//! [`Machine`](crate::Machine) by a macro, so that several machines share a type.

use crate::machine::Four;

/// The operations on `Machine::Floats`, for each type once.
pub(crate) trait Floats: Copy {
    type Four: Four;
    fn load(numbers: &[f32; 16]) -> Self;
    fn store(self, numbers: &mut [f32; 16]);
    #[inline(always)]
    fn load_low(numbers: &[f32; 16]) -> Self {
        Self::load(numbers)
    }
    #[inline(always)]
    fn store_low(self, numbers: &mut [f32; 16]) {
        self.store(numbers);
    }
    #[inline(always)]
    fn low(self, _other: Self) -> Self {
        self
    }
    fn fold(self) -> Self;
    fn splat(number: f32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    /// The bits of each moved up by 23: the lowest eight become an exponent.
    fn exponent(self) -> Self;
    #[inline(always)]
    fn exp2(self) -> Self {
        // Adding and subtracting 1.5 · 2²³ rounds to the nearest integer; 127 is the bias of exponents.
        const ROUND: f32 = 12_582_912.0 + 127.0;
        let powers = Self::splat(126.0).min(Self::splat(-126.0).max(self));
        let rounded = powers.add(Self::splat(ROUND));
        let rest = powers.sub(rounded.sub(Self::splat(ROUND)));
        // The polynomial whose greatest relative error from -1/2 to 1/2 is least, by Remez's algorithm.
        let mut sum = Self::splat(0.000_153_458_12);
        for factor in [
            0.001_339_993_1,
            0.009_618_489,
            0.055_503_286,
            0.240_226_46,
            std::f32::consts::LN_2,
            1.0,
        ] {
            sum = sum.mul(rest).add(Self::splat(factor));
        }
        sum.mul(rounded.exponent())
    }
    fn abs(self) -> Self;
    fn choose(self, other: Self, choices: [Self; 2]) -> Self;
    fn sum(self) -> f32;
    fn sums(four: [Self; 4]) -> Self::Four;
}

/// The functions of a machine on its `Floats`.
macro_rules! floats {
    ($floats:ty, $four:ty) => {
        type Floats = $floats;
        type Four = $four;

        #[inline(always)]
        fn load(numbers: &[f32; 16]) -> Self::Floats {
            Floats::load(numbers)
        }
        #[inline(always)]
        fn store(numbers: Self::Floats, place: &mut [f32; 16]) {
            Floats::store(numbers, place);
        }
        #[inline(always)]
        fn load_low(numbers: &[f32; 16]) -> Self::Floats {
            Floats::load_low(numbers)
        }
        #[inline(always)]
        fn store_low(numbers: Self::Floats, place: &mut [f32; 16]) {
            Floats::store_low(numbers, place);
        }
        #[inline(always)]
        fn low(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::low(numbers, other)
        }
        #[inline(always)]
        fn fold(numbers: Self::Floats) -> Self::Floats {
            Floats::fold(numbers)
        }
        #[inline(always)]
        fn splat(number: f32) -> Self::Floats {
            Floats::splat(number)
        }
        #[inline(always)]
        fn add(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::add(numbers, other)
        }
        #[inline(always)]
        fn sub(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::sub(numbers, other)
        }
        #[inline(always)]
        fn mul(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::mul(numbers, other)
        }
        #[inline(always)]
        fn div(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::div(numbers, other)
        }
        #[inline(always)]
        fn mul_add(
            numbers: Self::Floats,
            factor: Self::Floats,
            summand: Self::Floats,
        ) -> Self::Floats {
            Floats::mul_add(numbers, factor, summand)
        }
        #[inline(always)]
        fn max(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::max(numbers, other)
        }
        #[inline(always)]
        fn exp2(numbers: Self::Floats) -> Self::Floats {
            Floats::exp2(numbers)
        }
        #[inline(always)]
        fn abs(numbers: Self::Floats) -> Self::Floats {
            Floats::abs(numbers)
        }
        #[inline(always)]
        fn choose(
            numbers: Self::Floats,
            other: Self::Floats,
            choices: [Self::Floats; 2],
        ) -> Self::Floats {
            Floats::choose(numbers, other, choices)
        }
        #[inline(always)]
        fn sum(numbers: Self::Floats) -> f32 {
            Floats::sum(numbers)
        }
        #[inline(always)]
        fn sums(four: [Self::Floats; 4]) -> Self::Four {
            Floats::sums(four)
        }
    };
}
