//! The difference in strength that results show, in Elo, with its error.
//!
//! A difference of d means an expected score of 1 / (1 + 10^(−d/400)) (Elo, The Rating of Chess
//! Players, 1978). The score's variance is taken from the results themselves: from single games with
//! three results, or from pairs of games that share an opening with exchanged colours. The two games
//! of a pair depend on each other, so a pair is one observation with five results, and the error is
//! usually smaller (Van den Bergh, "A practical introduction to the GSPRT", and fishtest's
//! pentanomial model).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use upstar_games::excerpt;

/// The normal distribution has 95 % of its mass within so many standard deviations.
pub(crate) const SIGMAS: f64 = 1.959_963_984_540_054;

/// The expected score of a player who is stronger by this much.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in strength that this score shows; nothing if it is without bounds.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    inside.then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Results of games, seen by one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Counts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Counts {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win and a half for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Counts one more game: 2 half points are a win, 1 a draw, 0 a loss.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts these games too.
    pub fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// The same results, seen by the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Reads `+120 -80 =10`, in any order; what is not there is 0.
impl FromStr for Counts {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Self, CountsError> {
        let refused = || CountsError(excerpt(text));
        let mut found = [None; 3];
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let mut letters = word.chars();
            let sign = letters.next().and_then(|sign| "+=-".find(sign));
            let number = letters.as_str();
            // A billion billion games would not fit into what follows, and nobody plays them.
            let digits =
                (1..=15).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
            let place = sign.filter(|_| digits).ok_or_else(refused)?;
            let number: u64 = number.parse().map_err(|_| refused())?;
            if found[place].replace(number).is_some() {
                return Err(refused());
            }
        }
        if found == [None; 3] {
            return Err(refused());
        }
        let [wins, draws, losses] = found.map(Option::unwrap_or_default);
        Ok(Self {
            wins,
            draws,
            losses,
        })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} -{} ={}", self.wins, self.losses, self.draws)
    }
}

/// A text that tells no results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not give wins, losses and draws, like '+120 -80 =10'")]
pub struct CountsError(String);

/// Results of a match, seen by one player: games, and pairs of them if colours were exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// All games.
    pub counts: Counts,
    /// How many pairs brought 0, ½, 1, 1½ and 2 points, if games came in pairs.
    pub pairs: Option<[u64; 5]>,
}

impl From<Counts> for Results {
    fn from(counts: Counts) -> Self {
        Self {
            counts,
            pairs: None,
        }
    }
}

/// Observations that do not depend on each other: their possible scores, from 0 to 1, and how often
/// each was seen.
pub(crate) struct Sample {
    pub(crate) scores: &'static [f64],
    pub(crate) seen: [f64; 5],
}

impl Sample {
    pub(crate) fn total(&self) -> f64 {
        self.seen.iter().sum()
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.terms().map(|(score, seen)| score * seen).sum();
        sum / self.total()
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        let sum: f64 = self
            .terms()
            .map(|(s, seen)| seen * (s - mean).powi(2))
            .sum();
        sum / self.total()
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (f64, f64)> {
        self.scores.iter().copied().zip(self.seen)
    }
}

impl Results {
    /// Pairs where there are any, else games.
    pub(crate) fn sample(&self) -> Sample {
        match self.pairs {
            Some(pairs) if pairs != [0; 5] => Sample {
                scores: &[0.0, 0.25, 0.5, 0.75, 1.0],
                seen: pairs.map(|number| number as f64),
            },
            _ => {
                let Counts {
                    wins,
                    draws,
                    losses,
                } = self.counts;
                Sample {
                    scores: &[0.0, 0.5, 1.0],
                    seen: [losses as f64, draws as f64, wins as f64, 0.0, 0.0],
                }
            }
        }
    }

    /// How sure the player is the stronger one.
    fn superiority(&self, score: f64, deviation: f64) -> f64 {
        // Where all games ended alike there is no spread to go by: among equals the chance of it is
        // a half for each game, and one more half for what was thought before.
        let sweep = 0.5f64.powi(i32::try_from(self.counts.games() + 1).unwrap_or(i32::MAX));
        if score >= 1.0 {
            1.0 - sweep
        } else if score <= 0.0 {
            sweep
        } else if score == 0.5 {
            0.5
        } else {
            normal((score - 0.5) / deviation)
        }
    }

    /// What these results say about the difference in strength.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let games = self.counts.games();
        if games == 0 {
            return Estimate::default();
        }
        let score = self.counts.points() / games as f64;
        let mut sample = self.sample();
        let total = sample.total();
        if sample.variance() <= 0.0 {
            // All ended alike. That does not mean that they always will: half an observation of each
            // possible result is added before the variance is taken.
            let possible = sample.scores.len();
            sample.seen[..possible]
                .iter_mut()
                .for_each(|seen| *seen += 0.5);
        }
        let deviation = (sample.variance() / total).sqrt();
        // If all games were won, each observation was with chance p, and p^n is below 2.5 % unless p
        // is above this.
        let bound = 0.025f64.powf(1.0 / total);
        let (low, high) = if score >= 1.0 {
            (elo_of_score(bound), None)
        } else if score <= 0.0 {
            (None, elo_of_score(1.0 - bound))
        } else {
            let reach = SIGMAS * deviation;
            (elo_of_score(score - reach), elo_of_score(score + reach))
        };
        let elo = elo_of_score(score);
        let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
        let error = match (low, high) {
            (Some(low), Some(high)) => Some((high - low) / 2.0),
            _ => elo.map(|_| SIGMAS * deviation * slope),
        };
        Estimate {
            score: Some(score),
            elo,
            error,
            low,
            high,
            los: Some(self.superiority(score, deviation)),
        }
    }
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Points per game; nothing without games.
    pub score: Option<f64>,
    /// The difference in Elo; nothing if every game was won, or lost, or none was played.
    pub elo: Option<f64>,
    /// Half the width of the interval that covers the truth in 95 % of all matches.
    pub error: Option<f64>,
    /// The lower end of that interval; nothing if there is none.
    pub low: Option<f64>,
    /// Its upper end; nothing if there is none.
    pub high: Option<f64>,
    /// The likelihood of superiority: how sure the player is the stronger one, from 0 to 1.
    pub los: Option<f64>,
}

/// The share of a normal distribution below this many standard deviations (after Press et al.,
/// Numerical Recipes, section 6.2: relative error below 1.2e−7).
pub(crate) fn normal(deviations: f64) -> f64 {
    const TERMS: [f64; 10] = [
        -1.26551223,
        1.00002368,
        0.37409196,
        0.09678418,
        -0.18628806,
        0.27886807,
        -1.13520398,
        1.48851587,
        -0.82215223,
        0.17087277,
    ];
    let x = -deviations / std::f64::consts::SQRT_2;
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let series = TERMS.iter().rev().fold(0.0, |sum, term| sum * t + term);
    let tail = t * (-z * z + series).exp();
    let complement = if x >= 0.0 { tail } else { 2.0 - tail };
    complement / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: impl Into<Option<f64>>, expected: f64, within: f64) {
        let found = found.into().expect("a number");
        assert!((found - expected).abs() <= within, "{found} {expected}");
    }

    #[test]
    fn scores_and_elo() {
        close(score_of_elo(0.0), 0.5, 1e-12);
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        close(elo_of_score(0.75), 190.848_501_888, 1e-6);
        assert_eq!(elo_of_score(1.0), None);
        close(normal(0.0), 0.5, 1e-7);
        close(normal(SIGMAS), 0.975, 1e-7);
        close(normal(-3.0), 0.001_349_898, 1e-9);
    }

    #[test]
    fn counts_are_read() {
        let counts = Counts {
            wins: 120,
            draws: 10,
            losses: 80,
        };
        assert_eq!("+120 -80 =10".parse(), Ok(counts));
        assert_eq!("=10,+120,-80".parse(), Ok(counts));
        assert_eq!(counts.to_string(), "+120 -80 =10");
        assert_eq!("+1".parse::<Counts>().unwrap().games(), 1);
        for text in [
            "",
            "120",
            "+1 +2",
            "+x",
            "+-1",
            "+1.5",
            "+99999999999999999999",
        ] {
            assert!(text.parse::<Counts>().is_err(), "{text}");
        }
    }

    #[test]
    fn single_games() {
        let counts: Counts = "+120 -80 =10".parse().unwrap();
        let estimate = Results::from(counts).estimate();
        close(estimate.score, 125.0 / 210.0, 1e-12);
        close(estimate.elo, 66.996, 0.001);
        // The score's standard deviation is sqrt((120 + 2.5) / 210 − (125 / 210)²) / sqrt(210).
        let deviation = ((122.5 / 210.0 - (125.0f64 / 210.0).powi(2)) / 210.0).sqrt();
        let low = elo_of_score(125.0 / 210.0 - SIGMAS * deviation).unwrap();
        close(estimate.low, low, 1e-9);
        close(
            estimate.los,
            normal((125.0 / 210.0 - 0.5) / deviation),
            1e-12,
        );
    }

    /// A test of fishtest's kind with its published statistics: pairs [13, 37, 50, 25, 3], Elo −43.6578,
    /// variance of a pair 0.05762.
    #[test]
    fn pairs_of_games() {
        let pairs = [13, 37, 50, 25, 3];
        let counts = Counts {
            wins: 89,
            draws: 46,
            losses: 121,
        };
        let results = Results {
            counts,
            pairs: Some(pairs),
        };
        close(results.sample().variance(), 0.05762, 5e-6);
        let estimate = results.estimate();
        close(estimate.elo, -43.6578, 5e-5);
        let wide = Results::from(counts).estimate();
        assert!(estimate.error < wide.error);
    }

    #[test]
    fn odd_cases_have_bounds_instead_of_infinities() {
        assert_eq!(Results::default().estimate(), Estimate::default());
        let won = Results::from("+10".parse::<Counts>().unwrap()).estimate();
        assert_eq!((won.elo, won.error, won.high), (None, None, None));
        // 0.025^(1/10) = 0.69150
        close(won.low, 140.217, 0.01);
        assert!(won.los.unwrap() > 0.99);
        let lost = Results::from("-10".parse::<Counts>().unwrap()).estimate();
        close(lost.high, -140.217, 0.01);
        let drawn = Results::from("=10".parse::<Counts>().unwrap()).estimate();
        close(drawn.elo, 0.0, 1e-12);
        assert!(drawn.error.unwrap() > 10.0);
        let one = Results::from("+1".parse::<Counts>().unwrap()).estimate();
        assert!(one.low.unwrap() < -600.0);
        let few = Results::from("+3 -1".parse::<Counts>().unwrap()).estimate();
        assert_eq!(few.high, None);
        assert!(few.error.unwrap() > 200.0);
        assert!(
            serde_json::to_string(&won)
                .unwrap()
                .contains(r#""elo":null"#)
        );
    }
}
