//! `bench az`: how fast a large network judges positions, and how fast it plays against itself.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use upstar_games::{AnyGame, Grid, Random, random_move};
use upstar_jobs::Budget;
use upstar_nets::deep::{DeepNetwork, Evaluator, Observation};
use upstar_train::alphazero::{AlphaZeroConfig, Field, Playground, RawSettings, TrainingGame};

use super::Measured;
use crate::failure::{Done, Failure};
use crate::output::{Output, grouped};
use crate::players;
use crate::values;

const EXAMPLE: &str = "upstar bench az clobber 5x6 --width 64 --depth 6 --threads 2";

/// Which network plays what.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    measured: Measured,
    /// The kind of network: resnet, conv2d or mlp
    #[arg(long, value_name = "M", default_value = "resnet")]
    model: upstar_nets::deep::Model,
    /// How it sees the board: jans2021-first, jans2021-second, by-color or free
    #[arg(long, value_name = "P", default_value = "jans2021-second")]
    planes: upstar_nets::deep::Planes,
    /// Its filters, or nodes of a layer
    #[arg(long, value_name = "N", default_value_t = 64, allow_negative_numbers = true, value_parser = values::whole::<usize>("width", 1..=1024, "--width 64"))]
    width: usize,
    /// Its blocks, or layers
    #[arg(long, value_name = "N", default_value_t = 6, allow_negative_numbers = true, value_parser = values::whole::<usize>("depth", 1..=64, "--depth 6"))]
    depth: usize,
    /// How many positions are judged at a time
    #[arg(long, value_name = "N", default_value_t = 32, allow_negative_numbers = true, value_parser = values::whole::<usize>("batch", 1..=4096, "--batch 32"))]
    batch: usize,
    /// How many simulations a move of self-play gets
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = values::whole::<u32>("number of simulations", 1..=1_000_000, "--simulations 100"))]
    simulations: u32,
    /// The seed of weights and games
    #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true, value_parser = values::seed)]
    seed: u64,
}

#[derive(Serialize)]
struct Rates {
    evaluations_per_second: f64,
    states_per_second: f64,
    simulations_per_second: f64,
    /// Of the time of self-play.
    share_outside_network: f64,
    /// Of positions that searches asked for.
    share_remembered: f64,
    model: String,
    planes: String,
    width: usize,
    depth: usize,
    batch: usize,
    simulations: u32,
    threads: u16,
    seconds: f64,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.measured.game.open()?;
    let rates = match &opened {
        AnyGame::Clobber64(game, start) => measure(arguments, game, start)?,
        AnyGame::Clobber128(game, start) => measure(arguments, game, start)?,
        AnyGame::Othello64(game, start) => measure(arguments, game, start)?,
        AnyGame::Othello128(game, start) => measure(arguments, game, start)?,
        _ => {
            let game = arguments.measured.game.game;
            let sentence = format!("large networks play Clobber and Othello, not {game}");
            return Err(Failure::input(sentence, EXAMPLE));
        }
    };
    output.print(&rates, text)?;
    Ok(ExitCode::SUCCESS)
}

fn measure<G: TrainingGame>(
    arguments: &Arguments,
    game: &G,
    start: &G::Position,
) -> Result<Rates, Failure> {
    let refused = |why: &dyn std::fmt::Display| Failure::input(why.to_string(), EXAMPLE);
    let grid = game
        .grid(start)
        .ok_or_else(|| refused(&"large networks play on grids, and this board is not one"))?;
    let config = AlphaZeroConfig {
        game: arguments.measured.game.game.to_string(),
        boards: vec![format!("{}x{}", grid.rows(), grid.cols())],
        seed: arguments.seed,
        seconds: None,
        invert_colors: false,
        start: None,
        alphazero: RawSettings {
            nn_model: Some(arguments.model),
            planes: Some(arguments.planes),
            nn_width: Some(arguments.width),
            nn_depth: Some(arguments.depth),
            max_simulations: Some(arguments.simulations),
            games_at_once: Some(arguments.batch),
            actors: Some(arguments.measured.threads.into()),
            ..RawSettings::default()
        },
    };
    config
        .check("bench az")
        .map_err(|error| refused(&error.sentence))?;
    let network = DeepNetwork::random(config.design(), &mut Random::new(arguments.seed));
    let network = &network.map_err(|error| refused(&error))?;
    let field = Field {
        game: game.clone(),
        start: *start,
        grid,
        board: grid.to_string(),
    };
    let limit = Duration::from_secs_f64(arguments.measured.seconds);
    let observations = some_observations(&field, arguments.batch, arguments.seed);
    Evaluator::new(network, &field.grid).map_err(|error| refused(&error))?;
    let evaluated = judge(
        network,
        &field.grid,
        &observations,
        limit,
        arguments.measured.threads,
    );
    let fields = [field];
    let begun = Instant::now();
    let resources = players::resources();
    let playground = Playground {
        fields: &fields,
        order: &[0],
        settings: &config.settings(),
        network,
        resources: &resources,
        seed: arguments.seed,
        budget: &Budget::unlimited().with_time(limit),
    };
    let effort = playground
        .play(&(0..1_000_000).collect::<Vec<_>>(), &|_| {})
        .map_err(|error| refused(&error))?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Rates {
        evaluations_per_second: evaluated,
        states_per_second: effort.moves as f64 / seconds,
        simulations_per_second: effort.simulations as f64 / seconds,
        share_outside_network: 1.0 - effort.judging.as_secs_f64() / effort.working.as_secs_f64(),
        share_remembered: 1.0 - effort.judged as f64 / effort.requests.max(1) as f64,
        model: arguments.model.to_string(),
        planes: arguments.planes.to_string(),
        width: arguments.width,
        depth: arguments.depth,
        batch: arguments.batch,
        simulations: arguments.simulations,
        threads: arguments.measured.threads,
        seconds,
    })
}

/// Positions of random games.
fn some_observations<G: TrainingGame>(
    field: &Field<G>,
    count: usize,
    seed: u64,
) -> Vec<Observation> {
    let mut random = Random::new(seed);
    let mut position = field.start;
    let mut observations = Vec::new();
    while observations.len() < count {
        observations.push(field.game.observe(&position));
        position = match random_move(&field.game, &position, &mut random) {
            Some(mv) => field.game.play_unchecked(&position, mv),
            None => field.start,
        };
    }
    observations
}

/// Positions judged per second by all threads together.
fn judge(
    network: &DeepNetwork,
    grid: &Grid,
    observations: &[Observation],
    limit: Duration,
    threads: u16,
) -> f64 {
    let judged = AtomicU64::new(0);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut evaluator = Evaluator::new(network, grid).expect("it was made before");
                let mut policy = vec![0.0; observations.len() * evaluator.actions()];
                let mut value = vec![0.0; observations.len()];
                while begun.elapsed() < limit {
                    evaluator.evaluate(observations, &mut policy, &mut value);
                    judged.fetch_add(observations.len() as u64, Ordering::Relaxed);
                }
            });
        }
    });
    judged.into_inner() as f64 / begun.elapsed().as_secs_f64()
}

fn text(rates: &Rates) -> String {
    format!(
        "{} evaluations a second ({} of width {} and depth {}, {} at a time)\n\
         {:.1} positions of self-play a second, {} simulations each: {} simulations a second, {:.0} % of positions remembered\n\
         {:.1} % of the time outside the network",
        grouped(rates.evaluations_per_second as u64),
        rates.model,
        rates.width,
        rates.depth,
        rates.batch,
        rates.states_per_second,
        rates.simulations,
        grouped(rates.simulations_per_second as u64),
        100.0 * rates.share_remembered,
        100.0 * rates.share_outside_network,
    )
}
