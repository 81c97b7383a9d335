//! The moves of a position and what the network thinks of them, four at a time.
//!
//! The value of a child is estimated first: with t the row of the cell taken, times −2, and b the
//! parent's sums without the row of the cell left, a node's sum is b − t, and as
//! max(b − t, 0) = max(b, t) − t, all that depends on t alone is the same for all children that take
//! there. So a node costs two additions of products and a maximum. An estimate is off by little, and
//! `Judge::slack` says by how much at most. Only if that leaves two moves to choose from are the
//! values computed as the plain way does it: the choice is the same on every machine.
//!
//! There are no closures around what `Machine` does: they would not have its features.

use upstar_games::Machine;

use super::board::Slots;
use super::group::{Group, blocks, load};

/// How many children are judged together.
const TOGETHER: usize = 4;

/// The children of a position.
#[derive(Clone, Debug)]
pub(super) struct Children {
    len: usize,
    slots: Vec<u16>,
    /// For each slot of the board the cells left and taken.
    cells: Vec<[u16; 2]>,
    /// The slot behind the last: it takes a cell beyond the board, which is worth nothing.
    none: u16,
    /// The sums of wide networks so far; in the end each first of four has their estimates.
    sums: Vec<Group>,
}

/// What judges them: see the fields of the same names in `Games`.
pub(super) struct Judge<'a> {
    pub(super) base: &'a [Group],
    pub(super) rows: &'a [Group],
    pub(super) taken: &'a [Group],
    pub(super) output: &'a [Group],
    pub(super) output_bias: f32,
    pub(super) leak: f32,
    pub(super) output_leak: f32,
    /// The greatest sum of a cell's weights times those of the output, without signs.
    pub(super) reach: f32,
}

/// The move that is chosen.
pub(super) struct Choice {
    pub(super) slot: usize,
    /// Whether the moves have different values.
    pub(super) opinion: bool,
}

/// The estimates of the two best children, the best one's index, and how far the difference of
/// two estimates can be from that of the values.
#[derive(Clone, Copy)]
struct Best {
    first: f32,
    second: f32,
    child: usize,
    slack: f32,
}

impl Children {
    pub(super) fn new<const W: usize>(slots: &Slots<W>, cells: usize) -> Self {
        let most = 64 * W;
        let edge = |slot: usize| slots.edge(slot);
        let cells = (0..most)
            .map(|slot| [edge(slot).from.into(), edge(slot).to.into()])
            .chain([[0, cells as u16]]);
        Self {
            len: 0,
            slots: vec![0; most + 2 * TOGETHER],
            cells: cells.collect(),
            none: most as u16,
            sums: vec![Group::ZERO; most + TOGETHER],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Lists these moves.
    #[inline(always)]
    pub(super) fn list<const W: usize>(&mut self, moves: &[u64; W]) {
        let mut len = 0;
        for word in 0..W {
            let (mut moves, first) = (moves[word], (64 * word) as u16);
            let count = moves.count_ones() as usize;
            let mut listed = 0;
            // Four at a time, so that the end is easier to foresee; what is too much is overwritten.
            while listed < count {
                let four = &mut self.slots[len + listed..][..TOGETHER];
                for slot in four {
                    *slot = first + moves.trailing_zeros() as u16;
                    moves &= moves.wrapping_sub(1);
                }
                listed += TOGETHER;
            }
            len += count;
        }
        self.slots[len..][..TOGETHER].fill(self.none);
        self.len = len;
    }

    /// The move of the highest value, the first of them on equal values.
    #[inline(always)]
    pub(super) fn best<M: Machine, const K: usize, const N: usize>(
        &mut self,
        judge: &Judge<'_>,
    ) -> Choice {
        if self.len == 1 {
            return Choice {
                slot: self.slots[0].into(),
                opinion: false,
            };
        }
        let best = self.estimate::<M, K, N>(judge);
        let clear = best.first - best.second > best.slack;
        if judge.output_leak > 0.0 && clear {
            return Choice {
                slot: self.slots[best.child].into(),
                opinion: true,
            };
        }
        self.best_of_rectified::<M, K, N>(judge, &best, clear)
    }

    /// The same for an output that is 0 below 0, and where estimates do not tell.
    #[inline(always)]
    fn best_of_rectified<M: Machine, const K: usize, const N: usize>(
        &self,
        judge: &Judge<'_>,
        best: &Best,
        clear: bool,
    ) -> Choice {
        if judge.output_leak == 0.0 && best.slack < f32::INFINITY {
            let highest = best.first + judge.common::<M>();
            if highest > best.slack && clear {
                return Choice {
                    slot: self.slots[best.child].into(),
                    opinion: true,
                };
            }
            if highest < -best.slack {
                return Choice {
                    slot: self.slots[0].into(),
                    opinion: false,
                };
            }
        }
        self.exact::<M>(judge, best)
    }

    #[inline(always)]
    fn estimate<M: Machine, const K: usize, const N: usize>(&mut self, judge: &Judge<'_>) -> Best {
        let count = if N == 0 { judge.base.len() / K } else { N };
        let (base, output) = (blocks::<K>(judge.base), blocks::<K>(judge.output));
        let (rows, taken) = (blocks::<K>(judge.rows), judge.taken);
        // What stands behind the last child is judged along with it, and is the worst.
        let fours = self.len.div_ceil(TOGETHER);
        let slots = &self.slots.as_chunks::<TOGETHER>().0[..fours];
        let saved = &mut self.sums.as_chunks_mut::<TOGETHER>().0[..fours];
        let half = M::splat(0.5);
        let lost = M::splat(-0.5 * judge.leak);
        let steep = M::splat(1.0 - judge.leak);
        let (mut first, mut second) = (M::splat(f32::NEG_INFINITY), M::splat(f32::NEG_INFINITY));
        let (mut found, mut magnitude) = (M::splat(0.0), M::splat(0.0));
        for block in 0..count {
            let base: [M::Floats; K] = load::<M, K>(&base[block]);
            let output: [M::Floats; K] = load::<M, K>(&output[block]);
            let mut steeper = output;
            for k in 0..K {
                magnitude = M::add(magnitude, M::abs(M::mul(base[k], output[k])));
                steeper[k] = M::mul(output[k], steep);
            }
            for four in 0..fours {
                let mut sums = [half; TOGETHER];
                for child in 0..TOGETHER {
                    let [from, to] = self.cells[usize::from(slots[four][child])];
                    let (from, to) = (usize::from(from), usize::from(to));
                    let (left, row) = (&rows[from * count + block], &rows[to * count + block]);
                    let mut sum = if block == 0 {
                        M::mul_add(M::load(&taken[from].0), lost, M::load(&taken[to].0))
                    } else {
                        M::load(&saved[four][child].0)
                    };
                    for k in 0..K {
                        let parent = M::mul_add(M::load(&left[k].0), half, base[k]);
                        let greater = M::max(parent, M::load(&row[k].0));
                        sum = M::mul_add(greater, steeper[k], sum);
                    }
                    sums[child] = sum;
                }
                if block + 1 < count {
                    for child in 0..TOGETHER {
                        M::store(sums[child], &mut saved[four][child].0);
                    }
                    continue;
                }
                let sums = M::sums(sums);
                M::store(sums, &mut saved[four][0].0);
                let index = M::splat(f32::from_bits(four as u32));
                found = M::choose(sums, first, [index, found]);
                second = M::max(second, M::min(first, sums));
                first = M::max(first, sums);
            }
        }
        let (mut firsts, mut seconds, mut places) = (Group::ZERO, Group::ZERO, Group::ZERO);
        M::store(first, &mut firsts.0);
        M::store(second, &mut seconds.0);
        M::store(found, &mut places.0);
        let slack = judge.slack(M::sum(magnitude));
        let lane = |lane: usize| Best {
            first: firsts.0[4 * lane],
            second: seconds.0[4 * lane],
            child: TOGETHER * places.0[4 * lane].to_bits() as usize + lane,
            slack,
        };
        better(better(lane(0), lane(1)), better(lane(2), lane(3)))
    }

    /// The choice by values that are computed as the plain way does it, of all children whose
    /// estimates let them be the best.
    #[inline(always)]
    fn exact<M: Machine>(&self, judge: &Judge<'_>, best: &Best) -> Choice {
        // Below a rectified output of 0 all are equal, whatever their estimates.
        let all = judge.output_leak == 0.0 || best.slack == f32::INFINITY;
        let lowest = best.first - best.slack;
        let (mut highest, mut first, mut opinion) = (0, None, false);
        for child in 0..self.len {
            let four = &self.sums[child / TOGETHER * TOGETHER];
            if !all && four.0[4 * (child % TOGETHER)] < lowest {
                opinion = true;
                continue;
            }
            let [from, to] = self.cells[usize::from(self.slots[child])];
            let value = judge.value::<M>(from.into(), to.into());
            highest = highest.max(ordered(value, child));
            opinion |= value != *first.get_or_insert(value);
        }
        Choice {
            slot: self.slots[!(highest as u32) as usize].into(),
            opinion,
        }
    }
}

#[inline(always)]
fn better(a: Best, b: Best) -> Best {
    let greater = b.first > a.first;
    let lower = if greater { a.first } else { b.first };
    let second = if a.second > b.second {
        a.second
    } else {
        b.second
    };
    Best {
        first: if greater { b.first } else { a.first },
        second: if second > lower { second } else { lower },
        child: std::hint::select_unpredictable(greater, b.child, a.child),
        slack: a.slack,
    }
}

/// A number that is greater for a greater value, and for a lower index of the same value. What is
/// not a number comes last.
#[inline(always)]
fn ordered(value: f32, index: usize) -> u64 {
    // Both zeros are equal.
    let bits = (value + 0.0).to_bits();
    let sign = ((bits as i32) >> 31) as u32;
    let key = bits ^ (sign | 0x8000_0000);
    let key = if value.is_nan() { 0 } else { key };
    u64::from(key) << 32 | u64::from(!(index as u32))
}

impl Judge<'_> {
    /// The value of a child.
    #[inline(always)]
    fn value<M: Machine>(&self, from: usize, to: usize) -> f32 {
        let width = self.base.len();
        let (left, taken) = (&self.rows[from * width..], &self.rows[to * width..]);
        let (half, minus, leak) = (M::splat(0.5), M::splat(-1.0), M::splat(self.leak));
        let mut total = M::splat(0.0);
        for i in 0..width {
            let sum = M::mul_add(M::load(&left[i].0), half, M::load(&self.base[i].0));
            let sum = M::mul_add(M::load(&taken[i].0), minus, sum);
            let value = M::max(sum, M::mul(sum, leak));
            total = M::add(total, M::mul(value, M::load(&self.output[i].0)));
        }
        rectified(M::sum(total) + self.output_bias, self.output_leak)
    }

    /// How far the difference of two estimates can be from that of the values, if the nodes' sums
    /// times the weights of the output have this magnitude together, without signs.
    ///
    /// An estimate adds up numbers that are together below this magnitude plus six times a cell's
    /// reach, and a value does so below the magnitude plus three times the reach, and the bias. On the
    /// way of a number are at most as many roundings as a row has groups, and ten more; twice that
    /// for what is known of the cell taken, which the sixfold reach has room for. A rounding is off by
    /// half an epsilon, and two estimates are compared, each with its value.
    #[inline(always)]
    fn slack(&self, magnitude: f32) -> f32 {
        let roundings = 2.0 * (self.base.len() as f32 + 10.0);
        let sum = magnitude + 6.0 * self.reach + self.output_bias.abs();
        let slack = roundings * f32::EPSILON * sum;
        // Estimates of numbers that are too large might not be numbers.
        if slack < 1e20 { slack } else { f32::INFINITY }
    }

    /// What the sums of all children have in common, and estimates lack.
    #[inline(always)]
    fn common<M: Machine>(&self) -> f32 {
        let mut total = M::splat(0.0);
        if self.leak > 0.0 {
            for (base, output) in self.base.iter().zip(self.output) {
                total = M::mul_add(M::load(&base.0), M::load(&output.0), total);
            }
        }
        self.leak * M::sum(total) + self.output_bias
    }
}

/// The value of a rectifier that is leaky by less than 1.
#[inline(always)]
pub(super) fn rectified(sum: f32, leak: f32) -> f32 {
    let leaked = leak * sum;
    if sum > leaked { sum } else { leaked }
}
