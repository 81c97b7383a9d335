//! `bench engine`: how strong Othello's engine is against a player that stays as it is.

use std::process::ExitCode;

use serde::Serialize;
use upstar_games::Random;
use upstar_solve::othello::bench::{self, Player};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::values;

/// How far both look ahead.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// How many plies ahead the engine looks
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = values::whole::<u32>("depth", 1..=20, "--plies 5"))]
    plies: u32,
    /// How many the fixed player looks ahead [default: the same]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::whole::<u32>("depth", 1..=20, "--against 5"))]
    against: Option<u32>,
    /// How many pairs of games with colours swapped
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = values::whole::<usize>("number of pairs", 1..=100_000, "--pairs 100"))]
    pairs: usize,
    /// The seed of the random moves that games begin with
    #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true, value_parser = values::seed)]
    seed: u64,
}

#[derive(Serialize)]
struct Measured {
    plies: u32,
    against: u32,
    won: usize,
    drawn: usize,
    lost: usize,
    /// Nothing if one side won all games.
    elo: Option<f64>,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let Arguments {
        plies, pairs, seed, ..
    } = *arguments;
    let against = arguments.against.unwrap_or(plies);
    let players = [Player::engine(plies), Player::reference(against)];
    let [engine, reference] = players;
    let no_room = |error| Failure::input(error, "upstar bench engine --plies 5");
    let mut players = [engine.map_err(no_room)?, reference.map_err(no_room)?];
    let [won, drawn, lost] = bench::play(&mut players, pairs, seed);
    let share = (won as f64 + drawn as f64 / 2.0) / (won + drawn + lost) as f64;
    let elo = 400.0 * (share / (1.0 - share)).log10();
    let measured = Measured {
        plies,
        against,
        won,
        drawn,
        lost,
        elo: elo.is_finite().then_some(elo),
    };
    output.print(&measured, |measured| {
        let elo = measured
            .elo
            .map_or(String::new(), |elo| format!(", {elo:+.0} Elo"));
        format!("{plies} plies against {against}: won {won}, drawn {drawn}, lost {lost}{elo}")
    })?;
    Ok(ExitCode::SUCCESS)
}
