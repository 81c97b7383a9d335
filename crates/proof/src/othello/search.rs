//! Whether the side to move gets at least a score: all lines are tried until one is good enough, and
//! nothing but the rules decides. Results are kept with the whole position, so none is ever taken for
//! another's.

use upstar_games::{Cells, Color, Position};
use upstar_jobs::Budget;

use super::arena::{Arena, Choice, Reply};

/// How often a search looks at the clock, in positions.
const LOOK_AT_CLOCK: u64 = 1024;

/// The refusal to search on: the limit of positions was reached, or the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooHard;

/// With fewer empty cells than this it is faster to try the moves as they come and to keep nothing.
const ORDERED: u32 = 5;

/// How many results are remembered: as many as fit into a processor's cache.
const RESULTS: usize = 1 << 16;

/// A search with its memory.
#[derive(Debug)]
pub(crate) struct Search {
    budget: Budget,
    /// A new result takes the place of an older one.
    results: Vec<Entry>,
    /// Lists of moves that are not in use.
    lists: Vec<Vec<Reply>>,
    /// How many positions have been looked at.
    pub(crate) positions: u64,
}

/// Whether a side with these discs, to move, gets at least the goal.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    own: u64,
    opponent: u64,
    goal: i32,
    reaches: bool,
}

impl Search {
    /// A search that remembers nothing yet.
    pub(crate) fn new(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            results: vec![Entry::default(); RESULTS],
            lists: Vec::new(),
            positions: 0,
        }
    }

    /// Whether the side to move gets at least `goal`, looking at no more than `effort` positions.
    pub(crate) fn reaches(
        &mut self,
        arena: &Arena,
        position: &Position<u64>,
        goal: i32,
        effort: u64,
    ) -> Result<bool, TooHard> {
        let limit = self.positions.saturating_add(effort);
        self.decide(arena, position, goal, limit)
    }

    /// Whether this side gets at least `goal`, whoever is to move.
    pub(crate) fn keeps(
        &mut self,
        arena: &Arena,
        position: &Position<u64>,
        prover: Color,
        goal: i32,
        effort: u64,
    ) -> Result<bool, TooHard> {
        let proves = position.to_move == prover;
        let goal = if proves { goal } else { 1 - goal };
        Ok(self.reaches(arena, position, goal, effort)? == proves)
    }

    /// The other side gets at most −goal exactly when it does not get at least 1 − goal.
    fn decide(
        &mut self,
        arena: &Arena,
        position: &Position<u64>,
        goal: i32,
        limit: u64,
    ) -> Result<bool, TooHard> {
        let late = self.positions.is_multiple_of(LOOK_AT_CLOCK) && self.budget.is_over();
        if self.positions >= limit || late {
            return Err(TooHard);
        }
        self.positions += 1;
        let placements = match arena.choice(position) {
            Choice::Over(score) => return Ok(score >= goal),
            Choice::Pass(passed) => return Ok(!self.decide(arena, &passed, 1 - goal, limit)?),
            Choice::Place(placements) => placements,
        };
        if arena.empties(position) < ORDERED {
            for cell in placements.iter() {
                if !self.decide(arena, &arena.after(position, cell), 1 - goal, limit)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let place = self.place(position);
        let entry = &self.results[place];
        if (entry.own, entry.opponent, entry.goal) == (position.own, position.opponent, goal) {
            return Ok(entry.reaches);
        }
        let mut replies = self.lists.pop().unwrap_or_default();
        arena.replies(position, placements, &mut replies);
        let mut reaches = false;
        for reply in &replies {
            if !self.decide(arena, &reply.after, 1 - goal, limit)? {
                reaches = true;
                break;
            }
        }
        self.lists.push(replies);
        self.results[place] = Entry {
            own: position.own,
            opponent: position.opponent,
            goal,
            reaches,
        };
        Ok(reaches)
    }

    fn place(&self, position: &Position<u64>) -> usize {
        let mixed = position.own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ position
                .opponent
                .wrapping_mul(0xbf58_476d_1ce4_e5b9)
                .rotate_left(32);
        let mixed = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> (64 - self.results.len().ilog2())) as usize
    }
}
