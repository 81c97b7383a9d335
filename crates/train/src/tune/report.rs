//! What mattered in a search.
//!
//! Trials of different length are not compared: within each bracket the first scores, before anything
//! was chosen, become ranks between 0 and 1, and these are put together. For each parameter the report
//! says how much of their variance its values explain, and how often values dealt out at random
//! explain as much.

use std::collections::BTreeMap;

use serde::Serialize;
use toml::Value;
use upstar_games::Random;

use super::space::shown;
use super::{Length, Line, Range, Search, Tune};

/// How often values are dealt out at random.
const DEALS: usize = 1000;
/// A bracket with fewer trials says nothing about ranks.
const LEAST: usize = 3;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether it is at its end.
    pub complete: bool,
    /// The trials.
    pub trials: usize,
    /// Those whose network died.
    pub dead: usize,
    /// The rungs reached.
    pub rungs: usize,
    /// The rungs planned.
    pub of: usize,
    /// The games or steps of all trials together.
    #[serde(flatten)]
    pub learned: Length,
    /// The best trial among those that learned longest.
    pub best: Option<Line>,
    /// The parameters, that which explains most first.
    pub parameters: Vec<Parameter>,
}

/// What is known about one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its key.
    pub key: String,
    /// The share of the variance of ranks that it explains, corrected for the number of groups.
    pub explained: f64,
    /// The share of random deals that explain as much.
    pub chance: f64,
    /// The rank correlation with the score (Spearman); nothing without an order of values.
    pub correlation: Option<f64>,
    /// The value of the best trial.
    pub best: Option<Value>,
    /// The values of the best fifth of trials: lowest and highest, or the most frequent first.
    pub good: Vec<Value>,
}

impl Report {
    pub(super) fn new(search: &Search, lines: &[Line]) -> Self {
        let scores = Tune::scores(lines);
        let best = search.plan.best(&scores);
        let best = best.and_then(|(job, _)| lines.iter().find(|line| line.job() == job));
        let trials = ranked(lines);
        let mut parameters: Vec<Parameter> = search
            .space
            .0
            .iter()
            .map(|(key, range)| Parameter::new(key, range, &trials, best, search.base.seed()))
            .collect();
        parameters.sort_by(|a, b| b.explained.total_cmp(&a.explained));
        let mut reached: BTreeMap<usize, (u64, bool)> = BTreeMap::new();
        for line in lines {
            let (learned, dead) = reached.entry(line.trial).or_default();
            *learned = line.learned.number().max(*learned);
            *dead |= line.score.is_none();
        }
        Self {
            complete: search.plan.ready(&scores).is_empty(),
            trials: search.plan.trials(),
            dead: reached.values().filter(|(_, dead)| *dead).count(),
            rungs: scores.len(),
            of: search.plan.jobs(),
            learned: search
                .base
                .length()
                .of(reached.values().map(|(learned, _)| learned).sum()),
            best: best.cloned(),
            parameters,
        }
    }

    /// As a text for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} of {} rungs, {} trials, {} learned",
            self.rungs, self.of, self.trials, self.learned
        );
        if self.dead > 0 {
            text += &format!(", {} networks died", self.dead);
        }
        match &self.best {
            Some(best) => {
                text += &format!(
                    "\nbest: trial {}, score {:.4} after {}\n",
                    best.trial,
                    best.score.unwrap_or(f64::NAN),
                    best.learned
                );
            }
            None => text += "\nno trial has a score yet\n",
        }
        let width = self.parameters.iter().map(|p| p.key.len()).max();
        let width = width.unwrap_or(0).max("what mattered".len());
        text += &format!(
            "\n{:<width$}  {:>9}  {:>6}  {:>11}  {:<12}  good values",
            "what mattered", "explained", "chance", "correlation", "best"
        );
        for parameter in &self.parameters {
            let best = parameter.best_text();
            let correlation = parameter
                .correlation
                .map_or("–".to_owned(), |correlation| format!("{correlation:+.2}"));
            text += &format!(
                "\n{:<width$}  {:>7.0} %  {:>6.3}  {correlation:>11}  {best:<12}  {}",
                parameter.key,
                100.0 * parameter.explained,
                parameter.chance,
                parameter.good_text()
            );
        }
        text.push('\n');
        text
    }
}

/// A trial's values and the rank of its first score in its bracket, between 0 and 1.
pub(super) struct Ranked<'a> {
    pub(super) line: &'a Line,
    pub(super) rank: f64,
}

fn ranked(lines: &[Line]) -> Vec<Ranked<'_>> {
    let mut brackets: BTreeMap<usize, Vec<&Line>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.rung == 0) {
        brackets.entry(line.bracket).or_default().push(line);
    }
    let mut all = Vec::new();
    for mut bracket in brackets.into_values().filter(|lines| lines.len() >= LEAST) {
        // The report must not depend on which thread was first.
        bracket.sort_by_key(|line| line.trial);
        let scores: Vec<f64> = bracket
            .iter()
            .map(|line| line.score.unwrap_or(f64::NEG_INFINITY))
            .collect();
        let count = scores.len() as f64;
        let places = ranks(&scores).into_iter().zip(bracket);
        all.extend(places.map(|(rank, line)| Ranked {
            line,
            rank: (rank + 0.5) / count,
        }));
    }
    all
}

/// The rank of each number, from 0; equal numbers share the mean of theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |number: &f64| {
        let below = numbers.iter().filter(|other| *other < number).count();
        let equal = numbers.iter().filter(|other| *other == number).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    numbers.iter().map(rank).collect()
}

impl Parameter {
    fn new(
        key: &str,
        range: &Range,
        trials: &[Ranked<'_>],
        best: Option<&Line>,
        seed: u64,
    ) -> Self {
        let places: Vec<f64> = trials
            .iter()
            .map(|trial| range.place(&trial.line.values[key]))
            .collect();
        let mut scores: Vec<f64> = trials.iter().map(|trial| trial.rank).collect();
        let correlation = range
            .is_ordered()
            .then(|| pearson(&ranks(&places), &ranks(&scores)));
        let groups = match range {
            Range::Choices(_) => places.iter().map(|&place| place as usize).collect(),
            _ => quantiles(&places),
        };
        let good = good(key, range, trials, best);
        let explained = explained(&groups, &scores);
        let mut random = Random::new(seed);
        let deals = (0..DEALS).filter(|_| {
            for index in (1..scores.len()).rev() {
                scores.swap(index, random.below(index as u32 + 1) as usize);
            }
            self::explained(&groups, &scores) >= explained
        });
        Self {
            key: key.to_owned(),
            chance: deals.count() as f64 / DEALS as f64,
            explained,
            correlation: correlation.filter(|correlation| correlation.is_finite()),
            best: best.map(|line| line.values[key].clone()),
            good,
        }
    }

    /// The value of the best trial, for people.
    #[must_use]
    pub fn best_text(&self) -> String {
        self.best.as_ref().map_or(String::new(), shown)
    }

    /// The good values, for people.
    #[must_use]
    pub fn good_text(&self) -> String {
        let number = |value: &Value| matches!(value, Value::Float(_) | Value::Integer(_));
        match &self.good[..] {
            [low, high] if number(low) && number(high) => {
                format!("{} to {}", shown(low), shown(high))
            }
            values => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The values of the best fifth, and of the best of all, which may be none of them: they were compared
/// after their first few games.
fn good(key: &str, range: &Range, trials: &[Ranked<'_>], best: Option<&Line>) -> Vec<Value> {
    let mut order: Vec<&Ranked<'_>> = trials.iter().collect();
    order.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    order.truncate(trials.len().div_ceil(5));
    let mut values: Vec<Value> = order
        .iter()
        .map(|trial| trial.line)
        .chain(best)
        .map(|line| line.values[key].clone())
        .collect();
    values.sort_by(|a, b| range.place(a).total_cmp(&range.place(b)));
    if let Range::Choices(choices) = range {
        let count = |choice: &Value| values.iter().filter(|value| *value == choice).count();
        let mut frequent: Vec<&Value> = choices.iter().filter(|c| count(c) > 0).collect();
        frequent.sort_by_key(|choice| std::cmp::Reverse(count(choice)));
        return frequent.into_iter().cloned().collect();
    }
    match (values.first(), values.last()) {
        (Some(low), Some(high)) => vec![low.clone(), high.clone()],
        _ => Vec::new(),
    }
}

/// Groups of about equal size by value.
fn quantiles(places: &[f64]) -> Vec<usize> {
    let groups = (places.len() / 6).clamp(2, 5) as f64;
    let count = places.len() as f64;
    let group = |rank: f64| (rank * groups / count) as usize;
    ranks(places).into_iter().map(group).collect()
}

/// The share of the variance between groups, corrected for their number; at least 0.
fn explained(groups: &[usize], scores: &[f64]) -> f64 {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (&group, &score) in groups.iter().zip(scores) {
        let (count, sum) = sums.entry(group).or_default();
        *count += 1.0;
        *sum += score;
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let total: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let between: f64 = sums
        .values()
        .map(|(count, sum)| count * (sum / count - mean).powi(2))
        .sum();
    let free = count - sums.len() as f64;
    if free < 1.0 || total <= 0.0 {
        return 0.0;
    }
    (1.0 - ((total - between) / free) / (total / (count - 1.0))).clamp(0.0, 1.0)
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (x, y) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(a, b)| (a - x) * (b - y)).sum();
    let square = |numbers: &[f64], mean: f64| -> f64 {
        numbers.iter().map(|number| (number - mean).powi(2)).sum()
    };
    product / (square(a, x) * square(b, y)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_a_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        assert!((pearson(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
    }

    #[test]
    fn groups_explain_what_they_should() {
        let groups = [0, 0, 0, 1, 1, 1];
        assert_eq!(explained(&groups, &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]), 1.0);
        assert_eq!(explained(&groups, &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]), 0.0);
        assert_eq!(explained(&[], &[]), 0.0);
    }
}
