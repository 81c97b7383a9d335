//! What all verbs that search have in common: how much they may spend, and the table of values.

use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use upstar_jobs::{Budget, Ledger, quantity};
use upstar_solve::clobber::{TableKind, ValueTables};
use upstar_solve::{Settings, SolveError};

use crate::failure::Failure;
use crate::interrupt;

/// The words that name this kind of table to `upstar table`.
pub(crate) fn words(kind: TableKind) -> String {
    let rows = if kind.rows < kind.stones {
        format!(" --rows {}", kind.rows)
    } else {
        String::new()
    };
    let cannibal = if kind.cannibal { " --cannibal" } else { "" };
    format!("--stones {}{rows}{cannibal}", kind.stones)
}

/// What a search may spend.
#[derive(Args)]
pub(crate) struct SearchArguments {
    /// The number of threads; with one, node counts repeat [default: 1]
    #[arg(long, value_name = "N", value_parser = quantity::threads)]
    threads: Option<usize>,
    /// The memory limit, tables included: 512M, 4G [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = quantity::memory)]
    memory: Option<usize>,
    /// Give up after this time: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Give up after this many positions
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::count)]
    pub(crate) nodes: Option<u64>,
}

/// What the check of a proof may spend.
#[derive(Args)]
pub(crate) struct CheckArguments {
    /// How many threads check
    #[arg(long, value_name = "N", default_value = "1", value_parser = quantity::threads)]
    pub(crate) threads: usize,
    /// The memory limit: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = quantity::memory)]
    pub(crate) memory: usize,
    /// Stop after this time: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) time_limit: Option<Duration>,
}

impl SearchArguments {
    /// The budget, which begins to run now; Ctrl-C ends it too.
    pub(crate) fn budget(&self) -> Budget {
        self.renewed(&budget(None))
    }

    /// The same budget, beginning to run now.
    pub(crate) fn renewed(&self, budget: &Budget) -> Budget {
        let mut budget = budget.clone();
        if let Some(time) = self.time_limit {
            budget = budget.with_time(time);
        }
        if let Some(nodes) = self.nodes {
            budget = budget.with_nodes(nodes);
        }
        budget
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or(1)
    }

    /// The options that were given.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let options = [
            ("--threads", self.threads.is_some()),
            ("--memory", self.memory.is_some()),
            ("--time-limit", self.time_limit.is_some()),
            ("--nodes", self.nodes.is_some()),
        ];
        options
            .into_iter()
            .filter_map(|(option, given)| given.then_some(option))
    }

    /// What the user said, if anything.
    pub(crate) fn threads_given(&self) -> Option<usize> {
        self.threads
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory.unwrap_or(2 << 30)
    }

    /// The settings of a solver, all of whose memory is within the limit.
    pub(crate) fn settings(&self) -> Settings {
        let ledger = Ledger::new(self.memory(), self.threads());
        Settings {
            memory: self.memory(),
            threads: self.threads(),
            tables: value_tables().with_ledger(&ledger),
            ledger,
            patient: true,
            ..Settings::default()
        }
    }

    /// Takes over what the user did not say from a run that goes on.
    pub(crate) fn or(&mut self, threads: usize, memory: usize) {
        self.threads.get_or_insert(threads);
        self.memory.get_or_insert(memory);
    }
}

/// A refusal of the solver, with a command that works.
pub(crate) fn refused(error: &SolveError) -> Failure {
    let right = match error {
        SolveError::Table(_) => "upstar table build, or remove the file",
        SolveError::Memory(_) | SolveError::NoRoom(..) => "--memory 1G",
        SolveError::Thread(_) => "--threads 1",
        SolveError::OtherWeights => "upstar fit othello --boards 5x5 --out FILE",
        SolveError::NoProofs => "upstar solve othello 4x5 --proof FILE",
        _ => "upstar solve clobber 4x5",
    };
    Failure::input(error, right)
}

/// A budget of this time from now; Ctrl-C ends it too.
pub(crate) fn budget(time: Option<Duration>) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(time) = time {
        budget = budget.with_time(time);
    }
    let stop = budget.stop_flag();
    interrupt::listen_for_end(move || stop.store(true, Ordering::Relaxed));
    let stop = budget.stop_flag();
    // The first Ctrl-C ends the search, which then says what it knows; the second ends the program.
    interrupt::listen(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    budget
}

/// The user's folder of value tables.
pub(crate) fn value_tables() -> ValueTables {
    ValueTables::of_user()
}
