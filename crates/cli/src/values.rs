//! Values of options as users write them. What is none is refused with a sentence that names the text,
//! the limit, and the option in a right example.

use std::fmt::Display;
use std::ops::RangeInclusive;

use clap::Args;
use upstar_games::{Random, excerpt};
use upstar_jobs::quantity;

/// `--seed`, wherever there is randomness.
#[derive(Args)]
pub(crate) struct SeedOption {
    /// The seed of all randomness
    #[arg(long, value_name = "N", default_value_t = Random::DEFAULT_SEED, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: u64,
}

/// `--threads`, where results do not depend on their number.
#[derive(Args)]
pub(crate) struct ThreadsOption {
    /// The number of threads; results do not depend on it [default: all cores]
    #[arg(long = "threads", value_name = "N", allow_negative_numbers = true, value_parser = quantity::threads)]
    pub(crate) given: Option<usize>,
}

impl ThreadsOption {
    /// As many as were given, or all cores.
    pub(crate) fn number(&self) -> usize {
        self.given.unwrap_or_else(all_cores)
    }
}

/// How many threads this machine runs at a time.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Reads a whole number in this range: `what` it is of, and an example that is right.
pub(crate) fn whole<T: TryFrom<u64>>(
    what: &'static str,
    range: RangeInclusive<u64>,
    right: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let (text, least, most) = (excerpt(text), range.start(), range.end());
            format!("'{text}' is not a {what} from {least} to {most}, like {right}")
        })
    }
}

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    whole("seed", 0..=u64::MAX, "--seed 7")(text)
}

/// Reads how long to measure, in seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|seconds| (0.001..=86_400.0).contains(seconds))
        .ok_or_else(|| {
            let text = excerpt(text);
            format!("'{text}' is not a time from 0.001 to 86400 seconds, like --seconds 2")
        })
}

/// Reads what has a parser of its own, whose sentence gets an example of this option.
pub(crate) fn option<T: 'static, E: Display + 'static>(
    read: fn(&str) -> Result<T, E>,
    right: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| read(text).map_err(|error| format!("{error}; right is {right}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_or_refused_with_a_sentence() {
        let games = whole::<u16>("number of games", 1..=1000, "--games 100");
        assert_eq!(games("1000"), Ok(1000));
        for text in ["0", "1001", "x", "", "-1", "1.5", "99999999999999999999"] {
            let sentence =
                format!("'{text}' is not a number of games from 1 to 1000, like --games 100");
            assert_eq!(games(text), Err(sentence));
        }
        assert_eq!(seed(&u64::MAX.to_string()), Ok(u64::MAX));
        assert_eq!(seconds("2"), Ok(2.0));
        for text in ["0", "NaN", "inf", "soon", "-1"] {
            assert!(seconds(text).unwrap_err().ends_with("like --seconds 2"));
        }
    }
}
