//! Which move to try first: two linear models over what stands on the board.
//!
//! One says how likely the side to move wins, the other how much work the proof will be. They look at
//! the 3×3 window around each stone of the large components and at the small values. A child is
//! tried the earlier, the likelier the opponent loses in it and the cheaper that is to prove.

use upstar_games::{Cells, Machine};

use super::space::{Space, WINDOWS};
use super::sum::Sum;
use super::values::{Value, Values};

/// For each window the number of its class under turning and mirroring; only windows with a stone
/// in the middle have one.
pub(crate) fn classes() -> Vec<u16> {
    const CELLS: usize = 9;
    let digits = |window: usize| {
        let mut rest = window;
        [(); CELLS].map(|()| {
            let digit = rest % 3;
            rest /= 3;
            digit
        })
    };
    let number = |digits: [usize; CELLS]| digits.iter().rev().fold(0, |n, d| 3 * n + d);
    let turn = |d: [usize; CELLS]| [d[6], d[3], d[0], d[7], d[4], d[1], d[8], d[5], d[2]];
    let mirror = |d: [usize; CELLS]| [d[2], d[1], d[0], d[5], d[4], d[3], d[8], d[7], d[6]];
    let mut classes = vec![u16::MAX; WINDOWS];
    let mut next = 0;
    for window in 0..WINDOWS {
        let mut image = digits(window);
        if image[4] == 0 || classes[window] != u16::MAX {
            continue;
        }
        for _ in 0..4 {
            classes[number(image)] = next;
            classes[number(mirror(image))] = next;
            image = turn(image);
        }
        next += 1;
    }
    classes
}

/// How many classes of windows there are.
pub(crate) const CLASSES: usize = 2862;
/// How many values have a weight of their own.
pub(crate) const VALUES: usize = 4096;
/// Bias, and the parity of the number of stones.
const OTHERS: usize = 4;

/// What the models say of a position, for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimate {
    /// The logarithm of the odds that it wins.
    pub(crate) odds: f32,
    /// The logarithm of the work to prove that it loses, if it does.
    pub(crate) work: f32,
}

impl Estimate {
    /// How late to try a move that leads here.
    #[inline(always)]
    pub(crate) fn rank(self) -> f32 {
        // −log of the probability that the side to move loses.
        let unlikely = if self.odds > 20.0 { self.odds } else { self.odds.exp().ln_1p() };
        unlikely + self.work
    }
}

/// The weights.
#[derive(Clone)]
pub(crate) struct Model {
    classes: Vec<u16>,
    weights: Vec<[f32; 2]>,
}

impl Model {
    pub(crate) fn new() -> Self {
        Self {
            classes: classes(),
            weights: vec![[0.0; 2]; CLASSES + VALUES + OTHERS],
        }
    }

    /// Calls for each feature of the position with the place of its weights.
    #[inline(always)]
    fn features<S: Space, M: Machine>(
        &self,
        space: &S,
        values: &Values,
        sum: &Sum<S::Set>,
        mover: usize,
        mut call: impl FnMut(usize),
    ) {
        let mut stones = 0;
        for component in &sum.large {
            let own = component.stones[mover];
            let opponent = component.stones[1 - mover];
            for cell in (own | opponent).iter() {
                let window = space.window::<M>(own, opponent, cell.index() as u32);
                call(usize::from(self.classes[window]));
                stones += 1;
            }
        }
        for &value in &sum.small {
            let seen = if mover == 0 { value } else { values.negative(value) };
            call(CLASSES + (seen.0 as usize).min(VALUES - 1));
        }
        call(CLASSES + VALUES + stones % 2);
        call(CLASSES + VALUES + 2);
    }

    /// What the models say of this position.
    #[inline(always)]
    pub(crate) fn estimate<S: Space, M: Machine>(
        &self,
        space: &S,
        values: &Values,
        sum: &Sum<S::Set>,
        mover: usize,
    ) -> Estimate {
        let (mut odds, mut work) = (0.0, 0.0);
        self.features::<S, M>(space, values, sum, mover, |place| {
            let [o, w] = self.weights[place];
            odds += o;
            work += w;
        });
        Estimate { odds, work }
    }

    /// Learns from a solved position.
    #[inline(always)]
    pub(crate) fn learn<S: Space, M: Machine>(
        &mut self,
        space: &S,
        values: &Values,
        sum: &Sum<S::Set>,
        mover: usize,
        win: bool,
        nodes: u64,
    ) {
        let mut places = arrayvec::ArrayVec::<u16, 256>::new();
        self.features::<S, M>(space, values, sum, mover, |place| places.push(place as u16));
        let (mut odds, mut work) = (0.0, 0.0);
        for &place in &places {
            let [o, w] = self.weights[usize::from(place)];
            odds += o;
            work += w;
        }
        let likely = 1.0 / (1.0 + (-odds).exp());
        let step = 0.01 * (f32::from(u8::from(win)) - likely);
        let stretch = if win { 0.0 } else { 0.003 * ((nodes as f32).ln() - work) };
        for &place in &places {
            let weight = &mut self.weights[usize::from(place)];
            weight[0] += step;
            weight[1] += stretch;
        }
    }

    pub(crate) fn weights(&self) -> &[[f32; 2]] {
        &self.weights
    }

    pub(crate) fn set_weights(&mut self, weights: Vec<[f32; 2]>) {
        assert_eq!(weights.len(), self.weights.len());
        self.weights = weights;
    }
}
