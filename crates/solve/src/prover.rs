//! Solvers with static types, as agents use them: a position in, an answer out, and what was found
//! stays known.

use std::path::Path;
use std::time::Duration;

use upstar_games::Game;
use upstar_jobs::{Budget, Finding, Unwatched, Watch};
use upstar_proof::Written;

use crate::answer::{Algorithm, Answer, Outcome, Question};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::solver::{Query, Settings};

/// A board made ready for search.
pub trait Prover<G: Game>: Send {
    /// Answers a question about a position, as far as the budget allows.
    fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<G::Move>;

    /// The same without the move that reaches the result, where that is faster.
    fn judge(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<G::Move> {
        self.solve(position, question, budget, watch)
    }

    /// Who wins, and by which move, if both are found within this many positions and the budget.
    fn prove(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Answer<G::Move> {
        let (question, budget) = (Question::Winner, limited(budget, most));
        self.solve(position, question, &budget, &Unwatched)
    }

    /// Who wins, if that is found within this many positions and the budget.
    fn outcome(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Option<Outcome> {
        self.prove(position, most, budget).outcome
    }

    /// The searches whose findings are of use to this one, where they are kept.
    fn search_name(&self) -> Option<SearchName> {
        None
    }

    /// Takes over what an earlier search for this position has found.
    fn remember(&mut self, _position: &G::Position, _findings: &[Finding]) {}

    /// Writes a proof of this answer into a file, which appears only when it is whole.
    ///
    /// # Errors
    /// If the answer is open, there are no proofs of this game, the budget is spent first, or the file
    /// cannot be written.
    fn write_proof(
        &mut self,
        _position: &G::Position,
        _answer: &Answer<G::Move>,
        _file: &Path,
        _budget: &Budget,
        _watch: &dyn Watch,
    ) -> Result<Written, SolveError> {
        Err(SolveError::NoProofs)
    }

    /// Who wins, if that is known without a search.
    fn known(&self, _position: &G::Position) -> Option<Outcome> {
        None
    }

    /// What can be said without a search of a position in which the game goes on; `None` for provers that do
    /// not keep what they find.
    fn look(&self, _position: &G::Position) -> Option<Look<G::Position>> {
        None
    }

    /// Has the system find the memory of the empty table now, and not during the first search.
    fn warm(&mut self) {}

    /// Another prover with the same table of results: what one finds the other knows. `None` where tables
    /// are not shared.
    fn share(&self) -> Option<Box<dyn Prover<G>>> {
        None
    }

    /// Searches with this many threads from now on, at most as many as it was made for.
    fn use_threads(&mut self, _threads: usize) {}

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// What a prover says of a position at once: by what it has found before, and by values that it knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Look<P> {
    /// A position of the same value with moves that are moves of the whole, without what changes nothing: in
    /// Clobber components worth nothing, and pairs of which one is the negative of the other. If the side to
    /// move wins, one of these moves wins.
    pub position: P,
    /// What is known of each move of that position, in the order of moves; nothing where a proof is far away.
    pub moves: Vec<LookedMove>,
    /// The result for the side to move, if it is known.
    pub outcome: Option<Outcome>,
    /// About how many positions a proof would take.
    pub expected: f64,
}

/// What is known of a move without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookedMove {
    /// The first move in the order of moves that leads to the same: most often this one.
    pub same_as: usize,
    /// The result for the side that moves, if it is known.
    pub outcome: Option<Outcome>,
}

/// A game that can be solved.
pub trait Solvable: Game + Clone + 'static {
    /// How its positions are solved.
    const ALGORITHM: Algorithm;

    /// The name of the rules, to tell what was found by one from what was found by another.
    fn rules_name(&self) -> &'static str;

    /// As much of this memory as a search can make use of within the budget.
    fn affordable(&self, memory: usize, _: &Budget) -> usize {
        memory
    }

    /// Whether a solver would look at this many positions in vain: where hardly any are enough, and
    /// each takes long.
    fn is_hopeless(&self, _: &Self::Position, _nodes: u64) -> bool {
        false
    }

    /// Makes the board ready for positions of at most this many stones. The one way by which value
    /// tables and memory come to a search.
    ///
    /// # Errors
    /// If there is no room, or a table cannot be read.
    fn prepare(
        &self,
        stones: usize,
        settings: &Settings,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Prover<Self>>, SolveError>;
}

/// The memory that a search can make use of in this time, in bytes: fresh memory takes time itself.
#[must_use]
pub fn memory_for(time: Duration) -> usize {
    const LEAST: usize = 1 << 20;
    fresh_memory(time).max(LEAST)
}

/// The bytes of fresh memory that a search can touch in this time.
pub(crate) fn fresh_memory(time: Duration) -> usize {
    const EACH_SECOND: f64 = (64 << 20) as f64;
    (time.as_secs_f64() * EACH_SECOND) as usize
}

/// The same budget for at most this many positions.
pub(crate) fn limited(budget: &Budget, most: u64) -> Budget {
    match most {
        u64::MAX => budget.clone(),
        _ => budget.clone().with_nodes(most),
    }
}
