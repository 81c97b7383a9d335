//! A fully connected network with one output, and plain backpropagation a position at a time
//! (leiden2018, section 4.4).
//!
//! All weights stand in one array: for each layer a row of weights per input and one for the bias
//! node, then the weights of the output. Rows are padded with zeros to whole lanes; the
//! padding stays zero, because the weights that leave padding nodes are zero and are not learned.
//! Convolutional layers are fully connected ones with ties (`convolution.rs`).

use std::ops::Range;
use std::sync::Arc;

use upstar_games::{Graph, Random};
use upstar_machine::{Isa, Kernel, Machine};

use crate::convolution::Ties;
use crate::lanes::{Aligned, LANES, add_scaled, dot, padded};
use crate::shape::{Initial, Shape};

/// A network: its shape and its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Arc<Shape>,
    /// The graph whose vertices are its cells, if it is not made for a grid.
    graph: Option<Graph>,
    layout: Layout,
    pub(crate) weights: Aligned,
}

/// Where the weights of each layer stand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) layers: Vec<Layer>,
    /// The weights of the output, and behind them its bias.
    pub(crate) output: Range<usize>,
    /// Those of the first layers that are convolutional.
    pub(crate) ties: Arc<Vec<Ties>>,
}

/// A hidden layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) inputs: usize,
    pub(crate) nodes: usize,
    /// The nodes with padding.
    pub(crate) width: usize,
    /// The place of its first row.
    first: usize,
    /// The place of its nodes among those of all layers.
    nodes_at: usize,
}

impl Layer {
    /// The place of the row of an input; the bias is the last one.
    #[inline(always)]
    pub(crate) fn row(&self, input: usize) -> Range<usize> {
        let first = self.first + input * self.width;
        first..first + self.width
    }

    /// The place of its nodes.
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        self.nodes_at..self.nodes_at + self.width
    }
}

impl Layout {
    fn new(shape: &Shape) -> Self {
        let (mut inputs, mut first, mut nodes_at) = (shape.inputs(), 0, 0);
        let mut layers = Vec::new();
        for nodes in shape.widths() {
            let layer = Layer {
                inputs,
                nodes,
                width: padded(nodes),
                first,
                nodes_at,
            };
            first = layer.row(inputs).end;
            nodes_at += layer.width;
            inputs = nodes;
            layers.push(layer);
        }
        Self {
            ties: Arc::new(Ties::of(shape, &layers)),
            layers,
            output: first..first + padded(inputs),
        }
    }

    /// Whether some weights are tied.
    pub(crate) fn has_ties(&self) -> bool {
        !self.ties.is_empty()
    }

    /// Sums a gradient over tied weights.
    pub(crate) fn tie(&self, gradient: &mut [f32]) {
        self.ties.iter().for_each(|ties| ties.tie(gradient));
    }

    /// Whether weights are tied as they should be.
    pub(crate) fn are_tied(&self, weights: &[f32]) -> bool {
        self.ties.iter().all(|ties| ties.hold(weights))
    }

    fn last(&self) -> &Layer {
        self.layers.last().expect("there is a hidden layer")
    }

    /// The place of the output's bias.
    pub(crate) fn output_bias(&self) -> usize {
        self.output.end
    }

    fn nodes(&self) -> usize {
        self.last().range().end
    }

    /// How many numbers there are, padding included.
    fn len(&self) -> usize {
        padded(self.output_bias() + 1)
    }
}

/// What a network computed for one position, and room to compute it in. Made once, used again and
/// again.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The inputs; none if the encoder is sparse.
    pub inputs: Vec<f32>,
    /// For a sparse encoder, the inputs that are there, as often as they are there.
    pub rows: Vec<u32>,
    /// Room for the inputs that are not zero.
    shown: Vec<(usize, f32)>,
    pub(crate) sums: Aligned,
    pub(crate) values: Aligned,
    deltas: Aligned,
    /// Room for a gradient, where weights are tied.
    gradient: Aligned,
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
        let Self {
            layout, weights, ..
        } = &mut network;
        for ties in layout.ties.iter() {
            let kernels = ties.groups.len() - ties.filters;
            let draw = |group| initial.draw(ties.inputs, group >= kernels, random);
            let numbers: Vec<f32> = (0..ties.groups.len()).map(draw).collect();
            ties.set(weights, &numbers);
        }
        for layer in &layout.layers[layout.ties.len()..] {
            for input in 0..=layer.inputs {
                let bias = input == layer.inputs;
                for weight in &mut weights[layer.row(input)][..layer.nodes] {
                    *weight = initial.draw(layer.inputs, bias, random);
                }
            }
        }
        let nodes = layout.last().nodes;
        for weight in &mut weights[layout.output.clone()][..nodes] {
            *weight = initial.draw(nodes, false, random);
        }
        weights[layout.output_bias()] = initial.draw(nodes, true, random);
        network
    }

    pub(crate) fn zero(shape: Shape) -> Self {
        let layout = Layout::new(&shape);
        let weights = Aligned::zeros(layout.len());
        Self {
            shape: Arc::new(shape),
            graph: None,
            layout,
            weights,
        }
    }

    /// The same network for positions on a graph: the cells of its shape, which is a single row, are the
    /// vertices in their order.
    ///
    /// # Panics
    /// If the shape has not as many cells in a row as the graph has vertices, or its encoder does not see
    /// graphs.
    #[must_use]
    pub fn for_graph(mut self, graph: Graph) -> Self {
        let size = (self.shape.grid.rows(), self.shape.grid.cols());
        assert_eq!(size, (1, graph.len()), "a cell for each vertex");
        assert!(self.shape.encoder.sees_graphs(), "an encoder for graphs");
        self.graph = Some(graph);
        self
    }

    /// The graph that it is made for, if it is not a grid.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// What it is made for and of.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its shape, shared by its copies, so that comparing them costs nothing.
    pub(crate) fn shared_shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many weights it has, padding not counted, and tied ones once.
    #[must_use]
    pub fn parameters(&self) -> usize {
        let ties = &self.layout.ties;
        let tied: usize = ties.iter().map(|ties| ties.groups.len()).sum();
        let hidden = |layer: &Layer| (layer.inputs + 1) * layer.nodes;
        let free = self.layout.layers[ties.len()..].iter().map(hidden);
        tied + free.sum::<usize>() + self.layout.last().nodes + 1
    }

    /// The weights that lead from an input to the first hidden layer.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn input_weights(&self, input: usize) -> &[f32] {
        let layer = &self.layout.layers[0];
        assert!(input < layer.inputs, "an input of this network");
        &self.weights[layer.row(input)][..layer.nodes]
    }

    /// Whether every weight is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }

    /// Room for its computations.
    #[must_use]
    pub fn trace(&self) -> Trace {
        let nodes = Aligned::zeros(self.layout.nodes());
        Trace {
            inputs: match self.shape.encoder.is_sparse() {
                true => Vec::new(),
                false => vec![0.0; self.layout.layers[0].inputs],
            },
            rows: Vec::new(),
            shown: Vec::new(),
            sums: nodes.clone(),
            values: nodes.clone(),
            deltas: nodes,
            gradient: Aligned::zeros(if self.layout.has_ties() {
                self.layout.len()
            } else {
                0
            }),
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
        Isa::best().run(Forward(self, trace))
    }

    /// The sums of the first hidden layer.
    #[inline(always)]
    pub(crate) fn first_sums(&self, trace: &mut Trace) {
        let layer = &self.layout.layers[0];
        let sums = &mut trace.sums[layer.range()];
        // Written without a branch, which could not be foretold.
        let (shown, mut count) = (&mut trace.shown, 0);
        shown.resize(trace.inputs.len(), (0, 0.0));
        for (input, &value) in trace.inputs.iter().enumerate() {
            shown[count] = (input, value);
            count += usize::from(value != 0.0);
        }
        // Without inputs these are the weights of the bias node.
        let bias = &self.weights[layer.row(layer.inputs)];
        self.changed_sums(bias, &shown[..count], sums);
        for &input in &trace.rows {
            add_scaled(sums, 1.0, &self.weights[layer.row(input as usize)]);
        }
    }

    #[inline(always)]
    fn sums(&self, layer: &Layer, sums: &mut [f32], inputs: &[f32]) {
        sums.copy_from_slice(&self.weights[layer.row(layer.inputs)]);
        for (input, &value) in inputs.iter().enumerate() {
            if value != 0.0 {
                add_scaled(sums, value, &self.weights[layer.row(input)]);
            }
        }
    }

    /// What the sums of the first hidden layer become where inputs change, each by so much: group by group, so that
    /// a group stays in a register until all of its changes are added.
    #[inline(always)]
    pub(crate) fn changed_sums(&self, base: &[f32], changes: &[(usize, f32)], sums: &mut [f32]) {
        let (base, _) = base.as_chunks::<LANES>();
        let (sums, _) = sums.as_chunks_mut::<LANES>();
        for (group, (sums, base)) in sums.iter_mut().zip(base).enumerate() {
            let mut numbers = *base;
            for &(input, change) in changes {
                let row = self.layout.layers[0].row(input).start + group * LANES;
                let row: &[f32; LANES] = self.weights[row..][..LANES].try_into().expect("a group");
                for lane in 0..LANES {
                    numbers[lane] += change * row[lane];
                }
            }
            *sums = numbers;
        }
    }

    /// All that follows the sums of the first hidden layer.
    #[inline(always)]
    fn rest(&self, trace: &mut Trace) -> f32 {
        let width = self.layout.layers[0].width;
        let (sums, deeper_sums) = trace.sums.split_at_mut(width);
        let (values, deeper_values) = trace.values.split_at_mut(width);
        self.shape.activation.values(sums, values);
        trace.output_sum = self.output_sum(values, [deeper_sums, deeper_values]);
        trace.output = self.shape.output.value(trace.output_sum);
        trace.output
    }

    /// The output's sum for these values of the first hidden layer. There is room for sums and values
    /// of the deeper ones.
    #[inline(always)]
    pub(crate) fn output_sum<'a>(
        &self,
        mut values: &'a [f32],
        [mut room_for_sums, mut room_for_values]: [&'a mut [f32]; 2],
    ) -> f32 {
        for layer in &self.layout.layers[1..] {
            let (sums, deeper_sums) = room_for_sums.split_at_mut(layer.width);
            let (here, deeper_values) = room_for_values.split_at_mut(layer.width);
            self.sums(layer, sums, &values[..layer.inputs]);
            self.shape.activation.values(sums, here);
            (values, room_for_sums, room_for_values) = (here, deeper_sums, deeper_values);
        }
        let sum = dot(values, &self.weights[self.layout.output.clone()]);
        sum + self.weights[self.layout.output_bias()]
    }

    /// One step of plain backpropagation towards a target, from what `forward` left in the trace.
    /// Returns whether there was a gradient: with none, as below the kink of a rectified output,
    /// nothing is learned.
    pub fn learn(&mut self, trace: &mut Trace, target: f32, rate: f32) -> bool {
        let delta = (target - trace.output) * self.output_slope(trace);
        self.step(trace, delta, rate)
    }

    /// The same without the slope of the output node, see [`Lesson::output_derivative`](crate::Lesson).
    pub fn learn_without_slope(&mut self, trace: &mut Trace, target: f32, rate: f32) -> bool {
        let delta = target - trace.output;
        self.step(trace, delta, rate)
    }

    fn step(&mut self, trace: &mut Trace, delta: f32, rate: f32) -> bool {
        if delta == 0.0 || !delta.is_finite() {
            return false;
        }
        Isa::best().run(Step {
            network: self,
            trace,
            delta,
            rate,
            gradient: None,
        });
        true
    }

    /// Adds the gradient of the output, times `delta`, to `gradient`, which is laid out like the
    /// weights. Before it is used, it has to be summed over tied weights.
    pub(crate) fn add_gradient(&mut self, trace: &mut Trace, delta: f32, gradient: &mut [f32]) {
        Isa::best().run(Step {
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
    gradient: Option<&'a mut [f32]>,
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
        match gradient {
            Some(gradient) => add_products(layout, trace, delta, rate, gradient),
            None if layout.has_ties() => {
                let mut gradient = std::mem::replace(&mut trace.gradient, Aligned::zeros(0));
                gradient.fill(0.0);
                add_products(layout, trace, delta, rate, &mut gradient);
                layout.tie(&mut gradient);
                add_scaled(weights, 1.0, &gradient);
                trace.gradient = gradient;
            }
            None => add_products(layout, trace, delta, rate, weights),
        }
    }
}

impl Network {
    /// The share of each node in the error, from the output back, with the weights as they are.
    #[inline(always)]
    fn deltas(&self, trace: &mut Trace, delta: f32) {
        let mut above: Option<&Layer> = None;
        for layer in self.layout.layers.iter().rev() {
            let range = layer.range();
            match above {
                None => {
                    let weights = &self.weights[self.layout.output.clone()];
                    for (share, &weight) in trace.deltas[range.clone()].iter_mut().zip(weights) {
                        *share = delta * weight;
                    }
                }
                Some(above) => {
                    let (below, upper) = trace.deltas.split_at_mut(above.nodes_at);
                    let upper = &upper[..above.width];
                    for (node, share) in below[layer.nodes_at..][..layer.nodes]
                        .iter_mut()
                        .enumerate()
                    {
                        *share = dot(&self.weights[above.row(node)], upper);
                    }
                }
            }
            let (sums, values) = (&trace.sums[range.clone()], &trace.values[range.clone()]);
            let shares = &mut trace.deltas[range];
            self.shape.activation.times_slopes(shares, sums, values);
            above = Some(layer);
        }
    }
}

/// Adds `rate` · value · delta to each weight.
#[inline(always)]
fn add_products(layout: &Layout, trace: &Trace, delta: f32, rate: f32, weights: &mut [f32]) {
    for &input in &trace.rows {
        let layer = &layout.layers[0];
        let row = &mut weights[layer.row(input as usize)];
        add_scaled(row, rate, &trace.deltas[layer.range()]);
    }
    let mut inputs: &[f32] = &trace.inputs;
    for layer in &layout.layers {
        let deltas = &trace.deltas[layer.range()];
        for (input, &value) in inputs.iter().enumerate() {
            if value != 0.0 {
                add_scaled(&mut weights[layer.row(input)], rate * value, deltas);
            }
        }
        add_scaled(&mut weights[layer.row(layer.inputs)], rate, deltas);
        inputs = &trace.values[layer.range()][..layer.nodes];
    }
    // Not the padding: the value of a padding node need not be zero.
    let last = layout.last();
    let values = &trace.values[last.range()][..last.nodes];
    let row = &mut weights[layout.output.clone()][..last.nodes];
    for (weight, &value) in row.iter_mut().zip(values) {
        *weight += rate * delta * value;
    }
    weights[layout.output_bias()] += rate * delta;
}
