//! `bench`: how fast this machine plays random games and counts lines.
//!
//! Rates are per second of CPU time, added up over the threads, so that other programs on the
//! machine disturb them little.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Subcommand, value_parser};
use cpu_time::ThreadTime;
use serde::Serialize;
use upstar_games::{Game, Random, Rules, Tally, perft, with_game, with_rules};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};

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
        #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED)]
        seed: u64,
    },
    /// Lines of play
    Perft {
        #[command(flatten)]
        measured: Measured,
    },
}

#[derive(clap::Args)]
struct Measured {
    #[command(flatten)]
    game: GameArguments,
    /// How long to measure each kind of work
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    seconds: f64,
    /// How many threads work at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    match &arguments.work {
        Work::Playouts { measured, seed } => {
            measured.check()?;
            let game = measured.game.open()?;
            with_game!(
                &game,
                |game, start| playouts(game, start, measured, *seed, output),
                {
                    let sentence = format!("{} is no game for two", measured.game.game);
                    Err(Failure::input(
                        sentence,
                        "upstar bench playouts clobber 8x8",
                    ))
                }
            )
        }
        Work::Perft { measured } => {
            measured.check()?;
            let game = measured.game.open()?;
            with_rules!(&game, |rules, start| lines(rules, start, measured, output))
        }
    }
}

impl Measured {
    fn check(&self) -> Result<(), Failure> {
        if (0.001..=86_400.0).contains(&self.seconds) {
            return Ok(());
        }
        let sentence = format!("{} is no time from 0.001 to 86400 seconds", self.seconds);
        Err(Failure::input(
            sentence,
            "upstar bench playouts clobber 8x8 --seconds 2",
        ))
    }

    /// Does `work`, given the index of a piece of it, again and again in every thread until the
    /// time is over. Returns the sum of the results and the number of them per CPU second.
    fn run<T: Default + Send>(
        &self,
        work: impl Fn(u64) -> T + Sync,
        add: impl Fn(&mut T, T) + Sync,
        amount: impl Fn(&T) -> u64 + Sync,
    ) -> (T, f64) {
        let limit = Duration::from_secs_f64(self.seconds);
        let threads = u64::from(self.threads);
        let one_thread = |first: u64| {
            let (begun, cpu) = (Instant::now(), ThreadTime::now());
            let mut sum = T::default();
            let mut index = first;
            while begun.elapsed() < limit {
                add(&mut sum, work(index));
                index += threads;
            }
            let rate = amount(&sum) as f64 / cpu.elapsed().as_secs_f64().max(1e-9);
            (sum, rate)
        };
        std::thread::scope(|scope| {
            let one_thread = &one_thread;
            let running: Vec<_> = (0..threads)
                .map(|first| scope.spawn(move || one_thread(first)))
                .collect();
            let mut total = (T::default(), 0.0);
            for thread in running {
                let (sum, rate) = thread
                    .join()
                    .expect("a thread that measures does not panic");
                add(&mut total.0, sum);
                total.1 += rate;
            }
            total
        })
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
    let (tally, games_per_second) = measured.run(batch, |sum, one| sum.merge(&one), Tally::games);
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
        measured.run(single, |sum, one| sum.merge(&one), Tally::games);
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
    // The deepest count that leaves time for several of them.
    let share = Duration::from_secs_f64(measured.seconds / 20.0);
    let mut depth = 1;
    loop {
        let begun = Instant::now();
        perft(rules, start, depth);
        if begun.elapsed() > share || depth >= rules.plies_left(start) {
            break;
        }
        depth += 1;
    }
    let (nodes, nodes_per_second) = measured.run(
        |_| perft(rules, start, depth),
        |sum, one| *sum += one,
        |&nodes| nodes,
    );
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
