//! The one source of randomness: xoshiro256++ (Blackman and Vigna, 2021), seeded by SplitMix64.
//!
//! A run's seed and a game's index give that game its own generator, so results depend neither on
//! the number of threads nor on the order in which games finish.

/// A xoshiro256++ generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The seed used wherever the user gives none.
    pub const DEFAULT_SEED: u64 = 2015;

    /// The generator of the given seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut mixer = seed;
        Self {
            state: std::array::from_fn(|_| split_mix(&mut mixer)),
        }
    }

    /// The generator of game `index` in a run with the given seed.
    #[must_use]
    pub fn for_game(seed: u64, index: u64) -> Self {
        let mut mixer = seed;
        let mut mixer = split_mix(&mut mixer) ^ index;
        Self::new(split_mix(&mut mixer))
    }

    /// Sixty-four random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let t = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= t;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, each equally likely (to within `bound` / 2⁶⁴).
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in 0 ≤ x < 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference C code from the state 1, 2, 3, 4.
    #[test]
    fn agrees_with_the_reference() {
        let mut random = Random {
            state: [1, 2, 3, 4],
        };
        let expected = [
            41943041,
            58720359,
            3588806011781223,
            3591011842654386,
            9228616714210784205,
        ];
        assert_eq!(std::array::from_fn(|_| random.bits()), expected);
    }

    #[test]
    fn games_of_a_run_differ_and_repeat() {
        let first = |seed, index| Random::for_game(seed, index).bits();
        assert_eq!(first(7, 3), first(7, 3));
        assert_ne!(first(7, 3), first(7, 4));
        assert_ne!(first(7, 3), first(8, 3));
    }
}
