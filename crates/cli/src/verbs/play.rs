//! `play`: a game in the terminal, by hand or between two programs.
//!
//! `play/table.rs` is the game, `play/programs.rs` who thinks, `play/lines.rs` the game by lines. On a
//! terminal `play/desk.rs` is what keys do, `play/drawing.rs` what is seen, and `play/screen.rs` the
//! thin rest that has to do with a terminal.

mod desk;
mod drawing;
mod layout;
mod lines;
mod programs;
mod screen;
mod table;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::mpsc;

use upstar_agents::{Playable, Word};
use upstar_arena::{Log, LogError, Reason, Record, TimeControl};
use upstar_games::with_game;
use upstar_jobs::Budget;

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::players;
use crate::search::budget;
use crate::values;
use desk::Desk;
use lines::{Lines, typed};
use programs::{Programs, strong};
use table::{Heading, Table};

const EXAMPLE: &str = "upstar play clobber 5x5 --black human --white mcts:1s";

/// Where to begin, and who plays.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Who plays x: human, random, mc:50, mcts:1000, solver, … [default: human]
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::word, "--black mcts:1s"))]
    black: Option<Word>,
    /// Who plays o [default: human if a program plays x, else solver:1s or mcts:1s, by the board's size]
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::word, "--white mcts:1s"))]
    white: Option<Word>,
    #[command(flatten)]
    seed: values::SeedOption,
    /// The time that programs have: 100ms/move, 60s+1s, … Nobody's clock runs who plays by hand
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = values::option(TimeControl::from_str, "--time 60s+1s"))]
    time: TimeControl,
    /// Add the records of the games to this file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.game.open()?;
    with_game!(
        &opened,
        |game, start| play(arguments, game, start, output),
        {
            let sentence = format!("{} is no game for two players", arguments.game.game);
            Err(Failure::input(sentence, EXAMPLE))
        }
    )
}

fn play<G: Playable>(
    arguments: &Arguments,
    game: &G,
    start: &G::Position,
    output: &Output,
) -> Done {
    let seats = arguments.seats(game, start);
    let by_hand = seats.contains(&Word::Human);
    let mut table = Table::new(game, start, seats);
    let resources = players::resources();
    let mut programs = Programs::new(&table, &resources, arguments.seed.seed, arguments.time)
        .map_err(|error| Failure::input(error, EXAMPLE))?;
    let mut log = match &arguments.records {
        Some(file) => Some(Log::open(file, |_| Ok(())).map_err(|error| refused(&error))?),
        None => None,
    };
    let mut keep = |record: &Record| match &mut log {
        Some(log) => log.add(record).map_err(|error| refused(&error)),
        None => Ok(()),
    };
    let heading = Heading {
        variant: arguments.game.game,
        position: arguments.game.written(game, start),
        time: arguments.time,
        seed: arguments.seed.seed,
        index: 0,
    };
    let json = output.is_json();
    if by_hand && !json && io::stdin().is_terminal() && io::stdout().is_terminal() {
        let records = screen::play(Desk::new(table, heading), programs)?;
        let last = records.last();
        let finished = last.is_some_and(|record| record.reason != Reason::Unfinished);
        records.iter().try_for_each(keep)?;
        return Ok(ExitCode::from(u8::from(!finished)));
    }
    if !json {
        let [black, white] = table.words();
        let seed = arguments.seed.seed;
        output.verbatim(&format!("x {black}, o {white}, seed {seed}\n"))?;
    }
    let (budget, input) = if by_hand {
        let budget = Budget::unlimited();
        let input = typed(&budget);
        (budget, input)
    } else {
        (budget(None), mpsc::channel().1)
    };
    let mut lines = Lines {
        table: &mut table,
        programs: &mut programs,
        output,
        budget: &budget,
        // Two programs give one object, the record; where somebody plays it is a conversation.
        quiet: json && !by_hand,
    };
    let played = lines.play(&input);
    // However it ended, what was played is kept.
    let record = table.record(&heading);
    keep(&record)?;
    played?;
    if json {
        output.print(&record, |_| "")?;
    } else if !table.is_over() {
        output.verbatim("the game is not finished\n")?;
    }
    Ok(ExitCode::from(u8::from(!table.is_over())))
}

impl Arguments {
    /// Who plays, also where nothing is said.
    fn seats<G: Playable>(&self, game: &G, start: &G::Position) -> [Word; 2] {
        let black = self.black.clone().unwrap_or(Word::Human);
        let white = self.white.clone().unwrap_or_else(|| match black {
            Word::Human => strong(game, start, "1s"),
            _ => Word::Human,
        });
        [black, white]
    }
}

fn refused(error: &LogError) -> Failure {
    Failure::input(error, "--records with a new file, or one of records")
}
