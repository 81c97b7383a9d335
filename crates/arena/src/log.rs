//! Files of records, one line each, that are only ever added to.
//!
//! A line is written whole and handed to the system before the next game counts, so a killed program
//! loses no finished game. What it was just writing is a last line without its end: that one is
//! dropped. Anything else that is not a record is damage, and named with file and line. So is a record
//! of moves that the rules do not allow, or that do not lead to the result it claims: every game that
//! is read is played again.

use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use upstar_runs::{lock, replace};

use crate::record::Record;
use crate::referee::Referee;

/// The longest line that is read, in bytes; a game of 256 plies with remarks needs a tenth of it.
pub const LONGEST_LINE: u64 = 1 << 20;

/// A file of records that is open for more of them. No other program can add to it meanwhile.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens a file, or begins it, and shows every record that it holds to somebody who may object.
    /// A last line that was cut off is removed.
    ///
    /// # Errors
    /// If the file cannot be read and written, another program adds to it, it is damaged, or somebody
    /// objects.
    pub fn open(
        path: &Path,
        mut seen: impl FnMut(&Record) -> Result<(), String>,
    ) -> Result<Self, LogError> {
        let at = |line: Option<u64>, what: String| LogError {
            path: path.to_owned(),
            line,
            what,
        };
        let failed = |error: io::Error| at(None, error.to_string());
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(failed)?;
        if !lock::hold_open(&file) {
            return Err(at(None, "another program writes to it".to_owned()));
        }
        let mut lines = Lines::new(BufReader::new(&file), path);
        while let Some(record) = lines.next_record()? {
            seen(&record).map_err(|what| at(Some(lines.number), what))?;
        }
        let (whole, open_end) = (lines.whole, lines.open_end);
        if file.metadata().map_err(failed)?.len() > whole {
            file.set_len(whole).map_err(failed)?;
        }
        if open_end {
            file.write_all(b"\n").map_err(failed)?;
        }
        let path = path.to_owned();
        Ok(Self { file, path })
    }

    /// Adds a record. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), LogError> {
        let line =
            serde_json::to_string(record).expect("a record has only text and numbers") + "\n";
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| self.failed(&error))
    }

    /// Ends the log: records stand in the order of their index from now on, and those are dropped
    /// whose index is not below `games`. At any moment the file is whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sort(self, games: u64) -> Result<(), LogError> {
        let mut places = Vec::new();
        // All of them were checked when they were read or are ours.
        let mut lines = Lines::unchecked(BufReader::new(&self.file), &self.path);
        lines
            .reader
            .seek(SeekFrom::Start(0))
            .map_err(|error| self.failed(&error))?;
        let mut begin = 0;
        while let Some(record) = lines.next_record()? {
            if record.index < games {
                places.push((record.index, begin, lines.whole - begin));
            }
            begin = lines.whole;
        }
        let sorted = places.windows(2).all(|two| two[0].0 < two[1].0);
        if sorted && places.iter().map(|place| place.2).sum::<u64>() == begin {
            return self.file.sync_all().map_err(|error| self.failed(&error));
        }
        places.sort_unstable();
        let copied = replace(&self.path, |out| {
            for (_, place, length) in places {
                (&self.file).seek(SeekFrom::Start(place))?;
                io::copy(&mut (&self.file).take(length), out)?;
            }
            Ok(())
        });
        copied.map_err(|error: io::Error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> LogError {
        LogError {
            path: self.path.clone(),
            line: None,
            what: error.to_string(),
        }
    }
}

/// The records of a file, one at a time.
///
/// # Errors
/// If the file cannot be opened.
pub fn read(path: &Path) -> Result<Records, LogError> {
    match File::open(path) {
        Ok(file) => Ok(Records {
            lines: Lines::new(BufReader::new(file), path),
            seen: None,
            repeats: 0,
        }),
        Err(error) => Err(LogError {
            path: path.to_owned(),
            line: None,
            what: error.to_string(),
        }),
    }
}

/// An iterator over the records of a file; a last line that was cut off is left out.
pub struct Records {
    lines: Lines<BufReader<File>>,
    /// Which lines were there, if that matters.
    seen: Option<HashSet<Mark>>,
    repeats: u64,
}

/// What tells lines apart: the game's seed and number, and a hash of all they say.
type Mark = (u64, u64, u64);

impl Records {
    /// Leaves out lines that have been there before, to the letter. With the same number, seed, moves
    /// and times these are one game that was copied.
    #[must_use]
    pub fn without_repeats(self) -> Self {
        Self {
            seen: Some(HashSet::new()),
            ..self
        }
    }

    /// How many lines were left out so far.
    #[must_use]
    pub fn repeats(&self) -> u64 {
        self.repeats
    }
}

impl Iterator for Records {
    type Item = Result<Record, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = match self.lines.next_record().transpose()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            let Some(seen) = &mut self.seen else {
                return Some(Ok(record));
            };
            let mut hasher = DefaultHasher::new();
            self.lines.line.trim_ascii().hash(&mut hasher);
            if seen.insert((record.seed, record.index, hasher.finish())) {
                return Some(Ok(record));
            }
            self.repeats += 1;
        }
    }
}

struct Lines<R> {
    reader: R,
    path: PathBuf,
    /// The number of the line read last, from 1.
    number: u64,
    /// How many bytes whole records take.
    whole: u64,
    /// Whether the last of them lacks its line's end.
    open_end: bool,
    over: bool,
    /// What stands on that line.
    line: Vec<u8>,
    /// Who plays the records again.
    referee: Option<Referee>,
}

/// Whether a line, as far as it goes, is like the beginning of a record.
fn begins(line: &[u8]) -> bool {
    const BEGINNING: &[u8] = b"{\"game\":\"";
    let common = line.len().min(BEGINNING.len());
    line[..common] == BEGINNING[..common]
}

impl<R: BufRead> Lines<R> {
    fn new(reader: R, path: &Path) -> Self {
        Self {
            referee: Some(Referee::new()),
            ..Self::unchecked(reader, path)
        }
    }

    /// The same without playing games again.
    fn unchecked(reader: R, path: &Path) -> Self {
        Self {
            line: Vec::new(),
            referee: None,
            reader,
            path: path.to_owned(),
            number: 0,
            whole: 0,
            open_end: false,
            over: false,
        }
    }

    fn next_record(&mut self) -> Result<Option<Record>, LogError> {
        while !self.over {
            self.line.clear();
            let mut limited = (&mut self.reader).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| self.damage(&error))? as u64;
            if read == 0 {
                break;
            }
            self.number += 1;
            let ended = self.line.ends_with(b"\n");
            if !ended && read == LONGEST_LINE {
                return Err(self.damage(&format!("it is longer than {LONGEST_LINE} bytes")));
            }
            self.over = !ended;
            if ended && self.line.trim_ascii().is_empty() {
                self.whole += read;
                continue;
            }
            let record = match serde_json::from_slice(&self.line) {
                Ok(record) => record,
                // No beginning of an object is an object: this was cut off. Whatever else stands there
                // is somebody's, and stays.
                Err(error) if !ended && error.is_eof() && begins(&self.line) => break,
                Err(error) => return Err(self.damage(&format!("it is no record: {error}"))),
            };
            if let Some(referee) = &mut self.referee {
                let checked = referee.check(&record);
                checked.map_err(|what| self.damage(&what))?;
            }
            self.whole += read;
            self.open_end = !ended;
            return Ok(Some(record));
        }
        self.over = true;
        Ok(None)
    }

    fn damage(&mut self, what: &dyn fmt::Display) -> LogError {
        self.over = true;
        LogError {
            path: self.path.clone(),
            line: Some(self.number),
            what: what.to_string(),
        }
    }
}

/// What is wrong with a file of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if it is about one.
    pub line: Option<u64>,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for LogError {}
