//! The two heads, forward and back, for one part of a batch.

use upstar_machine::Machine;

use super::field::{Affine, back, finish, mask as mask_normed, sum_up};
use super::rows::{Link, Place, Rows, Slopes, mask};
use crate::deep::anatomy::{Anatomy, Conv, Dense};
use crate::deep::network::DeepNetwork;
use crate::deep::tile::{Lane, blocks};
use crate::lanes::LANES;

/// How what stands at the cells comes to the layers of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// Row by row, as it is.
    Rows,
    /// All cells of a board in one row.
    Board,
    /// Mean and maximum over the cells of a board.
    Pool,
}

/// A head with its weights.
#[derive(Debug)]
pub(super) struct Head {
    joint: Joint,
    conv: Option<Link>,
    hidden: Option<Link>,
    output: Link,
}

/// What a head is made of.
pub(super) struct Plan<'a> {
    pub(super) joint: Joint,
    pub(super) conv: Option<&'a Conv>,
    hidden: Option<&'a Dense>,
    output: &'a Dense,
}

impl<'a> Plan<'a> {
    /// The plans of policy and value.
    pub(super) fn both(anatomy: &'a Anatomy, every_size: bool) -> [Self; 2] {
        let joint = |conv: &Option<Conv>, pooled| match conv {
            Some(_) if every_size => pooled,
            Some(_) => Joint::Board,
            None => Joint::Rows,
        };
        let Anatomy { policy, value, .. } = anatomy;
        [
            Self {
                joint: joint(&policy.conv, Joint::Rows),
                conv: policy.conv.as_ref(),
                hidden: policy.hidden.as_ref(),
                output: &policy.output,
            },
            Self {
                joint: joint(&value.conv, Joint::Pool),
                conv: value.conv.as_ref(),
                hidden: Some(&value.hidden),
                output: &value.output,
            },
        ]
    }

    /// Where its layers stand, in the order of [`Head::new`].
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let dense = self.hidden.into_iter().chain([self.output]);
        let convs = self.conv.into_iter().map(Place::of_conv);
        convs.chain(dense.map(Place::of_dense))
    }
}

impl Head {
    /// The head whose first layer has this index.
    pub(super) fn new(network: &DeepNetwork, plan: &Plan, mut index: usize) -> Self {
        let mut next = || {
            index += 1;
            index - 1
        };
        Self {
            joint: plan.joint,
            conv: plan.conv.map(|conv| Link::conv(network, conv, next())),
            hidden: plan.hidden.map(|layer| Link::dense(network, layer, next())),
            output: Link::dense(network, plan.output, next()),
        }
    }
}

/// Numbers of a layer and their slopes.
#[derive(Clone, Debug)]
pub(super) struct Both {
    pub(super) said: Rows,
    pub(super) slopes: Rows,
}

impl Both {
    pub(super) fn new(count: usize, channels: usize) -> Self {
        let said = Rows::new(count, channels);
        Self {
            slopes: said.clone(),
            said,
        }
    }
}

/// Room for a head.
#[derive(Clone, Debug)]
pub(super) struct Room {
    cells: usize,
    channels: usize,
    /// Before the norm, and the slopes there.
    sums: Both,
    /// After it.
    conv: Both,
    inputs: Both,
    hidden: Both,
    pub(super) outputs: Both,
    /// The slopes that go back to the trunk.
    pub(super) trunk_slopes: Rows,
    pub(super) totals: Vec<[Lane; 2]>,
}

impl Room {
    pub(super) fn new(plan: &Plan, boards: usize, cells: usize, width: usize) -> Self {
        let channels = plan.conv.map_or(0, |conv| conv.outputs);
        let of_trunk = if plan.conv.is_some() {
            boards * cells
        } else {
            boards
        };
        let rows = match plan.joint {
            Joint::Rows => of_trunk,
            Joint::Board | Joint::Pool => boards,
        };
        let inputs = plan.hidden.unwrap_or(plan.output).inputs;
        Self {
            cells,
            channels,
            sums: Both::new(of_trunk, channels),
            conv: Both::new(of_trunk, channels),
            inputs: Both::new(rows, inputs),
            hidden: Both::new(rows, plan.hidden.map_or(0, |layer| layer.outputs)),
            outputs: Both::new(rows, plan.output.outputs),
            trunk_slopes: Rows::new(of_trunk, width),
            totals: vec![[[0.0; LANES]; 2]; blocks(channels)],
        }
    }

    /// As far as its norm.
    #[inline(always)]
    pub(super) fn begin<M: Machine>(&mut self, head: &Head, trunk: &Rows) {
        if let Some(conv) = &head.conv {
            conv.forward::<M>(trunk, &mut self.sums.said, false);
            let sums = &self.sums.said;
            sum_up::<M>(sums.walk, sums.lanes(), &mut self.totals);
        }
    }

    /// From its norm to its outputs.
    #[inline(always)]
    pub(super) fn end<M: Machine>(&mut self, head: &Head, norm: &[Affine], trunk: &Rows) {
        if head.conv.is_some() {
            let (sums, said) = (&self.sums.said, &mut self.conv.said);
            finish::<M>(sums.walk, norm, sums.lanes(), None, said.lanes_mut());
        }
        self.join(head, trunk);
        let inputs = &self.inputs.said;
        if let Some(hidden) = &head.hidden {
            hidden.forward::<M>(inputs, &mut self.hidden.said, true);
            let hidden = &self.hidden.said;
            head.output
                .forward::<M>(hidden, &mut self.outputs.said, false);
        } else {
            head.output
                .forward::<M>(inputs, &mut self.outputs.said, false);
        }
    }

    /// From the slopes of its outputs to its norm.
    #[inline(always)]
    pub(super) fn back_to_norm<M: Machine>(&mut self, head: &Head, found: &mut [Slopes]) {
        let outputs = &self.outputs.slopes;
        let inputs = &mut self.inputs;
        if let Some(hidden) = &head.hidden {
            let Both { said, slopes } = &mut self.hidden;
            head.output.back::<M>(said, outputs, Some(slopes), found);
            mask::<M>(said, slopes);
            hidden.back::<M>(&inputs.said, slopes, Some(&mut inputs.slopes), found);
        } else {
            let slopes = Some(&mut inputs.slopes);
            head.output.back::<M>(&inputs.said, outputs, slopes, found);
        }
        self.part(head);
        if head.conv.is_some() {
            let Both { said, slopes } = &mut self.conv;
            let sums = &self.sums.said;
            let slopes = slopes.lanes_mut();
            mask_normed::<M>(
                sums.walk,
                said.lanes(),
                sums.lanes(),
                slopes,
                &mut self.totals,
            );
        }
    }

    /// From its norm back to the trunk.
    #[inline(always)]
    pub(super) fn back_to_trunk<M: Machine>(
        &mut self,
        head: &Head,
        norm: &[Affine],
        trunk: &Rows,
        found: &mut [Slopes],
    ) {
        if let Some(conv) = &head.conv {
            let Both { said, slopes } = &mut self.sums;
            let from = self.conv.slopes.lanes();
            back::<M>(said.walk, norm, said.lanes(), from, slopes.lanes_mut());
            conv.back::<M>(trunk, slopes, Some(&mut self.trunk_slopes), found);
        }
    }

    /// From the cells to the inputs of its layers.
    #[inline(always)]
    fn join(&mut self, head: &Head, trunk: &Rows) {
        let (cells, inputs) = (self.cells, &mut self.inputs.said);
        let said = &self.conv.said;
        match head.joint {
            Joint::Rows => {
                let from = if head.conv.is_some() { said } else { trunk };
                inputs.lanes_mut().copy_from_slice(from.lanes());
            }
            Joint::Board => {
                for board in 0..inputs.count {
                    for channel in 0..self.channels {
                        for cell in 0..cells {
                            *inputs.at_mut(board, channel * cells + cell) =
                                said.at(board * cells + cell, channel);
                        }
                    }
                }
            }
            Joint::Pool => {
                for board in 0..inputs.count {
                    for channel in 0..self.channels {
                        let numbers = (0..cells).map(|cell| said.at(board * cells + cell, channel));
                        let mean = numbers.clone().sum::<f32>() / cells as f32;
                        *inputs.at_mut(board, channel) = mean;
                        *inputs.at_mut(board, self.channels + channel) =
                            numbers.fold(0.0, f32::max);
                    }
                }
            }
        }
    }

    /// From the slopes of the inputs to those of the cells.
    #[inline(always)]
    fn part(&mut self, head: &Head) {
        let (cells, slopes) = (self.cells, &self.inputs.slopes);
        let Both {
            said,
            slopes: parted,
        } = &mut self.conv;
        match head.joint {
            Joint::Rows => {
                let to = match head.conv {
                    Some(_) => parted,
                    None => &mut self.trunk_slopes,
                };
                to.lanes_mut().copy_from_slice(slopes.lanes());
            }
            Joint::Board => {
                for board in 0..slopes.count {
                    for channel in 0..self.channels {
                        for cell in 0..cells {
                            *parted.at_mut(board * cells + cell, channel) =
                                slopes.at(board, channel * cells + cell);
                        }
                    }
                }
            }
            Joint::Pool => {
                for board in 0..slopes.count {
                    for channel in 0..self.channels {
                        let share = slopes.at(board, channel) / cells as f32;
                        let most = slopes.at(board, self.channels + channel);
                        let first = board * cells;
                        let number = |cell: usize| said.at(first + cell, channel);
                        let greatest = (1..cells).fold(0, |best, cell| {
                            if number(cell) > number(best) {
                                cell
                            } else {
                                best
                            }
                        });
                        for cell in 0..cells {
                            *parted.at_mut(first + cell, channel) = share;
                        }
                        *parted.at_mut(first + greatest, channel) += most;
                    }
                }
            }
        }
    }
}
