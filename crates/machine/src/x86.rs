//! The operations of [`Machine`] with the instructions of x86-64: AVX2 with BMI2, and AVX-512.

use std::arch::x86_64::*;

use crate::floats::Floats;
use crate::machine::{Four, Kernel, Machine, Quad};
use crate::portable::highest;

#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt")]
pub(super) fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512cd,avx512vpopcntdq")]
pub(super) fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

#[target_feature(enable = "bmi1,bmi2,popcnt")]
pub(super) fn bmi2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Bmi2>()
}

/// With AVX2 and BMI2. Private to this module, like the others: only the functions above name them,
/// and they have the features, which is what makes the intrinsics below safe.
struct Avx2;

impl Machine for Avx2 {
    type Quad = __m256i;
    floats!(Pair, __m128);

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: who runs on this machine has its features.
        unsafe { avx2(kernel) }
    }

    #[inline(always)]
    fn highest(words: __m256i) -> __m256i {
        // SAFETY: see `Avx2`.
        unsafe {
            let mut words = words;
            for count in [1, 2, 4, 8, 16, 32] {
                let shifted = _mm256_srl_epi64(words, _mm_cvtsi32_si128(count));
                words = _mm256_or_si256(words, shifted);
            }
            _mm256_andnot_si256(_mm256_srli_epi64::<1>(words), words)
        }
    }

    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        Bmi2::nth(set, n)
    }

    #[inline(always)]
    fn compress(word: u64, mask: u64) -> u64 {
        Bmi2::compress(word, mask)
    }
}

/// With AVX-512, in vectors of four words: wider ones slow the whole processor down.
struct Avx512;

impl Machine for Avx512 {
    type Quad = __m256i;
    floats!(__m512, __m128);

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: who runs on this machine has its features.
        unsafe { avx512(kernel) }
    }

    #[inline(always)]
    fn highest(words: __m256i) -> __m256i {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(words)) }
    }

    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        Bmi2::nth(set, n)
    }

    #[inline(always)]
    fn compress(word: u64, mask: u64) -> u64 {
        Bmi2::compress(word, mask)
    }
}

/// With BMI2 only.
struct Bmi2;

impl Machine for Bmi2 {
    type Quad = [u64; 4];
    floats!([f32; 16], [f32; 4]);

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: who runs on this machine has its features.
        unsafe { bmi2(kernel) }
    }

    #[inline(always)]
    fn highest(words: [u64; 4]) -> [u64; 4] {
        words.map(highest)
    }

    #[inline(always)]
    fn nth(set: u64, n: u32) -> u64 {
        // SAFETY: see `Avx2`.
        unsafe { _pdep_u64(1 << n, set) }
    }

    #[inline(always)]
    fn compress(word: u64, mask: u64) -> u64 {
        // SAFETY: see `Avx2`.
        unsafe { _pext_u64(word, mask) }
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "all are safe for one reason: see `Avx2`"
)]
impl Quad for __m256i {
    #[inline(always)]
    fn new([a, b, c, d]: [u64; 4]) -> Self {
        unsafe { _mm256_setr_epi64x(a as i64, b as i64, c as i64, d as i64) }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        unsafe { _mm256_set1_epi64x(word as i64) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        unsafe { _mm256_and_si256(self, other) }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        unsafe { _mm256_or_si256(self, other) }
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        unsafe { _mm256_andnot_si256(other, self) }
    }
    #[inline(always)]
    fn up(self, counts: Self) -> Self {
        unsafe { _mm256_sllv_epi64(self, counts) }
    }
    #[inline(always)]
    fn down(self, counts: Self) -> Self {
        unsafe { _mm256_srlv_epi64(self, counts) }
    }
    #[inline(always)]
    fn lowest(self) -> Self {
        unsafe { _mm256_and_si256(self, _mm256_sub_epi64(_mm256_setzero_si256(), self)) }
    }
    #[inline(always)]
    fn below(self) -> Self {
        unsafe {
            let empty = _mm256_cmpeq_epi64(self, _mm256_setzero_si256());
            let below = _mm256_add_epi64(self, _mm256_set1_epi64x(-1));
            _mm256_andnot_si256(empty, below)
        }
    }
    #[inline(always)]
    fn above(self) -> Self {
        unsafe { _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(self, self)) }
    }
    #[inline(always)]
    fn union(self) -> Self {
        unsafe {
            let halves = _mm256_or_si256(self, _mm256_permute4x64_epi64(self, 0b01_00_11_10));
            _mm256_or_si256(halves, _mm256_shuffle_epi32(halves, 0b01_00_11_10))
        }
    }
    #[inline(always)]
    fn first(self) -> u64 {
        unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self)) as u64 }
    }
}

/// Sixteen numbers in two registers.
#[derive(Clone, Copy)]
struct Pair(__m256, __m256);

impl Pair {
    /// The sum of both halves.
    #[inline(always)]
    fn halves(self) -> __m256 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_add_ps(self.0, self.1) }
    }
}

/// The sum of both halves.
#[inline(always)]
unsafe fn halves(numbers: __m512) -> __m256 {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let high = _mm512_extractf32x8_ps::<1>(numbers);
        _mm256_add_ps(_mm512_castps512_ps256(numbers), high)
    }
}

/// The sum of eight numbers: see `Floats::sum`.
#[inline(always)]
unsafe fn sum(eight: __m256) -> f32 {
    // SAFETY: the caller has AVX2.
    unsafe {
        let four = _mm_add_ps(
            _mm256_castps256_ps128(eight),
            _mm256_extractf128_ps::<1>(eight),
        );
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

/// The sums of four times eight numbers.
#[inline(always)]
unsafe fn sums([a, b, c, d]: [__m256; 4]) -> __m128 {
    // SAFETY: the caller has AVX2.
    unsafe {
        let ab = _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let cd = _mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        let even = _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd);
        let twos = _mm256_add_ps(even, _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd));
        _mm_add_ps(
            _mm256_castps256_ps128(twos),
            _mm256_extractf128_ps::<1>(twos),
        )
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "all are safe for one reason: see `Avx2`"
)]
impl Floats for Pair {
    type Four = __m128;

    #[inline(always)]
    fn load(numbers: &[f32; 16]) -> Self {
        let numbers = numbers.as_ptr();
        unsafe { Self(_mm256_loadu_ps(numbers), _mm256_loadu_ps(numbers.add(8))) }
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32; 16]) {
        let numbers = numbers.as_mut_ptr();
        unsafe {
            _mm256_storeu_ps(numbers, self.0);
            _mm256_storeu_ps(numbers.add(8), self.1);
        }
    }
    #[inline(always)]
    fn load_low(numbers: &[f32; 16]) -> Self {
        unsafe { Self(_mm256_loadu_ps(numbers.as_ptr()), _mm256_setzero_ps()) }
    }
    #[inline(always)]
    fn store_low(self, numbers: &mut [f32; 16]) {
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn low(self, other: Self) -> Self {
        Self(self.0, other.1)
    }
    #[inline(always)]
    fn fold(self) -> Self {
        unsafe { Self(self.halves(), _mm256_setzero_ps()) }
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        let numbers = unsafe { _mm256_set1_ps(number) };
        Self(numbers, numbers)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_add_ps(self.0, other.0),
                _mm256_add_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_sub_ps(self.0, other.0),
                _mm256_sub_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_mul_ps(self.0, other.0),
                _mm256_mul_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_div_ps(self.0, other.0),
                _mm256_div_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        unsafe {
            Self(
                _mm256_fmadd_ps(self.0, factor.0, summand.0),
                _mm256_fmadd_ps(self.1, factor.1, summand.1),
            )
        }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_max_ps(self.0, other.0),
                _mm256_max_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_min_ps(self.0, other.0),
                _mm256_min_ps(self.1, other.1),
            )
        }
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        unsafe {
            let [first, second] = [_mm256_castps_si256(self.0), _mm256_castps_si256(self.1)];
            Self(
                _mm256_castsi256_ps(_mm256_slli_epi32::<23>(first)),
                _mm256_castsi256_ps(_mm256_slli_epi32::<23>(second)),
            )
        }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            Self(
                _mm256_andnot_ps(sign, self.0),
                _mm256_andnot_ps(sign, self.1),
            )
        }
    }
    #[inline(always)]
    fn choose(self, other: Self, [greater, not]: [Self; 2]) -> Self {
        unsafe {
            let first = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0);
            let second = _mm256_cmp_ps::<_CMP_GT_OQ>(self.1, other.1);
            Self(
                _mm256_blendv_ps(not.0, greater.0, first),
                _mm256_blendv_ps(not.1, greater.1, second),
            )
        }
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        unsafe { sum(self.halves()) }
    }
    #[inline(always)]
    fn sums([a, b, c, d]: [Self; 4]) -> __m128 {
        unsafe { sums([a.halves(), b.halves(), c.halves(), d.halves()]) }
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "all are safe for one reason: see `Avx2`"
)]
impl Floats for __m512 {
    type Four = __m128;

    #[inline(always)]
    fn load(numbers: &[f32; 16]) -> Self {
        unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32; 16]) {
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn fold(self) -> Self {
        unsafe { _mm512_zextps256_ps512(halves(self)) }
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        unsafe { _mm512_set1_ps(number) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm512_add_ps(self, other) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm512_sub_ps(self, other) }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm512_mul_ps(self, other) }
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm512_div_ps(self, other) }
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, summand: Self) -> Self {
        unsafe { _mm512_fmadd_ps(self, factor, summand) }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { _mm512_max_ps(self, other) }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        unsafe { _mm512_min_ps(self, other) }
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        unsafe { _mm512_castsi512_ps(_mm512_slli_epi32::<23>(_mm512_castps_si512(self))) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { _mm512_abs_ps(self) }
    }
    #[inline(always)]
    fn choose(self, other: Self, [greater, not]: [Self; 2]) -> Self {
        unsafe {
            let mask = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self, other);
            _mm512_mask_blend_ps(mask, not, greater)
        }
    }
    #[inline(always)]
    fn sum(self) -> f32 {
        unsafe { sum(halves(self)) }
    }
    #[inline(always)]
    fn sums([a, b, c, d]: [Self; 4]) -> __m128 {
        // No `map`: it is a function of its own, without this machine's features, and would call the intrinsics.
        unsafe { sums([halves(a), halves(b), halves(c), halves(d)]) }
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "all are safe for one reason: see `Avx2`"
)]
impl Four for __m128 {
    #[inline(always)]
    fn load(numbers: &[f32; 4]) -> Self {
        unsafe { _mm_loadu_ps(numbers.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, place: &mut [f32; 4]) {
        unsafe { _mm_storeu_ps(place.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn splat(number: f32) -> Self {
        unsafe { _mm_set1_ps(number) }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        unsafe { _mm_min_ps(self, other) }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { _mm_max_ps(self, other) }
    }
    #[inline(always)]
    fn tag(self, mask: Self, tags: Self) -> Self {
        unsafe { _mm_or_ps(_mm_andnot_ps(mask, self), tags) }
    }
    #[inline(always)]
    fn two_greatest(self, second: Self) -> [f32; 2] {
        unsafe {
            let (high, second_high) = (_mm_movehl_ps(self, self), _mm_movehl_ps(second, second));
            let less = _mm_min_ps(self, high);
            let second = _mm_max_ps(less, _mm_max_ps(second, second_high));
            let first = _mm_max_ps(self, high);
            let (odd, second_odd) = (_mm_movehdup_ps(first), _mm_movehdup_ps(second));
            let less = _mm_min_ss(first, odd);
            let second = _mm_max_ss(less, _mm_max_ss(second, second_odd));
            [_mm_cvtss_f32(_mm_max_ss(first, odd)), _mm_cvtss_f32(second)]
        }
    }
}
