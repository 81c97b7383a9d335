//! `learner.jsonl`, a line for each step, in the keys of OpenSpiel 2.0.2, so that its analysis reads it.
//!
//! Two numbers are better than there: means are over the games that were played, not over empty places of
//! a window, and `value_accuracy` is an accuracy, as in jans2021.

use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Line {
    pub step: u64,
    pub total_states: u64,
    /// All threads together.
    pub states_per_s: f64,
    pub states_per_s_actor: f64,
    pub total_trajectories: u64,
    pub trajectories_per_s: f64,
    pub queue_size: u64,
    pub game_length: Statistics,
    pub game_length_hist: Vec<u64>,
    pub outcomes: Outcomes,
    pub value_accuracy: Vec<Statistics>,
    pub value_prediction: Vec<Statistics>,
    pub eval: Evaluated,
    pub batch_size: Statistics,
    pub batch_size_hist: Vec<u64>,
    pub loss: Loss,
    pub cache: Cache,
    pub time_abs: f64,
    pub time_rel: f64,
    pub time_str: String,
    /// Ours: the share of the threads' time that was not spent in networks.
    pub time_outside_networks: f64,
    /// Ours: seconds of self-play, of learning and of tests.
    pub seconds: [f64; 3],
    /// Ours: moves that keep the result of best play, in own games and in random ones, where it was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<[Kept; 2]>,
}

/// What is known of many numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Statistics {
    pub num: u64,
    pub min: f64,
    pub max: f64,
    pub avg: f64,
    pub std_dev: f64,
}

impl Statistics {
    /// Of these numbers.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let (mut num, mut sum, mut squares) = (0, 0.0, 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            num += 1;
            sum += number;
            squares += number * number;
            min = min.min(number);
            max = max.max(number);
        }
        if num == 0 {
            return Self::default();
        }
        let avg = sum / num as f64;
        Self {
            num,
            min,
            max,
            avg,
            std_dev: (squares / num as f64 - avg * avg).max(0.0).sqrt(),
        }
    }
}

/// How games ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Outcomes {
    pub counts: [u64; 3],
    pub names: [String; 3],
}

/// Games against MCTS.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Evaluated {
    pub count: u64,
    pub results: Vec<f64>,
    /// Ours: how many games each mean is over.
    pub games: Vec<usize>,
}

/// What was left to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Loss {
    pub policy: f64,
    pub value: f64,
    pub l2reg: f64,
    pub sum: f64,
}

/// What was remembered and had not to be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are OpenSpiel's")]
pub struct Cache {
    pub size: u64,
    pub max_size: u64,
    pub usage: f64,
    pub requests: u64,
    pub requests_per_s: f64,
    pub hits: u64,
    pub misses: u64,
    pub misses_per_s: f64,
    pub hit_rate: f64,
}

/// Of decisions that could throw a result away, how many did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Decisions between moves of which one at least keeps the result and one does not.
    pub decisions: u64,
    /// Of these, how many the player decided rightly.
    pub kept: u64,
    /// How many the network's policy would have, without a search.
    pub kept_by_policy: u64,
    /// Positions that were looked at, with those in which nothing can be thrown away.
    pub positions: u64,
    /// Positions that were too hard to solve, and left out.
    pub unsolved: u64,
}

impl Kept {
    pub(super) fn add(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.kept += other.kept;
        self.kept_by_policy += other.kept_by_policy;
        self.positions += other.positions;
        self.unsolved += other.unsolved;
    }
}
