//! Learning of large networks: gradients by our kernels, steps by Adam (Kingma and Ba, 2015).
//!
//! A learner that is written and read again goes on as if nothing had happened. Gradients are
//! computed on all threads of rayon's pool, and are the same for any number of them.
//!
//! In training, norms use mean and variance of the batch; a tenth of these goes into the running
//! ones, which are used ever after.

use serde::{Deserialize, Serialize};
use upstar_games::Grid;
use upstar_machine::{Isa, Kernel, Machine};

use super::anatomy::{Anatomy, Role};
use super::design::Design;
use super::file::{Sealed, seal};
use super::gradient::{Backprop, Gradient};
use super::network::{DeepNetwork, dusted};
use super::observation::Observation;
use crate::adam::{MEAN_DECAY, SMALLEST, SQUARE_DECAY, power_of};
use crate::file::FileError;

/// Positions with what a network should say about them. They all stand on boards of one size.
#[derive(Clone, Copy, Debug)]
pub struct Lessons<'a> {
    /// The positions.
    pub observations: &'a [Observation],
    /// Their board.
    pub grid: &'a Grid,
    /// For each position a number per action, together 1; all 0 if there is nothing to choose.
    pub policy: &'a [f32],
    /// For each position a 1 per legal action, and 0 for the others.
    pub legal: &'a [f32],
    /// For each position what the side to move may hope for, between −1 and 1.
    pub value: &'a [f32],
}

/// How far a network was from its lessons, before it learned from them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The cross-entropy of the policy over legal actions, in nats; the mean over the positions.
    pub policy: f32,
    /// The squared error of the value; the mean over the positions.
    pub value: f32,
    /// Half the weight decay times the sum of the squares of all weights.
    pub l2: f32,
}

/// How a learner learns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The size of a step.
    pub learning_rate: f32,
    /// How strongly weights are drawn towards zero; norms and biases are not.
    pub weight_decay: f32,
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Learner {
    network: DeepNetwork,
    settings: Settings,
    /// Of the gradients and of their squares.
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: u64,
    /// For each board and size of batch that it has learned from.
    rooms: Vec<Backprop>,
}

impl PartialEq for Learner {
    fn eq(&self, other: &Self) -> bool {
        let what = |it: &Self| (it.settings, it.steps);
        what(self) == what(other)
            && self.network == other.network
            && self.means == other.means
            && self.squares == other.squares
    }
}

/// The share of a batch in the running statistics.
const MOMENTUM: f32 = 0.1;

impl Learner {
    /// A learner that begins with this network.
    #[must_use]
    pub fn new(network: DeepNetwork, settings: Settings) -> Self {
        let zeros = vec![0.0; network.numbers.len()];
        Self {
            network,
            settings,
            means: zeros.clone(),
            squares: zeros,
            steps: 0,
            rooms: Vec::new(),
        }
    }

    /// About how many bytes it takes to learn from batches of so many positions on a board.
    #[must_use]
    pub fn bytes(design: &Design, grid: &Grid, positions: usize) -> u64 {
        Backprop::bytes(design, grid, positions)
    }

    /// The network as it is now.
    #[must_use]
    pub fn network(&self) -> DeepNetwork {
        self.network.clone()
    }

    /// How it learns.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// How many steps it has made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Changes the size of steps.
    pub fn set_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// Makes one step.
    ///
    /// # Panics
    /// If the network is for another board, or if there are not as many numbers as the positions and
    /// their actions need, or no positions.
    pub fn step(&mut self, lessons: &Lessons) -> Losses {
        let found = self.gradient(lessons);
        self.follow(&found)
    }

    /// What the positions would teach it, without a step.
    ///
    /// # Panics
    /// As [`Self::step`].
    pub fn gradient(&mut self, lessons: &Lessons) -> Gradient {
        self.check(lessons);
        let room = self.rooms.iter().position(|room| room.fits(lessons));
        let room = room.unwrap_or_else(|| {
            self.rooms.push(Backprop::new(&self.network, lessons));
            self.rooms.len() - 1
        });
        self.rooms[room].learn(&self.network, lessons)
    }

    fn check(&self, lessons: &Lessons) {
        let positions = lessons.observations.len();
        let actions = positions * self.network.design().actions(lessons.grid);
        assert!(positions > 0, "there is a position to learn from");
        assert_eq!(lessons.policy.len(), actions, "a target for each action");
        assert_eq!(lessons.legal.len(), actions, "legal or not for each action");
        assert_eq!(lessons.value.len(), positions, "a value for each position");
        let fits = self.network.fits(lessons.grid);
        fits.unwrap_or_else(|misfit| panic!("the lessons fit: {misfit}"));
    }

    /// Makes a step along a gradient.
    fn follow(&mut self, found: &Gradient) -> Losses {
        for (range, numbers) in &found.statistics {
            let running = &mut self.network.numbers[range.clone()];
            for (running, number) in running.iter_mut().zip(numbers) {
                *running += MOMENTUM * (number - *running);
            }
        }
        let l2 = self.l2();
        self.steps += 1;
        Isa::best().run(Step(self, &found.slopes));
        let [policy, value] = found.losses;
        Losses { policy, value, l2 }
    }

    fn l2(&self) -> f32 {
        let tensors = self.network.anatomy.tensors.iter();
        let weights = tensors.filter(|tensor| matches!(tensor.role, Role::Weight { .. }));
        let numbers = weights.flat_map(|tensor| &self.network.numbers[tensor.range.clone()]);
        let squares: f64 = numbers.map(|&it| f64::from(it) * f64::from(it)).sum();
        (f64::from(self.settings.weight_decay) * squares / 2.0) as f32
    }

    /// The whole state as bytes, with a checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let what = Study {
            network: self.network.design().clone(),
            settings: self.settings,
            steps: self.steps,
        };
        let len = [self.means.len()];
        let rows = [&self.network.numbers, &self.means, &self.squares];
        let rows = ROWS.into_iter().zip(rows);
        seal(
            ENTRY,
            &what,
            rows.map(|(name, row)| (name, &len[..], &**row)),
        )
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// If these are not the bytes of a whole, undamaged learner of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let sealed = Sealed::<Study>::open(ENTRY, bytes)?;
        let anatomy = Anatomy::new(&sealed.what.network);
        let len = [anatomy.len()];
        let mut numbers = sealed.numbers(ROWS.into_iter().map(|name| (name, &len[..])))?;
        let squares = numbers.split_off(2 * len[0]);
        let means = numbers.split_off(len[0]);
        Ok(Self {
            network: DeepNetwork::read(sealed.what.network, anatomy, numbers)?,
            settings: sealed.what.settings,
            means,
            squares,
            steps: sealed.what.steps,
            rooms: Vec::new(),
        })
    }
}

const ENTRY: &str = "upstar-learner";
const ROWS: [&str; 3] = ["numbers", "means", "squares"];

/// A learner as it stands in files, but for its numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    network: Design,
    settings: Settings,
    steps: u64,
}

/// A step of Adam along a gradient.
struct Step<'a>(&'a mut Learner, &'a [f32]);

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self(learner, gradient) = self;
        let mean_scale = 1.0 / (1.0 - power_of(MEAN_DECAY, learner.steps));
        let square_scale = 1.0 / (1.0 - power_of(SQUARE_DECAY, learner.steps));
        let rate = learner.settings.learning_rate;
        for tensor in &learner.network.anatomy.tensors {
            let decay = match tensor.role {
                Role::Weight { .. } => learner.settings.weight_decay,
                Role::Bias | Role::Gamma => 0.0,
                Role::Mean | Role::Variance => continue,
            };
            let (range, len) = (tensor.range.clone(), tensor.range.len());
            let numbers = &mut learner.network.numbers[range.clone()][..len];
            let gradient = &gradient[range.clone()][..len];
            let means = &mut learner.means[range.clone()][..len];
            let squares = &mut learner.squares[range][..len];
            for i in 0..len {
                let slope = gradient[i] + decay * numbers[i];
                means[i] = dusted(MEAN_DECAY * means[i] + (1.0 - MEAN_DECAY) * slope);
                squares[i] =
                    dusted(SQUARE_DECAY * squares[i] + (1.0 - SQUARE_DECAY) * slope * slope);
                let size = (squares[i] * square_scale).sqrt() + SMALLEST;
                numbers[i] = dusted(numbers[i] - rate * (means[i] * mean_scale) / size);
            }
        }
    }
}
