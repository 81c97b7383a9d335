//! `bench all`: every bench in turn, several rounds, and a page of what was measured beside OpenSpiel, if it is
//! installed, and published figures.
//!
//! Each measurement is a process of its own, so that none profits from what an earlier one left in memory, and a line of
//! `bench.jsonl`; an interrupted series continues by the same command.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use upstar_jobs::quantity;
use upstar_machine::Isa;
use upstar_runs::Log;

use super::openspiel::OpenSpiel;
use crate::failure::{Done, Failure};
use crate::output::{Output, grouped, write_file};
use crate::values;

/// What is measured: the words after `bench`, the key of the figure, what it is called.
const BENCHES: [(&str, &str, &str); 37] = [
    (
        "playouts clobber 4x4",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts clobber 4x4",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    (
        "playouts clobber 5x5",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts clobber 5x5",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    (
        "playouts clobber 6x6",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts clobber 6x6",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    (
        "playouts clobber 8x8",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts clobber 8x8",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    (
        "playouts clobber 10x10",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts clobber 10x10",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    (
        "playouts othello 8x8",
        "games_per_second",
        "random games a second, batch",
    ),
    (
        "playouts othello 8x8",
        "single_games_per_second",
        "random games a second, one at a time",
    ),
    ("perft clobber 6x6", "nodes_per_second", "lines a second"),
    ("perft othello 8x8", "nodes_per_second", "lines a second"),
    (
        "mcts clobber 4x4",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts clobber 5x5",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts clobber 6x6",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts clobber 8x8",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts clobber 10x10",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts othello 8x8",
        "simulations_per_second",
        "simulations a second",
    ),
    (
        "mcts clobber 8x8 --threads 2",
        "simulations_per_second",
        "simulations a second of the clock",
    ),
    (
        "mcts othello 8x8 --threads 2",
        "simulations_per_second",
        "simulations a second of the clock",
    ),
    (
        "train clobber 6x6",
        "games_per_second",
        "games of training a second, 100 nodes",
    ),
    (
        "train clobber 6x6 --hidden 200",
        "games_per_second",
        "games of training a second, 200 nodes",
    ),
    (
        "train clobber 4x4 --hidden 20 --activation relu",
        "games_per_second",
        "games of training a second, 20 nodes",
    ),
    (
        "az clobber 5x6",
        "evaluations_per_second",
        "positions judged a second",
    ),
    (
        "az clobber 5x6",
        "states_per_second",
        "positions of self-play a second",
    ),
    ("solve clobber 5x5", "seconds", "seconds"),
    ("solve clobber 4x7", "seconds", "seconds"),
    ("solve clobber 2x15", "seconds", "seconds"),
    ("solve clobber 3x10", "seconds", "seconds"),
    ("solve clobber 5x6", "seconds", "seconds"),
    ("solve othello 5x6", "seconds", "seconds"),
    ("solve othello 6x6 --winner", "seconds", "seconds"),
    ("solve othello 6x6", "seconds", "seconds"),
    (
        "solve othello --problems 40-45",
        "seconds",
        "seconds, FFO #40 to #45 together",
    ),
    (
        "solve othello --problems 46-49",
        "seconds",
        "seconds, FFO #46 to #49 together",
    ),
];

/// Published figures of other programs, measured by their authors on other machines.
const PUBLISHED: [(&str, &str, &str); 6] = [
    ("solve clobber 4x7", "2,142", "MCGS 1.7"),
    ("solve clobber 2x15", "1,372", "MCGS 1.7"),
    ("solve clobber 3x10", "14,149", "MCGS 1.7"),
    ("solve clobber 5x6", "43,797", "MCGS 1.7"),
    (
        "train clobber 6x6",
        "3,765",
        "plain C++, our own study on AMD Zen 3",
    ),
    (
        "train clobber 4x4 --hidden 20 --activation relu",
        "86,000",
        "plain C++, our own study on AMD Zen 3",
    ),
];

/// The log of measurements.
const LOG: &str = "bench.jsonl";
/// The figure of OpenSpiel beside ours.
const OPENSPIEL: &str = "openspiel";
/// The page that is made of it.
const PAGE: &str = "bench.md";

/// Which benches, how long, and where the page goes.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The folder for bench.jsonl and the page bench.md; the same command continues an interrupted series
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How long to measure each kind of work that has no end of its own
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true, value_parser = values::seconds)]
    seconds: f64,
    /// How often each bench is run; the page shows medians
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = values::whole::<u32>("number of rounds", 1..=100, "--rounds 3"))]
    rounds: u32,
    /// A Python that may have OpenSpiel (pip install open_spiel), which is then measured beside us
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
    /// Only benches whose words contain this
    #[arg(long, value_name = "WORDS", default_value = "")]
    only: String,
}

/// A line of the log: one run of one bench.
#[derive(Clone, Serialize, Deserialize)]
struct Measurement {
    bench: String,
    round: u32,
    machine: Machine,
    seconds: f64,
    begun: Timestamp,
    /// What the bench printed, numbers only; the sums of its lines if there are several.
    figures: BTreeMap<String, f64>,
}

/// Where and by which program it was measured.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Machine {
    processor: String,
    instructions: String,
    processors: usize,
    version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// The version of OpenSpiel that was measured beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openspiel: Option<String>,
}

impl Machine {
    fn here(openspiel: Option<&OpenSpiel>) -> Self {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = text
            .lines()
            .find_map(|line| line.strip_prefix("model name"));
        let model = model.map(|line| line.trim_start_matches([' ', '\t', ':']));
        Self {
            processor: model.unwrap_or(std::env::consts::ARCH).to_owned(),
            instructions: Isa::best().name().to_owned(),
            processors: std::thread::available_parallelism().map_or(1, Into::into),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("UPSTAR_COMMIT").map(str::to_owned),
            openspiel: openspiel.map(|peer| peer.version.clone()),
        }
    }

    fn text(&self) -> String {
        let commit = self
            .commit
            .as_ref()
            .map_or(String::new(), |commit| format!(", commit {commit}"));
        let Self {
            processor,
            instructions,
            processors,
            version,
            ..
        } = self;
        format!("{processor} ({instructions}, {processors} processors), Upstar {version}{commit}")
    }
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let Arguments {
        out,
        seconds,
        rounds,
        python,
        only,
    } = arguments;
    fs::create_dir_all(out).map_err(|error| Failure::file(out, &error))?;
    let openspiel = OpenSpiel::of(python);
    let machine = Machine::here(openspiel.as_ref());
    let mut known: Vec<Measurement> = Vec::new();
    let log = Log::hold(
        &out.join(LOG),
        "{\"bench\":",
        1 << 16,
        |line: &Measurement| {
            known.push(line.clone());
            Ok(())
        },
    );
    let mut log = log.map_err(|error| Failure::input(error, "a new folder for --out"))?;
    let mut benches: Vec<&str> = BENCHES.iter().map(|bench| bench.0).collect();
    benches.dedup();
    benches.retain(|bench| bench.contains(only.as_str()));
    if benches.is_empty() {
        let sentence = format!("no bench contains '{}'", upstar_games::excerpt(only));
        return Err(Failure::input(
            sentence,
            "upstar bench all --out DIR --only mcts",
        ));
    }
    let bar = crate::progress::Share::new("measuring");
    let total = benches.len() as u64 * u64::from(*rounds);
    let mut done = 0;
    for round in 0..*rounds {
        for &bench in &benches {
            let is_it = |line: &Measurement| {
                line.bench == bench
                    && line.round == round
                    && line.machine == machine
                    && line.seconds == *seconds
            };
            if !known.iter().any(is_it) {
                let mut figures = measure(bench, *seconds)?;
                if let Some(figure) = openspiel
                    .as_ref()
                    .and_then(|it| it.measure(bench, *seconds))
                {
                    let figure = figure.map_err(|error| {
                        Failure::input(format!("OpenSpiel: {error}"), "--python PROGRAM")
                    })?;
                    figures.insert(OPENSPIEL.to_owned(), figure);
                }
                let line = Measurement {
                    bench: bench.to_owned(),
                    round,
                    machine: machine.clone(),
                    seconds: *seconds,
                    begun: Timestamp::now(),
                    figures,
                };
                log.add(&line)
                    .map_err(|error| Failure::input(error, "a folder that can be written"))?;
                output.happened(&line)?;
                known.push(line);
            }
            done += 1;
            bar.set(done as f64 / total as f64);
        }
    }
    bar.finish();
    known
        .retain(|line| line.machine == machine && line.seconds == *seconds && line.round < *rounds);
    let page = page(&machine, *seconds, *rounds, &known);
    write_file(&out.join(PAGE), &page)?;
    if !output.is_json() {
        output.verbatim(&page)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The numbers that a bench prints, summed over its lines.
fn measure(bench: &str, seconds: f64) -> Result<BTreeMap<String, f64>, Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        Failure::input(
            format!("bench {bench}: {why}"),
            format!("upstar bench {bench}"),
        )
    };
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let mut command = Command::new(program);
    command.arg("bench").args(bench.split(' ')).arg("--json");
    if !bench.starts_with("solve") {
        command.args(["--seconds", &seconds.to_string()]);
    }
    let done = command.output().map_err(|error| failed(&error))?;
    if !done.status.success() {
        return Err(failed(&String::from_utf8_lossy(&done.stderr).trim()));
    }
    let mut figures = BTreeMap::new();
    for line in String::from_utf8_lossy(&done.stdout).lines() {
        let line: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| failed(&error))?;
        for (key, value) in line {
            if let Some(number) = value.as_f64() {
                *figures.entry(key).or_insert(0.0) += number;
            }
        }
    }
    Ok(figures)
}

/// What was measured as a table: medians, and from lowest to highest.
fn page(machine: &Machine, seconds: f64, rounds: u32, lines: &[Measurement]) -> String {
    let date = lines.iter().map(|line| line.begun).max();
    let date = date.map_or(String::new(), |date| {
        date.strftime(", %-d %B %Y").to_string()
    });
    let peer = machine.openspiel.as_ref();
    let mut page = format!(
        "# Performance\n\n{}{date}. Medians of {} of {seconds} s each; one thread by processor time, unless a bench says otherwise. \
         Made by `upstar bench all --out DIR`.\n\n",
        machine.text(),
        quantity::counted(rounds, "round"),
    );
    let [mut heads, mut rule] = [
        "| bench | figure | median | lowest – highest |",
        "|---|---|---:|---|",
    ]
    .map(str::to_owned);
    if let Some(version) = peer {
        let _ = write!(heads, " OpenSpiel {version}, in turns | times as many |");
        rule.push_str("---:|---:|");
    }
    let _ = writeln!(
        page,
        "{heads} published by others, on other machines |\n{rule}---|"
    );
    for (bench, key, name) in BENCHES {
        let Some([low, median, high]) = spread(lines, bench, key) else {
            continue;
        };
        let compared = match (peer, spread(lines, bench, OPENSPIEL)) {
            (None, _) => String::new(),
            (Some(_), None) => "  |  |".to_owned(),
            (Some(_), Some([_, theirs, _])) => {
                format!(" {} | {:.0} |", number(theirs, key), median / theirs)
            }
        };
        let published = PUBLISHED
            .iter()
            .find(|it| it.0 == bench && !key.starts_with("single"));
        let published = published.map_or(String::new(), |(_, figure, whose)| {
            format!("{figure} ({whose})")
        });
        let [low, median, high] = [low, median, high].map(|it| number(it, key));
        let _ = writeln!(
            page,
            "| `{bench}` | {name} | {median} | {low} – {high} |{compared} {published} |"
        );
    }
    page
}

/// The lowest, the median and the highest figure of a bench; `None` if it was not measured.
fn spread(lines: &[Measurement], bench: &str, key: &str) -> Option<[f64; 3]> {
    let figures = lines
        .iter()
        .filter(|line| line.bench == bench)
        .filter_map(|line| line.figures.get(key));
    let mut figures: Vec<f64> = figures.copied().collect();
    figures.sort_unstable_by(f64::total_cmp);
    let (low, high) = (*figures.first()?, *figures.last()?);
    let middle = figures.len() / 2;
    let median = match figures.len() % 2 {
        0 => (figures[middle - 1] + figures[middle]) / 2.0,
        _ => figures[middle],
    };
    Some([low, median, high])
}

/// A figure with as many digits as it deserves.
fn number(figure: f64, key: &str) -> String {
    match key {
        "seconds" => format!("{figure:.3}"),
        _ => grouped(figure.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(machine: &Machine, round: u32, figures: &[(&str, f64)]) -> Measurement {
        let figures = figures
            .iter()
            .map(|&(key, figure)| (key.to_owned(), figure));
        Measurement {
            bench: "mcts clobber 6x6".to_owned(),
            round,
            machine: machine.clone(),
            seconds: 1.0,
            begun: Timestamp::now(),
            figures: figures.collect(),
        }
    }

    #[test]
    fn the_page_has_medians() {
        let machine = Machine::here(None);
        let lines = [3000.0, 1000.0, 2000.0]
            .iter()
            .enumerate()
            .map(|(round, &figure)| {
                line(
                    &machine,
                    round as u32,
                    &[("simulations_per_second", figure)],
                )
            });
        let page = page(&machine, 1.0, 3, &lines.collect::<Vec<_>>());
        let row = "| `mcts clobber 6x6` | simulations a second | 2,000 | 1,000 – 3,000 |  |";
        assert!(page.contains(row), "{page}");
        assert!(!page.contains("playouts"), "{page}");
    }

    #[test]
    fn openspiel_stands_beside_us() {
        let mut machine = Machine::here(None);
        machine.openspiel = Some("2.0.2".to_owned());
        let figures = [("simulations_per_second", 3000.0), (OPENSPIEL, 30.0)];
        let page = page(&machine, 1.0, 1, &[line(&machine, 0, &figures)]);
        let row = "| 3,000 | 3,000 – 3,000 | 30 | 100 |  |";
        assert!(page.contains(row), "{page}");
    }

    #[test]
    fn published_figures_belong_to_benches() {
        for (bench, ..) in PUBLISHED {
            assert!(BENCHES.iter().any(|it| it.0 == bench), "{bench}");
        }
    }
}
