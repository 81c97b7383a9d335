//! Standard output: text for people, in colour where the terminal has it, or JSON lines.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

/// Where results go, and in which of the two forms.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether results are JSON objects.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints one result: as a JSON object, or as the text that `text` makes of it.
    pub(crate) fn print<T: Serialize, D: Display>(
        &self,
        result: &T,
        text: impl FnOnce(&T) -> D,
    ) -> io::Result<()> {
        if self.json {
            writeln!(io::stdout(), "{}", serde_json::to_string(result)?)
        } else {
            // Strips the colours for files, pipes and NO_COLOR.
            writeln!(anstream::stdout(), "{}", text(result))
        }
    }

    /// Tells of something on the way: only as a JSON object, people see a bar instead. The work goes on
    /// if nobody listens any more.
    pub(crate) fn happened(&self, what: &impl Serialize) -> io::Result<()> {
        match self.json {
            true => unless_closed(writeln!(io::stdout(), "{}", serde_json::to_string(what)?)),
            false => Ok(()),
        }
    }

    /// Prints a text in a format of its own, as it is.
    pub(crate) fn verbatim(&self, text: &str) -> io::Result<()> {
        write!(io::stdout(), "{text}")
    }
}

/// What writing came to, except that it is no error if nobody reads any more.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// So many of these: `1 node`, `2,000 nodes`.
pub(crate) fn counted(number: impl Into<u128>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{} {noun}s", grouped(number)),
    }
}

/// A number with its thousands apart: 1 234 567 as `1,234,567`.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1000u64), "1,000");
        assert_eq!(grouped(74_662_024u64), "74,662,024");
    }
}
