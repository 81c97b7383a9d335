//! An agent that is kept from move to move, so that it may remember, and the line that it is asked
//! about.

use std::sync::{Mutex, MutexGuard, PoisonError};

use upstar_agents::{AgentSpec, AnyAgent, Choice, Fault};
use upstar_games::{AnyGame, Random};
use upstar_jobs::Budget;

use crate::game_tree::GameTree;
use crate::host::Host;

/// A position and how it came about, apart from the tree, which may change meanwhile.
#[derive(Clone, Debug)]
pub struct GameLine {
    /// Where the game began.
    pub start: AnyGame,
    /// The moves since then.
    pub moves: Vec<String>,
    /// The position now.
    pub game: AnyGame,
}

impl GameLine {
    /// The current line of a tree.
    #[must_use]
    pub fn of(tree: &GameTree) -> Self {
        Self {
            start: tree.start().clone(),
            moves: tree.moves(),
            game: tree.game().clone(),
        }
    }
}

/// The agent that was asked last, if it can be asked again. While it thinks it is not here, and whoever
/// asks meanwhile gets another one.
#[derive(Default)]
pub(crate) struct Seat(Mutex<Option<Seated>>);

struct Seated {
    spec: AgentSpec,
    agent: AnyAgent,
}

impl Seat {
    /// Makes this agent, if it is not here already.
    pub(crate) fn prepare(
        &self,
        spec: &AgentSpec,
        game: &AnyGame,
        host: &Host,
    ) -> Result<(), Fault> {
        let seated = self.taken(spec, game, host)?;
        *self.locked() = Some(seated);
        Ok(())
    }

    /// A new game begins: the agent forgets the last one, and goes if it cannot play this one.
    pub(crate) fn begin_game(&self, game: &AnyGame) {
        let mut seated = self.locked();
        seated.take_if(|seated| !seated.agent.plays(game) || seated.agent.begin_game().is_err());
    }

    /// What an agent plays here, which is legal. The game must not be over.
    pub(crate) fn choose(
        &self,
        spec: &AgentSpec,
        line: &GameLine,
        host: &Host,
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault> {
        let mut seated = self.taken(spec, &line.start, host)?;
        // An agent at fault does not come back.
        let choice = seated
            .agent
            .choose(&line.start, &line.moves, budget, random)?;
        if line.game.play(&choice.mv).is_err() {
            let mv = &choice.mv;
            return Err(Fault(format!("{spec} chose {mv}, which is not legal")));
        }
        *self.locked() = Some(seated);
        Ok(choice)
    }

    /// An agent thinks here while the other side is to move, until the budget is over.
    pub(crate) fn ponder(
        &self,
        spec: &AgentSpec,
        line: &GameLine,
        host: &Host,
        budget: &Budget,
    ) -> Result<(), Fault> {
        let mut seated = self.taken(spec, &line.start, host)?;
        seated.agent.ponder(&line.start, &line.moves, budget)?;
        *self.locked() = Some(seated);
        Ok(())
    }

    /// The agent that is here if it is the right one, or a new one.
    fn taken(&self, spec: &AgentSpec, game: &AnyGame, host: &Host) -> Result<Seated, Fault> {
        // Another one goes first: two may need more memory than there is.
        let kept = self.locked().take();
        let kept = kept.filter(|seated| seated.spec == *spec && seated.agent.plays(game));
        match kept {
            Some(seated) => Ok(seated),
            None => Seated::new(spec, game, host),
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Seated>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seated {
    fn new(spec: &AgentSpec, game: &AnyGame, host: &Host) -> Result<Self, Fault> {
        let agent = AnyAgent::new(spec, game, host.resources());
        Ok(Self {
            spec: spec.clone(),
            agent: agent.map_err(|error| Fault(error.to_string()))?,
        })
    }
}
