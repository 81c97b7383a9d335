//! Rows of numbers as groups of sixteen, which are handled in blocks of K groups: K is known when
//! the code is compiled, and a block fits in registers.

use upstar_games::Machine;

use crate::lanes::LANES;

/// Sixteen numbers, at a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Group(pub(super) [f32; LANES]);

impl Group {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    /// A row of so many groups that begins with these numbers, times `factor`.
    pub(super) fn row(groups: usize, numbers: &[f32], factor: f32) -> Vec<Self> {
        let mut row = vec![Self::ZERO; groups];
        for (group, numbers) in row.iter_mut().zip(numbers.chunks(LANES)) {
            for (number, other) in group.0.iter_mut().zip(numbers) {
                *number = factor * other;
            }
        }
        row
    }
}

/// The numbers of a row.
pub(super) fn numbers(row: &[Group]) -> impl Iterator<Item = f32> {
    row.iter().flat_map(|group| group.0)
}

/// The blocks of rows.
#[inline(always)]
pub(super) fn blocks<const K: usize>(groups: &[Group]) -> &[[Group; K]] {
    groups.as_chunks().0
}

#[inline(always)]
pub(super) fn blocks_mut<const K: usize>(groups: &mut [Group]) -> &mut [[Group; K]] {
    groups.as_chunks_mut().0
}

/// A block in registers.
#[inline(always)]
pub(super) fn load<M: Machine, const K: usize>(block: &[Group; K]) -> [M::Floats; K] {
    let mut numbers = [M::splat(0.0); K];
    for k in 0..K {
        numbers[k] = M::load(&block[k].0);
    }
    numbers
}

#[inline(always)]
pub(super) fn store<M: Machine, const K: usize>(numbers: [M::Floats; K], block: &mut [Group; K]) {
    for k in 0..K {
        M::store(numbers[k], &mut block[k].0);
    }
}
