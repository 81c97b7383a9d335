//! What is wrong with a configuration that can be read: limits, and keys that contradict each other.
//! All of it is found before anything is allocated or written.

use upstar_arena::{MOST_PLIES, start_and_side};
use upstar_games::Variant;
use upstar_nets::{Activation, Encoder, Objective};

use super::files::GRAPH;
use super::keys::{DEFAULT_BATCH, MOST_GAMES};
use super::{Config, ConfigError, Method, OpeningsConfig, Positions, Teacher, example};

/// The most positions that are kept until they are learned in passes.
const MOST_POSITIONS: u64 = 50_000_000;
/// The most weights of a network.
const MOST_WEIGHTS: usize = 100_000_000;

impl Config {
    /// Whether all values fit together.
    pub(super) fn check(&self) -> Result<(), Wrong> {
        if let Err(error) = self.game.parse::<Variant>() {
            return wrong("game", error.to_string());
        }
        if self.board.starts_with(GRAPH) {
            let reason = "a graph's file is read when a run begins, and its text stands here then";
            return wrong("board", reason).instead("board = \"a=x,b=o,a-b\"");
        }
        if let Err(reason) = start_and_side(&self.board) {
            return wrong("board", reason);
        }
        if self.color().is_err() {
            return wrong(
                "opponent.network",
                "the network has the colour x, o or both",
            );
        }
        self.check_network()?;
        self.check_limits()?;
        self.network.check_limits()?;
        self.opponent.check_limits()?;
        self.learning.check_limits()?;
        self.check_length()?;
        self.check_openings()?;
        self.check_snapshot()?;
        self.check_targets()?;
        self.check_passes()?;
        self.check_lambda()?;
        self.check_batch()?;
        let teacher = self.teacher();
        if self.evaluation_agent.is_some() && teacher == Teacher::Network {
            let reason = "two networks are evaluated against each other, so leave it out";
            return wrong("evaluation_agent", reason).instead("opponent.agent = \"random\"");
        }
        if self.exact_error && (teacher == Teacher::Examples || self.learning.passes > 0) {
            let reason = "examples and passes have an error of their own, so leave it out";
            return wrong("exact_error", reason).instead("exact_error = false");
        }
        if self.exact_error_after && !self.exact_error {
            let reason = "there is no error to be measured after learning";
            return wrong("exact_error_after", reason).instead("exact_error = true");
        }
        if !self.records.is_empty() && teacher == Teacher::Examples {
            let reason = "examples are learned without games, so leave it out";
            return wrong("records", reason).instead("opponent.agent = \"itself\"");
        }
        if self.perfect_moves.is_some() && teacher == Teacher::Examples {
            let reason = "with examples the share of all positions is told, so leave it out";
            return wrong("perfect_moves", reason).instead("opponent.agent = \"solver\"");
        }
        self.check_backpropagation()
    }

    /// What only plain backpropagation after whole games knows.
    fn check_backpropagation(&self) -> Result<(), Wrong> {
        let learning = &self.learning;
        let plain = learning.method == Method::Backpropagation && learning.lambda.is_none();
        if !learning.output_derivative && !plain {
            let reason = "adam and TD(lambda) need the slope of the output";
            return wrong("learning.output_derivative", reason)
                .instead("learning.output_derivative = true");
        }
        if learning.growing_set && learning.presentations == 0 {
            let reason = "say how many positions are drawn from it after each game";
            return wrong("learning.growing_set", reason).instead("learning.presentations = 20");
        }
        Ok(())
    }

    fn check_network(&self) -> Result<(), Wrong> {
        if let Err(error) = self.shape().check_convolutions() {
            return wrong("network.convolutions", error.to_string());
        }
        if !self.network.convolutions.is_empty() && self.graph().is_some() {
            let reason = "a graph has no windows of cells";
            return wrong("network.convolutions", reason).instead("network.convolutions = []");
        }
        let shape = match self.shape().checked() {
            Ok(shape) => shape,
            Err(error) => return wrong("network.hidden", error.to_string()),
        };
        if shape.game == Variant::Reversi {
            let reason = "networks play Clobber and Othello, not Reversi";
            return wrong("game", reason).instead("game = \"othello\"");
        }
        if self.graph().is_some() {
            if !shape.encoder.sees_graphs() {
                let reason = format!(
                    "{} looks at rows, columns and corners, which a graph does not have",
                    shape.encoder
                );
                return wrong("network.encoder", reason).instead("network.encoder = \"planes\"");
            }
            if self.learning.symmetry {
                let reason = "a graph is not turned or mirrored";
                return wrong("learning.symmetry", reason).instead("learning.symmetry = false");
            }
        }
        let othello = matches!(shape.game, Variant::Othello(_));
        let made_for = match shape.encoder {
            Encoder::Shapes if othello => "Clobber, and would see nothing in Othello",
            Encoder::Lines if !othello => "Othello, and would see nothing in Clobber",
            _ => "",
        };
        if !made_for.is_empty() {
            let reason = format!("{} is made for {made_for}", shape.encoder);
            return wrong("network.encoder", reason).instead("network.encoder = \"planes\"");
        }
        let inputs = std::iter::once(shape.inputs()).chain(shape.widths());
        let pairs = inputs.zip(shape.widths());
        let weights: usize = pairs.map(|(inputs, nodes)| (inputs + 1) * nodes).sum();
        if weights > MOST_WEIGHTS {
            let reason = format!("{weights} weights are more than {MOST_WEIGHTS}");
            return wrong("network.hidden", reason);
        }
        if self.network.start_o.is_some() {
            if self.teacher() != Teacher::Network {
                let reason = "there is a second network only with agent = \"network\"";
                return wrong("network.start_o", reason).instead("opponent.agent = \"network\"");
            }
            if self.network.start.is_none() {
                let reason = "the first network begins with the weights of a file too, or neither";
                return wrong("network.start", reason);
            }
        }
        Ok(())
    }

    /// Games or seconds end a run, and a rate changes over a known number of games.
    fn check_length(&self) -> Result<(), Wrong> {
        let is_open = self.games == MOST_GAMES;
        if is_open && self.seconds.is_none() {
            let reason = "say how many games to learn from, or by the key seconds for how long";
            return wrong("games", reason);
        }
        if is_open && self.learning.anneal != 1.0 {
            let reason = "the rate changes over a number of games, so say how many there are";
            return wrong("games", reason);
        }
        Ok(())
    }

    fn check_openings(&self) -> Result<(), Wrong> {
        let none = "openings = 0";
        match &self.openings {
            OpeningsConfig::Plies(0) => Ok(()),
            OpeningsConfig::Plies(plies) if *plies > MOST_PLIES => {
                let reason = format!("{plies} is not from 0 to {MOST_PLIES}");
                wrong("openings", reason)
            }
            _ if self.teacher() == Teacher::Examples => {
                let reason = "examples are all positions of the board, without games";
                wrong("openings", reason).instead(none)
            }
            OpeningsConfig::List(_) if self.exact_error => {
                let reason = "the error is known of positions after the start position only";
                wrong("openings", reason).instead("openings = 4")
            }
            _ => Ok(()),
        }
    }

    /// A batch of Adam ends with its block, and with it a network that is kept.
    fn check_snapshot(&self) -> Result<(), Wrong> {
        if self.learning.method == Method::Adam && !self.snapshot.is_multiple_of(self.block) {
            let reason = format!(
                "{} is not a multiple of block, {}, and a batch of adam ends with its block",
                self.snapshot, self.block
            );
            let right = self.snapshot.next_multiple_of(self.block);
            return wrong("snapshot", reason).instead(format!("snapshot = {right}"));
        }
        Ok(())
    }

    /// Cross-entropy is of chances: the output and the targets are between two numbers.
    fn check_targets(&self) -> Result<(), Wrong> {
        let learning = &self.learning;
        if learning.win == learning.loss {
            let reason = "it is the target of won games too, so there is nothing to learn";
            let example = format!("learning.loss = {:?}", learning.win - 1.0);
            return wrong("learning.loss", reason).instead(example);
        }
        if learning.objective == Objective::Squared {
            return Ok(());
        }
        if learning.method != Method::Adam {
            let example = "learning.method = \"adam\"";
            return wrong("learning.method", "cross-entropy is learned by adam").instead(example);
        }
        let range = match self.network.output.unwrap_or(self.network.activation) {
            Activation::Sigmoid { .. } => 0.0..=1.0_f32,
            Activation::Tanh => -1.0..=1.0,
            _ => {
                let reason = "cross-entropy needs an output between two numbers, sigmoid or tanh";
                return wrong("network.output", reason);
            }
        };
        let (low, high) = (*range.start(), *range.end());
        for (key, target, right) in [
            ("learning.win", learning.win, high),
            ("learning.draw", learning.draw, (low + high) / 2.0),
            ("learning.loss", learning.loss, low),
        ] {
            if !range.contains(&target) {
                let reason =
                    format!("{target} is not from {low} to {high}, as cross-entropy needs it");
                return wrong(key, reason).instead(format!("{key} = {right:?}"));
            }
        }
        Ok(())
    }

    /// TD(lambda) learns while the game goes on, and not what is for the time after it.
    fn check_lambda(&self) -> Result<(), Wrong> {
        let learning = &self.learning;
        if learning.lambda.is_none() {
            return Ok(());
        }
        if learning.method == Method::Adam {
            return wrong("learning.method", "TD(lambda) learns by backpropagation");
        }
        let unused = [
            ("learning.presentations", learning.presentations > 0, "0"),
            (
                "learning.temporal_rate",
                learning.temporal_rate != 0.0,
                "0.0",
            ),
            (
                "learning.positions",
                learning.positions == Positions::All,
                "\"own\"",
            ),
            ("learning.after_random", learning.after_random, "false"),
            ("learning.symmetry", learning.symmetry, "false"),
        ];
        for (key, is_given, right) in unused {
            if is_given {
                let reason = "TD(lambda) learns each position that the network chose once, as the game \
                              goes on, so leave it out";
                return wrong(key, reason).instead(format!("{key} = {right}"));
            }
        }
        Ok(())
    }

    /// Batches are for Adam.
    fn check_batch(&self) -> Result<(), Wrong> {
        let learning = &self.learning;
        if learning.batch != DEFAULT_BATCH && learning.method != Method::Adam {
            let reason = "plain backpropagation learns a position at a time";
            return wrong("learning.batch", reason).instead("learning.method = \"adam\"");
        }
        Ok(())
    }

    /// Passes are over games of one network, and some keys make sense only with them.
    fn check_passes(&self) -> Result<(), Wrong> {
        let learning = &self.learning;
        if learning.passes > 0 {
            if self.teacher() != Teacher::Itself {
                let reason = "only games of the network against itself are learned in passes";
                return wrong("learning.passes", reason).instead("opponent.agent = \"itself\"");
            }
            if learning.lambda.is_some() || learning.presentations > 0 {
                let reason = "lambda and presentations are for games that are learned one by one";
                return wrong("learning.passes", reason).instead("learning.passes = 0");
            }
            // The positions of a block are kept until they are learned.
            let most = MOST_POSITIONS / self.shape().grid.len() as u64;
            if self.block > most {
                let reason = format!("in passes a block has at most {most} games on this board");
                return wrong("block", reason);
            }
            return Ok(());
        }
        let passes = "learning.passes = 2";
        if learning.random_plies > 0 {
            let reason = "random first plies are for games that are learned in passes";
            return wrong("learning.random_plies", reason).instead(passes);
        }
        if learning.exact > 0 && self.teacher() != Teacher::Examples {
            let reason = "exact results are for games that are learned in passes";
            return wrong("learning.exact", reason).instead(passes);
        }
        Ok(())
    }
}

/// A key whose value is wrong, why, and what would be right if that is not the key's usual example.
pub(super) struct Wrong {
    key: &'static str,
    reason: String,
    example: Option<String>,
}

pub(super) fn wrong(key: &'static str, reason: impl Into<String>) -> Result<(), Wrong> {
    Err(Wrong {
        key,
        reason: reason.into(),
        example: None,
    })
}

/// With another example than the usual one, which would be wrong again.
trait Instead {
    fn instead(self, example: impl Into<String>) -> Self;
}

impl Instead for Result<(), Wrong> {
    fn instead(self, example: impl Into<String>) -> Self {
        self.map_err(|wrong| Wrong {
            example: Some(example.into()),
            ..wrong
        })
    }
}

impl Wrong {
    pub(super) fn of(self, file: &str) -> ConfigError {
        let Self {
            key,
            reason,
            example,
        } = self;
        ConfigError {
            sentence: format!("{file}, {key}: {reason}"),
            example: example.unwrap_or_else(|| format!("{key} = {}", example::value(key))),
        }
    }
}
