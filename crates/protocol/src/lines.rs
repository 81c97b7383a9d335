//! Lines of input, none of which is longer than a megabyte whatever is sent.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is looked at, in bytes.
pub(crate) const LONGEST: usize = 1 << 20;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// What it says; bytes that are no UTF-8 are replaced.
    Text(String),
    /// It was longer than [`LONGEST`], and is gone.
    TooLong,
}

/// The next line; `None` at the end of the input.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let (mut any, mut too_long) = (false, false);
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        too_long |= bytes.len() + part.len() > LONGEST;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (any, too_long) {
        (false, _) => None,
        (true, true) => Some(InputLine::TooLong),
        (true, false) => Some(InputLine::Text(
            String::from_utf8_lossy(&bytes).into_owned(),
        )),
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(bytes: &[u8]) -> Vec<InputLine> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_end_at_line_feeds_or_with_the_input() {
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [text("")]);
        assert_eq!(
            all(b"one and more\n\nlast"),
            [text("one and more"), text(""), text("last")]
        );
        assert_eq!(all(b"\xff!\n"), [text("\u{fffd}!")]);
    }

    #[test]
    fn what_is_too_long_is_left_out_to_its_end() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.extend_from_slice(b"\nshort\n");
        assert_eq!(all(&bytes).len(), 2);
        assert_ne!(all(&bytes)[0], InputLine::TooLong);
        bytes.insert(0, b'x');
        assert_eq!(all(&bytes), [InputLine::TooLong, text("short")]);
    }
}
