//! Depth-first search for who wins a sum.

use upstar_games::{Cells, Isa, Kernel, Machine};

use super::expand::{Child, Expand, Expansion, Step};
use super::model::{Estimate, Model};
use super::space::Space;
use super::sum::{Ground, Piece, Sum};
use super::values::{Value, Values};
use crate::budget::Budget;
use crate::table::Table;

/// All that a search needs to know.
pub(crate) struct Search<'a, S: Space> {
    pub(crate) ground: &'a Ground<S>,
    pub(crate) values: &'a Values,
    pub(crate) table: &'a Table,
    pub(crate) isa: Isa,
    pub(crate) model: Model,
    pub(crate) learn: bool,
    pub(crate) budget: &'a Budget,
    pub(crate) nodes: u64,
    pub(crate) first_hits: [u64; 2],
    pub(crate) lists: Vec<Vec<Child>>,
}

struct Assess<'a, S: Space> {
    ground: &'a Ground<S>,
    values: &'a Values,
    model: &'a Model,
    sum: &'a Sum<S::Set>,
    mover: usize,
}

impl<S: Space> Kernel for Assess<'_, S> {
    type Output = Estimate;
    #[inline(always)]
    fn run<M: Machine>(self) -> Estimate {
        self.model.estimate::<S, M>(&self.ground.space, self.values, self.sum, self.mover)
    }
}

struct Learn<'a, S: Space> {
    ground: &'a Ground<S>,
    values: &'a Values,
    model: &'a mut Model,
    sum: &'a Sum<S::Set>,
    mover: usize,
    win: bool,
    nodes: u64,
}

impl<S: Space> Kernel for Learn<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<M: Machine>(self) {
        self.model.learn::<S, M>(&self.ground.space, self.values, self.sum, self.mover, self.win, self.nodes);
    }
}

/// Plays a step.
pub(crate) struct Play<'a, S: Space> {
    pub(crate) ground: &'a Ground<S>,
    pub(crate) values: &'a Values,
    pub(crate) sum: &'a Sum<S::Set>,
    pub(crate) mover: usize,
    pub(crate) step: Step,
}

impl<S: Space> Kernel for Play<'_, S> {
    type Output = Sum<S::Set>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Sum<S::Set> {
        let Self { ground, values, mover, .. } = self;
        let mut sum = self.sum.clone();
        match self.step {
            Step::Small { place, option } => {
                sum.remove_small(place.into(), values);
                if option != Value::ZERO {
                    sum.add(&Piece::Small(option), values);
                }
            }
            Step::Large { place, from, to } => {
                let mut stones = sum.remove_large(place.into()).stones;
                let one = |cell: u8| S::Set::one(upstar_games::Cell::new(cell.into()));
                stones[mover] &= !one(from);
                stones[1 - mover] &= !one(to);
                stones[mover] |= one(to);
                let mut rest = stones[0] | stones[1];
                while let Some(cell) = rest.first() {
                    let part = ground.space.fill(S::Set::one(cell), rest);
                    rest &= !part;
                    sum.add(&ground.piece::<M>([stones[0] & part, stones[1] & part]), values);
                }
            }
        }
        sum
    }
}

impl<S: Space> Search<'_, S> {
    /// Whether `mover` wins `sum`; `None` if the budget is spent.
    pub(crate) fn wins(&mut self, sum: &Sum<S::Set>, mover: usize, depth: usize) -> Option<bool> {
        if let Some(win) = self.table.get(sum.keys[mover]) {
            return Some(win);
        }
        self.nodes += 1;
        if self.budget.is_spent(self.nodes) {
            return None;
        }
        let before = self.nodes;
        if self.lists.len() <= depth {
            self.lists.push(Vec::new());
        }
        let mut children = std::mem::take(&mut self.lists[depth]);
        let win = self.search(sum, mover, depth, &mut children);
        self.lists[depth] = children;
        let win = win?;
        let nodes = self.nodes - before + 1;
        self.table.put(sum.keys[mover], win, nodes);
        if self.learn && !sum.large.is_empty() {
            self.isa.run(Learn {
                ground: self.ground,
                values: self.values,
                model: &mut self.model,
                sum,
                mover,
                win,
                nodes,
            });
        }
        Some(win)
    }

    fn search(&mut self, sum: &Sum<S::Set>, mover: usize, depth: usize, children: &mut Vec<Child>) -> Option<bool> {
        let expand = Expand {
            ground: self.ground,
            values: self.values,
            table: self.table,
            sum,
            mover,
            children,
        };
        if let Expansion::Won(_) = self.isa.run(expand) {
            return Some(true);
        }
        let mut refuted = false;
        let table = self.table;
        children.retain(|child| match table.get(child.key) {
            Some(win) => {
                refuted |= !win;
                false
            }
            None => true,
        });
        if refuted {
            return Some(true);
        }
        let mut sums = Vec::new();
        for child in children.iter_mut() {
            let next = self.isa.run(Play {
                ground: self.ground,
                values: self.values,
                sum,
                mover,
                step: child.step,
            });
            debug_assert_eq!(next.keys[1 - mover], child.key);
            let estimate = self.isa.run(Assess {
                ground: self.ground,
                values: self.values,
                model: &self.model,
                sum: &next,
                mover: 1 - mover,
            });
            child.rank = estimate.rank();
            sums.push(next);
        }
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by(|&a, &b| children[a].rank.total_cmp(&children[b].rank));
        for (tried, &i) in order.iter().enumerate() {
            if !self.wins(&sums[i], 1 - mover, depth + 1)? {
                self.first_hits[usize::from(tried > 0)] += 1;
                return Some(true);
            }
        }
        Some(false)
    }
}
