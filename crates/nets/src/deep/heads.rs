//! The policy and the value, from what the trunk says.

use upstar_games::Grid;
use upstar_machine::Machine;

use super::anatomy::Conv;
use super::dense::Packed;
use super::design::Model;
use super::network::DeepNetwork;
use super::tile::{Lane, blocks, lanes, lanes_mut};
use crate::lanes::{Aligned, LANES};

/// Both heads, and room for several boards.
#[derive(Clone, Debug)]
pub(crate) struct Heads {
    cells: usize,
    actions: usize,
    boards: usize,
    kind: Kind,
    policy: Packed,
    hidden: Packed,
    output: Packed,
    /// A row per board: what the layers of the policy read and write, and those of the value.
    policy_rows: [Aligned; 2],
    value_rows: [Aligned; 2],
}

#[derive(Clone, Debug)]
enum Kind {
    /// For every size: the actions of a cell from that cell, the value from means and maxima.
    Free {
        /// To the channels of the policy, and behind them those of the value.
        conv: Packed,
        channels: usize,
        said: Aligned,
        logits: Aligned,
    },
    /// For one board: few filters, all cells of which are read together.
    Fixed {
        /// To the filters of the policy, and behind them that of the value.
        conv: Packed,
        filters: [usize; 2],
        said: Aligned,
    },
    /// Without a board.
    Layers(Packed),
}

impl Heads {
    pub(crate) fn new(network: &DeepNetwork, grid: &Grid, boards: usize) -> Self {
        let (design, anatomy) = (network.design(), &network.anatomy);
        let (policy, value) = (&anatomy.policy, &anatomy.value);
        let cells = grid.len();
        let rows = (boards * cells) | 1;
        let hidden = &value.hidden;
        let weights = &network.numbers[hidden.weight.clone()];
        let mut packed_hidden = Packed::of(network, hidden);
        let kind = match (&policy.conv, &value.conv) {
            (Some(policy), Some(value)) if design.board.is_none() => {
                let channels = blocks(design.width) * LANES;
                // Means stand in whole blocks, and maxima behind them.
                let biases = &network.numbers[hidden.bias.clone()];
                let weight = |input: usize, output: usize| {
                    let channel = input % channels;
                    let place = input / channels * design.width + channel;
                    if channel < design.width {
                        weights[place * hidden.outputs + output]
                    } else {
                        0.0
                    }
                };
                packed_hidden =
                    Packed::new([2 * channels, hidden.outputs], weight, |it| biases[it]);
                let conv = both(network, [policy, value], channels);
                Kind::Free {
                    said: Aligned::zeros(rows * conv.outputs() * LANES),
                    conv,
                    channels: blocks(design.width),
                    logits: Aligned::zeros(rows * LANES),
                }
            }
            (Some(policy), Some(value)) => Kind::Fixed {
                conv: both(network, [policy, value], policy.outputs),
                filters: [policy.outputs, value.outputs],
                said: Aligned::zeros(rows * LANES),
            },
            _ => {
                let hidden = policy.hidden.as_ref().expect("there is a hidden layer");
                debug_assert_eq!(design.model, Model::Mlp);
                Kind::Layers(Packed::of(network, hidden))
            }
        };
        let room = |numbers: usize| Aligned::zeros(boards * blocks(numbers) * LANES);
        let actions = design.actions(grid);
        Self {
            cells,
            actions,
            boards,
            kind,
            policy: Packed::of(network, &policy.output),
            output: Packed::of(network, &value.output),
            policy_rows: [room(policy.output.inputs.max(design.width)), room(actions)],
            value_rows: [
                room(2 * blocks(design.width.max(cells)) * LANES),
                room(hidden.outputs),
            ],
            hidden: packed_hidden,
        }
    }

    /// Writes logits and values, these before tanh, of so many boards.
    #[inline(always)]
    pub(crate) fn compute<M: Machine>(
        &mut self,
        (trunk, stride): (&[Lane], usize),
        policy: &mut [f32],
        value: &mut [f32],
    ) {
        let boards = value.len();
        let rows = boards * self.cells;
        let row_stride = (self.boards * self.cells) | 1;
        let [policy_in, policy_out] = &mut self.policy_rows;
        let [value_in, value_out] = &mut self.value_rows;
        let value_out = lanes_mut(value_out);
        let per_board = self.boards;
        match &mut self.kind {
            Kind::Free {
                conv,
                channels,
                said,
                logits,
            } => {
                let said = lanes_mut(said);
                conv.apply::<M>(rows, (trunk, stride), (said, row_stride), true);
                let logits = lanes_mut(logits);
                let place = (&mut *logits, row_stride);
                self.policy
                    .apply::<M>(rows, (said, row_stride), place, false);
                let per_cell = self.actions / self.cells;
                for (numbers, logits) in policy.chunks_exact_mut(per_cell).zip(&*logits) {
                    numbers.copy_from_slice(&logits[..per_cell]);
                }
                let value_in = lanes_mut(value_in);
                let share = M::splat(1.0 / self.cells as f32);
                for block in 0..*channels {
                    for board in 0..boards {
                        let first = (*channels + block) * row_stride + board * self.cells;
                        // After ReLU nothing is below zero.
                        let (mut sum, mut most) = (M::splat(0.0), M::splat(0.0));
                        for lane in &said[first..][..self.cells] {
                            let numbers = M::load(lane);
                            sum = M::add(sum, numbers);
                            most = M::max(most, numbers);
                        }
                        let mean = &mut value_in[block * per_board + board];
                        M::store(M::mul(sum, share), mean);
                        M::store(most, &mut value_in[(*channels + block) * per_board + board]);
                    }
                }
            }
            Kind::Fixed {
                conv,
                filters: [policy_filters, value_filters],
                said,
            } => {
                let said = lanes_mut(said);
                conv.apply::<M>(rows, (trunk, stride), (said, row_stride), true);
                let policy_in = lanes_mut(policy_in);
                let value_in = lanes_mut(value_in);
                for board in 0..boards {
                    for cell in 0..self.cells {
                        let numbers = &said[board * self.cells + cell];
                        let (of_policy, rest) = numbers.split_at(*policy_filters);
                        for (rows, filters) in [
                            (&mut *policy_in, of_policy),
                            (&mut *value_in, &rest[..*value_filters]),
                        ] {
                            for (filter, number) in filters.iter().enumerate() {
                                let node = filter * self.cells + cell;
                                rows[node / LANES * per_board + board][node % LANES] = *number;
                            }
                        }
                    }
                }
            }
            Kind::Layers(hidden) => {
                let place = (lanes_mut(policy_in), per_board);
                hidden.apply::<M>(boards, (trunk, stride), place, true);
            }
        }
        if !matches!(self.kind, Kind::Free { .. }) {
            let policy_out = lanes_mut(policy_out);
            let place = (&mut *policy_out, per_board);
            self.policy
                .apply::<M>(boards, (lanes(policy_in), per_board), place, false);
            for (board, numbers) in policy.chunks_exact_mut(self.actions).enumerate() {
                for (block, numbers) in numbers.chunks_mut(LANES).enumerate() {
                    let lane = &policy_out[block * per_board + board];
                    numbers.copy_from_slice(&lane[..numbers.len()]);
                }
            }
        }
        let value_in = match &self.kind {
            Kind::Layers(_) => (trunk, stride),
            _ => (lanes(value_in), per_board),
        };
        let place = (&mut *value_out, per_board);
        self.hidden.apply::<M>(boards, value_in, place, true);
        for (board, value) in value.iter_mut().enumerate() {
            *value = self.output.first(&value_out[board..], per_board);
        }
    }
}

/// Two convolutions of one cell as one, the outputs of the second from the channel `second` on.
fn both(network: &DeepNetwork, convs: [&Conv; 2], second: usize) -> Packed {
    let place = |output: usize| {
        if output < second {
            (convs[0], output)
        } else {
            (convs[1], output - second)
        }
    };
    let there = |&(conv, output): &(&Conv, usize)| output < conv.outputs;
    let weight = |input: usize, output: usize| {
        let found = Some(place(output)).filter(there);
        found.map_or(0.0, |(conv, output)| {
            let weights = &network.numbers[conv.weight.clone()];
            network.norm(conv, output).0 * weights[output * conv.inputs + input]
        })
    };
    let bias = |output: usize| {
        let found = Some(place(output)).filter(there);
        found.map_or(0.0, |(conv, output)| network.norm(conv, output).1)
    };
    Packed::new([convs[0].inputs, second + convs[1].outputs], weight, bias)
}
