//! A printed number beside ours, and what to make of the two.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::experiment::{CellId, Experiment, Kind};
use crate::interval::{another_share, mean, median, one_more, wilson};
use crate::sample::{Measured, Sample};

/// A printed number, ours, and the verdict. The first six keys are those of the command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Which number of the table.
    pub cell: String,
    /// What the paper prints: a number or a word; nothing if it prints none.
    pub paper: Value,
    /// What we found, in the same unit: the mean over seeds.
    pub ours: Value,
    /// The printed number should not be below.
    pub low: Option<f64>,
    /// The printed number should not be above.
    pub high: Option<f64>,
    /// What to make of it.
    pub verdict: Verdict,
    /// The table.
    pub table: String,
    /// The reading of the paper under which it was run, if it is not the ordinary one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The run that it is from.
    pub run: usize,
    /// How many seeds.
    pub seeds: usize,
    /// The games that ours is of, over all seeds.
    pub games: Option<u64>,
    /// The lowest over seeds.
    pub lowest: Option<f64>,
    /// The highest over seeds.
    pub highest: Option<f64>,
    /// The median over seeds.
    pub median: Option<f64>,
    /// The share of positions from which something was learned, on average.
    pub live_gradient_share: Option<f64>,
    /// How many seeds ended with a dead network.
    pub dead: Option<usize>,
    /// How many seeds ended with weights beyond all numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploded: Option<usize>,
    /// How long all seeds took together.
    pub seconds: f64,
}

/// What to make of a printed number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The printed number is where it should be.
    Agrees,
    /// It is not.
    Differs,
    /// It is not, but it is under this reading of the paper.
    AgreesUnder(String),
    /// It is not, and there is a reason to doubt what is printed.
    Doubtful(String),
    /// What was run cannot tell, for this reason.
    Open(String),
    /// The paper prints no number, so there is nothing to compare.
    Unprinted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => write!(f, "agrees"),
            Self::Differs => write!(f, "differs"),
            Self::AgreesUnder(reading) => write!(f, "agrees under reading {reading}"),
            Self::Doubtful(why) => write!(f, "paper doubtful: {why}"),
            Self::Open(why) => write!(f, "open: {why}"),
            Self::Unprinted => write!(f, "no verdict: the paper prints no number"),
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How many cells of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All cells.
    pub cells: usize,
    /// Those that agree.
    pub agree: usize,
    /// Those that differ.
    pub differ: usize,
    /// Those that agree under another reading of the paper.
    pub under: usize,
    /// Those in which the paper is doubtful.
    pub doubtful: usize,
    /// Those that are open.
    pub open: usize,
    /// Those that the paper does not print, so that there is no verdict.
    pub unprinted: usize,
}

impl Summary {
    /// Counts these cells.
    #[must_use]
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Self {
        let mut summary = Self::default();
        for cell in cells {
            summary.cells += 1;
            match cell.verdict {
                Verdict::Agrees => summary.agree += 1,
                Verdict::Differs => summary.differ += 1,
                Verdict::AgreesUnder(_) => summary.under += 1,
                Verdict::Doubtful(_) => summary.doubtful += 1,
                Verdict::Open(_) => summary.open += 1,
                Verdict::Unprinted => summary.unprinted += 1,
            }
        }
        summary
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cells,
            agree,
            differ,
            under,
            doubtful,
            open,
            unprinted,
        } = self;
        write!(
            f,
            "{cells} cells: {agree} agree, {differ} differ, {doubtful} doubtful in the paper, {open} open"
        )?;
        if *under > 0 {
            write!(f, ", {under} agree under another reading")?;
        }
        match unprinted {
            0 => Ok(()),
            _ => write!(
                f,
                ", {unprinted} without a verdict, because the paper prints no number"
            ),
        }
    }
}

/// Where the printed number should be, or why that is not known.
struct Expected {
    ours: Value,
    bounds: Option<[f64; 2]>,
    verdict: Verdict,
}

impl Cell {
    /// Compares a printed number with these samples of its run; there is at least one.
    pub(crate) fn new(table: &Experiment, id: CellId, samples: &[&Sample], scale: f64) -> Self {
        let measure = table.measure(id);
        let printed = table.row(id).get(&measure.column);
        let values: Vec<&Measured> = samples
            .iter()
            .filter_map(|sample| sample.values.get(id.place))
            .collect();
        let games = table.games_of(id);
        let unit = measure.unit(games).unwrap_or(1.0);
        let numbers: Vec<f64> = values
            .iter()
            .filter_map(|value| value.number())
            .map(|number| number * unit)
            .collect();
        let expected = if measure.kind == Kind::Text {
            compare_words(printed, &values)
        } else if numbers.is_empty() {
            let why = "not found within the limits of this run".to_owned();
            Expected {
                ours: Value::Null,
                bounds: None,
                verdict: printed.map_or(Verdict::Unprinted, |_| Verdict::Open(why)),
            }
        } else {
            let printed = printed.and_then(|text| Some((text.parse().ok()?, rounding(text))));
            let question = Question {
                printed,
                unit,
                least: measure.least,
                most: measure.most(games),
                games,
                scale,
                is_count: measure.kind == Kind::Count,
                scatters: table.procedure(id.run).scatters(),
            };
            question.compare(&numbers, &values)
        };
        let doubt = table
            .doubt(id)
            .filter(|_| expected.verdict == Verdict::Differs);
        let shares: Vec<f64> = samples
            .iter()
            .filter_map(|sample| sample.live_gradient_share)
            .collect();
        let count = |of: fn(&Sample) -> Option<bool>| {
            let known: Vec<bool> = samples.iter().filter_map(|sample| of(sample)).collect();
            (!known.is_empty()).then(|| known.iter().filter(|&&is_so| is_so).count())
        };
        let played = values.iter().filter_map(|value| match value {
            Measured::Games { games, .. } => Some(*games),
            _ => None,
        });
        let extreme = |of: fn(f64, f64) -> f64| numbers.iter().copied().reduce(of);
        Self {
            cell: table.cell_name(id),
            paper: match (measure.kind, printed) {
                (_, None) => Value::Null,
                (Kind::Text, Some(word)) => word.into(),
                (_, Some(text)) => text.parse::<f64>().map_or(text.into(), tidy),
            },
            ours: expected.ours,
            low: expected.bounds.map(|bounds| round(bounds[0])),
            high: expected.bounds.map(|bounds| round(bounds[1])),
            verdict: match doubt {
                Some(why) => Verdict::Doubtful(why.to_owned()),
                None => expected.verdict,
            },
            table: table.name(),
            reading: table.reading().map(|reading| reading.name.clone()),
            run: id.run,
            seeds: samples.len(),
            games: played.reduce(|all, games| all + games),
            lowest: extreme(f64::min).map(round),
            highest: extreme(f64::max).map(round),
            median: median(&numbers).map(round),
            live_gradient_share: (!shares.is_empty()).then(|| round(mean(&shares))),
            dead: count(|sample| sample.dead),
            exploded: count(|sample| sample.exploded).filter(|&exploded| exploded > 0),
            seconds: samples.iter().map(|sample| sample.seconds).sum(),
        }
    }
}

/// With fewer seeds the spread of trainings is as good as unknown.
pub(crate) const FEWEST_SEEDS: usize = 4;
/// The widest interval, as a share of all games, that tells something.
const WIDEST: f64 = 0.25;
/// The widest interval, as a share of all numbers that there can be, with which anything agrees.
const NEARLY_ALL: f64 = 0.9;

/// What is known about the printed number beside our values.
struct Question {
    /// The printed number, and half of the last digit's worth.
    printed: Option<(f64, f64)>,
    unit: f64,
    /// The smallest number that there can be.
    least: f64,
    /// The largest number that there can be.
    most: f64,
    /// The games that the printed share is of.
    games: Option<u64>,
    scale: f64,
    is_count: bool,
    scatters: bool,
}

impl Question {
    fn compare(&self, numbers: &[f64], values: &[&Measured]) -> Expected {
        let ours = mean(numbers);
        let pooled = pooled(values);
        let bounds = if self.scatters {
            let more = one_more(numbers).map(|bounds| self.widened(bounds, values));
            more.or_else(|| {
                // A single run: at least its games are a sample.
                let [low, high] = pooled.map(|(wins, games)| wilson(wins, games))?;
                Some([low * self.unit, high * self.unit])
            })
        } else {
            pooled.map(|(wins, games)| {
                let [low, high] = match (self.printed, self.games) {
                    (Some((printed, _)), Some(others)) => {
                        another_share(wins, games, printed / self.unit, others as f64)
                    }
                    _ => wilson(wins, games),
                };
                [low * self.unit, high * self.unit]
            })
        };
        let bounds = bounds.map(|[low, high]| [low.max(self.least), high.min(self.most)]);
        Expected {
            ours: tidy(ours),
            // Exact numbers come out the same again; how one training scatters is not known.
            bounds: bounds.or((!self.scatters).then_some([ours, ours])),
            verdict: self.verdict(bounds.unwrap_or([ours, ours]), numbers, pooled.is_some()),
        }
    }

    /// These bounds, or wider: what is printed may be of other games of a network like one of ours.
    fn widened(&self, bounds: [f64; 2], values: &[&Measured]) -> [f64; 2] {
        let (Some((printed, _)), Some(others)) = (self.printed, self.games) else {
            return bounds;
        };
        values.iter().fold(bounds, |[low, high], value| {
            let Measured::Games { wins, games } = value else {
                return [low, high];
            };
            let share = printed / self.unit;
            let again = another_share(*wins as f64, *games as f64, share, others as f64);
            [
                low.min(again[0] * self.unit),
                high.max(again[1] * self.unit),
            ]
        })
    }

    /// `sampled` says that the numbers are shares of games.
    fn verdict(&self, [low, high]: [f64; 2], numbers: &[f64], sampled: bool) -> Verdict {
        let Some((printed, rounding)) = self.printed else {
            return Verdict::Unprinted;
        };
        // Less training is another experiment, whatever comes of it.
        if self.scatters && self.scale < 1.0 {
            let share = 100.0 * self.scale;
            return Verdict::Open(format!("only {share} % of the games were played"));
        }
        if self.scatters && numbers.len() < FEWEST_SEEDS {
            let why = format!("training scatters, and {FEWEST_SEEDS} seeds or more show how");
            return Verdict::Open(why);
        }
        let slack = if self.is_count { 0.0 } else { rounding } + 1e-9 * printed.abs();
        if !(low - slack..=high + slack).contains(&printed) {
            return Verdict::Differs;
        }
        // An interval that holds nearly every number that there can be agrees with anything.
        if high - low > NEARLY_ALL * (self.most - self.least) {
            let why = "one more run could end almost anywhere";
            return Verdict::Open(why.to_owned());
        }
        // So does a wide one; what is among our own numbers agrees for certain.
        let among = numbers.iter().any(|&number| number <= printed + slack)
            && numbers.iter().any(|&number| number >= printed - slack);
        if sampled && !among && high - low > WIDEST * self.unit {
            let why = match self.scatters {
                true => "trainings scatter too widely to tell",
                false => "there are too few games to tell",
            };
            return Verdict::Open(why.to_owned());
        }
        Verdict::Agrees
    }
}

/// All games of all seeds: won, played.
fn pooled(values: &[&Measured]) -> Option<(f64, f64)> {
    let games = values.iter().filter_map(|value| match value {
        Measured::Games { wins, games } => Some((*wins as f64, *games as f64)),
        _ => None,
    });
    games.reduce(|(wins, games), (more_wins, more_games)| (wins + more_wins, games + more_games))
}

fn compare_words(printed: Option<&str>, values: &[&Measured]) -> Expected {
    let ours = values.iter().find_map(|value| match value {
        Measured::Text(word) => Some(word.as_str()),
        _ => None,
    });
    let verdict = match (printed, ours) {
        (_, None) => Verdict::Open("not found within the limits of this run".to_owned()),
        (None | Some("unknown"), Some(_)) => Verdict::Open("the paper leaves it open".to_owned()),
        (Some(printed), Some(ours)) if printed == ours => Verdict::Agrees,
        _ => Verdict::Differs,
    };
    Expected {
        ours: ours.map_or(Value::Null, Into::into),
        bounds: None,
        verdict,
    }
}

/// Half of what the last digit of a printed number is worth.
fn rounding(text: &str) -> f64 {
    let digits = text
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len() as i32);
    // A ratio printed as 0 or 1 was not rounded to whole numbers.
    if digits == 0 && matches!(text, "0" | "1") {
        return 0.0;
    }
    0.5 * 10f64.powi(-digits)
}

/// Six digits are enough for every table.
fn round(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let digits = (6 - number.abs().log10().ceil() as i32).clamp(0, 12);
    let factor = 10f64.powi(digits);
    (number * factor).round() / factor
}

/// A number as JSON, without a useless fraction.
fn tidy(number: f64) -> Value {
    let number = round(number);
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return Value::from(number as i64);
    }
    Value::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(round(97_955.123_456), 97955.1);
        assert_eq!(round(0.123_456_789), 0.123_457);
        assert_eq!(tidy(52.0), Value::from(52));
        assert_eq!(rounding("97.42"), 0.005);
        assert_eq!(rounding("98"), 0.5);
        assert_eq!(rounding("1"), 0.0);
    }

    fn sample(seed: u64, wins: u64, games: u64) -> Sample {
        Sample {
            table: "leiden2018/5.4".to_owned(),
            run: 0,
            seed,
            values: vec![Measured::games(wins, games)],
            live_gradient_share: Some(0.5),
            dead: Some(seed == 0),
            exploded: None,
            curve: Vec::new(),
            seconds: 1.0,
            scale: None,
            version: None,
        }
    }

    /// Table 5.4's first cell prints 35,179 wins of 100,000.
    #[test]
    fn one_training_run_does_not_make_a_difference() {
        let table = Experiment::find("leiden2018/5.4").unwrap();
        let id = table.cells().next().unwrap();
        let judged = |wins: &[u64], scale: f64| {
            let samples: Vec<Sample> = (0..)
                .zip(wins)
                .map(|(seed, &wins)| sample(seed, wins, 100_000))
                .collect();
            let samples: Vec<&Sample> = samples.iter().collect();
            Cell::new(&table, id, &samples, scale)
        };
        assert!(matches!(judged(&[35_100], 1.0).verdict, Verdict::Open(_)));
        let close = [35_100, 35_000, 35_300, 34_900];
        assert_eq!(judged(&close, 1.0).verdict, Verdict::Agrees);
        assert!(matches!(judged(&close, 0.5).verdict, Verdict::Open(_)));
        assert!(matches!(judged(&[60_000], 1.0).verdict, Verdict::Open(_)));
        let many = [60_000, 60_100, 60_200, 59_900];
        assert_eq!(judged(&many, 1.0).verdict, Verdict::Differs);
        assert!(matches!(judged(&many, 0.5).verdict, Verdict::Open(_)));
        let far = judged(&[50_000, 90_000, 70_000, 80_000], 1.0);
        assert!(matches!(far.verdict, Verdict::Open(_)));
        let wide = judged(&[20_000, 60_000, 40_000, 40_000], 1.0);
        assert!(matches!(wide.verdict, Verdict::Open(_)));
        assert_eq!((wide.ours, wide.dead), (Value::from(40_000), Some(1)));
        assert_eq!((wide.low, wide.high), (Some(0.0), Some(100_000.0)));
        // One network among many died as the printed one may have, and played other games.
        let mut living = vec![95_000; 15];
        living.push(35_400);
        assert!(matches!(judged(&living, 1.0).verdict, Verdict::Open(_)));
        living[15] = 36_400;
        assert_eq!(judged(&living, 1.0).verdict, Verdict::Differs);
    }
}
