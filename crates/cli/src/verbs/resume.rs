//! `resume`: goes on with a run where it was left.

use std::path::PathBuf;

use super::solve;
use crate::failure::Done;
use crate::output::Output;
use crate::search::SearchArguments;

/// Which run, and with what.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the run, as given to --out
    folder: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
}

pub(crate) fn run(arguments: Arguments, output: &Output) -> Done {
    solve::resume(&arguments.folder, arguments.search, output)
}
