//! Weights of one stage from samples: stochastic gradient descent on the squared error.

use upstar_games::Random;
use upstar_machine::{Isa, Kernel, Machine};

use super::patterns::Layout;
use super::selfplay::Sample;
use super::space::Space;

/// How often all samples are gone through.
const PASSES: u32 = 8;
/// A weight counts if it was seen at least so often.
const SEEN: u32 = 3;

/// What was fitted to the samples of a stage.
pub(super) struct StageFit {
    /// In discs; zero where nothing was learned.
    pub(super) weights: Vec<f32>,
    /// The sum of squared errors of samples that were not learned from, and how many there were.
    pub(super) held_out: (f64, usize),
}

/// Fits weights to samples and tests them on others. The seed orders the samples.
pub(super) fn fit_stage(
    space: &Space,
    layout: &Layout,
    samples: &[Sample],
    held_out: &[Sample],
    seed: u64,
) -> StageFit {
    let width = layout.width();
    let features = |samples| {
        Isa::best().run(Numbers {
            space,
            layout,
            samples,
        })
    };
    let numbers = features(samples);
    let mut weights = vec![0f32; layout.stage_weights()];
    let mut seen = vec![0u32; weights.len()];
    for &number in &numbers {
        seen[number as usize] += 1;
    }
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    for pass in 0..PASSES {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last as u32 + 1) as usize);
        }
        // Large steps first, small ones later.
        let rate = 0.5 * 0.02f32.powf(pass as f32 / (PASSES - 1) as f32) / width as f32;
        for &sample in &order {
            let numbers = &numbers[sample as usize * width..][..width];
            let sum: f32 = numbers.iter().map(|&number| weights[number as usize]).sum();
            let step = rate * (f32::from(samples[sample as usize].score) - sum);
            for &number in numbers {
                weights[number as usize] += step;
            }
        }
    }
    for (weight, seen) in weights.iter_mut().zip(seen) {
        if seen < SEEN {
            *weight = 0.0;
        }
    }
    let numbers = features(held_out);
    let scores = numbers.chunks_exact(width).map(|numbers| {
        let weights = numbers.iter().map(|&number| weights[number as usize]);
        f64::from(weights.sum::<f32>())
    });
    let errors = scores.zip(held_out);
    let errors = errors.map(|(seen, sample)| (f64::from(sample.score) - seen).powi(2));
    StageFit {
        held_out: (errors.sum(), held_out.len()),
        weights,
    }
}

/// The numbers of the weights of all samples.
struct Numbers<'a> {
    space: &'a Space,
    layout: &'a Layout,
    samples: &'a [Sample],
}

impl Kernel for Numbers<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.samples.len() * self.layout.width());
        for sample in self.samples {
            self.layout
                .numbers::<M>(self.space, sample.discs, &mut numbers);
        }
        numbers
    }
}
