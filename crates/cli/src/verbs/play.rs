//! `play`: a game in the terminal.

use std::process::ExitCode;

use crate::failure::Done;
use crate::input::GameArguments;
use crate::output::Output;

/// Where to begin, and who plays.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
}

pub(crate) fn run(arguments: &Arguments, _output: &Output) -> Done {
    arguments.game.open()?;
    Ok(ExitCode::SUCCESS)
}
