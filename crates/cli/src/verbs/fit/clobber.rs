//! `fit clobber`: the order in which the solver tries moves, fitted to positions that it has solved.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::ValueEnum;
use serde::Serialize;
use upstar_jobs::quantity;
use upstar_solve::clobber::{Boards, FitError, FittedRound, Recipe, fit};

use super::Arguments;
use crate::failure::{Done, Failure};
use crate::output::{Output, check_writable, grouped, write_file};
use crate::progress::Teller;
use crate::search::{budget, refused, value_tables};
use crate::values;

pub(super) const EXAMPLE: &str = "upstar fit clobber --rows 3 --out clobber.weights";

/// What only Clobber has.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Clobber: the boards, by their rows [default: 3]
    #[arg(long, value_enum, value_name = "N")]
    rows: Option<Rows>,
    /// Clobber: how many searches the last round has; each round before it has half of them [default: 600]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    searches: Option<u32>,
    /// Clobber: after how many positions a search is given up [default: 300000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    nodes: Option<u64>,
    /// Clobber: the memory of each search, tables included [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory)]
    memory: Option<usize>,
}

/// The boards that share weights.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rows {
    /// Single rows
    #[value(name = "1")]
    One,
    /// Two rows
    #[value(name = "2")]
    Two,
    /// Three rows and more
    #[value(name = "3")]
    Three,
}

impl Options {
    /// Which options were given.
    pub(super) fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--rows", self.rows.is_some()),
            ("--searches", self.searches.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--memory", self.memory.is_some()),
        ]
    }
}

/// One round.
#[derive(Serialize)]
struct Round {
    round: u32,
    positions: usize,
    /// The mean logarithmic loss of who wins.
    wins: f64,
    /// The root of the mean square error in the logarithm of the nodes of lost positions.
    work: f64,
}

impl Round {
    fn text(&self) -> String {
        let Self {
            round, wins, work, ..
        } = self;
        let positions = grouped(self.positions as u64);
        format!(
            "round {round}: {positions} positions; on others the loss is {wins:.3} and the error in ln nodes {work:.3}"
        )
    }
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let Some(file) = &arguments.out else {
        return Err(Failure::input("--out is missing", EXAMPLE));
    };
    // Fitting takes long: whether the file can be written is known before.
    check_writable(file)?;
    let (given, default) = (&arguments.clobber, Recipe::default());
    let recipe = Recipe {
        rounds: arguments.rounds.unwrap_or(default.rounds),
        searches: given.searches.unwrap_or(default.searches),
        nodes: given.nodes.unwrap_or(default.nodes),
        seed: arguments.seed.seed,
    };
    let boards = match given.rows {
        Some(Rows::One) => Boards::OneRow,
        Some(Rows::Two) => Boards::TwoRows,
        Some(Rows::Three) | None => Boards::Larger,
    };
    let done = Arc::new(AtomicU32::new(0));
    let (count, rounds) = (Arc::clone(&done), recipe.rounds);
    let _teller = Teller::new(move || {
        let done = count.load(Ordering::Relaxed);
        format!("{done} of {rounds} rounds fitted")
    });
    let mut told = Ok(());
    let mut tell = |FittedRound {
                        round,
                        positions,
                        errors,
                    }: FittedRound| {
        done.fetch_add(1, Ordering::Relaxed);
        let round = Round {
            round,
            positions,
            wins: errors.wins,
            work: errors.work,
        };
        let printed = output.print(&round, Round::text);
        if told.is_ok() {
            told = printed;
        }
    };
    let weights = fit(
        boards,
        &recipe,
        &value_tables(),
        given.memory.unwrap_or(1 << 30),
        arguments.threads.unwrap_or_else(values::all_cores),
        &budget(None),
        &mut tell,
    );
    let weights = weights.map_err(|error| match error {
        FitError::Solve(error) => refused(&error),
        error => Failure::input(error, EXAMPLE),
    })?;
    told?;
    write_file(file, weights.to_bytes())?;
    Ok(ExitCode::SUCCESS)
}
