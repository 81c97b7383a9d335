//! `fit`: makes the weights by which the Othello solver orders moves, from nothing but the rules.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::Serialize;
use upstar_games::{Grid, excerpt};
use upstar_solve::othello::{BOARDS, Recipe, fit, has_patterns, weights};

use crate::failure::{Done, Failure};
use crate::output::{Output, check_writable, grouped, write_file};
use crate::progress::Teller;
use crate::search::budget;
use crate::values;

/// For which boards, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game: othello
    #[arg(value_name = "GAME", value_parser = ["othello"])]
    _game: String,
    /// The file of weights to write, for 'upstar solve othello … --weights FILE'
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The boards, whose weights come one after the other [default: those that the program brings along]
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', value_parser = size)]
    boards: Vec<Grid>,
    /// How often games are played and weights fitted to them
    #[arg(long, value_name = "N", default_value_t = Recipe::default().rounds, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// How many games each round has
    #[arg(long, value_name = "N", default_value_t = Recipe::default().games, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    #[command(flatten)]
    seed: values::SeedOption,
}

/// One round of one board.
#[derive(Serialize)]
struct Round {
    board: String,
    round: u32,
    positions: usize,
    /// The root of the mean square error in discs, from the end of the game to its middle.
    errors: Vec<f64>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let boards = match arguments.boards.as_slice() {
        [] => BOARDS.map(|board| board.parse().expect("a size")).to_vec(),
        given => given.to_vec(),
    };
    if let Some(board) = boards.iter().find(|&&board| !has_patterns(board)) {
        let sentence = format!("{board} has no patterns to fit weights to");
        return Err(Failure::input(
            sentence,
            "upstar fit othello --boards 6x6 --out 6x6.weights",
        ));
    }
    // Fitting takes long: whether the file can be written is known before.
    let file = &arguments.out;
    check_writable(file)?;
    let recipe = Recipe {
        rounds: arguments.rounds,
        games: arguments.games,
        seed: arguments.seed.seed,
        ..Recipe::default()
    };
    let budget = budget(None);
    let mut all = Vec::new();
    let mut told = Ok(());
    let (rounds, done) = (
        boards.len() as u32 * arguments.rounds,
        Arc::new(AtomicU32::new(0)),
    );
    let count = Arc::clone(&done);
    let _teller = Teller::new(move || {
        let done = count.load(Ordering::Relaxed);
        format!("{done} of {rounds} rounds fitted")
    });
    for board in boards {
        let fitted = fit(board, &recipe, &budget, &mut |fitted| {
            done.fetch_add(1, Ordering::Relaxed);
            let round = Round {
                board: board.to_string(),
                round: fitted.round,
                positions: fitted.positions,
                errors: fitted.errors.map(f64::sqrt).to_vec(),
            };
            let printed = output.print(&round, |round| {
                let errors: Vec<String> = round
                    .errors
                    .iter()
                    .map(|error| format!("{error:.2}"))
                    .collect();
                format!(
                    "{} round {}: {} positions, error in discs by stage {}",
                    round.board,
                    round.round,
                    grouped(round.positions as u64),
                    errors.join(" ")
                )
            });
            if told.is_ok() {
                told = printed;
            }
        });
        all.push(fitted.map_err(|error| {
            Failure::input(error, "upstar fit othello --boards 6x6 --out 6x6.weights")
        })?);
    }
    told?;
    write_file(file, weights::write(&all))?;
    Ok(ExitCode::SUCCESS)
}

fn size(text: &str) -> Result<Grid, String> {
    text.parse()
        .map_err(|error| format!("'{}': {error}", excerpt(text)))
}
