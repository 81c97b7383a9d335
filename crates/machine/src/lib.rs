//! How hot loops meet the processor.
//!
//! A kernel is written once, in plain Rust plus the few operations of [`Machine`], and compiled for
//! each instruction set of [`Isa`]; the choice is made once per call. A seed gives the same result on
//! every machine: arithmetic is on integers, or on numbers in a fixed order, and where
//! [`Machine::mul_add`] rounds differently its caller sees to it that nothing depends on that.

/// An instruction set that this processor has and that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The fastest one here.
    #[must_use]
    pub fn best() -> Self {
        Self::available()
            .pop()
            .expect("the portable one is always there")
    }

    /// All that this processor has, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vpopcntdq");
            levels.extend(avx2.then_some(Level::Avx2));
            levels.extend(avx512.then_some(Level::Avx512));
        }
        levels.into_iter().map(Self).collect()
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Runs the kernel's version for this instruction set.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => kernel.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: `available` is the only maker of this level, and saw all its features.
            Level::Avx2 => unsafe { x86::avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: as above.
            Level::Avx512 => unsafe { x86::avx512(kernel) },
        }
    }

    /// Runs the kernel's version for this instruction set without its vectors: where each step waits
    /// for the one before, the compiler's way into vector registers and back costs more than it saves.
    #[inline(always)]
    pub fn run_scalar<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => kernel.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: `available` is the only maker of these levels, and saw all their features.
            Level::Avx2 | Level::Avx512 => unsafe { x86::bmi2(kernel) },
        }
    }
}

/// A hot loop with its arguments. `run` and all it calls must be `#[inline(always)]`, so that they
/// are compiled with the features of the instruction set that runs them.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// Computes it with what this machine has.
    fn run<M: Machine>(self) -> Self::Output;
}

/// What kernels need beyond the operators of integers.
pub trait Machine {
    /// Four words handled together.
    type Quad: Quad;
    /// Four numbers in one register.
    type Four: Four;
    /// Sixteen numbers handled together.
    type Floats: Copy;
    /// Runs a kernel in a function of its own, compiled for this machine: the way for kernels to be
    /// recursive.
    fn call<K: Kernel>(kernel: K) -> K::Output;
    /// The highest bit of each word.
    fn highest(words: Self::Quad) -> Self::Quad;
    /// The `n`-th lowest element of a set that has more than `n`; empty if the set is empty.
    fn nth(set: u64, n: u32) -> u64;
    /// The bits of `word` at the places in `mask`, packed from bit 0 up.
    fn compress(word: u64, mask: u64) -> u64;
    /// These numbers.
    fn load(numbers: &[f32; 16]) -> Self::Floats;
    /// Writes them.
    fn store(numbers: Self::Floats, place: &mut [f32; 16]);
    /// These numbers, of which the last eight are zeros; a machine need not look at them.
    fn load_low(numbers: &[f32; 16]) -> Self::Floats;
    /// Writes them where the last eight are zeros and stay so; a machine need not write these.
    fn store_low(numbers: Self::Floats, place: &mut [f32; 16]);
    /// The first eight of these, and the last eight of `other`; a machine may take all of these if
    /// it computes them anyway.
    fn low(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The first eight plus the last eight, and eight zeros.
    fn fold(numbers: Self::Floats) -> Self::Floats;
    /// The same number sixteen times.
    fn splat(number: f32) -> Self::Floats;
    /// The sums.
    fn add(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The products.
    fn mul(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The products plus `summand`; rounded once or twice, as is fastest.
    fn mul_add(numbers: Self::Floats, factor: Self::Floats, summand: Self::Floats) -> Self::Floats;
    /// The greater of each two; those of `other` if they do not compare.
    fn max(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The numbers without their signs.
    fn abs(numbers: Self::Floats) -> Self::Floats;
    /// The first of `choices` where these are greater than `other`, else the second.
    fn choose(
        numbers: Self::Floats,
        other: Self::Floats,
        choices: [Self::Floats; 2],
    ) -> Self::Floats;
    /// The sum of all: halves are added, then quarters, then even and odd ones of what is left.
    fn sum(numbers: Self::Floats) -> f32;
    /// The sums of four vectors; added in any order.
    fn sums(four: [Self::Floats; 4]) -> Self::Four;
}

/// Four numbers in one register.
pub trait Four: Copy {
    /// These numbers.
    fn load(numbers: &[f32; 4]) -> Self;
    /// Writes them.
    fn store(self, place: &mut [f32; 4]);
    /// The same number four times.
    fn splat(number: f32) -> Self;
    /// The lower of each two; those of `other` if they do not compare.
    fn min(self, other: Self) -> Self;
    /// The greater of each two; those of `other` if they do not compare.
    fn max(self, other: Self) -> Self;
    /// The bits of `tags` where `mask` has bits, else those of the numbers; `tags` has no other bits.
    fn tag(self, mask: Self, tags: Self) -> Self;
    /// The greatest and the second greatest of all these and of `second`, none of which is greater than
    /// the number in its place here.
    fn two_greatest(self, second: Self) -> [f32; 2];
}

/// Four 64-bit words in one register.
pub trait Quad: Copy {
    /// These words.
    fn new(words: [u64; 4]) -> Self;
    /// The same word four times.
    fn splat(word: u64) -> Self;
    /// The bits that both have.
    fn and(self, other: Self) -> Self;
    /// The bits that either has.
    fn or(self, other: Self) -> Self;
    /// Without the bits of `other`.
    fn minus(self, other: Self) -> Self;
    /// Each word shifted up by its own count (below 64).
    fn up(self, counts: Self) -> Self;
    /// Each word shifted down by its own count (below 64).
    fn down(self, counts: Self) -> Self;
    /// The lowest bit of each word.
    fn lowest(self) -> Self;
    /// The places below the one bit of each word; none where there is no bit.
    fn below(self) -> Self;
    /// The places above the one bit of each word; none where there is no bit.
    fn above(self) -> Self;
    /// The union of the four words, in each of them.
    fn union(self) -> Self;
    /// The first word.
    fn first(self) -> u64;
}

/// The operations on `Machine::Floats`, for each type once.
trait Floats: Copy {
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
    fn mul(self, other: Self) -> Self;
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn max(self, other: Self) -> Self;
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
        fn mul(numbers: Self::Floats, other: Self::Floats) -> Self::Floats {
            Floats::mul(numbers, other)
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

#[inline(always)]
fn highest(word: u64) -> u64 {
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
    fn mul(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] * other[i])
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
        four.map(Floats::sum)
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

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "intrinsics of instruction sets that were detected"
)]
mod x86;

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64: numbers to test with.
    struct Random(u64);

    impl Random {
        fn new(seed: u64) -> Self {
            Self(seed)
        }

        fn bits(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let bits = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            bits ^ bits >> 31
        }

        fn below(&mut self, bound: u64) -> u64 {
            self.bits() % bound
        }
    }

    /// Every operation on `Machine::Floats`.
    struct Numbers<'a>(&'a [f32; 16], &'a [f32; 16]);
    impl Kernel for Numbers<'_> {
        type Output = Vec<[f32; 16]>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Vec<[f32; 16]> {
            let (a, b, two) = (M::load(self.0), M::load(self.1), M::splat(2.0));
            let results = [
                M::add(a, b),
                M::mul(a, b),
                M::mul_add(a, two, b),
                M::max(a, b),
                M::abs(a),
                M::fold(a),
                M::choose(a, b, [b, two]),
                M::splat(M::sum(a)),
            ];
            let mut numbers = vec![[0.0; 16]; results.len()];
            for (result, numbers) in results.into_iter().zip(&mut numbers) {
                M::store(result, numbers);
            }
            numbers
        }
    }

    #[test]
    fn machines_agree_on_numbers() {
        let mut random = Random::new(6);
        for _ in 0..100 {
            // Multiples of a sixteenth, so that sums and products are exact.
            let mut number = |_| (random.below(2001) as f32 - 1000.0) / 16.0;
            let (mut a, b) = (
                std::array::from_fn::<f32, 16, _>(&mut number),
                std::array::from_fn::<f32, 16, _>(&mut number),
            );
            a[3] = b[3];
            let pairs = |f: &dyn Fn(f32, f32) -> f32| std::array::from_fn(|i| f(a[i], b[i]));
            let total = |numbers: &[f32; 16]| numbers.iter().sum::<f32>();
            let expected: Vec<[f32; 16]> = vec![
                pairs(&|a, b| a + b),
                pairs(&|a, b| a * b),
                pairs(&|a, b| 2.0 * a + b),
                pairs(&f32::max),
                pairs(&|a, _| a.abs()),
                std::array::from_fn(|i| if i < 8 { a[i] + a[i + 8] } else { 0.0 }),
                pairs(&|a, b| if a > b { b } else { 2.0 }),
                [total(&a); 16],
            ];
            for isa in Isa::available() {
                assert_eq!(isa.run(Numbers(&a, &b)), expected);
                assert_eq!(isa.run_scalar(Numbers(&a, &b)), expected);
            }
            // The order of a sum is the same everywhere.
            let thirds = a.map(|number| number / 3.0);
            let sums = Isa::available()
                .into_iter()
                .map(|isa| isa.run(Numbers(&thirds, &b))[7]);
            assert!(sums.clone().all(|sum| Some(sum) == sums.clone().next()));
        }
    }

    /// Every operation on `Machine::Four`, on the sums of vectors.
    struct Fours<'a>(&'a [[f32; 16]; 8]);
    impl Kernel for Fours<'_> {
        type Output = Vec<[f32; 4]>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Vec<[f32; 4]> {
            let [a, b, c, d, e, f, g, h] = self.0;
            let a = M::sums([M::load(a), M::load(b), M::load(c), M::load(d)]);
            let b = M::sums([M::load(e), M::load(f), M::load(g), M::load(h)]);
            let tags = [1, 0, 3, 2].map(f32::from_bits);
            let tagged = a.tag(Four::splat(f32::from_bits(3)), Four::load(&tags));
            let [first, second] = a.max(b).two_greatest(a.min(b));
            let results = [
                a,
                b,
                a.min(b),
                a.max(b),
                tagged,
                Four::splat(first),
                Four::splat(second),
            ];
            let mut numbers = vec![[0.0; 4]; results.len()];
            for (result, numbers) in results.into_iter().zip(&mut numbers) {
                result.store(numbers);
            }
            numbers
        }
    }

    #[test]
    fn machines_agree_on_fours() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let mut number = |_| (random.below(2001) as f32 - 1000.0) / 16.0;
            let vectors: [[f32; 16]; 8] = std::array::from_fn(|_| std::array::from_fn(&mut number));
            let sums = vectors.map(|numbers| numbers.iter().sum::<f32>());
            let [a, b]: [[f32; 4]; 2] = [0, 4].map(|from| std::array::from_fn(|i| sums[from + i]));
            let pairs = |f: &dyn Fn(f32, f32) -> f32| std::array::from_fn(|i| f(a[i], b[i]));
            let tagged = |i: usize| f32::from_bits(a[i].to_bits() & !3 | [1, 0, 3, 2][i]);
            let mut sorted = sums;
            sorted.sort_by(|a, b| b.total_cmp(a));
            let expected = vec![
                a,
                b,
                pairs(&f32::min),
                pairs(&f32::max),
                std::array::from_fn(tagged),
                [sorted[0]; 4],
                [sorted[1]; 4],
            ];
            for isa in Isa::available() {
                assert_eq!(isa.run(Fours(&vectors)), expected);
                assert_eq!(isa.run_scalar(Fours(&vectors)), expected);
            }
        }
    }

    struct Nth(u64, u32);
    impl Kernel for Nth {
        type Output = u64;
        #[inline(always)]
        fn run<M: Machine>(self) -> u64 {
            M::nth(self.0, self.1)
        }
    }

    struct Compress(u64, u64);
    impl Kernel for Compress {
        type Output = u64;
        #[inline(always)]
        fn run<M: Machine>(self) -> u64 {
            M::compress(self.0, self.1)
        }
    }

    #[test]
    fn machines_pack_bits() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let (word, mask) = (random.bits(), random.bits());
            let places = (0..64).filter(|i| mask >> i & 1 != 0).enumerate();
            let packed = places.fold(0, |packed, (to, from)| packed | (word >> from & 1) << to);
            for isa in Isa::available() {
                assert_eq!(isa.run(Compress(word, mask)), packed);
                assert_eq!(isa.run_scalar(Compress(word, mask)), packed);
            }
        }
    }

    /// Four words: lowest, highest, places below the lowest, places above the highest.
    struct Ends([u64; 4]);
    impl Kernel for Ends {
        type Output = [u64; 4];
        #[inline(always)]
        fn run<M: Machine>(self) -> [u64; 4] {
            // A word at a time, the others empty: `first` reads what `union` brings there.
            let words = M::Quad::new(self.0);
            let (low, high) = (words.lowest(), M::highest(words));
            [low, high, low.below(), high.above()].map(|words| words.union().first())
        }
    }

    #[test]
    fn machines_find_ends() {
        let mut random = Random::new(5);
        let words = (0..200).map(|i| random.bits() & random.bits() >> (i % 64));
        for word in words.chain([0, 1, 1 << 63, u64::MAX]).collect::<Vec<_>>() {
            let bits: Vec<u32> = (0..64).filter(|i| word >> i & 1 != 0).collect();
            let set = |keep: &dyn Fn(u32) -> bool| {
                let kept = (0..64).filter(|&i| !bits.is_empty() && keep(i));
                kept.fold(0, |set, i| set | 1 << i)
            };
            let low = bits.first().copied().unwrap_or_default();
            let high = bits.last().copied().unwrap_or_default();
            let expected = [
                set(&|i| i == low),
                set(&|i| i == high),
                set(&|i| i < low),
                set(&|i| i > high),
            ];
            for isa in Isa::available() {
                for place in 0..4 {
                    let mut words = [0; 4];
                    words[place] = word;
                    assert_eq!(isa.run(Ends(words)), expected);
                    assert_eq!(isa.run_scalar(Ends(words)), expected);
                }
            }
        }
    }

    #[test]
    fn machines_find_bits() {
        let mut random = Random::new(3);
        let sets = (0..200)
            .map(|i| random.bits() & random.bits() >> (i % 64))
            .chain([0, 1, u64::MAX]);
        for set in sets.collect::<Vec<_>>() {
            let cells: Vec<u64> = (0..64)
                .map(|i| 1 << i)
                .filter(|bit| set & bit != 0)
                .collect();
            for isa in Isa::available() {
                for (n, &cell) in cells.iter().enumerate() {
                    assert_eq!(isa.run(Nth(set, n as u32)), cell);
                }
                assert_eq!(isa.run(Nth(0, 0)), 0);
            }
        }
    }
}
