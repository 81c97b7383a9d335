//! `bench`: how fast this machine plays random games, counts lines and solves.
//!
//! Rates of one thread are per second of CPU time, so that other programs on the machine disturb them
//! little; those of several threads are per second of the clock, which shows what they gain together.

mod all;
mod analysis;
mod az;
mod discs;
mod engine;
mod openspiel;
mod solve;
mod train;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Subcommand;
use cpu_time::ThreadTime;
use serde::Serialize;
use upstar_agents::Playable;
use upstar_agents::bench::simulations as simulate;
use upstar_games::{Game, Random, Rules, Tally, perft, with_game, with_rules};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};
use crate::values;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Random games from a position to the end, in batch and one at a time
    Playouts {
        #[command(flatten)]
        measured: Measured,
        /// The seed of the random games
        #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true, value_parser = values::seed)]
        seed: u64,
    },
    /// Lines of play
    Perft {
        #[command(flatten)]
        measured: Measured,
    },
    /// Simulations of the tree search, 10,000 a search
    Mcts {
        #[command(flatten)]
        measured: Measured,
        /// How many simulations a search has
        #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = values::whole::<u64>("number of simulations", 1..=1_000_000_000, "--simulations 10000"))]
        simulations: u64,
    },
    /// Positions of Clobber or Othello, solved with proof
    Solve(solve::Arguments),
    /// A network of leiden2018 that learns Clobber against Random
    Train(train::Arguments),
    /// Analyses of positions from games: how soon, how often right, how far off
    Analysis(analysis::Arguments),
    /// A large network: positions judged, and positions of self-play
    Az(az::Arguments),
    /// All of these that take seconds, several rounds, and a page of the results
    All(all::Arguments),
    /// Othello's engine against a fixed player that cuts nothing and knows three stages of the game
    Engine(engine::Arguments),
}

#[derive(clap::Args)]
struct Measured {
    #[command(flatten)]
    game: GameArguments,
    /// How long to measure each kind of work
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        value_parser = values::seconds
    )]
    seconds: f64,
    /// How many threads work at the same time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = values::whole::<u16>("number of threads", 1..=1024, "--threads 2"))]
    threads: u16,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    match &arguments.work {
        Work::Playouts { measured, seed } => {
            let game = measured.game.open()?;
            with_game!(
                &game,
                |game, start| playouts(game, start, measured, *seed, output),
                {
                    let sentence = format!("{} has no random games to measure", measured.game.game);
                    Err(Failure::input(
                        sentence,
                        "upstar bench playouts clobber 8x8",
                    ))
                }
            )
        }
        Work::Mcts {
            measured,
            simulations,
        } => {
            let game = measured.game.open()?;
            with_game!(
                &game,
                |game, start| mcts(game, start, measured, *simulations, output),
                {
                    let sentence = format!("{} has no tree search to measure", measured.game.game);
                    Err(Failure::input(sentence, "upstar bench mcts clobber 8x8"))
                }
            )
        }
        Work::Solve(arguments) => solve::run(arguments, output),
        Work::Train(arguments) => train::run(arguments, output),
        Work::Analysis(arguments) => analysis::run(arguments, output),
        Work::Az(arguments) => az::run(arguments, output),
        Work::All(arguments) => all::run(arguments, output),
        Work::Engine(arguments) => engine::run(arguments, output),
        Work::Perft { measured } => {
            let game = measured.game.open()?;
            with_rules!(&game, |rules, start| lines(rules, start, measured, output))
        }
    }
}

impl Measured {
    /// Does `work`, given the index of a piece of it, again and again in every thread until the
    /// time is over. Returns the sum of the results and how much they are per second.
    fn run<T: Default + Send>(
        &self,
        work: impl Fn(u64) -> T + Sync,
        add: impl Fn(&mut T, T) + Sync,
        amount: impl Fn(&T) -> u64,
    ) -> Result<(T, f64), Failure> {
        let limit = Duration::from_secs_f64(self.seconds);
        let threads = u64::from(self.threads);
        let begun = Instant::now();
        let one_thread = |first: u64| {
            let cpu = ThreadTime::now();
            let mut sum = T::default();
            let mut index = first;
            loop {
                add(&mut sum, work(index));
                index += threads;
                if begun.elapsed() >= limit {
                    return (sum, cpu.elapsed());
                }
            }
        };
        let (total, cpu) = std::thread::scope(|scope| {
            let start = |first| {
                let thread = std::thread::Builder::new();
                let one_thread = &one_thread;
                thread.spawn_scoped(scope, move || one_thread(first))
            };
            let running = (0..threads).map(start).collect::<Result<Vec<_>, _>>();
            let running = running.map_err(|error| {
                let sentence = format!("{threads} threads cannot be started: {error}");
                Failure::input(sentence, "upstar bench playouts clobber 8x8 --threads 2")
            })?;
            let mut total = (T::default(), Duration::ZERO);
            for thread in running {
                let (sum, cpu) = thread
                    .join()
                    .expect("a thread that measures does not panic");
                add(&mut total.0, sum);
                total.1 += cpu;
            }
            Ok::<_, Failure>(total)
        })?;
        let time = if threads == 1 { cpu } else { begun.elapsed() };
        let rate = amount(&total) as f64 / time.as_secs_f64().max(1e-9);
        Ok((total, rate))
    }
}

#[derive(Serialize)]
struct Playouts {
    games: u64,
    wins: u64,
    draws: u64,
    plies: u64,
    seconds: f64,
    games_per_second: f64,
    single_games_per_second: f64,
    seed: u64,
}

fn playouts<G: Game>(
    game: &G,
    start: &G::Position,
    measured: &Measured,
    seed: u64,
    output: &Output,
) -> Done {
    // Enough games a piece that looking at the clock costs nothing.
    const PIECE: u64 = 4096;
    let begun = Instant::now();
    let batch = |index| game.playouts(start, PIECE, &mut Random::for_game(seed, index));
    let (tally, games_per_second) =
        measured.run(batch, |sum, one| sum.merge(&one), Tally::games)?;
    let seconds = begun.elapsed().as_secs_f64();
    let single = |index| {
        let mut random = Random::for_game(seed, index);
        let mut tally = Tally::default();
        for _ in 0..PIECE / 16 {
            tally.add(game.playout(start, &mut random));
        }
        tally
    };
    let (_, single_games_per_second) =
        measured.run(single, |sum, one| sum.merge(&one), Tally::games)?;
    let result = Playouts {
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        plies: tally.plies,
        seconds,
        games_per_second,
        single_games_per_second,
        seed,
    };
    output.print(&result, |result| {
        let rate = |rate: f64| grouped(rate as u64);
        let percent = |games: u64| 100.0 * games as f64 / result.games as f64;
        format!(
            "in batch       {:>14} games a second\n\
             one at a time  {:>14} games a second\n\
             {} games in batch: {:.2} plies on average, {} to move wins {:.2} %, draws {:.2} % (seed {})",
            rate(result.games_per_second),
            rate(result.single_games_per_second),
            grouped(result.games),
            result.plies as f64 / result.games as f64,
            game.to_move(start),
            percent(result.wins),
            percent(result.draws),
            result.seed,
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Lines {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

fn lines<R: Rules>(rules: &R, start: &R::Position, measured: &Measured, output: &Output) -> Done {
    let begun = Instant::now();
    // The deepest count that leaves time for several of them, as far as can be told beforehand: one
    // ply more takes as many times longer as the last one did.
    let share = measured.seconds / 20.0;
    let (mut depth, mut before) = (1, 1);
    loop {
        let begun = Instant::now();
        let lines = perft(rules, start, depth);
        let growth = lines as f64 / before as f64;
        if begun.elapsed().as_secs_f64() * growth > share || depth >= rules.plies_left(start) {
            break;
        }
        (depth, before) = (depth + 1, lines);
    }
    let (nodes, nodes_per_second) = measured.run(
        |_| perft(rules, start, depth),
        |sum, one| *sum += one,
        |&nodes| nodes,
    )?;
    let result = Lines {
        depth,
        nodes,
        seconds: begun.elapsed().as_secs_f64(),
        nodes_per_second,
    };
    output.print(&result, |result| {
        let rate = grouped(result.nodes_per_second as u64);
        format!("depth {}: {rate} lines a second", result.depth)
    })?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Simulated {
    simulations: u64,
    searches: u64,
    seconds: f64,
    simulations_per_second: f64,
}

fn mcts<G: Playable>(
    game: &G,
    start: &G::Position,
    measured: &Measured,
    simulations: u64,
    output: &Output,
) -> Done {
    if game.is_over(start) {
        return Err(Failure::input(
            "the game is over here, there is nothing to search",
            "upstar bench mcts clobber 8x8",
        ));
    }
    let threads = usize::from(measured.threads);
    let done = simulate(game, start, simulations, measured.seconds, threads)
        .map_err(|error| Failure::input(error, "upstar bench mcts clobber 8x8"))?;
    let simulated = Simulated {
        simulations: done.simulations,
        searches: done.searches,
        seconds: done.seconds,
        simulations_per_second: done.simulations as f64 / done.seconds.max(1e-9),
    };
    output.print(&simulated, |s| {
        format!(
            "{} simulations a second ({} searches of {})",
            grouped(s.simulations_per_second as u64),
            grouped(s.searches),
            grouped(simulations)
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
