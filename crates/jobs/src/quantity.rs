//! Times, sizes and numbers as people write them: `500ms`, `4G`, `5e6`.

use std::time::Duration;

/// The most threads that make sense.
pub const MOST_THREADS: usize = 256;
/// The least memory that can be set, in bytes.
pub const LEAST_MEMORY: usize = 32 << 20;
/// The most memory that can be set, in bytes.
pub const MOST_MEMORY: usize = 1000 << 30;

/// Reads a time: `500ms`, `60s`, `5m`, `2h`.
///
/// # Errors
/// If the text is not a time.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let read = |(unit, seconds): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Duration::try_from_secs_f64(number * seconds).ok()
    };
    let found = units.into_iter().find_map(read);
    found.ok_or_else(|| QuantityError::new(text, "a time, like 500ms, 60s or 5m"))
}

/// Reads an amount of memory in bytes: `512M`, `4G`, `4GiB`.
///
/// # Errors
/// If the text is not an amount of memory, or less than [`LEAST_MEMORY`] or more than [`MOST_MEMORY`].
pub fn memory(text: &str) -> Result<usize, QuantityError> {
    let bytes = bytes(text).ok();
    let bytes = bytes.filter(|bytes| (LEAST_MEMORY..=MOST_MEMORY).contains(bytes));
    bytes.ok_or_else(|| {
        QuantityError::new(text, "a size of memory from 32M to 1000G, like 512M or 4G")
    })
}

/// Reads a size in bytes, without the limits of [`memory`]: `64K`, `1.5G`, `4GiB`.
///
/// # Errors
/// If the text is not a size.
pub fn bytes(text: &str) -> Result<usize, QuantityError> {
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let digits = text.trim_end_matches(['B', 'b', 'i']);
    let read = |(unit, shift): (&str, u32)| {
        let number: f64 = digits.strip_suffix(unit)?.parse().ok()?;
        Some(number * f64::from(1u32 << shift))
    };
    let found = units.into_iter().find_map(read);
    let found = found.filter(|bytes| (0.0..=usize::MAX as f64).contains(bytes));
    let bytes = found.map(|bytes| bytes as usize);
    bytes.ok_or_else(|| QuantityError::new(text, "a size, like 64K, 512M or 4G"))
}

/// Reads a number of positions, games or simulations: `5000000`, `5e6`.
///
/// # Errors
/// If the text is not a whole number from 0.
pub fn count(text: &str) -> Result<u64, QuantityError> {
    let is_whole = |number: &f64| (0.0..1e18).contains(number) && number.fract() == 0.0;
    let rounded = || {
        let number = text.parse().ok().filter(is_whole)?;
        Some(number as u64)
    };
    let number = text.parse().ok().or_else(rounded);
    number.ok_or_else(|| QuantityError::new(text, "a whole number, like 5000000 or 5e6"))
}

/// Reads a number of threads.
///
/// # Errors
/// If the text is not a number from 1 to [`MOST_THREADS`].
pub fn threads(text: &str) -> Result<usize, QuantityError> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MOST_THREADS).contains(number));
    number.ok_or_else(|| QuantityError::new(text, "a number of threads from 1 to 256"))
}

/// So many of these: `1 node`, `2,000 nodes`.
#[must_use]
pub fn counted(number: impl Into<u128>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{} {noun}s", grouped(number)),
    }
}

/// A number with its thousands apart: 1 234 567 as `1,234,567`.
#[must_use]
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text that is not the quantity asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not {wanted}")]
pub struct QuantityError {
    text: String,
    wanted: &'static str,
}

impl QuantityError {
    fn new(text: &str, wanted: &'static str) -> Self {
        const LONGEST: usize = 40;
        let shown = text.chars().take(LONGEST).flat_map(char::escape_debug);
        let text = shown.collect();
        Self { text, wanted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(memory("64M"), Ok(64 << 20));
        assert_eq!(memory("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("1.5K"), Ok(1536));
        assert_eq!(count("5e6"), Ok(5_000_000));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(threads("256"), Ok(256));
    }

    #[test]
    fn other_texts_are_refused_with_a_sentence() {
        for text in ["", "5", "s", "-1s", "5 s", "1e999h", "nans"] {
            assert!(duration(text).is_err(), "{text}");
        }
        for text in ["", "4", "1M", "2000G", "nanG", "-1G"] {
            assert!(memory(text).is_err(), "{text}");
        }
        for text in ["", "4", "nanG", "infG", "-1G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        for text in ["", "-1", "1.5", "inf", "1e18"] {
            assert!(count(text).is_err(), "{text}");
        }
        assert!(threads("0").is_err() && threads("257").is_err());
        let sentence = "'soon' is not a time, like 500ms, 60s or 5m";
        assert_eq!(duration("soon").unwrap_err().to_string(), sentence);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1000u64), "1,000");
        assert_eq!(grouped(74_662_024u64), "74,662,024");
    }
}
