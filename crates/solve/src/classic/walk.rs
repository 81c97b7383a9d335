//! What the searches of this module share: the game they walk through, the count of visited
//! positions and its limit, and the form of a result.

use upstar_games::Game;

use crate::answer::Outcome;
use upstar_jobs::Budget;

/// A walk through the positions of a game.
pub(super) struct Walk<'a, G> {
    pub(super) game: &'a G,
    budget: &'a Budget,
    nodes: u64,
}

/// Why a search ends without a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halt {
    /// The budget is spent.
    Spent,
    /// The system has no room for a table of this many bytes.
    NoRoom(usize),
}

/// The proved result for the side to move, and a move that reaches it unless the game is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof<M> {
    pub(super) outcome: Outcome,
    pub(super) best: Option<M>,
}

impl<'a, G: Game> Walk<'a, G> {
    pub(super) fn new(game: &'a G, budget: &'a Budget) -> Self {
        Self {
            game,
            budget,
            nodes: 0,
        }
    }

    /// How many positions have been visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Visits one more position, if the budget allows.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Halt> {
        if self.budget.is_spent(self.nodes) {
            return Err(Halt::Spent);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The result for the side to move, once the game is over.
    pub(super) fn result(&self, position: &G::Position) -> Outcome {
        let score = self.game.score(position);
        Outcome::of_score(score.expect("a game without moves is over"))
    }
}
