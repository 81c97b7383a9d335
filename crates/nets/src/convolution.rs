//! Convolutional layers of small networks (etoeharnowo2017, section 6.1, names them as a next step): each node
//! looks at the 3×3 cells around its own, with zeros beyond the edge, and all nodes of a filter have the same weights.
//!
//! Such a layer is kept as a fully connected one whose weights are tied: those that a filter has in common are
//! equal, and those that lead from outside of a window are zero. A gradient that was found as if there were
//! no ties is summed over each set of tied weights; everything else about a network is as it is without.
//! It is slower than it could be, and as exact.

use std::ops::Range;

use crate::network::Layer;
use crate::shape::Shape;

/// Half of a window, its middle not counted.
const REACH: i32 = 1;

/// The ties of a layer's weights.
#[derive(Debug, PartialEq)]
pub(crate) struct Ties {
    /// All weights of the layer.
    range: Range<usize>,
    /// The places of equal weights; those of bias nodes come last.
    pub(crate) groups: Vec<Vec<u32>>,
    /// How many weights lead to a node.
    pub(crate) inputs: usize,
    /// How many groups are of bias nodes.
    pub(crate) filters: usize,
}

impl Ties {
    /// Those of all convolutional layers of a shape.
    pub(crate) fn of(shape: &Shape, layers: &[Layer]) -> Vec<Self> {
        let mut first = shape.encoder.first_cell();
        let mut channels = shape.encoder.planes();
        let mut all = Vec::new();
        for (&filters, layer) in shape.convolutions.iter().zip(layers) {
            all.push(Self::new(shape, layer, first, channels, filters));
            (first, channels) = (0, filters);
        }
        all
    }

    /// A layer that sees so many planes of cells behind `first` inputs that belong to no cell.
    fn new(shape: &Shape, layer: &Layer, first: usize, channels: usize, filters: usize) -> Self {
        let (rows, cols) = (shape.grid.rows() as i32, shape.grid.cols() as i32);
        let cells = shape.grid.len();
        let mut groups = Vec::new();
        for filter in 0..filters {
            let place =
                |input: usize, cell: usize| (layer.row(input).start + filter * cells + cell) as u32;
            let everywhere = |input: usize| (0..cells).map(|cell| place(input, cell)).collect();
            groups.extend((0..first).map(everywhere));
            for channel in 0..channels {
                for down in -REACH..=REACH {
                    for right in -REACH..=REACH {
                        let seen = (0..cells).filter_map(|cell| {
                            let row = cell as i32 / cols + down;
                            let col = cell as i32 % cols + right;
                            let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
                            let seen = (row * cols + col) as usize;
                            inside.then(|| place(first + channel * cells + seen, cell))
                        });
                        groups.push(seen.collect());
                    }
                }
            }
        }
        let bias = layer.row(layer.inputs).start;
        for filter in 0..filters {
            let nodes = bias + filter * cells..bias + (filter + 1) * cells;
            groups.push(nodes.map(|place| place as u32).collect());
        }
        // On a board of one row some windows' cells are outside everywhere.
        groups.retain(|group: &Vec<u32>| !group.is_empty());
        Self {
            range: layer.row(0).start..layer.row(layer.inputs).end,
            inputs: (groups.len() - filters) / filters,
            groups,
            filters,
        }
    }

    /// Sums numbers that were found as if there were no ties.
    pub(crate) fn tie(&self, gradient: &mut [f32]) {
        let sum = |group: &Vec<u32>| group.iter().map(|&place| gradient[place as usize]).sum();
        let sums: Vec<f32> = self.groups.iter().map(sum).collect();
        self.set(gradient, &sums);
    }

    /// Sets weights, a number for each group.
    pub(crate) fn set(&self, weights: &mut [f32], numbers: &[f32]) {
        weights[self.range.clone()].fill(0.0);
        for (group, &number) in self.groups.iter().zip(numbers) {
            for &place in group {
                weights[place as usize] = number;
            }
        }
    }

    /// Whether weights are tied like this.
    pub(crate) fn hold(&self, weights: &[f32]) -> bool {
        let mut tied = vec![0.0; weights.len()];
        let first = |group: &Vec<u32>| weights[group[0] as usize];
        let numbers: Vec<f32> = self.groups.iter().map(first).collect();
        self.set(&mut tied, &numbers);
        tied[self.range.clone()] == weights[self.range.clone()]
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::{Random, Variant};

    use crate::{Activation, Adam, Eligibility, Encoder, FileError, Initial, Network, Shape};

    fn network(board: &str, encoder: Encoder, seed: u64) -> Network {
        let shape = Shape {
            game: Variant::Clobber,
            grid: board.parse().unwrap(),
            encoder,
            convolutions: vec![3, 2],
            hidden: vec![5],
            activation: Activation::Tanh,
            output: Activation::Tanh,
        };
        let initial = Initial::Uniform {
            low: -0.5,
            high: 0.5,
            bias: None,
        };
        Network::new(shape.checked().unwrap(), initial, &mut Random::new(seed))
    }

    fn inputs(network: &Network, random: &mut Random) -> Vec<f32> {
        let inputs = 0..network.shape().inputs();
        inputs.map(|_| random.below(3) as f32 - 1.0).collect()
    }

    /// All layers by plain loops over windows; the kernels are those of the node of a cell that sees all of them.
    fn plain(network: &Network, inputs: &[f32]) -> f32 {
        let shape = network.shape();
        let (rows, cols) = (shape.grid.rows() as i32, shape.grid.cols() as i32);
        let cells = shape.grid.len();
        let first = inputs.len() - shape.encoder.planes() * cells;
        let layers = &network.layout().layers;
        let weight = |layer: usize, input: usize, node: usize| {
            network.weights[layers[layer].row(input).start + node]
        };
        let middle = (cols + 1) as usize;
        let (mut values, mut first) = (inputs.to_vec(), first);
        for (number, &filters) in shape.convolutions.iter().enumerate() {
            let channels = (values.len() - first) / cells;
            let mut next = Vec::new();
            for filter in 0..filters {
                let node = filter * cells + middle;
                for cell in 0..cells as i32 {
                    let mut sum = weight(number, values.len(), node);
                    for (turn, value) in values[..first].iter().enumerate() {
                        sum += weight(number, turn, node) * value;
                    }
                    for channel in 0..channels {
                        for (down, right) in (-1..=1).flat_map(|d| (-1..=1).map(move |r| (d, r))) {
                            let (row, col) = (cell / cols + down, cell % cols + right);
                            if row < 0 || row >= rows || col < 0 || col >= cols {
                                continue;
                            }
                            let plane = first + channel * cells;
                            let seen = plane + (row * cols + col) as usize;
                            let beside = plane + ((1 + down) * cols + 1 + right) as usize;
                            sum += weight(number, beside, node) * values[seen];
                        }
                    }
                    next.push(sum.tanh());
                }
            }
            (values, first) = (next, 0);
        }
        let dense = layers.len() - 1;
        let hidden = (0..layers[dense].nodes).map(|node| {
            let each = values.iter().enumerate();
            let sum: f32 = each.map(|(i, value)| weight(dense, i, node) * value).sum();
            (sum + weight(dense, values.len(), node)).tanh()
        });
        let output = network.layout().output.clone();
        let sum: f32 = hidden
            .zip(&network.weights[output])
            .map(|(v, w)| v * w)
            .sum();
        (sum + network.weights[network.layout().output_bias()]).tanh()
    }

    #[test]
    fn outputs_are_those_of_plain_loops() {
        let mut random = Random::new(1);
        for (board, encoder) in [
            ("4x4", Encoder::Leiden2018),
            ("3x5", Encoder::Planes),
            ("4x3", Encoder::Etoeharnowo2017),
        ] {
            let mut network = network(board, encoder, 2);
            let mut trace = network.trace();
            for _ in 0..20 {
                let inputs = inputs(&network, &mut random);
                trace.inputs.copy_from_slice(&inputs);
                let output = network.forward(&mut trace);
                let expected = plain(&network, &inputs);
                assert!((output - expected).abs() < 1e-4, "{output} {expected}");
                network.learn(&mut trace, 0.7, 0.1);
            }
        }
    }

    /// Every free weight against the difference of two errors.
    #[test]
    fn the_gradient_is_that_of_differences() {
        let mut random = Random::new(3);
        for (board, encoder) in [
            ("3x4", Encoder::Planes),
            ("4x4", Encoder::Etoeharnowo2017),
            ("1x6", Encoder::Leiden2018),
        ] {
            let network = network(board, encoder, 4);
            let inputs = inputs(&network, &mut random);
            let (target, rate, step) = (0.9, 1e-2, 1e-2);
            let error = |network: &Network| {
                let mut trace = network.trace();
                trace.inputs.copy_from_slice(&inputs);
                f64::from(target - network.forward(&mut trace)).powi(2) / 2.0
            };
            let mut learned = network.clone();
            let mut trace = learned.trace();
            trace.inputs.copy_from_slice(&inputs);
            learned.forward(&mut trace);
            assert!(learned.learn(&mut trace, target, rate));
            for ties in network.layout().ties.iter() {
                for group in &ties.groups {
                    let moved = |by: f32| {
                        let mut moved = network.clone();
                        for &place in group {
                            moved.weights[place as usize] += by;
                        }
                        error(&moved)
                    };
                    let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                    let place = group[0] as usize;
                    let change = f64::from(learned.weights[place] - network.weights[place]);
                    let found = -change / f64::from(rate);
                    assert!((found - slope).abs() < 2e-3, "{board}: {found} {slope}");
                }
            }
        }
    }

    #[test]
    fn all_ways_of_learning_keep_the_ties() {
        let mut random = Random::new(5);
        let mut network = network("4x4", Encoder::Planes, 6);
        let mut adam = Adam::new(&network, 0.01);
        let mut traces = Eligibility::new(&network);
        let mut trace = network.trace();
        for round in 0..30 {
            let inputs = inputs(&network, &mut random);
            trace.inputs.copy_from_slice(&inputs);
            network.forward(&mut trace);
            match round % 3 {
                0 => assert!(network.learn(&mut trace, 0.5, 0.1)),
                1 => {
                    adam.add(&mut network, &mut trace, -0.5);
                    adam.step(&mut network);
                }
                _ => {
                    traces.add(&mut network, &mut trace, 0.7);
                    traces.apply(&mut network, 0.1);
                }
            }
            assert!(network.layout().are_tied(&network.weights), "{round}");
        }
        let read = Network::from_bytes(&network.to_bytes()).unwrap();
        assert_eq!(read, network);
        network.weights[0] += 1.0;
        let damaged = Network::from_bytes(&network.to_bytes());
        assert!(matches!(damaged, Err(FileError::Damaged)));
    }

    #[test]
    fn layers_that_cannot_be_are_refused() {
        let shape = network("8x8", Encoder::Planes, 1).shape().clone();
        for (convolutions, hidden, encoder, said) in [
            (
                vec![0],
                vec![5],
                Encoder::Planes,
                "1 to 64 filters on 8x8, not 0",
            ),
            (
                vec![65],
                vec![5],
                Encoder::Planes,
                "1 to 64 filters on 8x8, not 65",
            ),
            (vec![4], vec![5], Encoder::Shapes, "no planes of cells"),
            (
                vec![4],
                vec![],
                Encoder::Planes,
                "one that is fully connected",
            ),
            (
                vec![1; 8],
                vec![5],
                Encoder::Planes,
                "1 to 8 hidden layers, not 9",
            ),
        ] {
            let shape = Shape {
                convolutions,
                hidden,
                encoder,
                ..shape.clone()
            };
            let refused = shape.checked().unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
