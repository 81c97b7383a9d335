//! The results of all moves of a position, as players and graders ask for them.

use upstar_jobs::Budget;

use crate::answer::Outcome;
use crate::prover::{Prover, Solvable};

/// All moves of a position with the results of best play after them, for the side that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMoves<M>(Vec<(M, Outcome)>);

impl<M: Copy + PartialEq> JudgedMoves<M> {
    /// The result of best play; `None` without moves.
    #[must_use]
    pub fn best(&self) -> Option<Outcome> {
        self.0.iter().map(|(_, outcome)| *outcome).max()
    }

    /// The result after a move; `None` if there is no such move.
    #[must_use]
    pub fn after(&self, mv: M) -> Option<Outcome> {
        let judged = self.0.iter().find(|(judged, _)| *judged == mv);
        judged.map(|(_, outcome)| *outcome)
    }

    /// The moves that keep the result of best play.
    pub fn keeping(&self) -> impl Iterator<Item = M> {
        let best = self.best();
        let keeping = self.0.iter().filter(move |(_, it)| Some(*it) == best);
        keeping.map(|(mv, _)| *mv)
    }

    /// All moves, with the results after them.
    #[must_use]
    pub fn into_moves(self) -> Vec<(M, Outcome)> {
        self.0
    }

    /// Whether this one does.
    #[must_use]
    pub fn keeps(&self, mv: M) -> bool {
        self.keeping().any(|keeping| keeping == mv)
    }

    /// Whether some move does not: a result could be thrown away.
    #[must_use]
    pub fn is_decision(&self) -> bool {
        self.keeping().count() < self.0.len()
    }
}

/// Judges all moves of a position. `None` if it takes more than this many positions, of which each move
/// gets the same share, if there is no hope that they are enough, or if the budget is over.
pub fn judged_moves<G: Solvable>(
    game: &G,
    prover: &mut dyn Prover<G>,
    position: &G::Position,
    most: u64,
    budget: &Budget,
) -> Option<JudgedMoves<G::Move>> {
    let each = most / game.moves(position).count().max(1) as u64;
    if game.is_hopeless(position, each) {
        return None;
    }
    let judged = game.moves(position).map(|mv| {
        if budget.is_over() {
            return None;
        }
        let next = game.play_unchecked(position, mv);
        let outcome = match game.score(&next) {
            Some(score) => Outcome::of_score(score),
            None => prover.outcome(&next, each, budget)?,
        };
        Some((mv, outcome.reversed()))
    });
    judged.collect::<Option<_>>().map(JudgedMoves)
}
