//! Best play from a solved position to the end of the game.
//!
//! The side that has something to keep, a win or an exact score, needs a move that keeps it, and each
//! such move is proved by a search; the table makes most of them short.

use upstar_games::Cells;
use upstar_games::othello::Move;
use upstar_machine::{Isa, Kernel, Machine};

use super::Question;
use super::discs::Discs;
use super::search::Search;
use super::solver::{Bounds, Solver};
use super::space::Space;
use super::table::NONE;

/// The placements and what they turn.
pub(super) struct Options<'a>(pub(super) &'a Space, pub(super) Discs);

impl Kernel for Options<'_> {
    type Output = Vec<(u8, Discs)>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Self::Output {
        let Self(space, discs) = self;
        let moves = space.placements::<M>(discs.own, discs.opponent);
        let mut options = Vec::with_capacity(moves.count_ones() as usize);
        for cell in moves.iter() {
            let turned = space.turned::<M>(discs.own, discs.opponent, cell.index());
            options.push((cell.index() as u8, discs.after(cell.index(), turned)));
        }
        options
    }
}

/// The line that best play takes from a position with these bounds; empty if they leave open what was
/// asked.
pub(super) fn best_play(
    solver: &Solver,
    search: &mut Search<'_>,
    root: Discs,
    bounds: Bounds,
    question: Question,
) -> Vec<Move> {
    let Bounds { lower, upper, best } = bounds;
    // What the side to move keeps: at least this score. A loser of whom only that was asked keeps
    // nothing.
    let size = solver.space.size;
    let mut keep = match question {
        Question::Score if lower == upper => lower,
        Question::Winner if lower > 0 => 1,
        Question::Winner if upper < 0 => -size,
        Question::Winner if lower == 0 && upper == 0 => 0,
        _ => return Vec::new(),
    };
    let isa = Isa::best();
    let mut line = Vec::new();
    let mut discs = root;
    loop {
        let mut options = isa.run(Options(&solver.space, discs));
        if options.is_empty() {
            if isa.run(Options(&solver.space, discs.passed())).is_empty() {
                return line;
            }
            line.push(Move::Pass);
            discs = discs.passed();
        } else {
            let first = if line.is_empty() { best } else { NONE };
            let known = solver.remembered(discs);
            let rank = |cell: u8| known.iter().position(|&known| known == cell);
            options.sort_by_key(|&(cell, _)| (cell != first, rank(cell).unwrap_or(usize::MAX)));
            let mut chosen = None;
            let last = options.len() - 1;
            for (index, &(cell, next)) in options.iter().enumerate() {
                // The other side must not get more than -keep: one of the moves sees to that, and at the
                // root it may be known which.
                let proved = cell == first && lower >= keep;
                let keeps = index == last || keep == -size || proved || {
                    let Some(score) = solver.above(search, next, -keep) else {
                        return line;
                    };
                    score <= -keep
                };
                if keeps {
                    chosen = Some((cell, next));
                    break;
                }
            }
            let (cell, next) = chosen.expect("one move keeps the score");
            line.push(solver.named(cell));
            discs = next;
        }
        keep = match question {
            Question::Score => -keep,
            Question::Winner if keep == 1 => -size,
            Question::Winner if keep == 0 => 0,
            Question::Winner => 1,
        };
    }
}
