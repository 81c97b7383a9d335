//! `engine`: everything for other programs, by JSON lines.

use std::io;
use std::process::ExitCode;

use upstar_protocol::JsonLines;

use crate::failure::Done;
use crate::players;
use crate::values;

/// How chance begins.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    seed: values::SeedOption,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let server = JsonLines::new(players::resources(), arguments.seed.seed);
    server.run(io::stdin().lock(), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
