//! `bench solve`: how fast Clobber positions are solved, and what each technique is worth.

use std::process::ExitCode;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;
use upstar_games::{AnyGame, Cells, Clobber, Position, Variant};
use upstar_solve::clobber::{Settings, Technique, Unwatched, ValueTables};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};
use crate::search::{SearchArguments, value_tables};
use crate::verbs::solve::winner;

/// Boards from easy to hard; the row is (xo)³⁰.
const SUITE: [&str; 8] = ["4x5", "5x5", "4x6", "4x7", "2x15", "1x60", "3x10", "5x6"];

/// What to solve, and how.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// clobber or clobber:cannibal [default: clobber]
    #[arg(value_name = "GAME", value_parser = crate::input::GameParser, hide_possible_values = true)]
    game: Option<Variant>,
    /// A position [default: a list of boards, from 4x5 to 5x6]
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    search: SearchArguments,
    /// Solve without each technique in turn, to see what it is worth
    #[arg(long)]
    ablation: bool,
}

#[derive(Serialize)]
struct Measured {
    position: String,
    without: Option<String>,
    winner: Option<String>,
    proved: bool,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    threads: usize,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.unwrap_or(Variant::Clobber);
    let positions: Vec<&str> = match &arguments.position {
        Some(position) => vec![position],
        None => SUITE.to_vec(),
    };
    let tables = value_tables();
    let mut without: Vec<Option<Technique>> = vec![None];
    if arguments.ablation {
        without.extend(Technique::ALL.map(Some));
    }
    let mut all_proved = true;
    for position in positions {
        let opened = GameArguments::new(game, position, None, &[]).open()?;
        for &without in &without {
            let measured = match &opened {
                AnyGame::Clobber64(rules, start) => {
                    solve(arguments, &tables, rules, start, without)?
                }
                AnyGame::Clobber128(rules, start) => {
                    solve(arguments, &tables, rules, start, without)?
                }
                _ => {
                    let sentence = format!("{game} has no solver to measure");
                    return Err(Failure::input(sentence, "upstar bench solve clobber 5x5"));
                }
            };
            let measured = Measured {
                position: position.to_owned(),
                ..measured
            };
            all_proved &= measured.proved;
            output.print(&measured, |m| {
                let verdict = m
                    .winner
                    .as_deref()
                    .map_or("?".to_owned(), |winner| format!("{winner} wins"));
                let without = m
                    .without
                    .as_ref()
                    .map_or(String::new(), |what| format!("  without {what}"));
                let (nodes, rate) = (grouped(m.nodes), grouped(m.nodes_per_second as u64));
                format!(
                    "{:<6} {verdict:<7} {nodes:>13} nodes {:>9.3} s {rate:>11} nodes/s{without}",
                    m.position, m.seconds
                )
            })?;
        }
    }
    Ok(ExitCode::from(u8::from(!all_proved)))
}

fn solve<B: Cells>(
    arguments: &Arguments,
    tables: &ValueTables,
    rules: &Clobber<B>,
    start: &Position<B>,
    without: Option<Technique>,
) -> Result<Measured, Failure> {
    let settings = Settings {
        without,
        ..arguments.search.settings()
    };
    let mut solver = arguments.search.solver(tables, rules, start, &settings)?;
    let (clock, cpu) = (Instant::now(), ProcessTime::now());
    let verdict = solver.solve(start, &arguments.search.budget(), &Unwatched);
    let seconds = if settings.threads == 1 {
        cpu.elapsed().as_secs_f64()
    } else {
        clock.elapsed().as_secs_f64()
    };
    Ok(Measured {
        position: String::new(),
        without: without.map(|technique| technique.to_string()),
        winner: verdict
            .outcome
            .map(|outcome| winner(outcome, start.to_move)),
        proved: verdict.outcome.is_some(),
        nodes: verdict.nodes,
        seconds,
        nodes_per_second: verdict.nodes as f64 / seconds.max(1e-9),
        threads: settings.threads,
    })
}
