//! The search: is the score of this position above `alpha`?
//!
//! Every search has this null window; exact scores come from several. The answer is a score, a lower
//! bound if it is above `alpha` and an upper bound otherwise. With few empty cells (`last.rs`, then
//! `shallow.rs`) counting is faster than thinking; further up ([`Node`]) moves are ordered, results
//! remembered, and a cutoff in the table is looked for before any move is searched.

use arrayvec::ArrayVec;
use upstar_machine::{Kernel, Machine};

use super::crew::Crew;
use super::discs::Discs;
use super::estimates::Estimates;
use super::finding;
use super::order::Order;
use super::selective::guess_key;
use super::shallow::{Shallow, Tiny, stable_cutoff};
use super::space::Space;
use super::table::{Facts, Found, NONE, Table, key};
use crate::key::Key;

/// Up to this many empty cells moves are tried in the order of parity alone.
const SHALLOW: u32 = 6;
/// From this many empty cells on children are looked up before they are searched.
const LOOK_AHEAD: u32 = 11;
/// With fewer empty cells than this results go to the small table, which has so many bytes.
const SMALL: u32 = 10;
const SMALL_BYTES: usize = 1 << 18;
/// From this many empty cells on positions are searched in their normal form.
pub(super) const MIRRORED: u32 = 15;
/// From this many empty cells on a selective search may have left a hint.
const HINTED: u32 = 11;
/// From this many empty cells on threads keep out of each other's way.
const SHARE: u32 = 13;

/// One thread's search.
pub(super) struct Search<'a> {
    pub(super) space: &'a Space,
    pub(super) table: &'a Table,
    /// For positions with few empty cells: small enough to stay in the cache, and this thread's own.
    small: Table,
    pub(super) order: &'a Order,
    pub(super) crew: &'a Crew<'a>,
    /// What a selective search thought before: its best moves go first where nothing is proved yet.
    pub(super) hints: Option<&'a Estimates>,
    /// Where the search began, and how many cells are empty there.
    root: Discs,
    root_empties: u32,
    /// The move that answered the last question at the root with yes.
    pub(super) best: u8,
    /// The number of this search on this table.
    pub(super) age: u8,
    /// How many positions were visited.
    pub(super) nodes: u64,
    /// How many more were looked at to order moves, since the last report.
    looked: u64,
    /// Those of them that the crew knows about.
    pub(super) reported: u64,
    ticks: u32,
    /// The search has to end, and what it returns means nothing.
    pub(super) stopped: bool,
}

/// A move and what it leads to.
pub(super) struct Child {
    pub(super) discs: Discs,
    pub(super) cell: u8,
    pub(super) key: Key,
    /// The higher, the earlier it is searched.
    pub(super) rank: i32,
}

pub(super) type Children = ArrayVec<Child, 64>;

impl<'a> Search<'a> {
    pub(super) fn new(
        space: &'a Space,
        table: &'a Table,
        order: &'a Order,
        crew: &'a Crew<'a>,
        root: Discs,
        age: u8,
    ) -> Self {
        let root_empties = (space.board & !(root.own | root.opponent)).count_ones();
        let small = Table::new(SMALL_BYTES).expect("little memory");
        Self {
            space,
            table,
            small,
            order,
            crew,
            hints: None,
            root,
            root_empties,
            best: NONE,
            age,
            nodes: 0,
            looked: 0,
            reported: 0,
            ticks: 0,
            stopped: false,
        }
    }

    /// Makes this the position whose best move is wanted.
    pub(super) fn begin(&mut self, root: Discs) {
        self.root = root;
        self.root_empties = self.empties(root);
    }

    /// Asks now and then whether to go on.
    #[inline(always)]
    fn tick(&mut self, at_once: bool) {
        if at_once || self.ticks.is_multiple_of(256) {
            self.report();
        }
        self.ticks = self.ticks.wrapping_add(1);
    }

    #[cold]
    pub(super) fn report(&mut self) {
        let more = self.nodes - self.reported;
        self.reported = self.nodes;
        self.tell_looked();
        self.stopped |= self.crew.must_stop(more);
    }

    /// Reports what was looked at to order moves.
    pub(super) fn tell_looked(&mut self) {
        self.crew.look(std::mem::take(&mut self.looked));
    }

    fn empties(&self, discs: Discs) -> u32 {
        (self.space.board & !(discs.own | discs.opponent)).count_ones()
    }
}

/// Whether the score of any position is above `alpha`.
pub(super) struct Above<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) discs: Discs,
    pub(super) alpha: i32,
}

impl Kernel for Above<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            discs,
            alpha,
        } = self;
        match search.empties(discs) {
            0..=4 => M::call(Tiny {
                search,
                discs,
                alpha,
            }),
            empties => above::<M>(search, discs, alpha, empties),
        }
    }
}

/// The same with more than four empty cells.
#[inline(always)]
fn above<M: Machine>(search: &mut Search<'_>, discs: Discs, alpha: i32, empties: u32) -> i32 {
    if empties <= SHALLOW {
        M::call(Shallow {
            search,
            discs,
            alpha,
            empties,
        })
    } else {
        M::call(Node {
            search,
            discs,
            alpha,
            empties,
        })
    }
}

/// A position whose moves are worth ordering and whose result is worth remembering.
struct Node<'s, 'a> {
    search: &'s mut Search<'a>,
    discs: Discs,
    alpha: i32,
    empties: u32,
}

impl Kernel for Node<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            mut discs,
            alpha,
            empties,
        } = self;
        let space = search.space;
        if empties >= MIRRORED && empties < search.root_empties {
            discs = space.mirror.normal(discs);
        }
        let before = search.nodes;
        search.nodes += 1;
        search.tick(search.order.is_slow(empties));
        if search.stopped {
            return alpha;
        }
        if let Some(most) = stable_cutoff::<M>(space, discs, alpha, empties) {
            return most;
        }
        let key = key(discs.own, discs.opponent);
        let is_small = empties < SMALL;
        let table = if is_small {
            &search.small
        } else {
            search.table
        };
        let known = table.get(key).unwrap_or(Facts::nothing(space.size));
        if i32::from(known.lower) > alpha {
            return known.lower.into();
        }
        if i32::from(known.upper) <= alpha {
            return known.upper.into();
        }
        let moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            let passed = discs.passed();
            if space.placements::<M>(passed.own, passed.opponent) == 0 {
                return space.final_score(discs);
            }
            return -M::call(Node {
                search,
                discs: passed,
                alpha: -alpha - 1,
                empties,
            });
        }
        let mut children = Children::new();
        let mut promising = known.moves;
        if promising[0] == NONE
            && empties >= HINTED
            && let Some(hints) = search.hints
            && let Some(guess) = hints.get(guess_key(discs, true))
        {
            promising = guess.moves;
        }
        let won = expand::<M>(
            search,
            discs,
            moves,
            alpha,
            empties,
            promising,
            &mut children,
        );
        let (best, cell) = match won {
            Some((score, cell)) => (score, cell),
            None => try_all::<M>(search, &mut children, alpha, empties),
        };
        if search.stopped {
            return alpha;
        }
        if discs == search.root && best > alpha {
            search.best = cell;
        }
        let nodes = search.nodes - before;
        let (lower, upper) = if best > alpha {
            (best, space.size)
        } else {
            (-space.size, best)
        };
        let found = Found {
            lower,
            upper,
            best: cell,
            nodes,
        };
        let table = if is_small {
            &search.small
        } else {
            search.table
        };
        table.put(key, found, space.size, search.age);
        if nodes >= search.crew.worth_telling {
            search.crew.watch.found(finding::pack(key, &found));
        }
        best
    }
}

/// Makes the children, unless one is found that answers the question: its score and move.
#[inline(always)]
fn expand<M: Machine>(
    search: &mut Search<'_>,
    discs: Discs,
    mut moves: u64,
    alpha: i32,
    empties: u32,
    known: [u8; 2],
    children: &mut Children,
) -> Option<(i32, u8)> {
    let space = search.space;
    let look = empties >= LOOK_AHEAD;
    while moves != 0 {
        let cell = moves.trailing_zeros() as u8;
        moves &= moves - 1;
        let turned = space.turned::<M>(discs.own, discs.opponent, cell.into());
        let next = discs.after(cell.into(), turned);
        if next.own == 0 {
            // All turned: the end, though not always the best one where empty cells count for nobody.
            let score = -space.final_score(next);
            if score > alpha {
                return Some((score, cell));
            }
        }
        let key = if look {
            let normal = if empties > MIRRORED {
                space.mirror.normal(next)
            } else {
                next
            };
            let key = key(normal.own, normal.opponent);
            search.table.prefetch(key);
            key
        } else {
            0
        };
        children.push(Child {
            discs: next,
            cell,
            key,
            rank: 0,
        });
    }
    if look {
        for child in &*children {
            if let Some(facts) = search.table.get(child.key)
                && -i32::from(facts.upper) > alpha
            {
                return Some((-i32::from(facts.upper), child.cell));
            }
        }
    }
    if children.len() > 1 {
        let odd = space.odd_quarters(space.board & !(discs.own | discs.opponent));
        let features = search.order.features(discs, empties);
        for child in &mut *children {
            child.rank = if child.cell == known[0] {
                i32::MAX
            } else if child.cell == known[1] {
                i32::MAX - 1
            } else {
                let next = search.order.next(features.as_ref(), discs, child);
                search.order.rank::<M>(
                    space,
                    child,
                    next.as_ref(),
                    odd,
                    (empties, alpha),
                    &mut search.looked,
                )
            };
        }
        if known[0] == NONE {
            let order = search.order;
            let here = (discs, features.as_ref());
            order.least_work_first::<M>(space, children, here, alpha, empties, &mut search.looked);
        }
    }
    None
}

/// Searches the children until one answers the question: the best score and its move.
#[inline(always)]
fn try_all<M: Machine>(
    search: &mut Search<'_>,
    children: &mut Children,
    alpha: i32,
    empties: u32,
) -> (i32, u8) {
    let (mut best, mut cell) = (i32::MIN, NONE);
    let shared = empties >= SHARE && search.crew.threads > 1;
    let mut put_off = 0;
    for first in 0..children.len() {
        let rest = &children[first..];
        let pick =
            (0..rest.len()).max_by_key(|&index| (rest[index].rank, std::cmp::Reverse(index)));
        children.swap(first, first + pick.expect("there is a child"));
        let child = &children[first];
        if shared && first > 0 && search.crew.is_busy(child.key) {
            // Somebody else is there: its result may be in the table when we come back.
            let child = children.remove(first);
            children.insert(put_off, child);
            put_off += 1;
            continue;
        }
        let (discs, key, tried) = (child.discs, child.key, child.cell);
        let _presence = shared.then(|| search.crew.enter(key));
        let score = -above::<M>(search, discs, -alpha - 1, empties - 1);
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
        let score = -above::<M>(search, child.discs, -alpha - 1, empties - 1);
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
