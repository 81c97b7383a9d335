//! Lines that a user types.

use std::io::{self, BufRead, Read};

use crate::failure::Failure;

/// The longest line that is looked at, in bytes.
pub(crate) const LONGEST: u64 = 1024;

/// What is said where no move can be taken back.
pub(crate) const NOTHING_TO_UNDO: &str = "there is nothing to take back";

/// What is on a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    End,
    TooLong,
    Words(String),
}

/// The next line without the blanks around it.
pub(crate) fn read_line(input: &mut impl BufRead) -> Result<Line, Failure> {
    let mut bytes = Vec::new();
    let mut piece = |bytes: &mut Vec<u8>| {
        bytes.clear();
        let read = input.by_ref().take(LONGEST + 1).read_until(b'\n', bytes);
        read.map_err(|error: io::Error| Failure::Io(format!("standard input: {error}")))
    };
    if piece(&mut bytes)? == 0 {
        return Ok(Line::End);
    }
    if bytes.len() as u64 <= LONGEST {
        let words = String::from_utf8_lossy(&bytes);
        return Ok(Line::Words(words.trim().to_owned()));
    }
    // The rest of it, a piece at a time: a line need not end.
    while bytes.last() != Some(&b'\n') && piece(&mut bytes)? > 0 {}
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_end_are_read_in_pieces() {
        let text = "a1b1\r\n".to_owned() + &"x".repeat(5000) + "\n quit";
        let mut input = text.as_bytes();
        let mut next = || match read_line(&mut input).unwrap() {
            Line::End => "end".to_owned(),
            Line::TooLong => "too long".to_owned(),
            Line::Words(words) => words,
        };
        let lines = [next(), next(), next(), next()];
        assert_eq!(lines, ["a1b1", "too long", "quit", "end"]);
    }
}
