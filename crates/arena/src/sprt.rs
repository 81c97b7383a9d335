//! The sequential probability ratio test: is a player stronger by E1, or only by E0?
//!
//! After each game (or pair) the log-likelihood ratio of the two hypotheses is compared with two
//! bounds (Wald 1945). How often games are drawn and how much the opening decides is not known but
//! estimated along the way, separately under each hypothesis: the generalised test, with the maximum
//! likelihood of a distribution whose mean is given (Van den Bergh, "A practical introduction to the
//! GSPRT", sections 2 and 3; Owen, Empirical Likelihood, 1988).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use upstar_games::excerpt;

use crate::elo::{Results, Sample, score_of_elo};

/// The chance of accepting the wrong one of the two hypotheses.
const ERROR_RATE: f64 = 0.05;

/// The two hypotheses, as differences in Elo: `0,5`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sprt {
    /// The difference that makes the first player not worth having.
    pub elo0: f64,
    /// The difference that makes it so, above `elo0`.
    pub elo1: f64,
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let refused = || SprtError(excerpt(text));
        let (low, high) = text.split_once(',').ok_or_else(refused)?;
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok();
            number.filter(|elo| elo.abs() <= 1000.0).ok_or_else(refused)
        };
        let (elo0, elo1) = (number(low)?, number(high)?);
        if elo0 < elo1 {
            Ok(Self { elo0, elo1 })
        } else {
            Err(refused())
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

impl TryFrom<String> for Sprt {
    type Error = SprtError;

    fn try_from(text: String) -> Result<Self, SprtError> {
        text.parse()
    }
}

impl From<Sprt> for String {
    fn from(sprt: Sprt) -> Self {
        sprt.to_string()
    }
}

/// A text that names no two hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a pair of differences in Elo from -1000 to 1000, the lower one first, like 0,20"
)]
pub struct SprtError(String);

/// How far the test has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the other one.
    pub elo1: f64,
    /// The log-likelihood ratio: above 0 the results speak for `elo1`.
    pub llr: f64,
    /// At or below it `elo0` is accepted.
    pub lower: f64,
    /// At or above it `elo1` is accepted.
    pub upper: f64,
    /// What is accepted, if the test has ended.
    pub accepted: Option<Hypothesis>,
    /// After how many games.
    pub games: u64,
}

/// One of the two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// The first player is not stronger by more than `elo0`.
    #[serde(rename = "elo0")]
    Elo0,
    /// It is stronger by at least `elo1`.
    #[serde(rename = "elo1")]
    Elo1,
}

impl Sprt {
    /// The state of the test after these results.
    #[must_use]
    pub fn state(&self, results: &Results) -> SprtState {
        let upper = ((1.0 - ERROR_RATE) / ERROR_RATE).ln();
        let lower = -upper;
        let llr = self.log_likelihood_ratio(results);
        let accepted = if llr >= upper {
            Some(Hypothesis::Elo1)
        } else if llr <= lower {
            Some(Hypothesis::Elo0)
        } else {
            None
        };
        SprtState {
            elo0: self.elo0,
            elo1: self.elo1,
            llr,
            lower,
            upper,
            accepted,
            games: results.counts.games(),
        }
    }

    fn log_likelihood_ratio(&self, results: &Results) -> f64 {
        let mut sample = results.sample();
        if sample.total() == 0.0 {
            return 0.0;
        }
        // What was never seen is not impossible; fishtest's remedy.
        let possible = sample.scores.len();
        for seen in &mut sample.seen[..possible] {
            *seen = seen.max(1e-3);
        }
        let likelihood = |elo| log_likelihood(&sample, score_of_elo(elo));
        likelihood(self.elo1) - likelihood(self.elo0)
    }
}

/// The greatest log-likelihood of the sample under a distribution with this mean, up to a constant.
///
/// Its chances are p = seen / total / (1 + θ (score − mean)), where θ makes the mean right.
fn log_likelihood(sample: &Sample, mean: f64) -> f64 {
    let total = sample.total();
    let last = sample.scores[sample.scores.len() - 1];
    let (mut low, mut high) = (-1.0 / (last - mean), 1.0 / (mean - sample.scores[0]));
    // The sum falls as θ grows, from +∞ to −∞.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        let slope: f64 = sample
            .terms()
            .map(|(score, seen)| seen * (score - mean) / (1.0 + middle * (score - mean)))
            .sum();
        if slope > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = 0.5 * (low + high);
    let log = |(score, seen): (f64, f64)| -seen * (1.0 + theta * (score - mean)).ln();
    debug_assert!(total > 0.0);
    sample.terms().map(log).sum()
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            elo0,
            elo1,
            llr,
            lower,
            upper,
            games,
            ..
        } = self;
        match self.accepted {
            Some(Hypothesis::Elo1) => write!(
                f,
                "accepted after {games} games: A is stronger by {elo1} Elo rather than by {elo0}"
            ),
            Some(Hypothesis::Elo0) => write!(
                f,
                "rejected after {games} games: A is stronger by {elo0} Elo rather than by {elo1}"
            ),
            None => write!(
                f,
                "undecided after {games} games: the log-likelihood ratio of {elo1} against {elo0} Elo is \
                 {llr:.2}, between {lower:.2} and {upper:.2}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::Counts;

    #[test]
    fn texts_are_read() {
        let sprt = Sprt {
            elo0: -1.5,
            elo1: 4.5,
        };
        assert_eq!("-1.5, 4.5".parse(), Ok(sprt));
        assert_eq!(sprt.to_string(), "-1.5,4.5");
        for text in ["", "5", "5,5", "5,0", "nan,1", "0,inf", "0,1,2", "0,2000"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }

    /// A test of fishtest's kind with its published statistics: for pairs [13, 37, 50, 25, 3] the exact
    /// ratio of 2.716 against 0 Elo (the former rounded) is −0.53772.
    #[test]
    fn agrees_with_fishtest() {
        let results = Results {
            counts: Counts {
                wins: 89,
                draws: 46,
                losses: 121,
            },
            pairs: Some([13, 37, 50, 25, 3]),
        };
        let state = "0,2.716".parse::<Sprt>().unwrap().state(&results);
        assert!((state.llr + 0.53772).abs() < 3e-4, "{}", state.llr);
        assert!((state.upper - 2.9444).abs() < 1e-4);
        assert_eq!(state.accepted, None);
    }

    /// Without draws the generalised test is Wald's for a coin.
    #[test]
    fn agrees_with_walds_test_of_a_coin() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
        };
        let (p0, p1) = (score_of_elo(0.0), score_of_elo(50.0));
        for (wins, losses) in [(60u64, 40u64), (100, 100), (10, 30)] {
            let counts = Counts {
                wins,
                draws: 0,
                losses,
            };
            let walds =
                wins as f64 * (p1 / p0).ln() + losses as f64 * ((1.0 - p1) / (1.0 - p0)).ln();
            let ours = sprt.state(&counts.into()).llr;
            assert!((ours - walds).abs() < 0.01, "{ours} {walds}");
        }
    }

    #[test]
    fn verdicts_are_sentences() {
        let sprt: Sprt = "0,50".parse().unwrap();
        let said = |text: &str| {
            sprt.state(&text.parse::<Counts>().unwrap().into())
                .to_string()
        };
        assert_eq!(
            said("+120 -60 =20"),
            "accepted after 200 games: A is stronger by 50 Elo rather than by 0"
        );
        assert_eq!(
            said("+60 -120 =20"),
            "rejected after 200 games: A is stronger by 0 Elo rather than by 50"
        );
        assert!(said("+6 -5").starts_with("undecided after 11 games: "));
        assert_eq!(sprt.state(&Results::default()).llr, 0.0);
    }
}
