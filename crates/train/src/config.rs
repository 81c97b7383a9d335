//! What a run learns, from whom, and how: the file `config.toml`.

mod check;
mod keys;

use std::fmt;

use serde::{Deserialize, Serialize};
use upstar_games::{Color, Random};
use upstar_nets::{Activation, Encoder, Initial, Lesson, Objective, Shape};

/// A whole configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game, as on the command line.
    pub game: String,
    /// The board, `4x4`.
    pub board: String,
    /// How many games to learn from; with examples, how many of them to present.
    pub games: u64,
    /// The run's seed.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Games per line of results, and per checkpoint.
    #[serde(default = "default_block")]
    pub block: u64,
    /// Games between networks that are kept; 0 keeps only the last.
    #[serde(default)]
    pub snapshot: u64,
    /// Games played after learning, with learning off.
    #[serde(default)]
    pub evaluation: u64,
    /// The agent that is played then; the opponent if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_agent: Option<String>,
    /// Say in each line how far the network's values of its choices are from the results of best play;
    /// for boards that brute force can solve.
    #[serde(default)]
    pub exact_error: bool,
    /// The network.
    pub network: NetworkConfig,
    /// The other side.
    #[serde(default)]
    pub opponent: OpponentConfig,
    /// How to learn.
    pub learning: LearningConfig,
}

/// The network that learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// How it sees a position.
    pub encoder: Encoder,
    /// The nodes of each hidden layer.
    pub hidden: Vec<usize>,
    /// The activation of hidden nodes.
    pub activation: Activation,
    /// The activation of the output; as for hidden nodes if left out.
    pub output: Option<Activation>,
    /// The weights to begin with.
    #[serde(default = "default_initial")]
    pub initial: Initial,
    /// A file whose weights to begin with instead.
    pub start: Option<String>,
    /// The same for the second of two networks, which has White; as the first if left out.
    pub start_o: Option<String>,
}

/// The other side of the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentConfig {
    /// An agent's word; or `itself`, `network` (a second one that learns too), `examples` (all
    /// positions of the solved board, no games).
    #[serde(default = "default_opponent")]
    pub agent: String,
    /// The colour of the network: `x`, `o`, or `both` in turn.
    #[serde(default = "default_color")]
    pub network: String,
}

impl Default for OpponentConfig {
    fn default() -> Self {
        Self {
            agent: default_opponent(),
            network: default_color(),
        }
    }
}

/// How to learn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningConfig {
    /// `backpropagation`, a position at a time, or `adam`, in batches.
    #[serde(default)]
    pub method: Method,
    /// The size of a step.
    pub rate: f32,
    /// The rate at the end of the run, as a share of the rate at its beginning; in between it
    /// changes in equal steps.
    #[serde(default = "one")]
    pub anneal: f32,
    /// The rate grows by this share after each position of a game (0.1 in etoeharnowo2017).
    #[serde(default)]
    pub temporal_rate: f32,
    /// The target of a won game; for encoders that judge for White, of one that White has won.
    #[serde(default = "one")]
    pub win: f32,
    /// The target of a draw.
    #[serde(default)]
    pub draw: f32,
    /// The target of a lost game.
    #[serde(default = "minus_one")]
    pub loss: f32,
    /// `own` (those the network chose) or `all` positions of a game.
    #[serde(default)]
    pub positions: Positions,
    /// If there is one, TD(lambda): learning while the game goes on.
    pub lambda: Option<f32>,
    /// The share of random moves of the network in the first games.
    #[serde(default)]
    pub random_moves: f32,
    /// How many these first games are; all if left out.
    pub random_games: Option<u64>,
    /// Learn nothing from positions before the network's last random move: how the game ended says
    /// little about them.
    #[serde(default)]
    pub after_random: bool,
    /// Present so many positions drawn from each game, instead of each position once.
    #[serde(default)]
    pub presentations: u32,
    /// Examples per step of `adam`.
    #[serde(default = "default_batch")]
    pub batch: u32,
    /// Turn and mirror each position at random before it is learned.
    #[serde(default)]
    pub symmetry: bool,
    /// What `adam` makes small: the `squared` error, or the `cross-entropy`.
    #[serde(default)]
    pub objective: Objective,
    /// If not 0: all games of a block are played first, on all cores, against itself; then their
    /// positions are learned, shuffled, so many times.
    #[serde(default)]
    pub passes: u32,
    /// In these games, up to so many first plies are random.
    #[serde(default)]
    pub random_plies: u32,
    /// In these games, positions with so few stones (Clobber) or empty cells (Othello) left are
    /// solved, and their target is the result of best play; and so is that of earlier positions, as
    /// they lead there. In an evaluation, moves in such positions are looked at.
    #[serde(default)]
    pub exact: u32,
}

/// How steps are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Plain, a position at a time.
    #[default]
    Backpropagation,
    /// In batches.
    Adam,
}

/// Which positions of a game are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Positions {
    /// Those the network chose.
    #[default]
    Own,
    /// Those after the opponent's moves too.
    All,
}

fn default_seed() -> u64 {
    Random::DEFAULT_SEED
}
fn default_block() -> u64 {
    1000
}
fn default_batch() -> u32 {
    64
}
fn default_initial() -> Initial {
    Initial::Scaled
}
fn default_opponent() -> String {
    "random".to_owned()
}
fn default_color() -> String {
    "x".to_owned()
}
fn one() -> f32 {
    1.0
}
fn minus_one() -> f32 {
    -1.0
}

/// From whom the network learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Teacher {
    /// An agent of this word.
    Agent(String),
    /// Itself: it has both colours.
    Itself,
    /// A second network, one for each colour.
    Network,
    /// All positions of the solved board.
    Examples,
}

impl Config {
    /// Reads a configuration; `file` is its name in messages.
    ///
    /// # Errors
    /// If it is no TOML, has unknown keys, lacks some, or a value is out of bounds.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        Self::read(text, file, |place, message| {
            format!("{file}, {}", located(text, place, message))
        })
    }

    /// The same for a text that was made from what is in the file, whose lines are others.
    pub(crate) fn parse_made(text: &str, file: &str) -> Result<Self, ConfigError> {
        Self::read(text, file, |_, message| {
            format!("{file}: {}", in_words(message))
        })
    }

    fn read(
        text: &str,
        file: &str,
        sentence: impl Fn(usize, &str) -> String,
    ) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            let place = text.floor_char_boundary(place);
            ConfigError {
                sentence: sentence(place, error.message()),
                example: keys::example(text, place, error.message()),
            }
        })?;
        config.check().map_err(|wrong| wrong.of(file))?;
        Ok(config)
    }

    /// The network's shape.
    ///
    /// # Panics
    /// If game or board are not what [`Self::parse`] lets through.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            game: self.game.parse().expect("the game was checked"),
            grid: self.board.parse().expect("the board was checked"),
            encoder: self.network.encoder,
            hidden: self.network.hidden.clone(),
            activation: self.network.activation,
            output: self.network.output.unwrap_or(self.network.activation),
        }
    }

    /// From whom the network learns.
    #[must_use]
    pub fn teacher(&self) -> Teacher {
        match self.opponent.agent.as_str() {
            "itself" => Teacher::Itself,
            "network" => Teacher::Network,
            "examples" => Teacher::Examples,
            word => Teacher::Agent(word.to_owned()),
        }
    }

    /// The network's colour; `None` for both in turn.
    pub(crate) fn color(&self) -> Result<Option<Color>, ()> {
        match self.opponent.network.as_str() {
            "x" => Ok(Some(Color::Black)),
            "o" => Ok(Some(Color::White)),
            "both" => Ok(None),
            _ => Err(()),
        }
    }

    /// The lesson of leiden2018, if this is all that is asked for, and the network's colour.
    pub(crate) fn plain_lesson(&self) -> Option<(Lesson, Color)> {
        let learning = &self.learning;
        let plain = self.teacher() == Teacher::Agent("random".to_owned())
            && learning.method == Method::Backpropagation
            && learning.anneal == 1.0
            && learning.win == -learning.loss
            && learning.positions == Positions::Own
            && learning.lambda.is_none()
            && learning.random_moves == 0.0
            && learning.presentations == 0
            && !learning.symmetry
            && !self.exact_error
            && self.evaluation_agent.is_none();
        let lesson = Lesson {
            learning_rate: learning.rate,
            target: learning.win,
            temporal_rate: learning.temporal_rate,
        };
        self.color()
            .ok()
            .flatten()
            .filter(|_| plain)
            .map(|color| (lesson, color))
    }

    /// The rate in this game of the run.
    #[must_use]
    pub fn rate(&self, game: u64) -> f32 {
        let done = game as f32 / self.games.max(1) as f32;
        self.learning.rate * (1.0 + (self.learning.anneal - 1.0) * done)
    }

    /// The share of random moves in this game of the run.
    pub(crate) fn random_moves(&self, game: u64) -> f32 {
        let first = self.learning.random_games.is_none_or(|games| game < games);
        if first {
            self.learning.random_moves
        } else {
            0.0
        }
    }
}

/// What is wrong with a configuration, and how it could be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// File, key or line, and why.
    pub sentence: String,
    /// A right line.
    pub example: String,
}

/// A reader's complaint with its line.
pub(crate) fn located(text: &str, place: usize, message: &str) -> String {
    let line = text[..place].matches('\n').count() + 1;
    format!("line {line}: {}", in_words(message))
}

/// A reader's complaint in words that need no Rust, and in one line.
pub(crate) fn in_words(message: &str) -> String {
    let message = message.trim_end().replace('\n', " ");
    let mismatch = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .and_then(|mismatch| mismatch.split_once(", expected "));
    let Some((found, expected)) = mismatch else {
        return message
            .replace("unknown field", "unknown key")
            .replace("missing field", "missing key")
            .replace("unknown variant", "unknown word");
    };
    let found = match found {
        "sequence" => "a list",
        "map" => "a section",
        found => ["string ", "integer ", "floating point ", "boolean "]
            .iter()
            .find_map(|kind| found.strip_prefix(kind))
            .unwrap_or(found)
            .trim_end_matches(" as i128")
            .trim_matches('`'),
    };
    let expected = match expected {
        "u32" => "a whole number from 0 to 4294967295",
        "u8" | "u16" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list in brackets",
        "a boolean" => "true or false",
        "a string" | "string" => "a text in quotes",
        expected if expected.starts_with("struct ") => "a section",
        expected => expected,
    };
    format!("{found} where {expected} belongs")
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; for example {}", self.sentence, self.example)
    }
}

impl std::error::Error for ConfigError {}
