//! `match`: many games of one agent against another, and what they say about the two.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use upstar_agents::{AgentSpec, Playable};
use upstar_arena::{
    Contestant, Finished, MOST_PLIES, Match, MatchResult, Openings, Place, RunError, Sprt, Team,
    TimeControl,
};
use upstar_games::with_game;

use crate::failure::{Done, Failure};
use crate::input::{self, GameArguments};
use crate::output::{Output, grouped};
use crate::players;
use crate::progress::Progress;
use crate::search::budget;
use crate::values;

/// Who plays what, and how often.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The first agent, Black unless --swap: random, mc:50, mcts:1000, solver, …
    #[arg(value_name = "A", value_parser = players::spec)]
    a: AgentSpec,
    /// The second agent
    #[arg(value_name = "B", value_parser = players::spec)]
    b: AgentSpec,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = values::whole::<u64>("number of games", 1..=1_000_000_000, "--games 100"))]
    games: u64,
    /// Play pairs of games with the same opening and swapped colours
    #[arg(long)]
    swap: bool,
    /// Begin with K random plies, or with the openings of a file, one per line
    #[arg(long, value_name = "K|FILE")]
    openings: Option<String>,
    /// Stop when it is decided whether A is stronger by E1 Elo rather than by E0
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = values::option(Sprt::from_str, "--sprt 0,20"))]
    sprt: Option<Sprt>,
    /// The time control of both players: 100ms/move, 60s+1s, …
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = values::option(TimeControl::from_str, "--time 60s+1s"))]
    time: TimeControl,
    #[command(flatten)]
    seed: values::SeedOption,
    #[command(flatten)]
    threads: values::ThreadsOption,
    /// Add a record of each game to this file; games that are in it are not played again
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.game.open()?;
    let result = with_game!(&opened, |game, start| play(arguments, game, start)?, {
        let sentence = format!("{} is not a game for two agents", arguments.game.game);
        return Err(Failure::input(
            sentence,
            "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap",
        ));
    });
    output.print(&result, |result| text(arguments, result))?;
    Ok(ExitCode::from(u8::from(!result.complete)))
}

fn play<G: Playable>(
    arguments: &Arguments,
    game: &G,
    start: &G::Position,
) -> Result<MatchResult, Failure> {
    let specs = [arguments.a.clone(), arguments.b.clone()];
    let team = Team {
        game,
        specs: &specs,
        resources: &players::resources(),
    };
    players::check(&team)?;
    let contest = Match {
        players: Contestant::two(&specs[0].to_string(), &specs[1].to_string()),
        games: arguments.games,
        swap: arguments.swap,
        openings: openings(arguments.openings.as_deref())?,
        sprt: arguments.sprt,
        seed: arguments.seed.seed,
        threads: arguments.threads.number(),
        time: arguments.time,
    };
    let position = arguments.game.written(game, start);
    let place = Place {
        game,
        start,
        variant: arguments.game.game,
        position: &position,
    };
    let bar = Progress::new(arguments.games, "games");
    let mut watch = |_: &Finished<'_>| bar.step();
    let records = arguments.records.as_deref();
    let played = contest.play(&place, &team, &budget(None), records, &mut watch);
    bar.finish();
    played.map_err(|error| refused(&error))
}

/// Random plies, or a file.
fn openings(text: Option<&str>) -> Result<Openings, Failure> {
    let Some(text) = text else {
        return Ok(Openings::None);
    };
    if let Ok(plies) = text.parse::<u32>() {
        if plies > MOST_PLIES {
            let sentence = format!("{plies} plies are more than {MOST_PLIES}");
            return Err(Failure::input(sentence, "--openings 4"));
        }
        return Ok(Openings::Random(plies));
    }
    let file = Path::new(text);
    let bytes = input::read_file(file, 16 << 20)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::file(file, &"it is not UTF-8"))?;
    Ok(Openings::Listed(text))
}

/// What went wrong in a run.
pub(super) fn refused(error: &RunError) -> Failure {
    Failure::input(
        error,
        "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap",
    )
}

fn text(arguments: &Arguments, result: &MatchResult) -> String {
    let (a, b) = (&arguments.a, &arguments.b);
    let games = grouped(result.games);
    let noun = if result.games == 1 { "game" } else { "games" };
    let mut lines = vec![format!(
        "{a} against {b}: {} won, {} lost, {} drawn of {games} {noun}",
        grouped(result.a_wins),
        grouped(result.b_wins),
        grouped(result.draws),
    )];
    let share = |wins: u64| 100.0 * wins as f64 / result.games.max(1) as f64;
    lines.push(format!(
        "Black won {:.1} %, White {:.1} %",
        share(result.black_wins),
        share(result.white_wins)
    ));
    lines.extend(strength(
        result.elo,
        result.elo_error,
        result.elo_low,
        result.elo_high,
        result.los,
    ));
    for (who, number) in [(a, result.a_forfeits), (b, result.b_forfeits)] {
        if number > 0 {
            lines.push(format!(
                "{who} lost {number} by time, an illegal move or a fault; --records FILE says which"
            ));
        }
    }
    if let Some(state) = &result.sprt {
        lines.push(state.to_string());
    }
    if !result.complete {
        lines.push("stopped before the end".to_owned());
    }
    lines.push(format!(
        "in {:.3} s (seed {})",
        result.seconds, arguments.seed.seed
    ));
    lines.join("\n")
}

/// What results say about a difference in strength, in words.
pub(super) fn strength(
    elo: Option<f64>,
    error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    los: Option<f64>,
) -> Option<String> {
    let sure = los.map_or(String::new(), |los| {
        format!(", likelihood of superiority {:.1} %", 100.0 * los)
    });
    // Where one side of the interval is much longer a single number would say what it does not.
    let even = match (elo, low, high) {
        (Some(elo), Some(low), Some(high)) => (0.7..1.4).contains(&((high - elo) / (elo - low))),
        _ => false,
    };
    match (elo, error, low, high) {
        (Some(elo), Some(error), ..) if even => {
            Some(format!("Elo {elo:+.1} ± {error:.1} (95 %){sure}"))
        }
        (Some(elo), _, Some(low), Some(high)) => Some(format!(
            "Elo {elo:+.1}, from {low:+.0} to {high:+.0} (95 %){sure}"
        )),
        (Some(elo), _, Some(low), None) => {
            Some(format!("Elo {elo:+.1}, at least {low:+.0} (95 %){sure}"))
        }
        (Some(elo), _, None, Some(high)) => {
            Some(format!("Elo {elo:+.1}, at most {high:+.0} (95 %){sure}"))
        }
        (_, _, Some(low), _) => Some(format!("Elo at least {low:+.0} (95 %){sure}")),
        (_, _, _, Some(high)) => Some(format!("Elo at most {high:+.0} (95 %){sure}")),
        _ => None,
    }
}
