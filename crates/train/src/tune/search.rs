//! The file of a search, read: what its trials train, which values they try, and what gives their scores.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::plan::{Length, Plan, Scores};
use super::proposals::Proposals;
use super::space::{self, Range, Space};
use super::{Line, TrialJob};
use crate::alphazero::{AlphaZeroConfig, Examination, Measure};
use crate::config::{Config, ConfigError, in_words, located};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TuneConfig {
    /// Where the values of trials come from.
    pub search: Method,
    /// The trials of the first bracket.
    pub trials: usize,
    /// One of so many trials goes on to the next rung.
    pub keep: usize,
    /// The most brackets.
    pub brackets: usize,
    /// The games with learning off, or the tested positions, after each rung, which give the score.
    pub evaluation: Option<u64>,
    /// The trials of a generation, where there are generations.
    pub population: usize,
    /// What the score of a trial of AlphaZero is.
    pub objective: Option<Objective>,
    /// The simulations of a move in the tests of AlphaZero, the same for all trials.
    pub simulations: Option<u32>,
    /// The level of MCTS that networks of AlphaZero play.
    pub level: Option<usize>,
}

/// Where the values of trials come from. All methods learn from the same number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// They are drawn at random; brackets begin with runs of different length.
    Hyperband,
    /// Generations from a normal distribution that follows the better half.
    CmaEs,
    /// Generations of children that mix and change the values of the best.
    Genetic,
}

/// What the score of a trial of AlphaZero is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The share of decisions in random games that keep the result of best play.
    Kept,
    /// The share of points against MCTS.
    Mcts,
}

impl Default for TuneConfig {
    fn default() -> Self {
        Self {
            search: Method::Hyperband,
            trials: 27,
            keep: 3,
            brackets: 4,
            evaluation: None,
            population: 9,
            objective: None,
            simulations: None,
            level: None,
        }
    }
}

/// The games or positions that give a score where the file does not say.
const EVALUATION: u64 = 2000;
/// The same for games against MCTS, which take longer.
const MCTS_GAMES: u64 = 200;

/// The file of a search, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// How to search.
    pub tune: TuneConfig,
    /// Where.
    pub space: Space,
    /// Which trials go how far.
    pub plan: Plan,
    /// The configuration whose values are replaced.
    pub base: Base,
    table: Table,
}

/// What trials train.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// Small networks, and the games with learning off that give their scores.
    Network(Box<Config>, u64),
    /// Runs of AlphaZero, and the test that gives their scores.
    AlphaZero(Box<AlphaZeroConfig>, Examination),
}

impl Base {
    /// The seed of the search.
    #[must_use]
    pub fn seed(&self) -> u64 {
        match self {
            Self::Network(config, _) => config.seed,
            Self::AlphaZero(config, _) => config.seed,
        }
    }

    /// How long the longest trials learn.
    #[must_use]
    pub fn length(&self) -> Length {
        match self {
            Self::Network(config, _) => Length::Games(config.games),
            Self::AlphaZero(config, _) => Length::Steps(config.settings().max_steps),
        }
    }
}

/// The sections whose keys are searched in trainings of small networks.
const SECTIONS: [&str; 3] = ["network.", "opponent.", "learning."];
/// The section of AlphaZero.
const ALPHAZERO: &str = "alphazero";
/// Its keys that say how long, how often and on how many threads; networks do not depend on them, or the
/// search decides.
const FIXED: [&str; 8] = [
    "actors",
    "checkpoint_freq",
    "eval_levels",
    "evaluation_window",
    "evaluators",
    "games_at_once",
    "max_steps",
    "test_positions",
];
/// A right line of its space.
const EXAMPLE: &str = "\"alphazero.learning_rate\" = { log_uniform = [1e-4, 1e-1] }";

impl Search {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is not a training configuration with a space, or some of its values would not be one.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        let wrong = |key: &str, reason: &str, example: &str| ConfigError {
            sentence: format!("{file}, {key}: {reason}"),
            example: example.to_owned(),
        };
        let mut table: Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let place = text.floor_char_boundary(error.span().map_or(0, |span| span.start));
            ConfigError {
                sentence: format!("{file}, {}", located(text, place, error.message())),
                example: space::EXAMPLE.to_owned(),
            }
        })?;
        let is_alphazero = table.contains_key(ALPHAZERO);
        let example = if is_alphazero {
            EXAMPLE
        } else {
            space::EXAMPLE
        };
        let Some(Value::Table(ranges)) = table.remove("space") else {
            let reason = "there is no such section, so there is nothing to try";
            return Err(wrong("space", reason, &format!("[space] {example}")));
        };
        let tune: TuneConfig = match table.remove("tune") {
            None => TuneConfig::default(),
            Some(value) => value.try_into().map_err(|error: toml::de::Error| {
                wrong("tune", &in_words(error.message()), "tune.trials = 27")
            })?,
        };
        let ranges = ranges.iter().map(|(key, value)| {
            let range = Range::read(value);
            let range =
                range.map_err(|reason| wrong(&format!("space.\"{key}\""), &reason, example));
            Ok((key.clone(), range?))
        });
        let space = Space(ranges.collect::<Result<_, ConfigError>>()?);
        if space.0.is_empty() {
            return Err(wrong("space", "there is nothing to try", example));
        }
        for (key, _) in &space.0 {
            if let Some(reason) = not_searched(key, is_alphazero) {
                return Err(wrong(&format!("space.\"{key}\""), &reason, example));
            }
        }
        check(&tune, is_alphazero)
            .map_err(|(key, reason, example)| wrong(key, &reason, &example))?;
        let base = match is_alphazero {
            true => Self::alphazero(&mut table, &space, &tune, file)?,
            false => Self::network(&mut table, &space, &tune, file)?,
        };
        // Rungs are whole blocks, so blocks are no longer than the shortest of as many as trials allow.
        let (length, block) = match &base {
            Base::Network(config, _) => (config.games, config.block),
            Base::AlphaZero(..) => (base.length().number(), 1),
        };
        let block = |trials: usize| {
            let shortest = length / (tune.keep as u64).pow(trials.ilog(tune.keep));
            block.min(shortest.max(1))
        };
        let mut shortest = block(tune.trials);
        let mut plan = Plan::new(tune.trials, length, shortest, tune.keep, tune.brackets);
        if tune.search != Method::Hyperband {
            shortest = block(tune.population);
            let budget = plan.length();
            plan = Plan::generations(tune.population, length, shortest, tune.keep, budget);
        }
        if let Base::Network(..) = base {
            table.insert("block".to_owned(), Value::Integer(shortest as i64));
        }
        let search = Self {
            tune,
            space,
            plan,
            base,
            table,
        };
        for (trial, config) in search.samples().iter().enumerate() {
            let parsed = match is_alphazero {
                true => AlphaZeroConfig::parse(config, file).map(|_| ()),
                false => Config::parse_made(config, file).map(|_| ()),
            };
            parsed.map_err(|error| ConfigError {
                sentence: format!("{} (in trial {trial} of the space)", error.sentence),
                ..error
            })?;
        }
        Ok(search)
    }

    /// A training of small networks, as all trials have it.
    fn network(
        table: &mut Table,
        space: &Space,
        tune: &TuneConfig,
        file: &str,
    ) -> Result<Base, ConfigError> {
        // What is searched for may be left out of the base, but every trial must be whole.
        let first = space.apply(table, &space.draw(0, 0));
        let base = Config::parse_made(&toml::to_string(&first).unwrap_or_default(), file)?;
        let wrong = |key: &str, reason: &str| ConfigError {
            sentence: format!("{file}, {key}: {reason}"),
            example: "games = 100000".to_owned(),
        };
        if base.seconds.is_some() {
            let reason = "trials are as long as their games, not limited by time";
            return Err(wrong("seconds", reason));
        }
        if base.games == 0 {
            return Err(wrong("games", "there is nothing to learn"));
        }
        for unused in ["evaluation", "snapshot"] {
            table.insert(unused.to_owned(), Value::Integer(0));
        }
        let games = tune.evaluation.unwrap_or(EVALUATION);
        Ok(Base::Network(Box::new(base), games))
    }

    /// A run of AlphaZero, as all trials have it: on one thread, and without tests of its own.
    fn alphazero(
        table: &mut Table,
        space: &Space,
        tune: &TuneConfig,
        file: &str,
    ) -> Result<Base, ConfigError> {
        let parse = |table: &Table| {
            AlphaZeroConfig::parse(&toml::to_string(table).unwrap_or_default(), file)
        };
        let wrong = |key: &str, reason: &str, example: &str| ConfigError {
            sentence: format!("{file}, {key}: {reason}"),
            example: example.to_owned(),
        };
        let Some(Value::Table(settings)) = table.get_mut(ALPHAZERO) else {
            let reason = "it has to be a section";
            return Err(wrong(ALPHAZERO, reason, "[alphazero] max_steps = 27"));
        };
        for (key, value) in [
            ("actors", 1),
            ("evaluators", 0),
            ("test_positions", 0),
            // Networks on the way are not kept.
            ("checkpoint_freq", 1_000_000),
        ] {
            settings.insert(key.to_owned(), Value::Integer(value));
        }
        let base = parse(&space.apply(table, &space.draw(0, 0)))?;
        if base.seconds.is_some() {
            let reason = "trials are as long as their steps, not limited by time";
            return Err(wrong("seconds", reason, "alphazero.max_steps = 27"));
        }
        if base.settings().max_steps == 0 {
            let reason = "the longest trials need a last step";
            let (key, example) = ("alphazero.max_steps", "alphazero.max_steps = 27");
            return Err(wrong(key, reason, example));
        }
        // The tests must not depend on what is searched: what the file itself says, or the preset.
        let usual = || {
            let plain = parse(table).map(|plain| plain.settings());
            plain.unwrap_or_else(|_| base.settings()).max_simulations
        };
        let measure = match tune.objective.unwrap_or(Objective::Kept) {
            Objective::Kept => Measure::Kept {
                positions: tune.evaluation.unwrap_or(EVALUATION) as usize,
            },
            Objective::Mcts => Measure::Mcts {
                games: tune.evaluation.unwrap_or(MCTS_GAMES),
                level: tune.level.unwrap_or(0),
            },
        };
        let examination = Examination {
            measure,
            simulations: tune.simulations.unwrap_or_else(usual),
            seed: base.seed,
        };
        Ok(Base::AlphaZero(Box::new(base), examination))
    }

    /// Configurations that tell whether those of all trials are good: all that are known at the beginning
    /// and, where there will be more, each key at the ends of its range.
    #[must_use]
    pub fn samples(&self) -> Vec<String> {
        let proposals = Proposals::new(self);
        let known = (0..).map_while(|trial| proposals.values(trial));
        let mut values: Vec<Vec<Value>> = known.map(<[Value]>::to_vec).collect();
        if self.plan.generations {
            values.extend(self.space.extremes(&values[0]));
        }
        let trials = values.iter().enumerate();
        trials
            .map(|(trial, values)| self.config(trial, values))
            .collect()
    }

    /// The training configuration of a trial with these values. Each has its own seed.
    #[must_use]
    pub fn config(&self, trial: usize, values: &[Value]) -> String {
        let mut table = self.space.apply(&self.table, values);
        let seed = self.base.seed().wrapping_add(trial as u64) & i64::MAX as u64;
        table.insert("seed".to_owned(), Value::Integer(seed as i64));
        toml::to_string(&table).expect("it was read from such a text")
    }

    /// The trials that can go on now.
    pub(super) fn ready(&self, proposals: &Proposals, scores: &Scores) -> Vec<TrialJob> {
        let jobs = self.plan.ready(scores).into_iter();
        jobs.filter_map(|job| job.with_values(proposals)).collect()
    }

    /// What is written down of a trial that has reached a rung with this score.
    #[must_use]
    pub fn reached(&self, TrialJob { job, values }: &TrialJob, score: Option<f64>) -> Line {
        let keys = self.space.0.iter().map(|(key, _)| key.clone());
        Line {
            trial: job.trial,
            bracket: job.bracket,
            rung: job.rung,
            learned: self.base.length().of(self.plan.rung(*job).length),
            // So many digits that it is the same number when it is read again.
            score: score
                .filter(|score| score.is_finite())
                .map(|score| (score * 1e9).round() / 1e9),
            values: keys.zip(values.iter().cloned()).collect(),
        }
    }
}

/// Why a key is not searched; nothing if it is.
fn not_searched(key: &str, is_alphazero: bool) -> Option<String> {
    if !is_alphazero {
        let is_searched = SECTIONS.iter().any(|section| key.starts_with(section));
        let reason = "what is searched are keys of network, opponent and learning; all trials have \
                      the rest in common, but for their seeds";
        return (!is_searched).then(|| reason.to_owned());
    }
    match key.split_once('.') {
        Some((ALPHAZERO, key)) if FIXED.contains(&key) => Some(format!(
            "{key} is the same for all trials: networks do not depend on it, or the search decides"
        )),
        Some((ALPHAZERO, _)) => None,
        _ => Some(
            "what is searched are keys of alphazero; all trials have the rest in common, but for \
                   their seeds"
                .to_owned(),
        ),
    }
}

/// The key of `[tune]` that is not right, why, and a right line.
fn check(tune: &TuneConfig, is_alphazero: bool) -> Result<(), (&'static str, String, String)> {
    let usual = TuneConfig::default();
    let numbers = [
        ("tune.trials", tune.trials, usual.trials, 1..=100_000),
        ("tune.keep", tune.keep, usual.keep, 2..=100),
        ("tune.brackets", tune.brackets, usual.brackets, 1..=20),
        (
            "tune.population",
            tune.population,
            usual.population,
            2..=10_000,
        ),
        (
            "tune.evaluation",
            tune.evaluation.unwrap_or(EVALUATION) as usize,
            EVALUATION as usize,
            1..=if is_alphazero { 100_000 } else { 1_000_000_000 },
        ),
        (
            "tune.simulations",
            tune.simulations.unwrap_or(1) as usize,
            25,
            1..=1_000_000,
        ),
        ("tune.level", tune.level.unwrap_or(0), 2, 0..=11),
    ];
    for (key, value, usual, range) in numbers {
        if !range.contains(&value) {
            let reason = format!("{value} is not from {} to {}", range.start(), range.end());
            return Err((key, reason, format!("{key} = {usual}")));
        }
    }
    let of_alphazero = [
        ("tune.objective", tune.objective.is_some(), "\"kept\""),
        ("tune.simulations", tune.simulations.is_some(), "25"),
        ("tune.level", tune.level.is_some(), "2"),
    ];
    for (key, is_given, right) in of_alphazero {
        if is_given && !is_alphazero {
            let reason = "it is for runs of AlphaZero; a small network has its points against \
                          evaluation_agent as score";
            return Err((
                key,
                reason.to_owned(),
                format!("[alphazero], {key} = {right}"),
            ));
        }
    }
    if tune.level.is_some() && tune.objective != Some(Objective::Mcts) {
        let reason = "there are games against MCTS only if they are the objective";
        return Err((
            "tune.level",
            reason.to_owned(),
            "tune.objective = \"mcts\"".to_owned(),
        ));
    }
    Ok(())
}
