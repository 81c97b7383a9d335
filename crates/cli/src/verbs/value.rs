//! `value`: what a Clobber position is worth, component by component and in sum.

mod list;
mod rows;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use serde::{Serialize, Serializer};
use upstar_cgt::{Dyadic, Games, Value};
use upstar_games::{Variant, excerpt};
use upstar_jobs::{Budget, Ledger, quantity};
use upstar_solve::clobber::PositionValue;
use upstar_solve::{Settings, Solver};

pub(crate) use self::rows::{Row, RowFormat, Rows};
use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::notation::NameOptions;
use crate::output::{Output, check_ending, write_file};
use crate::progress::SearchProgress;
use crate::search::{budget, refused, value_tables};
use crate::verbs::cgt;

/// Where, how to write it, and how long to try.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game: clobber or clobber:cannibal; or, without a position, a game as theorists write it, '{0|*}',
    /// of which is said what 'upstar cgt' says
    #[arg(
        value_name = "GAME",
        value_parser = GameOrTypedParser,
        hide_possible_values = true,
        allow_negative_numbers = true
    )]
    game: GameOrTyped,
    /// A size (4x5), a range of sizes (2x1..2x8), a position (xox|oxo), random:5x6,seed=7, graph:FILE, or
    /// - for standard input
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// The side to move, which makes no difference to a value
    #[arg(long, value_name = "STONE", value_parser = input::stone, hide = true)]
    to_move: Option<char>,
    /// Play these moves first
    #[arg(long, value_name = "MOVE,…", value_delimiter = ',')]
    play: Vec<String>,
    /// Value every line of a file: a position each; # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "play", "stones", "thermograph"])]
    batch: Option<PathBuf>,
    /// Value all components of N stones, each once up to symmetry
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["position", "play", "thermograph"],
        value_parser = crate::values::whole::<usize>("number of stones", 2..=10, "--stones 4")
    )]
    stones: Option<usize>,
    #[command(flatten)]
    rows: RowFormat,
    #[command(flatten)]
    names: NameOptions,
    /// Draw the thermograph of the sum into this SVG file
    #[arg(long, value_name = "FILE")]
    thermograph: Option<PathBuf>,
    /// The time limit for each position: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = quantity::duration)]
    time_limit: Duration,
}

/// What stands where a game is named.
#[derive(Clone)]
enum GameOrTyped {
    Game(Variant),
    /// A game of its own, `{0|*}`.
    Typed(String),
}

/// Reads the name of a game, or a typed game, which begins with no letter or is one that the calculator knows.
#[derive(Clone)]
struct GameOrTypedParser;

impl TypedValueParser for GameOrTypedParser {
    type Value = GameOrTyped;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<GameOrTyped, clap::Error> {
        let game = input::GameParser.parse_ref(command, argument, value);
        game.map(GameOrTyped::Game).or_else(|error| {
            let text = value.to_str().unwrap_or_default();
            let letter = text.starts_with(|first: char| first.is_ascii_alphabetic());
            match !text.is_empty() && (!letter || Games::new().evaluate(text).is_ok()) {
                true => Ok(GameOrTyped::Typed(text.to_owned())),
                false => Err(error),
            }
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        input::GameParser.possible_values()
    }
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

const EXAMPLE: &str = "upstar value clobber xxo.xo";

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = match &arguments.game {
        GameOrTyped::Game(game) => *game,
        GameOrTyped::Typed(text) => return typed(arguments, text, output),
    };
    if !matches!(game, Variant::Clobber | Variant::Cannibal) {
        let sentence = format!("{game} has no values; clobber and clobber:cannibal have");
        return Err(Failure::input(sentence, EXAMPLE));
    }
    if let Some(file) = &arguments.thermograph {
        check_ending("--thermograph", file, "svg")?;
    }
    if let Some(stones) = arguments.stones {
        return list::components(arguments, game, stones, output);
    }
    if let Some(file) = &arguments.batch {
        return list::batch(arguments, game, file, output);
    }
    let Some(position) = &arguments.position else {
        return Err(Failure::input("POSITION is missing", EXAMPLE));
    };
    if let Some((from, to)) = position.split_once("..")
        && let (Ok(from), Ok(to)) = (from.parse(), to.parse())
    {
        if arguments.thermograph.is_some() {
            let sentence = "--thermograph draws one position, and this is a range";
            return Err(Failure::input(
                sentence,
                "upstar value clobber xxo.xo --thermograph FILE.svg",
            ));
        }
        return list::range(arguments, game, from, to, output);
    }
    let (side, play) = (arguments.to_move, &arguments.play);
    let game = GameArguments::new(game, position, side, play).open()?;
    if arguments.rows.is_given() {
        let item = (position.to_owned(), Ok(game));
        return list::print(arguments, vec![item], output);
    }
    let setup = game.setup();
    let worth = Valuer::new().value(&game, &budget(Some(arguments.time_limit)));
    let mut worth = worth?;
    let longest = if output.is_json() { 100_000 } else { 60 };
    let valued = describe(&arguments.names, &mut worth, longest)?;
    output.print(&valued, |valued| valued.text(arguments.time_limit))?;
    if let Some(file) = &arguments.thermograph {
        let shown = shown(file);
        let right = format!("upstar value clobber '{setup}' --thermograph {shown} --time-limit 5m");
        write_thermograph(&worth.games, worth.value, file, &right)?;
    }
    Ok(ExitCode::from(u8::from(!worth.is_exact())))
}

/// Says of a typed game what the calculator says.
fn typed(arguments: &Arguments, text: &str, output: &Output) -> Done {
    let Arguments {
        names, thermograph, ..
    } = arguments;
    let for_positions = [
        ("POSITION", arguments.position.is_some()),
        ("--play", !arguments.play.is_empty()),
        ("--batch", arguments.batch.is_some()),
        ("--stones", arguments.stones.is_some()),
        ("--csv and --tabular", arguments.rows.is_given()),
    ];
    if let Some((word, _)) = for_positions.iter().find(|(_, given)| *given) {
        let sentence = format!("'{}' and {word} cannot be used together", excerpt(text));
        return Err(Failure::input(sentence, "upstar value '{0|*}'"));
    }
    cgt::calculate(text, names, false, thermograph.as_deref(), output)
}

/// A solver for values alone.
struct Valuer(Solver);

impl Valuer {
    fn new() -> Self {
        const MEMORY: usize = 2 << 30;
        let ledger = Ledger::new(MEMORY, 2);
        Self(Solver::new(Settings {
            memory: MEMORY,
            tables: value_tables().with_ledger(&ledger),
            ledger,
            ..Settings::default()
        }))
    }

    fn value(
        &self,
        game: &upstar_games::AnyGame,
        budget: &Budget,
    ) -> Result<PositionValue, Failure> {
        let progress = SearchProgress::default();
        let worth = progress.during(|| self.0.value(game, budget, &progress));
        worth.map_err(|error| refused(&error))
    }
}

/// Draws the thermograph of a value, if that is known.
pub(crate) fn write_thermograph(
    games: &Games,
    value: Option<Value>,
    file: &Path,
    right: &str,
) -> Result<(), Failure> {
    let Some(thermograph) = value.and_then(|value| games.thermograph(value)) else {
        let file = shown(file);
        return Err(Failure::input(
            format!("{file} was not written: without the value of the sum there is no thermograph"),
            right,
        ));
    };
    write_file(file, thermograph.svg())
}

/// All that is known, with names of at most so many characters unless the user wants more or fewer.
fn describe(
    names: &NameOptions,
    worth: &mut PositionValue,
    longest: usize,
) -> Result<Valued, Failure> {
    let games = &mut worth.games;
    let mut describe = |value: Option<Value>| match value {
        None => Ok(Described::default()),
        Some(value) => Described::of(names, games, value, longest),
    };
    let components = worth.components.iter().map(|component| {
        Ok(Part {
            position: component.setup.to_string(),
            described: describe(component.value)?,
        })
    });
    Ok(Valued {
        components: components.collect::<Result<_, Failure>>()?,
        sum: describe(worth.value)?,
        outcome: worth.outcome.map(|outcome| outcome.to_string()),
    })
}

impl Described {
    /// What is said of a value.
    fn of(
        names: &NameOptions,
        games: &mut Games,
        value: Value,
        longest: usize,
    ) -> Result<Self, Failure> {
        let weight = games.atomic_weight(value);
        let weight = weight.map(|weight| names.write(games, weight, longest));
        Ok(Self {
            value: Some(names.write(games, value, longest)?),
            atomic_weight: weight.transpose()?,
            temperature: games.temperature(value),
        })
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
        // Names may be longer than anything can be padded to.
        const WIDEST: usize = 1000;
        let widths = [0, 1, 2, 3].map(|column| width(column).unwrap_or(0).min(WIDEST));
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
