//! `value`: what a Clobber position is worth, component by component and in sum.

use std::borrow::Cow;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::{Serialize, Serializer};
use upstar_cgt::{Dyadic, Games, Value};
use upstar_games::{Setup, Variant};
use upstar_jobs::{Ledger, quantity};
use upstar_solve::clobber::PositionValue;
use upstar_solve::{Settings, Solver, Unwatched};

use crate::failure::{Done, Failure, shown};
use crate::input::GameArguments;
use crate::output::{Output, write_file};
use crate::search::{budget, refused, value_tables};

/// Where, how to write it, and how long to try.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    notation: Notation,
    /// The most characters of a name; longer ones end in … [default: 60, in JSON 100000]
    #[arg(long, value_name = "N")]
    name_length: Option<usize>,
    /// Draw the thermograph of the sum into this SVG file
    #[arg(long, value_name = "FILE")]
    thermograph: Option<PathBuf>,
    /// Leave open what is not found within this time: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = quantity::duration)]
    time_limit: Duration,
}

/// How names of values are written.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Notation {
    /// Write names in ASCII: ^ for ↑, v for ↓
    #[arg(long)]
    ascii: bool,
    /// Write names for LaTeX
    #[arg(long)]
    latex: bool,
    /// Write names for CGSuite
    #[arg(long)]
    cgsuite: bool,
}

#[derive(Serialize)]
struct Valued {
    #[serde(flatten)]
    sum: Described,
    /// N, P, L or R.
    outcome: Option<String>,
    components: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    position: String,
    #[serde(flatten)]
    described: Described,
}

/// What is said of a value; nothing if it is unknown.
#[derive(Default, Serialize)]
struct Described {
    value: Option<String>,
    /// Absent for values that are not all-small.
    atomic_weight: Option<String>,
    #[serde(serialize_with = "as_number")]
    temperature: Option<Dyadic>,
}

/// Temperatures of games on our boards are far from where floating point would round them.
fn as_number<S: Serializer>(
    temperature: &Option<Dyadic>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    temperature.map(Dyadic::to_f64).serialize(serializer)
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    let setup = match game.variant() {
        Variant::Clobber | Variant::Cannibal => game.setup(),
        _ => {
            let game = arguments.game.game;
            let sentence = format!("{game} has no values; clobber and clobber:cannibal have");
            return Err(Failure::input(sentence, "upstar value clobber xxo.xo"));
        }
    };
    const MEMORY: usize = 2 << 30;
    let ledger = Ledger::new(MEMORY, 2);
    let solver = Solver::new(Settings {
        memory: MEMORY,
        tables: value_tables().with_ledger(&ledger),
        ledger,
        ..Settings::default()
    });
    let budget = budget(Some(arguments.time_limit));
    let worth = solver.value(&game, &budget, &Unwatched);
    let mut worth = worth.map_err(|error| refused(&error))?;
    let valued = arguments.describe(&mut worth, 100_000);
    output.print(&valued, |_| {
        arguments
            .describe(&mut worth, 60)
            .text(arguments.time_limit)
    })?;
    if let Some(file) = &arguments.thermograph {
        draw(&worth, file, &setup)?;
    }
    Ok(ExitCode::from(u8::from(!worth.is_exact())))
}

/// Draws the thermograph of the sum.
fn draw(worth: &PositionValue, file: &Path, setup: &Setup) -> Result<(), Failure> {
    let thermograph = worth.value.and_then(|value| worth.games.thermograph(value));
    let Some(thermograph) = thermograph else {
        let file = shown(file);
        return Err(Failure::input(
            format!("{file} was not written: without the value of the sum there is no thermograph"),
            format!("upstar value clobber '{setup}' --thermograph {file} --time-limit 5m"),
        ));
    };
    write_file(file, thermograph.svg())
}

impl Arguments {
    /// All that is known, with names of at most so many characters unless the user wants more or fewer.
    fn describe(&self, worth: &mut PositionValue, longest: usize) -> Valued {
        let longest = self.name_length.unwrap_or(longest);
        let games = &mut worth.games;
        let mut describe = |value: Option<Value>| {
            value.map_or_else(Described::default, |value| {
                let weight = games.atomic_weight(value);
                Described {
                    value: Some(self.notation.write(games, value, longest)),
                    atomic_weight: weight.map(|weight| self.notation.write(games, weight, longest)),
                    temperature: games.temperature(value),
                }
            })
        };
        let components = worth.components.iter().map(|component| Part {
            position: component.setup.to_string(),
            described: describe(component.value),
        });
        Valued {
            components: components.collect(),
            sum: describe(worth.value),
            outcome: worth.outcome.map(|outcome| outcome.to_string()),
        }
    }
}

impl Notation {
    fn write(&self, games: &Games, value: Value, longest: usize) -> String {
        let name = games.name(value).cut(longest);
        let name = match self {
            Self { ascii: true, .. } => name.ascii(),
            Self { latex: true, .. } => name.latex(),
            Self { cgsuite: true, .. } => name.cgsuite(),
            _ => name,
        };
        name.to_string()
    }
}

impl Described {
    /// A line of the table.
    fn line<'a>(&'a self, what: &'a str) -> [Cow<'a, str>; 4] {
        let Some(value) = &self.value else {
            return [what, "?", "?", "?"].map(Cow::from);
        };
        let weight = self.atomic_weight.as_deref().unwrap_or("none");
        let temperature = self
            .temperature
            .map_or("?".into(), |degrees| degrees.to_string().into());
        [what.into(), value.into(), weight.into(), temperature]
    }
}

impl Valued {
    /// A table of the components and their sum, and the outcome in words.
    fn text(&self, time_limit: Duration) -> String {
        let header = ["component", "value", "atomic weight", "temperature"].map(Cow::from);
        let parts = self
            .components
            .iter()
            .map(|part| part.described.line(&part.position));
        let lines: Vec<_> = iter::once(header)
            .chain(parts)
            .chain([self.sum.line("sum")])
            .collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths = [0, 1, 2, 3].map(|column| width(column).unwrap_or(0));
        let mut text = String::new();
        for line in &lines {
            let cells = line
                .iter()
                .zip(widths)
                .map(|(cell, width)| format!("{cell:width$}"));
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        text += match self.outcome.as_deref() {
            Some("N") => "N: whoever begins wins",
            Some("P") => "P: whoever begins loses",
            Some("L") => "L: x wins, whoever begins",
            Some("R") => "R: o wins, whoever begins",
            _ => "?: who wins is not known",
        };
        let parts = self.components.iter().map(|part| &part.described);
        if parts
            .chain([&self.sum])
            .any(|described| described.value.is_none())
        {
            text += &format!("\n? was not found within {time_limit:?}; --time-limit gives more");
        }
        text
    }
}
