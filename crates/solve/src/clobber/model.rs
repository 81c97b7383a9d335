//! Which move to try first: two linear models over what stands on the board.
//!
//! One says how likely the side to move wins, the other how much work it is to prove that it does
//! not. They look at the 3×3 window around each stone of the large components and at the small
//! values. A child is tried the earlier, the likelier the opponent loses in it and the cheaper
//! that is to prove. Weights are whole numbers, so that every machine counts the same nodes.

use std::sync::LazyLock;

use upstar_games::Cells;
use upstar_machine::Machine;

use super::space::{Space, WINDOWS};
use super::sum::{Ground, Sum};
use super::values::{Value, Values};

/// How many classes of windows there are under turning and mirroring.
const CLASSES: usize = 2862;
/// How many values have weights of their own; the others share the last one's.
const VALUES: usize = 1 << 14;
/// The parity of the number of stones, and a constant.
const PARITY: usize = CLASSES + VALUES;
const CONSTANT: usize = PARITY + 2;
/// How many weights a model has.
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
static WINDOW_CLASSES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    const CELLS: usize = 9;
    let digits = |window: usize| {
        let mut rest = window;
        [(); CELLS].map(|()| {
            let digit = rest % 3;
            rest /= 3;
            digit
        })
    };
    let number = |digits: [usize; CELLS]| digits.iter().rev().fold(0, |n, d| 3 * n + d);
    let turn = |d: [usize; CELLS]| [d[6], d[3], d[0], d[7], d[4], d[1], d[8], d[5], d[2]];
    let mirror = |d: [usize; CELLS]| [d[2], d[1], d[0], d[5], d[4], d[3], d[8], d[7], d[6]];
    let mut classes = vec![u16::MAX; WINDOWS];
    let mut next = 0;
    for window in 0..WINDOWS {
        let mut image = digits(window);
        if image[4] == 0 || classes[window] != u16::MAX {
            continue;
        }
        for _ in 0..4 {
            classes[number(image)] = next;
            classes[number(mirror(image))] = next;
            image = turn(image);
        }
        next += 1;
    }
    classes
});

/// The two models' weights.
#[derive(Clone)]
pub(crate) struct Model {
    /// By window, so that one look suffices.
    windows: Vec<[i32; 2]>,
    /// By place.
    weights: Vec<[i32; 2]>,
    blank: bool,
}

impl Model {
    /// The model with these weights.
    pub(crate) fn new(weights: Vec<[i32; 2]>) -> Self {
        assert_eq!(
            weights.len(),
            WEIGHTS,
            "a model has as many weights as features"
        );
        let window = |&class: &u16| weights.get(usize::from(class)).copied().unwrap_or_default();
        Self {
            windows: WINDOW_CLASSES.iter().map(window).collect(),
            blank: weights.iter().all(|&pair| pair == [0; 2]),
            weights,
        }
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

    /// What the models say of a position, and what each cell adds to it.
    #[inline(always)]
    pub(crate) fn survey<S: Space, M: Machine>(
        &self,
        ground: &Ground<S>,
        sum: &Sum<S::Set>,
        mover: usize,
        cells: &mut [[i32; 2]; 128],
    ) -> Survey {
        let (space, values) = (&ground.space, ground.values());
        let mut estimate = Estimate::default();
        let mut stones = 0;
        for component in &sum.large {
            let (own, opponent) = (component.stones[mover], component.stones[1 - mover]);
            stones += component.occupied().len();
            for cell in component.occupied().iter() {
                let weight = self.windows[space.window::<M>(own, opponent, cell.index() as u32)];
                cells[cell.index()] = weight;
                estimate = estimate.plus(weight);
            }
        }
        for &value in &sum.small {
            estimate = estimate.plus(self.value(values, value, mover));
        }
        Survey { estimate, stones }
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
    pub(crate) fn after_move<S: Space, M: Machine>(
        &self,
        survey: Survey,
        cells: &[[i32; 2]; 128],
        space: &S,
        [own, opponent]: [S::Set; 2],
        [from, to]: [u32; 2],
    ) -> Survey {
        let changed = space.near(from) | space.near(to);
        let mut estimate = survey.estimate;
        for cell in ((own | opponent) & changed).iter() {
            estimate = estimate.minus(cells[cell.index()]);
        }
        let one = |cell: u32| S::Set::one(upstar_games::Cell::new(cell as usize));
        let own = own & !one(to);
        let opponent = (opponent | one(to)) & !one(from);
        for cell in ((own | opponent) & changed).iter() {
            let window = space.window::<M>(own, opponent, cell.index() as u32);
            estimate = estimate.plus(self.windows[window]);
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

/// Calls for each feature of a position with the place of its weights.
#[inline(always)]
pub(crate) fn features<S: Space, M: Machine>(
    ground: &Ground<S>,
    sum: &Sum<S::Set>,
    mover: usize,
    mut call: impl FnMut(usize),
) {
    let (space, values) = (&ground.space, ground.values());
    let mut stones = 0;
    for component in &sum.large {
        let (own, opponent) = (component.stones[mover], component.stones[1 - mover]);
        stones += component.occupied().len() as usize;
        for cell in component.occupied().iter() {
            let window = space.window::<M>(own, opponent, cell.index() as u32);
            call(usize::from(WINDOW_CLASSES[window]));
        }
    }
    for &value in &sum.small {
        call(value_place(values, value, mover));
    }
    call(PARITY + stones % 2);
    call(CONSTANT);
}
