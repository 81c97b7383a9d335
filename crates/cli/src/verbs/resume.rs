//! `resume`: goes on with a run where it was left.

use std::path::PathBuf;

use upstar_jobs::quantity;
use upstar_runs::{Kind, check_links};

use super::{alphazero, fit, solve, tournament, train, tune};
use crate::failure::{Done, Failure, shown};
use crate::output::Output;
use crate::search::SearchArguments;
use crate::trust::TrustArguments;

/// Which run, and with what.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the run, as given to --out
    folder: PathBuf,
    #[command(flatten)]
    search: SearchArguments,
    /// AlphaZero: make this many steps in all, more than the run was begun with
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    max_steps: Option<u64>,
    /// Long solves: write a proof of the result into this file, for 'upstar check'
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    trust: TrustArguments,
}

pub(crate) fn run(arguments: Arguments, output: &Output) -> Done {
    let Arguments {
        folder,
        search,
        max_steps,
        proof,
        trust,
    } = arguments;
    if folder.is_dir() {
        let right = "a folder without such links";
        check_links(&folder).map_err(|error| Failure::input(error, right))?;
        trust.check_folder(&folder)?;
    }
    let kind = Kind::of(&folder);
    if max_steps.is_some() && kind != Some(Kind::Alphazero) {
        return Err(Failure::input(
            "--max-steps is for runs of AlphaZero",
            "upstar resume DIR",
        ));
    }
    if proof.is_some() && !matches!(kind, Some(Kind::Solve) | None) {
        return Err(Failure::input(
            "--proof is for long solves",
            "upstar resume DIR",
        ));
    }
    match kind {
        Some(Kind::Tournament) => {
            allow(&search, &["--threads"], "a tournament")?;
            tournament::resume(&folder, search.threads_given(), output)
        }
        Some(Kind::Tune) => {
            allow(&search, &["--threads"], "a search for parameters")?;
            tune::resume(&folder, search.threads_given(), output)
        }
        Some(Kind::Alphazero) => {
            allow(&search, &[], "a training")?;
            alphazero::resume(&folder, max_steps, output)
        }
        Some(Kind::Train) => {
            allow(&search, &[], "a training")?;
            train::resume(&folder, output)
        }
        Some(Kind::Fit) => {
            allow(&search, &["--threads"], "a fit")?;
            fit::resume(&folder, search.threads_given(), output)
        }
        Some(Kind::Reproduce) => Err(Failure::input(
            format!("{} holds results of reproduce", shown(&folder)),
            "the same 'upstar reproduce … --out DIR' again, which runs what is missing",
        )),
        // Those that are damaged say what is wrong.
        Some(Kind::Solve) | None => solve::run::resume(&folder, search, proof, output),
    }
}

/// Refuses options that mean nothing for this kind of run.
fn allow(search: &SearchArguments, options: &[&str], what: &str) -> Result<(), Failure> {
    match search.given().find(|option| !options.contains(option)) {
        Some(option) => Err(Failure::input(
            format!("{option} has no effect on {what}, which continues with its own settings"),
            "upstar resume DIR",
        )),
        None => Ok(()),
    }
}
