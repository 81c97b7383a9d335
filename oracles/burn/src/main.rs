//! Large networks beside the library burn: outputs, losses and gradients by its tensors and its
//! automatic differentiation. Only the names and numbers of the weights are Upstar's.
//!
//! The tests compare; the program writes what burn finds into the file with which Upstar's own
//! tests compare.

#[path = "../../../crates/nets/tests/nets/course.rs"]
#[allow(dead_code)]
mod course;

use std::ops::Range;
use std::{fs, io};

use burn_tensor::activation::{log_softmax, relu};
use burn_tensor::module::{batch_norm, batch_norm_train, conv2d};
use burn_tensor::ops::ConvOptions;
use burn_tensor::{Device, Tensor, TensorData};
use upstar_games::{Color, Grid};
use upstar_nets::deep::{DeepNetwork, Gradient, Lessons, Model, Observation, Planes};

use crate::course::{Case, Named, cases, digest, named};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/nets/tests/data/burn.json"
);

fn main() -> io::Result<()> {
    fs::write(FILE, recording())
}

/// What burn makes of all cases, as a file: of each list of numbers the norm and some of them.
fn recording() -> String {
    let cases = cases().iter().map(recorded).collect::<Vec<_>>();
    format!(
        "{{\n\"library\": \"burn 0.22.1, backend flex\",\n\"command\": \"make recordings\",\n\"cases\": {{\n{}\n}}\n}}\n",
        cases.join(",\n")
    )
}

fn recorded(case: &Case) -> String {
    let lines = theirs(case).into_iter().map(|(name, numbers)| {
        let (norm, some) = digest(&numbers);
        let some: Vec<String> = some.iter().map(|number| format!("{number:e}")).collect();
        format!("{name:?}: [{norm:e}, [{}]]", some.join(", "))
    });
    let lines = lines.collect::<Vec<_>>().join(",\n");
    format!("{:?}: {{\n{lines}\n}}", case.name)
}

/// What burn makes of a case.
fn theirs(case: &Case) -> Named {
    let Case {
        network, course, ..
    } = case;
    let outputs = Graph::outputs(network, &course.grid, &course.observations);
    let gradient = Graph::gradient(network, &course.lessons());
    named(network, outputs, &gradient)
}

/// Planes of a position: own stones, the opponent's, and one more.
const PLANES: usize = 3;
/// Added to each variance.
const EPSILON: f64 = 1e-5;
/// Taken from the logits of actions that are not legal.
const MASK: f32 = 1e9;

/// A network on its way through burn.
struct Graph<'a> {
    network: &'a DeepNetwork,
    device: Device,
    learning: bool,
    /// The parameters whose gradients are asked for.
    leaves: Vec<(Range<usize>, Tensor<1>)>,
    statistics: Vec<(Range<usize>, Tensor<1>)>,
}

impl<'a> Graph<'a> {
    /// Losses, gradient and statistics of a batch.
    fn gradient(network: &'a DeepNetwork, lessons: &Lessons) -> Gradient {
        let mut graph = Self::new(network, true);
        let (logits, value) = graph.forward(lessons.grid, lessons.observations);
        let positions = lessons.observations.len();
        let actions = network.design().actions(lessons.grid);
        let legal = graph.tensor(lessons.legal, [positions, actions]);
        let logits = logits + legal.sub_scalar(1.0).mul_scalar(MASK);
        let targets = graph.tensor(lessons.policy, [positions, actions]);
        let policy = (log_softmax(logits, 1) * targets).sum();
        let policy = policy.mul_scalar(-1.0 / positions as f32);
        let errors = value - graph.tensor(lessons.value, [positions, 1]);
        let value = (errors.clone() * errors).mean();
        let mut gradients = (policy.clone() + value.clone()).backward();
        let numbers = network.tensors().map(|(_, _, numbers)| numbers.len());
        let mut slopes = vec![0.0; numbers.sum()];
        for (range, leaf) in &graph.leaves {
            if let Some(numbers) = leaf.grad_remove(&mut gradients) {
                slopes[range.clone()].copy_from_slice(&numbers_of(numbers));
            }
        }
        let statistics = std::mem::take(&mut graph.statistics).into_iter();
        Gradient {
            losses: [numbers_of(policy)[0], numbers_of(value)[0]],
            slopes,
            statistics: statistics
                .map(|(range, numbers)| (range, numbers_of(numbers)))
                .collect(),
        }
    }

    /// Logits and values with the running statistics.
    fn outputs(
        network: &'a DeepNetwork,
        grid: &Grid,
        observations: &[Observation],
    ) -> (Vec<f32>, Vec<f32>) {
        let mut graph = Self::new(network, false);
        let (logits, value) = graph.forward(grid, observations);
        (numbers_of(logits), numbers_of(value))
    }

    fn new(network: &'a DeepNetwork, learning: bool) -> Self {
        let device = Device::flex();
        Self {
            network,
            device: if learning { device.autodiff() } else { device },
            learning,
            leaves: Vec::new(),
            statistics: Vec::new(),
        }
    }

    /// Logits, a row per position, and values.
    fn forward(&mut self, grid: &Grid, observations: &[Observation]) -> (Tensor<2>, Tensor<2>) {
        let design = self.network.design().clone();
        let (rows, cols, cells) = (grid.rows(), grid.cols(), grid.len());
        let boards = observations.len();
        let mut planes = Vec::with_capacity(boards * PLANES * cells);
        for observation in observations {
            for plane in 0..PLANES {
                let number = |cell| shown(observation, design.planes, plane, cell);
                planes.extend((0..cells).map(number));
            }
        }
        if design.model == Model::Mlp {
            let mut nodes = self.tensor(&planes, [boards, PLANES * cells]);
            for layer in 0..design.depth {
                nodes = relu(self.dense(&format!("layers.{layer}"), nodes));
            }
            let policy = relu(self.dense("policy.hidden", nodes.clone()));
            return (self.dense("policy.output", policy), self.value(nodes));
        }
        let mut field = self.tensor(&planes, [boards, PLANES, rows, cols]);
        if design.model == Model::Resnet {
            field = relu(self.conv("stem", field));
            for block in 0..design.depth {
                let first = relu(self.conv(&format!("blocks.{block}.first"), field.clone()));
                let second = self.conv(&format!("blocks.{block}.second"), first);
                field = relu(second + field);
            }
        } else {
            for layer in 0..design.depth {
                field = relu(self.conv(&format!("layers.{layer}"), field));
            }
        }
        let of_policy = relu(self.conv("policy", field.clone()));
        let of_value = relu(self.conv("value", field));
        if design.board.is_some() {
            let logits = self.dense("policy.output", of_policy.flatten(1, 3));
            return (logits, self.value(of_value.flatten(1, 3)));
        }
        let channels = of_policy.dims()[1];
        let of_cells = of_policy.permute([0, 2, 3, 1]);
        let of_cells = of_cells.reshape([boards * cells, channels]);
        let logits = self.dense("policy.output", of_cells);
        let logits = logits.reshape([boards, design.actions(grid)]);
        let of_value: Tensor<3> = of_value.flatten(2, 3);
        let mean = of_value.clone().mean_dim(2).flatten(1, 2);
        let most = of_value.max_dim(2).flatten(1, 2);
        (logits, self.value(Tensor::cat(vec![mean, most], 1)))
    }

    fn value(&mut self, nodes: Tensor<2>) -> Tensor<2> {
        let hidden = relu(self.dense("value.hidden", nodes));
        self.dense("value.output", hidden).tanh()
    }

    /// A convolution and its norm.
    fn conv(&mut self, name: &str, field: Tensor<4>) -> Tensor<4> {
        let (_, dimensions, weight) = self.parameter(&format!("{name}.conv.weight"));
        let [outputs, inputs, side, _] = dimensions[..] else {
            panic!("a convolution has four dimensions");
        };
        let weight = weight.reshape([outputs, inputs, side, side]);
        let options = ConvOptions::new([1, 1], [side / 2; 2], [1, 1], 1);
        let sums = conv2d(field, weight, None, options);
        let (_, _, gamma) = self.parameter(&format!("{name}.norm.weight"));
        let (_, _, beta) = self.parameter(&format!("{name}.norm.bias"));
        let (mean_at, _, mean) = self.parameter(&format!("{name}.norm.mean"));
        let (variance_at, _, variance) = self.parameter(&format!("{name}.norm.variance"));
        if self.learning {
            let norm = batch_norm_train(sums, gamma, beta, EPSILON);
            self.statistics.push((mean_at, norm.mean));
            self.statistics.push((variance_at, norm.variance));
            norm.output
        } else {
            batch_norm(sums, gamma, beta, mean, variance, EPSILON)
        }
    }

    fn dense(&mut self, name: &str, nodes: Tensor<2>) -> Tensor<2> {
        let (_, dimensions, weight) = self.parameter(&format!("{name}.weight"));
        let (inputs, outputs) = (dimensions[0], dimensions[1]);
        let (_, _, bias) = self.parameter(&format!("{name}.bias"));
        nodes.matmul(weight.reshape([inputs, outputs])) + bias.reshape([1, outputs])
    }

    /// A tensor by its name: its place among the network's numbers, its dimensions, and the numbers.
    fn parameter(&mut self, name: &str) -> (Range<usize>, Vec<usize>, Tensor<1>) {
        let mut first = 0;
        for (other, dimensions, numbers) in self.network.tensors() {
            let range = first..first + numbers.len();
            first = range.end;
            if other != name {
                continue;
            }
            let mut tensor = self.tensor(numbers, [numbers.len()]);
            if self.learning {
                tensor = tensor.require_grad();
                self.leaves.push((range.clone(), tensor.clone()));
            }
            return (range, dimensions.to_vec(), tensor);
        }
        panic!("the network has a tensor {name}");
    }

    fn tensor<const D: usize>(&self, numbers: &[f32], shape: [usize; D]) -> Tensor<D> {
        Tensor::from_data(TensorData::new(numbers.to_vec(), shape), &self.device)
    }
}

/// What a plane shows of a cell (jans2021, section 4).
fn shown(observation: &Observation, planes: Planes, plane: usize, cell: usize) -> f32 {
    let has = |stones: u128| stones >> cell & 1 == 1;
    let (own, opponent) = (has(observation.own), has(observation.opponent));
    let is_black = observation.to_move == Color::Black;
    let (black, white) = if is_black {
        (own, opponent)
    } else {
        (opponent, own)
    };
    let yes = match (planes, plane) {
        (Planes::Jans2021First | Planes::ByColor, 0) => black,
        (Planes::Jans2021First | Planes::ByColor, 1) => white,
        (Planes::Jans2021First, _) => !own && !opponent,
        (_, 0) => own,
        (_, 1) => opponent,
        (Planes::Jans2021Second | Planes::ByColor, _) => is_black,
        (Planes::Free, _) => true,
    };
    f32::from(u8::from(yes))
}

fn numbers_of<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    let data = tensor.into_data();
    data.try_into_vec().expect("the numbers of tensors are f32")
}

#[cfg(test)]
mod tests {
    use upstar_nets::deep::{Learner, Settings};

    use super::*;
    use crate::course::{assert_near, ours};

    fn assert_same(case: &Case) {
        let (ours, theirs) = (ours(case), theirs(case));
        assert_eq!(ours.len(), theirs.len());
        for ((name, ours), (same, theirs)) in ours.iter().zip(&theirs) {
            assert_eq!(name, same);
            assert_near(&format!("{} {name}", case.name), ours, theirs);
        }
    }

    #[test]
    fn burn_finds_the_same_outputs_and_gradients() {
        for case in cases() {
            assert_same(&case);
        }
    }

    #[test]
    fn burn_finds_the_same_after_learning() {
        for mut case in cases() {
            let settings = Settings {
                learning_rate: 1e-3,
                weight_decay: 1e-4,
            };
            let mut learner = Learner::new(case.network, settings);
            for _ in 0..10 {
                learner.step(&case.course.lessons());
            }
            case.network = learner.network();
            assert_same(&case);
        }
    }
}
