//! Weights from solved positions: logistic regression for who wins, least squares for the logarithm of
//! the work on lost positions, both by stochastic gradient with a step of its own for each weight (Adagrad:
//! Duchi, Hazan and Singer, 2011).

use upstar_games::Random;

use super::model::{UNIT, WEIGHTS};
use super::samples::{Classes, Sample, Samples};
use super::weights::Weights;

/// How often all samples are gone through.
const EPOCHS: u32 = 3;
/// The length of the first steps, from which it falls to nothing, and what squared gradients are added to.
const RATE: f32 = 0.03;
const FIRST: f32 = 1.0;
/// A diamond has weights of its own if they are at least so large.
const LEAST: f32 = 0.005;

/// A weight and the sum of its squared gradients, for each of the two models.
#[derive(Clone, Copy, Default)]
struct Slot {
    weight: [f32; 2],
    squares: [f32; 2],
}

impl Slot {
    #[inline(always)]
    fn step(&mut self, gradient: [f32; 2], rate: f32) {
        let both = self.weight.iter_mut().zip(&mut self.squares);
        for ((weight, squares), gradient) in both.zip(gradient) {
            *squares += gradient * gradient;
            *weight += rate * gradient / squares.sqrt();
        }
    }
}

/// Weights while they are fitted.
pub(crate) struct Fitting {
    places: Vec<Slot>,
    /// What diamonds add to the weights of their windows.
    diamonds: Vec<Slot>,
    windows: Vec<u16>,
    importance: Importance,
}

/// How much a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Importance {
    /// Each as much.
    Even,
    /// The more, the more nodes it took: in proportion to their logarithm, one of e³ nodes once.
    ByNodes,
}

impl Importance {
    #[inline(always)]
    fn of(self, log_nodes: f32) -> f32 {
        match self {
            Self::Even => 1.0,
            Self::ByNodes => (log_nodes / 3.0).max(0.1),
        }
    }
}

/// How well weights tell what they were not fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitErrors {
    /// The mean logarithmic loss of who wins.
    pub wins: f64,
    /// The root of the mean square error in the logarithm of the nodes of lost positions.
    pub work: f64,
}

impl Fitting {
    /// Begins with these weights.
    pub(crate) fn new(weights: &Weights, classes: &Classes, importance: Importance) -> Self {
        let slot = |pair: &[i32; 2]| Slot {
            weight: pair.map(|weight| weight as f32 / UNIT as f32),
            squares: [FIRST; 2],
        };
        let mut diamonds = vec![slot(&[0; 2]); classes.least.len()];
        for (class, pair) in &weights.diamonds {
            let place = classes.feature(WEIGHTS as u32 + class) as usize - WEIGHTS;
            diamonds[place] = slot(pair);
        }
        Self {
            places: weights.places.iter().map(slot).collect(),
            diamonds,
            windows: classes.windows(),
            importance,
        }
    }

    /// Follows the samples, in an order that the seed says.
    pub(crate) fn follow(&mut self, samples: &Samples, seed: u64) {
        let mut random = Random::new(seed);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        for epoch in 0..EPOCHS {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last as u32 + 1) as usize);
            }
            for (done, &index) in order.iter().enumerate() {
                let done = epoch as f32 + done as f32 / order.len() as f32;
                let rate = RATE * (1.0 - done / EPOCHS as f32);
                self.step(samples.get(index as usize), rate);
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, sample: Sample<'_>, rate: f32) {
        let [odds, work] = self.estimate(sample);
        let target = (sample.nodes as f32).ln();
        let weight = self.importance.of(target);
        let likely = 1.0 / (1.0 + (-odds).exp());
        let wins = weight * (f32::from(u8::from(sample.win)) - likely);
        let more = match sample.win {
            true => 0.0,
            false => weight * (target - work),
        };
        let gradient = [wins, more];
        for &feature in sample.features {
            match (feature as usize).checked_sub(WEIGHTS) {
                None => self.places[feature as usize].step(gradient, rate),
                Some(diamond) => {
                    self.diamonds[diamond].step(gradient, rate);
                    self.places[usize::from(self.windows[diamond])].step(gradient, rate);
                }
            }
        }
    }

    #[inline(always)]
    fn estimate(&self, sample: Sample<'_>) -> [f32; 2] {
        let mut estimate = [0.0; 2];
        let mut add = |slot: &Slot| {
            estimate = [0, 1].map(|i| estimate[i] + slot.weight[i]);
        };
        for &feature in sample.features {
            match (feature as usize).checked_sub(WEIGHTS) {
                None => add(&self.places[feature as usize]),
                Some(diamond) => {
                    add(&self.diamonds[diamond]);
                    add(&self.places[usize::from(self.windows[diamond])]);
                }
            }
        }
        estimate
    }

    /// How well the weights tell these samples.
    pub(crate) fn errors(&self, samples: &Samples) -> FitErrors {
        let (mut wins, mut work, mut weights, mut lost) = (0.0, 0.0, 0.0, 0.0);
        for index in 0..samples.len() {
            let sample = samples.get(index);
            let [odds, guess] = self.estimate(sample).map(f64::from);
            let target = (sample.nodes as f32).ln();
            let weight = f64::from(self.importance.of(target));
            let target = f64::from(target);
            let wrong = if sample.win { -odds } else { odds };
            wins += weight * wrong.exp().ln_1p();
            weights += weight;
            if !sample.win {
                work += weight * (target - guess).powi(2);
                lost += weight;
            }
        }
        FitErrors {
            wins: wins / f64::max(weights, 1e-9),
            work: (work / f64::max(lost, 1e-9)).sqrt(),
        }
    }

    /// The weights as whole numbers.
    pub(crate) fn weights(&self, classes: &Classes) -> Weights {
        let whole = |slot: &Slot| {
            slot.weight
                .map(|weight| (weight * UNIT as f32).round() as i32)
        };
        let diamonds = classes.least.iter().zip(&self.diamonds);
        let kept = diamonds.filter(|(_, slot)| slot.weight.iter().any(|w| w.abs() >= LEAST));
        Weights {
            places: self.places.iter().map(whole).collect(),
            diamonds: kept.map(|(&class, slot)| (class, whole(slot))).collect(),
        }
    }
}
