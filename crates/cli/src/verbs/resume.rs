//! `resume`: goes on with a run where it was left.

use std::path::PathBuf;

use super::{alphazero, solve, tournament, train, tune};
use crate::failure::{Done, Failure};
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
    let Arguments { folder, search } = arguments;
    if tournament::is_here(&folder) {
        allow(&search, &["--threads"], "a tournament")?;
        return tournament::resume(&folder, search.threads_given(), output);
    }
    if tune::is_here(&folder) {
        allow(&search, &["--threads"], "a search for parameters")?;
        return tune::resume(&folder, search.threads_given(), output);
    }
    if alphazero::is_here(&folder) {
        allow(&search, &[], "a training")?;
        return alphazero::resume(&folder, output);
    }
    if train::is_here(&folder) {
        allow(&search, &[], "a training")?;
        return train::resume(&folder, output);
    }
    solve::resume(&folder, search, output)
}

/// Refuses options that mean nothing for this kind of run.
fn allow(search: &SearchArguments, options: &[&str], what: &str) -> Result<(), Failure> {
    match search.given().find(|option| !options.contains(option)) {
        Some(option) => Err(Failure::input(
            format!("{option} means nothing for {what}, which goes on as it began"),
            "upstar resume DIR",
        )),
        None => Ok(()),
    }
}
