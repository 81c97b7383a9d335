//! The keys of `[alphazero]`, each declared once: its meaning, type, default, limits and an example. What a
//! user writes ([`RawSettings`]), what a run needs ([`Settings`]), checks and error sentences follow from that.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use upstar_nets::deep::{Model, Planes};

/// The two columns of jans2021, appendix B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Boards of up to 16 cells.
    Small,
    /// Larger boards.
    Large,
}

/// What defaults depend on.
pub(super) struct Boards {
    /// Whether the preset for small boards applies.
    pub(super) small: bool,
    /// Whether there are several.
    pub(super) several: bool,
    /// The longest side.
    pub(super) longest: usize,
    /// The mean length of random games.
    pub(super) mean_length: f64,
}

impl Boards {
    fn either<T>(&self, small: T, large: T) -> T {
        if self.small { small } else { large }
    }
}

/// Declares keys: `name: type = default, [least, most], example;`. A default may use `boards` and the keys
/// before it.
macro_rules! settings {
    (
        |$boards:ident|
        $( $(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr, $([$least:expr, $most:expr],)? $example:literal; )+
    ) => {
        /// The section `[alphazero]` as a user writes it; what is not there has its default.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct RawSettings {
            /// Which of two defaults a key has; by the largest board if it is not given.
            pub preset: Option<Preset>,
            $( $(#[doc = $doc])+ pub $key: Option<$type>, )+
        }

        /// All that a run needs to know, with nothing left open.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub struct Settings {
            $( $(#[doc = $doc])+ pub $key: $type, )+
        }

        impl Settings {
            /// The keys of the file, and the defaults of the others.
            pub(super) fn new(raw: &RawSettings, $boards: &Boards) -> Self {
                $( let $key: $type = raw.$key.unwrap_or_else(|| $default); )+
                Self { $( $key, )+ }
            }

            /// The first key that is out of its limits, and what it may be.
            fn check_limits(&self) -> Result<(), (&'static str, String)> {
                $( $( within(stringify!($key), self.$key, $least, $most)?; )? )+
                Ok(())
            }
        }

        /// A right value for a key.
        pub(super) fn example(key: &str) -> &'static str {
            match key {
                $( stringify!($key) => $example, )+
                "preset" => "\"small\"",
                "boards" => "[\"4x4\", \"5x5\"]",
                "seed" => "7",
                "seconds" => "300.0",
                "invert_colors" => "true",
                "start" => "\"default\"",
                _ => "\"clobber\"",
            }
        }
    };
}

settings! {
    |boards|
    /// The size of a step of the optimiser.
    learning_rate: f32 = boards.either(0.01, 0.001), [1e-9, 1.0], "0.001";
    /// The size at the last of `max_steps`: it falls along half a wave of the cosine.
    final_learning_rate: f32 = learning_rate, [1e-9, 1.0], "0.001";
    /// The strength of the L2 penalty on the weights.
    weight_decay: f32 = 1e-4, [0.0, 1.0], "0.0001";
    /// Positions for one update of the weights.
    train_batch_size: usize = boards.either(128, 256), [2, 1 << 16], "128";
    /// How many positions the replay buffer holds.
    replay_buffer_size: usize = boards.either(1 << 14, 1 << 16), [2, 1 << 24], "16384";
    /// For how many steps a position stays in it: each step gathers size / reuse new ones.
    replay_buffer_reuse: usize = boards.either(4, 3), [1, 1000], "4";
    /// How many steps the run has; 0 for no end.
    max_steps: u64 = 0, "40";
    /// Steps between networks that are kept, and between tests against the solver.
    checkpoint_freq: u64 = 10, [1, 1_000_000], "10";
    /// How many threads play; results do not depend on it.
    actors: usize = processors(), [1, 256], "4";
    /// How many games against each level are played at each step.
    evaluators: usize = 1, [0, 1000], "1";
    /// How many results per level are averaged.
    evaluation_window: usize = boards.either(50, 100), [1, 100_000], "50";
    /// How many levels of MCTS are played: level n has `max_simulations`·10^(n/2) simulations. The file of a new
    /// run that is short gets fewer ([`AlphaZeroConfig::begun`](super::AlphaZeroConfig::begun)).
    eval_levels: usize = 7, [1, 12], "4";
    /// How much the search explores.
    uct_c: f32 = boards.either(1.0, 2.0), [0.0, 100.0], "1.0";
    /// How many simulations a move gets.
    max_simulations: u32 = boards.either(25, 100), [1, 1_000_000], "50";
    /// The parameter of the Dirichlet noise at the root.
    // The table prints 0.25 and 1 for small boards, which would be noise only: exchanged, it seems.
    policy_alpha: f64 = 1.0, [1e-3, 1e3], "1.0";
    /// The share of that noise.
    policy_epsilon: f32 = 0.25, [0.0, 1.0], "0.25";
    /// Moves are drawn with the power 1 / temperature of their visits.
    temperature: f64 = 1.0, [0.01, 100.0], "1.0";
    /// For so many plies; then the best is played.
    // T = 0.182 N + 2.85, where N is the mean length of random games (jans2021, section 5).
    temperature_drop: usize = boards.either(4, (0.182 * boards.mean_length + 2.85).round() as usize), [0, 1000], "4";
    /// The kind of network.
    nn_model: Model = Model::Resnet, "\"resnet\"";
    /// Filters, or nodes of a layer.
    nn_width: usize = 128, "64";
    /// Blocks, or layers.
    nn_depth: usize = boards.either(2, boards.longest + 1), "4";
    /// How the network sees the board.
    planes: Planes = if boards.several { Planes::Free } else { Planes::Jans2021Second }, "\"free\"";
    /// With at most so many stones (Clobber) or empty cells (Othello) left a leaf is solved; 0 for never.
    exact: u32 = 0, [0, 64], "0";
    /// In positions with at most so many stones or empty cells left the result of best play is learned in place
    /// of how the game ended, however long it takes to find; 0 for none.
    exact_targets: u32 = 0, [0, 128], "0";
    /// In positions of whole searches with at most so many left all moves are solved: only those that keep the
    /// result of best play are learned, as likely among each other as the search found, and the results after a few
    /// of all; 0 for none.
    exact_moves: u32 = 0, [0, 128], "0";
    /// The share of moves with a whole search; the others are found quickly, and of their positions only the
    /// result is learned (after KataGo's playout cap randomisation). 1 for all.
    full_search_share: f64 = 1.0, [0.01, 1.0], "1.0";
    /// The simulations of a quick search.
    fast_simulations: u32 = (max_simulations / 5).max(1), [1, 1_000_000], "10";
    /// Whether positions are turned and mirrored at random before they are learned.
    symmetry: bool = true, "true";
    /// Positions inside the search tree that were visited so often are learned too; 0 for none.
    tree_targets: u32 = 0, [0, 1_000_000], "0";
    /// Each game begins with up to so many random plies, all numbers equally likely.
    random_plies: u32 = 0, [0, 1000], "0";
    /// How many games each thread plays at a time: their positions are judged in one batch.
    games_at_once: usize = 64, [1, 4096], "64";
    /// How many positions of own and of random games each test against the solver looks at.
    test_positions: usize = 200, [0, 100_000], "200";
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn within<T: Copy + PartialOrd + Display>(
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

    /// A step of the run in words, `step 3 of 24`.
    pub(super) fn step_name(&self, step: u64) -> String {
        match self.max_steps {
            0 => format!("step {step}"),
            last => format!("step {step} of {last}"),
        }
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
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        self.check_limits()?;
        if self.max_steps == 0 && self.final_learning_rate != self.learning_rate {
            let limits = "left out where max_steps is 0: there is no last step";
            return Err(("final_learning_rate", limits.to_owned()));
        }
        if self.replay_buffer_size < self.train_batch_size {
            let limits = format!(
                "at least train_batch_size, {}, not {}",
                self.train_batch_size, self.replay_buffer_size
            );
            return Err(("replay_buffer_size", limits));
        }
        Ok(())
    }
}
