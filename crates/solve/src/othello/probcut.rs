//! How far shallow searches are off: the standard deviation of what a search of few plies says from what
//! a deeper one says, or the end of the game (Buro 1995, ProbCut; 1997, Multi-ProbCut). Fitted by regression.

/// Logarithms of deviations in discs, as linear functions of the position and both depths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ProbCut {
    /// Of a deeper search: by empty cells, plies of the shallow search, plies of the deep one.
    pub(super) midgame: [f32; 5],
    /// Of the end of the game: by empty cells and plies of the shallow search.
    pub(super) ending: [f32; 4],
}

impl Default for ProbCut {
    /// Roughly what fits have given: enough to begin with.
    fn default() -> Self {
        Self {
            midgame: [0.9, 0.0, 0.0, -0.5, 0.4],
            ending: [1.0, 0.4, 0.0, -0.4],
        }
    }
}

/// The most empty cells of positions that are searched to the end for the fit.
pub(super) const MOST_EMPTIES: u32 = 15;

/// What the logarithm of a deviation from a deeper search depends on.
pub(super) fn midgame_terms(empties: u32, shallow: u32, deep: u32) -> [f64; 5] {
    let empties = f64::from(empties) / 10.0;
    let plies = |depth: u32| f64::from(depth + 1).ln();
    [1.0, empties, empties * empties, plies(shallow), plies(deep)]
}

/// The same for a deviation from the end of the game.
pub(super) fn ending_terms(empties: u32, shallow: u32) -> [f64; 4] {
    let tens = f64::from(empties) / 10.0;
    [1.0, tens, tens * tens, f64::from(shallow + 1).ln()]
}

impl ProbCut {
    /// How many numbers say all.
    pub(super) const NUMBERS: usize = 9;

    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.midgame.into_iter().chain(self.ending)
    }

    pub(super) fn from_numbers(numbers: &[f32; Self::NUMBERS]) -> Self {
        let mut numbers = numbers.iter().copied();
        let mut next = |_| numbers.next().expect("as many as there are");
        Self {
            midgame: std::array::from_fn(&mut next),
            ending: std::array::from_fn(&mut next),
        }
    }

    /// The deviation in discs from a search of `deep` plies, or from the end of the game.
    pub(super) fn deviation(&self, empties: u32, shallow: u32, deep: u32) -> f64 {
        fn sum<const N: usize>(factors: [f32; N], terms: [f64; N]) -> f64 {
            let products = factors.into_iter().zip(terms);
            products
                .map(|(factor, term)| f64::from(factor) * term)
                .sum()
        }
        let log = match deep >= empties {
            // A parabola says nothing beyond the positions that it was fitted to.
            true => sum(
                self.ending,
                ending_terms(empties.min(MOST_EMPTIES), shallow),
            ),
            false => sum(self.midgame, midgame_terms(empties, shallow, deep)),
        };
        log.exp().clamp(0.5, 20.0)
    }
}
