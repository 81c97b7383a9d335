//! What one run with one seed brought: a line of a folder's `runs-*.jsonl`.

use serde::{Deserialize, Serialize};

use crate::experiment::{Experiment, Kind};

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
    /// Whether its weights grew beyond all numbers; lines of old count such networks as dead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploded: Option<bool>,
    /// The share of games won in training after so many games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(u64, f64)>,
    /// How long it took.
    pub seconds: f64,
    /// What all numbers of games were multiplied by; lines of old do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Which experiment it was: a fingerprint of all that the run's rows say, see
    /// [`Experiment::version`](crate::Experiment::version).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl Sample {
    /// Why this cannot be what a run of the table with this scale brought, if it cannot.
    pub(crate) fn fault(&self, table: &Experiment, scale: f64) -> Option<String> {
        if self.table != table.name() || self.run >= table.runs().len() {
            return Some("there is no such run in this table".to_owned());
        }
        if let Some(other) = self.scale.filter(|&other| other != scale) {
            return Some(format!("it was run with --scale {other}, not with {scale}"));
        }
        let places = table.runs().nth(self.run).map_or(0, |rows| rows.len()) * table.measures.len();
        let version = table.version(self.run);
        if self.version.as_ref().is_some_and(|other| *other != version)
            || self.values.len() != places
        {
            return Some("it is of another version of this experiment".to_owned());
        }
        for (place, value) in self.values.iter().enumerate() {
            let kind = table.measures[place % table.measures.len()].kind;
            if let Measured::Games { wins, games } = value
                && wins > games
            {
                return Some(format!("{wins} games won of {games} cannot be"));
            }
            if !value.is_of(kind) {
                return Some(format!("value {} is not of the table's kind", place + 1));
            }
        }
        let shares = self.curve.iter().map(|(_, share)| *share);
        let mut shares = shares.chain(self.live_gradient_share);
        if shares.any(|share| !(0.0..=1.0).contains(&share)) {
            return Some("a share is not from 0 to 1".to_owned());
        }
        (!(0.0..f64::INFINITY).contains(&self.seconds))
            .then(|| "the time it took is not a time".to_owned())
    }

    /// Whether two runs brought the same, however long they took.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.values == other.values
            && self.live_gradient_share == other.live_gradient_share
            && self.dead == other.dead
            && self.curve == other.curve
    }
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

    /// Whether such a value can stand in such a column.
    fn is_of(&self, kind: Kind) -> bool {
        match self {
            Self::Games { games, .. } => {
                *games > 0 && matches!(kind, Kind::Count | Kind::Ratio | Kind::Percent)
            }
            Self::Number(number) => kind == Kind::Number && number.is_finite(),
            Self::Text(_) => kind == Kind::Text,
            Self::Nothing(()) => true,
        }
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
    pub(crate) exploded: Option<bool>,
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
            exploded: None,
            curve: vec![(1000, 0.5)],
            seconds: 1.5,
            scale: Some(0.5),
            version: Some("0123".to_owned()),
        };
        let line = serde_json::to_string(&sample).unwrap();
        assert_eq!(serde_json::from_str::<Sample>(&line).unwrap(), sample);
    }

    #[test]
    fn what_cannot_be_is_found() {
        let table = Experiment::find("leiden2018/5.4").unwrap();
        let right = Sample {
            table: table.name(),
            run: 3,
            seed: 1,
            values: vec![Measured::games(5, 10)],
            live_gradient_share: Some(0.5),
            dead: Some(false),
            exploded: None,
            curve: vec![(1000, 0.5)],
            seconds: 1.5,
            scale: Some(0.5),
            version: Some(table.version(3)),
        };
        assert_eq!(right.fault(&table, 0.5), None);
        let older = Sample {
            scale: None,
            version: None,
            ..right.clone()
        };
        assert_eq!(older.fault(&table, 1.0), None);
        let check = |change: &dyn Fn(&mut Sample), part: &str| {
            let mut wrong = right.clone();
            change(&mut wrong);
            let fault = wrong.fault(&table, 0.5).expect(part);
            assert!(fault.contains(part), "{fault}");
        };
        check(&|sample| sample.run = 24, "no such run");
        check(
            &|sample| sample.table = "leiden2018/5.5".to_owned(),
            "no such run",
        );
        check(
            &|sample| sample.scale = Some(1.0),
            "--scale 1, not with 0.5",
        );
        check(
            &|sample| sample.version = Some(table.version(2)),
            "another version",
        );
        check(&|sample| sample.values.clear(), "another version");
        check(
            &|sample| sample.values[0] = Measured::games(11, 10),
            "11 games won of 10",
        );
        check(
            &|sample| sample.values[0] = Measured::games(0, 0),
            "value 1",
        );
        check(
            &|sample| sample.values[0] = Measured::Number(0.5),
            "value 1",
        );
        check(&|sample| sample.curve[0].1 = 1.5, "0 to 1");
        check(
            &|sample| sample.live_gradient_share = Some(f64::NAN),
            "0 to 1",
        );
        check(&|sample| sample.seconds = -1.0, "not a time");
    }
}
