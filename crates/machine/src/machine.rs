//! The operations that a kernel may use, whatever the instruction set: on words, on four words together,
//! on four and on sixteen numbers.

/// A hot loop with its arguments. `run` and all it calls must be `#[inline(always)]`, so that they
/// are compiled with the features of the instruction set that runs them.
///
/// Operations of the machine stand in loops, not in closures that the standard library calls (`map`, `fold`):
/// its functions are compiled without the features, and would call every instruction as a function of its own.
/// `scripts/check_kernels.sh` looks for such calls in the program.
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
    /// The differences.
    fn sub(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The products.
    fn mul(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The quotients.
    fn div(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The products plus `summand`; rounded once or twice, as is fastest.
    fn mul_add(numbers: Self::Floats, factor: Self::Floats, summand: Self::Floats) -> Self::Floats;
    /// The greater of each two; those of `other` if they do not compare.
    fn max(numbers: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// 2 to the power of each, to about 1e-7 of it, and as if a power beyond ±126 were that; the same on
    /// every machine.
    fn exp2(numbers: Self::Floats) -> Self::Floats;
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
    /// The sums of four vectors, each as by [`Self::sum`] but for the order of the last steps: quarters are
    /// summed, even and odd ones first, and then added.
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
