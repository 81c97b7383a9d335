//! `elo` and `sprt`: what results say about strength, from counts or from a file of records.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use upstar_arena::{
    Counts, CrossTable, Estimate, LogError, Rating, Record, Results, Sprt, SprtState, cross_table,
    log, ratings, results_between,
};

use super::matches::strength;
use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted, grouped};

/// Where the results are.
#[derive(clap::Args)]
pub(crate) struct EloArguments {
    #[command(flatten)]
    results: ResultArguments,
    /// With several players: the one whose rating is 0 [default: the mean is 0]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
}

/// Which hypotheses, and where the results are.
#[derive(clap::Args)]
pub(crate) struct SprtArguments {
    /// Two differences in Elo: is the first player stronger by E1 rather than by E0?
    #[arg(value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Sprt,
    #[command(flatten)]
    results: ResultArguments,
}

#[derive(clap::Args)]
struct ResultArguments {
    /// Counts of the first player, '+120 -80 =10', or a file of records, games.jsonl
    #[arg(value_name = "RESULTS", allow_hyphen_values = true)]
    results: String,
}

/// Results of two players.
#[derive(Serialize)]
struct Difference {
    a: Option<String>,
    b: Option<String>,
    wins: u64,
    losses: u64,
    draws: u64,
    pairs: Option<[u64; 5]>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    los: Option<f64>,
}

/// A test of two players.
#[derive(Serialize)]
struct Test {
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<String>,
    #[serde(flatten)]
    state: SprtState,
}

impl Test {
    fn text(&self) -> String {
        match (&self.a, &self.b) {
            (Some(a), Some(b)) => format!("{a} against {b}: {}", self.state),
            _ => self.state.to_string(),
        }
    }
}

/// Ratings of several players.
#[derive(Serialize)]
struct List {
    players: Vec<Player>,
}

#[derive(Serialize)]
struct Player {
    name: String,
    elo: Option<f64>,
    elo_error: Option<f64>,
    points: f64,
    games: u64,
}

/// What a file of records holds.
struct Found {
    names: Vec<String>,
    cross: CrossTable,
    /// Of the first two players.
    results: Results,
}

pub(crate) fn elo(arguments: &EloArguments, output: &Output) -> Done {
    let found = match arguments.results.read()? {
        Source::Counts(counts) => {
            let results = Results::from(counts);
            output.print(&Difference::new(None, &results), Difference::text)?;
            return Ok(ExitCode::SUCCESS);
        }
        Source::Records(found) => found,
    };
    let place = |name: &String| found.names.iter().position(|known| known == name);
    let anchor = match &arguments.anchor {
        None => None,
        Some(name) => Some(place(name).ok_or_else(|| {
            let sentence = format!(
                "there is no player '{}' in this file",
                upstar_games::excerpt(name)
            );
            Failure::input(sentence, format!("--anchor '{}'", found.names[0]))
        })?),
    };
    if let ([a, b], None) = (found.names.as_slice(), anchor) {
        let names = Some((a.clone(), b.clone()));
        output.print(&Difference::new(names, &found.results), Difference::text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rated: Vec<(Rating, Player)> = ratings(&found.cross, anchor)
        .into_iter()
        .zip(&found.names)
        .enumerate()
        .map(|(index, (rating, name))| {
            let counts = found.cross.of(index);
            let (elo, elo_error) = match rating {
                Rating::Known { elo, error } => (Some(elo), Some(error)),
                _ => (None, None),
            };
            let player = Player {
                name: name.clone(),
                elo,
                elo_error,
                points: counts.points(),
                games: counts.games(),
            };
            (rating, player)
        })
        .collect();
    let order = |(a, _): &(Rating, Player), (b, _): &(Rating, Player)| {
        let ((a, x), (b, y)) = (a.order(), b.order());
        b.cmp(&a).then(y.total_cmp(&x))
    };
    rated.sort_by(order);
    let players = rated.into_iter().map(|(_, player)| player).collect();
    output.print(&List { players }, List::text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn sprt(arguments: &SprtArguments, output: &Output) -> Done {
    let (results, names) = match arguments.results.read()? {
        Source::Counts(counts) => (Results::from(counts), None),
        Source::Records(found) if found.names.len() == 2 => (found.results, Some(found.names)),
        Source::Records(found) => {
            let sentence = format!(
                "the file has games of {} players, but the test compares two",
                found.names.len()
            );
            return Err(Failure::input(sentence, "upstar sprt 0,20 '+120 -80 =10'"));
        }
    };
    let test = Test {
        a: names.as_ref().map(|names| names[0].clone()),
        b: names.as_ref().map(|names| names[1].clone()),
        state: arguments.sprt.state(&results),
    };
    output.print(&test, Test::text)?;
    Ok(ExitCode::from(u8::from(test.state.accepted.is_none())))
}

enum Source {
    Counts(Counts),
    Records(Found),
}

impl ResultArguments {
    fn read(&self) -> Result<Source, Failure> {
        let file = Path::new(&self.results);
        if !file.exists() {
            let counts = self.results.parse::<Counts>();
            return counts.map(Source::Counts).map_err(|error| {
                let sentence = format!("{error}, and there is no file of this name");
                Failure::input(sentence, "upstar elo '+120 -80 =10'")
            });
        }
        let file: PathBuf = if file.is_dir() {
            file.join("games.jsonl")
        } else {
            file.to_owned()
        };
        records(&file).map(Source::Records)
    }
}

/// Reads a file of records.
fn records(file: &Path) -> Result<Found, Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        Failure::input(
            error,
            "a file that 'upstar match --records FILE' or 'upstar tournament' wrote",
        )
    };
    let records = log::read(file).map_err(|error| refused(&error))?;
    let mut records = records.without_repeats();
    let all: Result<Vec<Record>, LogError> = records.by_ref().collect();
    let mut all = all.map_err(|error| refused(&error))?;
    // The first player is that of the run, not that of the game which ended first.
    all.sort_by_key(|record| record.index);
    if let repeats @ 1.. = records.repeats() {
        let lines = counted(repeats, "line");
        let sentence = format!("{}: left out {lines}, copied from above", shown(file));
        // Where it cannot be written there is nobody to tell.
        let _ = writeln!(anstream::stderr(), "note: {sentence}");
    }
    let (names, cross) = cross_table(all.iter().cloned()).map_err(|error| refused(&error))?;
    let [a, b, ..] = names.as_slice() else {
        return Err(refused(&format!(
            "{}: there are no games of two players",
            shown(file)
        )));
    };
    let results = results_between(all, a, b);
    Ok(Found {
        names,
        cross,
        results,
    })
}

impl Difference {
    fn new(names: Option<(String, String)>, results: &Results) -> Self {
        let Estimate {
            elo,
            error,
            low,
            high,
            los,
            ..
        } = results.estimate();
        let (a, b) = names.unzip();
        Self {
            a,
            b,
            wins: results.counts.wins,
            losses: results.counts.losses,
            draws: results.counts.draws,
            pairs: results.pairs,
            elo,
            elo_error: error,
            elo_low: low,
            elo_high: high,
            los,
        }
    }

    fn text(&self) -> String {
        let who = match (&self.a, &self.b) {
            (Some(a), Some(b)) => format!("{a} against {b}: "),
            _ => String::new(),
        };
        let counts = format!("{who}+{} -{} ={}", self.wins, self.losses, self.draws);
        let said = strength(
            self.elo,
            self.elo_error,
            self.elo_low,
            self.elo_high,
            self.los,
        );
        format!(
            "{counts}\n{}",
            said.unwrap_or_else(|| "no games".to_owned())
        )
    }
}

impl List {
    fn text(&self) -> String {
        let longest = self.players.iter().map(|p| p.name.chars().count()).max();
        let width = longest.unwrap_or(0).max("player".len());
        let mut lines = vec![format!(
            "{:<width$}  {:>6}  {:>5}  {:>9}  {:>8}",
            "player", "Elo", "±", "points", "games"
        )];
        let number = |number: Option<f64>| number.map_or("–".to_owned(), |n| format!("{n:.0}"));
        for player in &self.players {
            lines.push(format!(
                "{:<width$}  {:>6}  {:>5}  {:>9.1}  {:>8}",
                player.name,
                number(player.elo),
                number(player.elo_error),
                player.points,
                grouped(player.games)
            ));
        }
        lines.join("\n")
    }
}
