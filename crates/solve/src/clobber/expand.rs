//! The children of a sum: for each move the key of what follows, as seen by the side then to move.
//!
//! A stone that moves leaves its cell empty, and only there can a component fall apart: so the parts
//! are found once per stone and shared by its targets. A child is known by its key and its move;
//! it is made whole only when it is searched.

use arrayvec::ArrayVec;
use upstar_games::Cells;
use upstar_machine::{Kernel, Machine};

use super::model::{Chart, Model};
use super::play::Play;
use super::space::Space;
use super::sum::{Component, Ground, Piece, Sum};
use super::technique::Technique;
use super::values::Value;
use crate::key::Key;
use crate::transposition_table::TranspositionTable;

/// A move in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A stone of the large component at this place goes from one cell to another.
    Large { place: u8, from: u8, to: u8 },
    /// The value at this place is replaced by an option.
    Small { place: u8, option: Value },
}

/// What a move leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    /// The key for the side then to move.
    pub(crate) key: Key,
    pub(crate) step: Step,
    /// How late to try it.
    pub(crate) rank: i32,
    /// Whether it is known that the opponent wins it.
    pub(crate) done: bool,
    /// Whether it differs from the sum in nothing but one stone's move or one value.
    plain: bool,
}

/// What is known of a sum after a look at its children.
pub(crate) enum Expansion {
    /// Some move wins.
    Won,
    /// The children in the list are to be searched, best first; all others lose. If the list is empty,
    /// the sum is lost.
    Open,
}

/// Looks at the children of `sum` for `mover`.
pub(crate) struct Expand<'a, S: Space> {
    pub(crate) ground: &'a Ground<S>,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) model: &'a Model,
    pub(crate) sum: &'a Sum<S::Set>,
    pub(crate) mover: usize,
    pub(crate) children: &'a mut Vec<Child>,
}

impl<S: Space> Kernel for Expand<'_, S> {
    type Output = Expansion;

    #[inline(always)]
    fn run<M: Machine>(mut self) -> Expansion {
        self.children.clear();
        for place in 0..self.sum.large.len() {
            if self.large::<M>(place) {
                return Expansion::Won;
            }
        }
        for place in 0..self.sum.small.len() {
            // Equal values have equal options.
            if place > 0 && self.sum.small[place] == self.sum.small[place - 1] {
                continue;
            }
            if self.small(place) {
                return Expansion::Won;
            }
        }
        // Enhanced transposition cutoff: some child may be known to be lost.
        let mut kept = 0;
        let cutoffs = self.ground.without != Some(Technique::Cutoffs);
        for i in 0..self.children.len() {
            let child = self.children[i];
            let known = if cutoffs {
                self.table.get(child.key)
            } else {
                None
            };
            match known {
                Some(false) => return Expansion::Won,
                Some(true) => {}
                None => {
                    self.children[kept] = child;
                    kept += 1;
                }
            }
        }
        self.children.truncate(kept);
        if kept > 1 {
            self.rank::<M>();
            self.children
                .sort_unstable_by_key(|child| (child.rank, child.key));
            // Turned and mirrored moves lead to the same.
            self.children.dedup_by_key(|child| child.key);
        }
        Expansion::Open
    }
}

impl<S: Space> Expand<'_, S> {
    /// The moves in a large component; says whether one of them wins at once.
    #[inline(always)]
    fn large<M: Machine>(&mut self, place: usize) -> bool {
        let Component { stones, keys } = self.sum.large[place];
        let (mover, other) = (self.mover, 1 - self.mover);
        let rest = self.sum.keys[other].wrapping_sub(keys[other]);
        let occupied = stones[0] | stones[1];
        let prey = if self.ground.cannibal {
            occupied
        } else {
            stones[other]
        };
        let space = &self.ground.space;
        for from in (stones[mover] & space.spread(prey)).iter() {
            let origin = S::Set::one(from);
            let beside = space.spread(origin);
            let left = occupied & !origin;
            let mut parts = ArrayVec::<(S::Set, Piece<S::Set>), 128>::new();
            if space.surely_connected::<M>(origin, left) {
                parts.push((left, Piece::Zero));
            } else {
                let mut open = beside & left;
                while let Some(cell) = open.first() {
                    let part = space.fill(S::Set::one(cell), left);
                    open &= !part;
                    parts.push((part, Piece::Zero));
                }
                if parts.len() > 1 {
                    for (part, piece) in &mut parts {
                        *piece = self
                            .ground
                            .piece::<M>([stones[0] & *part, stones[1] & *part]);
                    }
                }
            }
            for to in (beside & prey).iter() {
                let target = S::Set::one(to);
                let mut pieces = ArrayVec::<Piece<S::Set>, 128>::new();
                for &(part, piece) in &parts {
                    pieces.push(if part.contains(to) {
                        let mut stones = [stones[0] & part, stones[1] & part];
                        stones[other] &= !target;
                        stones[mover] |= target;
                        self.ground.piece::<M>(stones)
                    } else {
                        piece
                    });
                }
                let (from, to) = (from.index() as u8, to.index() as u8);
                let place8 = place as u8;
                let step = Step::Large {
                    place: place8,
                    from,
                    to,
                };
                if self.child(rest, Place::Large(place), &pieces, step) {
                    return true;
                }
            }
        }
        false
    }

    /// The moves in a value.
    #[inline(always)]
    fn small(&mut self, place: usize) -> bool {
        let value = self.sum.small[place];
        let other = 1 - self.mover;
        let rest = self.sum.keys[other].wrapping_sub(self.ground.values().keys(value)[other]);
        let values = self.ground.values();
        for &option in values.options(self.mover, value) {
            let piece = match option {
                Value::ZERO => Piece::Zero,
                option => Piece::Small(option),
            };
            let step = Step::Small {
                place: place as u8,
                option,
            };
            if self.child(rest, Place::Small(place), &[piece], step) {
                return true;
            }
        }
        false
    }

    /// Adds the child in which the component at `place` has become these pieces; says whether the
    /// opponent has lost in it.
    #[inline(always)]
    fn child(&mut self, rest: Key, place: Place, pieces: &[Piece<S::Set>], step: Step) -> bool {
        let other = 1 - self.mover;
        let (sum, values) = (self.sum, self.ground.values());
        let mut key = rest;
        // Which components are gone: replaced, or cancelled by a new one.
        let (mut large_gone, mut small_gone) = (0u32, 0u64);
        match place {
            Place::Large(place) => large_gone = 1 << place,
            Place::Small(place) => small_gone = 1 << place,
        }
        let mut new = ArrayVec::<(&Piece<S::Set>, [Key; 2]), 128>::new();
        for piece in pieces {
            let keys = match piece {
                Piece::Zero => continue,
                Piece::Small(value) => values.keys(*value),
                Piece::Large(component) => component.keys,
            };
            let negative = [keys[1], keys[0]];
            if self.ground.cancels() {
                let in_small = |(i, &old): (usize, &Value)| {
                    small_gone >> i & 1 == 0 && values.keys(old) == negative
                };
                let in_large = |(i, old): (usize, &Component<S::Set>)| {
                    large_gone >> i & 1 == 0 && old.keys == negative
                };
                let cancelled = if let Some(i) = new.iter().position(|&(_, old)| old == negative) {
                    new.swap_remove(i);
                    true
                } else if let Some(i) = sum.small.iter().enumerate().position(in_small) {
                    small_gone |= 1 << i;
                    true
                } else if let Some(i) = sum.large.iter().enumerate().position(in_large) {
                    large_gone |= 1 << i;
                    true
                } else {
                    false
                };
                if cancelled {
                    key = key.wrapping_sub(negative[other]);
                    continue;
                }
            }
            key = key.wrapping_add(keys[other]);
            new.push((piece, keys));
        }
        let gone = large_gone.count_ones() + small_gone.count_ones();
        let no_large = sum.large.len() as u32 == large_gone.count_ones()
            && !new
                .iter()
                .any(|(piece, _)| matches!(piece, Piece::Large(_)));
        if no_large {
            // Values only: whoever wins one of them is known, and bounds may tell who wins more.
            let old = sum.small.iter().enumerate();
            let old = old
                .filter(|(i, _)| small_gone >> i & 1 == 0)
                .map(|(_, &value)| value);
            let new = new.iter().filter_map(|(piece, _)| match piece {
                Piece::Small(value) => Some(*value),
                _ => None,
            });
            let bounds = self.ground.without != Some(Technique::Bounds);
            if let Some(win) = values.winner(old.chain(new), other, bounds) {
                return !win;
            }
        }
        self.table.prefetch(key);
        let plain = gone == 1
            && match place {
                Place::Large(_) => matches!(pieces, [Piece::Large(_)]),
                Place::Small(_) => true,
            };
        self.children.push(Child {
            key,
            step,
            rank: 0,
            done: false,
            plain,
        });
        false
    }

    /// Ranks the children.
    #[inline(always)]
    fn rank<M: Machine>(&mut self) {
        let Ground {
            cannibal, without, ..
        } = *self.ground;
        if cannibal && self.model.is_blank() && without != Some(Technique::Order) {
            return self.rank_by_replies::<M>();
        }
        let (sum, values, model) = (self.sum, self.ground.values(), self.model);
        let (mover, other, space) = (self.mover, 1 - self.mover, &self.ground.space);
        // The chart of one component at a time; children of one follow each other.
        let (mut chart, mut charted) = (Chart::new(), 0);
        let survey =
            model.survey_first::<S, M>(self.ground, sum, other, |place, diamond, weight| {
                chart.note(place, diamond, weight);
            });
        for child in self.children.iter_mut() {
            let after = match child.step {
                Step::Large { place, from, to } if child.plain => {
                    let stones = sum.large[usize::from(place)].stones;
                    let stones = [stones[other], stones[mover]];
                    if std::mem::replace(&mut charted, place) != place {
                        model.chart::<S, M>(space, stones, &mut chart);
                    }
                    let path = [from.into(), to.into()];
                    model.after_move::<S>(survey, &chart, space, stones, path)
                }
                Step::Small { place, option } if child.plain => {
                    let old = sum.small[usize::from(place)];
                    model.after_option(survey, values, [old, option], other)
                }
                step => {
                    let play = Play {
                        ground: self.ground,
                        sum,
                        mover,
                        step,
                    };
                    let after = play.run::<M>();
                    model.survey::<S, M>(self.ground, &after, other)
                }
            };
            child.rank = model.rank(after);
        }
    }

    /// Ranks the children of Cannibal Clobber, of which nothing was learned: the fewer replies, the
    /// earlier.
    #[inline(always)]
    fn rank_by_replies<M: Machine>(&mut self) {
        let Self {
            ground, sum, mover, ..
        } = *self;
        let (space, values, other) = (&ground.space, ground.values(), 1 - mover);
        for child in self.children.iter_mut() {
            let step = child.step;
            let play = Play {
                ground,
                sum,
                mover,
                step,
            };
            let after = play.run::<M>();
            let mut replies = 0;
            for component in &after.large {
                let prey = component.occupied();
                for from in (component.stones[other] & space.spread(prey)).iter() {
                    replies += (space.spread(S::Set::one(from)) & prey).len();
                }
            }
            for &value in &after.small {
                replies += values.options(other, value).len() as u32;
            }
            child.rank = replies as i32;
        }
    }
}

/// Which component a move changes.
#[derive(Clone, Copy)]
enum Place {
    Large(usize),
    Small(usize),
}
