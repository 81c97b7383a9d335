//! `fit`: makes what the programs know of a game from nothing but the rules: the evaluation of the Othello
//! engine, or the order in which the Clobber solver tries moves.

mod clobber;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::Serialize;
use upstar_games::{Grid, excerpt};
use upstar_jobs::quantity;
use upstar_runs::RunFolder;
use upstar_solve::othello::{BOARDS, FitConfig, Recipe, fit, has_patterns, weights};

use crate::failure::{Done, Failure};
use crate::output::{Output, check_writable, grouped, write_file};
use crate::progress::Teller;
use crate::search::budget;
use crate::values;

/// For which boards, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game
    #[arg(value_name = "GAME", value_enum)]
    game: Game,
    /// The file of weights to write, for 'upstar solve … --weights FILE'
    #[arg(long, value_name = "FILE", required_unless_present = "run")]
    out: Option<PathBuf>,
    /// Othello: keep the games in this folder, and the weights as DIR/othello.weights: 'upstar resume DIR' goes on
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Othello: the boards, whose weights come one after the other [default: those that the program brings along]
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', value_parser = size)]
    boards: Vec<Grid>,
    /// How often games are played, or positions solved, and weights fitted to them; the first time without
    /// any [default: 3 for Othello, 4 for Clobber]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    rounds: Option<u32>,
    /// Othello: how many games the last round has on 8×8, smaller boards fewer; each round before it has a
    /// sixteenth [default: 320000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: Option<u32>,
    /// Othello: how many plies ahead the engine looks: two more in each round, up to this [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: Option<u32>,
    #[command(flatten)]
    clobber: clobber::Options,
    /// How many threads work; results are the same for any number [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    seed: values::SeedOption,
}

/// The games that there are weights for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Game {
    /// The evaluation of positions
    Othello,
    /// The order of moves
    Clobber,
}

/// One round of one board.
#[derive(Serialize)]
struct Round {
    board: String,
    round: u32,
    positions: usize,
    stages: Vec<StageError>,
}

/// Positions of a stage that were not learned from.
#[derive(Serialize)]
struct StageError {
    /// The fewest empty cells; the most is one more.
    empties: usize,
    positions: usize,
    /// The root of the mean square error in discs.
    error: f64,
}

const EXAMPLE: &str = "upstar fit othello --boards 6x6 --out 6x6.weights";

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    arguments.check()?;
    if arguments.game == Game::Clobber {
        return clobber::run(arguments, output);
    }
    let default = Recipe::default();
    let boards = match arguments.boards.as_slice() {
        [] => BOARDS.map(|board| board.parse().expect("a size")).to_vec(),
        given => given.to_vec(),
    };
    if let Some(board) = boards.iter().find(|&&board| !has_patterns(board)) {
        let sentence = format!("{board} has no patterns to fit weights to");
        return Err(Failure::input(sentence, EXAMPLE));
    }
    let config = FitConfig {
        boards,
        recipe: Recipe {
            rounds: arguments.rounds.unwrap_or(default.rounds),
            games: arguments.games.unwrap_or(default.games),
            depth: arguments.depth.unwrap_or(default.depth),
            seed: arguments.seed.seed,
            ..default
        },
    };
    let folder = match &arguments.run {
        Some(path) => Some(config.begin(path).map_err(|error| {
            Failure::input(error, "upstar fit othello --boards 6x6 --run new-folder")
        })?),
        None => None,
    };
    let threads = arguments.threads.unwrap_or_else(values::all_cores);
    work(
        &config,
        folder.as_ref(),
        arguments.out.as_deref(),
        threads,
        output,
    )
}

/// Goes on with a run.
pub(crate) fn resume(path: &Path, threads: Option<usize>, output: &Output) -> Done {
    let opened = FitConfig::open(path);
    let (config, folder) = opened.map_err(|error| Failure::input(error, "upstar resume DIR"))?;
    let threads = threads.unwrap_or_else(values::all_cores);
    work(&config, Some(&folder), None, threads, output)
}

fn work(
    config: &FitConfig,
    folder: Option<&RunFolder>,
    file: Option<&Path>,
    threads: usize,
    output: &Output,
) -> Done {
    // Fitting takes long: whether the file can be written is known before.
    if let Some(file) = file {
        check_writable(file)?;
    }
    let budget = budget(None);
    let mut all = Vec::new();
    let mut told = Ok(());
    let (rounds, done) = (
        config.boards.len() as u32 * config.recipe.rounds,
        Arc::new(AtomicU32::new(0)),
    );
    let count = Arc::clone(&done);
    let _teller = Teller::new(move || {
        let done = count.load(Ordering::Relaxed);
        format!("{done} of {rounds} rounds fitted")
    });
    for &board in &config.boards {
        let mut tell = |fitted: upstar_solve::othello::FittedRound| {
            done.fetch_add(1, Ordering::Relaxed);
            let round = Round::new(board, &fitted);
            let printed = output.print(&round, Round::text);
            if told.is_ok() {
                told = printed;
            }
        };
        let fitted = fit(board, &config.recipe, threads, folder, &budget, &mut tell);
        all.push(fitted.map_err(|error| Failure::input(error, EXAMPLE))?);
    }
    told?;
    let bytes = weights::write(&all);
    if let Some(folder) = folder {
        let kept = folder.write(FitConfig::RESULT, &bytes);
        kept.map_err(|error| Failure::input(error, EXAMPLE))?;
    }
    if let Some(file) = file {
        write_file(file, bytes)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Refuses options of the other game.
    fn check(&self) -> Result<(), Failure> {
        let othello = [
            ("--run", self.run.is_some()),
            ("--boards", !self.boards.is_empty()),
            ("--games", self.games.is_some()),
            ("--depth", self.depth.is_some()),
        ];
        let (others, whose, right) = match self.game {
            Game::Othello => (self.clobber.given().to_vec(), "Clobber", clobber::EXAMPLE),
            Game::Clobber => (othello.to_vec(), "Othello", EXAMPLE),
        };
        match others.into_iter().find(|&(_, given)| given) {
            Some((option, _)) => Err(Failure::input(format!("{option} is for {whose}"), right)),
            None => Ok(()),
        }
    }
}

impl Round {
    fn new(board: Grid, fitted: &upstar_solve::othello::FittedRound) -> Self {
        let errors = fitted.errors.iter().enumerate();
        let stages = errors.filter(|(_, (_, positions))| *positions > 0);
        let stages = stages.map(|(stage, &(square, positions))| StageError {
            empties: 2 * stage,
            positions,
            error: square.sqrt(),
        });
        Self {
            board: board.to_string(),
            round: fitted.round,
            positions: fitted.positions,
            stages: stages.collect(),
        }
    }

    fn text(&self) -> String {
        let errors = self.stages.iter();
        let errors: Vec<String> = errors
            .map(|stage| format!("{}: {:.2}", stage.empties, stage.error))
            .collect();
        format!(
            "{} round {}: {} positions; error in discs on others, by empty cells {}",
            self.board,
            self.round,
            grouped(self.positions as u64),
            errors.join(", ")
        )
    }
}

fn size(text: &str) -> Result<Grid, String> {
    text.parse()
        .map_err(|error| format!("'{}': {error}", excerpt(text)))
}
