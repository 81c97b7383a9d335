//! A fully connected network with one output, and plain backpropagation a position at a time
//! (leiden2018, section 4.4).
//!
//! All weights stand in one array: for each layer a row of weights per input and one for the bias
//! node, then the weights of the output. Rows are padded with zeros to whole groups of lanes; the
//! padding stays zero, because the weights that leave those nodes are zero.

use upstar_games::{Isa, Kernel, Machine, Random};

use crate::lanes::{LANES, Lanes, groups};
use crate::shape::{Initial, Shape};

/// A network: its shape and its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    layout: Layout,
    pub(crate) weights: Vec<Lanes>,
}

/// Where the weights of each layer stand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) layers: Vec<Layer>,
    /// The weights of the output, then a group whose first lane is the output's bias.
    pub(crate) output: usize,
    len: usize,
}

/// A hidden layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) inputs: usize,
    pub(crate) nodes: usize,
    /// The place of its first row.
    first: usize,
    /// The place of its nodes among those of all layers.
    nodes_at: usize,
}

impl Layer {
    /// Groups of lanes per row.
    #[inline(always)]
    pub(crate) fn groups(&self) -> usize {
        groups(self.nodes)
    }

    /// Where the row of an input begins; the bias is the last one.
    #[inline(always)]
    pub(crate) fn row(&self, input: usize) -> usize {
        self.first + input * self.groups()
    }
}

impl Layout {
    fn new(shape: &Shape) -> Self {
        let (mut inputs, mut first, mut nodes_at) = (shape.inputs(), 0, 0);
        let mut layers = Vec::new();
        for &nodes in &shape.hidden {
            let layer = Layer {
                inputs,
                nodes,
                first,
                nodes_at,
            };
            first = layer.row(inputs + 1);
            nodes_at += layer.groups();
            inputs = nodes;
            layers.push(layer);
        }
        Self {
            layers,
            output: first,
            len: first + groups(inputs) + 1,
        }
    }

    fn last(&self) -> &Layer {
        self.layers.last().expect("there is a hidden layer")
    }

    /// The place of the output's bias.
    pub(crate) fn output_bias(&self) -> usize {
        self.len - 1
    }

    fn nodes(&self) -> usize {
        self.last().nodes_at + self.last().groups()
    }
}

/// What a network computed for one position, and room to compute it in. Made once, used again and
/// again.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The inputs.
    pub inputs: Vec<f32>,
    pub(crate) sums: Vec<Lanes>,
    values: Vec<Lanes>,
    deltas: Vec<Lanes>,
    output_sum: f32,
    output: f32,
}

impl Trace {
    /// The network's answer.
    #[must_use]
    pub fn output(&self) -> f32 {
        self.output
    }
}

impl Network {
    /// A new network.
    #[must_use]
    pub fn new(shape: Shape, initial: Initial, random: &mut Random) -> Self {
        let mut network = Self::zero(shape);
        let layers = network.layout.layers.clone();
        for layer in &layers {
            for input in 0..=layer.inputs {
                let row = layer.row(input);
                let row = &mut network.weights[row..row + layer.groups()];
                let bias = input == layer.inputs;
                for weight in row.as_flattened_mut_numbers().take(layer.nodes) {
                    *weight = initial.draw(layer.inputs, bias, random);
                }
            }
        }
        let (first, bias) = (network.layout.output, network.layout.output_bias());
        let nodes = network.layout.last().nodes;
        for weight in network.weights[first..bias].as_flattened_mut_numbers().take(nodes) {
            *weight = initial.draw(nodes, false, random);
        }
        network.weights[bias].0[0] = initial.draw(nodes, true, random);
        network
    }

    pub(crate) fn zero(shape: Shape) -> Self {
        let layout = Layout::new(&shape);
        let weights = vec![Lanes::ZERO; layout.len];
        Self {
            shape,
            layout,
            weights,
        }
    }

    /// What it is made for and of.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many weights it has, padding not counted.
    #[must_use]
    pub fn parameters(&self) -> usize {
        let hidden = |layer: &Layer| (layer.inputs + 1) * layer.nodes;
        self.layout.layers.iter().map(hidden).sum::<usize>() + self.layout.last().nodes + 1
    }

    /// Whether every weight is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.weights.iter().all(|lanes| lanes.0.iter().all(|weight| weight.is_finite()))
    }

    /// Room for its computations.
    #[must_use]
    pub fn trace(&self) -> Trace {
        let nodes = vec![Lanes::ZERO; self.layout.nodes()];
        Trace {
            inputs: vec![0.0; self.shape.inputs()],
            sums: nodes.clone(),
            values: nodes.clone(),
            deltas: nodes,
            output_sum: 0.0,
            output: 0.0,
        }
    }

    /// Computes the output for the trace's inputs.
    pub fn forward(&self, trace: &mut Trace) -> f32 {
        struct Forward<'a>(&'a Network, &'a mut Trace);
        impl Kernel for Forward<'_> {
            type Output = f32;
            #[inline(always)]
            fn run<M: Machine>(self) -> f32 {
                self.0.first_sums(self.1);
                self.0.rest(self.1)
            }
        }
        isa().run(Forward(self, trace))
    }

    /// The sums of the first hidden layer.
    #[inline(always)]
    pub(crate) fn first_sums(&self, trace: &mut Trace) {
        let layer = &self.layout.layers[0];
        let sums = &mut trace.sums[..layer.groups()];
        self.sums(layer, sums, trace.inputs.iter().copied());
    }

    #[inline(always)]
    fn sums(&self, layer: &Layer, sums: &mut [Lanes], inputs: impl Iterator<Item = f32>) {
        let groups = layer.groups();
        let bias = layer.row(layer.inputs);
        sums.copy_from_slice(&self.weights[bias..bias + groups]);
        for (input, value) in inputs.enumerate() {
            if value != 0.0 {
                self.add_row(sums, input, value, layer);
            }
        }
    }

    #[inline(always)]
    fn add_row(&self, sums: &mut [Lanes], input: usize, value: f32, layer: &Layer) {
        let row = layer.row(input);
        let row = &self.weights[row..row + layer.groups()];
        let value = Lanes::splat(value);
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.plus(value.times(weight));
        }
    }

    /// Changes the sums of the first hidden layer as if this input had changed by so much.
    #[inline(always)]
    pub(crate) fn change_input(&self, sums: &mut [Lanes], input: usize, change: f32) {
        self.add_row(sums, input, change, &self.layout.layers[0]);
    }

    /// All that follows the sums of the first hidden layer.
    #[inline(always)]
    pub(crate) fn rest(&self, trace: &mut Trace) -> f32 {
        let activation = self.shape.activation;
        for (index, layer) in self.layout.layers.iter().enumerate() {
            let at = layer.nodes_at;
            if index > 0 {
                let before = self.layout.layers[index - 1].nodes_at;
                let (earlier, sums) = trace.sums.split_at_mut(at);
                debug_assert!(!earlier.is_empty());
                let values = numbers(&trace.values[before..at]);
                self.sums(layer, &mut sums[..layer.groups()], values.take(layer.inputs));
            }
            for place in at..at + layer.groups() {
                trace.values[place] = activation.values(trace.sums[place]);
            }
        }
        let last = self.layout.last();
        let weights = &self.weights[self.layout.output..self.layout.output_bias()];
        let mut sum = Lanes::ZERO;
        for (&value, &weight) in trace.values[last.nodes_at..].iter().zip(weights) {
            sum = sum.plus(value.times(weight));
        }
        trace.output_sum = sum.sum() + self.weights[self.layout.output_bias()].0[0];
        trace.output = self.shape.output.value(trace.output_sum);
        trace.output
    }

    /// One step of plain backpropagation towards a target, from what `forward` left in the trace.
    /// Returns whether there was a gradient: with none, as below the kink of a rectified output,
    /// nothing is learned.
    pub fn learn(&mut self, trace: &mut Trace, target: f32, rate: f32) -> bool {
        let delta = (target - trace.output) * self.output_slope(trace);
        if delta == 0.0 || !delta.is_finite() {
            return false;
        }
        isa().run(Step {
            network: self,
            trace,
            delta,
            rate,
            gradient: None,
        });
        true
    }

    /// Adds the gradient of the output, times `delta`, to `gradient`, which is laid out like the
    /// weights.
    pub(crate) fn add_gradient(&mut self, trace: &mut Trace, delta: f32, gradient: &mut [Lanes]) {
        isa().run(Step {
            network: self,
            trace,
            delta,
            rate: 1.0,
            gradient: Some(gradient),
        });
    }

    /// How fast the output grows with its sum.
    pub(crate) fn output_slope(&self, trace: &Trace) -> f32 {
        self.shape.output.slope(trace.output_sum, trace.output)
    }
}

/// Backpropagation of one position: into the weights, or into a gradient.
struct Step<'a> {
    network: &'a mut Network,
    trace: &'a mut Trace,
    delta: f32,
    rate: f32,
    gradient: Option<&'a mut [Lanes]>,
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self {
            network,
            trace,
            delta,
            rate,
            gradient,
        } = self;
        network.deltas(trace, delta);
        let Network {
            layout, weights, ..
        } = network;
        add_products(layout, trace, delta, rate, gradient.unwrap_or(weights));
    }
}

impl Network {
    /// The share of each node in the error, from the output back, with the weights as they are.
    #[inline(always)]
    fn deltas(&self, trace: &mut Trace, delta: f32) {
        let activation = self.shape.activation;
        let last = self.layout.last();
        let weights = &self.weights[self.layout.output..self.layout.output_bias()];
        for (group, &weight) in weights.iter().enumerate() {
            let place = last.nodes_at + group;
            let slope = activation.slopes(trace.sums[place], trace.values[place]);
            trace.deltas[place] = slope.times(weight.times(Lanes::splat(delta)));
        }
        for pair in self.layout.layers.windows(2).rev() {
            let [lower, upper] = pair else {
                unreachable!("windows of two are pairs")
            };
            let (below, above) = trace.deltas.split_at_mut(upper.nodes_at);
            let below = &mut below[lower.nodes_at..];
            let above = &above[..upper.groups()];
            for node in 0..lower.nodes {
                let row = upper.row(node);
                let row = &self.weights[row..row + upper.groups()];
                let mut sum = Lanes::ZERO;
                for (&weight, &delta) in row.iter().zip(above) {
                    sum = sum.plus(weight.times(delta));
                }
                below[node / LANES].0[node % LANES] = sum.sum();
            }
            for (group, delta) in below.iter_mut().enumerate() {
                let place = lower.nodes_at + group;
                let slope = activation.slopes(trace.sums[place], trace.values[place]);
                *delta = slope.times(*delta);
            }
        }
    }
}

/// Adds `rate` · value · delta to each weight.
#[inline(always)]
fn add_products(layout: &Layout, trace: &Trace, delta: f32, rate: f32, weights: &mut [Lanes]) {
    let mut add = |layer: &Layer, input: usize, value: f32| {
        let row = layer.row(input);
        let row = &mut weights[row..row + layer.groups()];
        let factor = Lanes::splat(rate * value);
        for (weight, &delta) in row.iter_mut().zip(&trace.deltas[layer.nodes_at..]) {
            *weight = weight.plus(factor.times(delta));
        }
    };
    for (index, layer) in layout.layers.iter().enumerate() {
        match index.checked_sub(1) {
            None => {
                for (input, &value) in trace.inputs.iter().enumerate() {
                    if value != 0.0 {
                        add(layer, input, value);
                    }
                }
            }
            Some(before) => {
                let values = &trace.values[layout.layers[before].nodes_at..];
                for (input, value) in numbers(values).take(layer.inputs).enumerate() {
                    if value != 0.0 {
                        add(layer, input, value);
                    }
                }
            }
        }
        add(layer, layer.inputs, 1.0);
    }
    let step = rate * delta;
    let last = layout.last();
    let row = &mut weights[layout.output..layout.output_bias()];
    for (weight, &value) in row.iter_mut().zip(&trace.values[last.nodes_at..]) {
        *weight = weight.plus(Lanes::splat(step).times(value));
    }
    weights[layout.output_bias()].0[0] += step;
}

fn numbers(lanes: &[Lanes]) -> impl Iterator<Item = f32> + Clone {
    lanes.iter().flat_map(|lanes| lanes.0)
}

pub(crate) trait Numbers {
    fn as_flattened_mut_numbers(&mut self) -> impl Iterator<Item = &mut f32>;
}

impl Numbers for [Lanes] {
    fn as_flattened_mut_numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.iter_mut().flat_map(|lanes| lanes.0.iter_mut())
    }
}

/// The instruction set for the networks of this process.
pub(crate) fn isa() -> Isa {
    use std::sync::OnceLock;
    static BEST: OnceLock<Isa> = OnceLock::new();
    *BEST.get_or_init(Isa::best)
}
