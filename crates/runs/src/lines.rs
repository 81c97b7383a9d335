//! The lines of a log, one JSON object each, read one at a time.
//!
//! A last line without its end was being written when the program was killed: it is dropped. Anything
//! else that is not what it should be is damage, and named with file and line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::seal::Seals;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: u64 = 1 << 24;

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}: {what}", path.display(), line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct LogError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if it is about one.
    pub line: Option<u64>,
    /// What is wrong there.
    pub what: String,
}

/// The lines of a log. A line that was sealed is checked.
#[derive(Debug)]
pub struct Lines<T, R = BufReader<File>> {
    reader: R,
    path: PathBuf,
    longest: u64,
    /// How a line begins that this program has written.
    beginning: Option<&'static str>,
    number: u64,
    whole: u64,
    open_end: bool,
    over: bool,
    line: Vec<u8>,
    seals: Seals,
    what: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Lines<T> {
    /// Those of this file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn of(path: &Path) -> Result<Self, LogError> {
        let file = File::open(path).map_err(|error| LogError {
            path: path.to_owned(),
            line: None,
            what: error.to_string(),
        })?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

impl<T: DeserializeOwned, R: BufRead> Lines<T, R> {
    /// Those of a reader; the path is for messages.
    pub fn new(reader: R, path: &Path) -> Self {
        Self {
            reader,
            path: path.to_owned(),
            longest: LONGEST_LINE,
            beginning: None,
            number: 0,
            whole: 0,
            open_end: false,
            over: false,
            line: Vec::new(),
            seals: Seals::default(),
            what: PhantomData,
        }
    }

    /// The same where lines are shorter than that.
    #[must_use]
    pub fn no_longer_than(self, longest: u64) -> Self {
        Self { longest, ..self }
    }

    /// The same where a last line without its end is dropped only if it begins like this: anything else is
    /// of another program, and stays.
    #[must_use]
    pub fn beginning_with(self, beginning: &'static str) -> Self {
        Self {
            beginning: Some(beginning),
            ..self
        }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes the lines read so far take.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// Whether the last line is whole, but for its end.
    pub fn open_end(&self) -> bool {
        self.open_end
    }

    /// The line read last.
    pub fn line(&self) -> &[u8] {
        self.line.trim_ascii()
    }

    pub(crate) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Something wrong with the line read last. Nothing more is read.
    pub fn error(&mut self, what: impl Into<String>) -> LogError {
        self.over = true;
        LogError {
            path: self.path.clone(),
            line: Some(self.number),
            what: what.into(),
        }
    }

    fn read(&mut self) -> Result<Option<T>, LogError> {
        while !self.over {
            self.line.clear();
            let mut limited = (&mut self.reader).take(self.longest);
            let read = limited.read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| self.error(error.to_string()))? as u64;
            if read == 0 {
                break;
            }
            self.number += 1;
            let ended = self.line.ends_with(b"\n");
            if !ended && read == self.longest {
                return Err(self.error(format!("it is longer than {} bytes", self.longest)));
            }
            self.over = !ended;
            if ended && self.line().is_empty() {
                self.whole += read;
                continue;
            }
            let object = match serde_json::from_slice(&self.line) {
                Ok(object) => object,
                Err(error) if !ended && self.is_cut_off(&error) => break,
                Err(error) => return Err(self.error(format!("it is damaged: {error}"))),
            };
            if let Err(what) = self.seals.check(&self.line) {
                return Err(self.error(what));
            }
            self.whole += read;
            self.open_end = !ended;
            return Ok(Some(object));
        }
        self.over = true;
        Ok(None)
    }

    /// Whether a line without its end was cut off. No beginning of an object is an object.
    fn is_cut_off(&self, error: &serde_json::Error) -> bool {
        let Some(beginning) = self.beginning else {
            return true;
        };
        let common = self.line.len().min(beginning.len());
        error.is_eof() && self.line[..common] == beginning.as_bytes()[..common]
    }
}

impl<T: DeserializeOwned, R: BufRead> Iterator for Lines<T, R> {
    type Item = Result<T, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
