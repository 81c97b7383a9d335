//! `tournament`: everybody against everybody, or one against all others, from a file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use upstar_agents::AgentSpec;
use upstar_arena::{Config, Finished, Standing, Standings, Team, Tournament, TournamentError};
use upstar_games::with_game;

use crate::failure::{Done, Failure};
use crate::output::{Output, grouped};
use crate::players;
use crate::progress::Progress;
use crate::search::budget;
use crate::trust::TrustArguments;
use crate::values;

/// Which tournament, and where its games are kept.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file that describes it: game, position, games, players, …
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder of the run [default: FILE without its extension]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: values::ThreadsOption,
    #[command(flatten)]
    trust: TrustArguments,
}

/// A game that has ended.
#[derive(Serialize)]
struct Line<'a> {
    index: u64,
    black: &'a str,
    white: &'a str,
    winner: upstar_arena::Winner,
    reason: upstar_arena::Reason,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let folder = match &arguments.out {
        Some(folder) => folder.clone(),
        None => arguments.file.with_extension(""),
    };
    if folder == arguments.file {
        let sentence = "a folder needs a name other than that of the file";
        return Err(Failure::input(sentence, "upstar tournament FILE --out DIR"));
    }
    // What cannot be played leaves no folder behind.
    let (config, text) = Config::read(&arguments.file).map_err(|error| refused(&error.into()))?;
    arguments.trust.check_file(&text, &arguments.file)?;
    let (specs, resources) = (specs(&config)?, players::resources());
    for position in 0..config.positions.len() {
        let opened = config
            .open(position)
            .map_err(|error| refused(&error.into()))?;
        with_game!(
            &opened,
            |game, _start| players::check(&Team {
                game,
                specs: &specs,
                resources: &resources,
            })?,
            unreachable!("the file of a tournament names a game for two")
        );
    }
    let tournament =
        Tournament::begin(&folder, &arguments.file).map_err(|error| refused(&error))?;
    play(tournament, arguments.threads.given, output)
}

/// Goes on with the tournament in this folder.
pub(super) fn resume(folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    let tournament = Tournament::resume(folder).map_err(|error| refused(&error))?;
    play(tournament, threads, output)
}

fn play(mut tournament: Tournament, threads: Option<usize>, output: &Output) -> Done {
    if let Some(threads) = threads {
        tournament.set_threads(threads);
    }
    let config = tournament.config().clone();
    let specs = specs(&config)?;
    let resources = players::resources();
    let budget = budget(None);
    let bar = Progress::new(tournament.games(), "games");
    let mut told = Ok(());
    let mut complete = true;
    for position in 0..config.positions.len() {
        let opened = tournament.open(position).map_err(|error| refused(&error))?;
        let mut watch = |finished: &Finished<'_>| {
            bar.step();
            let line = Line {
                index: finished.index,
                black: &config.players[finished.black].name,
                white: &config.players[finished.white].name,
                winner: finished.winner,
                reason: finished.reason,
            };
            if told.is_ok() {
                told = output.happened(&line);
            }
        };
        complete &= with_game!(
            &opened,
            |game, start| {
                let team = Team {
                    game,
                    specs: &specs,
                    resources: &resources,
                };
                players::check(&team)?;
                let played = tournament.play(position, game, start, &team, &budget, &mut watch);
                played.map_err(|error| refused(&error))?
            },
            unreachable!("the file of a tournament names a game for two")
        );
        if !complete {
            break;
        }
    }
    bar.finish();
    told?;
    let table = tournament.finish().map_err(|error| refused(&error))?;
    output.print(&table, text)?;
    Ok(ExitCode::from(u8::from(!complete)))
}

/// The players.
fn specs(config: &Config) -> Result<Vec<AgentSpec>, Failure> {
    let specs: Result<Vec<AgentSpec>, _> = config.players.iter().map(|p| p.agent.parse()).collect();
    specs.map_err(|error| Failure::input(error, "agent = \"mcts:1000\""))
}

fn refused(error: &TournamentError) -> Failure {
    let example = match error {
        TournamentError::Config(error) => error.example.clone(),
        _ => None,
    };
    let right = "upstar tournament FILE --out DIR, later upstar resume DIR";
    Failure::input(error, example.unwrap_or_else(|| right.to_owned()))
}

fn text(table: &Standings) -> String {
    let width = table
        .players
        .iter()
        .map(|player| player.name.chars().count())
        .max()
        .unwrap_or(0)
        .max("player".len());
    let mut lines = vec![format!(
        "{:>4}  {:<width$}  {:>6}  {:>6}  {:>8}  {:>7}  {:>6}",
        "rank", "player", "Elo", "±", "points", "games", "%"
    )];
    let number = |number: Option<f64>| number.map_or("–".to_owned(), |n| format!("{n:.0}"));
    for player in &table.players {
        let Standing {
            rank,
            name,
            points,
            games,
            ..
        } = player;
        let share = 100.0 * points / (*games).max(1) as f64;
        lines.push(format!(
            "{rank:>4}  {name:<width$}  {:>6}  {:>6}  {points:>8.1}  {:>7}  {share:>6.1}",
            number(player.elo),
            number(player.elo_error),
            grouped(*games)
        ));
    }
    lines.push(String::new());
    lines.push("points of each player against each other:".to_owned());
    for (player, row) in table.players.iter().zip(&table.cross) {
        let mut line = format!("{:<width$}", player.name);
        for cell in row {
            let shown = match cell.games() {
                0 => "·".to_owned(),
                _ => format!("{:.1}", cell.points()),
            };
            line += &format!("  {shown:>8}");
        }
        lines.push(line);
    }
    for player in table.players.iter().filter(|player| player.forfeits > 0) {
        lines.push(format!(
            "{} lost {} by time, an illegal move or a fault; games.jsonl says which",
            player.name, player.forfeits
        ));
    }
    lines.push(format!(
        "{} of {} games: Black won {}, White {}, {} drawn",
        grouped(table.games),
        grouped(table.of),
        grouped(table.black_wins),
        grouped(table.white_wins),
        grouped(table.draws)
    ));
    lines.join("\n")
}
