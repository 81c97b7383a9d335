//! Who wins a small sum: plain search of all moves with a table of results, and nothing else.

use upstar_games::Color;
use upstar_jobs::Budget;

use super::arena::Arena;
use super::lemmas::Lemmas;
use super::piece::Piece;
use super::sum::Sum;
use crate::hash::Key;

/// How often a search looks at the clock, in positions: large ones take long.
const LOOK_AT_CLOCK: u64 = 16;

/// The refusal to search on: the limit of positions was reached, or the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooHard;

/// A search with its memory. Results are true whatever lemmas they were found with, so they are kept
/// when lemmas are added.
#[derive(Debug)]
pub(crate) struct Search {
    key: Key,
    budget: Budget,
    /// Hashes of sums and, instead of their lowest bit, whether the side to move wins. A new result
    /// takes the place of an older one.
    results: Vec<u128>,
    /// How many positions have been looked at.
    pub(crate) positions: u64,
}

impl Search {
    /// A search that remembers up to 2^`bits` results.
    pub(crate) fn new(key: Key, bits: u32, budget: &Budget) -> Self {
        Self {
            key,
            budget: budget.clone(),
            results: vec![0; 1 << bits],
            positions: 0,
        }
    }

    /// Whether the side to move wins, looking at no more than `effort` positions.
    pub(crate) fn wins(
        &mut self,
        arena: &Arena,
        lemmas: &Lemmas,
        sum: &Sum,
        color: Color,
        effort: u64,
    ) -> Result<bool, TooHard> {
        let limit = self.positions.saturating_add(effort);
        self.decide(arena, lemmas, sum, color, limit)
    }

    /// Whether a piece equals a sum of pieces: their difference is lost for whoever moves first.
    ///
    /// The difference itself is not simplified. Every piece that a move in it makes has fewer stones
    /// than `piece`, so only lemmas about fewer stones are used.
    pub(crate) fn equal(
        &mut self,
        arena: &Arena,
        lemmas: &Lemmas,
        piece: &Piece,
        equal: &[Piece],
        effort: u64,
    ) -> Result<bool, TooHard> {
        let mut pieces: Vec<Piece> = equal.iter().map(|part| arena.negative(part)).collect();
        pieces.push(*piece);
        let difference = Sum::new(arena, pieces);
        let limit = self.positions.saturating_add(effort);
        for color in [Color::Black, Color::White] {
            if self.decide(arena, lemmas, &difference, color, limit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn decide(
        &mut self,
        arena: &Arena,
        lemmas: &Lemmas,
        sum: &Sum,
        color: Color,
        limit: u64,
    ) -> Result<bool, TooHard> {
        if sum.is_empty() {
            return Ok(false);
        }
        // The lowest bit is that of the result, the next one that of the colour.
        let hash = sum.hash(&self.key) & !3 | (color.index() as u128) << 1;
        let place = (hash >> 64) as usize & (self.results.len() - 1);
        if self.results[place] & !1 == hash {
            return Ok(self.results[place] & 1 == 1);
        }
        let late = self.positions.is_multiple_of(LOOK_AT_CLOCK) && self.budget.is_over();
        if self.positions >= limit || late {
            return Err(TooHard);
        }
        self.positions += 1;
        let wins = self.some_move_wins(arena, lemmas, sum, color, limit)?;
        self.results[place] = hash | u128::from(wins);
        Ok(wins)
    }

    /// Tries the moves, those that leave the fewest stones first: what cancels is found at once.
    fn some_move_wins(
        &mut self,
        arena: &Arena,
        lemmas: &Lemmas,
        sum: &Sum,
        color: Color,
        limit: u64,
    ) -> Result<bool, TooHard> {
        let mut steps = Vec::new();
        arena.steps(sum, color, &mut steps);
        let mut after = Vec::with_capacity(steps.len());
        for step in steps {
            let next = arena.play(sum, color, step, lemmas);
            if next.is_empty() {
                return Ok(true);
            }
            after.push((next.len(), next));
        }
        after.sort_unstable();
        after.dedup();
        for (_, next) in after {
            if !self.decide(arena, lemmas, &next, !color, limit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
