//! Which move to try first: two linear models over what stands on the board.
//!
//! One says how likely the side to move wins, the other how much work it is to prove that it does
//! not. They look at the diamond around each stone of the large components and at the small
//! values. A child is tried the earlier, the likelier the opponent loses in it and the cheaper
//! that is to prove. Weights are whole numbers, so that every machine counts the same nodes.
//!
//! A diamond weighs what the 3×3 window inside it weighs, and what was learned about itself where it was
//! met often. A move changes the numbers of the diamonds near it by sums of powers of three, so that
//! a child costs one look for each of them.

use std::sync::{Arc, LazyLock, OnceLock};

use upstar_games::{Cell, Cells};
use upstar_machine::Machine;

use super::diamond::{self, DIAMONDS, WINDOWS};
use super::space::Space;
use super::sum::{Ground, Sum};
use super::value_table::TableKind;
use super::values::{Value, Values};
use super::weights::Weights;

/// How many classes of windows there are under turning and mirroring.
const CLASSES: usize = 2862;
/// How many values have weights of their own; the others share the last one's.
const VALUES: usize = 1 << 14;
/// The parity of the number of stones, and a constant.
const PARITY: usize = CLASSES + VALUES;
const CONSTANT: usize = PARITY + 2;
/// How many weights a model has apart from those of diamonds.
pub(crate) const WEIGHTS: usize = CONSTANT + 1;

/// What stands for 1 in weights and estimates.
pub(crate) const UNIT: i32 = 1 << 12;

/// What the models say of a position, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// The logarithm of the odds that it wins.
    pub(crate) odds: i32,
    /// The logarithm of the work to prove that it loses, if it does.
    pub(crate) work: i32,
}

impl Estimate {
    #[inline(always)]
    fn plus(self, [odds, work]: [i32; 2]) -> Self {
        Self {
            odds: self.odds + odds,
            work: self.work + work,
        }
    }

    #[inline(always)]
    fn minus(self, [odds, work]: [i32; 2]) -> Self {
        self.plus([-odds, -work])
    }

    /// How late to try a move that leads here: −log of the probability that the side to move loses,
    /// plus the logarithm of the work.
    #[inline(always)]
    fn rank(self) -> i32 {
        let place = (self.odds.unsigned_abs() / SOFT_STEP) as usize;
        let soft = SOFT.get(place).copied().unwrap_or(0);
        self.odds.max(0) + soft + self.work
    }
}

/// log(1 + exp(−x)) for x in steps of 1/16.
static SOFT: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let soft = |step: i32| (f64::from(-step) / 16.0).exp().ln_1p();
    (0..192)
        .map(|step| (soft(step) * f64::from(UNIT)).round() as i32)
        .collect()
});
const SOFT_STEP: u32 = UNIT as u32 / 16;

/// For each window the number of its class; only windows with a stone in the middle have one.
pub(crate) static WINDOW_CLASSES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut classes = vec![u16::MAX; WINDOWS];
    let mut next = 0;
    for window in 0..WINDOWS {
        if diamond::middle(window) == 0 || classes[window] != u16::MAX {
            continue;
        }
        for image in diamond::images(window) {
            classes[image] = next;
        }
        next += 1;
    }
    classes
});

/// What a stone adds to the estimates: to the odds, and to the work.
type Weight = [i16; 2];

fn wide(weight: Weight) -> [i32; 2] {
    weight.map(i32::from)
}

/// The two models' weights.
pub(crate) struct Model {
    /// By the number of the diamond, so that one look suffices.
    diamonds: Vec<Weight>,
    /// By place; those of windows are in the diamonds.
    weights: Vec<[i32; 2]>,
    blank: bool,
}

impl Model {
    /// The model with these weights.
    pub(crate) fn new(weights: &Weights) -> Self {
        let Weights { places, diamonds } = weights;
        let narrow = |weight: i32| weight.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        let blank = *weights == Weights::none();
        let mut all = vec![[0; 2]; DIAMONDS];
        if !blank {
            let window = |&class: &u16| places.get(usize::from(class)).map(|pair| pair.map(narrow));
            let windows = WINDOW_CLASSES.iter().map(window);
            let windows: Vec<Weight> = windows.map(Option::unwrap_or_default).collect();
            for tips in all.chunks_exact_mut(WINDOWS) {
                tips.copy_from_slice(&windows);
            }
        }
        for &(class, correction) in diamonds {
            let class = class as usize;
            let whole = wide(all[class]);
            let whole = [0, 1].map(|i| narrow(whole[i].saturating_add(correction[i])));
            for image in diamond::images(class) {
                all[image] = whole;
            }
        }
        Self {
            diamonds: all,
            weights: places.clone(),
            blank,
        }
    }

    /// With the weights that come with the program for boards that are served by this kind of table.
    pub(crate) fn shipped(kind: TableKind) -> Arc<Self> {
        static MODELS: [OnceLock<Arc<Model>>; 4] = [const { OnceLock::new() }; 4];
        let place = if kind.cannibal { 0 } else { kind.rows.min(3) };
        let model = || Arc::new(Self::new(&Weights::shipped(kind)));
        Arc::clone(MODELS[place].get_or_init(model))
    }

    /// Whether nothing was learned.
    #[inline(always)]
    pub(crate) fn is_blank(&self) -> bool {
        self.blank
    }

    #[inline(always)]
    fn value(&self, values: &Values, value: Value, mover: usize) -> [i32; 2] {
        self.weights[value_place(values, value, mover)]
    }

    /// What the models say of a position.
    #[inline(always)]
    pub(crate) fn survey<S: Space, M: Machine>(
        &self,
        ground: &Ground<S>,
        sum: &Sum<S::Set>,
        mover: usize,
    ) -> Survey {
        self.survey_first::<S, M>(ground, sum, mover, |_, _, _| {})
    }

    /// The same; `note` is told of each stone of the first component: its place, the number of its diamond and
    /// what that adds.
    #[inline(always)]
    pub(crate) fn survey_first<S: Space, M: Machine>(
        &self,
        ground: &Ground<S>,
        sum: &Sum<S::Set>,
        mover: usize,
        mut note: impl FnMut(usize, usize, Weight),
    ) -> Survey {
        let (space, values) = (&ground.space, ground.values());
        let mut estimate = Estimate::default();
        let mut stones = 0;
        for (number, component) in sum.large.iter().enumerate() {
            let (own, opponent) = (component.stones[mover], component.stones[1 - mover]);
            stones += component.occupied().len();
            for cell in component.occupied().iter() {
                let diamond = space.diamond::<M>(own, opponent, cell.index() as u32);
                let weight = self.diamonds[diamond];
                if number == 0 {
                    note(cell.index(), diamond, weight);
                }
                estimate = estimate.plus(wide(weight));
            }
        }
        for &value in &sum.small {
            estimate = estimate.plus(self.value(values, value, mover));
        }
        Survey { estimate, stones }
    }

    /// Notes what the models say of each stone of a component. Components of a sum need not stand on the board
    /// together, so each has a chart of its own.
    #[inline(always)]
    pub(crate) fn chart<S: Space, M: Machine>(
        &self,
        space: &S,
        [own, opponent]: [S::Set; 2],
        chart: &mut Chart,
    ) {
        for cell in (own | opponent).iter() {
            let diamond = space.diamond::<M>(own, opponent, cell.index() as u32);
            chart.note(cell.index(), diamond, self.diamonds[diamond]);
        }
    }

    /// How late to try a move that leads to this position.
    #[inline(always)]
    pub(crate) fn rank(&self, survey: Survey) -> i32 {
        let parity = self.weights[PARITY + survey.stones as usize % 2];
        survey
            .estimate
            .plus(parity)
            .plus(self.weights[CONSTANT])
            .rank()
    }

    /// About how many positions it takes to find out who wins.
    pub(crate) fn expected(&self, survey: Survey) -> f64 {
        /// A win is proved by one move, a loss by all: measured, a win takes about so much of the work.
        const WIN: f64 = 0.14;
        let parity = self.weights[PARITY + survey.stones as usize % 2];
        let estimate = survey.estimate.plus(parity).plus(self.weights[CONSTANT]);
        let [odds, work] = [estimate.odds, estimate.work].map(|it| f64::from(it) / f64::from(UNIT));
        let wins = 1.0 / (1.0 + (-odds).exp());
        work.exp() * (1.0 - wins + WIN * wins)
    }

    /// The same after a stone of the mover's opponent, who moves in between, went from one cell to the
    /// next without breaking its component.
    #[inline(always)]
    pub(crate) fn after_move<S: Space>(
        &self,
        survey: Survey,
        chart: &Chart,
        space: &S,
        [own, opponent]: [S::Set; 2],
        [from, to]: [u32; 2],
    ) -> Survey {
        let mut estimate = survey.estimate.minus(wide(chart.weights[from as usize]));
        let at = |cell: u32| S::Set::one(Cell::new(cell as usize));
        // From one's own stone to the opponent's; nothing changes where he takes his own kind.
        let taken = u32::from(own.contains(Cell::new(to as usize)));
        let changed = (own | opponent) & (space.near(from) | space.near(to)) & !at(from);
        for cell in changed.iter() {
            let (place, middle) = (cell.index(), cell.index() as u32);
            let more = taken * space.power(middle, to);
            let less = 2 * space.power(middle, from);
            let diamond = (chart.diamonds[place] + more - less) as usize;
            estimate = estimate.plus(wide(self.diamonds[diamond]));
            estimate = estimate.minus(wide(chart.weights[place]));
        }
        Survey {
            estimate,
            stones: survey.stones - 1,
        }
    }

    /// The same with a value replaced by another.
    #[inline(always)]
    pub(crate) fn after_option(
        &self,
        survey: Survey,
        values: &Values,
        [old, new]: [Value; 2],
        mover: usize,
    ) -> Survey {
        let mut estimate = survey.estimate.minus(self.value(values, old, mover));
        if new != Value::ZERO {
            estimate = estimate.plus(self.value(values, new, mover));
        }
        Survey { estimate, ..survey }
    }
}

/// An estimate before the parity of the stones is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    estimate: Estimate,
    stones: u32,
}

fn value_place(values: &Values, value: Value, mover: usize) -> usize {
    let seen = if mover == 0 {
        value
    } else {
        values.negative(value)
    };
    CLASSES + (seen.0 as usize).min(VALUES - 1)
}

/// What a model noted about each stone of a component, by place.
pub(crate) struct Chart {
    diamonds: [u32; 128],
    weights: [Weight; 128],
}

impl Chart {
    pub(crate) fn new() -> Self {
        Self {
            diamonds: [0; 128],
            weights: [[0; 2]; 128],
        }
    }

    #[inline(always)]
    pub(crate) fn note(&mut self, place: usize, diamond: usize, weight: Weight) {
        self.diamonds[place] = diamond as u32;
        self.weights[place] = weight;
    }
}

/// Where the weights of a feature are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// Those of a diamond, and those of the window in it.
    Diamond(usize),
    /// Those at this place.
    Place(usize),
}

/// Calls for each feature of a position.
#[inline(always)]
pub(crate) fn features<S: Space, M: Machine>(
    ground: &Ground<S>,
    sum: &Sum<S::Set>,
    mover: usize,
    mut call: impl FnMut(Feature),
) {
    let (space, values) = (&ground.space, ground.values());
    let mut stones = 0;
    for component in &sum.large {
        let (own, opponent) = (component.stones[mover], component.stones[1 - mover]);
        stones += component.occupied().len() as usize;
        for cell in component.occupied().iter() {
            let diamond = space.diamond::<M>(own, opponent, cell.index() as u32);
            call(Feature::Diamond(diamond));
        }
    }
    for &value in &sum.small {
        call(Feature::Place(value_place(values, value, mover)));
    }
    call(Feature::Place(PARITY + stones % 2));
    call(Feature::Place(CONSTANT));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clobber::ValueTable;
    use crate::clobber::expand::Step;
    use crate::clobber::lookup::Lookup;
    use crate::clobber::play::Play;
    use crate::clobber::space::Lattice;
    use crate::clobber::sum::Component;
    use upstar_games::Random;
    use upstar_jobs::{Budget, Unwatched};
    use upstar_machine::{Kernel, Portable};

    fn random_weights(random: &mut Random) -> Weights {
        let mut pair = || [0, 1].map(|_| random.below(2001) as i32 - 1000);
        let places = (0..WEIGHTS).map(|_| pair()).collect();
        let diamonds = (0..DIAMONDS as u32).step_by(7);
        let diamonds = diamonds.map(|class| (class, pair())).collect();
        Weights { places, diamonds }
    }

    /// Moves that leave a component whole, against what the model says of what they lead to.
    fn check<const STRIDE: u32>(rows: u32, cols: u32, cannibal: bool) {
        let kind = TableKind {
            rows: 4,
            stones: 4,
            cannibal,
        };
        let table = ValueTable::make(kind, 1, &Budget::unlimited(), &Unwatched).unwrap();
        let ground = Ground {
            space: Lattice::<STRIDE>,
            lookup: Lookup::new(Arc::new(table), |_| None::<u64>, 0),
            cannibal,
            without: None,
        };
        let mut random = Random::new(3);
        let model = Model::new(&random_weights(&mut random));
        let mut compared = 0;
        for _ in 0..50 {
            let mut stones = [0u64; 2];
            for (row, col) in (0..rows * cols).map(|cell| (cell / cols, cell % cols)) {
                if let side @ 0..2 = random.below(5) as usize / 2 {
                    stones[side] |= 1 << (row * STRIDE + col);
                }
            }
            let sum = ground.sum(stones);
            let mut chart = Chart::new();
            let survey = model.survey::<_, Portable>(&ground, &sum, 1);
            for (place, component) in sum.large.iter().enumerate() {
                let stones = [component.stones[1], component.stones[0]];
                model.chart::<_, Portable>(&ground.space, stones, &mut chart);
                let prey = component.stones[1] | if cannibal { component.stones[0] } else { 0 };
                for from in component.stones[0].iter() {
                    let origin = u64::one(from);
                    for to in (ground.space.spread(origin) & prey).iter() {
                        let (from, to) = (from.index() as u8, to.index() as u8);
                        let place = place as u8;
                        let step = Step::Large { place, from, to };
                        let (ground, sum) = (&ground, &sum);
                        let play = Play {
                            ground,
                            sum,
                            mover: 0,
                            step,
                        };
                        let after = play.run::<Portable>();
                        let left = after.large.iter().map(Component::occupied);
                        let left = left.fold(0, |all, large| all | large);
                        let whole = sum.large.iter().map(Component::occupied);
                        let whole = whole.fold(0, |all, large| all | large);
                        if after.large.len() != sum.large.len() || left != whole & !origin {
                            continue;
                        }
                        let expected = model.survey::<_, Portable>(ground, &after, 1);
                        let path = [from.into(), to.into()];
                        let found = model.after_move(survey, &chart, &ground.space, stones, path);
                        assert_eq!(model.rank(found), model.rank(expected));
                        assert_eq!(found.estimate, expected.estimate);
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn a_move_changes_what_it_changes() {
        for cannibal in [false, true] {
            check::<8>(8, 8, cannibal);
            check::<16>(4, 16, cannibal);
            check::<32>(2, 32, cannibal);
            check::<64>(1, 64, cannibal);
        }
    }
}
