//! The last four empty cells, each case by itself: no moves are looked for, cells are tried.
//!
//! `alpha` is the question: is the score above it? The answer is a score that is a lower bound if it
//! is above `alpha` and an upper bound otherwise.

use upstar_machine::Machine;

use super::discs::Discs;
use super::space::Space;

/// What a disc on this cell turns; cells without an opposing neighbour are left out at once.
#[inline(always)]
fn turned<M: Machine>(space: &Space, discs: Discs, cell: usize) -> u64 {
    if space.near[cell & 63] & discs.opponent == 0 {
        return 0;
    }
    space.turned::<M>(discs.own, discs.opponent, cell)
}

/// The score with one empty cell.
#[inline(always)]
fn last_1<M: Machine>(space: &Space, discs: Discs, cell: usize) -> i32 {
    let own = discs.own.count_ones() as i32;
    let turned = space.turned::<M>(discs.own, discs.opponent, cell);
    if turned != 0 {
        return 2 * (own + 1 + turned.count_ones() as i32) - space.size;
    }
    let turned = space.turned::<M>(discs.opponent, discs.own, cell);
    if turned != 0 {
        return 2 * (own - turned.count_ones() as i32) - space.size;
    }
    space.final_score(discs)
}

#[inline(always)]
fn last_2<M: Machine>(
    space: &Space,
    discs: Discs,
    cells: [usize; 2],
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    let [a, b] = cells;
    *nodes += 1;
    let mut best = i32::MIN;
    let flips = turned::<M>(space, discs, a);
    if flips != 0 {
        *nodes += 1;
        best = -last_1::<M>(space, discs.after(a, flips), b);
        if best > alpha {
            return best;
        }
    }
    let flips = turned::<M>(space, discs, b);
    if flips != 0 {
        *nodes += 1;
        best = best.max(-last_1::<M>(space, discs.after(b, flips), a));
    }
    if best != i32::MIN {
        return best;
    }
    // A pass: the same for the other side, with the question the other way round.
    let discs = discs.passed();
    let flips = turned::<M>(space, discs, a);
    if flips != 0 {
        *nodes += 1;
        best = -last_1::<M>(space, discs.after(a, flips), b);
        if -best <= alpha {
            return -best;
        }
    }
    let flips = turned::<M>(space, discs, b);
    if flips != 0 {
        *nodes += 1;
        best = best.max(-last_1::<M>(space, discs.after(b, flips), a));
    }
    if best != i32::MIN {
        return -best;
    }
    -space.final_score(discs)
}

#[inline(always)]
fn last_3<M: Machine>(
    space: &Space,
    discs: Discs,
    cells: [usize; 3],
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    let (mut discs, mut alpha, mut sign) = (discs, alpha, 1);
    // A cell alone in its quarter is tried before two that share one: who moves last in a region gains.
    let quarter = |cell: usize| space.quarter_of[cell & 63];
    let [a, b, c] = match cells {
        [a, b, c] if quarter(a) == quarter(b) => [c, a, b],
        [a, b, c] if quarter(a) == quarter(c) => [b, a, c],
        cells => cells,
    };
    let orders = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
    for _ in 0..2 {
        *nodes += 1;
        let mut best = i32::MIN;
        for (cell, rest) in orders {
            let flips = turned::<M>(space, discs, cell);
            if flips != 0 {
                let score = -last_2::<M>(space, discs.after(cell, flips), rest, -alpha - 1, nodes);
                if score > alpha {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        if best != i32::MIN {
            return sign * best;
        }
        (discs, alpha, sign) = (discs.passed(), -alpha - 1, -1);
    }
    // Both have passed: the discs are again seen from the first side.
    space.final_score(discs)
}

/// With four empty cells.
#[inline(always)]
pub(super) fn last_4<M: Machine>(space: &Space, discs: Discs, alpha: i32, nodes: &mut u64) -> i32 {
    let empty = space.board & !(discs.own | discs.opponent);
    let odd = space.odd_quarters(empty);
    let mut cells = [0; 4];
    let (mut first, mut second) = (empty & odd, empty & !odd);
    for cell in &mut cells {
        let from = if first != 0 { &mut first } else { &mut second };
        *cell = from.trailing_zeros() as usize;
        *from &= from.wrapping_sub(1);
    }
    let (mut discs, mut alpha, mut sign) = (discs, alpha, 1);
    let [a, b, c, d] = cells;
    let orders = [
        (a, [b, c, d]),
        (b, [a, c, d]),
        (c, [a, b, d]),
        (d, [a, b, c]),
    ];
    for _ in 0..2 {
        *nodes += 1;
        let mut best = i32::MIN;
        for (cell, rest) in orders {
            let flips = turned::<M>(space, discs, cell);
            if flips != 0 {
                let score = -last_3::<M>(space, discs.after(cell, flips), rest, -alpha - 1, nodes);
                if score > alpha {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        if best != i32::MIN {
            return sign * best;
        }
        (discs, alpha, sign) = (discs.passed(), -alpha - 1, -1);
    }
    space.final_score(discs)
}
