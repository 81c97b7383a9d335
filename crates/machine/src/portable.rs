//! The operations of [`Machine`] in plain Rust, for every processor.

use crate::floats::Floats;
use crate::machine::{Four, Kernel, Machine, Quad};

/// Every processor.
pub struct Portable;

impl Machine for Portable {
    type Quad = [u64; 4];
    floats!([f32; 16], [f32; 4]);

    #[inline(never)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Self>()
    }

    #[inline(always)]
    fn highest(words: [u64; 4]) -> [u64; 4] {
        words.map(highest)
    }

    /// Broadword selection (Vigna, Broadword implementation of rank/select queries, 2008).
    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let pairs = set - ((set >> 1) & (0x55 * ONES));
        let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
        let bytes = (nibbles + (nibbles >> 4)) & (0x0f * ONES);
        // Byte i: how many elements bytes 0 to i hold; its top bit in `full`: at most n.
        let sums = bytes.wrapping_mul(ONES);
        let full = ((u64::from(n) * ONES) | (0x80 * ONES)) - sums;
        let full = (full >> 7) & ONES;
        let shift = (full.wrapping_mul(ONES) >> 56) * 8;
        if shift == 64 {
            return 0;
        }
        let mut byte = (set >> shift) & 0xff;
        for _ in 0..u64::from(n) - ((sums << 8) >> shift & 0xff) {
            byte &= byte - 1;
        }
        (byte & byte.wrapping_neg()) << shift
    }

    #[inline(always)]
    fn compress(word: u64, mut mask: u64) -> u64 {
        let (mut packed, mut place) = (0, 0);
        while mask != 0 {
            packed |= (word >> mask.trailing_zeros() & 1) << place;
            mask &= mask - 1;
            place += 1;
        }
        packed
    }
}

/// The highest bit of a word.
#[inline(always)]
pub(crate) fn highest(word: u64) -> u64 {
    (1u64 << 63)
        .checked_shr(word.leading_zeros())
        .unwrap_or_default()
}

impl Quad for [u64; 4] {
    #[inline(always)]
    fn new(words: [u64; 4]) -> Self {
        words
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        [word; 4]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        zip(self, other, |word, other| word & other)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        zip(self, other, |word, other| word | other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        zip(self, other, |word, other| word & !other)
    }
    #[inline(always)]
    fn up(self, counts: Self) -> Self {
        zip(self, counts, |word, counts| word << (counts & 63))
    }
    #[inline(always)]
    fn down(self, counts: Self) -> Self {
        zip(self, counts, |word, counts| word >> (counts & 63))
    }
    #[inline(always)]
    fn lowest(self) -> Self {
        self.map(|word| word & word.wrapping_neg())
    }
    #[inline(always)]
    fn below(self) -> Self {
        self.map(|bit| bit.saturating_sub(1))
    }
    #[inline(always)]
    fn above(self) -> Self {
        self.map(|bit| (bit << 1).wrapping_neg())
    }
    #[inline(always)]
    fn union(self) -> Self {
        [self[0] | self[1] | self[2] | self[3]; 4]
    }
    #[inline(always)]
    fn first(self) -> u64 {
        self[0]
    }
}

impl Floats for [f32; 16] {
    type Four = [f32; 4];

    #[inline(always)]
    fn load(numbers: &[f32; 16]) -> Self {
        *numbers
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32; 16]) {
        *numbers = self;
    }
    #[inline(always)]
    fn fold(self) -> Self {
        std::array::from_fn(|i| if i < 8 { self[i] + self[i + 8] } else { 0.0 })
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        [number; 16]
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] + other[i])
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] - other[i])
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] * other[i])
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] / other[i])
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        std::array::from_fn(|i| self[i] * factor[i] + summand[i])
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        std::array::from_fn(|i| greater(self[i], other[i]))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        std::array::from_fn(|i| lower(self[i], other[i]))
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        self.map(|number| f32::from_bits(number.to_bits() << 23))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f32::abs)
    }
    #[inline(always)]
    fn choose(self, other: Self, choices: [Self; 2]) -> Self {
        let [greater, not] = choices;
        std::array::from_fn(|i| {
            if self[i] > other[i] {
                greater[i]
            } else {
                not[i]
            }
        })
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        let eight: [f32; 8] = std::array::from_fn(|i| self[i] + self[i + 8]);
        let four: [f32; 4] = std::array::from_fn(|i| eight[i] + eight[i + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }
    #[inline(always)]
    fn sums(four: [Self; 4]) -> [f32; 4] {
        four.map(|numbers| {
            let eight: [f32; 8] = std::array::from_fn(|i| numbers[i] + numbers[i + 8]);
            let four = |at: usize| (eight[at] + eight[at + 2]) + (eight[at + 1] + eight[at + 3]);
            four(0) + four(4)
        })
    }
}

impl Four for [f32; 4] {
    #[inline(always)]
    fn load(numbers: &[f32; 4]) -> Self {
        *numbers
    }
    #[inline(always)]
    fn store(self, place: &mut [f32; 4]) {
        *place = self;
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        [number; 4]
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        std::array::from_fn(|i| lower(self[i], other[i]))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        std::array::from_fn(|i| greater(self[i], other[i]))
    }
    #[inline(always)]
    fn tag(self, mask: Self, tags: Self) -> Self {
        let bits = |i: usize| self[i].to_bits() & !mask[i].to_bits() | tags[i].to_bits();
        std::array::from_fn(|i| f32::from_bits(bits(i)))
    }
    #[inline(always)]
    fn two_greatest(self, second: Self) -> [f32; 2] {
        let better = |[a, b]: [f32; 2], [c, d]: [f32; 2]| {
            [greater(a, c), greater(lower(a, c), greater(b, d))]
        };
        let pair = |i: usize| [self[i], second[i]];
        better(better(pair(0), pair(2)), better(pair(1), pair(3)))
    }
}

/// The lower of both; the second if they do not compare.
#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of both; the second if they do not compare.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn zip(a: [u64; 4], b: [u64; 4], operation: impl Fn(u64, u64) -> u64) -> [u64; 4] {
    [
        operation(a[0], b[0]),
        operation(a[1], b[1]),
        operation(a[2], b[2]),
        operation(a[3], b[3]),
    ]
}
