//! A search for parameters: what was best, what mattered, and the score of every trial.

use serde::Serialize;
use upstar_jobs::quantity::grouped;
use upstar_train::tune::{Length, Range, Report, Tune};

use super::detail::{Fact, RunDetail};
use super::entry::{Entry, Reader};

/// What is known of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuningDetail {
    /// The parameters, that which explains most first.
    pub parameters: Vec<ParameterDetail>,
    /// The trial that came out best.
    pub best: Option<usize>,
    /// Its score.
    pub score: Option<f64>,
    /// What is learned: games, or steps of AlphaZero.
    pub unit: &'static str,
    /// Every rung that a trial has reached, in the order in which they were.
    pub rungs: Vec<TrialRung>,
}

/// What is known about one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterDetail {
    /// Its key.
    pub key: String,
    /// The share of the variance of ranks that it explains.
    pub explained: f64,
    /// The share of random deals that explain as much.
    pub chance: f64,
    /// The rank correlation with the score; nothing without an order of values.
    pub correlation: Option<f64>,
    /// The value of the best trial.
    pub best: String,
    /// The values of the best fifth of trials.
    pub good: String,
    /// Whether its axis has powers of ten at equal distances.
    pub logarithmic: bool,
    /// Its values if it is a choice; none if it is a number.
    pub choices: Vec<String>,
}

/// A rung that a trial has reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialRung {
    /// The trial.
    pub trial: usize,
    /// The games, or the steps of AlphaZero, learned.
    pub learned: u64,
    /// The score; nothing if the network is dead.
    pub score: Option<f64>,
    /// Its values in the order of [`TuningDetail::parameters`]: numbers, or the places of choices.
    pub places: Vec<f64>,
    /// The same for people.
    pub values: Vec<String>,
}

/// Shows what a search has found.
pub(super) fn show(detail: &mut RunDetail, entry: &Entry, _: &mut Reader, _: &str) {
    let tune = match Tune::look(&entry.path) {
        Ok(tune) => tune,
        Err(error) => {
            detail.remarks.push(error.sentence);
            return;
        }
    };
    let report = tune.report();
    let Report {
        trials,
        dead,
        learned,
        best,
        ..
    } = &report;
    detail.facts.push(Fact::new("Trials", trials.to_string()));
    let what = match learned {
        Length::Games(_) => "Games learned",
        Length::Steps(_) => "Steps learned",
    };
    detail
        .facts
        .push(Fact::new(what, grouped(learned.number())));
    if *dead > 0 {
        detail
            .facts
            .push(Fact::new("Networks that died", dead.to_string()));
    }
    if let Some(best) = best {
        let score = best.score.unwrap_or(f64::NAN);
        let value = format!("trial {}, score {score:.4}", best.trial);
        detail.facts.push(Fact::new("Best", value));
    }
    let ranges = &tune.search().space.0;
    let range = |key: &str| {
        ranges
            .iter()
            .find(|(other, _)| other == key)
            .map(|(_, range)| range)
    };
    let parameters = report.parameters.iter().map(|parameter| {
        let range = range(&parameter.key);
        ParameterDetail {
            key: parameter.key.clone(),
            explained: parameter.explained,
            chance: parameter.chance,
            correlation: parameter.correlation,
            best: parameter.best_text(),
            good: parameter.good_text(),
            logarithmic: matches!(range, Some(Range::LogUniform(..))),
            choices: match range {
                Some(Range::Choices(values)) => values.iter().map(plain).collect(),
                _ => Vec::new(),
            },
        }
    });
    let parameters: Vec<ParameterDetail> = parameters.collect();
    let rungs = tune.lines().iter().map(|line| {
        let values = parameters
            .iter()
            .map(|parameter| &line.values[&parameter.key]);
        let place =
            |(parameter, value): (&ParameterDetail, &toml::Value)| match range(&parameter.key) {
                // The page takes the logarithm itself.
                Some(Range::LogUniform(..)) => value.as_float().unwrap_or(0.0),
                Some(range) => range.place(value),
                None => 0.0,
            };
        TrialRung {
            trial: line.trial,
            learned: line.learned.number(),
            score: line.score,
            places: parameters.iter().zip(values.clone()).map(place).collect(),
            values: values.map(plain).collect(),
        }
    });
    detail.tuning = Some(TuningDetail {
        best: best.as_ref().map(|best| best.trial),
        score: best.as_ref().and_then(|best| best.score),
        unit: learned.unit(),
        rungs: rungs.collect(),
        parameters,
    });
}

/// A value without the quotes of TOML.
fn plain(value: &toml::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
