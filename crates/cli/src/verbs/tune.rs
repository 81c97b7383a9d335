//! `tune`: finds parameters for learning by itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;
use upstar_agents::Playable;
use upstar_games::with_game;
use upstar_jobs::Budget;
use upstar_train::alphazero::Examination;
use upstar_train::tune::{Base, Line, Report, Scorer, Search, Tune, trained, trained_alphazero};
use upstar_train::{Config, Learnable, Teacher, with_changes, with_files};

use super::alphazero;
use super::report::write_page;
use super::train::{agent, alone, folder, named, open, refused};
use crate::failure::{Done, Failure, in_full, shown};
use crate::output::Output;
use crate::players;
use crate::progress::Steps;
use crate::search::budget;
use crate::trust::TrustArguments;
use crate::values;

/// What is searched, and where it is kept.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file that describes it: that of a training run, with the table alphazero or without, a table
    /// space, and optionally tune
    #[arg(value_name = "FILE", required_unless_present = "example")]
    file: Option<PathBuf>,
    /// Take an example that comes with the program instead of a file; a wrong name gets the list
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    example: Option<String>,
    /// Change a key, sections joined by dots: --set tune.trials=9; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The folder of the search [default: FILE without its extension]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: values::ThreadsOption,
    #[command(flatten)]
    trust: TrustArguments,
}

/// What a search has come to.
#[derive(Serialize)]
struct Summary<'a> {
    finished: bool,
    seconds: f64,
    best_config: Option<PathBuf>,
    network: Option<PathBuf>,
    page: PathBuf,
    folder: &'a Path,
    #[serde(flatten)]
    report: Report,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let (file, text, name) = named(arguments.file.as_deref(), arguments.example.as_deref())?;
    let text = match arguments.set.is_empty() {
        true => text,
        false => with_changes(&text, &arguments.set).map_err(|error| refused(&error.into()))?,
    };
    let folder = folder(&file, arguments.out.as_deref(), "tune")?;
    if arguments.example.is_none() {
        arguments.trust.check_file(&text, &file)?;
    }
    let text = match alphazero::is_meant(&text) {
        true => text,
        false => with_files(&text, &name).map_err(|error| refused(&error.into()))?,
    };
    let search = Search::parse(&text, &name).map_err(|error| refused(&error.into()))?;
    check(&search, &name)?;
    let tune = Tune::create(&folder, &text, &name).map_err(|error| refused(&error))?;
    self::search(tune, &folder, arguments.threads.given, output)
}

/// Whether there are such a game and such agents for all trials, before there is a folder.
fn check(search: &Search, file: &str) -> Result<(), Failure> {
    let Base::Network(base, _) = &search.base else {
        return Ok(());
    };
    let opened = open(base, file)?;
    let mut words = BTreeSet::new();
    for config in search.samples() {
        let config = Config::parse(&config, file);
        let config = config.map_err(|error| refused(&error.into()))?;
        if let Teacher::Agent(spec) = config.teacher() {
            words.insert(("opponent.agent", spec));
        }
        let examiner = config.evaluation_agent;
        words.extend(examiner.map(|spec| ("evaluation_agent", spec)));
    }
    with_game!(
        &opened,
        |game, _start| {
            let resources = players::resources();
            for (key, spec) in &words {
                if let Err(reason) = agent(game, spec, &resources) {
                    let sentence = format!("{file}, {key}: {reason}");
                    return Err(Failure::input(sentence, format!("{key} = \"random\"")));
                }
            }
            Ok(())
        },
        Err(alone(base, file))
    )
}

/// The section that tells such a configuration from that of a training run.
const SECTION: &str = "space";

/// Whether a configuration is that of a search for parameters.
pub(super) fn is_meant(text: &str) -> bool {
    toml::from_str::<toml::Table>(text).is_ok_and(|config| config.contains_key(SECTION))
}

/// Goes on with the search in this folder.
pub(super) fn resume(folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    let tune = Tune::resume(folder).map_err(|error| refused(&error))?;
    search(tune, folder, threads, output)
}

/// Writes what the search in this folder has found again, but for its page.
pub(super) fn write_report(folder: &Path) -> Result<(), Failure> {
    let tune = Tune::look(folder).map_err(|error| refused(&error))?;
    tune.finish().map_err(|error| refused(&error))?;
    Ok(())
}

fn search(tune: Tune, folder: &Path, threads: Option<usize>, output: &Output) -> Done {
    let (base, evaluation) = match tune.search().base.clone() {
        Base::Network(base, evaluation) => (base, evaluation),
        Base::AlphaZero(_, examination) => {
            return search_alphazero(tune, &examination, folder, threads, output);
        }
    };
    let name = shown(&folder.join("config.toml"));
    let opened = open(&base, &name)?;
    with_game!(
        &opened,
        |game, start| learn(game, start, tune, evaluation, folder, threads, output),
        Err(alone(&base, &name))
    )
}

/// Searches keys of AlphaZero.
fn search_alphazero(
    tune: Tune,
    examination: &Examination,
    folder: &Path,
    threads: Option<usize>,
    output: &Output,
) -> Done {
    let (budget, resources) = (budget(None), players::resources());
    let scorer = |trial: &Path, config: &str, steps: u64| {
        trained_alphazero(trial, config, steps, examination, &resources, &budget)
    };
    go_on(tune, &scorer, &budget, folder, threads, output)
}

fn learn<G: Playable + Learnable>(
    game: &G,
    start: &G::Position,
    tune: Tune,
    evaluation: u64,
    folder: &Path,
    threads: Option<usize>,
    output: &Output,
) -> Done {
    let (budget, resources) = (budget(None), players::resources());
    let scorer = |trial: &Path, config: &str, games: u64| {
        let mut agents = |spec: &str| agent(game, spec, &resources);
        let (games, place) = ((games, evaluation), (game, start));
        let agents = &mut agents;
        trained(trial, config, games, place, agents, &resources, &budget)
    };
    go_on(tune, &scorer, &budget, folder, threads, output)
}

fn go_on(
    mut tune: Tune,
    scorer: &Scorer<'_>,
    budget: &Budget,
    folder: &Path,
    threads: Option<usize>,
    output: &Output,
) -> Done {
    let threads = threads.unwrap_or_else(values::all_cores);
    let begun = Instant::now();
    let mut done = tune.lines().len() as u64;
    let steps = Steps::new(tune.search().plan.jobs() as u64, done);
    let (mut told, mut highest) = (Ok(()), f64::NEG_INFINITY);
    let mut each = |line: &Line| {
        highest = highest.max(line.score.unwrap_or(f64::NEG_INFINITY));
        done += 1;
        steps.at(done, format!(", best score {highest:.4}"));
        if told.is_ok() {
            told = output.happened(line);
        }
    };
    let finished = tune.run(threads, budget, scorer, &mut each);
    steps.finish();
    let finished = finished.map_err(|error| refused(&error))?;
    told?;
    conclude(&tune, folder, finished, begun.elapsed(), output)
}

/// Writes the report, and says what the search has come to.
fn conclude(tune: &Tune, folder: &Path, finished: bool, time: Duration, output: &Output) -> Done {
    let report = tune.finish().map_err(|error| refused(&error))?;
    let page = write_page(folder)?;
    let network = report
        .best
        .as_ref()
        .map(|best| tune.trial_folder(best.trial).join("network.safetensors"));
    let summary = Summary {
        finished,
        seconds: time.as_secs_f64(),
        best_config: report.best.as_ref().map(|_| folder.join("best.toml")),
        network: network.filter(|file| file.exists()),
        page,
        folder,
        report,
    };
    output.print(&summary, text)?;
    Ok(ExitCode::from(u8::from(!finished)))
}

fn text(summary: &Summary<'_>) -> String {
    let mut text = summary.report.text();
    let files = [
        ("configuration", &summary.best_config),
        ("network", &summary.network),
    ];
    for (what, file) in files {
        if let Some(file) = file {
            text += &format!("\nbest {what} in {}", in_full(file));
        }
    }
    text += &format!("\npictures in {}", in_full(&summary.page));
    if !summary.finished {
        text += &format!("\ngoes on with upstar resume {}", in_full(summary.folder));
    }
    text
}
