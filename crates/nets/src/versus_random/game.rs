//! One game, and what is learned from it, with little computed twice. Only rounding differs from
//! plain backpropagation:
//!
//! 1. The first layer by difference: the sums of a child are those of its parent, minus the row of
//!    the cell left, plus twice the row of the cell taken; see `children.rs`.
//! 2. The sums of position k after learning positions 0 … k − 1 are those known from play, plus for
//!    each of these the product of the two positions, a count of bits, times the step it made.
//! 3. A cell's input changes at few moves of a game, so each row of weights changes once per such
//!    event, by a sum of the steps from there to the end.
//!
//! No multiplication by anything but a power of two is fused with an addition, and sums have a fixed
//! order, so that a seed gives the same weights on every machine, bit for bit.

use upstar_games::{Cells, Random};
use upstar_machine::Machine;

use super::board::{Side, Slots, count, moves, nth, play};
use super::children::{Children, Judge};
use super::group::{
    Along, Group, along, get, load, numbers, put, row, row_mut, store, summed, width_of,
};
use super::{Lesson, Record};
use crate::lanes::LANES;
use crate::network::Network;

/// A network at play on one board, with all the room it needs.
#[derive(Clone, Debug)]
pub(super) struct Games<B, const W: usize> {
    slots: Slots<W>,
    own: Side<B, W>,
    opponent: Side<B, W>,
    /// Whether the network moves first.
    first: bool,
    cells: usize,
    /// The groups of a row, and whether the last is half padding.
    width: usize,
    half: bool,
    /// For each cell its row of weights, times -2, and what twice the weights add to the output's sum,
    /// by lane, if all nodes are above 0; eight lanes do. A cell beyond the board has zeros, and adds
    /// `NOTHING`.
    rows: Vec<Group>,
    bias: Vec<Group>,
    output: Vec<Group>,
    output_bias: f32,
    /// The slopes below 0 of hidden nodes and output.
    leak: f32,
    output_leak: f32,
    /// What follows from the weights: those of the output times one minus the leak; the sums at the
    /// start; and the most that a cell's weights add to the output's sum, without signs.
    steeper: Vec<Group>,
    start: Vec<Group>,
    reach: f32,
    /// The sum of the start's sums times the weights of the output, without signs.
    magnitude: f32,
    /// The game: the sums of the position at hand, and the positions that the network chose, their
    /// sums, and later their steps.
    base: Vec<Group>,
    chosen: Vec<Chosen<B>>,
    sums: Vec<Group>,
    steps: Vec<Group>,
    /// The products of a position and those before it.
    factors: Vec<f32>,
    events: Vec<Event>,
    won: bool,
    children: Children,
}

#[derive(Clone, Copy, Debug)]
struct Chosen<B> {
    own: B,
    occupied: B,
}

/// From position `at` on, the inputs of the cells left and taken differ from what they were: by
/// `-sign` and by twice `sign`.
#[derive(Clone, Copy, Debug)]
struct Event {
    from: u8,
    to: u8,
    at: u8,
    sign: i8,
}

/// The value of a cell beyond the board: below all others, and finite.
const NOTHING: f32 = -1e30;

/// The sums after a move: `half` and `minus` are 0.5 and -1 for the network's, times -1 for the
/// opponent's.
struct After<'a, M: Machine> {
    next: &'a mut [Group],
    sums: &'a [Group],
    left: &'a [Group],
    taken: &'a [Group],
    half: M::Floats,
    minus: M::Floats,
}

impl<M: Machine> Along<M> for After<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let next = &mut self.next[at..][..T];
        let (sums, left, taken) = (
            &self.sums[at..][..T],
            &self.left[at..][..T],
            &self.taken[at..][..T],
        );
        for k in 0..T {
            let low = LOW && k + 1 == T;
            let sum = M::mul_add(get::<M>(&left[k], low), self.half, get::<M>(&sums[k], low));
            let sum = M::mul_add(get::<M>(&taken[k], low), self.minus, sum);
            put::<M>(sum, &mut next[k], low);
        }
    }
}

/// Adds `factor`, a power of two, times another row.
struct AddScaled<'a, M: Machine> {
    row: &'a mut [Group],
    factor: M::Floats,
    other: &'a [Group],
}

impl<M: Machine> Along<M> for AddScaled<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let (row, other) = (&mut self.row[at..][..T], &self.other[at..][..T]);
        for k in 0..T {
            let low = LOW && k + 1 == T;
            let number = get::<M>(&row[k], low);
            let number = M::mul_add(get::<M>(&other[k], low), self.factor, number);
            put::<M>(number, &mut row[k], low);
        }
    }
}

#[inline(always)]
fn add_scaled<M: Machine, const HALF: bool>(row: &mut [Group], factor: f32, other: &[Group]) {
    let (width, factor) = (other.len(), M::splat(factor));
    along::<M, HALF>(width, &mut AddScaled::<M> { row, factor, other });
}

/// The sums of a position after all steps of those before, each times the product of both positions;
/// and by lane what they make of the output.
struct Settle<'a, M: Machine> {
    sums: &'a mut [Group],
    steps: &'a [Group],
    factors: &'a [f32],
    output: &'a [Group],
    leak: M::Floats,
    total: M::Floats,
    width: usize,
}

impl<M: Machine> Along<M> for Settle<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let sums = &mut self.sums[at..][..T];
        let output = &self.output[at..][..T];
        let mut numbers = load::<M, T, LOW>(sums);
        for (before, &factor) in self.factors.iter().enumerate() {
            let factor = M::splat(factor);
            let steps = &self.steps[before * self.width + at..][..T];
            for k in 0..T {
                let step = M::mul(get::<M>(&steps[k], LOW && k + 1 == T), factor);
                numbers[k] = M::add(numbers[k], step);
            }
        }
        for k in 0..T {
            let low = LOW && k + 1 == T;
            let value = M::max(numbers[k], M::mul(numbers[k], self.leak));
            let total = M::add(self.total, M::mul(value, get::<M>(&output[k], low)));
            self.total = summed::<M>(total, self.total, low);
        }
        store::<M, T, LOW>(numbers, sums);
    }
}

/// A step: what it adds to the rows of weights, and to those of the output.
struct Step<'a, M: Machine> {
    sums: &'a [Group],
    steps: &'a mut [Group],
    output: &'a mut [Group],
    /// The slopes above and below 0.
    slopes: [M::Floats; 2],
}

impl<M: Machine> Along<M> for Step<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let (sums, steps) = (&self.sums[at..][..T], &mut self.steps[at..][..T]);
        let output = &mut self.output[at..][..T];
        for k in 0..T {
            let low = LOW && k + 1 == T;
            let (sum, weight) = (get::<M>(&sums[k], low), get::<M>(&output[k], low));
            let slope = M::choose(sum, M::splat(0.0), self.slopes);
            put::<M>(M::mul(slope, weight), &mut steps[k], low);
            put::<M>(M::add(weight, M::mul(slope, sum)), &mut output[k], low);
        }
    }
}

/// Adds the sum of all steps to the rows of cells that are occupied at the start, and finds all that
/// follows from the weights.
struct Refresh<'a, B, M: Machine> {
    stones: [B; 2],
    rows: &'a mut [Group],
    bias: &'a mut [Group],
    steps: &'a [Group],
    output: &'a [Group],
    steeper: &'a mut [Group],
    steep: M::Floats,
    start: &'a mut [Group],
    reach: f32,
    magnitude: f32,
    width: usize,
}

impl<B: Cells, M: Machine> Along<M> for Refresh<'_, B, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let steps = load::<M, T, LOW>(&self.steps[at..][..T]);
        let mut output = load::<M, T, LOW>(&self.output[at..][..T]);
        let mut sums = load::<M, T, LOW>(&self.bias[at..][..T]);
        let steeper = &mut self.steeper[at..][..T];
        for k in 0..T {
            let low = LOW && k + 1 == T;
            put::<M>(M::mul(output[k], self.steep), &mut steeper[k], low);
            output[k] = M::mul(output[k], M::splat(-1.0));
            sums[k] = M::add(sums[k], steps[k]);
        }
        store::<M, T, LOW>(sums, &mut self.bias[at..][..T]);
        let mut greatest = M::splat(0.0);
        for (stones, sign) in self.stones.into_iter().zip([1.0, -1.0]) {
            let (step, input) = (M::splat(-2.0 * sign), M::splat(-0.5 * sign));
            for cell in stones.iter() {
                let (row, taken) =
                    row_mut(self.rows, cell.index(), self.width + 1).split_at_mut(self.width);
                let (row, taken) = (&mut row[at..][..T], &mut taken[0].0);
                let (mut total, mut without_signs) = (M::splat(0.0), M::splat(0.0));
                if at > 0 {
                    total = M::load_low(taken);
                }
                for k in 0..T {
                    let low = LOW && k + 1 == T;
                    let weights = M::mul_add(steps[k], step, get::<M>(&row[k], low));
                    put::<M>(weights, &mut row[k], low);
                    sums[k] = M::mul_add(weights, input, sums[k]);
                    let product = M::mul(weights, output[k]);
                    total = summed::<M>(M::add(total, product), total, low);
                    let more = M::add(without_signs, M::abs(product));
                    without_signs = summed::<M>(more, without_signs, low);
                }
                M::store_low(M::fold(total), taken);
                greatest = M::max(without_signs, greatest);
            }
        }
        store::<M, T, LOW>(sums, &mut self.start[at..][..T]);
        let mut magnitude = M::splat(0.0);
        for k in 0..T {
            magnitude = M::add(magnitude, M::abs(M::mul(sums[k], output[k])));
        }
        self.magnitude += M::sum(magnitude);
        // Rows are twice the weights.
        self.reach += 0.5 * M::sum(greatest);
    }
}

impl<B: Cells, const W: usize> Games<B, W> {
    pub(super) fn new(
        slots: Slots<W>,
        network: &Network,
        [own, opponent]: [B; 2],
        first: bool,
    ) -> Self {
        let (shape, layout) = (network.shape(), network.layout());
        let layer = layout.layers[0];
        let (cells, width) = (layer.inputs, layer.nodes.div_ceil(LANES).max(2));
        let leak = |activation: crate::Activation| activation.leak().expect("it is a rectifier");
        let copied = |range: std::ops::Range<usize>, factor: f32| {
            Group::row(width, &network.weights[range], factor)
        };
        let mut rows: Vec<Group> = (0..cells)
            .flat_map(|cell| [copied(layer.row(cell), -2.0), vec![Group::ZERO]].concat())
            .collect();
        rows.resize((cells + 1) * (width + 1) - 1, Group::ZERO);
        let nothing = |lane: usize| if lane == 0 { NOTHING } else { 0.0 };
        rows.push(Group(std::array::from_fn(nothing)));
        let most = (own | opponent).len() as usize / 2 + 2;
        Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            cells,
            width,
            half: layer.nodes + LANES / 2 <= width * LANES,
            rows,
            bias: copied(layer.row(cells), 1.0),
            output: copied(layout.output.clone(), 1.0),
            output_bias: network.weights[layout.output_bias()],
            leak: leak(shape.activation),
            output_leak: leak(shape.output),
            steeper: vec![Group::ZERO; width],
            start: vec![Group::ZERO; width],
            reach: 0.0,
            magnitude: 0.0,
            base: vec![Group::ZERO; width],
            chosen: Vec::with_capacity(most),
            sums: vec![Group::ZERO; width * most],
            steps: vec![Group::ZERO; width * most],
            factors: vec![0.0; most],
            events: Vec::with_capacity(2 * most),
            won: false,
            children: Children::new::<W>(),
            slots,
        }
    }

    /// The groups of a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Whether the last of them is half padding.
    pub(super) fn is_half(&self) -> bool {
        self.half
    }

    /// Writes the weights back.
    pub(super) fn write(&self, network: &mut Network) {
        let layout = network.layout().clone();
        let layer = layout.layers[0];
        let mut write = |range: std::ops::Range<usize>, row: &[Group], factor: f32| {
            for (weight, number) in network.weights[range].iter_mut().zip(numbers(row)) {
                *weight = factor * number;
            }
        };
        for cell in 0..self.cells {
            write(layer.row(cell), row(&self.rows, cell, self.width + 1), -0.5);
        }
        write(layer.row(self.cells), &self.bias, 1.0);
        write(layout.output.clone(), &self.output, 1.0);
        network.weights[layout.output_bias()] = self.output_bias;
    }

    /// Before the first game: what follows from the weights.
    #[inline(always)]
    pub(super) fn begin<M: Machine, const G: usize, const HALF: bool>(&mut self) {
        self.steps[..self.width].fill(Group::ZERO);
        self.refresh::<M, G, HALF>();
    }

    /// Adds the sum of all steps, which stands where the first was, to the rows of cells that are
    /// occupied at the start; and all that follows from the weights.
    #[inline(always)]
    fn refresh<M: Machine, const G: usize, const HALF: bool>(&mut self) {
        let width = width_of::<G>(self.width);
        let mut refresh = Refresh::<B, M> {
            stones: [self.own.stones, self.opponent.stones],
            rows: &mut self.rows,
            bias: &mut self.bias,
            steps: &self.steps,
            output: &self.output,
            steeper: &mut self.steeper,
            steep: M::splat(1.0 - self.leak),
            start: &mut self.start,
            reach: 0.0,
            magnitude: 0.0,
            width,
        };
        along::<M, HALF>(width, &mut refresh);
        (self.reach, self.magnitude) = (refresh.reach, refresh.magnitude);
    }

    /// Plays a game.
    #[inline(always)]
    pub(super) fn play<M: Machine, const G: usize, const HALF: bool>(
        &mut self,
        random: &mut Random,
        record: &mut Record,
    ) {
        let width = width_of::<G>(self.width);
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.chosen.clear();
        self.events.clear();
        self.base.copy_from_slice(&self.start);
        let mut networks_turn = self.first;
        self.won = loop {
            let at = self.chosen.len();
            let (edge, sign) = if networks_turn {
                let legal = moves(&own, &opponent);
                self.children.list(&legal, &self.slots);
                if self.children.is_empty() {
                    break false;
                }
                let judge = Judge {
                    base: &self.base,
                    rows: &self.rows,
                    output: &self.output,
                    steeper: &self.steeper,
                    output_bias: self.output_bias,
                    leak: self.leak,
                    output_leak: self.output_leak,
                    reach: self.reach,
                    // A move changes the sums by a row, and by twice another.
                    magnitude: self.magnitude + 3.0 * self.reach * self.events.len() as f32,
                };
                let choice = self.children.best::<M, G, HALF>(&judge);
                record.opinions += u64::from(choice.opinion);
                let edge = choice.edge;
                play(&mut own, &mut opponent, edge, &self.slots);
                let left = row(&self.rows, edge.from.into(), width + 1);
                let taken = row(&self.rows, edge.to.into(), width + 1);
                let next = row_mut(&mut self.sums, at, width);
                let mut after = After::<M> {
                    next,
                    sums: &self.base,
                    left,
                    taken,
                    half: M::splat(0.5),
                    minus: M::splat(-1.0),
                };
                along::<M, HALF>(width, &mut after);
                self.chosen.push(Chosen {
                    own: own.stones,
                    occupied: own.stones | opponent.stones,
                });
                (edge, 1)
            } else {
                let legal = moves(&opponent, &own);
                let moves = count(&legal);
                if moves == 0 {
                    break true;
                }
                let edge = nth::<M, W>(&legal, random.below(moves), &self.slots);
                play(&mut opponent, &mut own, edge, &self.slots);
                let left = row(&self.rows, edge.from.into(), width + 1);
                let taken = row(&self.rows, edge.to.into(), width + 1);
                let sums = match at {
                    0 => &self.start,
                    _ => row(&self.sums, at - 1, width),
                };
                let mut after = After::<M> {
                    next: &mut self.base,
                    sums,
                    left,
                    taken,
                    half: M::splat(-0.5),
                    minus: M::splat(1.0),
                };
                along::<M, HALF>(width, &mut after);
                (edge, -1)
            };
            self.events.push(Event {
                from: edge.from,
                to: edge.to,
                at: at as u8,
                sign,
            });
            networks_turn = !networks_turn;
        };
        record.games += 1;
        record.wins += u64::from(self.won);
        record.positions += self.chosen.len() as u64;
    }

    /// Learns the game that was just played.
    #[inline(always)]
    pub(super) fn learn<M: Machine, const G: usize, const HALF: bool>(
        &mut self,
        lesson: &Lesson,
        record: &mut Record,
    ) {
        let live = self.make_steps::<M, G, HALF>(lesson);
        record.live += live;
        if live > 0 {
            self.apply_steps::<M, G, HALF>();
            self.refresh::<M, G, HALF>();
        }
    }

    /// Learns the weights of the output, and the steps of all other weights.
    #[inline(always)]
    fn make_steps<M: Machine, const G: usize, const HALF: bool>(&mut self, lesson: &Lesson) -> u64 {
        let width = width_of::<G>(self.width);
        let target = if self.won {
            lesson.target
        } else {
            -lesson.target
        };
        let mut rate = lesson.learning_rate;
        let mut live = 0;
        for (index, position) in self.chosen.iter().enumerate() {
            let stones = position.occupied.len() as i32;
            let factors = &mut self.factors[..index];
            for (other, factor) in self.chosen.iter().zip(factors.iter_mut()) {
                // Where there is a stone now there was one then, of the same colour or not; and
                // the bias nodes count as one cell more.
                let turned = (position.occupied & (position.own ^ other.own)).len() as i32;
                *factor = (stones - 2 * turned + 1) as f32;
            }
            let (earlier, steps) = self.steps.split_at_mut(index * width);
            let (sums, steps) = (row_mut(&mut self.sums, index, width), &mut steps[..width]);
            let mut settle = Settle::<M> {
                sums,
                steps: earlier,
                factors,
                output: &self.output,
                leak: M::splat(self.leak),
                total: M::splat(0.0),
                width,
            };
            along::<M, HALF>(width, &mut settle);
            let sum = M::sum(settle.total) + self.output_bias;
            let slope = if sum > 0.0 { 1.0 } else { self.output_leak };
            let derivative = if lesson.output_derivative { slope } else { 1.0 };
            let delta = (target - sum * slope) * derivative;
            let step = if delta.is_finite() { rate * delta } else { 0.0 };
            rate *= 1.0 + lesson.temporal_rate;
            if step == 0.0 {
                steps.fill(Group::ZERO);
                continue;
            }
            live += 1;
            let mut make = Step::<M> {
                sums,
                steps,
                output: &mut self.output,
                slopes: [M::splat(step), M::splat(self.leak * step)],
            };
            along::<M, HALF>(width, &mut make);
            self.output_bias += step;
        }
        live
    }

    /// Makes sums of steps from each to the end, and changes the rows of cells where stones moved.
    #[inline(always)]
    fn apply_steps<M: Machine, const G: usize, const HALF: bool>(&mut self) {
        let (width, count) = (width_of::<G>(self.width), self.chosen.len());
        for index in (0..count - 1).rev() {
            let (here, later) = self.steps[index * width..].split_at_mut(width);
            add_scaled::<M, HALF>(here, 1.0, &later[..width]);
        }
        for event in &self.events {
            // What happened after the last choice changed no position that is learned.
            if usize::from(event.at) < count {
                let (steps, sign) = (
                    row(&self.steps, event.at.into(), width),
                    f32::from(event.sign),
                );
                let left = row_mut(&mut self.rows, event.from.into(), width + 1);
                add_scaled::<M, HALF>(left, 2.0 * sign, steps);
                let taken = row_mut(&mut self.rows, event.to.into(), width + 1);
                add_scaled::<M, HALF>(taken, -4.0 * sign, steps);
            }
        }
    }
}
