//! What is known of a result, and how surely.

use std::fmt;

use upstar_solve::Outcome;

/// What is known of the result of best play, seen by one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// The result, proved.
    pub outcome: Option<Outcome>,
    /// Othello: the score is at least this, proved.
    pub at_least: Option<i32>,
    /// Othello: the score is at most this, proved.
    pub at_most: Option<i32>,
    /// What is guessed where nothing is proved.
    pub estimate: Option<Estimate>,
}

/// A guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// How likely it seems that this side wins, from 0 to 1; half of a draw is counted.
    pub win: f64,
    /// Othello: the expected score in discs, if the agent thinks in discs.
    pub discs: Option<f64>,
    /// Who says so, as an agent text.
    pub by: &'static str,
    /// After how much work: simulations, or plies for the midgame search.
    pub work: u64,
}

/// How sure something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing is known.
    Unknown,
    /// Guessed.
    Estimated,
    /// Othello: the score lies between proved bounds.
    Bounded,
    /// The result is proved; in Othello the score too.
    Proved,
}

impl Grade {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Estimated => "estimated",
            Self::Bounded => "bounded",
            Self::Proved => "proved",
        }
    }
}

impl Knowledge {
    /// A proved result without a score.
    #[must_use]
    pub fn of_outcome(outcome: Outcome) -> Self {
        Self {
            outcome: Some(outcome),
            ..Self::default()
        }
    }

    /// A proved score.
    #[must_use]
    pub fn of_score(score: i32) -> Self {
        let mut known = Self::default();
        known.bound(Some(score), Some(score));
        known
    }

    /// How sure it is.
    #[must_use]
    pub fn grade(&self) -> Grade {
        let bounded = self.at_least.is_some() || self.at_most.is_some();
        match self {
            _ if bounded && self.score().is_none() => Grade::Bounded,
            _ if self.outcome.is_some() => Grade::Proved,
            _ if self.estimate.is_some() => Grade::Estimated,
            _ => Grade::Unknown,
        }
    }

    /// Whether nothing is left to prove.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.grade() == Grade::Proved
    }

    /// The proved score.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.at_least.filter(|_| self.at_least == self.at_most)
    }

    /// The score lies between these, too.
    pub fn bound(&mut self, at_least: Option<i32>, at_most: Option<i32>) {
        self.at_least = self.at_least.max(at_least);
        self.at_most = match (self.at_most, at_most) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        let sure = |bound: Option<i32>, outcome| bound.map(Outcome::of_score) == Some(outcome);
        if sure(self.at_least, Outcome::Win) {
            self.outcome = Some(Outcome::Win);
        } else if sure(self.at_most, Outcome::Loss) {
            self.outcome = Some(Outcome::Loss);
        } else if self.score() == Some(0) {
            self.outcome = Some(Outcome::Draw);
        }
    }

    /// Takes over all that is proved by the other; a guess stays unless there is none.
    pub fn learn(&mut self, other: &Self) {
        self.outcome = self.outcome.or(other.outcome);
        self.bound(other.at_least, other.at_most);
        if self.estimate.is_none() {
            self.estimate.clone_from(&other.estimate);
        }
    }

    /// The same result seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            outcome: self.outcome.map(Outcome::reversed),
            at_least: self.at_most.map(|score| -score),
            at_most: self.at_least.map(|score| -score),
            estimate: self.estimate.as_ref().map(|guess| Estimate {
                win: 1.0 - guess.win,
                discs: guess.discs.map(|discs| -discs),
                ..guess.clone()
            }),
        }
    }

    /// The chance to win as far as it is known: proofs are certain.
    #[must_use]
    pub fn win(&self) -> Option<f64> {
        match self.outcome {
            Some(outcome) => Some(f64::from(outcome.sign() + 1) / 2.0),
            None => self.estimate.as_ref().map(|guess| guess.win),
        }
    }

    /// The score as far as it is known: a proof, or a guess inside the proved bounds.
    #[must_use]
    pub fn discs(&self) -> Option<f64> {
        let (low, high) = (self.at_least.map(f64::from), self.at_most.map(f64::from));
        let discs = self.estimate.as_ref().and_then(|guess| guess.discs);
        let discs = match (discs, low, high) {
            (None, Some(low), Some(high)) => (low + high) / 2.0,
            (None, ..) => return None,
            (Some(discs), ..) => discs,
        };
        let discs = low.map_or(discs, |low| discs.max(low));
        Some(high.map_or(discs, |high| discs.min(high)))
    }
}

/// `wins`, `+12`, `at least +2`, `62 % (az:default, 800)`: for the side that it is seen by.
impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.outcome {
            Some(Outcome::Win) => "wins",
            Some(Outcome::Draw) => "draws",
            Some(Outcome::Loss) => "loses",
            None => "",
        };
        match (self.grade(), self.score()) {
            (Grade::Unknown, _) => f.write_str("nothing is known yet"),
            (Grade::Proved, Some(score)) => write!(f, "{outcome} {score:+}"),
            (Grade::Proved, None) => f.write_str(outcome),
            (Grade::Bounded, _) => {
                f.write_str(outcome)?;
                let space = if outcome.is_empty() { "" } else { ", " };
                match (self.at_least, self.at_most) {
                    (Some(low), Some(high)) => write!(f, "{space}between {low:+} and {high:+}"),
                    (Some(low), None) => write!(f, "{space}at least {low:+}"),
                    (None, Some(high)) => write!(f, "{space}at most {high:+}"),
                    (None, None) => Ok(()),
                }?;
                match self.estimate.as_ref().and(self.discs()) {
                    Some(discs) => write!(f, ", about {discs:+.1}"),
                    None => Ok(()),
                }
            }
            (Grade::Estimated, _) => {
                let guess = self.estimate.as_ref().expect("the grade says so");
                if let Some(discs) = guess.discs {
                    write!(f, "about {discs:+.1}, ")?;
                }
                let (percent, by, work) = (100.0 * guess.win, guess.by, guess.work);
                write!(f, "{percent:.0} % ({by}, {work})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_prove_results() {
        let mut known = Knowledge::default();
        assert_eq!(known.grade(), Grade::Unknown);
        known.bound(Some(-4), Some(10));
        assert_eq!((known.grade(), known.outcome), (Grade::Bounded, None));
        known.bound(Some(2), None);
        assert_eq!(known.outcome, Some(Outcome::Win));
        assert_eq!(known.grade(), Grade::Bounded);
        known.bound(None, Some(2));
        assert_eq!((known.grade(), known.score()), (Grade::Proved, Some(2)));
        assert_eq!(known.to_string(), "wins +2");
        assert_eq!(known.reversed(), Knowledge::of_score(-2));
        assert_eq!(Knowledge::of_score(0).outcome, Some(Outcome::Draw));
    }

    #[test]
    fn guesses_stay_inside_of_what_is_proved() {
        let mut known = Knowledge {
            estimate: Some(Estimate {
                win: 0.6,
                discs: Some(9.0),
                by: "ab",
                work: 8,
            }),
            ..Knowledge::default()
        };
        assert_eq!(known.to_string(), "about +9.0, 60 % (ab, 8)");
        known.bound(None, Some(4));
        assert_eq!(known.discs(), Some(4.0));
        assert_eq!(known.to_string(), "at most +4, about +4.0");
        known.outcome = Some(Outcome::Loss);
        assert_eq!(known.win(), Some(0.0));
    }
}
