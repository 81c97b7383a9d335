//! Players that do not think.

use upstar_games::{Game, Random, random_move};

use crate::agent::{Agent, Choice, Fault, Turn};

/// Plays any legal move, each equally likely.
pub struct RandomMover<G>(pub G);

/// Plays the first legal move in the order of the game (leiden2018, section 4.2).
pub struct PickFirst<G>(pub G);

pub(crate) const NOT_OVER: &str = "an agent is asked only while the game goes on";

impl<G: Game> Agent<G> for RandomMover<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let mv = random_move(&self.0, turn.position, random);
        Ok(Choice::of(mv.expect(NOT_OVER)))
    }
}

impl<G: Game> Agent<G> for PickFirst<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let first = self.0.moves(turn.position).next();
        Ok(Choice::of(first.expect(NOT_OVER)))
    }
}
