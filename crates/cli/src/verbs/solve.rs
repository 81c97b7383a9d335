//! `solve`: the best result that a position allows. So far for solitaire Clobber.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;
use upstar_games::{AnyGame, Rules, excerpt};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};

/// What, where and how hard.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// How to search
    #[arg(long, value_enum, default_value_t = Algorithm::Exact)]
    algorithm: Algorithm,
    /// Give up the proof after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    time_limit: Duration,
    /// Give up the proof after this many positions
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    nodes: Option<u64>,
}

/// Reads a time like 500ms, 60s, 5m or 2h.
fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let read = |(unit, seconds): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    };
    let refused = || format!("'{}' is no time, like 500ms, 60s or 5m", excerpt(text));
    units.into_iter().find_map(read).ok_or_else(refused)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Algorithm {
    /// The fewest stones, with proof
    Exact,
    /// One line, each move judged by itself
    Greedy,
}

#[derive(Serialize)]
struct Solved {
    winner: Option<char>,
    score: u32,
    r#move: Option<String>,
    proved: bool,
    nodes: u64,
    seconds: f64,
    algorithm: Algorithm,
    line: Vec<String>,
    lower_bound: u32,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let AnyGame::Solitaire(rules, start) = arguments.game.open()? else {
        let sentence = format!("{} cannot be solved yet", arguments.game.game);
        return Err(Failure::input(
            sentence,
            "upstar solve clobber:solitaire 4x4",
        ));
    };
    let begun = Instant::now();
    let reduction = match arguments.algorithm {
        Algorithm::Exact => rules.fewest(&start, &mut |nodes| {
            arguments.nodes.is_none_or(|most| nodes < most)
                && begun.elapsed() < arguments.time_limit
        }),
        Algorithm::Greedy => rules.greedy(&start),
    };
    let line: Vec<String> = reduction
        .line
        .iter()
        .map(|&mv| rules.move_name(mv))
        .collect();
    let solved = Solved {
        winner: None,
        score: reduction.stones_left,
        r#move: line.first().cloned(),
        proved: reduction.is_best(),
        nodes: reduction.nodes,
        seconds: begun.elapsed().as_secs_f64(),
        algorithm: arguments.algorithm,
        line,
        lower_bound: reduction.lower_bound,
    };
    output.print(&solved, |solved| {
        let stones = match solved.score {
            1 => "1 stone".to_owned(),
            stones => format!("{stones} stones"),
        };
        let verdict = if solved.proved {
            format!("{stones} left; fewer are impossible (proved)")
        } else {
            format!("? {stones} left; {} not excluded", solved.lower_bound)
        };
        let (nodes, seconds) = (grouped(solved.nodes), solved.seconds);
        let search = format!("positions looked at: {nodes} in {seconds:.3} s");
        let lines = [verdict, solved.line.join(" "), search];
        lines
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    Ok(if solved.proved {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}
