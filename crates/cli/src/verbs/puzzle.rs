//! `puzzle`: makes positions in which exactly one move keeps the win, and checks them.

mod check;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_agents::Playable;
use upstar_analysis::{Puzzle, PuzzleMaker};
use upstar_games::{AnyGame, Variant, with_game};

use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, counted};
use crate::players;
use crate::progress::Progress;
use crate::search::budget;
use crate::values::{self, SeedOption, ThreadsOption};

/// Of which game, and how many.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game: clobber, othello, … ('upstar games' lists them)
    #[arg(value_name = "GAME", value_parser = input::GameParser, hide_possible_values = true, required_unless_present = "check")]
    game: Option<Variant>,
    /// The start of the games that positions are taken from: a size (4x5), a position (xox|oxo), …
    #[arg(
        value_name = "POSITION",
        allow_hyphen_values = true,
        required_unless_present = "check"
    )]
    position: Option<String>,
    /// The side to move: x, o, black, white, … [default: x, or whose turn it is]
    #[arg(long, value_name = "STONE", value_parser = input::stone)]
    to_move: Option<char>,
    /// Play these moves first
    #[arg(long, value_name = "MOVE,…", value_delimiter = ',')]
    play: Vec<String>,
    /// How many puzzles to make
    #[arg(long, value_name = "N", default_value = "10", value_parser = values::whole::<usize>("number of puzzles", 1..=100_000, "--count 100"))]
    count: usize,
    /// The fewest stones (Clobber) or empty cells (Othello) that are left [default: a third of the start]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>("number of cells", 2..=128, "--least 8"))]
    least: Option<u32>,
    /// The most that are left [default: half of the start]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>("number of cells", 2..=128, "--most 16"))]
    most: Option<u32>,
    /// Write them to this file, one line of JSON each, instead of showing them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Check the puzzles of this file, or those that come with the program: a proof of every move is written
    /// and checked by the rules alone
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["game", "position", "to_move", "play", "count", "least", "most", "out", "seed"])]
    check: Option<Option<PathBuf>>,
    /// Keep the proofs in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    proofs: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    seed: SeedOption,
}

#[derive(Serialize)]
struct Made {
    puzzles: usize,
    games: u64,
    seconds: f64,
    /// Why there are fewer than were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let (game, position) = match (&arguments.check, arguments.game, &arguments.position) {
        (Some(file), ..) => return check::run(arguments, file.as_deref(), output),
        (None, Some(game), Some(position)) => (game, position),
        (None, ..) => unreachable!("clap asks for game and position"),
    };
    let start = GameArguments::new(game, position, arguments.to_move, &arguments.play).open()?;
    let right = "upstar puzzle clobber 6x6 --count 10 --least 10 --most 16";
    let left = left(&start).ok_or_else(|| {
        let sentence = format!("{} does not have two sides", start.variant());
        Failure::input(sentence, right)
    })?;
    // Othello's proofs grow faster with every cell than Clobber's.
    let most = arguments.most.unwrap_or_else(|| match has_discs(&start) {
        true => (left / 2).clamp(2, 14),
        false => (left / 2).clamp(2, 24),
    });
    let usual = || (left / 3).clamp(2, 8).min(most);
    let least = arguments.least.unwrap_or_else(usual);
    if least > most {
        let sentence = format!("--least {least} is more than --most {most}");
        return Err(Failure::input(sentence, right));
    }
    let maker = PuzzleMaker {
        start,
        left: (least, most),
        seed: arguments.seed.seed,
        threads: arguments.threads.number(),
        resources: players::resources(),
    };
    let begun = Instant::now();
    let budget = budget(None);
    let progress = Progress::new(arguments.count as u64, "looking for puzzles");
    let mut games = 0;
    let mut lines = String::new();
    let mut failed = None;
    let puzzles = maker.make(arguments.count, &budget, &mut |puzzle, so_far| {
        games = so_far;
        progress.step();
        lines += &serde_json::to_string(puzzle).expect("a puzzle is plain data");
        lines.push('\n');
        if output.is_json()
            && arguments.out.is_none()
            && let Err(error) = output.happened(puzzle)
        {
            failed = Some(error);
            budget.cancel();
        }
    });
    progress.finish();
    let puzzles = puzzles.map_err(|error| Failure::input(error, right))?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if let Some(file) = &arguments.out {
        let written = upstar_runs::write(file, lines.as_bytes());
        written.map_err(|error| Failure::file(file, &error))?;
    }
    let fewer = puzzles.len() < arguments.count && !budget.is_over();
    let made = Made {
        puzzles: puzzles.len(),
        games,
        reason: fewer.then(|| too_few(&maker)),
        seconds: (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3,
    };
    if arguments.out.is_some() || !output.is_json() || made.reason.is_some() {
        output.print(&made, |made| {
            let mut text: Vec<String> = match arguments.out {
                Some(_) => Vec::new(),
                None => puzzles.iter().map(described).collect(),
            };
            let (count, games) = (
                counted(made.puzzles as u64, "puzzle"),
                counted(made.games, "game"),
            );
            text.push(match &made.reason {
                Some(reason) => format!("{count} in {:.1} s: {reason}", made.seconds),
                None => format!("{count} from {games} in {:.1} s", made.seconds),
            });
            text.join("\n")
        })?;
    }
    Ok(ExitCode::from(u8::from(puzzles.len() < arguments.count)))
}

/// Why a great many games had fewer puzzles than were asked for, and what to try.
fn too_few(maker: &PuzzleMaker) -> String {
    let (game, board) = (maker.start.variant(), maker.start.board());
    let left = match maker.left {
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    };
    let what = if has_discs(&maker.start) {
        "empty cells"
    } else {
        "stones"
    };
    format!(
        "a great many games of {game} {board} had no more positions with {left} {what} in which \
         exactly one move wins; try a larger board, as in upstar puzzle {game} 6x6, or other --least and --most"
    )
}

fn described(puzzle: &Puzzle) -> String {
    let Puzzle {
        game,
        position,
        to_move,
        solution,
        moves,
        level,
        ..
    } = puzzle;
    format!(
        "{game} {position} {to_move} to move, level {level}: {solution} is the only one of {moves} moves that wins"
    )
}

fn left(game: &AnyGame) -> Option<u32> {
    with_game!(game, |rules, start| Some(rules.left(start)), None)
}

fn has_discs(game: &AnyGame) -> bool {
    fn discs<G: Playable>(_: &G) -> bool {
        G::HAS_DISCS
    }
    with_game!(game, |rules, _start| discs(rules), false)
}

/// The puzzles of a file of `puzzle --out`.
pub(crate) fn read(file: &Path) -> Result<Vec<Puzzle>, Failure> {
    let bytes = input::read_file(file, 256 << 20)?;
    let text = String::from_utf8_lossy(&bytes);
    let read = |line: &str| {
        let puzzle: Puzzle = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let game = puzzle.open()?;
        let solution = game.legal_move(&puzzle.solution);
        let solution = solution.map_err(|error| error.to_string())?;
        Ok::<Puzzle, String>(Puzzle { solution, ..puzzle })
    };
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let puzzles = lines.map(|(index, line)| {
        read(line).map_err(|error| {
            let sentence = format!("{} line {}: {error}", shown(file), index + 1);
            Failure::input(sentence, "a file of upstar puzzle --out FILE")
        })
    });
    puzzles.collect()
}
