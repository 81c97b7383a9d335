//! `gtp`: an agent as an engine by the Go Text Protocol, version 2.

use std::io::{self, Write};
use std::process::ExitCode;
use std::str::FromStr;

use upstar_agents::AgentSpec;
use upstar_agents::gtp_names::Coordinates;
use upstar_games::{Start, StartError, Variant};
use upstar_protocol::Gtp;

use crate::failure::{Done, Failure};
use crate::input;
use crate::players;
use crate::values;

/// What is played, and by whom.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game to begin with; boardsize, clear_board and upstar-game set others
    #[arg(value_name = "GAME", default_value = "clobber", value_parser = input::GameParser, hide_possible_values = true)]
    game: Variant,
    /// The position to begin with
    #[arg(
        value_name = "POSITION",
        default_value = "8x8",
        allow_hyphen_values = true
    )]
    position: String,
    /// The agent that plays
    #[arg(long, value_name = "AGENT", default_value = "mcts:1s", value_parser = values::option(players::spec, "--agent mcts:1s"))]
    agent: AgentSpec,
    /// How cells are named: own (a1 is top-left) or go (row 1 at the bottom, no column i) [default: own
    /// for Othello, go for Clobber]
    #[arg(long, value_name = "go|own", value_parser = values::option(Coordinates::from_str, "--coordinates own"))]
    coordinates: Option<Coordinates>,
    /// Think on after each move, until the next command
    #[arg(long)]
    ponder: bool,
    #[command(flatten)]
    seed: values::SeedOption,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let right = "upstar gtp clobber 8x8 --agent mcts:1000";
    let start: Start = arguments
        .position
        .parse()
        .map_err(|error: StartError| Failure::input(error, right))?;
    let mut server = Gtp::new(
        arguments.game,
        &start,
        None,
        arguments.coordinates,
        arguments.agent.clone(),
        players::resources(),
        arguments.seed.seed,
    )
    .map_err(|refusal| Failure::input(refusal, right))?
    .pondering(arguments.ponder);
    server.run(io::stdin().lock(), io::stdout())?;
    io::stdout().flush()?;
    Ok(ExitCode::SUCCESS)
}
