//! The search with few empty cells: no table, and no order of moves but parity.

use upstar_machine::{Kernel, Machine};

use super::discs::Discs;
use super::last::last_4;
use super::search::Search;
use super::space::Space;

/// With four empty cells or fewer, by the plainest means: for roots only.
pub(super) struct Tiny<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) discs: Discs,
    pub(super) alpha: i32,
}

impl Kernel for Tiny<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            discs,
            alpha,
        } = self;
        search.nodes += 1;
        let space = search.space;
        let mut moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            let passed = discs.passed();
            if space.placements::<M>(passed.own, passed.opponent) == 0 {
                return space.final_score(discs);
            }
            return -M::call(Tiny {
                search,
                discs: passed,
                alpha: -alpha - 1,
            });
        }
        let mut best = i32::MIN;
        while moves != 0 {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let turned = space.turned::<M>(discs.own, discs.opponent, cell);
            let next = discs.after(cell, turned);
            let score = -M::call(Tiny {
                search: &mut *search,
                discs: next,
                alpha: -alpha - 1,
            });
            best = best.max(score);
        }
        best
    }
}

/// With few empty cells: no table, no ordering but parity.
pub(super) struct Shallow<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) discs: Discs,
    pub(super) alpha: i32,
    pub(super) empties: u32,
}

impl Kernel for Shallow<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            mut discs,
            mut alpha,
            empties,
        } = self;
        let space = search.space;
        search.nodes += 1;
        if let Some(most) = stable_cutoff::<M>(space, discs, alpha, empties) {
            return most;
        }
        let mut sign = 1;
        let mut moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            moves = space.placements::<M>(discs.opponent, discs.own);
            if moves == 0 {
                return space.final_score(discs);
            }
            search.nodes += 1;
            (discs, alpha, sign) = (discs.passed(), -alpha - 1, -1);
        }
        let odd = space.odd_quarters(space.board & !(discs.own | discs.opponent));
        let mut best = i32::MIN;
        for mut part in [moves & odd, moves & !odd] {
            while part != 0 {
                let cell = part.trailing_zeros() as usize;
                part &= part - 1;
                let turned = space.turned::<M>(discs.own, discs.opponent, cell);
                let next = discs.after(cell, turned);
                let score = if empties == 5 {
                    -last_4::<M>(space, next, -alpha - 1, &mut search.nodes)
                } else {
                    let (discs, alpha, empties) = (next, -alpha - 1, empties - 1);
                    -M::call(Shallow {
                        search: &mut *search,
                        discs,
                        alpha,
                        empties,
                    })
                };
                if score > alpha {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        sign * best
    }
}

/// The most that the side to move can still reach, if stable discs of the other side keep it at
/// `alpha` or below. Asked only where `alpha` is high enough for some hope.
#[inline(always)]
pub(super) fn stable_cutoff<M: Machine>(
    space: &Space,
    discs: Discs,
    alpha: i32,
    empties: u32,
) -> Option<i32> {
    // Edax's thresholds on 8×8, in proportion on other boards.
    let hope = (2 * empties as i32 - 2) * space.size / 64;
    if alpha < hope {
        return None;
    }
    let stable = space.stable::<M>(discs.opponent, discs.own).count_ones() as i32;
    let most = space.size - 2 * stable;
    (most <= alpha).then_some(most)
}
