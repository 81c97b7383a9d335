//! A network at the table: it plays the move that it values most.

use upstar_agents::{Agent, Choice, Fault, Turn};
use upstar_games::Random;
use upstar_nets::{Judge, Network, Visible};

/// A network that plays one ply deep.
pub(super) struct NetworkPlayer<G> {
    game: G,
    network: Network,
    judge: Judge,
}

impl<G: Visible + Clone> NetworkPlayer<G> {
    pub(super) fn new(game: &G, start: &G::Position, network: &Network) -> Result<Self, String> {
        let judge = Judge::new(network, game, start).map_err(|error| error.to_string())?;
        Ok(Self {
            game: game.clone(),
            network: network.clone(),
            judge,
        })
    }
}

impl<G: Visible + Clone + Send> Agent<G> for NetworkPlayer<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let best = self.judge.best(&self.network, &self.game, turn.position);
        let best = best.ok_or_else(|| Fault("the game is over".to_owned()))?;
        Ok(Choice::of(best.mv))
    }
}
