//! The keys of a training, each declared once: its meaning, type, default, limits and an example. What a file is
//! read into, the check of limits and the examples of error sentences follow from that.

use std::fmt::Display;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use upstar_games::Random;
use upstar_nets::{Activation, Encoder, Initial, Objective};

use super::check::{Wrong, wrong};
use super::{Method, OpeningsConfig, Positions};

/// The most games of a run.
pub(super) const MOST_GAMES: u64 = 1_000_000_000_000;
/// Examples per step where nothing else is said.
pub(super) const DEFAULT_BATCH: u32 = 64;

/// Declares a section of the file: `name: type = default, [least, most], example;`. A key without a default has to
/// be there.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $name:ident, $prefix:literal;
        $( $(#[doc = $doc:literal])+ $key:ident: $type:ty $(= $default:expr)?, $([$least:expr, $most:expr],)? $example:literal; )+
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $key: $type, )+
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Raw {
                    $( $key: Option<$type>, )+
                }
                let raw = Raw::deserialize(deserializer)?;
                Ok(Self {
                    $( $key: match raw.$key {
                        Some(value) => value,
                        None => section!(@absent $key $($default)?),
                    }, )+
                })
            }
        }

        impl $name {
            /// The keys with their section, and an example of each.
            const KEYS: &[(&str, &str)] =
                &[$( (concat!($prefix, stringify!($key)), $example), )+];

            /// The first key that is out of its limits.
            pub(super) fn check_limits(&self) -> Result<(), Wrong> {
                $( $( within(concat!($prefix, stringify!($key)), &self.$key, $least, $most)?; )? )+
                Ok(())
            }
        }
    };
    (@absent $key:ident $default:expr) => { $default };
    (@absent $key:ident) => { return Err(Error::missing_field(stringify!($key))) };
}

section! {
    /// A whole configuration.
    Config, "";
    /// The game, as on the command line.
    game: String, "\"clobber\"";
    /// The board, `4x4`, or the position at which games begin, as on the command line.
    board: String, "\"4x4\"";
    /// How many games to learn from; with examples, how many of them to present. Without `seconds` it has to be
    /// there.
    games: u64 = MOST_GAMES, [0, MOST_GAMES], "1000000";
    /// For how many seconds to learn, if the games are not over before.
    seconds: Option<f64> = None, [0.001, 1e9], "300.0";
    /// How games begin: after so many random plies, or at positions of a list.
    openings: OpeningsConfig = OpeningsConfig::Plies(0), "4";
    /// Files of recorded games, which are learned before the network plays: so many of the first games are these.
    records: Vec<String> = Vec::new(), "[\"games.jsonl\"]";
    /// How many times all of them are learned.
    record_passes: u32 = 1, [1, 10_000], "5";
    /// The run's seed.
    seed: u64 = Random::DEFAULT_SEED, "7";
    /// Games per line of results, and per checkpoint.
    block: u64 = 1000, [1, 1_000_000_000], "1000";
    /// Games between networks that are kept; 0 keeps only the last.
    snapshot: u64 = 0, [0, MOST_GAMES], "100000";
    /// Games played after learning, with learning off.
    evaluation: u64 = 0, [0, MOST_GAMES], "10000";
    /// The agent that is played then; by default the opponent.
    evaluation_agent: Option<String> = None, "\"random\"";
    /// Say in each line how far the network's values of its choices are from the results of best play;
    /// for boards that brute force can solve.
    exact_error: bool = false, "true";
    /// Measure it after the game was learned, not while it is played.
    exact_error_after: bool = false, "true";
    /// Say in each line which share of the network's moves keep the result of best play, in positions with so few
    /// stones (Clobber) or empty cells (Othello) left; by default in all against `solver`, in none otherwise.
    perfect_moves: Option<u32> = None, [0, 128], "16";
    /// The network.
    network: NetworkConfig, "{ encoder = \"leiden2018\", hidden = [100], activation = \"leaky-relu\" }";
    /// The other side.
    opponent: OpponentConfig = OpponentConfig::default(), "{ agent = \"random\", network = \"x\" }";
    /// How to learn.
    learning: LearningConfig, "{ rate = 0.001 }";
}

section! {
    /// The network that learns.
    NetworkConfig, "network.";
    /// How it sees a position.
    encoder: Encoder, "\"leiden2018\"";
    /// The filters of convolutional layers, which come before the hidden ones: 3×3 cells each.
    convolutions: Vec<usize> = Vec::new(), "[8]";
    /// The nodes of each hidden layer.
    hidden: Vec<usize>, "[100]";
    /// The activation of hidden nodes.
    activation: Activation, "\"leaky-relu\"";
    /// The activation of the output; by default that of hidden nodes.
    output: Option<Activation> = None, "\"tanh\"";
    /// The weights to begin with.
    initial: Initial = Initial::Scaled, "\"scaled\"";
    /// A file whose weights to begin with instead.
    start: Option<String> = None, "\"network.safetensors\"";
    /// The same for the second of two networks, which has White; by default as the first.
    start_o: Option<String> = None, "\"network-o.safetensors\"";
}

section! {
    /// The other side of the games.
    OpponentConfig, "opponent.";
    /// An agent; or `itself`, `network` (a second one that learns too), `examples` (all positions of the solved
    /// board, no games).
    agent: String = "random".to_owned(), "\"random\"";
    /// The colour of the network: `x`, `o`, or `both` in turn.
    network: String = "x".to_owned(), "\"x\"";
}

impl Default for OpponentConfig {
    fn default() -> Self {
        Self::deserialize(toml::Table::new()).expect("every key has a default")
    }
}

section! {
    /// How to learn.
    LearningConfig, "learning.";
    /// `backpropagation`, a position at a time, or `adam`, in batches.
    method: Method = Method::default(), "\"backpropagation\"";
    /// The size of a step.
    rate: f32, [0.0, 1e3], "0.001";
    /// The rate at the end of the run, as a share of the rate at its beginning; in between it changes in equal
    /// steps.
    anneal: f32 = 1.0, [0.0, 1e3], "0.1";
    /// The rate grows by this share after each position of a game (0.1 in etoeharnowo2017).
    temporal_rate: f32 = 0.0, [-0.99, 10.0], "0.1";
    /// The target of a won game; for encoders that judge for White, of one that White has won.
    win: f32 = 1.0, [-1e6, 1e6], "1.0";
    /// The target of a draw.
    draw: f32 = 0.0, [-1e6, 1e6], "0.0";
    /// The target of a lost game.
    loss: f32 = -1.0, [-1e6, 1e6], "-1.0";
    /// `own` (those the network chose) or `all` positions of a game.
    positions: Positions = Positions::default(), "\"own\"";
    /// If there is one, TD(lambda): learning while the game goes on.
    lambda: Option<f32> = None, [0.0, 1.0], "0.7";
    /// The share of random moves of the network in the first games.
    random_moves: f32 = 0.0, [0.0, 1.0], "0.1";
    /// How many these first games are; by default all.
    random_games: Option<u64> = None, "10000";
    /// Learn nothing from positions before the network's last random move: how the game ended says little about
    /// them.
    after_random: bool = false, "true";
    /// Present so many positions drawn from each game, instead of each position once.
    presentations: u32 = 0, [0, 1_000_000], "20";
    /// Draw them from all games so far instead: a training set that grows (cammel2015, section 5.1).
    growing_set: bool = false, "true";
    /// Multiply the error by the slope of the output node, as backpropagation says. Some programs leave it out.
    output_derivative: bool = true, "false";
    /// Examples per step of `adam`.
    batch: u32 = DEFAULT_BATCH, [1, 1_000_000], "64";
    /// Turn and mirror each position at random before it is learned.
    symmetry: bool = false, "true";
    /// What `adam` makes small: the `squared` error, or the `cross-entropy`.
    objective: Objective = Objective::default(), "\"squared\"";
    /// If not 0: all games of a block are played first, on all cores, against itself; then their positions are
    /// learned, shuffled, so many times.
    passes: u32 = 0, [0, 10_000], "2";
    /// In these games, up to so many first plies are random.
    random_plies: u32 = 0, [0, 1000], "8";
    /// In these games, positions with so few stones (Clobber) or empty cells (Othello) left are solved, and their
    /// target is the result of best play; and so is that of earlier positions, as they lead there. In an
    /// evaluation, moves in such positions are looked at.
    exact: u32 = 0, [0, 128], "12";
}

/// All keys with their sections, and an example of each.
pub(super) fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = [
        Config::KEYS,
        NetworkConfig::KEYS,
        OpponentConfig::KEYS,
        LearningConfig::KEYS,
    ];
    sections.into_iter().flatten().copied()
}

/// A number, or one that need not be there.
trait Number<T> {
    fn number(&self) -> Option<T>;
}

impl<T: Copy> Number<T> for T {
    fn number(&self) -> Option<T> {
        Some(*self)
    }
}

impl<T: Copy> Number<T> for Option<T> {
    fn number(&self) -> Option<T> {
        *self
    }
}

fn within<T: Copy + Display + PartialOrd>(
    key: &'static str,
    value: &impl Number<T>,
    least: T,
    most: T,
) -> Result<(), Wrong> {
    match value.number() {
        // Written so that NaN is outside.
        Some(value) if !(least..=most).contains(&value) => {
            wrong(key, format!("{value} is not from {least} to {most}"))
        }
        _ => Ok(()),
    }
}
