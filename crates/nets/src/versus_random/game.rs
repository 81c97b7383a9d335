//! One game, and what is learned from it, with little computed twice. Only rounding differs from
//! plain backpropagation:
//!
//! 1. The first layer by difference: the sums of a child are those of its parent, minus the row of
//!    the cell left, plus twice the row of the cell taken. Four children at a time.
//! 2. A leaky rectifier is a straight line plus a rectifier, and the line's part of the output is
//!    one number per cell.
//! 3. The sums of position k after learning positions 0 … k − 1 are those known from play, plus for
//!    each of these the product of the two positions, a count of bits, times the step it made.
//! 4. A cell's input changes at few moves of a game, so each row of weights changes once per such
//!    event, by a sum of the steps from there to the end.

use upstar_games::{Cells, Machine, Random};

use super::board::{Edge, Side, Slots, count, moves, nth, play};
use super::{Lesson, Record};
use crate::lanes::{Lanes, groups};
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
    /// Groups of lanes per row.
    groups: usize,
    /// For each cell its row of weights: twice, and with a minus.
    twice: Vec<Lanes>,
    minus: Vec<Lanes>,
    bias: Vec<Lanes>,
    output: Vec<Lanes>,
    output_bias: f32,
    /// The slopes below 0 of hidden nodes and output.
    leak: f32,
    output_leak: f32,
    /// For each cell the straight line's part of the output.
    lines: Vec<f32>,
    line_bias: f32,
    /// The sums at the start.
    start: Vec<Lanes>,
    /// The game: positions that the network chose, their sums, and later their steps.
    chosen: Vec<Chosen<B>>,
    sums: Vec<Lanes>,
    steps: Vec<Lanes>,
    events: Vec<Event>,
    won: bool,
    slots_left: Vec<u16>,
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
    change: f32,
}

const GROUP: usize = 4;

impl<B: Cells, const W: usize> Games<B, W> {
    pub(super) fn new(slots: Slots<W>, network: &Network, own: B, opponent: B, first: bool) -> Self {
        let shape = network.shape();
        let layer = network.layout().layers[0];
        let cells = layer.inputs;
        let groups = groups(layer.nodes);
        let leak = |activation: crate::Activation| activation.leak().expect("it is a rectifier");
        let row = |input: usize| &network.weights[layer.row(input)..layer.row(input) + groups];
        let times = |lanes: &Lanes, factor: f32| lanes.map(|weight| factor * weight);
        let rows = || (0..cells).flat_map(row);
        let output = network.layout().output;
        let most = (own | opponent).len() as usize + 1;
        let mut games = Self {
            own: Side::new(own, &slots),
            opponent: Side::new(opponent, &slots),
            first,
            cells,
            groups,
            twice: rows().map(|lanes| times(lanes, 2.0)).collect(),
            minus: rows().map(|lanes| times(lanes, -1.0)).collect(),
            bias: row(cells).to_vec(),
            output: network.weights[output..output + groups].to_vec(),
            output_bias: network.weights[network.layout().output_bias()].0[0],
            leak: leak(shape.activation),
            output_leak: leak(shape.output),
            lines: vec![0.0; cells],
            line_bias: 0.0,
            start: vec![Lanes::ZERO; groups],
            chosen: Vec::with_capacity(most),
            sums: vec![Lanes::ZERO; groups * most],
            steps: vec![Lanes::ZERO; groups * most],
            events: Vec::with_capacity(4 * most),
            won: false,
            slots_left: vec![0; 64 * W + GROUP],
            slots,
        };
        games.refresh();
        games
    }

    /// Writes the weights back.
    pub(super) fn write(&self, network: &mut Network) {
        let layout = network.layout().clone();
        let layer = layout.layers[0];
        for cell in 0..self.cells {
            let row = layer.row(cell);
            for group in 0..self.groups {
                let twice = self.twice[cell * self.groups + group];
                network.weights[row + group] = twice.map(|weight| 0.5 * weight);
            }
        }
        let row = layer.row(self.cells);
        network.weights[row..row + self.groups].copy_from_slice(&self.bias);
        network.weights[layout.output..layout.output_bias()].copy_from_slice(&self.output);
        network.weights[layout.output_bias()].0[0] = self.output_bias;
    }

    /// What follows from the weights.
    #[inline(always)]
    fn refresh(&mut self) {
        let groups = self.groups;
        let start = &mut self.start[..groups];
        start.copy_from_slice(&self.bias);
        for cell in 0..self.cells {
            let twice = &self.twice[cell * groups..][..groups];
            let minus = &mut self.minus[cell * groups..][..groups];
            let one = B::from_wide(1 << cell);
            let sign = if !(self.own.stones & one).is_empty() {
                0.5
            } else if !(self.opponent.stones & one).is_empty() {
                -0.5
            } else {
                0.0
            };
            let sign = Lanes::splat(sign);
            for group in 0..groups {
                minus[group] = twice[group].times(Lanes::splat(-0.5));
                start[group] = start[group].plus(twice[group].times(sign));
            }
        }
        if self.leak > 0.0 {
            let output = &self.output[..groups];
            for cell in 0..self.cells {
                let twice = &self.twice[cell * groups..][..groups];
                let mut sum = Lanes::ZERO;
                for group in 0..groups {
                    sum = sum.plus(twice[group].times(output[group]));
                }
                self.lines[cell] = 0.5 * self.leak * sum.sum();
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
        let groups = self.groups;
        let (mut own, mut opponent) = (self.own, self.opponent);
        self.chosen.clear();
        self.events.clear();
        let mut random = random.clone();
        let Self { start, sums, twice, minus, output, .. } = self;
        // The sums of the position at hand stand where those of the next choice will.
        sums[..groups].copy_from_slice(start);
        let mut line = 0.0;
        if self.leak > 0.0 {
            let mut sum = Lanes::ZERO;
            for group in 0..groups {
                sum = sum.plus(start[group].times(output[group]));
            }
            line = self.leak * sum.sum();
        }
        let mut networks_turn = self.first;
        self.won = loop {
            let at = self.chosen.len();
            if networks_turn {
                let legal = moves(&own, &opponent);
                let moves = count(&legal) as usize;
                if moves == 0 {
                    break false;
                }
                let mut left = 0;
                for (word, &set) in legal.iter().enumerate() {
                    let mut set = set;
                    while set != 0 {
                        self.slots_left[left] = (64 * word) as u16 + set.trailing_zeros() as u16;
                        set &= set - 1;
                        left += 1;
                    }
                }
                for pad in 0..GROUP {
                    self.slots_left[left + pad] = self.slots_left[0];
                }
                let base = &sums[at * groups..][..groups];
                let (best, opinion) = choose(
                    &self.slots,
                    &self.slots_left[..moves.next_multiple_of(GROUP)],
                    Rows { groups, base, twice, minus, output },
                    Lines { lines: &self.lines, leak: self.leak, line: line + self.output_bias, output_leak: self.output_leak },
                );
                if OPINIONS {
                    record.opinions += u64::from(opinion);
                }
                let edge = self.slots.edge(best);
                play(&mut own, &mut opponent, edge, &self.slots);
                let (from, to) = (usize::from(edge.from), usize::from(edge.to));
                let (left, taken) = (&minus[from * groups..][..groups], &twice[to * groups..][..groups]);
                let (here, next) = sums[at * groups..].split_at_mut(groups);
                for group in 0..groups {
                    here[group] = here[group].plus(left[group]).plus(taken[group]);
                    next[group] = here[group];
                }
                line += 2.0 * self.lines[to] - self.lines[from];
                self.chosen.push(Chosen {
                    own: own.stones,
                    occupied: own.stones | opponent.stones,
                });
                self.events.push(Event { cell: edge.from, at: at as u8, change: -1.0 });
                self.events.push(Event { cell: edge.to, at: at as u8, change: 2.0 });
            } else {
                let legal = moves(&opponent, &own);
                let moves = count(&legal);
                if moves == 0 {
                    break true;
                }
                let edge = self.slots.edge(nth::<M, W>(&legal, random.below(moves)));
                play(&mut opponent, &mut own, edge, &self.slots);
                let (from, to) = (usize::from(edge.from), usize::from(edge.to));
                let (left, taken) = (&minus[from * groups..][..groups], &twice[to * groups..][..groups]);
                let here = &mut sums[at * groups..][..groups];
                for group in 0..groups {
                    here[group] = here[group].minus(left[group]).minus(taken[group]);
                }
                line -= 2.0 * self.lines[to] - self.lines[from];
                self.events.push(Event { cell: edge.from, at: at as u8, change: 1.0 });
                self.events.push(Event { cell: edge.to, at: at as u8, change: -2.0 });
            }
            networks_turn = !networks_turn;
        };
        record.games += 1;
        record.wins += u64::from(self.won);
        record.positions += self.chosen.len() as u64;
    }

    /// Learns the game that was just played.
    #[inline(always)]
    pub(super) fn learn(&mut self, lesson: &Lesson, record: &mut Record) {
        let groups = self.groups;
        let count = self.chosen.len();
        let target = if self.won { lesson.target } else { -lesson.target };
        let mut rate = lesson.learning_rate;
        let (mut live, leak) = (0, Lanes::splat(self.leak));
        for index in 0..count {
            let position = self.chosen[index];
            let stones = position.occupied.len() as i32;
            let (earlier, steps) = self.steps.split_at_mut(index * groups);
            let steps = &mut steps[..groups];
            let sums = &mut self.sums[index * groups..][..groups];
            let output = &mut self.output[..groups];
            for (before, other) in self.chosen[..index].iter().enumerate() {
                // Where there is a stone now there was one then, of the same colour or not; and the
                // bias nodes count as one cell more.
                let turned = (position.occupied & (position.own ^ other.own)).len() as i32;
                let product = Lanes::splat((stones - 2 * turned + 1) as f32);
                let earlier = &earlier[before * groups..][..groups];
                for group in 0..groups {
                    sums[group] = sums[group].plus(product.times(earlier[group]));
                }
            }
            let mut sum = Lanes::ZERO;
            for group in 0..groups {
                let sums = sums[group];
                let value = sums.zip(leak, |sum, leak| if sum > 0.0 { sum } else { leak * sum });
                sum = sum.plus(value.times(output[group]));
            }
            let sum = sum.sum() + self.output_bias;
            let slope = if sum > 0.0 { 1.0 } else { self.output_leak };
            let delta = (target - sum * slope) * slope;
            let step = if delta.is_finite() { rate * delta } else { 0.0 };
            rate *= 1.0 + lesson.temporal_rate;
            if step == 0.0 {
                steps.fill(Lanes::ZERO);
                continue;
            }
            live += 1;
            let step_lanes = Lanes::splat(step);
            for group in 0..groups {
                let slopes = sums[group].zip(leak, |sum, leak| if sum > 0.0 { 1.0 } else { leak });
                let step = slopes.times(step_lanes);
                let value = sums[group].times(step);
                steps[group] = step.times(output[group]);
                output[group] = output[group].plus(value);
            }
            self.output_bias += step;
        }
        record.live += live;
        if live == 0 {
            return;
        }
        // From steps to sums of steps from there to the end.
        for index in (0..count - 1).rev() {
            let (here, later) = self.steps[index * groups..].split_at_mut(groups);
            for group in 0..groups {
                here[group] = here[group].plus(later[group]);
            }
        }
        for event in &self.events {
            let at = usize::from(event.at);
            if at == count {
                continue;
            }
            let change = Lanes::splat(2.0 * event.change);
            let steps = &self.steps[at * groups..][..groups];
            let twice = &mut self.twice[usize::from(event.cell) * groups..][..groups];
            for group in 0..groups {
                twice[group] = twice[group].plus(change.times(steps[group]));
            }
        }
        let steps = &self.steps[..groups];
        let bias = &mut self.bias[..groups];
        for group in 0..groups {
            bias[group] = bias[group].plus(steps[group]);
        }
        for (stones, sign) in [(self.own.stones, 2.0), (self.opponent.stones, -2.0)] {
            let sign = Lanes::splat(sign);
            for cell in stones.iter() {
                let twice = &mut self.twice[cell.index() * groups..][..groups];
                for group in 0..groups {
                    twice[group] = twice[group].plus(sign.times(steps[group]));
                }
            }
        }
        self.refresh();
    }
}

#[derive(Clone, Copy)]
struct Rows<'a> {
    groups: usize,
    base: &'a [Lanes],
    twice: &'a [Lanes],
    minus: &'a [Lanes],
    output: &'a [Lanes],
}

#[derive(Clone, Copy)]
struct Lines<'a> {
    lines: &'a [f32],
    leak: f32,
    line: f32,
    output_leak: f32,
}

/// The slot with the highest value, the first of them on equal values; and whether there are
/// different ones.
#[inline(always)]
fn choose<const W: usize>(
    board: &Slots<W>,
    slots: &[u16],
    rows: Rows<'_>,
    lines: Lines<'_>,
) -> (usize, bool) {
    let groups = rows.groups;
    let output = &rows.output[..groups];
    let base = &rows.base[..groups];
    let (mut best, mut highest, mut lowest) = (usize::from(slots[0]), f32::NEG_INFINITY, f32::INFINITY);
    let rest = 1.0 - lines.leak;
    for four in slots.chunks_exact(GROUP) {
        let mut edges = [Edge { from: 0, to: 0 }; GROUP];
        let (mut left, mut taken) = ([base; GROUP], [base; GROUP]);
        for child in 0..GROUP {
            edges[child] = board.edge(usize::from(four[child]));
            left[child] = &rows.minus[usize::from(edges[child].from) * groups..][..groups];
            taken[child] = &rows.twice[usize::from(edges[child].to) * groups..][..groups];
        }
        let mut sums = [Lanes::ZERO; GROUP];
        for group in 0..groups {
            for child in 0..GROUP {
                let sum = base[group].plus(left[child][group]).plus(taken[child][group]);
                sums[child] = sums[child].plus(sum.positive().times(output[group]));
            }
        }
        for child in 0..GROUP {
            let line = lines.line + 2.0 * lines.lines[usize::from(edges[child].to)]
                - lines.lines[usize::from(edges[child].from)];
            let sum = rest * sums[child].sum() + line;
            let value = if sum > 0.0 { sum } else { lines.output_leak * sum };
            if value > highest {
                highest = value;
                best = usize::from(four[child]);
            }
            if value < lowest {
                lowest = value;
            }
        }
    }
    (best, lowest < highest)
}
