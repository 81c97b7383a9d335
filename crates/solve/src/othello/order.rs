//! Which move first: the one after which the other side has least to do, and that looks best; with many
//! empty cells, of those the one that seems easiest to prove.

use std::cmp::Reverse;
use std::sync::Arc;

use arrayvec::ArrayVec;
use upstar_machine::{Kernel, Machine};

use super::discs::Discs;
use super::patterns::{DISC, Evaluation, Features};
use super::search::{Child, Children};
use super::space::Space;
use super::work::{Goal, MOST, Replies, Work};

/// From so many empty cells on the evaluation is asked.
const JUDGED: u32 = 10;
/// From so many empty cells on 8×8 on it looks one ply further ahead each.
const FURTHER: [f64; 5] = [15.0, 17.0, 19.0, 21.0, 23.0];
/// A move that misses the goal by so many discs need not be told from worse ones.
const CLOSE: i32 = 8;
/// Looking at least so many plies ahead, moves go in the order of their evaluation.
const SORTED: u32 = 3;
/// A search with cuts looks ahead from so many more empty cells on.
const HASTE: f64 = 4.0;
/// With more empty cells than so many on 8×8 there is no hope of a proof, and it looks two plies ahead only.
const HOPELESS: f64 = 33.0;
/// From so many empty cells on 8×8 on a selective search prepares a proof.
const HARD: f64 = 17.0;
/// From so many empty cells on 8×8 on the work of a proof is guessed two plies further ahead each, but
/// not where there is no hope.
const WORKED: [f64; 4] = [14.2, 17.5, 21.5, 25.0];
/// For so many moves it is guessed, the most promising ones.
const PROMISING: usize = 3;
/// By so many discs they may seem to miss the goal; if more are missing, all moves will have to be tried.
const MISSED: i32 = 4;

/// Ranks moves.
pub(super) struct Order {
    pub(super) evaluation: Option<Arc<Evaluation>>,
    work: Work,
    /// How many plies ahead to look with so many empty cells.
    depths: [u8; 65],
    /// How many plies ahead to guess the work of a proof.
    work_plies: [u8; 65],
    /// How many cells of 8×8 are as hard as one here.
    growth: f64,
}

impl Order {
    /// For a board of this many cells.
    pub(super) fn new(evaluation: Option<Arc<Evaluation>>, size: i32) -> Self {
        Self::looking_later(evaluation, size, 0.0)
    }

    /// The same for a search with cuts: it has less to lose by a wrong order, so it looks less far ahead.
    pub(super) fn hasty(evaluation: Option<Arc<Evaluation>>, size: i32) -> Self {
        Self::looking_later(evaluation, size, HASTE)
    }

    /// Looks ahead only with so many more empty cells on 8×8.
    fn looking_later(evaluation: Option<Arc<Evaluation>>, size: i32, later: f64) -> Self {
        // On smaller boards the same number of empty cells is filled by fewer games, and looking ahead
        // must not cost more than it saves; nor may it take long where there is no hope of a proof.
        let like_8x8 = |empties: usize| empties as f64 * choices(size) / choices(64);
        // Two cells sooner on 6×6, as measured there.
        let sooner = f64::from((64 - size).clamp(0, 28)) / 14.0;
        let later = later - sooner / 2.0;
        let depth = |empties: usize| {
            let like_8x8 = like_8x8(empties);
            let depth = FURTHER
                .iter()
                .filter(|&&from| like_8x8 >= from + later)
                .count();
            if like_8x8 > HOPELESS {
                depth.min(2)
            } else {
                depth
            }
        };
        let work_plies = |empties: usize| {
            let like_8x8 = like_8x8(empties);
            let reached = WORKED
                .iter()
                .filter(|&&from| like_8x8 >= from - sooner)
                .count();
            if like_8x8 > HOPELESS { 0 } else { 2 * reached }
        };
        Self {
            growth: choices(size) / choices(64),
            evaluation,
            work: Work::new(),
            depths: std::array::from_fn(|empties| depth(empties) as u8),
            work_plies: std::array::from_fn(|empties| work_plies(empties) as u8),
        }
    }

    /// Whether a proof with so many empty cells is hard, but not hopeless.
    pub(super) fn is_hard(&self, empties: u32) -> bool {
        let like_8x8 = f64::from(empties) * self.growth;
        (HARD..=HOPELESS).contains(&like_8x8)
    }

    /// Whether ranking moves takes so long that the clock should be read each time.
    #[inline(always)]
    pub(super) fn is_slow(&self, empties: u32) -> bool {
        self.depths[empties as usize] > 2 || self.work_plies[empties as usize] > 2
    }

    /// What the patterns of a position hold, if moves are ranked by them there.
    #[inline(always)]
    pub(super) fn features(&self, discs: Discs, empties: u32) -> Option<Features> {
        let evaluation = self.evaluation.as_ref().filter(|_| empties >= JUDGED)?;
        Some(evaluation.layout.features(discs))
    }

    /// The same after a move; `before` is the position that it was played in.
    #[inline(always)]
    pub(super) fn next(
        &self,
        features: Option<&Features>,
        before: Discs,
        child: &Child,
    ) -> Option<Features> {
        let evaluation = self.evaluation.as_ref()?;
        let turned = before.opponent & !child.discs.own;
        Some(
            evaluation
                .layout
                .after(features?, child.cell.into(), turned),
        )
    }

    /// The higher, the earlier. The weights are those that needed fewest nodes on FFO #40–#43.
    #[inline(always)]
    pub(super) fn rank<M: Machine>(
        &self,
        space: &Space,
        child: &Child,
        features: Option<&Features>,
        odd: u64,
        (empties, goal): (u32, i32),
        looked: &mut u64,
    ) -> i32 {
        let discs = child.discs;
        let moves = space.placements::<M>(discs.own, discs.opponent);
        let mobility = (moves.count_ones() + (moves & space.corners).count_ones()) as i32;
        let parity = i32::from(odd >> child.cell & 1 != 0);
        if empties < JUDGED {
            let corners = (discs.opponent & space.corners).count_ones() as i32;
            return 64 * corners + 128 * parity - 256 * mobility;
        }
        let empty = space.board & !(discs.own | discs.opponent);
        // Empty cells beside the discs of the side that has moved are moves that the other may get.
        let potential = (space.beside::<M>(discs.opponent) & empty).count_ones() as i32;
        let (Some(evaluation), Some(features)) = (&self.evaluation, features) else {
            let corners = (discs.opponent & space.corners).count_ones() as i32;
            return 64 * corners + 8 * parity - 1024 * mobility - potential;
        };
        let depth = u32::from(self.depths[empties as usize]);
        let seen = if depth == 0 {
            evaluation.score::<M>(space, discs, features)
        } else {
            // How far a move falls short of the goal matters only where it is close.
            let (alpha, beta) = (-i32::MAX, -DISC * (goal - CLOSE));
            M::call(Judge {
                space,
                evaluation,
                discs,
                features,
                depth,
                alpha,
                beta,
                looked,
            })
        };
        // Further up a move is chosen for what it is worth, further down for what it leaves to do.
        let mobility = if depth < 2 {
            32 * mobility
        } else {
            16 * mobility
        };
        8 * parity - 8 * seen / DISC - mobility - 4 * potential
    }

    /// Puts first, of the ranked moves that promise most, the one that seems to take least work to prove
    /// a score above `alpha`.
    #[inline(always)]
    pub(super) fn least_work_first<M: Machine>(
        &self,
        space: &Space,
        children: &mut Children,
        (before, features): (Discs, Option<&Features>),
        alpha: i32,
        empties: u32,
        looked: &mut u64,
    ) {
        let plies = u32::from(self.work_plies[empties as usize]);
        let Some(evaluation) = self.evaluation.as_ref().filter(|_| plies > 0) else {
            return;
        };
        children.sort_unstable_by_key(|child| (Reverse(child.rank), child.cell));
        let Some(next) = self.next(features, before, &children[0]) else {
            return;
        };
        let seen = -evaluation.score::<M>(space, children[0].discs, &next);
        if seen < DISC * (alpha - MISSED) {
            return;
        }
        let goal = Goal {
            space,
            evaluation,
            work: &self.work,
            alpha,
        };
        let (mut least, mut first) = (MOST, 0);
        for (index, child) in children.iter().take(PROMISING).enumerate() {
            let Some(next) = self.next(features, before, child) else {
                return;
            };
            let work = M::call(Replies {
                goal,
                discs: child.discs,
                features: &next,
                plies,
                enough: least,
                looked: &mut *looked,
            });
            if work < least {
                (least, first) = (work, index);
            }
        }
        children[first].rank = i32::MAX;
    }
}

/// About by how many doublings a search grows with each empty cell on a board of this many cells, as
/// measured: on small boards there are fewer choices.
pub(super) fn choices(size: i32) -> f64 {
    0.55 + 0.006 * f64::from(size)
}

/// What a position seems to be worth to the side to move, looking some plies ahead: alpha-beta with the
/// evaluation at its leaves. It proves nothing.
pub(super) struct Judge<'a, 'n> {
    pub(super) space: &'a Space,
    pub(super) evaluation: &'a Evaluation,
    pub(super) discs: Discs,
    pub(super) features: &'a Features,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Counts the positions that are looked at.
    pub(super) looked: &'n mut u64,
}

impl Kernel for Judge<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            space,
            evaluation,
            discs,
            features,
            depth,
            alpha,
            beta,
            looked,
        } = self;
        *looked += 1;
        if depth == 0 {
            return evaluation.score::<M>(space, discs, features);
        }
        let mut moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            if space.placements::<M>(discs.opponent, discs.own) == 0 {
                return DISC * space.final_score(discs);
            }
            let discs = discs.passed();
            return -M::call(Judge {
                discs,
                features: &features.passed(),
                alpha: -beta,
                beta: -alpha,
                space,
                evaluation,
                depth,
                looked,
            });
        }
        let mut order = ArrayVec::<(i32, u8), 64>::new();
        while moves != 0 {
            let cell = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            let seen = if depth < SORTED {
                0
            } else {
                *looked += 1;
                let turned = space.turned::<M>(discs.own, discs.opponent, cell.into());
                let next = evaluation.layout.after(features, cell.into(), turned);
                evaluation.score::<M>(space, discs.after(cell.into(), turned), &next)
            };
            order.push((seen, cell));
        }
        if depth >= SORTED {
            order.sort_unstable();
        }
        let mut best = -i32::MAX;
        for (_, cell) in order {
            let cell = usize::from(cell);
            let turned = space.turned::<M>(discs.own, discs.opponent, cell);
            let next = discs.after(cell, turned);
            let seen = evaluation.layout.after(features, cell, turned);
            let score = if depth == 1 {
                *looked += 1;
                -evaluation.score::<M>(space, next, &seen)
            } else {
                let (alpha, beta) = (-beta, -alpha.max(best));
                -M::call(Judge {
                    space,
                    evaluation,
                    discs: next,
                    features: &seen,
                    depth: depth - 1,
                    alpha,
                    beta,
                    looked: &mut *looked,
                })
            };
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        best
    }
}
