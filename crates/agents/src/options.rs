//! What stands behind an agent's name: a limit, then options like `c=0.7`, each read once and refused
//! with its limits and an example.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use upstar_games::excerpt;
use upstar_jobs::quantity::{self, MOST_MEMORY};

use crate::spec::AgentSpecError;

/// How much an agent may think about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many playouts, simulations or positions.
    Count(u64),
    /// So long.
    Time(Duration),
}

impl Limit {
    /// The largest number that can be asked for.
    pub const MOST: u64 = 1_000_000_000_000;
    /// The longest time that can be asked for.
    pub const LONGEST: Duration = Duration::from_secs(24 * 3600);

    /// The time, if that is what limits.
    #[must_use]
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time),
            Self::Count(_) => None,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "{}s", time.as_secs()),
            Self::Time(time) => write!(f, "{}ms", time.as_millis()),
        }
    }
}

impl FromStr for Limit {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let refused = || {
            let shown = excerpt(text);
            AgentSpecError(format!(
                "'{shown}' is not a limit: give a number from 1 to {} or a time from 1ms to 24h, like 1000, 100ms or 2s",
                Self::MOST
            ))
        };
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let count = text
                .parse()
                .ok()
                .filter(|count| (1..=Self::MOST).contains(count));
            return count.map(Self::Count).ok_or_else(refused);
        }
        let time = quantity::duration(text).map_err(|_| refused())?;
        let millis = (time.as_secs_f64() * 1e3).round();
        let longest = Self::LONGEST.as_millis() as f64;
        (1.0..=longest)
            .contains(&millis)
            .then(|| Self::Time(Duration::from_millis(millis as u64)))
            .ok_or_else(refused)
    }
}

/// The options of one specification, to be taken out by name.
pub(crate) struct Options<'a> {
    /// The agent's name, for messages.
    agent: &'static str,
    /// The options that there are, with their limits.
    usage: &'static str,
    /// A right specification.
    example: &'static str,
    rest: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    /// Reads `LIMIT,name=value,…`; the limit is `None` if nothing stands there.
    pub(crate) fn read(
        agent: &'static str,
        usage: &'static str,
        example: &'static str,
        text: Option<&'a str>,
    ) -> Result<(Option<&'a str>, Self), AgentSpecError> {
        let mut options = Self {
            agent,
            usage,
            example,
            rest: Vec::new(),
        };
        let mut limit = None;
        for (place, part) in text.iter().flat_map(|text| text.split(',')).enumerate() {
            // The file of a network may have the sign in its path, where no option's name ends.
            let is_option = |(name, _): &(&str, &str)| !name.contains(['/', '\\', '.']);
            match part.split_once('=').filter(is_option) {
                None if place == 0 => limit = Some(part),
                None => {
                    return Err(options.refused(&format!("'{}' is not an option", excerpt(part))));
                }
                Some((name, value)) => {
                    if options.rest.iter().any(|&(other, _)| other == name) {
                        let sentence = format!("the option '{}' is given twice", excerpt(name));
                        return Err(options.refused(&sentence));
                    }
                    options.rest.push((name, value));
                }
            }
        }
        Ok((limit, options))
    }

    /// A refusal that says what would be right.
    pub(crate) fn refused(&self, what: &str) -> AgentSpecError {
        let Self {
            agent,
            usage,
            example,
            ..
        } = self;
        AgentSpecError(format!(
            "{what}; {agent} takes {usage}, for example {example}"
        ))
    }

    /// The limit, which this agent needs.
    pub(crate) fn limit(&self, text: Option<&str>) -> Result<Limit, AgentSpecError> {
        match text {
            Some(text) => text
                .parse()
                .map_err(|AgentSpecError(sentence)| self.refused(&sentence)),
            None => Err(self.refused(&format!("{} needs a limit", self.agent))),
        }
    }

    /// Takes an option's value out, as `read` understands it.
    pub(crate) fn take<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, AgentSpecError> {
        let Some(place) = self.rest.iter().position(|&(other, _)| other == name) else {
            return Ok(None);
        };
        let (_, value) = self.rest.remove(place);
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => {
                let sentence = format!(
                    "'{}' is not a valid value of the option {name}",
                    excerpt(value)
                );
                Err(self.refused(&sentence))
            }
        }
    }

    /// Makes sure that nothing is left.
    pub(crate) fn finish(self) -> Result<(), AgentSpecError> {
        match self.rest.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(self.refused(&format!("there is no option '{}'", excerpt(name))))
            }
        }
    }
}

/// A number between two others.
pub(crate) fn between<T: FromStr + PartialOrd>(least: T, most: T) -> impl Fn(&str) -> Option<T> {
    move |text| {
        let number = text.parse().ok()?;
        (least <= number && number <= most).then_some(number)
    }
}

/// `true` or `false`.
pub(crate) fn truth(text: &str) -> Option<bool> {
    text.parse().ok()
}

/// The least memory that can be asked for: searches of agents do with less than solvers.
pub(crate) const LEAST_MEMORY: usize = 1 << 20;

/// A size of memory like 64M or 1.5G, in whole kilobytes.
pub(crate) fn memory(text: &str) -> Option<usize> {
    let bytes = quantity::bytes(text).ok()?;
    let possible = LEAST_MEMORY..=MOST_MEMORY;
    possible.contains(&bytes).then_some(bytes >> 10 << 10)
}

/// The same as text.
pub(crate) fn memory_text(bytes: usize) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{}G", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ => format!("{}K", bytes >> 10),
    }
}
