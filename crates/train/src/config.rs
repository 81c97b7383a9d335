//! What a run learns, from whom, and how: the file `config.toml`.

mod changes;
mod check;
mod example;
mod files;
mod keys;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use upstar_arena::{MOST_PLIES, Openings, start_and_side};
use upstar_games::{AnyGame, Board, Color, Graph, Grid, OpenError, Start};
use upstar_nets::{Lesson, Shape};

pub use changes::with_changes;
pub use files::with_files;
pub use keys::{Config, LearningConfig, NetworkConfig, OpponentConfig};

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

/// How games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "openings are a number of random plies, a list of positions or moves, or a file of them"
)]
pub enum OpeningsConfig {
    /// After so many random plies.
    Plies(u32),
    /// At these positions, or after these moves, one after the other.
    List(Vec<String>),
}

impl OpeningsConfig {
    /// The same as matches have it.
    pub(crate) fn openings(&self) -> Openings {
        match self {
            Self::Plies(0) => Openings::None,
            Self::Plies(plies) => Openings::Random((*plies).min(MOST_PLIES)),
            Self::List(lines) => Openings::Listed(lines.join("\n")),
        }
    }
}

/// From whom the network learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Teacher {
    /// The agent of this text.
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
    /// If it is not TOML, has unknown keys, lacks some, or a value is out of bounds.
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
                example: example::example(text, place, error.message()),
            }
        })?;
        config.check().map_err(|wrong| wrong.of(file))?;
        Ok(config)
    }

    /// The game at its start position.
    ///
    /// # Errors
    /// If it does not begin there.
    ///
    /// # Panics
    /// If game or board are not what [`Self::parse`] lets through.
    pub fn open(&self) -> Result<AnyGame, OpenError> {
        let (start, to_move) = self.start();
        let game = self.game.parse().expect("the game was checked");
        AnyGame::open(game, &start, to_move)
    }

    /// The position that `board` says, and the side to move if it says that too.
    pub(crate) fn start(&self) -> (Start, Option<char>) {
        start_and_side(&self.board).expect("the board was checked")
    }

    /// The graph that is played on, if it is not a grid.
    pub(crate) fn graph(&self) -> Option<Graph> {
        match self.start().0 {
            Start::Given(setup) => match setup.board {
                Board::Graph(graph) => Some(graph),
                Board::Grid(_) => None,
            },
            Start::Size(_) | Start::Random { .. } => None,
        }
    }

    /// The network's shape. The vertices of a graph are the cells of a row.
    ///
    /// # Panics
    /// If game or board are not what [`Self::parse`] lets through.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let (rows, cols) = match self.start().0 {
            Start::Size(grid) | Start::Random { grid, .. } => (grid.rows(), grid.cols()),
            Start::Given(setup) => match setup.board {
                Board::Grid(grid) => (grid.rows(), grid.cols()),
                Board::Graph(graph) => (1, graph.len()),
            },
        };
        Shape {
            game: self.game.parse().expect("the game was checked"),
            grid: Grid::new(rows, cols).expect("a board has so many cells"),
            encoder: self.network.encoder,
            convolutions: self.network.convolutions.clone(),
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

    /// With so many stones or empty cells left, moves are compared with best play.
    pub(crate) fn perfect_moves(&self, evaluating: bool) -> u32 {
        let played = match &self.evaluation_agent {
            Some(agent) if evaluating => agent,
            _ => &self.opponent.agent,
        };
        let all = if played == "solver" { u32::MAX } else { 0 };
        self.perfect_moves.unwrap_or(all)
    }

    /// Which of the openings this game of the run has. With both colours in turn, the network has each opening with
    /// both.
    pub(crate) fn round(&self, game: u64) -> u64 {
        match (self.teacher(), self.opponent.network.as_str()) {
            (Teacher::Agent(_) | Teacher::Examples, "both") => game / 2,
            _ => game,
        }
    }

    /// The lesson of leiden2018, if this is all that is asked for, and the network's colour.
    pub(crate) fn plain_lesson(&self) -> Option<(Lesson, Color)> {
        let learning = &self.learning;
        let plain = self.teacher() == Teacher::Agent("random".to_owned())
            && learning.method == Method::Backpropagation
            && learning.anneal == 1.0
            && learning.win == -learning.loss
            && learning.lambda.is_none()
            && learning.random_moves == 0.0
            && learning.presentations == 0
            && !learning.symmetry
            && self.openings == OpeningsConfig::Plies(0)
            && self.records.is_empty()
            && !self.exact_error
            && self.perfect_moves(false) == 0
            && self.evaluation_agent.is_none();
        let lesson = Lesson {
            learning_rate: learning.rate,
            target: learning.win,
            temporal_rate: learning.temporal_rate,
            output_derivative: learning.output_derivative,
            all_positions: learning.positions == Positions::All,
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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{sentence}; for example {example}")]
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
