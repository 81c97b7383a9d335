//! How much time the sides have, per move and per game, and the clocks that run while they think.
//!
//! A side whose time is up when it moves has lost. So that an agent that heeds its budget is never too
//! late, the budget of a turn ends a little before the flag falls.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use upstar_games::{Color, excerpt};
use upstar_jobs::quantity;

/// How much time the sides have: `100ms/move`, `60s+1s` (for the game, and more with each move),
/// `5m`, both (`60s+1s,5s/move`), or `none`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The most time for one move.
    pub per_move: Option<Duration>,
    /// The time for the whole game.
    pub per_game: Option<Bank>,
}

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bank {
    /// What a side has in the beginning.
    pub main: Duration,
    /// What it gets with every move it makes.
    pub increment: Duration,
}

impl TimeControl {
    /// As much time as anybody wants.
    pub const NONE: Self = Self {
        per_move: None,
        per_game: None,
    };

    /// Whether no clock runs.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

/// Reads a time like 500ms, 60s, 5m or 2h; nothing and more than a thousand hours are refused.
fn time(text: &str) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_secs(3_600_000);
    quantity::duration(text)
        .ok()
        .filter(|&time| time <= LONGEST)
}

/// A time as it is written: in the largest unit that leaves no fraction.
struct Written(Duration);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        let units = [("h", 3600), ("m", 60), ("s", 1)];
        let whole = |&(_, seconds): &(&str, u128)| nanos.is_multiple_of(seconds * 1_000_000_000);
        match units.into_iter().find(whole) {
            Some((unit, seconds)) => write!(f, "{}{unit}", nanos / (seconds * 1_000_000_000)),
            None => write!(f, "{}ms", nanos as f64 / 1e6),
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let refused = || TimeError(excerpt(text));
        let mut control = Self::NONE;
        if text == "none" {
            return Ok(control);
        }
        let positive = |text| time(text).filter(|time| !time.is_zero());
        for part in text.split(',').map(str::trim) {
            if let Some(limit) = part.strip_suffix("/move") {
                let limit = positive(limit).ok_or_else(refused)?;
                if control.per_move.replace(limit).is_some() {
                    return Err(refused());
                }
            } else {
                let (main, increment) = part.split_once('+').unwrap_or((part, "0s"));
                let bank = Bank {
                    main: positive(main).ok_or_else(refused)?,
                    increment: time(increment).ok_or_else(refused)?,
                };
                if control.per_game.replace(bank).is_some() {
                    return Err(refused());
                }
            }
        }
        Ok(control)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        if let Some(Bank { main, increment }) = self.per_game {
            write!(f, "{}", Written(main))?;
            if !increment.is_zero() {
                write!(f, "+{}", Written(increment))?;
            }
        }
        if let Some(limit) = self.per_move {
            let comma = if self.per_game.is_some() { "," } else { "" };
            write!(f, "{comma}{}/move", Written(limit))?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeError;

    fn try_from(text: String) -> Result<Self, TimeError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

/// A text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control, like 100ms/move, 60s+1s, 5m or none")]
pub struct TimeError(String);

/// The clocks of both sides during one game. They run only for moves that are told to them, so whoever
/// plays by hand has all the time there is.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
}

/// A budget ends before the flag falls by this at most, so that an agent has time to answer.
const MOST_RESERVE: Duration = Duration::from_millis(50);

impl Clocks {
    /// Both sides have all their time.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let main = control.per_game.map_or(Duration::ZERO, |bank| bank.main);
        Self {
            control,
            left: [main; 2],
        }
    }

    /// What is left of the side's time for the whole game; `None` if there is no such limit.
    #[must_use]
    pub fn left(&self, side: Color) -> Option<Duration> {
        self.control.per_game.map(|_| self.left[side.index()])
    }

    /// What the side may use for its next move before its flag falls.
    fn limit(&self, side: Color) -> Option<Duration> {
        let left = self.left(side);
        left.into_iter().chain(self.control.per_move).min()
    }

    /// What the side should use for its next move at most: of the time for the game only the share of
    /// one move. Games end before the most plies that the rules allow, hence a quarter of them is
    /// taken for the side's moves to come.
    #[must_use]
    pub fn allotment(&self, side: Color, plies_left: u32) -> Option<Duration> {
        let limit = self.limit(side)?;
        let reserve = (limit / 10).min(MOST_RESERVE);
        let most = limit.saturating_sub(reserve);
        let share = self.control.per_game.map(|bank| {
            let moves = (plies_left / 4).max(2);
            self.left[side.index()] / moves + bank.increment.mul_f64(0.9)
        });
        Some(share.map_or(most, |share| share.min(most)))
    }

    /// Takes what a move took from the side's time; false if its flag has fallen.
    #[must_use = "whoever is too late has lost"]
    pub fn spend(&mut self, side: Color, used: Duration) -> bool {
        if self.limit(side).is_some_and(|limit| used > limit) {
            return false;
        }
        if let Some(bank) = self.control.per_game {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(used) + bank.increment;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        let check = |text: &str, written: &str| {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
            assert_eq!(written.parse(), Ok(control));
        };
        check("100ms/move", "100ms/move");
        check("60s+1s", "1m+1s");
        check("5m", "5m");
        check("1.5s+0s", "1500ms");
        check("2h,5s/move", "2h,5s/move");
        check("none", "none");
        for text in [
            "", "5", "0s", "-1s", "1s+", "1s,1s", "1s/moves", "nans", "infs", "9e9h", "9999999h",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_run_and_fall() {
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::new("10s+1s,8s/move".parse().unwrap());
        assert!(clocks.spend(Color::Black, seconds(8)));
        assert!(clocks.spend(Color::Black, seconds(3)));
        assert_eq!(clocks.limit(Color::Black), Some(seconds(1)));
        assert!(!clocks.spend(Color::Black, Duration::from_millis(1001)));
        assert!(!clocks.spend(Color::White, seconds(9)));
    }

    #[test]
    fn allotments_end_before_the_flag_falls() {
        let clocks = Clocks::new("100ms/move".parse().unwrap());
        let ms = Duration::from_millis;
        assert_eq!(clocks.allotment(Color::Black, 50), Some(ms(90)));
        let clocks = Clocks::new("10s".parse().unwrap());
        assert_eq!(clocks.allotment(Color::Black, 40), Some(ms(1000)));
        assert_eq!(clocks.allotment(Color::Black, 1), Some(ms(5000)));
        assert_eq!(
            Clocks::new(TimeControl::NONE).allotment(Color::White, 9),
            None
        );
    }
}
