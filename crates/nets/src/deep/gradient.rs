//! What a batch teaches a network: its losses and their gradient, computed forward and back with the
//! kernels.
//!
//! A batch is cut into parts, which threads share. What the parts have found is added up in their
//! order, so that a gradient does not depend on the number of threads. A norm needs all parts:
//! between one norm and the next the threads wait for each other.

mod field;
mod heads;
mod rows;
mod tower;

use std::ops::Range;

use rayon::prelude::*;
use upstar_games::Grid;
use upstar_machine::{Isa, Kernel, Machine};

use self::field::Affine;
use self::heads::{Head, Plan, Room};
use self::rows::{Link, Place, Rows, Slopes};
use self::tower::{ConvRoom, Convs, LayerRoom};
use super::anatomy::{Anatomy, Conv, EPSILON};
use super::conv::Method;
use super::design::{Design, Model};
use super::learner::Lessons;
use super::network::DeepNetwork;
use super::tile::{Lane, blocks};
use crate::lanes::LANES;

/// What a batch teaches a network.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// The loss of the policy, and that of the value.
    pub losses: [f32; 2],
    /// The slope of the loss for each number of the network, tensor after tensor; 0 for running
    /// statistics.
    pub slopes: Vec<f32>,
    /// Means and variances of the batch, and where the running ones stand among the numbers.
    pub statistics: Vec<(Range<usize>, Vec<f32>)>,
}

/// The boards of a part.
const BOARDS: usize = 16;

/// Room to compute the gradients of one network for batches of one size.
#[derive(Clone, Debug)]
pub(super) struct Backprop {
    grid: Grid,
    positions: usize,
    method: Method,
    /// Where all layers stand: those of the trunk, then those of the heads.
    places: Vec<Place>,
    parts: Vec<Part>,
}

impl Backprop {
    /// Room for a network and a batch.
    pub(super) fn new(network: &DeepNetwork, lessons: &Lessons) -> Self {
        let (grid, design) = (*lessons.grid, network.design());
        let positions = lessons.observations.len();
        let anatomy = &network.anatomy;
        let method = Method::winograd(&grid, design.width, BOARDS);
        let plans = Plan::both(anatomy, design.board.is_none());
        let convs = anatomy.convs.iter().map(Place::of_conv);
        let layers = anatomy.layers.iter().map(Place::of_dense);
        let mut places: Vec<Place> = convs.chain(layers).collect();
        places.extend(plans.iter().flat_map(Plan::places));
        let part = |first: usize| {
            let boards = BOARDS.min(positions - first);
            Part {
                first,
                boards,
                tower: if anatomy.layers.is_empty() {
                    TowerRoom::Convs(Box::new(ConvRoom::new(network, &grid, boards, &method)))
                } else {
                    TowerRoom::Layers(LayerRoom::new(network, &grid, boards))
                },
                trunk: Rows::new(
                    if anatomy.layers.is_empty() {
                        boards * grid.len()
                    } else {
                        boards
                    },
                    design.width,
                ),
                heads: plans
                    .each_ref()
                    .map(|plan| Room::new(plan, boards, grid.len(), design.width)),
                totals: vec![[[0.0; LANES]; 2]; blocks(design.width)],
                found: places.iter().map(Slopes::new).collect(),
                losses: [0.0; 2],
            }
        };
        Self {
            grid,
            positions,
            method: method.clone(),
            parts: (0..positions).step_by(BOARDS).map(part).collect(),
            places,
        }
    }

    /// About how many bytes the room for a batch takes.
    pub(super) fn bytes(design: &Design, grid: &Grid, positions: usize) -> u64 {
        let width = blocks(design.width) * LANES;
        let cells = (grid.rows() + 2) * (grid.cols() + 2);
        let layers = match design.model {
            // Each convolution before and after its norm, three for the way back, and the heads.
            Model::Resnet => 2 * (1 + 2 * design.depth) + 3 + 10,
            Model::Conv => 2 * design.depth + 3 + 10,
            Model::Mlp => 0,
        };
        let of_fields = layers * cells * width;
        let of_rows = 2 * (design.depth * width + design.actions(grid) + 3 * grid.len());
        let parts = positions.div_ceil(BOARDS);
        let of_slopes = parts as u64 * Anatomy::new(design).len() as u64;
        (positions as u64 * (of_fields + of_rows) as u64 + of_slopes) * size_of::<f32>() as u64
    }

    /// Whether there is room for these lessons.
    pub(super) fn fits(&self, lessons: &Lessons) -> bool {
        self.grid == *lessons.grid && self.positions == lessons.observations.len()
    }

    /// Losses, gradient and statistics of a batch.
    pub(super) fn learn(&mut self, network: &DeepNetwork, lessons: &Lessons) -> Gradient {
        let anatomy = &network.anatomy;
        let mut index = anatomy.convs.len() + anatomy.layers.len();
        let plans = Plan::both(anatomy, network.design().board.is_none());
        let heads = plans.each_ref().map(|plan| {
            let first = index;
            index += plan.places().count();
            Head::new(network, plan, first)
        });
        let tower = if anatomy.layers.is_empty() {
            Tower::Convs(Convs::new(network, &self.grid, &self.method))
        } else {
            let layers = anatomy.layers.iter().enumerate();
            Tower::Layers(
                layers
                    .map(|(index, layer)| Link::dense(network, layer, index))
                    .collect(),
            )
        };
        let mut norms: Vec<Norm> = anatomy
            .convs
            .iter()
            .chain(plans.iter().filter_map(|plan| plan.conv))
            .map(|conv| Norm::new(conv, self.positions * self.grid.len()))
            .collect();
        let count = anatomy.convs.len();
        let mut shared = Shared {
            grid: self.grid,
            positions: self.positions,
            network,
            lessons: *lessons,
            tower,
            heads,
            norms: vec![Vec::new(); norms.len()],
        };
        let (of_tower, of_heads) = norms.split_at_mut(count);
        for (index, norm) in of_tower.iter_mut().enumerate() {
            self.run(&shared, Phase::Forward(index));
            norm.forward(
                network,
                &self.totals(Part::of_tower),
                &mut shared.norms[index],
            );
        }
        self.run(&shared, Phase::Begin);
        for (head, norm) in of_heads.iter_mut().enumerate() {
            let totals = self.totals(|part| &part.heads[head].totals);
            norm.forward(network, &totals, &mut shared.norms[count + head]);
        }
        self.run(&shared, Phase::Turn);
        for (head, norm) in of_heads.iter_mut().enumerate() {
            let totals = self.totals(|part| &part.heads[head].totals);
            norm.back(&totals, &mut shared.norms[count + head]);
        }
        self.run(&shared, Phase::End);
        for (index, norm) in of_tower.iter_mut().enumerate().rev() {
            norm.back(&self.totals(Part::of_tower), &mut shared.norms[index]);
            self.run(&shared, Phase::Back(index));
        }
        self.gather(network, norms)
    }

    /// Lets all parts do something.
    fn run(&mut self, shared: &Shared, phase: Phase) {
        self.parts.par_iter_mut().for_each(|part| {
            Isa::best().run(Work {
                part,
                shared,
                phase,
            });
        });
    }

    /// What the parts have counted, by channel.
    fn totals(&self, totals: impl Fn(&Part) -> &[[Lane; 2]]) -> Vec<[f64; 2]> {
        let mut sums = vec![[0.0; 2]; totals(&self.parts[0]).len() * LANES];
        for part in &self.parts {
            for (sums, totals) in sums.chunks_exact_mut(LANES).zip(totals(part)) {
                for (lane, sums) in sums.iter_mut().enumerate() {
                    sums[0] += f64::from(totals[0][lane]);
                    sums[1] += f64::from(totals[1][lane]);
                }
            }
        }
        sums
    }

    fn gather(&self, network: &DeepNetwork, norms: Vec<Norm>) -> Gradient {
        let mut gradient = vec![0.0; network.numbers.len()];
        let sums: Vec<Slopes> = (0..self.places.len())
            .into_par_iter()
            .map(|layer| {
                let mut sum = self.parts[0].found[layer].clone();
                for part in &self.parts[1..] {
                    sum.add(&part.found[layer]);
                }
                sum
            })
            .collect();
        for (place, slopes) in self.places.iter().zip(&sums) {
            place.write(slopes, &mut gradient);
        }
        let mut statistics = Vec::new();
        for norm in norms {
            let Norm { conv, channels, .. } = norm;
            let numbers =
                |number: fn(&Channel) -> f64| channels.iter().map(move |it| number(it) as f32);
            gradient[conv.gamma].copy_from_slice(&Vec::from_iter(numbers(|it| it.gamma_slope)));
            gradient[conv.beta].copy_from_slice(&Vec::from_iter(numbers(|it| it.beta_slope)));
            statistics.push((conv.mean, numbers(|it| it.mean).collect()));
            statistics.push((conv.variance, numbers(|it| it.variance).collect()));
        }
        let loss = |which: usize| {
            let sum: f64 = self.parts.iter().map(|part| part.losses[which]).sum();
            (sum / self.positions as f64) as f32
        };
        Gradient {
            losses: [loss(0), loss(1)],
            slopes: gradient,
            statistics,
        }
    }
}

/// A norm in a batch.
#[derive(Debug)]
struct Norm {
    conv: Conv,
    /// How many numbers each channel has.
    count: f64,
    channels: Vec<Channel>,
}

#[derive(Clone, Debug, Default)]
struct Channel {
    mean: f64,
    variance: f64,
    gamma: f64,
    gamma_slope: f64,
    beta_slope: f64,
}

impl Channel {
    /// One over the standard deviation.
    fn scale(&self) -> f64 {
        1.0 / (self.variance + f64::from(EPSILON)).sqrt()
    }
}

impl Norm {
    fn new(conv: &Conv, count: usize) -> Self {
        Self {
            conv: conv.clone(),
            count: count as f64,
            channels: vec![Channel::default(); conv.outputs],
        }
    }

    /// From the sums of numbers and of their squares.
    fn forward(&mut self, network: &DeepNetwork, sums: &[[f64; 2]], affine: &mut Vec<Affine>) {
        affine.clear();
        affine.resize(blocks(self.conv.outputs), Affine::default());
        for (output, channel) in self.channels.iter_mut().enumerate() {
            let [sum, squares] = sums[output];
            let number = |range: &Range<usize>| f64::from(network.numbers[range.start + output]);
            channel.mean = sum / self.count;
            channel.variance = (squares / self.count - channel.mean * channel.mean).max(0.0);
            channel.gamma = number(&self.conv.gamma);
            let factor = channel.gamma * channel.scale();
            let [factors, summands] = &mut affine[output / LANES].forward;
            factors[output % LANES] = factor as f32;
            summands[output % LANES] = (number(&self.conv.beta) - channel.mean * factor) as f32;
        }
    }

    /// From the sums of slopes and of slopes times numbers.
    fn back(&mut self, sums: &[[f64; 2]], affine: &mut [Affine]) {
        for (output, channel) in self.channels.iter_mut().enumerate() {
            let [slopes, products] = sums[output];
            let scale = channel.scale();
            channel.beta_slope = slopes;
            channel.gamma_slope = (products - channel.mean * slopes) * scale;
            let factor = channel.gamma * scale;
            let of_number = -factor * scale * channel.gamma_slope / self.count;
            let summand = -of_number * channel.mean - factor * slopes / self.count;
            let lane = output % LANES;
            for (numbers, number) in affine[output / LANES]
                .back
                .iter_mut()
                .zip([factor, of_number, summand])
            {
                numbers[lane] = number as f32;
            }
        }
    }
}

/// What all parts read.
struct Shared<'a> {
    grid: Grid,
    positions: usize,
    network: &'a DeepNetwork,
    lessons: Lessons<'a>,
    tower: Tower,
    heads: [Head; 2],
    norms: Vec<Vec<Affine>>,
}

#[derive(Debug)]
enum Tower {
    Convs(Convs),
    Layers(Vec<Link>),
}

/// Some boards of a batch, with all that is computed of them.
#[derive(Clone, Debug)]
struct Part {
    first: usize,
    boards: usize,
    tower: TowerRoom,
    /// What the tower says.
    trunk: Rows,
    heads: [Room; 2],
    totals: Vec<[Lane; 2]>,
    found: Vec<Slopes>,
    losses: [f64; 2],
}

#[derive(Clone, Debug)]
enum TowerRoom {
    Convs(Box<ConvRoom>),
    Layers(LayerRoom),
}

/// What is done between one norm and the next.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A convolution, and what comes before it.
    Forward(usize),
    /// To the norms of the heads.
    Begin,
    /// To the losses, and back to the norms of the heads.
    Turn,
    /// Back to the norm of the last convolution.
    End,
    /// Back through a convolution.
    Back(usize),
}

struct Work<'a> {
    part: &'a mut Part,
    shared: &'a Shared<'a>,
    phase: Phase,
}

impl Kernel for Work<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self {
            part,
            shared,
            phase,
        } = self;
        match phase {
            Phase::Forward(index) => part.forward::<M>(shared, index),
            Phase::Begin => part.begin::<M>(shared),
            Phase::Turn => part.turn::<M>(shared),
            Phase::End => part.end::<M>(shared),
            Phase::Back(index) => part.back::<M>(shared, index),
        }
    }
}

impl Part {
    fn of_tower(&self) -> &[[Lane; 2]] {
        &self.totals
    }

    #[inline(always)]
    fn forward<M: Machine>(&mut self, shared: &Shared, index: usize) {
        if let (TowerRoom::Convs(room), Tower::Convs(convs)) = (&mut self.tower, &shared.tower) {
            let observations = &shared.lessons.observations[self.first..][..self.boards];
            if index == 0 {
                room.show(&shared.grid, shared.network.design().planes, observations);
            }
            room.forward::<M>(convs, index, &shared.norms, observations, &mut self.totals);
        }
    }

    #[inline(always)]
    fn begin<M: Machine>(&mut self, shared: &Shared) {
        match (&mut self.tower, &shared.tower) {
            (TowerRoom::Convs(room), Tower::Convs(convs)) => {
                room.finish::<M>(convs, convs.count() - 1, &shared.norms);
                room.say(&mut self.trunk);
            }
            (TowerRoom::Layers(room), Tower::Layers(layers)) => {
                let observations = &shared.lessons.observations[self.first..][..self.boards];
                room.show(&shared.grid, shared.network.design().planes, observations);
                room.forward::<M>(layers, &mut self.trunk);
            }
            _ => unreachable!("rooms are made for the network"),
        }
        for (room, head) in self.heads.iter_mut().zip(&shared.heads) {
            room.begin::<M>(head, &self.trunk);
        }
    }

    #[inline(always)]
    fn turn<M: Machine>(&mut self, shared: &Shared) {
        let norms = &shared.norms[shared.network.anatomy.convs.len()..];
        for (index, (room, head)) in self.heads.iter_mut().zip(&shared.heads).enumerate() {
            let norm = norms.get(index).map_or(&[][..], |norm| norm);
            room.end::<M>(head, norm, &self.trunk);
        }
        self.judge(shared);
        for (room, head) in self.heads.iter_mut().zip(&shared.heads) {
            room.back_to_norm::<M>(head, &mut self.found);
        }
    }

    #[inline(always)]
    fn end<M: Machine>(&mut self, shared: &Shared) {
        let norms = &shared.norms[shared.network.anatomy.convs.len()..];
        for (index, (room, head)) in self.heads.iter_mut().zip(&shared.heads).enumerate() {
            let norm = norms.get(index).map_or(&[][..], |norm| norm);
            room.back_to_trunk::<M>(head, norm, &self.trunk, &mut self.found);
        }
        let slopes = self.heads.each_ref().map(|room| &room.trunk_slopes);
        match (&mut self.tower, &shared.tower) {
            (TowerRoom::Convs(room), Tower::Convs(convs)) => {
                room.hear::<M>(slopes);
                room.back_to_norm::<M>(convs.count() - 1, &mut self.totals);
            }
            (TowerRoom::Layers(room), Tower::Layers(layers)) => {
                room.back::<M>(layers, slopes, &mut self.found);
            }
            _ => unreachable!("rooms are made for the network"),
        }
    }

    #[inline(always)]
    fn back<M: Machine>(&mut self, shared: &Shared, index: usize) {
        if let (TowerRoom::Convs(room), Tower::Convs(convs)) = (&mut self.tower, &shared.tower) {
            let (norm, found) = (&shared.norms[index], &mut self.found[index]);
            room.back::<M>(convs, index, norm, found);
            if index > 0 {
                room.back_to_norm::<M>(index - 1, &mut self.totals);
            }
        }
    }

    /// The losses, and the slopes of all outputs.
    #[inline(always)]
    fn judge(&mut self, shared: &Shared) {
        let lessons = &shared.lessons;
        let design = shared.network.design();
        let (cells, per_cell) = (shared.grid.len(), design.actions_per_cell());
        let actions = cells * per_cell;
        let share = 1.0 / shared.positions as f32;
        let place = |board: usize, action: usize| match design.board {
            None => (board * cells + action / per_cell, action % per_cell),
            Some(_) => (board, action),
        };
        let mut logits = vec![0.0; actions];
        self.losses = [0.0; 2];
        for board in 0..self.boards {
            let position = self.first + board;
            let targets = &lessons.policy[position * actions..][..actions];
            let legal = &lessons.legal[position * actions..][..actions];
            let outputs = &mut self.heads[0].outputs;
            for (action, logit) in logits.iter_mut().enumerate() {
                let (row, channel) = place(board, action);
                let never = if legal[action] > 0.0 { 0.0 } else { NEVER };
                *logit = outputs.said.at(row, channel) + never;
            }
            let most = logits.iter().copied().fold(f32::MIN, f32::max);
            let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
            let weight: f32 = targets.iter().sum();
            for (action, logit) in logits.iter().enumerate() {
                let (row, channel) = place(board, action);
                let log = logit - most - sum.ln();
                let slope = log.exp() * weight - targets[action];
                *outputs.slopes.at_mut(row, channel) = slope * share;
                if targets[action] > 0.0 {
                    self.losses[0] -= f64::from(targets[action] * log);
                }
            }
            let outputs = &mut self.heads[1].outputs;
            let value = outputs.said.at(board, 0).tanh();
            let error = value - lessons.value[position];
            self.losses[1] += f64::from(error * error);
            *outputs.slopes.at_mut(board, 0) = 2.0 * error * (1.0 - value * value) * share;
        }
    }
}

/// Added to the logits of actions that are not legal.
const NEVER: f32 = -1e9;
