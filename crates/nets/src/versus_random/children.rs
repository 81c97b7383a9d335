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

use upstar_machine::{Four, Machine};

use super::board::{Edge, Slots, TOGETHER, list};
use super::group::{Along, Group, along, get, row, summed, width_of};

/// The children of a position.
#[derive(Clone, Debug)]
pub(super) struct Children {
    len: usize,
    edges: Vec<Edge>,
    estimates: Vec<[f32; TOGETHER]>,
    /// The indices of children, as bits of numbers.
    tags: Vec<[f32; TOGETHER]>,
    /// The bits that an index can have.
    spared: u32,
}

/// What judges them: see the fields of the same names in `Games`.
pub(super) struct Judge<'a> {
    pub(super) base: &'a [Group],
    pub(super) rows: &'a [Group],
    pub(super) output: &'a [Group],
    pub(super) steeper: &'a [Group],
    pub(super) output_bias: f32,
    pub(super) leak: f32,
    pub(super) output_leak: f32,
    /// The greatest sum of a cell's weights times those of the output, without signs.
    pub(super) reach: f32,
    /// At least the sum of the nodes' sums times the weights of the output, without signs.
    pub(super) magnitude: f32,
}

/// The move that is chosen.
pub(super) struct Choice {
    pub(super) edge: Edge,
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
    pub(super) fn new<const W: usize>() -> Self {
        let room = Slots::<W>::ROOM;
        let index = |child: usize| f32::from_bits(child as u32);
        Self {
            len: 0,
            edges: vec![Edge::default(); room],
            estimates: vec![[0.0; TOGETHER]; room / TOGETHER],
            tags: (0..room / TOGETHER)
                .map(|four| std::array::from_fn(|child| index(TOGETHER * four + child)))
                .collect(),
            // At most one of two opposite edges is a move.
            spared: 32 * W as u32 - 1,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Lists these moves.
    #[inline(always)]
    pub(super) fn list<const W: usize>(&mut self, moves: &[u64; W], slots: &Slots<W>) {
        self.len = list(moves, slots, &mut self.edges);
    }

    /// The move of the highest value, the first of them on equal values.
    #[inline(always)]
    pub(super) fn best<M: Machine, const G: usize, const HALF: bool>(
        &mut self,
        judge: &Judge<'_>,
    ) -> Choice {
        if self.len == 1 {
            return Choice {
                edge: self.edges[0],
                opinion: false,
            };
        }
        let best = self.estimate::<M, G, HALF>(judge);
        let clear = best.first - best.second > best.slack;
        if judge.output_leak > 0.0 && clear {
            return Choice {
                edge: self.edges[best.child],
                opinion: true,
            };
        }
        self.best_of_rectified::<M, G, HALF>(judge, &best, clear)
    }

    /// The same for an output that is 0 below 0, and where estimates do not tell.
    #[inline(always)]
    fn best_of_rectified<M: Machine, const G: usize, const HALF: bool>(
        &self,
        judge: &Judge<'_>,
        best: &Best,
        clear: bool,
    ) -> Choice {
        if judge.output_leak == 0.0 && best.slack < f32::INFINITY {
            let highest = best.first + judge.common::<M>();
            if highest > best.slack && clear {
                return Choice {
                    edge: self.edges[best.child],
                    opinion: true,
                };
            }
            if highest < -best.slack {
                return Choice {
                    edge: self.edges[0],
                    opinion: false,
                };
            }
        }
        self.exact::<M>(judge, best)
    }

    /// Four children are judged together, so that what they share is loaded once, and what is added up
    /// for one need not wait for itself.
    #[inline(always)]
    fn estimate<M: Machine, const G: usize, const HALF: bool>(
        &mut self,
        judge: &Judge<'_>,
    ) -> Best {
        let width = width_of::<G>(judge.base.len());
        let (base, steeper) = (&judge.base[..width], &judge.steeper[..width]);
        let rows = judge.rows;
        // What stands behind the last child is judged along with it, and is the worst.
        let fours = self.len.div_ceil(TOGETHER);
        let edges = &self.edges.as_chunks::<TOGETHER>().0[..fours];
        let (estimates, tags) = (&mut self.estimates[..fours], &self.tags[..fours]);
        let lost = M::splat(-0.5 * judge.leak);
        // A register holds it if the compiler does not know what it is.
        let half = M::splat(std::hint::black_box(0.5));
        let (mut first, mut second) = (
            M::Four::splat(f32::NEG_INFINITY),
            M::Four::splat(f32::NEG_INFINITY),
        );
        // So many of the lowest bits of an estimate become the child's index, if the greatest is found.
        let mask = M::Four::splat(f32::from_bits(self.spared));
        for four in 0..fours {
            let mut nodes = Nodes::<M> {
                base,
                steeper,
                moved: [[rows, rows]; TOGETHER],
                half,
                sums: [lost; TOGETHER],
            };
            for (child, &edge) in edges[four].iter().enumerate() {
                let [left, taken] =
                    [edge.from, edge.to].map(|cell| row(rows, cell.into(), width + 1));
                nodes.sums[child] = M::mul_add(
                    M::load_low(&left[width].0),
                    lost,
                    M::load_low(&taken[width].0),
                );
                nodes.moved[child] = [&left[..width], &taken[..width]];
            }
            along::<M, HALF>(width, &mut nodes);
            let sums = M::sums(nodes.sums);
            sums.store(&mut estimates[four]);
            let tagged = sums.tag(mask, M::Four::load(&tags[four]));
            second = second.max(first.min(tagged));
            first = first.max(tagged);
        }
        let [first, second] = first.two_greatest(second);
        let tags = self.spared as f32 * f32::EPSILON * (first.abs() + second.abs());
        Best {
            first,
            second,
            child: (first.to_bits() & self.spared) as usize,
            slack: judge.slack() + tags,
        }
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
            if !all && self.estimates.as_flattened()[child] < lowest {
                opinion = true;
                continue;
            }
            let value = judge.value::<M>(self.edges[child]);
            highest = highest.max(ordered(value, child));
            opinion |= value != *first.get_or_insert(value);
        }
        Choice {
            edge: self.edges[!(highest as u32) as usize],
            opinion,
        }
    }
}

/// The nodes of four children: `sums` by lane.
struct Nodes<'a, M: Machine> {
    base: &'a [Group],
    steeper: &'a [Group],
    /// The rows of the cells left and taken.
    moved: [[&'a [Group]; 2]; TOGETHER],
    half: M::Floats,
    sums: [M::Floats; TOGETHER],
}

impl<M: Machine> Along<M> for Nodes<'_, M> {
    #[inline(always)]
    fn tile<const T: usize, const LOW: bool>(&mut self, at: usize) {
        let (base, steeper) = (&self.base[at..][..T], &self.steeper[at..][..T]);
        let mut moved = self.moved;
        for rows in &mut moved {
            for row in rows {
                *row = &row[at..][..T];
            }
        }
        for k in 0..T {
            let low = LOW && k + 1 == T;
            let (base, steeper) = (get::<M>(&base[k], low), get::<M>(&steeper[k], low));
            for (child, [left, taken]) in moved.iter().enumerate() {
                let parent = M::mul_add(get::<M>(&left[k], low), self.half, base);
                let greater = M::max(parent, get::<M>(&taken[k], low));
                let sum = M::mul_add(greater, steeper, self.sums[child]);
                self.sums[child] = summed::<M>(sum, self.sums[child], low);
            }
        }
    }
}

/// A number that is greater for a greater value, and for a lower index of the same value. What is
/// not a number comes last.
#[inline(always)]
pub(super) fn ordered(value: f32, index: usize) -> u64 {
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
    fn value<M: Machine>(&self, Edge { from, to }: Edge) -> f32 {
        let width = self.base.len();
        let [left, taken] = [from, to].map(|cell| row(self.rows, cell.into(), width + 1));
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

    /// How far the difference of two estimates can be from that of the values.
    ///
    /// An estimate adds up numbers that are together below this magnitude plus six times a cell's
    /// reach, and a value does so below the magnitude plus three times the reach, and the bias. On the
    /// way of a number are at most as many roundings as a row has groups, and ten more; twice that
    /// for what is known of the cell taken, which the sixfold reach has room for. A rounding is off by
    /// half an epsilon, and two estimates are compared, each with its value.
    #[inline(always)]
    fn slack(&self) -> f32 {
        let roundings = 2.0 * (self.base.len() as f32 + 10.0);
        let sum = self.magnitude + 6.0 * self.reach + self.output_bias.abs();
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
