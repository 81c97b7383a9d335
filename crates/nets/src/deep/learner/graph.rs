//! A network as burn computes it, forward and back.

use std::ops::Range;

use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::module::{batch_norm, batch_norm_train, conv2d};
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Device, Tensor, TensorData};
use upstar_games::Grid;

use super::Lessons;
use crate::deep::anatomy::{Conv, Dense, EPSILON, INPUT_PLANES};
use crate::deep::design::Model;
use crate::deep::gradient::{Found, NEVER};
use crate::deep::look::Look;
use crate::deep::network::DeepNetwork;

/// A network on its way through burn.
pub(super) struct Graph<'a> {
    network: &'a DeepNetwork,
    device: Device,
    learning: bool,
    /// The parameters whose gradients are asked for.
    leaves: Vec<(Range<usize>, Tensor<1>)>,
    statistics: Vec<(Range<usize>, Tensor<1>)>,
}

impl<'a> Graph<'a> {
    /// Losses, gradients and statistics of a batch.
    pub(super) fn learn(network: &'a DeepNetwork, lessons: &Lessons) -> Found {
        let mut graph = Self::new(network, true);
        let (logits, value) = graph.forward(lessons.grid, lessons.looks);
        let positions = lessons.looks.len();
        let actions = network.design().actions(lessons.grid);
        let legal = graph.tensor(lessons.legal, [positions, actions]);
        let logits = logits + legal.sub_scalar(1.0).mul_scalar(-NEVER);
        let targets = graph.tensor(lessons.policy, [positions, actions]);
        let policy = (log_softmax(logits, 1) * targets).sum();
        let policy = policy.mul_scalar(-1.0 / positions as f32);
        let errors = value - graph.tensor(lessons.value, [positions, 1]);
        let value = (errors.clone() * errors).mean();
        let mut gradients = (policy.clone() + value.clone()).backward();
        let mut gradient = vec![0.0; network.numbers.len()];
        for (range, leaf) in &graph.leaves {
            if let Some(numbers) = leaf.grad_remove(&mut gradients) {
                gradient[range.clone()].copy_from_slice(&numbers_of(numbers));
            }
        }
        let statistics = std::mem::take(&mut graph.statistics).into_iter();
        Found {
            losses: [numbers_of(policy)[0], numbers_of(value)[0]],
            gradient,
            statistics: statistics
                .map(|(range, numbers)| (range, numbers_of(numbers)))
                .collect(),
        }
    }

    /// Logits and values with the running statistics.
    pub(super) fn judge(
        network: &'a DeepNetwork,
        grid: &Grid,
        looks: &[Look],
    ) -> (Vec<f32>, Vec<f32>) {
        let mut graph = Self::new(network, false);
        let (logits, value) = graph.forward(grid, looks);
        (numbers_of(logits), numbers_of(value))
    }

    fn new(network: &'a DeepNetwork, learning: bool) -> Self {
        let device = device();
        Self {
            network,
            device: if learning { device.autodiff() } else { device },
            learning,
            leaves: Vec::new(),
            statistics: Vec::new(),
        }
    }

    /// Logits, a row per position, and values.
    fn forward(&mut self, grid: &Grid, looks: &[Look]) -> (Tensor<2>, Tensor<2>) {
        let network = self.network;
        let anatomy = &network.anatomy;
        let (rows, cols, cells) = (grid.rows(), grid.cols(), grid.len());
        let boards = looks.len();
        let mut planes = vec![0.0; boards * INPUT_PLANES * cells];
        for (look, planes) in looks
            .iter()
            .zip(planes.chunks_exact_mut(INPUT_PLANES * cells))
        {
            for cell in 0..cells {
                let numbers = look.numbers(network.design().planes, cell);
                for (plane, number) in numbers.into_iter().enumerate() {
                    planes[plane * cells + cell] = number;
                }
            }
        }
        if network.design().model == Model::Mlp {
            let mut nodes = self.tensor(&planes, [boards, INPUT_PLANES * cells]);
            for layer in &anatomy.layers {
                nodes = relu(self.dense(layer, nodes));
            }
            let hidden = anatomy.policy.hidden.as_ref().expect("a hidden layer");
            let policy = relu(self.dense(hidden, nodes.clone()));
            return (
                self.dense(&anatomy.policy.output, policy),
                self.value(nodes),
            );
        }
        let mut field = self.tensor(&planes, [boards, INPUT_PLANES, rows, cols]);
        let mut shortcut = None;
        for (index, conv) in anatomy.convs.iter().enumerate() {
            let residual = network.design().model == Model::Resnet && index > 0;
            if residual && index % 2 == 1 {
                shortcut = Some(field.clone());
            }
            field = self.conv(conv, field);
            if residual
                && index % 2 == 0
                && let Some(shortcut) = shortcut.take()
            {
                field = field + shortcut;
            }
            field = relu(field);
        }
        let (policy, value) = (&anatomy.policy, &anatomy.value);
        let of_policy = policy.conv.as_ref().expect("a convolution");
        let of_policy = relu(self.conv(of_policy, field.clone()));
        let of_value = value.conv.as_ref().expect("a convolution");
        let of_value = relu(self.conv(of_value, field));
        if network.design().board.is_some() {
            let logits = self.dense(&policy.output, of_policy.flatten(1, 3));
            return (logits, self.value(of_value.flatten(1, 3)));
        }
        let channels = of_policy.dims()[1];
        let of_cells = of_policy.permute([0, 2, 3, 1]);
        let of_cells = of_cells.reshape([boards * cells, channels]);
        let logits = self.dense(&policy.output, of_cells);
        let logits = logits.reshape([boards, cells * policy.output.outputs]);
        let of_value: Tensor<3> = of_value.flatten(2, 3);
        let mean = of_value.clone().mean_dim(2).flatten(1, 2);
        let most = of_value.max_dim(2).flatten(1, 2);
        (logits, self.value(Tensor::cat(vec![mean, most], 1)))
    }

    fn value(&mut self, nodes: Tensor<2>) -> Tensor<2> {
        let head = &self.network.anatomy.value;
        let hidden = relu(self.dense(&head.hidden, nodes));
        self.dense(&head.output, hidden).tanh()
    }

    /// A convolution and its norm.
    fn conv(&mut self, conv: &Conv, field: Tensor<4>) -> Tensor<4> {
        let weight = self.parameter(&conv.weight);
        let weight = weight.reshape([conv.outputs, conv.inputs, conv.side, conv.side]);
        let options = ConvOptions::new([1, 1], [conv.side / 2; 2], [1, 1], 1);
        let sums = conv2d(field, weight, None, options);
        let (gamma, beta) = (self.parameter(&conv.gamma), self.parameter(&conv.beta));
        let epsilon = f64::from(EPSILON);
        if self.learning {
            let norm = batch_norm_train(sums, gamma, beta, epsilon);
            self.statistics.push((conv.mean.clone(), norm.mean));
            self.statistics.push((conv.variance.clone(), norm.variance));
            norm.output
        } else {
            let mean = self.parameter(&conv.mean);
            let variance = self.parameter(&conv.variance);
            batch_norm(sums, gamma, beta, mean, variance, epsilon)
        }
    }

    fn dense(&mut self, layer: &Dense, nodes: Tensor<2>) -> Tensor<2> {
        let weight = self.parameter(&layer.weight);
        let weight = weight.reshape([layer.inputs, layer.outputs]);
        let bias = self.parameter(&layer.bias).reshape([1, layer.outputs]);
        nodes.matmul(weight) + bias
    }

    fn parameter(&mut self, range: &Range<usize>) -> Tensor<1> {
        let numbers = &self.network.numbers[range.clone()];
        let tensor = self.tensor(numbers, [numbers.len()]);
        if !self.learning {
            return tensor;
        }
        let tensor = tensor.require_grad();
        self.leaves.push((range.clone(), tensor.clone()));
        tensor
    }

    fn tensor<const D: usize>(&self, numbers: &[f32], shape: [usize; D]) -> Tensor<D> {
        Tensor::from_data(TensorData::new(numbers.to_vec(), shape), &self.device)
    }
}

fn numbers_of<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    let data = tensor.into_data();
    data.try_into_vec().expect("the numbers of tensors are f32")
}

/// Where burn computes.
#[cfg(feature = "cuda")]
fn device() -> Device {
    Device::cuda(0)
}

/// Where burn computes.
#[cfg(all(feature = "wgpu", not(feature = "cuda")))]
fn device() -> Device {
    Device::wgpu(Default::default())
}

/// Where burn computes.
#[cfg(not(any(feature = "wgpu", feature = "cuda")))]
fn device() -> Device {
    Device::flex()
}
