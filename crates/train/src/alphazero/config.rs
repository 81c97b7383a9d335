//! What a run of AlphaZero does: the file `config.toml`, with OpenSpiel's names for what OpenSpiel has.

use std::path::Path;

use serde::{Deserialize, Serialize};
use upstar_agents::puct::{DEFAULT, shipped_for};
use upstar_games::{Grid, Random, Variant};
use upstar_nets::deep::{DeepNetwork, Design, Model, Planes};

use super::field::mean_length;
use super::settings::{Boards, Preset, RawSettings, Settings, example};
use crate::config::{ConfigError, located, with_changes};
use crate::folder::RunError;

/// The file as the user writes it. What is left out follows from the preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaZeroConfig {
    /// The game, as on the command line.
    pub game: String,
    /// The boards, `["4x4"]`, on which games are played in turn. A network with the planes `free` plays and learns on
    /// all of them, and one that is named twice has twice as many games.
    pub boards: Vec<String>,
    /// Whether games begin with the stones of both sides exchanged (jans2021, section 4). Black still begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub invert_colors: bool,
    /// The run's seed.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// After so many seconds of work no further step begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// A file with the weights to begin with, or `default` for the network that comes with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Everything else; the section has to be there, and may be empty.
    pub alphazero: RawSettings,
}

/// A new run with fewer steps is short, and so is one that has less time.
const SHORT_STEPS: u64 = 20;
const SHORT_SECONDS: f64 = 600.0;
/// The levels of MCTS that it plays: the highest has 31 times the simulations of the network.
const SHORT_LEVELS: usize = 4;

fn default_seed() -> u64 {
    Random::DEFAULT_SEED
}

impl AlphaZeroConfig {
    /// Reads a file of this name.
    ///
    /// # Errors
    /// If it is not right.
    pub fn parse(text: &str, name: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let place = text.floor_char_boundary(error.span().map_or(0, |span| span.start));
            let begin = text[..place].rfind('\n').map_or(0, |end| end + 1);
            let line = text[begin..].lines().next().unwrap_or_default();
            let key = line.split('=').next().unwrap_or_default().trim();
            ConfigError {
                sentence: format!("{name}, {}", located(text, place, error.message())),
                // Behind the sign it is about the value.
                example: if text[begin..place].contains('=') {
                    format!("{key} = {}", example(key))
                } else {
                    "game = \"clobber\", boards = [\"4x4\"], [alphazero], max_simulations = 25"
                        .to_owned()
                },
            }
        })?;
        config.check(name)?;
        Ok(config)
    }

    /// The text of a new run, which says how many levels of MCTS are played: a short run plays fewer by default
    /// than one that is resumed from a folder whose file says nothing.
    ///
    /// # Errors
    /// If the text is not right.
    pub fn begun(text: &str, name: &str) -> Result<String, ConfigError> {
        let config = Self::parse(text, name)?;
        let settings = config.settings();
        let few_steps = (1..SHORT_STEPS).contains(&settings.max_steps);
        let is_short = few_steps || config.seconds.is_some_and(|time| time < SHORT_SECONDS);
        if !is_short || settings.evaluators == 0 || config.alphazero.eval_levels.is_some() {
            return Ok(text.to_owned());
        }
        let line = format!("eval_levels = {SHORT_LEVELS}");
        // Comments stay where the section has a line of its own.
        let section = "[alphazero]\n";
        let begin = text
            .find(section)
            .filter(|&at| text[..at].ends_with('\n') || at == 0);
        match begin {
            Some(begin) => {
                let (before, after) = text.split_at(begin + section.len());
                Ok(format!("{before}{line}\n{after}"))
            }
            None => with_changes(text, [format!("alphazero.{line}")]),
        }
    }

    /// Whether there can be such a run.
    ///
    /// # Errors
    /// If not, with this name of a file.
    pub fn check(&self, name: &str) -> Result<(), ConfigError> {
        let refused = |sentence: String, example: &str| ConfigError {
            sentence: format!("{name}: {sentence}"),
            example: example.to_owned(),
        };
        self.variant()
            .map_err(|why| refused(why, "game = \"clobber\""))?;
        self.grids()
            .map_err(|why| refused(why, "boards = [\"4x4\", \"5x5\"]"))?;
        let variant = self.variant().expect("it was checked");
        for grid in self.turns().0 {
            if mean_length(variant, &[grid], self.invert_colors) == 0.0 {
                let why = format!("on {grid} the game is over before it begins");
                return Err(refused(why, "boards = [\"4x4\", \"5x5\"]"));
            }
        }
        if let Some(seconds) = self.seconds
            && !(0.001..=1e9).contains(&seconds)
        {
            let why = format!("seconds has to be from 0.001 to 1000000000, not {seconds}");
            return Err(refused(why, &format!("seconds = {}", example("seconds"))));
        }
        let settings = self.settings();
        settings.check().map_err(|(key, limits)| {
            let example = format!("{key} = {}", example(key));
            refused(format!("alphazero.{key} has to be {limits}"), &example)
        })?;
        let design = self.design();
        design.check().map_err(|why| {
            let example = match design.board {
                None if design.model == Model::Mlp => {
                    "planes = \"jans2021-second\" with one board, or nn_model = \"resnet\""
                }
                _ => "nn_width = 64, nn_depth = 5",
            };
            refused(why.to_string(), example)
        })?;
        if design.board.is_some() && self.turns().0.len() > 1 {
            return Err(refused(
                format!(
                    "a network with the planes {} plays on one board only",
                    settings.planes
                ),
                "planes = \"free\" for several boards",
            ));
        }
        Ok(())
    }

    /// The game.
    pub(crate) fn variant(&self) -> Result<Variant, String> {
        let variant: Variant = self
            .game
            .parse()
            .map_err(|error: upstar_games::VariantError| error.to_string())?;
        match variant {
            Variant::Clobber | Variant::Cannibal | Variant::Othello(_) => Ok(variant),
            _ => Err(format!(
                "large networks play Clobber and Othello, not {variant}"
            )),
        }
    }

    /// The boards.
    pub(crate) fn grids(&self) -> Result<Vec<Grid>, String> {
        if self.boards.is_empty() {
            return Err("there is no board".to_owned());
        }
        let grid = |text: &String| {
            let grid: Grid = text
                .parse()
                .map_err(|error: upstar_games::SizeError| error.to_string())?;
            match grid.rows().min(grid.cols()) {
                2.. => Ok(grid),
                _ => Err(format!(
                    "{text} is too narrow; at least 2 rows and columns are needed"
                )),
            }
        };
        self.boards.iter().map(grid).collect()
    }

    /// The boards, each once, and on which of them games are played in turn.
    pub(crate) fn turns(&self) -> (Vec<Grid>, Vec<usize>) {
        let mut grids = Vec::new();
        let mut order = Vec::new();
        for grid in self.grids().expect("it was read") {
            let place = grids.iter().position(|&other| other == grid);
            order.push(place.unwrap_or_else(|| {
                grids.push(grid);
                grids.len() - 1
            }));
        }
        (grids, order)
    }

    /// The network.
    ///
    /// # Panics
    /// If game or boards are not right, which [`Self::check`] sees to.
    #[must_use]
    pub fn design(&self) -> Design {
        let settings = self.settings();
        let grids = self.grids().expect("it was read");
        Design {
            game: self.variant().expect("it was read"),
            board: match settings.planes {
                Planes::Free => None,
                _ => Some(grids[0]),
            },
            model: settings.nn_model,
            planes: settings.planes,
            width: settings.nn_width,
            depth: settings.nn_depth,
        }
    }

    /// The network before the first step.
    ///
    /// # Errors
    /// If there is no such file, or its network is not of the kind that the configuration describes.
    pub(super) fn first_network(&self) -> Result<DeepNetwork, RunError> {
        let design = self.design();
        let Some(start) = &self.start else {
            let random = &mut Random::for_game(self.seed, u64::MAX);
            let network = DeepNetwork::random(design, random);
            return network.map_err(|error| RunError::of(error.to_string()));
        };
        let network = match start.as_str() {
            DEFAULT => shipped_for(design.game)
                .ok_or_else(|| format!("no network for {} comes with the program", design.game)),
            file => DeepNetwork::load(Path::new(file)).map_err(|error| error.to_string()),
        };
        let network = network.map_err(|why| RunError::of(format!("start, {start}: {why}")))?;
        if *network.design() != design {
            return Err(RunError::of(format!(
                "start: {start} is {}, and the configuration asks for {design}",
                network.design()
            )));
        }
        Ok(network)
    }

    /// All settings: those of the file, and where there is none, those of the preset.
    ///
    /// # Panics
    /// If the boards are not right, which [`Self::check`] sees to.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let grids = self.grids().expect("it was read");
        let longest = |grid: &Grid| grid.rows().max(grid.cols());
        let cells = grids.iter().map(Grid::len).max().expect("there is a board");
        let small = match self.alphazero.preset {
            Some(preset) => preset == Preset::Small,
            None => cells <= 16,
        };
        let variant = self.variant();
        let boards = Boards {
            small,
            several: grids.len() > 1,
            longest: grids.iter().map(longest).max().expect("there is a board"),
            // It is needed for large boards only, and takes a moment.
            mean_length: match variant {
                Ok(variant) if !small => mean_length(variant, &grids, self.invert_colors),
                _ => 0.0,
            },
        };
        Settings::new(&self.alphazero, &boards)
    }
}
