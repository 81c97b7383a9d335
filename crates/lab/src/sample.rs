//! What one run with one seed brought: a line of a folder's `runs-*.jsonl`.

use serde::{Deserialize, Serialize};

/// One run with one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The table.
    pub table: String,
    /// The run's number in the table, from 0.
    pub run: usize,
    /// Which of the seeds, from 0.
    pub seed: u64,
    /// A value for each printed number of the run.
    pub values: Vec<Measured>,
    /// The share of positions from which something was learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live_gradient_share: Option<f64>,
    /// Whether the network ended without any opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<bool>,
    /// The share of games won in training after so many games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(u64, f64)>,
    /// How long it took.
    pub seconds: f64,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Measured {
    /// Games won of games played.
    Games {
        /// Won.
        wins: u64,
        /// Played.
        games: u64,
    },
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// It could not be found out.
    Nothing(()),
}

impl Measured {
    pub(crate) fn games(wins: u64, games: u64) -> Self {
        Self::Games { wins, games }
    }

    /// The share of games won, or the number; `None` for words.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Games { wins, games } => Some(*wins as f64 / (*games).max(1) as f64),
            Self::Number(number) => Some(*number),
            Self::Text(_) | Self::Nothing(()) => None,
        }
    }
}

/// What a procedure found, before it is known which run it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) values: Vec<Measured>,
    pub(crate) live_gradient_share: Option<f64>,
    pub(crate) dead: Option<bool>,
    pub(crate) curve: Vec<(u64, f64)>,
}

impl Found {
    pub(crate) fn values(values: Vec<Measured>) -> Self {
        Self {
            values,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_again() {
        let sample = Sample {
            table: "leiden2018/5.4".to_owned(),
            run: 3,
            seed: 1,
            values: vec![
                Measured::games(5, 10),
                Measured::Number(0.25),
                Measured::Text("draw".to_owned()),
                Measured::Nothing(()),
            ],
            live_gradient_share: Some(0.5),
            dead: Some(false),
            curve: vec![(1000, 0.5)],
            seconds: 1.5,
        };
        let line = serde_json::to_string(&sample).unwrap();
        assert_eq!(serde_json::from_str::<Sample>(&line).unwrap(), sample);
    }
}
