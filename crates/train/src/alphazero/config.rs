//! What a run of AlphaZero does: the file `config.toml`, with OpenSpiel's names for what OpenSpiel has.

use serde::{Deserialize, Serialize};
use upstar_games::{Grid, Random, Variant};
use upstar_nets::deep::{Design, Model, Planes};

use super::field::mean_length;
use crate::config::{ConfigError, located};

/// The file as the user writes it. What is left out follows from the preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaZeroConfig {
    /// The game, as on the command line.
    pub game: String,
    /// The boards, `["4x4"]`, on which games are played in turn. A network with the planes `free` plays and learns on
    /// all of them, and one that is named twice has twice as many games.
    pub boards: Vec<String>,
    /// The run's seed.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Everything else; the section has to be there, and may be empty.
    pub alphazero: Wishes,
}

fn default_seed() -> u64 {
    Random::DEFAULT_SEED
}

/// The section `[alphazero]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "`Settings` says what each of them is")]
pub struct Wishes {
    pub preset: Option<Preset>,
    pub learning_rate: Option<f32>,
    pub final_learning_rate: Option<f32>,
    pub weight_decay: Option<f32>,
    pub train_batch_size: Option<usize>,
    pub replay_buffer_size: Option<usize>,
    pub replay_buffer_reuse: Option<usize>,
    pub max_steps: Option<u64>,
    pub checkpoint_freq: Option<u64>,
    pub actors: Option<usize>,
    pub evaluators: Option<usize>,
    pub evaluation_window: Option<usize>,
    pub eval_levels: Option<usize>,
    pub uct_c: Option<f32>,
    pub max_simulations: Option<u32>,
    pub policy_alpha: Option<f64>,
    pub policy_epsilon: Option<f32>,
    pub temperature: Option<f64>,
    pub temperature_drop: Option<usize>,
    pub nn_model: Option<Model>,
    pub nn_width: Option<usize>,
    pub nn_depth: Option<usize>,
    pub planes: Option<Planes>,
    pub exact: Option<u32>,
    pub exact_targets: Option<u32>,
    pub exact_moves: Option<u32>,
    pub full_search_share: Option<f64>,
    pub fast_simulations: Option<u32>,
    pub symmetry: Option<bool>,
    pub tree_targets: Option<u32>,
    pub random_plies: Option<u32>,
    pub games_at_once: Option<usize>,
    pub test_positions: Option<usize>,
}

/// The two columns of jans2021, appendix B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Boards of up to 16 cells.
    Small,
    /// Larger boards.
    Large,
}

/// All that a run needs to know, with nothing left open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// The size of a step of the optimiser.
    pub learning_rate: f32,
    /// The size at the last of `max_steps`: it falls along half a wave of the cosine.
    pub final_learning_rate: f32,
    /// The strength of the L2 penalty on the weights.
    pub weight_decay: f32,
    /// Positions for one update of the weights.
    pub train_batch_size: usize,
    /// How many positions the replay buffer holds.
    pub replay_buffer_size: usize,
    /// For how many steps a position stays in it: each step gathers size / reuse new ones.
    pub replay_buffer_reuse: usize,
    /// How many steps the run has; 0 for no end.
    pub max_steps: u64,
    /// Steps between networks that are kept, and between tests against the solver.
    pub checkpoint_freq: u64,
    /// How many threads play; results do not depend on it.
    pub actors: usize,
    /// How many games against each level are played at each step.
    pub evaluators: usize,
    /// How many results per level are averaged.
    pub evaluation_window: usize,
    /// How many levels of MCTS are played: level n has `max_simulations`·10^(n/2) simulations.
    pub eval_levels: usize,
    /// How much the search explores.
    pub uct_c: f32,
    /// How many simulations a move gets.
    pub max_simulations: u32,
    /// The parameter of the Dirichlet noise at the root.
    pub policy_alpha: f64,
    /// The share of that noise.
    pub policy_epsilon: f32,
    /// Moves are drawn with the power 1 / temperature of their visits.
    pub temperature: f64,
    /// For so many plies; then the best is played.
    pub temperature_drop: usize,
    /// The kind of network.
    pub nn_model: Model,
    /// Filters, or nodes of a layer.
    pub nn_width: usize,
    /// Blocks, or layers.
    pub nn_depth: usize,
    /// How the network sees the board.
    pub planes: Planes,
    /// With at most so many stones (Clobber) or empty cells (Othello) left a leaf is solved; 0 for never.
    pub exact: u32,
    /// In positions with at most so many stones or empty cells left the result of best play is learned in place
    /// of how the game ended, however long it takes to find; 0 for none.
    pub exact_targets: u32,
    /// In positions of whole searches with at most so many left all moves are solved: only those that keep the
    /// result of best play are learned, as likely among each other as the search found, and the results after a few
    /// of all; 0 for none.
    pub exact_moves: u32,
    /// The share of moves with a whole search; the others are found quickly, and of their positions only the
    /// result is learned (after KataGo's playout cap randomisation). 1 for all.
    pub full_search_share: f64,
    /// The simulations of a quick search.
    pub fast_simulations: u32,
    /// Whether positions are turned and mirrored at random before they are learned.
    pub symmetry: bool,
    /// Positions inside the search tree that were visited so often are learned too; 0 for none.
    pub tree_targets: u32,
    /// Each game begins with up to so many random plies, all numbers equally likely.
    pub random_plies: u32,
    /// How many games each thread plays at a time: their positions are judged in one batch.
    pub games_at_once: usize,
    /// How many positions of own and of random games each test against the solver looks at.
    pub test_positions: usize,
}

/// The most positions of the replay buffer.
const MOST_POSITIONS: usize = 1 << 24;

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
            if mean_length(variant, &[grid]) == 0.0 {
                let why = format!("on {grid} the game is over before it begins");
                return Err(refused(why, "boards = [\"4x4\", \"5x5\"]"));
            }
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

    /// All settings: those of the file, and where there is none, those of the preset.
    ///
    /// # Panics
    /// If the boards are not right, which [`Self::check`] sees to.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let grids = self.grids().expect("it was read");
        let largest = grids
            .iter()
            .map(|grid| grid.rows().max(grid.cols()))
            .max()
            .expect("there is a board");
        let cells = grids.iter().map(Grid::len).max().expect("there is a board");
        let wish = &self.alphazero;
        let small = match wish.preset {
            Some(preset) => preset == Preset::Small,
            None => cells <= 16,
        };
        let learning_rate = wish
            .learning_rate
            .unwrap_or(if small { 0.01 } else { 0.001 });
        let max_simulations = wish.max_simulations.unwrap_or(if small { 25 } else { 100 });
        Settings {
            learning_rate,
            final_learning_rate: wish.final_learning_rate.unwrap_or(learning_rate),
            weight_decay: wish.weight_decay.unwrap_or(1e-4),
            train_batch_size: wish
                .train_batch_size
                .unwrap_or(if small { 128 } else { 256 }),
            replay_buffer_size: wish.replay_buffer_size.unwrap_or(if small {
                1 << 14
            } else {
                1 << 16
            }),
            replay_buffer_reuse: wish
                .replay_buffer_reuse
                .unwrap_or(if small { 4 } else { 3 }),
            max_steps: wish.max_steps.unwrap_or(0),
            checkpoint_freq: wish.checkpoint_freq.unwrap_or(10),
            actors: wish.actors.unwrap_or_else(processors),
            evaluators: wish.evaluators.unwrap_or(1),
            evaluation_window: wish
                .evaluation_window
                .unwrap_or(if small { 50 } else { 100 }),
            eval_levels: wish.eval_levels.unwrap_or(7),
            uct_c: wish.uct_c.unwrap_or(if small { 1.0 } else { 2.0 }),
            max_simulations,
            // The table prints 0.25 and 1 for small boards, which would be noise only: exchanged, it seems.
            policy_alpha: wish.policy_alpha.unwrap_or(1.0),
            policy_epsilon: wish.policy_epsilon.unwrap_or(0.25),
            temperature: wish.temperature.unwrap_or(1.0),
            temperature_drop: wish
                .temperature_drop
                .unwrap_or_else(|| if small { 4 } else { self.drop(&grids) }),
            nn_model: wish.nn_model.unwrap_or(Model::Resnet),
            nn_width: wish.nn_width.unwrap_or(128),
            nn_depth: wish.nn_depth.unwrap_or(if small { 2 } else { largest + 1 }),
            planes: wish.planes.unwrap_or(if grids.len() > 1 {
                Planes::Free
            } else {
                Planes::Jans2021Second
            }),
            exact: wish.exact.unwrap_or(0),
            exact_targets: wish.exact_targets.unwrap_or(0),
            exact_moves: wish.exact_moves.unwrap_or(0),
            full_search_share: wish.full_search_share.unwrap_or(1.0),
            fast_simulations: wish
                .fast_simulations
                .unwrap_or((max_simulations / 5).max(1)),
            symmetry: wish.symmetry.unwrap_or(true),
            tree_targets: wish.tree_targets.unwrap_or(0),
            random_plies: wish.random_plies.unwrap_or(0),
            games_at_once: wish.games_at_once.unwrap_or(64),
            test_positions: wish.test_positions.unwrap_or(200),
        }
    }

    /// T = 0.182 N + 2.85, where N is the mean length of random games (jans2021, section 5), here their mean
    /// over all boards.
    fn drop(&self, grids: &[Grid]) -> usize {
        let mean = mean_length(self.variant().expect("it was read"), grids);
        (0.182 * mean + 2.85).round() as usize
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

impl Settings {
    /// The simulations of MCTS at a level: `max_simulations`·10^(n/2).
    #[must_use]
    pub fn level_simulations(&self, level: usize) -> u64 {
        (f64::from(self.max_simulations) * 10f64.powf(level as f64 / 2.0)) as u64
    }

    /// The size of the optimiser's steps in a step of the run, from 1 on.
    #[must_use]
    pub fn rate(&self, step: u64) -> f32 {
        let (first, last) = (self.learning_rate, self.final_learning_rate);
        let done = step.saturating_sub(1) as f64 / self.max_steps.saturating_sub(1).max(1) as f64;
        let left = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
        last + (first - last) * left as f32
    }

    /// With how many stones or empty cells left a solver is asked for targets at most; 0 for never.
    #[must_use]
    pub fn most_left_to_judge(&self) -> u32 {
        self.exact_targets.max(self.exact_moves)
    }

    /// How many new positions each step gathers.
    #[must_use]
    pub fn gathered_per_step(&self) -> usize {
        self.replay_buffer_size.div_ceil(self.replay_buffer_reuse)
    }

    /// The key that is not right, and what it may be.
    fn check(&self) -> Result<(), (&'static str, String)> {
        fn within<T: Copy + PartialOrd + std::fmt::Display>(
            key: &'static str,
            value: T,
            least: T,
            most: T,
        ) -> Result<(), (&'static str, String)> {
            if value >= least && value <= most {
                Ok(())
            } else {
                Err((key, format!("from {least} to {most}, not {value}")))
            }
        }
        within("learning_rate", self.learning_rate, 1e-9, 1.0)?;
        within("final_learning_rate", self.final_learning_rate, 1e-9, 1.0)?;
        if self.max_steps == 0 && self.final_learning_rate != self.learning_rate {
            let limits = "left out where max_steps is 0: there is no last step";
            return Err(("final_learning_rate", limits.to_owned()));
        }
        within("weight_decay", self.weight_decay, 0.0, 1.0)?;
        within("train_batch_size", self.train_batch_size, 2, 1 << 16)?;
        within(
            "replay_buffer_size",
            self.replay_buffer_size,
            self.train_batch_size,
            MOST_POSITIONS,
        )?;
        within("replay_buffer_reuse", self.replay_buffer_reuse, 1, 1000)?;
        within("checkpoint_freq", self.checkpoint_freq, 1, 1_000_000)?;
        within("actors", self.actors, 1, 256)?;
        within("evaluators", self.evaluators, 0, 1000)?;
        within("evaluation_window", self.evaluation_window, 1, 100_000)?;
        within("eval_levels", self.eval_levels, 1, 12)?;
        within("uct_c", self.uct_c, 0.0, 100.0)?;
        within("max_simulations", self.max_simulations, 1, 1_000_000)?;
        within("policy_alpha", self.policy_alpha, 1e-3, 1e3)?;
        within("policy_epsilon", self.policy_epsilon, 0.0, 1.0)?;
        within("temperature", self.temperature, 0.01, 100.0)?;
        within("temperature_drop", self.temperature_drop, 0, 1000)?;
        within("exact", self.exact, 0, 64)?;
        within("exact_targets", self.exact_targets, 0, 128)?;
        within("exact_moves", self.exact_moves, 0, 128)?;
        within("full_search_share", self.full_search_share, 0.01, 1.0)?;
        within("fast_simulations", self.fast_simulations, 1, 1_000_000)?;
        within("tree_targets", self.tree_targets, 0, 1_000_000)?;
        within("random_plies", self.random_plies, 0, 1000)?;
        within("games_at_once", self.games_at_once, 1, 4096)?;
        within("test_positions", self.test_positions, 0, 100_000)
    }
}

/// A right value for a key.
fn example(key: &str) -> &'static str {
    match key {
        "learning_rate" | "final_learning_rate" => "0.001",
        "weight_decay" => "0.0001",
        "train_batch_size" => "128",
        "replay_buffer_size" => "16384",
        "uct_c" | "policy_alpha" | "temperature" | "full_search_share" => "1.0",
        "policy_epsilon" => "0.25",
        "max_simulations" | "evaluation_window" => "50",
        "games_at_once" => "64",
        "preset" => "\"small\"",
        "nn_model" => "\"resnet\"",
        "planes" => "\"free\"",
        "symmetry" => "true",
        "game" => "\"clobber\"",
        "boards" => "[\"4x4\", \"5x5\"]",
        "exact" | "exact_targets" | "exact_moves" | "tree_targets" | "random_plies" => "0",
        _ => "4",
    }
}
