//! `train`: a network learns what a file says, in a folder from which it can go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_agents::{Agent, Playable, Resources};
use upstar_games::{AnyGame, Random, excerpt, with_game};
use upstar_jobs::quantity;
use upstar_runs::{Manifest, RunFolder};
use upstar_train::alphazero::AlphaZeroConfig;
use upstar_train::{
    Block, Config, Learnable, Run, RunError, Teacher, example, example_names, with_changes,
    with_files,
};

use super::{alphazero, tune};
use crate::failure::{Done, Failure, in_full, shown};
use crate::input;
use crate::output::{Output, counted, grouped};
use crate::players;
use crate::progress::Steps;
use crate::search::budget;
use crate::trust::TrustArguments;

/// What is learned, and where it is kept.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file that describes it: game, board, games, and the tables network, opponent, learning; or game,
    /// boards and the table alphazero
    #[arg(value_name = "FILE", required_unless_present = "example")]
    file: Option<PathBuf>,
    /// Take an example that comes with the program instead of a file; a wrong name gets the list
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    example: Option<String>,
    /// Change a key, sections joined by dots: --set learning.rate=0.01 --set games=5000; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Change the seed; the same as --set seed=N
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    seed: Option<u64>,
    /// Train this many times with consecutive seeds, each in a folder seed-N below DIR; the same command again
    /// continues where it stopped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: Option<u64>,
    /// The number of threads; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads)]
    threads: Option<usize>,
    /// The folder of the run [default: FILE without its extension]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    trust: TrustArguments,
}

/// The most bytes of a configuration.
const MOST_BYTES: u64 = 1 << 20;

/// What a run has come to.
#[derive(Serialize)]
struct Summary {
    /// Whether it is at its end.
    finished: bool,
    games: u64,
    /// Whether these are no games but examples.
    #[serde(skip)]
    are_examples: bool,
    /// Since it was begun or resumed.
    seconds: f64,
    games_per_second: f64,
    /// Of the evaluation, or of the last block where there is none.
    phase: Option<String>,
    win_rate: Option<f64>,
    win_rate_as_x: Option<f64>,
    win_rate_as_o: Option<f64>,
    error: Option<f64>,
    perfect_share: Option<f64>,
    kept_share: Option<f64>,
    live_gradient_share: Option<f64>,
    dead: bool,
    exploded: bool,
    networks: Vec<PathBuf>,
    folder: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let (file, text, name) = named(arguments.file.as_deref(), arguments.example.as_deref())?;
    let text = changed(arguments, text)?;
    let folder = folder(&file, arguments.out.as_deref(), "train")?;
    if arguments.example.is_none() {
        arguments.trust.check_file(&text, &file)?;
    }
    match arguments.seeds {
        Some(count) => repeat(&text, &name, &folder, (count, arguments.threads), output),
        None => begin(&text, &name, &folder, arguments.threads, output),
    }
}

/// What repetitions with other seeds have come to.
#[derive(Serialize)]
struct Repetitions {
    /// Whether all are at their ends.
    finished: bool,
    /// Those that are.
    runs: u64,
    first_seed: u64,
    seeds: u64,
    folder: PathBuf,
}

/// Trains with consecutive seeds, one after the other: goes on with what is there, and begins what is not.
fn repeat(
    text: &str,
    name: &str,
    folder: &Path,
    (count, threads): (u64, Option<usize>),
    output: &Output,
) -> Done {
    let table: Option<toml::Table> = toml::from_str(text).ok();
    let given = table.as_ref().and_then(|table| table.get("seed"));
    let first_seed = given
        .and_then(toml::Value::as_integer)
        .map(|seed| seed as u64);
    let first_seed = first_seed.unwrap_or(Random::DEFAULT_SEED);
    let mut code = ExitCode::SUCCESS;
    let mut runs = 0;
    for seed in (first_seed..).take(count as usize) {
        let text = with_changes(text, vec![format!("seed={seed}")]);
        let text = text.map_err(|error| refused(&error.into()))?;
        code = again(
            &text,
            name,
            &folder.join(format!("seed-{seed}")),
            threads,
            output,
        )?;
        if code != ExitCode::SUCCESS {
            break;
        }
        runs += 1;
    }
    let repetitions = Repetitions {
        finished: runs == count,
        runs,
        first_seed,
        seeds: count,
        folder: folder.to_owned(),
    };
    output.print(&repetitions, |all| {
        let Repetitions { runs, seeds, .. } = all;
        let place = in_full(&all.folder);
        match all.finished {
            true => format!("{runs} of {seeds} seeds; compared by upstar report {place}"),
            false => format!("{runs} of {seeds} seeds; goes on with the same command again"),
        }
    })?;
    Ok(code)
}

/// Goes on with a run of this configuration, or begins it.
fn again(text: &str, name: &str, folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    let config = folder.join("config.toml");
    if !config.is_file() {
        // What a killed process left before its configuration was whole.
        if Manifest::read(folder).is_ok() && !RunFolder::is_busy(folder) {
            fs::remove_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        return begin(text, name, folder, threads, output);
    }
    let wanted = if alphazero::is_meant(text) {
        AlphaZeroConfig::begun(text, name)
    } else {
        with_files(text, name)
    };
    let wanted = wanted.map_err(|error| refused(&error.into()))?;
    let (known, _) = read(&config)?;
    // Runs of earlier versions have the text as it is.
    if known != wanted && known != text {
        let sentence = format!("{} holds a run of another configuration", shown(folder));
        return Err(Failure::input(
            sentence,
            "upstar train FILE --seeds N --out NEW",
        ));
    }
    match alphazero::is_meant(text) {
        true => alphazero::resume(folder, None, output),
        false => go_on(folder, threads, output),
    }
}

/// Begins a run.
fn begin(text: &str, name: &str, folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    if tune::is_meant(text) {
        let sentence =
            format!("{name} has a section space, so it describes a search for parameters");
        return Err(Failure::input(sentence, "upstar tune FILE"));
    }
    if alphazero::is_meant(text) {
        return alphazero::run(text, name, folder, output);
    }
    let text = with_files(text, name).map_err(|error| refused(&error.into()))?;
    let config = Config::parse(&text, name).map_err(|error| refused(&error.into()))?;
    let opened = open(&config, name)?;
    with_game!(
        &opened,
        |game, start| {
            let resources = players::resources();
            let mut agents = |spec: &str| agent(game, spec, &resources);
            let run = Run::create(folder, &text, name, game.clone(), *start, &mut agents);
            let run = run.map_err(|error| refused(&error))?;
            learn(run.with_resources(&resources), threads, folder, output)
        },
        Err(alone(&config, name))
    )
}

/// The file of a configuration, or what its name would be for an example; its text, and its name in messages.
pub(super) fn named(
    file: Option<&Path>,
    example: Option<&str>,
) -> Result<(PathBuf, String, String), Failure> {
    let (file, (text, name)) = match (file, example) {
        (Some(file), _) => (file.to_owned(), read(file)?),
        (None, name) => {
            let name = name.unwrap_or_default();
            (PathBuf::from(name).with_extension("toml"), shipped(name)?)
        }
    };
    Ok((file, text, name))
}

/// An example that comes with the program, and its name in messages.
fn shipped(name: &str) -> Result<(String, String), Failure> {
    let text = example(name).ok_or_else(|| {
        let names: Vec<&str> = example_names().collect();
        let sentence = format!(
            "'{}' is not an example; there are {}",
            excerpt(name),
            names.join(", ")
        );
        Failure::input(
            sentence,
            "upstar train --example clobber-4x4-modern --out run",
        )
    })?;
    Ok((text.to_owned(), format!("example {name}")))
}

/// The configuration with what the command line changes.
fn changed(arguments: &Arguments, text: String) -> Result<String, Failure> {
    let mut changes = arguments.set.clone();
    changes.extend(arguments.seed.map(|seed| format!("seed={seed}")));
    if alphazero::is_meant(&text) {
        let threads = arguments.threads;
        changes.extend(threads.map(|threads| format!("alphazero.actors={threads}")));
    }
    if changes.is_empty() {
        return Ok(text);
    }
    with_changes(&text, changes).map_err(|error| refused(&error.into()))
}

/// Goes on with the run in this folder.
pub(super) fn resume(folder: &Path, output: &Output) -> Done {
    go_on(folder, None, output)
}

fn go_on(folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    let (text, name) = read(&folder.join("config.toml"))?;
    let config = Config::parse(&text, &name).map_err(|error| refused(&error.into()))?;
    let opened = open(&config, &name)?;
    with_game!(
        &opened,
        |game, start| {
            let resources = players::resources();
            let mut agents = |spec: &str| agent(game, spec, &resources);
            let run = Run::resume(folder, game.clone(), *start, &mut agents);
            let run = run.map_err(|error| refused(&error))?;
            learn(run.with_resources(&resources), threads, folder, output)
        },
        Err(alone(&config, &name))
    )
}

/// The text of a configuration, and its name in messages.
pub(super) fn read(file: &Path) -> Result<(String, String), Failure> {
    let bytes = input::read_file(file, MOST_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::file(file, &"it is not UTF-8"))?;
    Ok((text, shown(file)))
}

/// Where a run of this file is kept.
pub(super) fn folder(file: &Path, out: Option<&Path>, verb: &str) -> Result<PathBuf, Failure> {
    let folder = out.map_or_else(|| file.with_extension(""), Path::to_owned);
    if folder == file {
        let sentence = "a folder needs a name other than that of the file";
        return Err(Failure::input(
            sentence,
            format!("upstar {verb} FILE --out DIR"),
        ));
    }
    Ok(folder)
}

/// The game that a configuration names.
pub(super) fn open(config: &Config, file: &str) -> Result<AnyGame, Failure> {
    config.open().map_err(|error| {
        let sentence = format!("{file}, board: {error}");
        let example = config.shape().game.example();
        Failure::input(sentence, format!("board = \"{example}\""))
    })
}

/// The failure of whoever wants to learn a game that is not for two.
pub(super) fn alone(config: &Config, file: &str) -> Failure {
    let sentence = format!("{file}, game: {} is not a game for two", config.game);
    Failure::input(sentence, "game = \"clobber\"")
}

/// An agent for a network to play with.
pub(super) fn agent<G: Playable>(
    game: &G,
    spec: &str,
    resources: &Resources,
) -> Result<Box<dyn Agent<G>>, String> {
    let made = players::spec(spec)?.agent(game, resources);
    made.map_err(|error| error.to_string())
}

/// A run's error as the user is told.
pub(super) fn refused(error: &RunError) -> Failure {
    let right = "upstar train FILE --out DIR, later upstar resume DIR";
    let example = error.example.clone();
    Failure::input(&error.sentence, example.unwrap_or_else(|| right.to_owned()))
}

fn learn<G: Playable + Learnable>(
    mut run: Run<G>,
    threads: Option<usize>,
    folder: &Path,
    output: &Output,
) -> Done {
    if let Some(threads) = threads {
        run = run.with_threads(threads);
    }
    let budget = budget(None);
    run = run.with_budget(budget.clone());
    let begun = Instant::now();
    let before = run.games();
    // Where time is limited, it is seconds that go by.
    let (mut until, mut done) = (run.config().games, before);
    if let (Some(seconds), Some(left)) = (run.config().seconds, run.time_left()) {
        (until, done) = (seconds.ceil() as u64, (seconds - left.as_secs_f64()) as u64);
    }
    let steps = Steps::new(until, done);
    // A run that is only looked at again has its last results to tell.
    let earlier = run.results().map_err(|error| refused(&error))?;
    let mut last: Option<Block> = earlier.into_iter().last();
    let mut finished = false;
    while !budget.is_stopped() {
        let Some(block) = run.step().map_err(|error| refused(&error))? else {
            finished = !run.is_stopped();
            break;
        };
        match block.learning_seconds {
            Some(seconds) => {
                let games = counted(block.games, "game");
                steps.at(seconds as u64, format!(" s, {games}{}", told(&block)));
            }
            None => steps.at(block.games, told(&block)),
        }
        output.happened(&block)?;
        last = Some(block);
    }
    steps.finish();
    let seconds = begun.elapsed().as_secs_f64();
    let last = last.unwrap_or_default();
    let played = (last.played > 0).then_some(());
    let summary = Summary {
        finished,
        games: run.games(),
        are_examples: run.config().teacher() == Teacher::Examples,
        seconds,
        games_per_second: (run.games() - before) as f64 / seconds.max(1e-9),
        win_rate: played.map(|()| last.win_rate),
        win_rate_as_x: last.win_rate_as_x,
        win_rate_as_o: last.win_rate_as_o,
        error: last.error,
        perfect_share: last.perfect_share,
        kept_share: last.kept_share,
        live_gradient_share: last.live_gradient_share,
        dead: last.dead,
        exploded: last.exploded,
        phase: (!last.phase.is_empty()).then_some(last.phase),
        networks: if finished {
            run.network_files()
        } else {
            Vec::new()
        },
        folder: folder.to_owned(),
    };
    output.print(&summary, text)?;
    Ok(ExitCode::from(u8::from(!finished)))
}

fn told(block: &Block) -> String {
    let result = match block.error {
        Some(error) => format!(", error {error:.4}"),
        None => format!(", wins {:.1} %", 100.0 * block.win_rate),
    };
    let result = match block.perfect_share {
        Some(share) => format!("{result}, perfect moves {:.1} %", 100.0 * share),
        None => result,
    };
    match (block.dead, block.exploded) {
        (true, _) => result + ", dead",
        (_, true) => result + ", exploded",
        _ => result,
    }
}

fn text(summary: &Summary) -> String {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let what = match summary.are_examples {
        true => "example",
        false => "game",
    };
    let mut lines = vec![counted(summary.games, what)];
    // A run that is only looked at again has learned nothing now.
    if summary.games_per_second > 0.0 {
        let speed = grouped(summary.games_per_second as u64);
        lines[0] += &format!(", {speed} a second");
    }
    let when = match summary.phase.as_deref() {
        Some("evaluation") => "in the evaluation",
        _ => "in the last block",
    };
    if let Some(error) = summary.error {
        lines.push(format!("mean error {error:.4} {when}"));
    }
    if let Some(share) = summary.perfect_share {
        let share = percent(share);
        lines.push(match summary.are_examples {
            true => format!("best move in {share} of all positions with one"),
            false => format!("{share} of its moves were perfect {when}"),
        });
    }
    if let Some(share) = summary.kept_share {
        let kept = percent(share);
        lines.push(format!(
            "kept the result of best play in {kept} of its choices that were solved"
        ));
    }
    if let Some(rate) = summary.win_rate {
        let (rate, colors) = (
            percent(rate),
            (summary.win_rate_as_x, summary.win_rate_as_o),
        );
        lines.push(match colors {
            (Some(x), Some(o)) => {
                let (x, o) = (percent(x), percent(o));
                format!("won {rate} {when}: {x} as x, {o} as o")
            }
            // The network plays both sides, or two do.
            (None, None) => format!("Black won {rate} {when}"),
            _ => format!("won {rate} {when}"),
        });
    }
    if summary.dead {
        lines.push(
            "the network is dead: it values all moves alike; try a smaller learning.rate"
                .to_owned(),
        );
    }
    if summary.exploded {
        lines.push(
            "the network has exploded: its weights are no numbers any more; try a smaller learning.rate"
                .to_owned(),
        );
    }
    for network in &summary.networks {
        lines.push(format!("network in {}", in_full(network)));
    }
    if !summary.finished {
        lines.push(format!(
            "goes on with upstar resume {}",
            in_full(&summary.folder)
        ));
    }
    lines.join("\n")
}
