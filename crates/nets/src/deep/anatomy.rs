//! Which layers a design has, and where their parameters stand in one long row of numbers.
//!
//! The models are OpenSpiel's (jans2021, section 3). Convolutions have no bias: a norm follows each.
//! Networks for every size have heads of their own: the policy is made cell by cell, and the value
//! from the mean and the maximum over all cells.

use std::ops::Range;

use super::design::{Design, Model};

/// The planes that show a position.
pub(crate) const INPUT_PLANES: usize = 3;
/// Added to each variance.
pub(crate) const EPSILON: f32 = 1e-5;

/// The layers of a design.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Anatomy {
    /// The convolutions, the first one of the planes. In a residual network two of those that follow
    /// make a block.
    pub(crate) convs: Vec<Conv>,
    /// The fully connected layers in their place.
    pub(crate) layers: Vec<Dense>,
    pub(crate) policy: Policy,
    pub(crate) value: Value,
    pub(crate) tensors: Vec<Tensor>,
}

/// From what the trunk says to a number per action.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Policy {
    /// Of one cell each.
    pub(crate) conv: Option<Conv>,
    pub(crate) hidden: Option<Dense>,
    /// For one board from all cells; for every size from one cell to its own actions.
    pub(crate) output: Dense,
}

/// From what the trunk says to the value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    /// Of one cell each.
    pub(crate) conv: Option<Conv>,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
}

/// A convolution and the norm that follows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conv {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// Three, or one.
    pub(crate) side: usize,
    /// By output, input, row and column.
    pub(crate) weight: Range<usize>,
    pub(crate) gamma: Range<usize>,
    pub(crate) beta: Range<usize>,
    pub(crate) mean: Range<usize>,
    pub(crate) variance: Range<usize>,
}

/// A fully connected layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dense {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// By input and output.
    pub(crate) weight: Range<usize>,
    pub(crate) bias: Range<usize>,
}

/// Some of the numbers, under one name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) role: Role,
    pub(crate) range: Range<usize>,
}

/// What the numbers of a tensor do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Factors of a convolution or a layer; each output sums up so many.
    Weight { summands: usize },
    /// What is added.
    Bias,
    /// The factor of a norm.
    Gamma,
    /// A running mean, not learned.
    Mean,
    /// A running variance, not learned.
    Variance,
}

impl Role {
    /// Whether gradients change it.
    pub(crate) fn is_learned(self) -> bool {
        !matches!(self, Self::Mean | Self::Variance)
    }
}

impl Anatomy {
    /// The layers of a design that has passed its check, or is about to.
    pub(crate) fn new(design: &Design) -> Self {
        let width = design.width;
        let mut plan = Plan::default();
        let mut convs = Vec::new();
        let mut layers = Vec::new();
        match design.model {
            Model::Resnet => {
                convs.push(plan.conv("stem", INPUT_PLANES, width, 3));
                for block in 0..design.depth {
                    for half in ["first", "second"] {
                        convs.push(plan.conv(&format!("blocks.{block}.{half}"), width, width, 3));
                    }
                }
            }
            Model::Conv => {
                for layer in 0..design.depth {
                    let inputs = if layer == 0 { INPUT_PLANES } else { width };
                    convs.push(plan.conv(&format!("layers.{layer}"), inputs, width, 3));
                }
            }
            Model::Mlp => {
                let cells = design.board.map_or(0, |grid| grid.len());
                let mut inputs = INPUT_PLANES * cells;
                for layer in 0..design.depth {
                    layers.push(plan.dense(&format!("layers.{layer}"), inputs, width));
                    inputs = width;
                }
            }
        }
        let per_cell = design.actions_per_cell();
        let (policy, value) = match (design.board, design.model) {
            (None, _) => (
                Policy {
                    conv: Some(plan.conv("policy", width, width, 1)),
                    hidden: None,
                    output: plan.dense("policy.output", width, per_cell),
                },
                Value {
                    conv: Some(plan.conv("value", width, width, 1)),
                    hidden: plan.dense("value.hidden", 2 * width, width),
                    output: plan.dense("value.output", width, 1),
                },
            ),
            (Some(grid), Model::Mlp) => (
                Policy {
                    conv: None,
                    hidden: Some(plan.dense("policy.hidden", width, width)),
                    output: plan.dense("policy.output", width, design.actions(&grid)),
                },
                Value {
                    conv: None,
                    hidden: plan.dense("value.hidden", width, width),
                    output: plan.dense("value.output", width, 1),
                },
            ),
            (Some(grid), _) => (
                Policy {
                    conv: Some(plan.conv("policy", width, POLICY_FILTERS, 1)),
                    hidden: None,
                    output: plan.dense(
                        "policy.output",
                        POLICY_FILTERS * grid.len(),
                        design.actions(&grid),
                    ),
                },
                Value {
                    conv: Some(plan.conv("value", width, 1, 1)),
                    hidden: plan.dense("value.hidden", grid.len(), width),
                    output: plan.dense("value.output", width, 1),
                },
            ),
        };
        Self {
            convs,
            layers,
            policy,
            value,
            tensors: plan.tensors,
        }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.tensors.last().map_or(0, |tensor| tensor.range.end)
    }
}

/// The filters of the policy's convolution on one board.
const POLICY_FILTERS: usize = 2;

/// Gives places to tensors, one after the other.
#[derive(Default)]
struct Plan {
    tensors: Vec<Tensor>,
}

impl Plan {
    fn tensor(&mut self, name: String, dimensions: &[usize], role: Role) -> Range<usize> {
        let first = self.tensors.last().map_or(0, |tensor| tensor.range.end);
        let range = first..first + dimensions.iter().product::<usize>();
        self.tensors.push(Tensor {
            name,
            dimensions: dimensions.to_vec(),
            role,
            range: range.clone(),
        });
        range
    }

    fn conv(&mut self, name: &str, inputs: usize, outputs: usize, side: usize) -> Conv {
        let weight = Role::Weight {
            summands: inputs * side * side,
        };
        let dimensions = [outputs, inputs, side, side];
        let weight = self.tensor(format!("{name}.conv.weight"), &dimensions, weight);
        let mut norm =
            |part: &str, role| self.tensor(format!("{name}.norm.{part}"), &[outputs], role);
        Conv {
            inputs,
            outputs,
            side,
            weight,
            gamma: norm("weight", Role::Gamma),
            beta: norm("bias", Role::Bias),
            mean: norm("mean", Role::Mean),
            variance: norm("variance", Role::Variance),
        }
    }

    fn dense(&mut self, name: &str, inputs: usize, outputs: usize) -> Dense {
        let weight = Role::Weight { summands: inputs };
        Dense {
            inputs,
            outputs,
            weight: self.tensor(format!("{name}.weight"), &[inputs, outputs], weight),
            bias: self.tensor(format!("{name}.bias"), &[outputs], Role::Bias),
        }
    }
}
