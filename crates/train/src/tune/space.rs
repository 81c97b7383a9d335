//! The values that a search may try: a range or a list for each key of a configuration.

use serde::Deserialize;
use toml::{Table, Value};
use upstar_games::Random;

/// The values of one key.
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// Any number between two, each power of ten as likely as the next.
    LogUniform(f64, f64),
    /// Any number between two.
    Uniform(f64, f64),
    /// A whole number from one to another, both included.
    Integers(i64, i64),
    /// One of these.
    Choices(Vec<Value>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Written {
    LogUniform([f64; 2]),
    Uniform([f64; 2]),
    Integers([i64; 2]),
    Choices(Vec<Value>),
}

pub(crate) const EXAMPLE: &str = "\"learning.rate\" = { log_uniform = [1e-4, 1e-1] }";

impl Range {
    /// Reads `{ log_uniform = [1e-4, 1e-1] }`; an error is a sentence.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let kinds = "a range is log_uniform, uniform or integers with two numbers, or choices";
        let written: Written = value
            .clone()
            .try_into()
            .map_err(|_| format!("{kinds}, not {value}"))?;
        let range = match written {
            Written::LogUniform([low, high]) => Self::LogUniform(low, high),
            Written::Uniform([low, high]) => Self::Uniform(low, high),
            Written::Integers([low, high]) => Self::Integers(low, high),
            Written::Choices(values) => Self::Choices(values),
        };
        match &range {
            Self::LogUniform(low, _) if *low <= 0.0 => Err(format!(
                "{low} has no logarithm; log_uniform begins above 0"
            )),
            Self::LogUniform(low, high) | Self::Uniform(low, high)
                if !(low < high && (high - low).is_finite()) =>
            {
                Err(format!("{high} is not above {low}"))
            }
            Self::Integers(low, high) if low >= high || high.abs_diff(*low) > 1 << 30 => Err(
                format!("{high} is not above {low}, or by more than a thousand million"),
            ),
            Self::Choices(values) if values.len() < 2 => {
                Err("there is no choice with less than 2 values".to_owned())
            }
            _ => Ok(range),
        }
    }

    fn draw(&self, random: &mut Random) -> Value {
        match self {
            Self::LogUniform(..) | Self::Uniform(..) => self.at(&[random.unit()]),
            Self::Integers(low, high) => {
                let count = high.abs_diff(*low) as u32 + 1;
                Value::Integer(low + i64::from(random.below(count)))
            }
            Self::Choices(values) => values[random.below(values.len() as u32) as usize].clone(),
        }
    }

    /// How many coordinates stand for it: one for a number, one for each choice.
    fn coordinates(&self) -> usize {
        match self {
            Self::Choices(values) => values.len(),
            _ => 1,
        }
    }

    /// The value at these coordinates. That of a number goes from 0 to 1 and is reflected at both ends;
    /// of choices the one with the largest coordinate wins.
    fn at(&self, coordinates: &[f64]) -> Value {
        let folded = coordinates[0].rem_euclid(2.0);
        let share = folded.min(2.0 - folded);
        match self {
            Self::LogUniform(low, high) => {
                let (from, to) = (low.ln(), high.ln());
                Value::Float(rounded((from + (to - from) * share).exp()))
            }
            Self::Uniform(low, high) => Value::Float(rounded(low + (high - low) * share)),
            Self::Integers(low, high) => {
                let count = (high - low + 1) as f64;
                Value::Integer((low + (share * count) as i64).min(*high))
            }
            Self::Choices(values) => {
                let places = 0..values.len();
                // The first of equal ones.
                let largest = places
                    .rev()
                    .max_by(|&a, &b| coordinates[a].total_cmp(&coordinates[b]));
                values[largest.unwrap_or(0)].clone()
            }
        }
    }

    /// Its ends, or all choices.
    fn extremes(&self) -> Vec<Value> {
        match self {
            Self::Choices(values) => values.clone(),
            _ => vec![self.at(&[0.0]), self.at(&[1.0])],
        }
    }

    /// Where a value stands on an axis: numbers as they are or as logarithms, choices by their place.
    #[must_use]
    pub fn place(&self, value: &Value) -> f64 {
        let number = match value {
            Value::Float(number) => *number,
            Value::Integer(number) => *number as f64,
            _ => 0.0,
        };
        match self {
            Self::LogUniform(..) => number.ln(),
            Self::Uniform(..) | Self::Integers(..) => number,
            Self::Choices(values) => {
                let found = values.iter().position(|choice| choice == value);
                found.unwrap_or(values.len()) as f64
            }
        }
    }

    /// The lowest and the highest place.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        match self {
            Self::LogUniform(low, high) => (low.ln(), high.ln()),
            Self::Uniform(low, high) => (*low, *high),
            Self::Integers(low, high) => (*low as f64, *high as f64),
            Self::Choices(values) => (-0.5, values.len() as f64 - 0.5),
        }
    }

    /// Places with what stands there.
    #[must_use]
    pub fn marks(&self) -> Vec<(f64, String)> {
        match self {
            Self::LogUniform(low, high) => {
                let middle = (low * high).sqrt();
                vec![
                    (low.ln(), format!("{low:e}")),
                    (middle.ln(), format!("{middle:.1e}")),
                    (high.ln(), format!("{high:e}")),
                ]
            }
            Self::Uniform(low, high) => vec![(*low, low.to_string()), (*high, high.to_string())],
            Self::Integers(low, high) => {
                let mark = |number: i64| (number as f64, number.to_string());
                vec![mark(*low), mark(*high)]
            }
            Self::Choices(values) => {
                let mark = |value| {
                    let label: String = shown(value).chars().take(12).collect();
                    (self.place(value), label)
                };
                values.iter().map(mark).collect()
            }
        }
    }

    /// Whether its values have an order: numbers do, and choices between numbers.
    pub(crate) fn is_ordered(&self) -> bool {
        match self {
            Self::Choices(values) => {
                let places: Option<Vec<f64>> = values.iter().map(number).collect();
                places.is_some_and(|places| places.is_sorted())
            }
            _ => true,
        }
    }
}

/// A value for people.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Float(number) if *number != 0.0 && number.abs() < 1e-3 => format!("{number:e}"),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// Three digits: more only look exact.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// What is searched: keys with their sections, and their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Space(pub Vec<(String, Range)>);

impl Space {
    /// The values of a trial. They depend on the seed and its number alone.
    #[must_use]
    pub fn draw(&self, seed: u64, trial: usize) -> Vec<Value> {
        let mut random = Random::for_game(seed, trial as u64);
        let ranges = self.0.iter();
        ranges.map(|(_, range)| range.draw(&mut random)).collect()
    }

    /// For each key the coordinates that stand for it in a point of the space.
    pub(super) fn coordinates(&self) -> Vec<std::ops::Range<usize>> {
        let mut next = 0;
        let each = self.0.iter().map(|(_, range)| {
            let begin = next;
            next += range.coordinates();
            begin..next
        });
        each.collect()
    }

    /// The values at a point.
    pub(super) fn at(&self, point: &[f64]) -> Vec<Value> {
        let places = self.coordinates().into_iter();
        let ranges = self.0.iter().zip(places);
        ranges
            .map(|((_, range), place)| range.at(&point[place]))
            .collect()
    }

    /// The values given, with each key in turn at the ends of its range or at each of its choices.
    pub(super) fn extremes(&self, values: &[Value]) -> Vec<Vec<Value>> {
        let keys = self.0.iter().enumerate();
        let each = keys.flat_map(|(index, (_, range))| {
            let changed = move |value| {
                let mut values = values.to_vec();
                values[index] = value;
                values
            };
            range.extremes().into_iter().map(changed)
        });
        each.collect()
    }

    /// A configuration with these values in it.
    #[must_use]
    pub fn apply(&self, base: &Table, values: &[Value]) -> Table {
        let mut table = base.clone();
        for ((key, _), value) in self.0.iter().zip(values) {
            match key.split_once('.') {
                None => {
                    table.insert(key.clone(), value.clone());
                }
                Some((section, key)) => {
                    let inner = table
                        .entry(section)
                        .or_insert_with(|| Value::Table(Table::new()));
                    if let Value::Table(inner) = inner {
                        inner.insert(key.to_owned(), value.clone());
                    }
                }
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Result<Range, String> {
        let table: Table = toml::from_str(&format!("r = {text}")).unwrap();
        Range::read(&table["r"])
    }

    #[test]
    fn values_are_within_their_ranges() {
        let texts = [
            "{ log_uniform = [1e-4, 1e-1] }",
            "{ uniform = [-1.0, 1.0] }",
            "{ integers = [3, 5] }",
            "{ choices = [\"a\", \"b\"] }",
        ];
        let named = |(i, text): (usize, &&str)| (format!("s.k{i}"), range(text).unwrap());
        let space = Space(texts.iter().enumerate().map(named).collect());
        let mut below = 0;
        for trial in 0..1000 {
            let values = space.draw(7, trial);
            assert_eq!(values, space.draw(7, trial));
            for ((_, range), value) in space.0.iter().zip(&values) {
                let (low, high) = range.ends();
                let place = range.place(value);
                assert!(low - 1e-2 <= place && place <= high + 1e-2, "{value}");
            }
            below += usize::from(values[0].as_float().unwrap() < 10f64.powf(-2.5));
            let table = space.apply(&Table::new(), &values);
            assert_eq!(table["s"]["k3"], values[3]);
        }
        assert!((450..550).contains(&below), "half of the decades: {below}");
    }

    #[test]
    fn points_have_values() {
        let keys = [
            ("a", "{ log_uniform = [1e-4, 1e-2] }"),
            ("b", "{ integers = [3, 5] }"),
            ("c", "{ choices = [\"x\", \"y\", \"z\"] }"),
        ];
        let space = Space(
            keys.map(|(key, text)| (key.to_owned(), range(text).unwrap()))
                .into(),
        );
        assert_eq!(space.coordinates(), [0..1, 1..2, 2..5]);
        let at = |point: [f64; 5]| {
            let values = space.at(&point);
            values.iter().map(shown).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(at([0.0, 0.0, 0.1, 0.3, 0.2]), "1e-4 3 y");
        assert_eq!(at([1.0, 1.0, 5.0, 5.0, 5.0]), "0.01 5 x");
        // Reflected at both ends.
        assert_eq!(at([-0.5, 1.1, 0.0, 0.0, 1.0]), "0.001 5 z");
        assert_eq!(at([2.5, -0.1, 0.0, 0.0, 1.0]), "0.001 3 z");
        assert_eq!(space.extremes(&space.at(&[0.5; 5])).len(), 7);
    }

    #[test]
    fn bad_ranges_are_refused() {
        for (text, said) in [
            ("{ log_uniform = [0.0, 1.0] }", "has no logarithm"),
            ("{ uniform = [1.0, 1.0] }", "is not above"),
            ("{ uniform = [1.0] }", "a range is"),
            ("{ integers = [5, 3] }", "is not above"),
            ("{ choices = [1] }", "there is no choice"),
            ("{ normal = [1, 2] }", "a range is"),
            ("7", "a range is"),
        ] {
            let error = range(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
