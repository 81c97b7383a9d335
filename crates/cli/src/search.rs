//! What all verbs that search have in common: how much they may spend, and the table of values.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use upstar_games::{Board, Cells, Clobber, Othello, Position, Rules, excerpt};
use upstar_jobs::Budget;
use upstar_solve::clobber::{Kind, Settings, Solver, ValueTable, ValueTables};
use upstar_solve::othello::{self, Question};

use crate::failure::{Failure, shown};
use crate::input;
use crate::interrupt;
use crate::progress::Share;

/// Whether a table is being made: then there is nothing yet that Ctrl-C could end cleanly.
static PREPARING: AtomicBool = AtomicBool::new(false);

/// The most threads that make sense, and the least memory that the program itself needs.
pub(crate) const MOST_THREADS: usize = 256;
pub(crate) const LEAST_MEMORY: usize = 32 << 20;
pub(crate) const MOST_MEMORY: usize = 1000 << 30;

/// In this much memory a search does with a small table, which takes a tenth of a second to make.
const SMALL: usize = 64 << 20;

/// The words that name this kind of table to `upstar table`.
pub(crate) fn words(kind: Kind) -> String {
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
    /// How many threads search; with one the number of nodes repeats [default: 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// The most memory to use, tables included: 512M, 4G [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<usize>,
    /// Give up the proof after this time: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Give up the proof after this many positions
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = nodes)]
    pub(crate) nodes: Option<u64>,
}

/// What is asked about an Othello position, and how its discs are counted.
pub(crate) struct Counting {
    pub(crate) exact: bool,
    pub(crate) empties_to_winner: bool,
    /// A file of fitted weights to order moves by, instead of those that come with the program.
    pub(crate) weights: Option<PathBuf>,
}

impl Counting {
    pub(crate) fn question(&self) -> Question {
        if self.exact {
            Question::Score
        } else {
            Question::Winner
        }
    }
}

/// What the check of a proof may spend.
#[derive(Args)]
pub(crate) struct CheckArguments {
    /// How many threads check
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub(crate) threads: usize,
    /// The most memory to use: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = memory)]
    pub(crate) memory: usize,
    /// Stop after this time: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
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

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            memory: self.memory(),
            threads: self.threads(),
            ..Settings::default()
        }
    }

    /// Takes over what the user did not say from a run that goes on.
    pub(crate) fn or(&mut self, threads: usize, memory: usize) {
        self.threads.get_or_insert(threads);
        self.memory.get_or_insert(memory);
    }

    /// The table of values that serves this position, made if it is not there.
    fn values<B: Cells>(
        &self,
        tables: &ValueTables,
        rules: &Clobber<B>,
        stones: usize,
        memory: usize,
    ) -> Result<Arc<ValueTable>, Failure> {
        let (board, cannibal) = (rules.board(), rules.is_cannibal());
        let Board::Grid(grid) = board else {
            return Ok(Arc::new(ValueTable::of_graph(board, cannibal)));
        };
        let serving = |memory| Kind::serving(grid.rows(), stones, cannibal, memory);
        let mut kind = serving(memory);
        // Whoever is in a hurry does not wait for a large table that is not there yet.
        let hurry = self
            .time_limit
            .is_some_and(|time| time < Duration::from_secs(60));
        if hurry && !tables.has(kind) {
            kind = serving(memory.min(SMALL));
        }
        let bar = Share::new("values of small components");
        let threads = std::thread::available_parallelism().map_or(1, Into::into);
        PREPARING.store(true, Ordering::Relaxed);
        let table = tables.open(kind, threads, &mut |done| bar.set(done));
        PREPARING.store(false, Ordering::Relaxed);
        bar.finish();
        table.map_err(|error| Failure::input(error, format!("upstar table build {}", words(kind))))
    }

    /// A solver for Othello on this board.
    pub(crate) fn othello_solver(
        &self,
        rules: &Othello<u64>,
        counting: &Counting,
    ) -> Result<othello::Solver, Failure> {
        let mut memory = self.memory();
        // Fresh memory costs time: a search in a hurry does with less of it.
        if let Some(time) = self.time_limit {
            memory = memory.min((time.as_secs_f64() * f64::from(64 << 20)) as usize);
        }
        if let Some(nodes) = self.nodes {
            memory = memory.min(
                usize::try_from(nodes)
                    .unwrap_or(usize::MAX)
                    .saturating_mul(64),
            );
        }
        let threads = self.threads();
        let mut solver = othello::Solver::new(rules, memory, threads)
            .map_err(|error| no_room(memory, &error))?;
        if counting.empties_to_winner {
            solver = solver.with_empties_to_winner();
        }
        if let Some(file) = &counting.weights {
            let bytes = input::read_file(file, 64 << 20)?;
            let weights = othello::weights::read(&bytes).ok_or_else(|| {
                let sentence =
                    format!("{} holds no weights of Othello, or is damaged", shown(file));
                Failure::input(sentence, "--weights with a file that 'upstar fit' wrote")
            })?;
            solver = solver.with_weights(&weights).ok_or_else(|| {
                let sentence = format!("{} has no weights for this board", shown(file));
                Failure::input(sentence, "upstar fit othello --boards 5x5 --out FILE")
            })?;
        }
        Ok(solver)
    }

    /// A solver for this position and what follows from it.
    pub(crate) fn solver<B: Cells>(
        &self,
        tables: &ValueTables,
        rules: &Clobber<B>,
        position: &Position<B>,
        settings: &Settings,
    ) -> Result<Solver<B>, Failure> {
        let stones = position.occupied().len() as usize;
        let values = self.values(tables, rules, stones, settings.memory)?;
        Solver::new(rules, stones, values, settings)
            .map_err(|error| no_room(settings.memory, &error))
    }
}

fn no_room(memory: usize, error: &std::io::Error) -> Failure {
    let sentence = format!(
        "there is no room for a table of {} MB: {error}",
        memory >> 20
    );
    Failure::input(sentence, "--memory 1G")
}

/// A budget of this time from now; Ctrl-C ends it too.
pub(crate) fn budget(time: Option<Duration>) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(time) = time {
        budget = budget.with_time(time);
    }
    let stop = budget.stop_flag();
    // The first Ctrl-C ends the search, which then says what it knows; the second ends the program.
    interrupt::listen(move || {
        if stop.swap(true, Ordering::Relaxed) || PREPARING.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    budget
}

/// The user's folder of value tables: `$UPSTAR_CACHE`, or a place of ours where this system keeps such
/// things.
pub(crate) fn value_tables() -> ValueTables {
    match cache_folder() {
        Some(folder) => ValueTables::in_folder(&folder),
        None => ValueTables::in_memory(),
    }
}

fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    };
    if let Some(ours) = folder("UPSTAR_CACHE") {
        return Some(ours);
    }
    let all = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    all.map(|all| all.join("upstar"))
}

/// Reads a time like 500ms, 60s, 5m or 2h.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let read = |(unit, seconds): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    };
    let refused = || format!("'{}' is no time, like 500ms, 60s or 5m", excerpt(text));
    units.into_iter().find_map(read).ok_or_else(refused)
}

/// Reads a size of memory like 512M or 4G.
fn memory(text: &str) -> Result<usize, String> {
    let refused = || {
        format!(
            "'{}' is no size of memory from 32M to 1000G, like 512M or 4G",
            excerpt(text)
        )
    };
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let digits = text.trim_end_matches(['B', 'b', 'i']);
    let read = |(unit, shift): (&str, u32)| {
        let number: f64 = digits.strip_suffix(unit)?.parse().ok()?;
        Some(number * f64::from(1u32 << shift))
    };
    let bytes = units.into_iter().find_map(read).ok_or_else(refused)?;
    let possible = LEAST_MEMORY as f64..=MOST_MEMORY as f64;
    possible
        .contains(&bytes)
        .then_some(bytes as usize)
        .ok_or_else(refused)
}

/// Reads a number of positions, 5000000 or 5e6.
fn nodes(text: &str) -> Result<u64, String> {
    let whole = |number: &f64| (0.0..1e18).contains(number) && number.fract() == 0.0;
    let number = text.parse().ok();
    let number = number.or_else(|| text.parse().ok().filter(whole).map(|number| number as u64));
    number.ok_or_else(|| {
        format!(
            "'{}' is no number of positions, like 5000000",
            excerpt(text)
        )
    })
}

/// Reads a number of threads.
fn threads(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=MOST_THREADS).contains(number));
    number.ok_or_else(|| {
        format!(
            "'{}' is no number of threads from 1 to {MOST_THREADS}",
            excerpt(text)
        )
    })
}
