//! The search that guesses: does the score of this position seem to be above `alpha`, so many plies ahead?
//!
//! As in `search.rs` every question is a null window. At its leaves stands the fitted evaluation, or the
//! exact search of the last cells where it reaches the end of the game. Positions whose result a shallower
//! search leaves in little doubt are cut (`probcut.rs`), so nothing that comes from here is proved.

use upstar_machine::{Kernel, Machine};

use super::crew::Crew;
use super::discs::Discs;
use super::estimates::{Estimates, Guess};
use super::order::{Judge, Order};
use super::patterns::{DISC, Evaluation, Features};
use super::probcut::ProbCut;
use super::search::{Above, Child, Children, MIRRORED, Search};
use super::shallow::stable_cutoff;
use super::space::Space;
use super::table::{NONE, Table, key};
use crate::key::Key;

/// How many standard deviations a cut takes, level by level; the last level has no cuts.
pub(super) const CONFIDENCES: [f64; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];
/// The level without cuts.
pub(super) const SURE: u8 = CONFIDENCES.len() as u8;
/// On the way to the end of the game so many empty cells are left to the exact search.
const LAST: u32 = 9;
/// From so many plies on cuts are tried.
const CUT: u32 = 4;
/// From so many plies on threads keep out of each other's way.
const SHARE: u32 = 6;
/// From so many plies on children are looked up before they are searched.
const LOOK_AHEAD: u32 = 4;

/// The margins of cuts in discs, by level, empty cells and depth.
pub(super) struct Margins {
    margins: Vec<u8>,
}

/// What the shallow search of a cut must say, beyond the question.
#[derive(Clone, Copy)]
struct Margin {
    /// By the search, and by the evaluation alone to make the search worth its while.
    searched: i32,
    seen: i32,
}

const EMPTIES: usize = 65;

/// How many plies the shallow search for a cut takes.
pub(super) fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

impl Margins {
    pub(super) fn new(probcut: &ProbCut) -> Self {
        let mut margins = Vec::new();
        for confidence in CONFIDENCES {
            for empties in 0..EMPTIES as u32 {
                for depth in 0..EMPTIES as u32 {
                    let shallow = shallow_depth(depth);
                    let deep = probcut.deviation(empties, shallow, depth);
                    let near = probcut.deviation(empties, 0, shallow.max(1));
                    margins.push((confidence * deep).round().min(127.0) as u8);
                    margins.push((confidence * deep - near).round().clamp(-60.0, 60.0) as i8 as u8);
                }
            }
        }
        Self { margins }
    }

    #[inline(always)]
    fn at(&self, level: u8, empties: u32, depth: u32) -> Margin {
        let index = (usize::from(level) * EMPTIES + empties as usize) * EMPTIES;
        let place = 2 * (index + depth.min(empties) as usize);
        Margin {
            searched: self.margins[place].into(),
            seen: (self.margins[place + 1] as i8).into(),
        }
    }
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) space: &'a Space,
    pub(super) evaluation: &'a Evaluation,
    pub(super) margins: &'a Margins,
    pub(super) estimates: &'a Estimates,
    pub(super) order: &'a Order,
    pub(super) crew: &'a Crew<'a>,
}

/// One thread's search.
pub(super) struct Selective<'a> {
    pub(super) common: Common<'a>,
    /// Where it began: nothing is cut there, because a move is wanted.
    pub(super) root: Discs,
    /// For the last cells, made when it is needed, and the table that it asks for.
    pub(super) exact: Option<Search<'a>>,
    pub(super) table: &'a Table,
    pub(super) age: u8,
    /// How many positions were visited here; the exact search has its own count.
    pub(super) nodes: u64,
    /// How many more were looked at to order moves, since the last report.
    pub(super) looked: u64,
    pub(super) reported: u64,
    pub(super) stopped: bool,
}

impl Selective<'_> {
    #[inline(always)]
    fn tick(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(64) {
            self.report();
        }
    }

    #[cold]
    pub(super) fn report(&mut self) {
        let exact = self.exact.as_ref().map_or(0, |exact| exact.nodes);
        let visited = self.nodes + exact;
        let more = visited - self.reported;
        self.reported = visited;
        self.common.crew.look(std::mem::take(&mut self.looked));
        if let Some(exact) = &mut self.exact {
            exact.tell_looked();
        }
        self.stopped |= self.common.crew.must_stop(more);
    }
}

/// The key of what is guessed for the end of the game, or for some plies ahead.
#[inline(always)]
pub(super) fn guess_key(discs: Discs, is_ending: bool) -> Key {
    let key = key(discs.own, discs.opponent);
    if is_ending {
        key ^ 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834
    } else {
        key
    }
}

/// Whether the score seems to be above `alpha`.
pub(super) struct Seems<'s, 'a> {
    pub(super) search: &'s mut Selective<'a>,
    pub(super) discs: Discs,
    pub(super) features: &'s Features,
    pub(super) depth: u32,
    pub(super) level: u8,
    pub(super) alpha: i32,
}

/// The evaluation in whole discs.
#[inline(always)]
pub(super) fn in_discs(score: i32, size: i32) -> i32 {
    let rounded = (score + DISC / 2).div_euclid(DISC);
    rounded.clamp(-size, size)
}

impl Kernel for Seems<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            discs,
            features,
            depth,
            level,
            alpha,
        } = self;
        let common = search.common;
        let Common {
            space, evaluation, ..
        } = common;
        let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
        let is_ending = depth >= empties;
        if is_ending && empties <= LAST {
            let (table, root) = (search.table, search.root);
            let exact = search.exact.get_or_insert_with(|| {
                Search::new(space, table, common.order, common.crew, root, 0)
            });
            let score = M::call(Above {
                search: exact,
                discs,
                alpha,
            });
            search.stopped |= exact.stopped;
            return score;
        }
        search.tick();
        if search.stopped {
            return alpha;
        }
        let normal;
        let (mut discs, mut features) = (discs, features);
        if is_ending && empties >= MIRRORED && discs != search.root {
            let turned = space.mirror.normal(discs);
            if turned != discs {
                normal = evaluation.layout.features(turned);
                (discs, features) = (turned, &normal);
            }
        }
        if depth == 0 {
            return in_discs(evaluation.score::<M>(space, discs, features), space.size);
        }
        if is_ending && let Some(most) = stable_cutoff::<M>(space, discs, alpha, empties) {
            return most;
        }
        let moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            let passed = discs.passed();
            if space.placements::<M>(passed.own, passed.opponent) == 0 {
                return space.final_score(discs);
            }
            return -M::call(Seems {
                search,
                discs: passed,
                features: &features.passed(),
                depth,
                level,
                alpha: -alpha - 1,
            });
        }
        if depth == 1 {
            return last_ply::<M>(search, discs, features, moves, alpha);
        }
        let key = guess_key(discs, is_ending);
        let depth = depth.min(empties);
        let mut known = [NONE; 2];
        if let Some(guess) = common.estimates.get(key) {
            known = guess.moves;
            if u32::from(guess.depth) >= depth && guess.level >= level {
                if i32::from(guess.lower) > alpha {
                    return guess.lower.into();
                }
                if i32::from(guess.upper) <= alpha {
                    return guess.upper.into();
                }
            }
        } else if is_ending && let Some(guess) = common.estimates.get(guess_key(discs, false)) {
            known = guess.moves;
        }
        if depth >= CUT
            && level < SURE
            && discs != search.root
            && let Some(score) = cut::<M>(search, discs, features, depth, level, alpha, empties)
        {
            return score;
        }
        if search.stopped {
            return alpha;
        }
        let mut children = Children::new();
        let question = Question {
            depth,
            level,
            alpha,
            empties,
            is_ending,
        };
        let won = expand::<M>(
            search,
            discs,
            features,
            moves,
            question,
            known,
            &mut children,
        );
        let (best, cell) = match won {
            Some(won) => won,
            None => try_all::<M>(search, &mut children, discs, features, question),
        };
        if search.stopped {
            return alpha;
        }
        let (lower, upper) = if best > alpha {
            (best, space.size)
        } else {
            (-space.size, best)
        };
        // Where no move answers the question, the scores are bounds and say little of which is best: what was
        // found best before still counts.
        let cell = match known[0] {
            kept if best <= alpha && kept != NONE => kept,
            _ => cell,
        };
        let found = Guess {
            lower: lower as i8,
            upper: upper as i8,
            depth: depth as u8,
            level,
            moves: [cell, NONE],
        };
        common.estimates.put(key, found, search.age);
        best
    }
}

/// What is asked of a position.
#[derive(Clone, Copy)]
struct Question {
    depth: u32,
    level: u8,
    alpha: i32,
    empties: u32,
    is_ending: bool,
}

/// The best of the moves by the evaluation alone.
#[inline(always)]
fn last_ply<M: Machine>(
    search: &mut Selective<'_>,
    discs: Discs,
    features: &Features,
    mut moves: u64,
    alpha: i32,
) -> i32 {
    let Common {
        space, evaluation, ..
    } = search.common;
    let mut best = -space.size;
    while moves != 0 {
        let cell = moves.trailing_zeros() as usize;
        moves &= moves - 1;
        search.nodes += 1;
        let turned = space.turned::<M>(discs.own, discs.opponent, cell);
        let next = evaluation.layout.after(features, cell, turned);
        let seen = evaluation.score::<M>(space, discs.after(cell, turned), &next);
        best = best.max(in_discs(-seen, space.size));
        if best > alpha {
            break;
        }
    }
    best
}

/// The result that a shallower search leaves in little doubt, if there is one.
#[inline(always)]
fn cut<M: Machine>(
    search: &mut Selective<'_>,
    discs: Discs,
    features: &Features,
    depth: u32,
    level: u8,
    alpha: i32,
    empties: u32,
) -> Option<i32> {
    let Common {
        space,
        evaluation,
        margins,
        ..
    } = search.common;
    let margin = margins.at(level, empties, depth);
    let seen = in_discs(evaluation.score::<M>(space, discs, features), space.size);
    let shallow = shallow_depth(depth);
    let mut ask = |alpha: i32| {
        M::call(Seems {
            search: &mut *search,
            discs,
            features,
            depth: shallow,
            level,
            alpha,
        })
    };
    let high = alpha + 1 + margin.searched;
    if seen > alpha + margin.seen && high <= space.size && ask(high - 1) >= high {
        return Some(alpha + 1);
    }
    let low = alpha - margin.searched;
    if seen <= alpha - margin.seen && low >= -space.size && ask(low) <= low {
        return Some(alpha);
    }
    None
}

/// Makes the children in order, unless one is found that answers the question.
#[inline(always)]
fn expand<M: Machine>(
    search: &mut Selective<'_>,
    discs: Discs,
    features: &Features,
    mut moves: u64,
    question: Question,
    known: [u8; 2],
    children: &mut Children,
) -> Option<(i32, u8)> {
    let Question {
        depth,
        level,
        alpha,
        empties,
        is_ending,
    } = question;
    let common = search.common;
    let Common {
        space, estimates, ..
    } = common;
    let look = depth >= LOOK_AHEAD;
    while moves != 0 {
        let cell = moves.trailing_zeros() as u8;
        moves &= moves - 1;
        let turned = space.turned::<M>(discs.own, discs.opponent, cell.into());
        let next = discs.after(cell.into(), turned);
        if next.own == 0 {
            let score = -space.final_score(next);
            if score > alpha {
                return Some((score, cell));
            }
        }
        let key = match look {
            true if is_ending && empties > MIRRORED => guess_key(space.mirror.normal(next), true),
            true => guess_key(next, is_ending),
            false => 0,
        };
        if look {
            estimates.prefetch(key);
        }
        children.push(Child {
            discs: next,
            cell,
            key,
            rank: 0,
        });
    }
    if look {
        for child in &*children {
            if let Some(guess) = estimates.get(child.key)
                && u32::from(guess.depth) + 1 >= depth
                && guess.level >= level
                && -i32::from(guess.upper) > alpha
            {
                return Some((-i32::from(guess.upper), child.cell));
            }
        }
    }
    if children.len() > 1 {
        let odd = space.odd_quarters(space.board & !(discs.own | discs.opponent));
        for child in &mut *children {
            child.rank = if child.cell == known[0] {
                i32::MAX
            } else if child.cell == known[1] {
                i32::MAX - 1
            } else if is_ending {
                let turned = discs.opponent & !child.discs.own;
                let next = common
                    .evaluation
                    .layout
                    .after(features, child.cell.into(), turned);
                common.order.rank::<M>(
                    space,
                    child,
                    Some(&next),
                    odd,
                    (empties, alpha),
                    &mut search.looked,
                )
            } else {
                rank::<M>(common, child, discs, features, depth, &mut search.looked)
            };
        }
    }
    None
}

/// How early to search a move where the end of the game is out of sight.
#[inline(always)]
fn rank<M: Machine>(
    common: Common<'_>,
    child: &Child,
    before: Discs,
    features: &Features,
    depth: u32,
    looked: &mut u64,
) -> i32 {
    let Common {
        space, evaluation, ..
    } = common;
    let discs = child.discs;
    let turned = before.opponent & !discs.own;
    let next = evaluation.layout.after(features, child.cell.into(), turned);
    let replies = space.placements::<M>(discs.own, discs.opponent);
    let mobility = (replies.count_ones() + (replies & space.corners).count_ones()) as i32;
    let ahead = match depth {
        0..=4 => 0,
        5..=7 => 1,
        _ => 2,
    };
    let seen = match ahead {
        0 => evaluation.score::<M>(space, discs, &next),
        _ => M::call(Judge {
            space,
            evaluation,
            discs,
            features: &next,
            depth: ahead,
            alpha: -i32::MAX,
            beta: i32::MAX,
            looked,
        }),
    };
    -4 * seen - DISC * mobility
}

/// Searches the children until one answers the question: the best score and its move.
#[inline(always)]
fn try_all<M: Machine>(
    search: &mut Selective<'_>,
    children: &mut Children,
    before: Discs,
    features: &Features,
    question: Question,
) -> (i32, u8) {
    let Question {
        depth,
        level,
        alpha,
        ..
    } = question;
    let crew = search.common.crew;
    let layout = &search.common.evaluation.layout;
    let try_one = |search: &mut Selective<'_>, discs: Discs, cell: u8| {
        let turned = before.opponent & !discs.own;
        let next = layout.after(features, cell.into(), turned);
        -M::call(Seems {
            search,
            discs,
            features: &next,
            depth: depth - 1,
            level,
            alpha: -alpha - 1,
        })
    };
    let (mut best, mut cell) = (i32::MIN, NONE);
    let shared = depth >= SHARE && crew.threads > 1;
    let mut put_off = 0;
    for first in 0..children.len() {
        let rest = &children[first..];
        let pick =
            (0..rest.len()).max_by_key(|&index| (rest[index].rank, std::cmp::Reverse(index)));
        children.swap(first, first + pick.expect("there is a child"));
        let child = &children[first];
        if shared && first > 0 && crew.is_busy(child.key) {
            // Somebody else is there: its result may be in the table when we come back.
            let child = children.remove(first);
            children.insert(put_off, child);
            put_off += 1;
            continue;
        }
        let (discs, tried) = (child.discs, child.cell);
        let _presence = shared.then(|| crew.enter(child.key));
        let score = try_one(search, discs, tried);
        if search.stopped {
            return (alpha, NONE);
        }
        if score > best {
            (best, cell) = (score, tried);
            if score > alpha {
                return (best, cell);
            }
        }
    }
    for child in &children[..put_off] {
        let score = try_one(search, child.discs, child.cell);
        if search.stopped {
            return (alpha, NONE);
        }
        if score > best {
            (best, cell) = (score, child.cell);
            if score > alpha {
                break;
            }
        }
    }
    (best, cell)
}
