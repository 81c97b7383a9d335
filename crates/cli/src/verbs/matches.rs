//! `match`: many games of one agent against another, and what they say about the two.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use upstar_agents::{AgentSpec, Playable};
use upstar_arena::{
    Contestant, Finished, MOST_PLIES, Match, MatchResult, Openings, Place, RunError, SeveralMatch,
    SeveralResult, Sprt, Team, TimeControl,
};
use upstar_games::{AnyGame, MAX_SIDES, Side, Variant, with_game};
use upstar_jobs::quantity;

use crate::failure::{Done, Failure};
use crate::input::{self, GameArguments};
use crate::output::{Output, counted, grouped};
use crate::players;
use crate::progress::Progress;
use crate::search::budget;
use crate::values;

const EXAMPLE: &str = "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap";

/// Who plays what, and how often.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The agents, in the order of their colours, the first is Black unless --swap: random, mc:50, mcts:1000,
    /// solver, …; two, one for solitaire, or as many as there are colours
    #[arg(value_name = "AGENT", required = true, num_args = 1..=MAX_SIDES, value_parser = players::spec)]
    agents: Vec<AgentSpec>,
    /// How many games [default: 100, or as many as the time limit allows]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::whole::<u64>("number of games", 1..=1_000_000_000, "--games 100"))]
    games: Option<u64>,
    /// End the match after this time, 60s or 5m, with the games that have ended by then; how many these are depends on
    /// the machine
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    time_limit: Option<Duration>,
    /// Play pairs of games with the same opening and swapped colours; among several, move on by a seat each game
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

/// The most games of a match that is limited by time only.
const MOST_GAMES: u64 = 1_000_000;

impl Arguments {
    fn games(&self) -> u64 {
        let default = match self.time_limit {
            Some(_) => MOST_GAMES,
            None => 100,
        };
        self.games.unwrap_or(default)
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.game.open()?;
    let result = with_game!(
        &opened,
        |game, start| play(arguments, game, start)?,
        return among_several(arguments, &opened, output)
    );
    output.print(&result, |result| text(arguments, result))?;
    Ok(ExitCode::from(u8::from(!result.complete)))
}

fn play<G: Playable>(
    arguments: &Arguments,
    game: &G,
    start: &G::Position,
) -> Result<MatchResult, Failure> {
    let [a, b] = &arguments.agents[..] else {
        let sentence = "a match needs two agents";
        return Err(Failure::input(sentence, EXAMPLE));
    };
    let specs = [a.clone(), b.clone()];
    let team = Team {
        game,
        specs: &specs,
        resources: &players::resources(),
    };
    players::check(&team)?;
    let contest = Match {
        players: Contestant::two(&specs[0].to_string(), &specs[1].to_string()),
        games: arguments.games(),
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
    let bar = Progress::new(arguments.games(), "games");
    let mut watch = |_: &Finished<'_>| bar.step();
    let (time, records) = (arguments.time_limit, arguments.records.as_deref());
    let played = contest.play_for(time, &place, &team, &budget(None), records, &mut watch);
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
    Failure::input(error, EXAMPLE)
}

/// Solitaire, and games of several colours.
fn among_several(arguments: &Arguments, start: &AnyGame, output: &Output) -> Done {
    let example = match start.variant() {
        Variant::Solitaire => "upstar match clobber:solitaire 6x6 mcts:1000 --games 20",
        _ => "upstar match clobber:colors=3 5x5 mcts:1000 mc:20 random --games 60 --swap",
    };
    let refuse = |sentence: &str| Err(Failure::input(sentence, example));
    if arguments.sprt.is_some() || arguments.records.is_some() || arguments.time_limit.is_some() {
        return refuse("--sprt, --records and --time-limit are for games of two");
    }
    if !arguments.time.is_none() {
        return refuse("--time is for games of two; agents have limits of their own, like mcts:1s");
    }
    let random_plies = match openings(arguments.openings.as_deref())? {
        Openings::None => 0,
        Openings::Random(plies) => plies,
        Openings::Listed(_) => return refuse("a file of openings is for games of two"),
    };
    let several = SeveralMatch {
        start,
        agents: &arguments.agents,
        games: arguments.games(),
        swap: arguments.swap,
        random_plies,
        seed: arguments.seed.seed,
        threads: arguments.threads.number(),
        resources: &players::resources(),
    };
    let bar = Progress::new(arguments.games(), "games");
    let result = several.play(&budget(None), &mut || bar.step());
    bar.finish();
    let result = result.map_err(|error| Failure::input(error, example))?;
    output.print(&result, |result| several_text(arguments, result))?;
    Ok(ExitCode::from(u8::from(!result.complete)))
}

fn several_text(arguments: &Arguments, result: &SeveralResult) -> String {
    let mut lines = Vec::new();
    if let Some(left) = &result.stones_left {
        lines.push(format!(
            "{}: {:.2} stones left on average, {} at best, {} at worst, in {}",
            arguments.agents[0],
            left.mean,
            left.fewest,
            left.most,
            counted(result.games, "game")
        ));
    } else {
        for agent in &result.agents {
            let seats: Vec<String> = Side::ALL
                .iter()
                .zip(&agent.by_seat)
                .map(|(side, wins)| format!("{} as {side}", grouped(*wins)))
                .collect();
            lines.push(format!(
                "{}: won {:.1} % ({:.1} to {:.1}), {}",
                agent.agent,
                100.0 * agent.share,
                100.0 * agent.low,
                100.0 * agent.high,
                seats.join(", ")
            ));
        }
        lines.push(format!("{} in all", counted(result.games, "game")));
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

fn text(arguments: &Arguments, result: &MatchResult) -> String {
    let (a, b) = (&arguments.agents[0], &arguments.agents[1]);
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
