//! `engine`: everything for other programs, by JSON lines.

use std::io;
use std::process::ExitCode;

use upstar_games::Random;
use upstar_protocol::JsonLines;

use crate::failure::Done;
use crate::players;
use crate::values;

/// How chance begins.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The seed of all randomness
    #[arg(long, value_name = "S", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true, value_parser = values::seed)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let server = JsonLines::new(players::resources(), arguments.seed);
    server.run(io::stdin().lock(), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
