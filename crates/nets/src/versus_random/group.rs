//! Rows of numbers as groups of sixteen, of which the last may be half padding; a machine whose vectors
//! have eight numbers leaves that out.

use upstar_machine::Machine;

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

/// One of many rows that each have so many groups.
#[inline(always)]
pub(super) fn row(rows: &[Group], index: usize, groups: usize) -> &[Group] {
    &rows[index * groups..(index + 1) * groups]
}

#[inline(always)]
pub(super) fn row_mut(rows: &mut [Group], index: usize, groups: usize) -> &mut [Group] {
    &mut rows[index * groups..(index + 1) * groups]
}

/// The groups of a row: G, or if that is 0 as many as it has.
#[inline(always)]
pub(super) fn width_of<const G: usize>(width: usize) -> usize {
    if G == 0 { width } else { G }
}

/// Something done along rows.
pub(super) trait Along<M: Machine> {
    /// Does it for T groups from this one on. With `LOW` the last eight numbers of the last are padding.
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize);
}

/// Goes along rows of so many groups, a tile of them at a time: so few that they fit in registers.
/// With `HALF` the last group is half padding.
#[inline(always)]
pub(super) fn along<M: Machine, const HALF: bool>(width: usize, work: &mut impl Along<M>) {
    let full = width - usize::from(HALF);
    for tile in 0..full / 4 {
        work.tile::<4, false>(4 * tile);
    }
    let at = full / 4 * 4;
    match (full % 4, HALF) {
        (0, false) => {}
        (1, false) => work.tile::<1, false>(at),
        (2, false) => work.tile::<2, false>(at),
        (_, false) => work.tile::<3, false>(at),
        (0, true) => work.tile::<1, true>(at),
        (1, true) => work.tile::<2, true>(at),
        (2, true) => work.tile::<3, true>(at),
        (_, true) => work.tile::<4, true>(at),
    }
}

/// A group in a register; with `low` its last eight numbers are padding.
#[inline(always)]
pub(super) fn get<M: Machine>(group: &Group, low: bool) -> M::Floats {
    if low {
        M::load_low(&group.0)
    } else {
        M::load(&group.0)
    }
}

#[inline(always)]
pub(super) fn put<M: Machine>(numbers: M::Floats, group: &mut Group, low: bool) {
    if low {
        M::store_low(numbers, &mut group.0);
    } else {
        M::store(numbers, &mut group.0);
    }
}

/// A sum by lane, after numbers of which the last eight are padding with `low` were added to `before`.
#[inline(always)]
pub(super) fn summed<M: Machine>(sum: M::Floats, before: M::Floats, low: bool) -> M::Floats {
    if low { M::low(sum, before) } else { sum }
}

/// A tile of a row in registers.
#[inline(always)]
pub(super) fn load<M: Machine, const T: usize, const LOW: bool>(row: &[Group]) -> [M::Floats; T] {
    let mut numbers = [M::splat(0.0); T];
    for k in 0..T {
        numbers[k] = get::<M>(&row[k], LOW && k + 1 == T);
    }
    numbers
}

#[inline(always)]
pub(super) fn store<M: Machine, const T: usize, const LOW: bool>(
    numbers: [M::Floats; T],
    row: &mut [Group],
) {
    for k in 0..T {
        put::<M>(numbers[k], &mut row[k], LOW && k + 1 == T);
    }
}
