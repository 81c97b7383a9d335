//! `play`: a game in the terminal, by hand or between two programs.
//!
//! The game itself and the programs that think are those of `upstar-session`. `play/lines.rs` is the game by
//! lines. On a terminal `play/keys.rs` says what keys and the mouse mean, `play/desk.rs` what they do,
//! `play/drawing.rs` and `play/panel.rs` what is seen, and `play/screen.rs` is the thin rest that has to do with
//! a terminal.

mod desk;
mod drawing;
mod glyphs;
mod grades;
mod keys;
mod layout;
mod lines;
mod panel;
mod puzzles;
mod screen;
mod several;
mod styled;
mod worth;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use upstar_agents::AgentSpec;
use upstar_arena::{Log, LogError, Reason, Record, TimeControl};
use upstar_games::{AnyGame, with_rules};
use upstar_jobs::Budget;
use upstar_session::{Heading, LiveGame, Opponents, strong_agent};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::players;
use crate::search::budget;
use crate::values;
use desk::Desk;
use lines::{Lines, typed};

/// What is said of a game that was left.
const UNFINISHED: &str = "the game is not finished";
const EXAMPLE: &str = "upstar play clobber 5x5 --black human --white mcts:1s";

/// Where to begin, and who plays.
#[derive(clap::Args)]
#[command(after_help = keys_help())]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Who plays x: human, random, mc:50, mcts:1000, solver, … [default: human]
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::spec, "--black mcts:1s"))]
    black: Option<AgentSpec>,
    /// Who plays o [default: human if a program plays x, else the strongest that comes with the program, with
    /// a second a move: solver:1s on small boards, best for Clobber, ab:1s for Othello, or mcts:1s]
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::spec, "--white mcts:1s"))]
    white: Option<AgentSpec>,
    /// Several colours: who plays another one, t=mcts:1000; may be given several times
    #[arg(long, value_name = "COLOUR=AGENT")]
    seat: Vec<String>,
    #[command(flatten)]
    seed: values::SeedOption,
    /// The time control of programs: 100ms/move, 60s+1s, …; people have no clock
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = values::option(TimeControl::from_str, "--time 60s+1s"))]
    time: TimeControl,
    /// Solve puzzles of this game and board: those that come with the program, or those of a file made by
    /// 'upstar puzzle --out'
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["black", "white", "records"])]
    puzzles: Option<Option<PathBuf>>,
    /// Add the records of the games to this file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let start = arguments.game.open()?;
    if matches!(start, AnyGame::Solitaire(..) | AnyGame::Colors(..)) {
        if arguments.puzzles.is_some() {
            let sentence = format!("there are no puzzles of {}", arguments.game.game);
            return Err(Failure::input(sentence, EXAMPLE));
        }
        return several::run(arguments, &start, output);
    }
    if let Some(seat) = arguments.seat.first() {
        let sentence = format!("--seat {seat} is for games of several colours");
        return Err(Failure::input(sentence, EXAMPLE));
    }
    if let Some(file) = &arguments.puzzles {
        return puzzles::run(&start, file.as_deref(), output);
    }
    let heading = Heading {
        position: with_rules!(&start, |rules, at| arguments.game.written(rules, at)),
        time: arguments.time,
        seed: arguments.seed.seed,
        index: 0,
    };
    let seats = arguments.seats(&start);
    let by_hand = seats.contains(&AgentSpec::Human);
    let mut table = LiveGame::new(start, seats);
    let resources = players::resources();
    let opponents = || {
        let made = Opponents::new(&table, &resources, heading.seed, heading.time);
        made.map_err(|error| Failure::input(error, EXAMPLE))
    };
    let mut programs = by_hand.then(opponents).transpose()?;
    let mut log = match &arguments.records {
        Some(file) => Some(Log::open(file, |_| Ok(())).map_err(|error| refused(&error))?),
        None => None,
    };
    let mut keep = |record: &Record| match &mut log {
        Some(log) => log.add(record).map_err(|error| refused(&error)),
        None => Ok(()),
    };
    let json = output.is_json();
    // A dumb terminal has no cursor to move.
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let on_terminal = !json && !is_dumb && io::stdin().is_terminal() && io::stdout().is_terminal();
    if let Some(programs) = programs.take_if(|_| on_terminal) {
        let desk = Desk::new(table, heading);
        let (records, played) = screen::play(desk, programs, &resources.solver);
        let last = records.last();
        let finished = last.is_some_and(|record| record.reason != Reason::Unfinished);
        // However it ended, what was played is kept.
        records.iter().try_for_each(keep)?;
        played?;
        return Ok(ExitCode::from(u8::from(!finished)));
    }
    let [black, white] = table.players();
    let title = match json {
        true => String::new(),
        false => format!("x {black}, o {white}, seed {}\n", heading.seed),
    };
    let budget = match by_hand {
        true => Budget::unlimited(),
        false => budget(None),
    };
    let mut lines = Lines {
        table: &mut table,
        output,
        budget: &budget,
        // Two programs give one object, the record; with a user it is a conversation.
        quiet: json && !by_hand,
    };
    let played = match &mut programs {
        Some(programs) => {
            let input = typed(&budget);
            output.verbatim(&title)?;
            lines.play(programs, &input)
        }
        None => lines.watch(&title, &heading, &resources),
    };
    // However it ended, what was played is kept.
    let record = table.record(&heading);
    keep(&record)?;
    played?;
    if json {
        output.print(&record, |_| "")?;
    } else if !table.is_over() {
        output.verbatim(&format!("{UNFINISHED}\n"))?;
    }
    Ok(ExitCode::from(u8::from(!table.is_over())))
}

impl Arguments {
    /// Who plays, also where nothing is said.
    fn seats(&self, start: &AnyGame) -> [AgentSpec; 2] {
        let black = self.black.clone().unwrap_or(AgentSpec::Human);
        let white = self.white.clone().unwrap_or_else(|| match black {
            AgentSpec::Human => strong_agent(start, "1s"),
            _ => AgentSpec::Human,
        });
        [black, white]
    }
}

/// The keys of the terminal board, for the help of the command.
fn keys_help() -> String {
    let keys = keys::KEYS.lines().map(|line| format!("\n  {line}"));
    format!("Keys on a terminal:{}", keys.collect::<String>())
}

fn refused(error: &LogError) -> Failure {
    Failure::input(error, "--records with a new file, or one of records")
}

/// Games for the tests of this verb.
#[cfg(test)]
mod examples {
    use upstar_analysis::{Analyser, Analysis, Estimate, Knowledge};
    use upstar_arena::{Thought, TimeControl};
    use upstar_games::AnyGame;
    use upstar_jobs::Budget;
    use upstar_session::{Heading, LiveGame};
    use upstar_solve::Outcome;

    fn live(game: &str, position: &str, players: [&str; 2]) -> LiveGame {
        let start = AnyGame::parse(game, position).unwrap();
        LiveGame::new(start, players.map(|spec| spec.parse().unwrap()))
    }

    pub(super) fn clobber(position: &str, black: &str, white: &str) -> LiveGame {
        live("clobber", position, [black, white])
    }

    pub(super) fn othello(position: &str, black: &str, white: &str) -> LiveGame {
        live("othello", position, [black, white])
    }

    pub(super) fn play(game: &mut LiveGame, names: &[&str]) {
        for name in names {
            game.play(name, Thought::default());
        }
    }

    pub(super) fn proved(outcome: Outcome) -> Knowledge {
        Knowledge::of_outcome(outcome)
    }

    pub(super) fn estimated(win: f64) -> Knowledge {
        let estimate = Some(Estimate {
            win,
            discs: None,
            by: "mcts",
            work: 100,
        });
        Knowledge {
            estimate,
            ..Knowledge::default()
        }
    }

    /// An analysis that knows this of these moves, the best first.
    pub(super) fn analysis(game: &LiveGame, known: &[(&str, Knowledge)]) -> Analysis {
        let budget = Budget::unlimited();
        budget.cancel();
        let analyser = Analyser {
            agent: Some("mcts:1".parse().unwrap()),
            prove: false,
            ..Analyser::default()
        };
        let found = analyser.run(game.game(), &budget, &mut |_| {}).unwrap();
        let graded = |(mv, known): &(&str, Knowledge)| {
            let mut graded = found.of(mv).unwrap().clone();
            graded.known = known.clone();
            graded
        };
        Analysis {
            known: known[0].1.clone(),
            moves: known.iter().map(graded).collect(),
            time: std::time::Duration::ZERO,
            ..found
        }
    }

    pub(super) fn heading() -> Heading {
        Heading {
            position: "1x6".to_owned(),
            time: TimeControl::NONE,
            seed: 3,
            index: 0,
        }
    }
}
