//! `nboard`: an agent as an engine for Othello boards that speak NBoard's protocol, version 2.

use std::io;
use std::process::ExitCode;

use upstar_agents::AgentSpec;
use upstar_protocol::NBoard;

use crate::failure::{Done, Failure};
use crate::players;
use crate::values;

/// Who plays.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent that plays [default: by the depth that the board sets]
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::spec, "--agent mcts:1s"))]
    agent: Option<AgentSpec>,
    /// With --agent: think on after each move, until the next command
    #[arg(long, requires = "agent")]
    ponder: bool,
    #[command(flatten)]
    seed: values::SeedOption,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let server = NBoard::new(
        arguments.agent.as_ref(),
        &players::resources(),
        arguments.seed.seed,
    )
    .map_err(|refusal| Failure::input(refusal, "upstar nboard --agent mcts:1s"))?
    .pondering(arguments.ponder);
    server.run(io::stdin().lock(), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
