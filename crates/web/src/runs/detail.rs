//! What the page is told of a run.

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use upstar_arena::Standings;
use upstar_games::printable;
use upstar_lab::Summary;
use upstar_runs::{Kind, Manifest};
use upstar_solve::run::SolveConfig;

use super::chart::Chart;
use super::progress::State;
use super::solve::SolveDetail;
use super::tuning::TuningDetail;
use crate::games::GameSet;

/// What the page shows as a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// A run in its folder.
    Folder(Kind),
    /// A file of records that a match has written.
    Match,
}

impl RunKind {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder(kind) => kind.name(),
            Self::Match => "match",
        }
    }
}

impl Serialize for RunKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// All runs.
#[derive(Clone, Debug, Serialize)]
pub struct RunList {
    /// How many folders were looked through.
    pub folders: usize,
    /// Whether runs can be started, stopped and resumed from the page.
    pub can_start: bool,
    /// The runs: those that work first, then the latest first.
    pub runs: Vec<RunSummary>,
}

/// A run in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// What it is called in requests.
    pub id: String,
    /// The name of its folder, seen from where runs are looked for.
    pub name: String,
    /// What it does.
    pub kind: RunKind,
    /// Which game on which board.
    pub game: String,
    /// Whether somebody works on it.
    pub state: State,
    /// How far it is, in words.
    pub progress: String,
    /// How much of it is done, from 0 to 1.
    pub share: Option<f64>,
    /// When a file of it was last written.
    pub changed: Option<Timestamp>,
}

/// Everything about a run that is not a game of it.
#[derive(Clone, Debug, Serialize)]
pub struct RunDetail {
    /// The run in a line.
    #[serde(flatten)]
    pub run: RunSummary,
    /// What it is, in words.
    pub about: String,
    /// A few facts.
    pub facts: Vec<Fact>,
    /// The curves, the most telling first.
    pub charts: Vec<Chart>,
    /// The configuration, key by key.
    pub settings: Vec<Setting>,
    /// The command that began it.
    pub command: String,
    /// The command that resumes it; nothing if it is finished, or cannot be resumed so.
    pub resume: Option<String>,
    /// Whether it was started from the page, which can stop it.
    pub ours: bool,
    /// Seconds that it will still take, estimated from its last steps.
    pub left: Option<f64>,
    /// What should be known about it: damaged logs, dead networks.
    pub remarks: Vec<String>,
    /// The networks that it has kept.
    pub networks: Vec<NetworkFile>,
    /// The games that can be looked at.
    pub games: Vec<GameSet>,
    /// Solves only.
    pub solve: Option<SolveDetail>,
    /// Searches for parameters only.
    pub tuning: Option<TuningDetail>,
    /// Matches and tournaments only.
    pub standings: Option<Standings>,
    /// Reproductions only: how many numbers agree. Their tables are in [`Papers`](crate::papers::Papers).
    pub verdicts: Option<Summary>,
}

/// Something worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// The fact.
    pub value: String,
}

impl Fact {
    pub(super) fn new(name: &str, value: String) -> Self {
        Self {
            name: name.to_owned(),
            value,
        }
    }
}

/// A line of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The key with its sections, `learning.rate`.
    pub key: String,
    /// The value as TOML.
    pub value: String,
}

/// A network that a run has kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkFile {
    /// Its name in requests, together with the run's.
    pub name: String,
    /// For people: `step 12`, `last`.
    pub title: String,
    /// The step, or the games learned; nothing for the last one.
    pub step: Option<u64>,
}

/// What a run is, in words.
pub(super) fn about(run: &RunSummary) -> String {
    let what = match run.kind {
        RunKind::Folder(Kind::Solve) => "Who wins",
        RunKind::Folder(Kind::Train) => "Training of a small network",
        RunKind::Folder(Kind::Alphazero) => "AlphaZero training",
        RunKind::Folder(Kind::Tune) => "Search for parameters",
        RunKind::Folder(Kind::Tournament) => "Tournament",
        RunKind::Folder(Kind::Fit) => return "Evaluation of Othello, fitted".to_owned(),
        RunKind::Folder(Kind::Reproduce) => return "Tables of the papers, run again".to_owned(),
        RunKind::Match => return "Records of a match".to_owned(),
    };
    match run.game.as_str() {
        "" => what.to_owned(),
        game if what == "Who wins" => format!("{what} {game}?"),
        game => format!("{what}, {game}"),
    }
}

/// The command that began a run, or one that does the same where the manifest does not say it.
pub(super) fn command(manifest: &Manifest, run: &RunSummary, config: &str) -> String {
    let name = quoted(&run.name);
    if let [_, words @ ..] = manifest.command.as_slice()
        && !words.is_empty()
    {
        let words = words.iter().map(|word| quoted(word));
        return format!("upstar {}", words.collect::<Vec<_>>().join(" "));
    }
    match run.kind {
        RunKind::Folder(Kind::Train | Kind::Alphazero) => {
            format!("upstar train {name}/config.toml --out NEW")
        }
        RunKind::Folder(Kind::Tune) => format!("upstar tune {name}/config.toml --out NEW"),
        RunKind::Folder(Kind::Tournament) => {
            format!("upstar tournament {name}/config.toml --out NEW")
        }
        RunKind::Folder(Kind::Solve) => match toml::from_str::<SolveConfig>(config) {
            Ok(config) => {
                let (game, position) = (quoted(&config.game), quoted(&config.position));
                let (side, threads) = (config.to_move, config.threads);
                format!(
                    "upstar solve {game} {position} --to-move {side} --threads {threads} --out NEW"
                )
            }
            Err(_) => format!("upstar resume {name}"),
        },
        RunKind::Folder(Kind::Fit) => format!("upstar resume {name}"),
        RunKind::Folder(Kind::Reproduce) => format!("upstar reproduce --all --out {name}"),
        RunKind::Match => format!("upstar elo {name}.jsonl"),
    }
}

/// A word as a shell reads it, without characters that a terminal would obey.
pub(crate) fn quoted(word: &str) -> String {
    let word = printable(word);
    let quoted = shlex::try_quote(&word).map(std::borrow::Cow::into_owned);
    quoted.unwrap_or(word)
}

/// Seconds as people say them.
pub(crate) fn spent(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match () {
        () if seconds < 10.0 => format!("{seconds:.1} s"),
        () if seconds < 120.0 => format!("{seconds:.0} s"),
        () if minutes < 120 => format!("{minutes} min"),
        () => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// A configuration key by key.
pub(super) fn settings(config: &str) -> Vec<Setting> {
    fn add(settings: &mut Vec<Setting>, key: &str, value: &toml::Value) {
        let below = |inner: &str| match key {
            "" => inner.to_owned(),
            key => format!("{key}.{inner}"),
        };
        match value {
            toml::Value::Table(table) => {
                table
                    .iter()
                    .for_each(|(inner, value)| add(settings, &below(inner), value));
            }
            toml::Value::Array(values) if values.iter().any(toml::Value::is_table) => {
                let values = (1..).zip(values);
                values.for_each(|(place, value)| add(settings, &below(&place.to_string()), value));
            }
            value => settings.push(Setting {
                key: key.to_owned(),
                value: value.to_string(),
            }),
        }
    }
    let table: toml::Table = toml::from_str(config).unwrap_or_default();
    let mut settings = Vec::new();
    add(&mut settings, "", &toml::Value::Table(table));
    settings
}
