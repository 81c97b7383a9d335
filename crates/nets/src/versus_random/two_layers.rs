//! Games against Random for a network with two hidden layers of rectifiers, a game at a time.
//!
//! It computes what [`Plain`](super::Plain) computes, in the same order, so that weights are the same
//! bit for bit as long as all of them are finite; a plain network skips inputs of 0, this one does
//! not. It is fast because rows stay in registers: the first layer of a child is its parent's with
//! two rows added, and the second layer is computed for two children at a time. With `HALF` the last
//! group of a row is half padding, which a machine with vectors of eight numbers leaves out.
//!
//! There are no closures around what `Machine` does: they would not have its features.

use upstar_games::{Cells, Random};
use upstar_machine::Machine;

use super::board::{Edge, Side, Slots, TOGETHER, count, list, moves, nth, play};
use super::children::Choice;
use super::group::{Group, get, load, numbers, put, store, summed};
use super::{Lesson, Record};
use crate::lanes::LANES;
use crate::network::Network;

/// The weights that leave a node, or the sums or values of a layer: K groups.
type Row<const K: usize> = [Group; K];

/// A network at play on one board, with layers of at most K groups.
#[derive(Clone, Debug)]
pub(super) struct TwoLayers<B, const W: usize, const K: usize> {
    slots: Slots<W>,
    own: Side<B, W>,
    opponent: Side<B, W>,
    /// Whether the network moves first.
    first: bool,
    /// Whether the last group of both layers is half padding.
    half: bool,
    weights: Weights<K>,
    /// The moves at hand.
    legal: Vec<Edge>,
    /// The stones of both sides in each position that the network chose, its own first.
    chosen: Vec<[B; 2]>,
    won: bool,
}

#[derive(Clone, Debug)]
struct Weights<const K: usize> {
    /// For each cell, and then for the bias node, a row.
    first: Vec<Row<K>>,
    /// The same for each node of the first layer.
    second: Vec<Row<K>>,
    output: Row<K>,
    output_bias: f32,
    /// The slopes below 0 of hidden nodes and output.
    leak: f32,
    output_leak: f32,
}

/// What a move does to the sums of the first layer: two rows come in, that of the lower cell first.
#[derive(Clone, Copy, Debug)]
struct Change {
    cells: [u8; 2],
    factors: [f32; 2],
}

impl Change {
    #[inline(always)]
    fn new(Edge { from, to }: Edge) -> Self {
        let upwards = from < to;
        Self {
            cells: if upwards { [from, to] } else { [to, from] },
            factors: if upwards { [-1.0, 2.0] } else { [2.0, -1.0] },
        }
    }
}

/// What the network computed for a position.
struct Trace<F, const K: usize> {
    sums: [[F; K]; 2],
    values: [[F; K]; 2],
    output_sum: f32,
}

impl<B: Cells, const W: usize, const K: usize> TwoLayers<B, W, K> {
    pub(super) fn new(
        slots: Slots<W>,
        network: &Network,
        [own, opponent]: [B; 2],
        first: bool,
    ) -> Self {
        Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            half: network
                .layout()
                .layers
                .iter()
                .all(|layer| layer.nodes + LANES / 2 <= K * LANES),
            weights: Weights::new(network),
            legal: vec![Edge::default(); Slots::<W>::ROOM],
            chosen: Vec::with_capacity((own | opponent).len() as usize),
            won: false,
            slots,
        }
    }

    /// Writes the weights back.
    pub(super) fn write(&self, network: &mut Network) {
        self.weights.write(network);
    }

    /// Whether the last group of a row is half padding.
    pub(super) fn is_half(&self) -> bool {
        self.half
    }

    /// Plays a game.
    #[inline(always)]
    pub(super) fn play<M: Machine, const HALF: bool>(
        &mut self,
        random: &mut Random,
        record: &mut Record,
    ) {
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.chosen.clear();
        let mut networks_turn = self.first;
        self.won = loop {
            if networks_turn {
                let len = list(&moves(&own, &opponent), &self.slots, &mut self.legal);
                if len == 0 {
                    break false;
                }
                let choice = self.best::<M, HALF>(len, [own.stones, opponent.stones]);
                record.opinions += u64::from(choice.opinion);
                play(&mut own, &mut opponent, choice.edge, &self.slots);
                self.chosen.push([own.stones, opponent.stones]);
            } else {
                let legal = moves(&opponent, &own);
                let count = count(&legal);
                if count == 0 {
                    break true;
                }
                let edge = nth::<M, W>(&legal, random.below(count), &self.slots);
                play(&mut opponent, &mut own, edge, &self.slots);
            }
            networks_turn = !networks_turn;
        };
        record.games += 1;
        record.wins += u64::from(self.won);
        record.positions += self.chosen.len() as u64;
    }

    /// The first move of the highest value among the `len` that are listed.
    #[inline(always)]
    fn best<M: Machine, const HALF: bool>(&self, len: usize, stones: [B; 2]) -> Choice {
        if len == 1 {
            return Choice {
                edge: self.legal[0],
                opinion: false,
            };
        }
        let base = self.weights.first_sums::<M, B, HALF>(stones);
        let (mut best, mut highest, mut lowest) = (0, 0.0, 0.0);
        for (four, edges) in self.legal.as_chunks::<TOGETHER>().0[..len.div_ceil(TOGETHER)]
            .iter()
            .enumerate()
        {
            let values = self.weights.children::<M, HALF>(&base, edges);
            for (child, &value) in values.iter().enumerate() {
                let index = TOGETHER * four + child;
                if index == 0 {
                    (highest, lowest) = (value, value);
                } else if index < len {
                    // What is not a number loses against every number.
                    if value > highest || (highest.is_nan() && !value.is_nan()) {
                        (best, highest) = (index, value);
                    }
                    if value < lowest {
                        lowest = value;
                    }
                }
            }
        }
        Choice {
            edge: self.legal[best],
            opinion: lowest < highest,
        }
    }

    /// Learns the game that was just played.
    #[inline(always)]
    pub(super) fn learn<M: Machine, const HALF: bool>(
        &mut self,
        lesson: &Lesson,
        record: &mut Record,
    ) {
        let target = if self.won {
            lesson.target
        } else {
            -lesson.target
        };
        let mut rate = lesson.learning_rate;
        for &stones in &self.chosen {
            let live =
                self.weights
                    .learn::<M, B, HALF>(stones, target, rate, lesson.output_derivative);
            record.live += u64::from(live);
            rate *= 1.0 + lesson.temporal_rate;
        }
    }
}

/// Where the number of a node is: its group, and its place there. There are at most K groups, so that
/// an index needs no check.
#[inline(always)]
fn place<const K: usize>(node: usize) -> (usize, usize) {
    ((node / LANES) % K, node % LANES)
}

/// The value of a rectifier.
#[inline(always)]
fn value(sum: f32, leak: f32) -> f32 {
    if sum > 0.0 { sum } else { leak * sum }
}

/// The values of rectifiers.
#[inline(always)]
fn values<M: Machine, const K: usize>(sums: &[M::Floats; K], leak: f32) -> [M::Floats; K] {
    let (zero, leak) = (M::splat(0.0), M::splat(leak));
    let mut values = *sums;
    for k in 0..K {
        values[k] = M::choose(sums[k], zero, [sums[k], M::mul(sums[k], leak)]);
    }
    values
}

/// Multiplies by the slopes of rectifiers at these sums.
#[inline(always)]
fn times_slopes<M: Machine, const K: usize>(
    shares: &mut [M::Floats; K],
    sums: &[M::Floats; K],
    leak: f32,
) {
    let (zero, leak) = (M::splat(0.0), M::splat(leak));
    for k in 0..K {
        shares[k] = M::choose(sums[k], zero, [shares[k], M::mul(shares[k], leak)]);
    }
}

/// The products of two rows, added up lane by lane.
#[inline(always)]
fn products<M: Machine, const K: usize, const HALF: bool>(
    a: &[M::Floats; K],
    b: &[M::Floats; K],
) -> M::Floats {
    let mut total = M::splat(0.0);
    for k in 0..K {
        let sum = M::add(total, M::mul(a[k], b[k]));
        total = summed::<M>(sum, total, HALF && k + 1 == K);
    }
    total
}

/// Adds these numbers to a row.
#[inline(always)]
fn add_to<M: Machine, const K: usize, const HALF: bool>(
    row: &mut Row<K>,
    numbers: &[M::Floats; K],
) {
    for k in 0..K {
        let low = HALF && k + 1 == K;
        put::<M>(M::add(get::<M>(&row[k], low), numbers[k]), &mut row[k], low);
    }
}

/// The same numbers, times a factor.
#[inline(always)]
fn scaled<M: Machine, const K: usize>(numbers: &[M::Floats; K], factor: f32) -> [M::Floats; K] {
    let factor = M::splat(factor);
    let mut scaled = *numbers;
    for k in 0..K {
        scaled[k] = M::mul(numbers[k], factor);
    }
    scaled
}

impl<const K: usize> Weights<K> {
    fn new(network: &Network) -> Self {
        let (shape, layout) = (network.shape(), network.layout());
        let row = |range: std::ops::Range<usize>| -> Row<K> {
            let row = Group::row(K, &network.weights[range], 1.0);
            row.try_into().expect("it was made with K groups")
        };
        let rows = |layer: usize| -> Vec<Row<K>> {
            let layer = layout.layers[layer];
            let rows = (0..=layer.inputs).map(|input| row(layer.row(input)));
            rows.collect()
        };
        let leak = |activation: crate::Activation| activation.leak().expect("it is a rectifier");
        Self {
            first: rows(0),
            second: rows(1),
            output: row(layout.output.clone()),
            output_bias: network.weights[layout.output_bias()],
            leak: leak(shape.activation),
            output_leak: leak(shape.output),
        }
    }

    fn write(&self, network: &mut Network) {
        let layout = network.layout().clone();
        let mut write = |range: std::ops::Range<usize>, row: &Row<K>| {
            for (weight, number) in network.weights[range].iter_mut().zip(numbers(row)) {
                *weight = number;
            }
        };
        for (layer, rows) in layout.layers.iter().zip([&self.first, &self.second]) {
            for (input, row) in rows.iter().enumerate() {
                write(layer.row(input), row);
            }
        }
        write(layout.output.clone(), &self.output);
        network.weights[layout.output_bias()] = self.output_bias;
    }

    /// The sums of the first layer.
    #[inline(always)]
    fn first_sums<M: Machine, B: Cells, const HALF: bool>(
        &self,
        [own, opponent]: [B; 2],
    ) -> [M::Floats; K] {
        let mut sums = load::<M, K, HALF>(&self.first[self.first.len() - 1]);
        for cell in (own | opponent).iter() {
            let sign = if own.contains(cell) { 1.0 } else { -1.0 };
            let sign = M::splat(sign);
            let row = load::<M, K, HALF>(&self.first[cell.index()]);
            for k in 0..K {
                sums[k] = M::mul_add(row[k], sign, sums[k]);
            }
        }
        sums
    }

    /// The values of four children of the position with these sums.
    #[inline(always)]
    fn children<M: Machine, const HALF: bool>(
        &self,
        base: &[M::Floats; K],
        edges: &[Edge; TOGETHER],
    ) -> [f32; TOGETHER] {
        let mut inputs = [[[0.0; LANES]; K]; TOGETHER];
        for child in 0..TOGETHER {
            let Change { cells, factors } = Change::new(edges[child]);
            let lower = load::<M, K, HALF>(&self.first[usize::from(cells[0])]);
            let upper = load::<M, K, HALF>(&self.first[usize::from(cells[1])]);
            let factors = [M::splat(factors[0]), M::splat(factors[1])];
            let mut sums = *base;
            for k in 0..K {
                sums[k] = M::mul_add(lower[k], factors[0], sums[k]);
                sums[k] = M::mul_add(upper[k], factors[1], sums[k]);
            }
            let values = values::<M, K>(&sums, self.leak);
            for k in 0..K {
                M::store(values[k], &mut inputs[child][k]);
            }
        }
        let (bias, rows) = self.second.split_last().expect("there is the bias's row");
        let (bias, output) = (load::<M, K, HALF>(bias), load::<M, K, HALF>(&self.output));
        let mut outputs = [0.0; TOGETHER];
        for two in 0..TOGETHER / 2 {
            let [one, other] = &inputs.as_chunks::<2>().0[two];
            let inputs = one.as_flattened().iter().zip(other.as_flattened());
            let mut sums = [bias; 2];
            for (row, (&one, &other)) in rows.iter().zip(inputs) {
                let row = load::<M, K, HALF>(row);
                let values = [M::splat(one), M::splat(other)];
                for child in 0..2 {
                    for k in 0..K {
                        sums[child][k] = M::add(sums[child][k], M::mul(row[k], values[child]));
                    }
                }
            }
            for child in 0..2 {
                let values = values::<M, K>(&sums[child], self.leak);
                let sum = M::sum(products::<M, K, HALF>(&values, &output)) + self.output_bias;
                outputs[2 * two + child] = value(sum, self.output_leak);
            }
        }
        outputs
    }

    #[inline(always)]
    fn forward<M: Machine, B: Cells, const HALF: bool>(
        &self,
        stones: [B; 2],
    ) -> Trace<M::Floats, K> {
        let first = self.first_sums::<M, B, HALF>(stones);
        let first_values = values::<M, K>(&first, self.leak);
        let mut inputs = [Group::ZERO; K];
        store::<M, K, HALF>(first_values, &mut inputs);
        let (bias, rows) = self.second.split_last().expect("there is the bias's row");
        let mut second = load::<M, K, HALF>(bias);
        for (node, row) in rows.iter().enumerate() {
            let (group, lane) = place::<K>(node);
            let value = M::splat(inputs[group].0[lane]);
            let row = load::<M, K, HALF>(row);
            for k in 0..K {
                second[k] = M::add(second[k], M::mul(row[k], value));
            }
        }
        let second_values = values::<M, K>(&second, self.leak);
        let output = load::<M, K, HALF>(&self.output);
        Trace {
            sums: [first, second],
            values: [first_values, second_values],
            output_sum: M::sum(products::<M, K, HALF>(&second_values, &output)) + self.output_bias,
        }
    }

    /// One step of backpropagation; whether there was a gradient.
    #[inline(always)]
    fn learn<M: Machine, B: Cells, const HALF: bool>(
        &mut self,
        stones: [B; 2],
        target: f32,
        rate: f32,
        output_derivative: bool,
    ) -> bool {
        let trace = self.forward::<M, B, HALF>(stones);
        let output = value(trace.output_sum, self.output_leak);
        let slope = if trace.output_sum > 0.0 || !output_derivative {
            1.0
        } else {
            self.output_leak
        };
        let delta = (target - output) * slope;
        if delta == 0.0 || !delta.is_finite() {
            return false;
        }
        // The share of each node in the error, with the weights as they are.
        let mut upper = scaled::<M, K>(&load::<M, K, HALF>(&self.output), delta);
        times_slopes::<M, K>(&mut upper, &trace.sums[1], self.leak);
        let (bias, rows) = self
            .second
            .split_last_mut()
            .expect("there is the bias's row");
        let mut shares = [Group::ZERO; K];
        for (node, row) in rows.iter().enumerate() {
            let (group, lane) = place::<K>(node);
            shares[group].0[lane] =
                M::sum(products::<M, K, HALF>(&load::<M, K, HALF>(row), &upper));
        }
        let mut lower = load::<M, K, HALF>(&shares);
        times_slopes::<M, K>(&mut lower, &trace.sums[0], self.leak);
        // Then the weights, each by its share times the value that it carries.
        let step = scaled::<M, K>(&lower, rate);
        let back = scaled::<M, K>(&step, -1.0);
        let [own, opponent] = stones;
        for (stones, step) in [(own, &step), (opponent, &back)] {
            for cell in stones.iter() {
                add_to::<M, K, HALF>(&mut self.first[cell.index()], step);
            }
        }
        let last = self.first.len() - 1;
        add_to::<M, K, HALF>(&mut self.first[last], &step);
        let mut inputs = [Group::ZERO; K];
        store::<M, K, HALF>(scaled::<M, K>(&trace.values[0], rate), &mut inputs);
        for (node, row) in rows.iter_mut().enumerate() {
            let (group, lane) = place::<K>(node);
            add_to::<M, K, HALF>(row, &scaled::<M, K>(&upper, inputs[group].0[lane]));
        }
        add_to::<M, K, HALF>(bias, &scaled::<M, K>(&upper, rate));
        let step = scaled::<M, K>(&trace.values[1], rate * delta);
        add_to::<M, K, HALF>(&mut self.output, &step);
        self.output_bias += rate * delta;
        true
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::{Clobber, Color, Grid, Rules, Variant, clobber};
    use upstar_machine::Isa;

    use super::super::{Plain, VersusRandom};
    use super::*;
    use crate::activation::Activation;
    use crate::encoder::Encoder;
    use crate::shape::{Initial, Shape};

    fn network(grid: Grid, hidden: [usize; 2], activation: Activation) -> Network {
        let shape = Shape {
            game: Variant::Clobber,
            grid,
            encoder: Encoder::Leiden2018,
            convolutions: Vec::new(),
            hidden: hidden.to_vec(),
            activation,
            output: activation,
        };
        Network::new(shape, Initial::LEIDEN2018, &mut Random::new(5))
    }

    const LESSON: Lesson = Lesson {
        learning_rate: 2e-8,
        target: 20.0,
        temporal_rate: 0.1,
        output_derivative: true,
        all_positions: false,
    };

    /// Fast against plain, bit for bit: boards for each width of words, layers of one group and of two,
    /// both activations, both colours, on every machine.
    #[test]
    fn weights_are_those_of_plain_backpropagation() {
        for (size, hidden) in [
            ("4x5", [20, 20]),
            ("1x9", [3, 5]),
            ("3x3", [16, 32]),
            ("6x6", [20, 20]),
            ("5x6", [32, 7]),
            ("9x9", [17, 4]),
        ] {
            let grid: Grid = size.parse().unwrap();
            let game = Clobber::<u128>::new(grid);
            let start = game
                .position(&clobber::checkerboard(grid), Color::Black)
                .unwrap();
            for (activation, output_derivative) in [
                (Activation::Relu, true),
                (Activation::LEAKY_RELU, true),
                (Activation::LEAKY_RELU, false),
            ] {
                let lesson = Lesson {
                    output_derivative,
                    ..LESSON
                };
                for color in [Color::Black, Color::White] {
                    let network = network(grid, hidden, activation);
                    let mut plain =
                        Plain::new(network.clone(), game.clone(), start, color).unwrap();
                    let learned = plain.learn(&lesson, 3, 0..60);
                    let expected = plain.evaluate(3, 100..120);
                    let what = format!("{size} {hidden:?} {activation} {color}");
                    assert!(learned.live > 0 && expected.opinions > 0, "{what}");
                    for isa in Isa::available() {
                        let mut fast =
                            VersusRandom::on(isa, network.clone(), &game, &start, color).unwrap();
                        let mut record = fast.learn(&lesson, 3, 0..25);
                        record.merge(&fast.learn(&lesson, 3, 25..60));
                        record.opinions = learned.opinions;
                        assert_eq!(record, learned, "{what}");
                        assert_eq!(fast.evaluate(3, 100..120), expected, "{what}");
                        assert_eq!(fast.network(), plain.network(), "{what}");
                    }
                }
            }
        }
    }

    /// leiden2018, table 5.7, has both: networks that learn, and networks that die in the first games.
    #[test]
    fn steps_that_are_too_large_kill_a_network_as_the_plain_way_does() {
        let grid: Grid = "4x5".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let network = network(grid, [20, 20], Activation::Relu);
        let lesson = Lesson {
            learning_rate: 2e-4,
            target: 100.0,
            temporal_rate: 0.0,
            output_derivative: true,
            all_positions: false,
        };
        let mut plain = Plain::new(network.clone(), game.clone(), start, Color::Black).unwrap();
        let mut fast = VersusRandom::new(network, &game, &start, Color::Black).unwrap();
        let expected = plain.learn(&lesson, 1, 0..2000);
        let record = fast.learn(&lesson, 1, 0..2000);
        assert_eq!((record.wins, record.live), (expected.wins, expected.live));
        assert_eq!(fast.network(), plain.network());
        assert!(fast.evaluate(1, 2000..2100).is_dead());
    }

    #[test]
    fn larger_layers_and_more_of_them_go_the_plain_way() {
        let grid: Grid = "4x5".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let fits = |hidden: &[usize]| {
            let mut shape = network(grid, [1, 1], Activation::Relu).shape().clone();
            shape.hidden = hidden.to_vec();
            let network = Network::new(shape, Initial::LEIDEN2018, &mut Random::new(1));
            VersusRandom::new(network, &game, &start, Color::Black).is_some()
        };
        assert!(fits(&[32, 32]) && fits(&[100]));
        assert!(!fits(&[33, 20]) && !fits(&[20, 33]) && !fits(&[20, 20, 20]));
    }
}
