//! Where a search was left: how to find out, a turn later, whether its tree can be kept.

use upstar_games::Game;

use crate::agent::Turn;

/// The game up to the turn at which a search ended.
pub(crate) struct Trail<G: Game> {
    left: Option<(G::Position, Vec<G::Move>)>,
}

impl<G: Game> Trail<G> {
    pub(crate) fn new() -> Self {
        Self { left: None }
    }

    /// The next turn is of another game.
    pub(crate) fn forget(&mut self) {
        self.left = None;
    }

    /// The search ends with this turn.
    pub(crate) fn leave(&mut self, turn: &Turn<'_, G>) {
        self.left = Some((*turn.start, turn.moves.to_vec()));
    }

    /// The moves since then, if this turn belongs to the same game and nothing was taken back.
    pub(crate) fn since<'a>(&mut self, turn: &Turn<'a, G>) -> Option<&'a [G::Move]> {
        let (start, moves) = self.left.take()?;
        let since = turn.moves.strip_prefix(&moves[..])?;
        (start == *turn.start).then_some(since)
    }
}
