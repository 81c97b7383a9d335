//! `bench solve`: how fast positions are solved, and for Clobber what each technique is worth.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;
use upstar_games::{AnyGame, Variant, excerpt};
use upstar_jobs::Budget;
use upstar_solve::clobber::Technique;
use upstar_solve::{Query, Settings, Solver, Unwatched};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, refused};
use crate::values;
use crate::verbs::solve::prepare;

/// Boards from easy to hard; the row is (xo)³⁰.
const SUITE: [&str; 8] = ["4x5", "5x5", "4x6", "4x7", "2x15", "1x60", "3x10", "5x6"];

/// What to solve, and how.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// clobber, clobber:cannibal or othello [default: clobber]
    #[arg(value_name = "GAME", value_parser = crate::input::GameParser, hide_possible_values = true)]
    game: Option<Variant>,
    /// A position [default: a list of boards from easy to hard]
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    /// Clobber: solve without each technique in turn, to see what it is worth
    #[arg(long)]
    ablation: bool,
    /// Othello: only find out who wins, not by how many discs
    #[arg(long)]
    pub(super) winner: bool,
    /// Othello: problems of the French federation, by their numbers
    #[arg(long, value_name = "A-B", conflicts_with = "position", value_parser = numbers)]
    pub(super) problems: Option<RangeInclusive<usize>>,
    /// Othello: endings of the engine's games, numbered from 20 empty cells to 30, 20 each
    #[arg(long, value_name = "A-B", conflicts_with_all = ["position", "problems"], value_parser = numbers)]
    pub(super) endings: Option<RangeInclusive<usize>>,
    /// Othello: so many random endings, and how many are not solved as all lines of play say
    #[arg(long, value_name = "N", conflicts_with_all = ["position", "problems", "endings"], value_parser = values::whole::<u64>("number of endings", 1..=1_000_000, "--random 2000"))]
    pub(super) random: Option<u64>,
}

/// Reads `40-49` or `46`.
fn numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok(from..=to),
        _ => {
            let text = excerpt(text);
            Err(format!("'{text}' is not a range of numbers, like 40-49"))
        }
    }
}

#[derive(Serialize)]
pub(super) struct Measured {
    pub(super) position: String,
    pub(super) without: Option<String>,
    pub(super) winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<i32>,
    pub(super) proved: bool,
    pub(super) nodes: u64,
    /// Positions beside these that were looked at only to order moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) looked: Option<u64>,
    pub(super) seconds: f64,
    pub(super) nodes_per_second: f64,
    pub(super) threads: usize,
}

impl Measured {
    fn text(&self) -> String {
        let mut verdict = match self.winner.as_deref() {
            None => "?".to_owned(),
            Some("draw") => "draw".to_owned(),
            Some(winner) => format!("{winner} wins"),
        };
        if let Some(score) = self.score.filter(|&score| score != 0) {
            verdict += &format!(" {score:+}");
        }
        let without = self
            .without
            .as_ref()
            .map_or(String::new(), |what| format!("  without {what}"));
        let (nodes, rate) = (grouped(self.nodes), grouped(self.nodes_per_second as u64));
        let looked = self.looked.map_or(String::new(), |looked| {
            format!("  {} looked at", grouped(looked))
        });
        format!(
            "{:<7} {verdict:<10} {nodes:>13} nodes {:>9.3} s {rate:>11} nodes/s{without}{looked}",
            self.position, self.seconds
        )
    }
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.unwrap_or(Variant::Clobber);
    let budget = arguments.search.budget();
    if let Variant::Othello(_) = game {
        if let Some(count) = arguments.random {
            return super::discs::random(count, output);
        }
        if arguments.ablation {
            let sentence = "--ablation is for Clobber";
            return Err(Failure::input(
                sentence,
                "upstar bench solve clobber 5x5 --ablation",
            ));
        }
        let mut all_proved = true;
        super::discs::run(arguments, game, &budget, &mut |measured| {
            all_proved &= measured.proved;
            Ok(output.print(&measured, Measured::text)?)
        })?;
        return Ok(ExitCode::from(u8::from(!all_proved)));
    }
    let positions: Vec<&str> = match &arguments.position {
        Some(position) => vec![position],
        None => SUITE.to_vec(),
    };
    let settings = arguments.search.settings();
    let mut without: Vec<Option<Technique>> = vec![None];
    if arguments.ablation {
        without.extend(Technique::ALL.map(Some));
    }
    let mut all_proved = true;
    for position in positions {
        let opened = GameArguments::new(game, position, None, &[]).open()?;
        for &without in &without {
            if budget.is_stopped() {
                return Ok(ExitCode::FAILURE);
            }
            if !matches!(opened, AnyGame::Clobber64(..) | AnyGame::Clobber128(..)) {
                let sentence = format!("{game} has no solver to measure");
                return Err(Failure::input(sentence, "upstar bench solve clobber 5x5"));
            }
            let measured = solve(arguments, &settings, &opened, without, &budget)?;
            let measured = Measured {
                position: position.to_owned(),
                ..measured
            };
            all_proved &= measured.proved;
            output.print(&measured, Measured::text)?;
        }
    }
    Ok(ExitCode::from(u8::from(!all_proved)))
}

fn solve(
    arguments: &Arguments,
    settings: &Settings,
    game: &AnyGame,
    without: Option<Technique>,
    budget: &Budget,
) -> Result<Measured, Failure> {
    let solver = Solver::new(Settings {
        without,
        ..settings.clone()
    });
    let (query, progress) = (Query::winner(), SearchProgress::default());
    let budget = arguments.search.renewed(budget);
    prepare(&solver, game, &query, &budget, &progress).map_err(|error| refused(&error))?;
    let budget = arguments.search.renewed(&budget);
    let (clock, cpu) = (Instant::now(), ProcessTime::now());
    let answer = solver.solve(game, &query, &budget, &Unwatched);
    let seconds = if settings.threads == 1 {
        cpu.elapsed().as_secs_f64()
    } else {
        clock.elapsed().as_secs_f64()
    };
    let answer = answer.map_err(|error| refused(&error))?;
    Ok(Measured {
        position: String::new(),
        without: without.map(|technique| technique.to_string()),
        winner: answer.winner().map(str::to_owned),
        score: None,
        proved: answer.proved,
        nodes: answer.nodes,
        looked: None,
        seconds,
        nodes_per_second: answer.nodes as f64 / seconds.max(1e-9),
        threads: settings.threads,
    })
}
