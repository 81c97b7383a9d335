//! A network made ready for one board: norms folded into weights, weights as the kernels read them,
//! and room to compute in.

use upstar_games::Grid;
use upstar_machine::{Isa, Kernel, Machine};

use super::heads::Heads;
use super::network::DeepNetwork;
use super::observation::Observation;
use super::tile::blocks;
use super::trunk::Trunk;
use super::winograd::Tiling;
use crate::judge::Misfit;
use crate::lanes::LANES;

/// A network made ready for one board. It allocates nothing while it evaluates, and what it says of a
/// position does not depend on the others of the batch, to the last bit. Between instruction sets the
/// last bits may differ.
#[derive(Clone, Debug)]
pub struct Evaluator {
    isa: Isa,
    actions: usize,
    /// How many boards are computed at a time.
    boards: usize,
    trunk: Trunk,
    heads: Heads,
}

impl Evaluator {
    /// The network for this board.
    ///
    /// # Errors
    /// If the network is for another board, or for Othello and the board has holes.
    pub fn new(network: &DeepNetwork, grid: &Grid) -> Result<Self, Misfit> {
        let weights = network.parameters() / 9 * Tiling::new(grid).weights();
        Self::with(network, grid, weights > MOST_WEIGHTS)
    }

    /// The same with direct convolutions: slower in batches, but its weights take less room, and so
    /// it is chosen for networks of more than some thirty million parameters anyway.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn direct(network: &DeepNetwork, grid: &Grid) -> Result<Self, Misfit> {
        Self::with(network, grid, true)
    }

    fn with(network: &DeepNetwork, grid: &Grid, direct: bool) -> Result<Self, Misfit> {
        network.fits(grid)?;
        let network = &network.dusted();
        let boards = boards_at_a_time(network.design().width, grid);
        Ok(Self {
            isa: Isa::best(),
            actions: network.design().actions(grid),
            boards,
            trunk: Trunk::new(network, grid, boards, direct),
            heads: Heads::new(network, grid, boards),
        })
    }

    /// The same with another instruction set, for comparisons.
    #[must_use]
    pub fn on(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// How many actions there are.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Judges positions: for each the logits of all actions, legal or not, one position after the
    /// other, and what the side to move may hope for, between −1 and 1.
    ///
    /// # Panics
    /// If there is not room for just so many numbers.
    pub fn evaluate(
        &mut self,
        observations: &[Observation],
        policy: &mut [f32],
        value: &mut [f32],
    ) {
        assert_eq!(
            policy.len(),
            observations.len() * self.actions,
            "room for logits"
        );
        assert_eq!(value.len(), observations.len(), "room for values");
        if observations.is_empty() {
            return;
        }
        // Pieces of about the same size.
        let boards = observations
            .len()
            .div_ceil(observations.len().div_ceil(self.boards));
        let policy = policy.chunks_mut(boards * self.actions);
        let value = value.chunks_mut(boards);
        for ((observations, policy), value) in observations.chunks(boards).zip(policy).zip(value) {
            self.isa.run(Chunk {
                evaluator: self,
                observations,
                policy,
                value,
            });
            value.iter_mut().for_each(|value| *value = value.tanh());
        }
    }
}

struct Chunk<'a> {
    evaluator: &'a mut Evaluator,
    observations: &'a [Observation],
    policy: &'a mut [f32],
    value: &'a mut [f32],
}

impl Kernel for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Evaluator { trunk, heads, .. } = self.evaluator;
        let said = trunk.compute::<M>(self.observations);
        heads.compute::<M>(said, self.policy, self.value);
    }
}

/// The most transformed weights: beyond, they would take more than half a gigabyte.
const MOST_WEIGHTS: usize = 1 << 27;

/// So many that what a layer computes stays in the second cache, but not too few: each weight is read
/// once for all of them.
fn boards_at_a_time(width: usize, grid: &Grid) -> usize {
    const CACHE: usize = 1 << 20;
    let numbers = 2 * Tiling::new(grid).products() * blocks(width) * LANES;
    let boards = CACHE / (numbers * size_of::<f32>());
    boards.next_multiple_of(4).clamp(4, 32)
}
