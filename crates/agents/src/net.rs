//! A network as a player: it judges the position after each move and plays the best.

use std::path::Path;

use upstar_games::Random;
use upstar_nets::deep::DeepNetwork;
use upstar_nets::{Judge, Misfit, Network, Visible};

use crate::agent::{Agent, Choice, Fault, Turn};
use crate::spec::AgentSpecError;

/// Plays the move that its network likes best, the first of them on equal values.
pub struct NetAgent<G> {
    game: G,
    network: Network,
    judge: Judge,
}

impl<G: Visible> NetAgent<G> {
    /// A player with this network, on the board of `position`.
    ///
    /// # Errors
    /// If the network is for another game or board.
    pub fn new(game: G, position: &G::Position, network: Network) -> Result<Self, Misfit> {
        let judge = Judge::new(&network, &game, position)?;
        Ok(Self {
            game,
            network,
            judge,
        })
    }

    /// A player with the network of this file.
    ///
    /// # Errors
    /// If the file holds no network, or one for another game or board.
    pub fn load(game: G, position: &G::Position, file: &Path) -> Result<Self, AgentSpecError> {
        let refused =
            |why: &dyn std::fmt::Display| AgentSpecError(format!("{}: {why}", file.display()));
        let network = Network::load(file).map_err(|error| match DeepNetwork::load(file) {
            Ok(_) => refused(&"this is a large network, with which az:FILE plays"),
            Err(_) => refused(&error),
        })?;
        Self::new(game, position, network).map_err(|misfit| refused(&misfit))
    }
}

impl<G: Visible> Agent<G> for NetAgent<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let best = self.judge.best(&self.network, &self.game, turn.position);
        let best = best.expect("an agent is asked only while the game goes on");
        // What a network puts out is not a mean result: its scale is that of what it was taught.
        let mut choice = Choice::of(best.mv);
        choice.effort = self.game.count_moves(turn.position);
        Ok(choice)
    }
}
