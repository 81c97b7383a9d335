//! Files of records, one line each, that are only ever added to.
//!
//! A killed program loses no finished game: what it was just writing is a last line without its end,
//! which is dropped. Anything else that is not a record is damage, and named with file and line. So is a
//! record of moves that the rules do not allow, or that do not lead to the result it claims: every game
//! that is read is played again.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::Path;

use upstar_runs::Lines;
pub use upstar_runs::LogError;

use crate::record::Record;
use crate::referee::Referee;

/// The longest line that is read, in bytes; a game of 256 plies with remarks needs a tenth of it.
pub const LONGEST_LINE: u64 = 1 << 20;

/// How every record begins.
const BEGINNING: &str = "{\"game\":\"";

/// A file of records that is open for more of them. No other program can add to it meanwhile.
#[derive(Debug)]
pub struct Log(upstar_runs::Log);

impl Log {
    /// Opens a file, or begins it, and shows `seen` every record that it holds, to which it may object.
    /// A last line that was cut off is removed.
    ///
    /// # Errors
    /// If the file cannot be read and written, another program adds to it, it is damaged, or `seen`
    /// objects.
    pub fn open(
        path: &Path,
        mut seen: impl FnMut(&Record) -> Result<(), String>,
    ) -> Result<Self, LogError> {
        let mut referee = Referee::new();
        let take = |record: &Record| {
            referee.check(record)?;
            seen(record)
        };
        upstar_runs::Log::hold(path, BEGINNING, LONGEST_LINE, take).map(Self)
    }

    /// Adds a record. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), LogError> {
        self.0.add(record)
    }

    /// Ends the log: records stand in the order of their index from now on, and those are dropped
    /// whose index is not below `games`. At any moment the file is whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sort(self, games: u64) -> Result<(), LogError> {
        let index = |record: &Record| (record.index < games).then_some(record.index);
        self.0.sort(index)
    }
}

/// The records of a file, one at a time.
///
/// # Errors
/// If the file cannot be opened.
pub fn read(path: &Path) -> Result<Records, LogError> {
    Lines::of(path).map(Records::new)
}

/// The records of a reader, one at a time; the path is for messages.
pub fn read_from<R: BufRead>(reader: R, path: &Path) -> Records<R> {
    Records::new(Lines::new(reader, path))
}

/// An iterator over the records of a file; a last line that was cut off is left out.
pub struct Records<R = BufReader<File>> {
    lines: Lines<Record, R>,
    /// Who plays the records again.
    referee: Referee,
    /// Which lines were there, if that matters.
    seen: Option<HashSet<Mark>>,
    repeats: u64,
}

/// What tells lines apart: the game's seed and number, and a hash of all they say.
type Mark = (u64, u64, u64);

impl<R: BufRead> Records<R> {
    fn new(lines: Lines<Record, R>) -> Self {
        let lines = lines.beginning_with(BEGINNING);
        Self {
            lines: lines.no_longer_than(LONGEST_LINE),
            referee: Referee::new(),
            seen: None,
            repeats: 0,
        }
    }

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

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = match self.lines.next()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            if let Err(what) = self.referee.check(&record) {
                return Some(Err(self.lines.error(what)));
            }
            let Some(seen) = &mut self.seen else {
                return Some(Ok(record));
            };
            let mut hasher = DefaultHasher::new();
            self.lines.line().hash(&mut hasher);
            if seen.insert((record.seed, record.index, hasher.finish())) {
                return Some(Ok(record));
            }
            self.repeats += 1;
        }
    }
}
