//! `resume`: goes on with a run where it was left.

use std::path::PathBuf;

use super::{alphazero, solve, tournament, train, tune};
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
    if tournament::is_here(&arguments.folder) {
        return tournament::resume(&arguments.folder, arguments.search.threads_given(), output);
    }
    if tune::is_here(&arguments.folder) {
        return tune::resume(&arguments.folder, arguments.search.threads_given(), output);
    }
    if alphazero::is_here(&arguments.folder) {
        return alphazero::resume(&arguments.folder, output);
    }
    if train::is_here(&arguments.folder) {
        return train::resume(&arguments.folder, output);
    }
    solve::resume(&arguments.folder, arguments.search, output)
}
