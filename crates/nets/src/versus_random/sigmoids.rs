//! Networks with one hidden layer of sigmoids, as in etoeharnowo2017, reordered as in `game.rs`: the
//! first layer by difference, and one change of each row of weights per event of a game.
//!
//! No child needs an exponential of its own. With T = exp(−beta · w) for each weight w, found once per
//! game, and E the same of a parent's sum s, a child's value 1 / (1 + exp(−beta · (s − l + 2t))) for the
//! weights l and t of the cells left and taken is L / (L + E · T²). Where these powers might leave the
//! range of numbers, the sums are taken.
//!
//! Two things are more general. The encoder of that thesis shows the colours and the turn: for White all
//! its inputs have the other sign, which the weights take on here; and the turn is a row like those of
//! the cells, 1 when the network is to move and −1 after its move. And the positions after the
//! opponent's moves may be learned too.
//!
//! Sums have a fixed order, and no multiplication by anything but a power of two is fused with an
//! addition, so that a seed gives the same weights on every machine, bit for bit.

use std::ops::Range;

use upstar_games::{Cells, Random};
use upstar_machine::{Four, Machine};

use super::board::{Edge, Side, Slots, TOGETHER, count, list, moves, nth, play};
use super::children::ordered;
use super::group::{Along, Group, along, get, load, numbers, row, row_mut, store, summed};
use super::{Lesson, Record};
use crate::activation::Activation;
use crate::encoder::Encoder;
use crate::lanes::LANES;
use crate::network::Network;

/// A network at play on one board, with all the room it needs.
#[derive(Clone, Debug)]
pub(super) struct Sigmoids<B, const W: usize> {
    slots: Slots<W>,
    own: Side<B, W>,
    opponent: Side<B, W>,
    /// Whether the network moves first.
    first: bool,
    /// The cells with stones at the start, and the inputs there.
    occupied: Vec<(u8, f32)>,
    /// The groups of a row, and whether the last is half padding.
    width: usize,
    half: bool,
    weights: Weights,
    /// What follows from the weights: those of the cells, −beta times, as powers of e; their squares; the
    /// greatest of these exponents of 2, without sign; and the sums at the start.
    powers: Vec<Group>,
    squares: Vec<Group>,
    reach: f32,
    start: Vec<Group>,
    /// The game: the sums of the position at hand, and what they are after a move of the network but for
    /// the cells; and the positions to learn, their sums, and later their steps.
    sums: Vec<Group>,
    turned: Vec<Group>,
    /// These sums, −beta times, as powers of e.
    base: Vec<Group>,
    learned: Vec<Learned<B>>,
    learned_sums: Vec<Group>,
    steps: Vec<Group>,
    /// The values of a position's nodes, while it is learned.
    values: Vec<Group>,
    /// The products of a position and those before it.
    factors: Vec<f32>,
    events: Vec<Event>,
    won: bool,
    /// The children of a position, and their outputs.
    edges: Vec<Edge>,
    outputs: Vec<Group>,
}

/// The weights, all with the network's own stones as 1.
#[derive(Clone, Debug)]
struct Weights {
    /// A row for each cell, and one of zeros for a cell beyond the board.
    rows: Vec<Group>,
    /// The row of the turn, zeros if the encoder does not show it.
    turn: Vec<Group>,
    shows_turn: bool,
    bias: Vec<Group>,
    output: Vec<Group>,
    output_bias: f32,
    /// 1 for nodes, 0 for padding.
    nodes: Vec<Group>,
    /// The steepness of the hidden nodes and of the output.
    betas: [f32; 2],
    /// −1 if the encoder shows the network's stones so.
    sign: f32,
}

/// A position to learn.
#[derive(Clone, Copy, Debug)]
struct Learned<B> {
    own: B,
    occupied: B,
    /// The input of the turn.
    turn: i8,
}

/// From position `at` on, the inputs of the cells left and taken differ from what they were: by `-sign`
/// and by twice `sign`.
#[derive(Clone, Copy, Debug)]
struct Event {
    edge: Edge,
    at: u8,
    sign: f32,
}

/// The exponents of 2 of sigmoids with this steepness: 1 / (1 + 2 to their power) is the value.
#[inline(always)]
fn exponents<M: Machine>(sums: M::Floats, beta: f32) -> M::Floats {
    M::mul(sums, M::splat(-beta * std::f32::consts::LOG2_E))
}

/// The values of sigmoids whose steepness is `beta`.
#[inline(always)]
fn sigmoids<M: Machine>(sums: M::Floats, beta: f32) -> M::Floats {
    let one = M::splat(1.0);
    let powers = M::exp2(exponents::<M>(sums, beta));
    M::div(one, M::add(one, powers))
}

/// The greatest number by lane, but not below 0.
#[inline(always)]
fn greatest<M: Machine>(lanes: M::Floats) -> f32 {
    let mut numbers = [0.0; LANES];
    M::store(lanes, &mut numbers);
    let mut greatest = 0.0;
    for number in numbers {
        greatest = if number > greatest { number } else { greatest };
    }
    greatest
}

/// The value of one.
#[inline(always)]
fn sigmoid<M: Machine>(sum: f32, beta: f32) -> f32 {
    let mut values = [0.0; LANES];
    M::store(sigmoids::<M>(M::splat(sum), beta), &mut values);
    values[0]
}

/// The slopes at these values, but for the steepness.
#[inline(always)]
fn slopes<M: Machine>(values: M::Floats) -> M::Floats {
    M::mul(values, M::sub(M::splat(1.0), values))
}

/// Adds `factor` times another row: −2, −1, 1 or 2, so that only the sum is rounded.
#[inline(always)]
fn add_scaled<M: Machine>(row: &mut [Group], factor: f32, other: &[Group]) {
    let factor = M::splat(factor);
    for (group, other) in row.iter_mut().zip(other) {
        let sum = M::mul_add(M::load(&other.0), factor, M::load(&group.0));
        M::store(sum, &mut group.0);
    }
}

/// The sums and values of a position after all steps of those before, each times the product of both
/// positions; and by lane what they make of the output.
struct Settle<'a, M: Machine> {
    sums: &'a mut [Group],
    values: &'a mut [Group],
    steps: &'a [Group],
    factors: &'a [f32],
    output: &'a [Group],
    beta: f32,
    total: M::Floats,
    width: usize,
}

impl<M: Machine> Along<M> for Settle<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let mut sums = load::<M, T, LOW>(&self.sums[at..][..T]);
        for (before, &factor) in self.factors.iter().enumerate() {
            let factor = M::splat(factor);
            let steps = &self.steps[before * self.width + at..][..T];
            for k in 0..T {
                let step = M::mul(get::<M>(&steps[k], LOW && k + 1 == T), factor);
                sums[k] = M::add(sums[k], step);
            }
        }
        let (output, values) = (&self.output[at..][..T], &mut self.values[at..][..T]);
        for k in 0..T {
            let value = sigmoids::<M>(sums[k], self.beta);
            self.total = M::add(self.total, M::mul(value, M::load(&output[k].0)));
            M::store(value, &mut values[k].0);
        }
        store::<M, T, LOW>(sums, &mut self.sums[at..][..T]);
    }
}

impl Weights {
    /// Those of a network with so many cells, and the groups of a row.
    fn new(network: &Network, cells: usize, sign: f32) -> (Self, usize) {
        let (shape, layout) = (network.shape(), network.layout());
        let layer = layout.layers[0];
        let width = layer.nodes.div_ceil(LANES);
        let copied = |range: Range<usize>, factor: f32| -> Vec<Group> {
            Group::row(width, &network.weights[range], factor)
        };
        let first = shape.encoder.first_cell();
        let shows_turn = shape.encoder == Encoder::Etoeharnowo2017;
        let mut rows: Vec<Group> = (0..cells)
            .flat_map(|cell| copied(layer.row(first + cell), sign))
            .collect();
        rows.resize((cells + 1) * width, Group::ZERO);
        let weights = Self {
            rows,
            turn: match shows_turn {
                true => copied(layer.row(0), sign),
                false => vec![Group::ZERO; width],
            },
            shows_turn,
            bias: copied(layer.row(layer.inputs), 1.0),
            output: copied(layout.output.clone(), 1.0),
            output_bias: network.weights[layout.output_bias()],
            nodes: Group::row(width, &vec![1.0; layer.nodes], 1.0),
            betas: [shape.activation, shape.output].map(|activation| match activation {
                Activation::Sigmoid { beta } => beta,
                _ => unreachable!("they are sigmoids"),
            }),
            sign,
        };
        (weights, width)
    }

    fn write(&self, network: &mut Network) {
        let (layout, first) = (
            network.layout().clone(),
            network.shape().encoder.first_cell(),
        );
        let (layer, width) = (layout.layers[0], self.bias.len());
        let mut write = |range: Range<usize>, row: &[Group], factor: f32| {
            for (weight, number) in network.weights[range].iter_mut().zip(numbers(row)) {
                *weight = factor * number;
            }
        };
        for cell in 0..layer.inputs - first {
            let row = row(&self.rows, cell, width);
            write(layer.row(first + cell), row, self.sign);
        }
        if self.shows_turn {
            write(layer.row(0), &self.turn, self.sign);
        }
        write(layer.row(layer.inputs), &self.bias, 1.0);
        write(layout.output.clone(), &self.output, 1.0);
        network.weights[layout.output_bias()] = self.output_bias;
    }
}

/// The nodes of four children: `totals` by lane what they make of the output.
struct Nodes<'a, M: Machine> {
    /// What all children have, and the rows of the cells left and taken: their powers and squares, or
    /// both times their weights.
    base: &'a [Group],
    moved: [[&'a [Group]; 2]; TOGETHER],
    /// The output's weights.
    output: &'a [Group],
    beta: f32,
    totals: [M::Floats; TOGETHER],
}

impl<M: Machine> Nodes<'_, M> {
    /// Adds all groups, the last of which may be half padding.
    #[inline(always)]
    fn add<const POWERS: bool>(&mut self, half: bool) {
        let full = self.base.len() - usize::from(half);
        for group in 0..full {
            self.add_group::<POWERS>(group, false);
        }
        if half {
            self.add_group::<POWERS>(full, true);
        }
    }

    #[inline(always)]
    fn add_group<const POWERS: bool>(&mut self, group: usize, low: bool) {
        let base = get::<M>(&self.base[group], low);
        let output = get::<M>(&self.output[group], low);
        for (child, [left, taken]) in self.moved.iter().enumerate() {
            let left = get::<M>(&left[group], low);
            let taken = get::<M>(&taken[group], low);
            let values = if POWERS {
                M::div(left, M::add(left, M::mul(base, taken)))
            } else {
                let sums = M::mul_add(taken, M::splat(2.0), M::sub(base, left));
                sigmoids::<M>(sums, self.beta)
            };
            let total = M::add(self.totals[child], M::mul(values, output));
            self.totals[child] = summed::<M>(total, self.totals[child], low);
        }
    }
}

/// The greatest exponent of 2 of a number in `base` or a child's, without sign, for which powers do.
const FARTHEST: f32 = 126.0;

impl<B: Cells, const W: usize> Sigmoids<B, W> {
    /// With `inverted`, the encoder shows the network's own stones as −1.
    pub(super) fn new(
        slots: Slots<W>,
        network: &Network,
        [own, opponent]: [B; 2],
        first: bool,
        inverted: bool,
    ) -> Self {
        let cells = network.shape().grid.len();
        let sign = if inverted { -1.0 } else { 1.0 };
        let (weights, width) = Weights::new(network, cells, sign);
        let nodes = network.layout().layers[0].nodes;
        // Every move takes a stone.
        let most = (own | opponent).len() as usize;
        let inputs =
            |stones: B, input: f32| stones.iter().map(move |cell| (cell.index() as u8, input));
        Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            occupied: inputs(own, 1.0).chain(inputs(opponent, -1.0)).collect(),
            width,
            half: nodes + LANES / 2 <= width * LANES,
            weights,
            powers: vec![Group([1.0; LANES]); (cells + 1) * width],
            squares: vec![Group([1.0; LANES]); (cells + 1) * width],
            reach: 0.0,
            start: vec![Group::ZERO; width],
            sums: vec![Group::ZERO; width],
            turned: vec![Group::ZERO; width],
            base: vec![Group::ZERO; width],
            learned: Vec::with_capacity(most),
            learned_sums: vec![Group::ZERO; width * most],
            steps: vec![Group::ZERO; width * most.max(1)],
            values: vec![Group::ZERO; width],
            factors: vec![0.0; most],
            events: Vec::with_capacity(most),
            won: false,
            edges: vec![Edge::default(); Slots::<W>::ROOM],
            outputs: vec![Group::ZERO; Slots::<W>::ROOM.div_ceil(LANES)],
            slots,
        }
    }

    /// Writes the weights back.
    pub(super) fn write(&self, network: &mut Network) {
        self.weights.write(network);
    }

    /// Before the first game: what follows from the weights.
    #[inline(always)]
    pub(super) fn begin<M: Machine>(&mut self) {
        self.steps[..self.width].fill(Group::ZERO);
        self.refresh::<M>();
    }

    /// Adds the sum of all steps, which stands where the first was, to the rows of cells that are
    /// occupied at the start; and finds the sums there.
    #[inline(always)]
    fn refresh<M: Machine>(&mut self) {
        let width = self.width;
        let steps = &self.steps[..width];
        add_scaled::<M>(&mut self.weights.bias, 1.0, steps);
        self.start.copy_from_slice(&self.weights.bias);
        let (beta, mut farthest) = (self.weights.betas[0], M::splat(0.0));
        for &(cell, input) in &self.occupied {
            let row = row_mut(&mut self.weights.rows, cell.into(), width);
            add_scaled::<M>(row, input, steps);
            add_scaled::<M>(&mut self.start, input, row);
            let powers = row_mut(&mut self.powers, cell.into(), width);
            let squares = row_mut(&mut self.squares, cell.into(), width);
            for ((weights, power), square) in row.iter().zip(powers).zip(squares) {
                let exponents = exponents::<M>(M::load(&weights.0), beta);
                farthest = M::max(M::abs(exponents), farthest);
                let powers = M::exp2(exponents);
                M::store(powers, &mut power.0);
                M::store(M::mul(powers, powers), &mut square.0);
            }
        }
        self.reach = greatest::<M>(farthest);
        let turn = if self.first { 1.0 } else { -1.0 };
        add_scaled::<M>(&mut self.start, turn, &self.weights.turn);
    }

    /// Plays a game. With `all`, the positions after the opponent's moves will be learned too.
    #[inline(always)]
    pub(super) fn play<M: Machine>(&mut self, all: bool, random: &mut Random, record: &mut Record) {
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.learned.clear();
        self.events.clear();
        self.sums.copy_from_slice(&self.start);
        let mut networks_turn = self.first;
        self.won = loop {
            let (edge, sign) = if networks_turn {
                let legal = moves(&own, &opponent);
                let len = list(&legal, &self.slots, &mut self.edges);
                if len == 0 {
                    break false;
                }
                self.turned.copy_from_slice(&self.sums);
                add_scaled::<M>(&mut self.turned, -2.0, &self.weights.turn);
                let edge = self.best::<M>(len, record);
                play(&mut own, &mut opponent, edge, &self.slots);
                self.sums.copy_from_slice(&self.turned);
                (edge, 1.0)
            } else {
                let legal = moves(&opponent, &own);
                let moves = count(&legal);
                if moves == 0 {
                    break true;
                }
                let edge = nth::<M, W>(&legal, random.below(moves), &self.slots);
                play(&mut opponent, &mut own, edge, &self.slots);
                add_scaled::<M>(&mut self.sums, 2.0, &self.weights.turn);
                (edge, -1.0)
            };
            let rows = [edge.from, edge.to].map(usize::from);
            let rows = rows.map(|cell| row(&self.weights.rows, cell, self.width));
            add_scaled::<M>(&mut self.sums, -sign, rows[0]);
            add_scaled::<M>(&mut self.sums, 2.0 * sign, rows[1]);
            let at = self.learned.len();
            self.events.push(Event {
                edge,
                at: at as u8,
                sign,
            });
            if networks_turn || all {
                row_mut(&mut self.learned_sums, at, self.width).copy_from_slice(&self.sums);
                self.learned.push(Learned {
                    own: own.stones,
                    occupied: own.stones | opponent.stones,
                    turn: if networks_turn { -1 } else { 1 },
                });
            }
            networks_turn = !networks_turn;
        };
        record.games += 1;
        record.wins += u64::from(self.won);
        record.positions += self.learned.len() as u64;
    }

    /// The move of the highest output among the listed ones, the first of them on equal outputs.
    #[inline(always)]
    fn best<M: Machine>(&mut self, len: usize, record: &mut Record) -> Edge {
        let (width, weights) = (self.width, &self.weights);
        let mut farthest = M::splat(0.0);
        for (sums, power) in self.turned.iter().zip(&mut self.base) {
            let exponents = exponents::<M>(M::load(&sums.0), weights.betas[0]);
            farthest = M::max(M::abs(exponents), farthest);
            M::store(M::exp2(exponents), &mut power.0);
        }
        let powers = greatest::<M>(farthest) + 2.0 * self.reach <= FARTHEST;
        let (base, rows) = match powers {
            true => (&self.base, [&self.powers, &self.squares]),
            false => (&self.turned, [&weights.rows, &weights.rows]),
        };
        let (fours, _) = self.edges.as_chunks::<TOGETHER>();
        let outputs = self.outputs.iter_mut().zip(fours.chunks(LANES / TOGETHER));
        for (group, fours) in outputs.take(len.div_ceil(LANES)) {
            let mut sums = [0.0; LANES];
            let (places, _) = sums.as_chunks_mut::<TOGETHER>();
            for (place, four) in places.iter_mut().zip(fours) {
                let mut nodes = Nodes::<M> {
                    base: &base[..width],
                    moved: [[&base[..width]; 2]; TOGETHER],
                    output: &weights.output[..width],
                    beta: weights.betas[0],
                    totals: [M::splat(0.0); TOGETHER],
                };
                for (moved, edge) in nodes.moved.iter_mut().zip(four) {
                    *moved = [
                        row(rows[0], edge.from.into(), width),
                        row(rows[1], edge.to.into(), width),
                    ];
                }
                if powers {
                    nodes.add::<true>(self.half);
                } else {
                    nodes.add::<false>(self.half);
                }
                M::sums(nodes.totals).store(place);
            }
            let sums = M::add(M::load(&sums), M::splat(weights.output_bias));
            M::store(sigmoids::<M>(sums, weights.betas[1]), &mut group.0);
        }
        let outputs = &self.outputs.as_slice()[..len.div_ceil(LANES)];
        let (mut highest, mut opinion) = (0, false);
        for child in 0..len {
            let output = outputs[child / LANES].0[child % LANES];
            highest = highest.max(ordered(output, child));
            opinion |= output != outputs[0].0[0];
        }
        record.opinions += u64::from(opinion);
        self.edges[!(highest as u32) as usize]
    }

    /// Learns the game that was just played.
    #[inline(always)]
    pub(super) fn learn<M: Machine>(&mut self, lesson: &Lesson, record: &mut Record) {
        let live = self.make_steps::<M>(lesson);
        record.live += live;
        if live > 0 {
            self.apply_steps::<M>();
            self.refresh::<M>();
        }
    }

    /// Learns the weights of the output, and the steps of all other weights.
    #[inline(always)]
    fn make_steps<M: Machine>(&mut self, lesson: &Lesson) -> u64 {
        let (width, weights) = (self.width, &mut self.weights);
        let target = if self.won {
            lesson.target
        } else {
            -lesson.target
        };
        let [beta, output_beta] = weights.betas;
        let mut rate = lesson.learning_rate;
        let mut live = 0;
        for (index, position) in self.learned.iter().enumerate() {
            let stones = position.occupied.len() as i32;
            let factors = &mut self.factors[..index];
            for (other, factor) in self.learned.iter().zip(factors.iter_mut()) {
                // Where there is a stone now there was one then, of the same colour or not; and
                // the bias nodes count as one cell more.
                let turned = (position.occupied & (position.own ^ other.own)).len() as i32;
                let turns = i32::from(weights.shows_turn) * i32::from(position.turn * other.turn);
                *factor = (stones - 2 * turned + 1 + turns) as f32;
            }
            let (earlier, steps) = self.steps.split_at_mut(index * width);
            let steps = &mut steps[..width];
            let mut settle = Settle::<M> {
                sums: row_mut(&mut self.learned_sums, index, width),
                values: &mut self.values,
                steps: earlier,
                factors,
                output: &weights.output,
                beta,
                total: M::splat(0.0),
                width,
            };
            along::<M, false>(width, &mut settle);
            let sum = M::sum(settle.total) + weights.output_bias;
            let output = sigmoid::<M>(sum, output_beta);
            let slope = match lesson.output_derivative {
                true => output_beta * output * (1.0 - output),
                false => 1.0,
            };
            let delta = (target - output) * slope;
            let step = if delta.is_finite() { rate * delta } else { 0.0 };
            rate *= 1.0 + lesson.temporal_rate;
            if step == 0.0 {
                steps.fill(Group::ZERO);
                continue;
            }
            live += 1;
            let groups = steps.iter_mut().zip(&mut weights.output);
            let groups = groups.zip(self.values.iter().zip(&weights.nodes));
            for ((group, output), (value, nodes)) in groups {
                let (value, weight) = (M::load(&value.0), M::load(&output.0));
                let slope = M::mul(slopes::<M>(value), M::splat(beta * step));
                M::store(M::mul(slope, weight), &mut group.0);
                let share = M::mul(M::mul(value, M::load(&nodes.0)), M::splat(step));
                M::store(M::add(weight, share), &mut output.0);
            }
            weights.output_bias += step;
        }
        live
    }

    /// Makes sums of steps from each to the end, and changes the rows of the turn and of cells where
    /// stones moved.
    #[inline(always)]
    fn apply_steps<M: Machine>(&mut self) {
        let (width, count, weights) = (self.width, self.learned.len(), &mut self.weights);
        if weights.shows_turn {
            for (position, steps) in self.learned.iter().zip(self.steps.chunks_exact(width)) {
                add_scaled::<M>(&mut weights.turn, position.turn.into(), steps);
            }
        }
        for index in (0..count - 1).rev() {
            let (here, later) = self.steps[index * width..].split_at_mut(width);
            add_scaled::<M>(here, 1.0, &later[..width]);
        }
        for &Event { edge, at, sign } in &self.events {
            // What happened after the last position changed none that is learned.
            if usize::from(at) < count {
                let steps = row(&self.steps, at.into(), width);
                let [left, taken] = [edge.from, edge.to].map(usize::from);
                add_scaled::<M>(row_mut(&mut weights.rows, left, width), -sign, steps);
                add_scaled::<M>(row_mut(&mut weights.rows, taken, width), 2.0 * sign, steps);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::{Clobber, Color, Grid, Position, Rules, Variant, clobber};
    use upstar_machine::Isa;

    use super::super::{Plain, VersusRandom};
    use super::*;
    use crate::shape::{Initial, Shape};

    fn board(size: &str) -> (Clobber<u128>, Position<u128>) {
        let grid: Grid = size.parse().unwrap();
        let game = Clobber::<u128>::new(grid);
        let start = clobber::checkerboard(grid);
        let start = game.position(&start, Color::Black).unwrap();
        (game, start)
    }

    fn network(size: &str, hidden: usize, encoder: Encoder, betas: [f32; 2]) -> Network {
        let [activation, output] = betas.map(|beta| Activation::Sigmoid { beta });
        let shape = Shape {
            game: Variant::Clobber,
            grid: size.parse().unwrap(),
            encoder,
            convolutions: Vec::new(),
            hidden: vec![hidden],
            activation,
            output,
        };
        let initial: Initial = "uniform:-0.5,0.5".parse().unwrap();
        Network::new(shape, initial, &mut Random::new(5))
    }

    /// That of etoeharnowo2017.
    const LESSON: Lesson = Lesson {
        learning_rate: 0.02,
        target: 1.0,
        temporal_rate: 0.1,
        output_derivative: true,
        all_positions: true,
    };

    fn farthest(a: &Network, b: &Network) -> f32 {
        let pairs = a.weights.iter().zip(&*b.weights);
        let distance = |(a, b): (&f32, &f32)| (a - b).abs() / a.abs().max(1.0);
        pairs.map(distance).fold(0.0, f32::max)
    }

    /// Fast against plain: boards for each width of words, rows of one group and of several, whole and
    /// half; both encoders, both colours, all positions and the network's own, with and without the
    /// slope of the output, on every machine.
    #[test]
    fn fast_learning_is_plain_backpropagation() {
        for (size, hidden, betas) in [
            ("4x4", 20, [2.0, 2.0]),
            ("1x9", 3, [1.0, 0.5]),
            ("3x5", 200, [0.5, 1.0]),
            ("5x6", 32, [2.0, 1.0]),
            ("8x8", 100, [2.0, 2.0]),
            ("9x9", 47, [1.0, 2.0]),
        ] {
            let (game, start) = board(size);
            for encoder in [Encoder::Etoeharnowo2017, Encoder::Leiden2018] {
                for (all_positions, output_derivative) in
                    [(true, true), (false, true), (true, false)]
                {
                    let lesson = Lesson {
                        // Without the slope, steps that grow by 10 % a position soon leap to and fro,
                        // and so would rounding.
                        learning_rate: if output_derivative { 0.02 } else { 0.0005 },
                        all_positions,
                        output_derivative,
                        ..LESSON
                    };
                    for color in [Color::Black, Color::White] {
                        let network = network(size, hidden, encoder, betas);
                        let mut plain = Plain::new(network, game.clone(), start, color).unwrap();
                        // From the beginning, and from what was learned then. Rounding grows from
                        // game to game, so there are few.
                        for (games, farthest_off) in [(0..2, 1e-5), (12..13, 1e-4)] {
                            let begun = plain.network().clone();
                            let expected = plain.learn(&lesson, 3, games.clone());
                            let evaluated = plain.evaluate(3, 100..106);
                            let what = format!("{size} {encoder} {color} {lesson:?} {games:?}");
                            assert!(expected.live > 0, "{what}");
                            for isa in Isa::available() {
                                let mut fast =
                                    VersusRandom::on(isa, begun.clone(), &game, &start, color)
                                        .unwrap();
                                let mut record = fast.learn(&lesson, 3, games.start..games.end - 1);
                                record.merge(&fast.learn(&lesson, 3, games.end - 1..games.end));
                                record.opinions = expected.opinions;
                                assert_eq!(record, expected, "{what}");
                                let distance = farthest(fast.network(), plain.network());
                                assert!(distance < farthest_off, "{what}: {distance}");
                                // Without the slope outputs end up at a bound, where rounding chooses.
                                let found = fast.evaluate(3, 100..106);
                                assert!(found == evaluated || !output_derivative, "{what}");
                            }
                            plain.learn(&lesson, 3, 2..12);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn same_seed_same_weights_on_every_machine() {
        let (game, start) = board("5x5");
        for hidden in [20, 30] {
            let learned = Isa::available().into_iter().map(|isa| {
                let network = network("5x5", hidden, Encoder::Etoeharnowo2017, [2.0; 2]);
                let mut versus =
                    VersusRandom::on(isa, network, &game, &start, Color::White).unwrap();
                versus.learn(&LESSON, 7, 0..1000);
                versus.into_network()
            });
            let learned: Vec<Network> = learned.collect();
            assert!(learned.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }

    /// A game learned in two parts is as good as in one.
    #[test]
    fn learning_can_stop_and_go_on() {
        let (game, start) = board("4x5");
        for color in [Color::Black, Color::White] {
            let begin = |network| VersusRandom::new(network, &game, &start, color).unwrap();
            let network = network("4x5", 20, Encoder::Etoeharnowo2017, [2.0; 2]);
            let mut whole = begin(network.clone());
            whole.learn(&LESSON, 9, 0..2000);
            let mut first = begin(network);
            first.learn(&LESSON, 9, 0..777);
            let mut second = begin(first.into_network());
            second.learn(&LESSON, 9, 777..2000);
            assert_eq!(second.network(), whole.network());
        }
    }

    /// etoeharnowo2017, table 5.2: on 4x4 Black learns to win nearly always, and White more often than
    /// it did.
    #[test]
    fn networks_learn_as_in_the_thesis() {
        let (game, start) = board("4x4");
        for (color, least) in [(Color::Black, 0.85), (Color::White, 0.6)] {
            let network = network("4x4", 20, Encoder::Etoeharnowo2017, [2.0; 2]);
            let mut versus = VersusRandom::new(network, &game, &start, color).unwrap();
            let learned = versus.learn(&LESSON, 4, 0..100_000);
            let evaluated = versus.evaluate(4, 100_000..110_000);
            assert!(learned.live_gradient_share() > 0.9, "{learned:?}");
            assert!(evaluated.win_rate() > least, "{color}: {evaluated:?}");
        }
    }

    /// What has grown beyond all numbers is seen to have done so, as in the plain way.
    #[test]
    fn exploded_networks_are_seen() {
        let (game, start) = board("4x4");
        let network = network("4x4", 20, Encoder::Etoeharnowo2017, [2.0; 2]);
        let lesson = Lesson {
            learning_rate: 1e38,
            output_derivative: false,
            ..LESSON
        };
        let mut plain = Plain::new(network.clone(), game.clone(), start, Color::Black).unwrap();
        let mut fast = VersusRandom::new(network, &game, &start, Color::Black).unwrap();
        plain.learn(&lesson, 1, 0..20);
        fast.learn(&lesson, 1, 0..20);
        assert!(!plain.network().is_finite() && !fast.network().is_finite());
    }

    #[test]
    fn other_shapes_go_the_plain_way() {
        let (game, start) = board("4x4");
        let fits = |change: &dyn Fn(&mut Shape)| {
            let network = network("4x4", 20, Encoder::Etoeharnowo2017, [2.0; 2]);
            let mut shape = network.shape().clone();
            change(&mut shape);
            let network = Network::new(shape, Initial::LEIDEN2018, &mut Random::new(1));
            VersusRandom::new(network, &game, &start, Color::Black)
        };
        assert!(fits(&|_| {}).is_some_and(|versus| versus.can_learn(&LESSON)));
        assert!(fits(&|shape| shape.hidden = vec![20, 20]).is_none());
        assert!(fits(&|shape| shape.encoder = Encoder::Planes).is_none());
        assert!(fits(&|shape| shape.output = Activation::Tanh).is_none());
        assert!(fits(&|shape| shape.convolutions = vec![2]).is_none());
        let rectifiers = fits(&|shape| {
            shape.encoder = Encoder::Leiden2018;
            (shape.activation, shape.output) = (Activation::Relu, Activation::Relu);
        });
        assert!(rectifiers.is_some_and(|versus| !versus.can_learn(&LESSON)));
    }
}
