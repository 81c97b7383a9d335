//! Agents by their specifications as the players of a run, and matches of a game named at run time.

use upstar_agents::{Agent, AgentSpec, AgentSpecError, Playable, Resources};
use upstar_games::{AnyGame, Random, with_game};
use upstar_jobs::Budget;

use crate::clock::TimeControl;
use crate::matches::{Match, MatchResult};
use crate::openings::Openings;
use crate::runner::{Contestant, Place, Players, RunError};

/// Agents of one game and board.
pub struct Team<'a, G> {
    /// The rules.
    pub game: &'a G,
    /// What each player is.
    pub specs: &'a [AgentSpec],
    /// What they may use.
    pub resources: &'a Resources,
}

impl<G: Playable> Team<'_, G> {
    /// Makes every agent once, so that one that cannot be made is known before any game.
    ///
    /// # Errors
    /// The first that cannot be made, and why.
    pub fn check(&self) -> Result<(), RunError> {
        for spec in self.specs {
            let made = spec.agent(self.game, self.resources);
            made.map_err(|error| refused(&spec.to_string(), &error))?;
        }
        Ok(())
    }
}

impl<G: Playable> Players<G> for Team<'_, G> {
    fn player(&self, which: usize) -> Result<Box<dyn Agent<G>>, String> {
        let made = self.specs[which].agent(self.game, self.resources);
        made.map_err(|error| error.to_string())
    }
}

fn refused(name: &str, error: &AgentSpecError) -> RunError {
    RunError::Player {
        name: name.to_owned(),
        what: error.to_string(),
    }
}

impl Match {
    /// A match of two agents by their specifications, `mcts:1000` and `mc:50`: 100 games in pairs with
    /// exchanged colours, on one thread, without a clock.
    #[must_use]
    pub fn between(a: &str, b: &str) -> Self {
        Self {
            players: Contestant::two(a, b),
            games: 100,
            swap: true,
            openings: Openings::None,
            sprt: None,
            seed: Random::DEFAULT_SEED,
            threads: 1,
            time: TimeControl::NONE,
        }
    }

    /// Plays the match from the position of this game, with agents as the players' specifications name
    /// them.
    ///
    /// # Errors
    /// If an agent cannot be made, or the game does not have two sides.
    pub fn play_agents(
        &self,
        game: &AnyGame,
        resources: &Resources,
        budget: &Budget,
    ) -> Result<MatchResult, RunError> {
        let (variant, position) = (game.variant(), game.to_string());
        let mut specs = Vec::new();
        for player in &self.players {
            let spec = player.agent.parse::<AgentSpec>();
            specs.push(spec.map_err(|error| refused(&player.name, &error))?);
        }
        with_game!(
            game,
            |game, start| {
                let team = Team {
                    game,
                    specs: &specs,
                    resources,
                };
                team.check()?;
                let place = Place {
                    game,
                    start,
                    variant,
                    position: &position,
                };
                self.play(&place, &team, budget, None, &mut |_| {})
            },
            Err(RunError::NotForTwo(variant))
        )
    }
}
