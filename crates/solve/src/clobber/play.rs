//! Playing a move in a sum.

use upstar_games::{Cell, Cells};
use upstar_machine::{Kernel, Machine};

use super::expand::Step;
use super::space::Space;
use super::sum::{Ground, Piece, Sum};
use super::values::Value;

/// Plays a step.
pub(crate) struct Play<'a, S: Space> {
    pub(crate) ground: &'a Ground<S>,
    pub(crate) sum: &'a Sum<S::Set>,
    pub(crate) mover: usize,
    pub(crate) step: Step,
}

impl<S: Space> Kernel for Play<'_, S> {
    type Output = Sum<S::Set>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Sum<S::Set> {
        let Self { ground, mover, .. } = self;
        let values = ground.values();
        let mut sum = self.sum.clone();
        match self.step {
            Step::Small { place, option } => {
                sum.remove_small(place.into(), values);
                if option != Value::ZERO {
                    ground.add(&mut sum, &Piece::Small(option));
                }
            }
            Step::Large { place, from, to } => {
                let mut stones = sum.remove_large(place.into()).stones;
                let one = |cell: u8| S::Set::one(Cell::new(cell.into()));
                stones[mover] &= !one(from);
                stones[1 - mover] &= !one(to);
                stones[mover] |= one(to);
                let mut rest = stones[0] | stones[1];
                while let Some(cell) = rest.first() {
                    let part = ground.space.fill(S::Set::one(cell), rest);
                    rest &= !part;
                    ground.add(
                        &mut sum,
                        &ground.piece::<M>([stones[0] & part, stones[1] & part]),
                    );
                }
            }
        }
        sum
    }
}
