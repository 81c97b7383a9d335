//! Standard output: text for people, in colour where the terminal has it, or JSON lines.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::{Failure, shown};

pub(crate) use upstar_jobs::quantity::{counted, grouped};

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
            let text = text(result).to_string();
            writeln!(anstream::stdout(), "{}", visible(&text))
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

/// Writes a file that the user named: it is there as a whole or not at all. Behind a link the file that it names is
/// written, and a device or a pipe as it is.
pub(crate) fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = match path.canonicalize() {
        Ok(real) if real.is_file() => upstar_runs::write(&real, bytes),
        Ok(other) => fs::write(other, bytes),
        Err(_) => upstar_runs::write(path, bytes),
    };
    written.map_err(|error| Failure::file(path, &error))
}

/// Whether [`write_file`] could write this file.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let checked = match path.canonicalize() {
        Ok(real) if real.is_file() => upstar_runs::check_writable(&real),
        Ok(other) => OpenOptions::new().append(true).open(other).map(drop),
        Err(_) => upstar_runs::check_writable(path),
    };
    checked.map_err(|error| Failure::file(path, &error))
}

/// That a file has the name of what this option writes: one with no ending, or with this one.
pub(crate) fn check_ending(option: &str, path: &Path, ending: &str) -> Result<(), Failure> {
    let found = path.extension().map(OsStr::to_ascii_lowercase);
    if found.is_none_or(|found| found == ending) {
        return Ok(());
    }
    let (name, right) = (shown(path), shown(&path.with_extension(ending)));
    let kind = ending.to_uppercase();
    let sentence = format!("{name} does not end in .{ending}, and {option} writes {kind}");
    Err(Failure::input(sentence, format!("{option} {right}")))
}

/// A text without control characters, which names in records and configurations may have, and which
/// could do anything to a terminal. Only ends of lines, tabs and our own styles stay.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(|letter: char| letter.is_control() && letter != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let len = if letter == '\x1b' { style_len(rest) } else { 0 };
        if len > 0 {
            shown += &rest[..len];
            rest = &rest[len..];
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        match letter {
            '\n' | '\t' => shown.push(letter),
            letter if letter.is_control() => shown.extend(letter.escape_debug()),
            letter => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

/// The length of the style with which a text begins, `ESC [ 1 m`; 0 if it begins otherwise.
fn style_len(text: &str) -> usize {
    let Some((numbers, _)) = text
        .strip_prefix("\x1b[")
        .and_then(|rest| rest.split_once('m'))
    else {
        return 0;
    };
    let is_style = |number: &str| {
        let number: Option<u8> = number.parse().ok();
        number.is_some_and(|number| matches!(number, 0..=4 | 22 | 30..=37 | 39 | 90..=97))
    };
    if numbers.split(';').all(is_style) {
        "\x1b[m".len() + numbers.len()
    } else {
        0
    }
}

/// What writing came to, except that it is not an error if nobody reads any more.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_file_that_the_user_named_is_whole_and_links_and_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.svg"), folder.path().join("b.svg"));
        write_file(&file, "first").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        check_writable(&link).unwrap();
        write_file(&link, "second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"second");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        // Where a draft beside it could not be renamed over it.
        write_file(Path::new("/dev/null"), "nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(check_writable(folder.path()).is_err());
        assert!(write_file(folder.path(), "").is_err());
        // What cannot be written yet leaves nothing behind.
        check_writable(&folder.path().join("c.weights")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn escapes_in_names_are_not_printed() {
        assert_eq!(visible("a\x1b]0;title\x07b"), "a\\u{1b}]0;title\\u{7}b");
        assert_eq!(visible("\x1b[2J\x1b[8mx\r"), "\\u{1b}[2J\\u{1b}[8mx\\r");
        assert_eq!(visible("\u{9b}2J"), "\\u{9b}2J");
        let styled = "\x1b[1mwhite\x1b[0m\twins\n\x1b[31;1m↑\x1b[0m";
        assert_eq!(visible(styled), styled);
        assert_eq!(visible("\x1b[1"), "\\u{1b}[1");
    }
}
