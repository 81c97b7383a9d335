//! All machines compute the same.

use crate::{Four, Isa, Kernel, Machine, Quad};

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
            M::sub(a, b),
            M::mul(a, b),
            M::div(a, two),
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
            pairs(&|a, b| a - b),
            pairs(&|a, b| a * b),
            pairs(&|a, _| a / 2.0),
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
            .map(|isa| isa.run(Numbers(&thirds, &b))[9]);
        assert!(sums.clone().all(|sum| Some(sum) == sums.clone().next()));
    }
}

/// Quotients and powers of 2, which are not exact.
struct Inexact<'a>(&'a [f32; 16], &'a [f32; 16]);
impl Kernel for Inexact<'_> {
    type Output = [[f32; 16]; 2];
    #[inline(always)]
    fn run<M: Machine>(self) -> [[f32; 16]; 2] {
        let (a, b) = (M::load(self.0), M::load(self.1));
        let mut numbers = [[0.0; 16]; 2];
        M::store(M::div(a, b), &mut numbers[0]);
        M::store(M::exp2(a), &mut numbers[1]);
        numbers
    }
}

#[test]
fn machines_agree_on_quotients_and_powers() {
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let mut number = |_| (random.below(2_520_001) as f32 - 1_260_000.0) / 10_000.0;
        let (a, b) = (
            std::array::from_fn::<f32, 16, _>(&mut number),
            std::array::from_fn::<f32, 16, _>(&mut number),
        );
        let [quotients, powers] = Isa::best().run(Inexact(&a, &b));
        for i in 0..16 {
            assert_eq!(quotients[i].to_bits(), (a[i] / b[i]).to_bits());
            let exact = f64::from(a[i]).exp2();
            assert!(
                (f64::from(powers[i]) / exact - 1.0).abs() < 1.5e-7,
                "{}",
                a[i]
            );
        }
        for isa in Isa::available() {
            let found = [isa.run(Inexact(&a, &b)), isa.run_scalar(Inexact(&a, &b))];
            let bits = |numbers: &[f32; 16]| numbers.map(f32::to_bits);
            for [other_quotients, other_powers] in found {
                assert_eq!(bits(&other_quotients), bits(&quotients));
                assert_eq!(bits(&other_powers), bits(&powers));
            }
        }
    }
    let (far, nan) = (f32::INFINITY, f32::NAN);
    let mut odd = [0.0; 16];
    odd[..5].copy_from_slice(&[far, -far, 1e9, -1e9, nan]);
    for isa in Isa::available() {
        let [_, powers] = isa.run(Inexact(&odd, &odd));
        let [most, least] = [powers[0], powers[1]];
        assert!((most / 126_f32.exp2() - 1.0).abs() < 1e-6 && most == powers[2]);
        assert!((least / (-126_f32).exp2() - 1.0).abs() < 1e-6 && least == powers[3]);
        assert!(powers[4].is_nan() && (powers[5] - 1.0).abs() < 1.5e-7);
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
