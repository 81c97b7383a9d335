//! A large network: its design, its parameters, and the running statistics of its norms.

use upstar_games::{Grid, Random};

use super::anatomy::{Anatomy, Conv, EPSILON, Role};
use super::design::{Design, DesignError};
use crate::judge::Misfit;

/// A design and all its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct DeepNetwork {
    design: Design,
    pub(crate) anatomy: Anatomy,
    pub(crate) numbers: Vec<f32>,
}

impl DeepNetwork {
    /// A network to begin with: weights between ±√(6 / summands) (He et al., 2015), those of the two
    /// outputs a tenth as large, so that at first all actions are about equally likely.
    ///
    /// # Errors
    /// If there is no network of this design.
    pub fn random(design: Design, random: &mut Random) -> Result<Self, DesignError> {
        design.check()?;
        let mut network = Self::blank(design);
        let outputs = [
            network.anatomy.policy.output.weight.start,
            network.anatomy.value.output.weight.start,
        ];
        for tensor in &network.anatomy.tensors {
            let Role::Weight { summands } = tensor.role else {
                continue;
            };
            let share = if outputs.contains(&tensor.range.start) {
                0.1
            } else {
                1.0
            };
            let bound = share * (6.0 / summands as f64).sqrt();
            for number in &mut network.numbers[tensor.range.clone()] {
                *number = (bound * (2.0 * random.unit() - 1.0)) as f32;
            }
        }
        Ok(network)
    }

    /// Weights of zero and norms that change nothing. The design has passed its check.
    pub(crate) fn blank(design: Design) -> Self {
        let anatomy = Anatomy::new(&design);
        let mut numbers = vec![0.0; anatomy.len()];
        for tensor in &anatomy.tensors {
            if matches!(tensor.role, Role::Gamma | Role::Variance) {
                numbers[tensor.range.clone()].fill(1.0);
            }
        }
        Self {
            design,
            anatomy,
            numbers,
        }
    }

    /// A network of these numbers, as many as its tensors have.
    pub(super) fn of(design: Design, anatomy: Anatomy, numbers: Vec<f32>) -> Self {
        assert_eq!(numbers.len(), anatomy.len(), "all numbers are there");
        Self {
            design,
            anatomy,
            numbers,
        }
    }

    /// What it is made for and of.
    #[must_use]
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// How many numbers gradients change.
    #[must_use]
    pub fn parameters(&self) -> usize {
        let learned = self.anatomy.tensors.iter();
        let learned = learned.filter(|tensor| tensor.role.is_learned());
        learned.map(|tensor| tensor.range.len()).sum()
    }

    /// All its tensors by name, with dimensions and numbers.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &[usize], &[f32])> {
        self.anatomy.tensors.iter().map(|tensor| {
            let numbers = &self.numbers[tensor.range.clone()];
            (tensor.name.as_str(), tensor.dimensions.as_slice(), numbers)
        })
    }

    /// The numbers of a tensor, to be changed; `None` if none has this name.
    pub fn tensor_mut(&mut self, name: &str) -> Option<&mut [f32]> {
        let tensor = self.anatomy.tensors.iter().find(|it| it.name == name)?;
        Some(&mut self.numbers[tensor.range.clone()])
    }

    /// What a norm does once learning is over: a factor and a summand for each output.
    pub(crate) fn norm(&self, conv: &Conv, output: usize) -> (f32, f32) {
        let number = |range: &std::ops::Range<usize>| self.numbers[range.start + output];
        let factor = number(&conv.gamma) / (number(&conv.variance) + EPSILON).sqrt();
        (factor, number(&conv.beta) - number(&conv.mean) * factor)
    }

    /// The same without dust.
    pub(crate) fn dusted(&self) -> Self {
        Self {
            numbers: self.numbers.iter().copied().map(dusted).collect(),
            ..self.clone()
        }
    }

    /// Whether the network plays on this board.
    pub(crate) fn fits(&self, grid: &Grid) -> Result<(), Misfit> {
        if self.design.actions_per_cell() == 1 && grid.holes() != 0 {
            return Err(Misfit(
                "large networks play othello on boards without holes".to_owned(),
            ));
        }
        match self.design.board {
            Some(board) if (board.rows(), board.cols()) != (grid.rows(), grid.cols()) => {
                Err(Misfit(format!(
                    "this network is for {} {board}, not for {grid}",
                    self.design.game
                )))
            }
            _ => Ok(()),
        }
    }
}

/// A number, or zero where it is next to nothing. Weights to which nothing comes any more decay until
/// they are subnormal, and then each product with them takes a hundred times as long.
#[inline(always)]
pub(crate) fn dusted(number: f32) -> f32 {
    if number.abs() < 1e-25 { 0.0 } else { number }
}
