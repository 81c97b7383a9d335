//! `bench train`: how fast a network learns against Random, as in leiden2018, or with sigmoids as in
//! etoeharnowo2017.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::value_parser;
use cpu_time::ThreadTime;
use serde::Serialize;
use upstar_games::{AnyGame, Cells, Clobber, Position, Random};
use upstar_nets::{Activation, Bench, MOST_NODES};

use super::Measured;
use crate::failure::{Done, Failure};
use crate::output::{Output, grouped};

const EXAMPLE: &str = "upstar bench train clobber 6x6 --hidden 100 --activation leaky-relu";

/// Which network learns what.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    measured: Measured,
    /// The nodes of the hidden layer
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u16).range(1..=MOST_NODES as i64))]
    hidden: u16,
    /// The activation: relu, leaky-relu, tanh, sigmoid, sigmoid:2, linear
    #[arg(long, value_name = "A", default_value = "leaky-relu")]
    activation: Activation,
    /// The seed of weights and games
    #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Serialize)]
struct Trained {
    games: u64,
    seconds: f64,
    games_per_second: f64,
    /// The sum of what each thread had in its fastest tenth of a second.
    fastest_games_per_second: f64,
    live_gradient_share: f64,
    hidden: u16,
    activation: String,
    /// Whether the fast way was taken, which is there for rectifiers and sigmoids.
    fast: bool,
    threads: u16,
    seed: u64,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.measured.game.open()?;
    let trained = match &opened {
        AnyGame::Clobber64(game, start) => measure(arguments, game, start)?,
        AnyGame::Clobber128(game, start) => measure(arguments, game, start)?,
        _ => {
            let game = arguments.measured.game.game;
            let sentence = format!("learning is measured with clobber, not with {game}");
            return Err(Failure::input(sentence, EXAMPLE));
        }
    };
    output.print(&trained, text)?;
    Ok(ExitCode::SUCCESS)
}

/// Each thread teaches a network of its own.
fn measure<B: Cells>(
    arguments: &Arguments,
    game: &Clobber<B>,
    start: &Position<B>,
) -> Result<Trained, Failure> {
    let threads = arguments.measured.threads;
    let limit = Duration::from_secs_f64(arguments.measured.seconds);
    let begun = Instant::now();
    let one = |index: u16| {
        let bench = Bench {
            hidden: arguments.hidden.into(),
            activation: arguments.activation,
            seed: arguments.seed.wrapping_add(index.into()),
        };
        if threads == 1 {
            let cpu = ThreadTime::now();
            bench.run(game, start, limit, || cpu.elapsed())
        } else {
            bench.run(game, start, limit, || begun.elapsed())
        }
    };
    let measured = std::thread::scope(|scope| {
        let start = |index| {
            let one = &one;
            std::thread::Builder::new().spawn_scoped(scope, move || one(index))
        };
        let running = (0..threads).map(start).collect::<Result<Vec<_>, _>>();
        let running = running.map_err(|error| {
            let sentence = format!("{threads} threads cannot be started: {error}");
            Failure::input(sentence, format!("{EXAMPLE} --threads 2"))
        })?;
        let joined = running.into_iter().map(|thread| {
            let measured = thread
                .join()
                .expect("a thread that measures does not panic");
            measured.ok_or_else(|| {
                let sentence = "networks learn on grids, and this board is not one";
                Failure::input(sentence, EXAMPLE)
            })
        });
        joined.collect::<Result<Vec<_>, Failure>>()
    })?;
    let games: u64 = measured.iter().map(|one| one.games).sum();
    let shares = measured
        .iter()
        .map(|one| one.live_gradient_share * one.games as f64);
    Ok(Trained {
        games,
        seconds: measured.iter().map(|one| one.seconds).fold(0.0, f64::max),
        games_per_second: measured.iter().map(|one| one.games_per_second).sum(),
        fastest_games_per_second: measured
            .iter()
            .map(|one| one.fastest_games_per_second)
            .sum(),
        live_gradient_share: shares.sum::<f64>() / games.max(1) as f64,
        hidden: arguments.hidden,
        activation: arguments.activation.to_string(),
        fast: measured.iter().all(|one| one.fast),
        threads,
        seed: arguments.seed,
    })
}

fn text(trained: &Trained) -> String {
    let way = if trained.fast { "" } else { ", the plain way" };
    format!(
        "{} training games a second, {} in the fastest tenth of one{way} ({} nodes, {}), live gradients {:.1} %",
        grouped(trained.games_per_second as u64),
        grouped(trained.fastest_games_per_second as u64),
        trained.hidden,
        trained.activation,
        100.0 * trained.live_gradient_share
    )
}
