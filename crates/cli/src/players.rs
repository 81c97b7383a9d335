//! Agents for the verbs that play: from specifications to players of one game.

use upstar_agents::{AgentSpec, AgentSpecError, Playable, Resources};
use upstar_arena::{RunError, Team};
use upstar_games::excerpt;
use upstar_jobs::Ledger;
use upstar_solve::{Settings, Solver};

use crate::failure::Failure;
use crate::search::value_tables;
use crate::usage;

/// Reads an agent's specification.
pub(crate) fn spec(text: &str) -> Result<AgentSpec, String> {
    text.parse().map_err(|error: AgentSpecError| {
        let sentence = error.to_string();
        if sentence.starts_with('\'') {
            sentence
        } else {
            format!("'{}': {sentence}", excerpt(text))
        }
    })
}

/// What agents of this program may use.
pub(crate) fn resources() -> Resources {
    let ledger = Ledger::unlimited();
    Resources {
        solver: Solver::new(Settings {
            tables: value_tables().with_ledger(&ledger),
            ledger,
            ..Settings::default()
        }),
        ..Resources::default()
    }
}

/// Makes every agent of a team once, so that one that cannot be made is known before any game.
pub(crate) fn check<G: Playable>(team: &Team<'_, G>) -> Result<(), Failure> {
    team.check().map_err(|error| {
        let sentence = match error {
            RunError::Player { name, what } => format!("{name}: {what}"),
            other => other.to_string(),
        };
        Failure::input(sentence, usage::example())
    })
}
