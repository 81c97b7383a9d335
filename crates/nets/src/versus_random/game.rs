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

use upstar_games::{Cells, Machine, Random};

use super::board::{Side, Slots, count, moves, nth, play};
use super::children::{Children, Judge};
use super::group::{Group, blocks, blocks_mut, load, numbers, store};
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
    /// The groups of a row: whole blocks.
    width: usize,
    /// For each cell its row of weights, times -2; and zeros for a cell beyond the board.
    rows: Vec<Group>,
    bias: Vec<Group>,
    output: Vec<Group>,
    output_bias: f32,
    /// The slopes below 0 of hidden nodes and output.
    leak: f32,
    output_leak: f32,
    /// What follows from the weights: the sums at the start; for each cell what twice its row adds to
    /// the output's sum, by lane, if all nodes are above 0; and the most of it, without signs.
    start: Vec<Group>,
    taken: Vec<Group>,
    reach: f32,
    /// The game: the sums of the position at hand, and the positions that the network chose, their
    /// sums, and later their steps.
    base: Vec<Group>,
    chosen: Vec<Chosen<B>>,
    sums: Vec<Group>,
    steps: Vec<Group>,
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

/// The width of rows of N blocks; 0 stands for any number.
#[inline(always)]
fn width_of<const K: usize, const N: usize>(width: usize) -> usize {
    if N == 0 { width } else { K * N }
}

/// The row of a cell.
#[inline(always)]
fn row(rows: &[Group], cell: usize, width: usize) -> &[Group] {
    &rows[cell * width..][..width]
}

#[inline(always)]
fn row_mut(rows: &mut [Group], cell: usize, width: usize) -> &mut [Group] {
    &mut rows[cell * width..][..width]
}

/// The sums after a move: `sign` is 1 for the network's and -1 for the opponent's.
#[inline(always)]
fn after<M: Machine, const K: usize, const N: usize>(
    next: &mut [Group],
    sums: &[Group],
    [left, taken]: [&[Group]; 2],
    sign: f32,
) {
    let (next, sums) = (blocks_mut::<K>(next), blocks::<K>(sums));
    let (left, taken) = (blocks::<K>(left), blocks::<K>(taken));
    let (half, minus) = (M::splat(0.5 * sign), M::splat(-sign));
    for block in 0..next.len() {
        for k in 0..K {
            let sum = M::load(&sums[block][k].0);
            let sum = M::mul_add(M::load(&left[block][k].0), half, sum);
            let sum = M::mul_add(M::load(&taken[block][k].0), minus, sum);
            M::store(sum, &mut next[block][k].0);
        }
    }
}

/// Adds `factor`, a power of two, times another row.
#[inline(always)]
fn add_scaled<M: Machine, const K: usize, const N: usize>(
    row: &mut [Group],
    factor: f32,
    other: &[Group],
) {
    let factor = M::splat(factor);
    let (row, other) = (blocks_mut::<K>(row), blocks::<K>(other));
    for block in 0..row.len() {
        for k in 0..K {
            let number = M::load(&row[block][k].0);
            let number = M::mul_add(M::load(&other[block][k].0), factor, number);
            M::store(number, &mut row[block][k].0);
        }
    }
}

impl<B: Cells, const W: usize> Games<B, W> {
    /// Rows are of `width` groups.
    pub(super) fn new(
        slots: Slots<W>,
        network: &Network,
        width: usize,
        [own, opponent]: [B; 2],
        first: bool,
    ) -> Self {
        let (shape, layout) = (network.shape(), network.layout());
        let layer = layout.layers[0];
        let cells = layer.inputs;
        let leak = |activation: crate::Activation| activation.leak().expect("it is a rectifier");
        let copied = |range: std::ops::Range<usize>, factor: f32| {
            Group::row(width, &network.weights[range], factor)
        };
        let mut rows: Vec<Group> = (0..cells)
            .flat_map(|cell| copied(layer.row(cell), -2.0))
            .collect();
        rows.resize((cells + 1) * width, Group::ZERO);
        let mut taken = vec![Group::ZERO; cells + 1];
        taken[cells] = Group([NOTHING; LANES]);
        let most = (own | opponent).len() as usize / 2 + 2;
        Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            cells,
            width,
            rows,
            bias: copied(layer.row(cells), 1.0),
            output: copied(layout.output.clone(), 1.0),
            output_bias: network.weights[layout.output_bias()],
            leak: leak(shape.activation),
            output_leak: leak(shape.output),
            start: vec![Group::ZERO; width],
            taken,
            reach: 0.0,
            base: vec![Group::ZERO; width],
            chosen: Vec::with_capacity(most),
            sums: vec![Group::ZERO; width * most],
            steps: vec![Group::ZERO; width * most],
            events: Vec::with_capacity(2 * most),
            won: false,
            children: Children::new(&slots, cells),
            slots,
        }
    }

    /// The groups of a row.
    pub(super) fn width(&self) -> usize {
        self.width
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
            write(layer.row(cell), row(&self.rows, cell, self.width), -0.5);
        }
        write(layer.row(self.cells), &self.bias, 1.0);
        write(layout.output.clone(), &self.output, 1.0);
        network.weights[layout.output_bias()] = self.output_bias;
    }

    /// Before the first game: what follows from the weights.
    #[inline(always)]
    pub(super) fn begin<M: Machine, const K: usize, const N: usize>(&mut self) {
        self.steps[..self.width].fill(Group::ZERO);
        self.refresh::<M, K, N>();
    }

    /// Adds the sum of all steps, which stands where the first was, to the rows of cells that are
    /// occupied at the start; and all that follows from the weights.
    #[inline(always)]
    fn refresh<M: Machine, const K: usize, const N: usize>(&mut self) {
        let count = width_of::<K, N>(self.width) / K;
        let rows = blocks_mut::<K>(&mut self.rows);
        let (steps, output) = (blocks::<K>(&self.steps), blocks::<K>(&self.output));
        let (start, bias) = (
            blocks_mut::<K>(&mut self.start),
            blocks_mut::<K>(&mut self.bias),
        );
        let mut reach = 0.0;
        for block in 0..count {
            let mut magnitude = M::splat(0.0);
            let (steps, output) = (load::<M, K>(&steps[block]), load::<M, K>(&output[block]));
            let mut sums = load::<M, K>(&bias[block]);
            for k in 0..K {
                sums[k] = M::add(sums[k], steps[k]);
            }
            store::<M, K>(sums, &mut bias[block]);
            for (stones, sign) in [(self.own.stones, 1.0), (self.opponent.stones, -1.0)] {
                let (step, input) = (M::splat(-2.0 * sign), M::splat(-0.5 * sign));
                for cell in stones.iter() {
                    let row = &mut rows[cell.index() * count + block];
                    let taken = &mut self.taken[cell.index()].0;
                    let mut total = M::splat(0.0);
                    let mut total_magnitude = M::splat(0.0);
                    for k in 0..K {
                        let weights = M::mul_add(steps[k], step, M::load(&row[k].0));
                        M::store(weights, &mut row[k].0);
                        sums[k] = M::mul_add(weights, input, sums[k]);
                        let product = M::mul(weights, output[k]);
                        total = M::add(total, product);
                        total_magnitude = M::add(total_magnitude, M::abs(product));
                    }
                    if block > 0 {
                        total = M::add(total, M::mul(M::load(taken), M::splat(-1.0)));
                    }
                    M::store(M::mul(total, M::splat(-1.0)), taken);
                    magnitude = M::max(total_magnitude, magnitude);
                }
            }
            store::<M, K>(sums, &mut start[block]);
            // Rows are twice the weights.
            reach += 0.5 * M::sum(magnitude);
        }
        self.reach = reach;
    }

    /// Plays a game.
    #[inline(always)]
    pub(super) fn play<M: Machine, const K: usize, const N: usize>(
        &mut self,
        random: &mut Random,
        record: &mut Record,
    ) {
        let width = width_of::<K, N>(self.width);
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.chosen.clear();
        self.events.clear();
        self.base.copy_from_slice(&self.start);
        let mut networks_turn = self.first;
        self.won = loop {
            let at = self.chosen.len();
            let (edge, sign) = if networks_turn {
                let legal = moves(&own, &opponent);
                self.children.list(&legal);
                if self.children.is_empty() {
                    break false;
                }
                let judge = Judge {
                    base: &self.base,
                    rows: &self.rows,
                    taken: &self.taken,
                    output: &self.output,
                    output_bias: self.output_bias,
                    leak: self.leak,
                    output_leak: self.output_leak,
                    reach: self.reach,
                };
                let choice = self.children.best::<M, K, N>(&judge);
                record.opinions += u64::from(choice.opinion);
                let edge = self.slots.edge(choice.slot);
                play(&mut own, &mut opponent, edge, &self.slots);
                let left = row(&self.rows, edge.from.into(), width);
                let taken = row(&self.rows, edge.to.into(), width);
                let next = row_mut(&mut self.sums, at, width);
                after::<M, K, N>(next, &self.base, [left, taken], 1.0);
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
                let edge = self.slots.edge(nth::<M, W>(&legal, random.below(moves)));
                play(&mut opponent, &mut own, edge, &self.slots);
                let left = row(&self.rows, edge.from.into(), width);
                let taken = row(&self.rows, edge.to.into(), width);
                let sums = match at {
                    0 => &self.start,
                    _ => row(&self.sums, at - 1, width),
                };
                after::<M, K, N>(&mut self.base, sums, [left, taken], -1.0);
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
    pub(super) fn learn<M: Machine, const K: usize, const N: usize>(
        &mut self,
        lesson: &Lesson,
        record: &mut Record,
    ) {
        let live = self.make_steps::<M, K, N>(lesson);
        record.live += live;
        if live > 0 {
            self.apply_steps::<M, K, N>();
            self.refresh::<M, K, N>();
        }
    }

    /// Learns the weights of the output, and the steps of all other weights.
    #[inline(always)]
    fn make_steps<M: Machine, const K: usize, const N: usize>(&mut self, lesson: &Lesson) -> u64 {
        let count = width_of::<K, N>(self.width) / K;
        let (zero, leak) = (M::splat(0.0), M::splat(self.leak));
        let target = if self.won {
            lesson.target
        } else {
            -lesson.target
        };
        let mut rate = lesson.learning_rate;
        let mut live = 0;
        let all_sums = blocks_mut::<K>(&mut self.sums);
        let output = &mut blocks_mut::<K>(&mut self.output)[..count];
        for (index, position) in self.chosen.iter().enumerate() {
            let stones = position.occupied.len() as i32;
            let (earlier, steps) = blocks_mut::<K>(&mut self.steps).split_at_mut(index * count);
            let steps = &mut steps[..count];
            let sums = &mut all_sums[index * count..][..count];
            let mut total = zero;
            for block in 0..count {
                let mut numbers = load::<M, K>(&sums[block]);
                for (before, other) in self.chosen[..index].iter().enumerate() {
                    // Where there is a stone now there was one then, of the same colour or not; and
                    // the bias nodes count as one cell more.
                    let turned = (position.occupied & (position.own ^ other.own)).len() as i32;
                    let factor = M::splat((stones - 2 * turned + 1) as f32);
                    let steps = &earlier[before * count + block];
                    for k in 0..K {
                        let step = M::mul(M::load(&steps[k].0), factor);
                        numbers[k] = M::add(numbers[k], step);
                    }
                }
                for k in 0..K {
                    let value = M::max(numbers[k], M::mul(numbers[k], leak));
                    total = M::add(total, M::mul(value, M::load(&output[block][k].0)));
                }
                store::<M, K>(numbers, &mut sums[block]);
            }
            let sum = M::sum(total) + self.output_bias;
            let slope = if sum > 0.0 { 1.0 } else { self.output_leak };
            let delta = (target - sum * slope) * slope;
            let step = if delta.is_finite() { rate * delta } else { 0.0 };
            rate *= 1.0 + lesson.temporal_rate;
            if step == 0.0 {
                steps.fill([Group::ZERO; K]);
                continue;
            }
            live += 1;
            let slopes = [M::splat(step), M::splat(self.leak * step)];
            for block in 0..count {
                for k in 0..K {
                    let sum = M::load(&sums[block][k].0);
                    let weight = M::load(&output[block][k].0);
                    let slope = M::choose(sum, zero, slopes);
                    M::store(M::mul(slope, weight), &mut steps[block][k].0);
                    let weight = M::add(weight, M::mul(slope, sum));
                    M::store(weight, &mut output[block][k].0);
                }
            }
            self.output_bias += step;
        }
        live
    }

    /// Makes sums of steps from each to the end, and changes the rows of cells where stones moved.
    #[inline(always)]
    fn apply_steps<M: Machine, const K: usize, const N: usize>(&mut self) {
        let (width, count) = (width_of::<K, N>(self.width), self.chosen.len());
        for index in (0..count - 1).rev() {
            let (here, later) = self.steps[index * width..].split_at_mut(width);
            add_scaled::<M, K, N>(here, 1.0, &later[..width]);
        }
        for event in &self.events {
            // What happened after the last choice changed no position that is learned.
            if usize::from(event.at) < count {
                let (steps, sign) = (
                    row(&self.steps, event.at.into(), width),
                    f32::from(event.sign),
                );
                let left = row_mut(&mut self.rows, event.from.into(), width);
                add_scaled::<M, K, N>(left, 2.0 * sign, steps);
                let taken = row_mut(&mut self.rows, event.to.into(), width);
                add_scaled::<M, K, N>(taken, -4.0 * sign, steps);
            }
        }
    }
}
