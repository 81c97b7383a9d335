//! One game, and what is learned from it, with little computed twice. Only rounding differs from
//! plain backpropagation:
//!
//! 1. The first layer by difference: the sums of a child are those of its parent, minus the row of
//!    the cell left, plus twice the row of the cell taken. Four children at a time.
//! 2. The sums of position k after learning positions 0 … k − 1 are those known from play, plus for
//!    each of these the product of the two positions, a count of bits, times the step it made.
//! 3. A cell's input changes at few moves of a game, so each row of weights changes once per such
//!    event, by a sum of the steps from there to the end.

use upstar_games::{Cells, Machine, Random};

use super::board::{Side, Slots, count, moves, nth, play};
use super::children::{Children, Judge, rectified};
use super::{Lesson, Record};
use crate::lanes::{Aligned, add_scaled, sum_of, update, update2};
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
    /// The length of a row.
    width: usize,
    /// For each cell its row of weights: twice, and with a minus.
    twice: Aligned,
    minus: Aligned,
    bias: Aligned,
    output: Aligned,
    output_bias: f32,
    /// The slopes below 0 of hidden nodes and output.
    leak: f32,
    output_leak: f32,
    /// The sums at the start.
    start: Aligned,
    /// The game: positions that the network chose, their sums, and later their steps.
    chosen: Vec<Chosen<B>>,
    sums: Aligned,
    steps: Aligned,
    events: Vec<Event>,
    won: bool,
    children: Children,
}

#[derive(Clone, Copy, Debug)]
struct Chosen<B> {
    own: B,
    occupied: B,
}

/// From position `at` on, the input of `cell` differs from what it was by `change`.
#[derive(Clone, Copy, Debug)]
struct Event {
    cell: u8,
    at: u8,
    change: i8,
}

/// The row of a cell.
#[inline(always)]
fn row(rows: &[f32], cell: usize, width: usize) -> &[f32] {
    &rows[cell * width..][..width]
}

#[inline(always)]
fn row_mut(rows: &mut [f32], cell: usize, width: usize) -> &mut [f32] {
    &mut rows[cell * width..][..width]
}

impl<B: Cells, const W: usize> Games<B, W> {
    pub(super) fn new(
        slots: Slots<W>,
        network: &Network,
        own: B,
        opponent: B,
        first: bool,
    ) -> Self {
        let (shape, layout) = (network.shape(), network.layout());
        let layer = layout.layers[0];
        let (cells, width) = (layer.inputs, layer.width);
        let leak = |activation: crate::Activation| activation.leak().expect("it is a rectifier");
        let copied = |range: std::ops::Range<usize>, factor: f32| {
            let mut copy = Aligned::zeros(range.len());
            add_scaled(&mut copy, factor, &network.weights[range]);
            copy
        };
        // One more than the network can choose: the sums of the position at hand stand behind those
        // of the last choice.
        let most = (own | opponent).len() as usize / 2 + 2;
        let mut games = Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            cells,
            width,
            twice: copied(0..cells * width, 2.0),
            minus: Aligned::zeros(cells * width),
            bias: copied(layer.row(cells), 1.0),
            output: copied(layout.output.clone(), 1.0),
            output_bias: network.weights[layout.output_bias()],
            leak: leak(shape.activation),
            output_leak: leak(shape.output),
            start: Aligned::zeros(width),
            chosen: Vec::with_capacity(most),
            sums: Aligned::zeros(width * most),
            steps: Aligned::zeros(width * most),
            events: Vec::with_capacity(4 * most),
            won: false,
            children: Children::new(&slots, width),
            slots,
        };
        games.refresh();
        games
    }

    /// Writes the weights back.
    pub(super) fn write(&self, network: &mut Network) {
        let layout = network.layout().clone();
        let weights = &mut network.weights;
        for (weight, &twice) in weights.iter_mut().zip(&*self.twice) {
            *weight = 0.5 * twice;
        }
        weights[layout.layers[0].row(self.cells)].copy_from_slice(&self.bias);
        weights[layout.output.clone()].copy_from_slice(&self.output);
        weights[layout.output_bias()] = self.output_bias;
    }

    /// What follows from the weights.
    #[inline(always)]
    fn refresh(&mut self) {
        let width = self.width;
        for (minus, &twice) in self.minus.iter_mut().zip(&*self.twice) {
            *minus = -0.5 * twice;
        }
        self.start.copy_from_slice(&self.bias);
        for (stones, sign) in [(self.own.stones, 0.5), (self.opponent.stones, -0.5)] {
            for cell in stones.iter() {
                let twice = row(&self.twice, cell.index(), width);
                add_scaled(&mut self.start, sign, twice);
            }
        }
    }

    /// Plays a game.
    #[inline(always)]
    pub(super) fn play<M: Machine, const OPINIONS: bool>(
        &mut self,
        random: &mut Random,
        record: &mut Record,
    ) {
        let width = self.width;
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.chosen.clear();
        self.events.clear();
        self.sums[..width].copy_from_slice(&self.start);
        let mut networks_turn = self.first;
        self.won = loop {
            let at = self.chosen.len();
            let here = at * width;
            let change = if networks_turn {
                let legal = moves(&own, &opponent);
                self.children.list(&legal);
                if self.children.is_empty() {
                    break false;
                }
                let judge = Judge {
                    width,
                    base: &self.sums[here..here + width],
                    twice: &self.twice,
                    minus: &self.minus,
                    output: &self.output,
                    output_bias: self.output_bias,
                    leak: self.leak,
                    output_leak: self.output_leak,
                };
                let edge = self.slots.edge(self.children.best(&judge));
                if OPINIONS {
                    record.opinions += u64::from(self.children.differ());
                }
                play(&mut own, &mut opponent, edge, &self.slots);
                let (from, to) = (usize::from(edge.from), usize::from(edge.to));
                let left = row(&self.minus, from, width);
                let taken = row(&self.twice, to, width);
                let (sums, next) = self.sums[here..here + 2 * width].split_at_mut(width);
                update2(sums, [left, taken], |sum, left, taken| (sum + left) + taken);
                next.copy_from_slice(sums);
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
                let (from, to) = (usize::from(edge.from), usize::from(edge.to));
                let left = row(&self.minus, from, width);
                let taken = row(&self.twice, to, width);
                let sums = &mut self.sums[here..here + width];
                update2(sums, [left, taken], |sum, left, taken| (sum - left) - taken);
                (edge, -1)
            };
            let (edge, sign) = change;
            let at = at as u8;
            self.events.push(Event {
                cell: edge.from,
                at,
                change: -sign,
            });
            self.events.push(Event {
                cell: edge.to,
                at,
                change: 2 * sign,
            });
            networks_turn = !networks_turn;
        };
        record.games += 1;
        record.wins += u64::from(self.won);
        record.positions += self.chosen.len() as u64;
    }

    /// Learns the game that was just played.
    #[inline(always)]
    pub(super) fn learn(&mut self, lesson: &Lesson, record: &mut Record) {
        let live = self.make_steps(lesson);
        record.live += live;
        if live > 0 {
            self.apply_steps();
            self.refresh();
        }
    }

    /// Learns the weights of the output, and the steps of all other weights.
    #[inline(always)]
    fn make_steps(&mut self, lesson: &Lesson) -> u64 {
        let (width, leak) = (self.width, self.leak);
        let target = if self.won {
            lesson.target
        } else {
            -lesson.target
        };
        let mut rate = lesson.learning_rate;
        let mut live = 0;
        for (index, position) in self.chosen.iter().enumerate() {
            let stones = position.occupied.len() as i32;
            let (earlier, steps) = self.steps.split_at_mut(index * width);
            let steps = &mut steps[..width];
            let sums = row_mut(&mut self.sums, index, width);
            for (before, other) in self.chosen[..index].iter().enumerate() {
                // Where there is a stone now there was one then, of the same colour or not; and the
                // bias nodes count as one cell more.
                let turned = (position.occupied & (position.own ^ other.own)).len() as i32;
                let steps = row(earlier, before, width);
                add_scaled(sums, (stones - 2 * turned + 1) as f32, steps);
            }
            let sum = sum_of(sums, &self.output, |sum, weight| {
                rectified(sum, leak) * weight
            });
            let sum = sum + self.output_bias;
            let slope = if sum > 0.0 { 1.0 } else { self.output_leak };
            let delta = (target - sum * slope) * slope;
            let step = if delta.is_finite() { rate * delta } else { 0.0 };
            rate *= 1.0 + lesson.temporal_rate;
            if step == 0.0 {
                steps.fill(0.0);
                continue;
            }
            live += 1;
            let leaked = leak * step;
            let slope = |sum: f32| if sum > 0.0 { step } else { leaked };
            update2(steps, [sums, &self.output], |_, sum, weight| {
                slope(sum) * weight
            });
            update(&mut self.output, sums, |weight, sum| {
                weight + slope(sum) * sum
            });
            self.output_bias += step;
        }
        live
    }

    /// Changes the rows of weights.
    #[inline(always)]
    fn apply_steps(&mut self) {
        let (width, count) = (self.width, self.chosen.len());
        // From steps to sums of steps from there to the end.
        for index in (0..count - 1).rev() {
            let (here, later) = self.steps[index * width..].split_at_mut(width);
            add_scaled(here, 1.0, &later[..width]);
        }
        for event in &self.events {
            // What happened after the last choice changed no position that is learned.
            if usize::from(event.at) < count {
                let twice = row_mut(&mut self.twice, event.cell.into(), width);
                let steps = row(&self.steps, event.at.into(), width);
                add_scaled(twice, f32::from(2 * event.change), steps);
            }
        }
        let steps = &self.steps[..width];
        add_scaled(&mut self.bias, 1.0, steps);
        for (stones, sign) in [(self.own.stones, 2.0), (self.opponent.stones, -2.0)] {
            for cell in stones.iter() {
                add_scaled(row_mut(&mut self.twice, cell.index(), width), sign, steps);
            }
        }
    }
}
