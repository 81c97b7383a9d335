//! Iterative deepening: search one ply deep, then two, and so on until the root is proved.
//!
//! With a table it is the report's main solver. Proofs stay in the table from one depth to the next,
//! and the best move found so far is tried first, so each iteration follows the best line of the one
//! before. An iteration may reach its greatest depth only a limited number of times and is then cut
//! off; the limit grows by [`LEAVES`] each time and falls away after [`LIMITED`] iterations.
//!
//! Without a table it is the solver that the report's grew from. There is no limit on leaves, and
//! only the best move of the root is remembered.

use upstar_games::Game;

use super::table::Table;
use super::walk::{Halt, Proof, Walk};
use crate::answer::Outcome;

/// By how much the limit on leaves grows with each iteration. The report leaves the first limit
/// open; here it is the same number.
const LEAVES: u64 = 100;

/// How many iterations have a limit. Only games of more plies than this see one without.
const LIMITED: u32 = 150;

/// Solves the position by iterative deepening alone.
pub(super) fn solve<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
) -> Result<Proof<G::Move>, Halt> {
    // In a table with a single slot the root stays and nothing else comes in.
    Deepening::new(walk, Table::new(0)?).solve(position, |_| u64::MAX)
}

/// Solves the position with a table of this many bytes.
pub(super) fn solve_with_table<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
    memory: usize,
) -> Result<Proof<G::Move>, Halt> {
    let limit = |depth| match depth {
        1..=LIMITED => LEAVES * u64::from(depth),
        _ => u64::MAX,
    };
    Deepening::new(walk, Table::new(memory)?).solve(position, limit)
}

/// What a search says of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Proved(Outcome),
    Guess(i32),
}

impl Value {
    /// Above every guess; a proved draw is as good as the guess 0.
    const WIN: i32 = 1 << 20;

    fn rank(self) -> i32 {
        match self {
            Self::Proved(Outcome::Win) => Self::WIN,
            Self::Proved(Outcome::Draw) => 0,
            Self::Proved(Outcome::Loss) => -Self::WIN,
            Self::Guess(guess) => guess,
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Proved(outcome) => Self::Proved(outcome.reversed()),
            Self::Guess(guess) => Self::Guess(-guess),
        }
    }

    fn is_proved(self) -> bool {
        matches!(self, Self::Proved(_))
    }
}

/// A position's value and the move that reaches it. This is what the table holds.
#[derive(Clone, Copy, Debug)]
struct Found<M> {
    value: Value,
    best: Option<M>,
}

/// The best of the moves tried so far.
struct Tried<M> {
    best: Option<(Value, M)>,
    all_proved: bool,
}

impl<M: Copy> Tried<M> {
    fn add(&mut self, mv: M, value: Value) {
        self.all_proved &= value.is_proved();
        if self.best.is_none_or(|(best, _)| value.rank() > best.rank()) {
            self.best = Some((value, mv));
        }
    }

    /// A win needs one winning move; anything else is proved only if every move was tried and
    /// proved.
    fn found(&self, every_move_tried: bool) -> Option<Found<M>> {
        let (value, mv) = self.best?;
        let win = value == Value::Proved(Outcome::Win);
        let proved = win || every_move_tried && self.all_proved;
        Some(Found {
            value: if proved {
                value
            } else {
                Value::Guess(value.rank())
            },
            best: Some(mv),
        })
    }
}

/// Why a search ends early.
enum Stop {
    /// The iteration has seen as many leaves as it may.
    Cut,
    /// The whole search ends.
    Halt(Halt),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

struct Deepening<'s, 'a, G: Game> {
    walk: &'s mut Walk<'a, G>,
    table: Table<G::Position, Found<G::Move>>,
    /// How often this iteration has reached its greatest depth, and how often it may.
    leaves: u64,
    limit: u64,
}

impl<'s, 'a, G: Game> Deepening<'s, 'a, G> {
    fn new(walk: &'s mut Walk<'a, G>, table: Table<G::Position, Found<G::Move>>) -> Self {
        Self {
            walk,
            table,
            leaves: 0,
            limit: 0,
        }
    }

    /// Iterations of depth 1, 2, … until the root is proved. It is when the depth exceeds the longest
    /// game, if not before: then there are no leaves to count or to guess at.
    fn solve(
        mut self,
        root: &G::Position,
        limit: impl Fn(u32) -> u64,
    ) -> Result<Proof<G::Move>, Halt> {
        let mut depth = 1;
        loop {
            self.leaves = 0;
            self.limit = limit(depth);
            match self.search(root, 0, depth) {
                Ok(Found {
                    value: Value::Proved(outcome),
                    best,
                }) => return Ok(Proof { outcome, best }),
                Ok(_) | Err(Stop::Cut) => depth += 1,
                Err(Stop::Halt(halt)) => return Err(halt),
            }
        }
    }

    /// Searches `depth` plies from a position that is `ply` moves after the root.
    fn search(
        &mut self,
        position: &G::Position,
        ply: u32,
        depth: u32,
    ) -> Result<Found<G::Move>, Stop> {
        self.walk.visit()?;
        let known = self.table.find(position).copied();
        if let Some(known) = known
            && known.value.is_proved()
        {
            return Ok(known);
        }
        if self.walk.game.is_over(position) {
            let value = Value::Proved(self.walk.result(position));
            return Ok(Found { value, best: None });
        }
        if depth == 0 {
            self.leaves += 1;
            let value = Value::Guess(self.guess(position));
            return Ok(Found { value, best: None });
        }
        let mut tried = Tried {
            best: None,
            all_proved: true,
        };
        let first = known.and_then(|known| known.best);
        let end = self.try_moves(position, ply, depth, first, &mut tried);
        let found = tried.found(end.is_ok());
        if let Some(found) = found {
            self.table.store(position, ply, found)?;
        }
        end.map(|()| found.expect("a game that is not over has moves"))
    }

    /// Tries all moves, this one first, up to the first that wins.
    fn try_moves(
        &mut self,
        position: &G::Position,
        ply: u32,
        depth: u32,
        first: Option<G::Move>,
        tried: &mut Tried<G::Move>,
    ) -> Result<(), Stop> {
        let game = self.walk.game;
        let others = game.moves(position).filter(|&mv| Some(mv) != first);
        for mv in first.into_iter().chain(others) {
            if self.leaves >= self.limit {
                return Err(Stop::Cut);
            }
            let next = game.play_unchecked(position, mv);
            let value = self.search(&next, ply + 1, depth - 1)?.value.reversed();
            tried.add(mv, value);
            if value == Value::Proved(Outcome::Win) {
                break;
            }
        }
        Ok(())
    }

    /// The report's heuristic: minus the number of moves that the opponent of the side to move has.
    ///
    /// In Clobber both sides have one move for each pair of neighbours of different colours, so the
    /// moves of the side to move are counted. So they are in other games, where the opponent's are
    /// not known before the turn changes; there the guess only orders moves, as it does everywhere.
    fn guess(&self, position: &G::Position) -> i32 {
        -(self.walk.game.count_moves(position) as i32)
    }
}
