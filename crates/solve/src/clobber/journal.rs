//! Results of a long search, written down as they are found, so that it can be resumed.
//!
//! A record is 32 bytes: the key of a position, the nodes it took and who wins, and a checksum. Records
//! are only ever added; a last one that was cut off is dropped, a damaged one is refused.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Mutex;

use super::value_table::{Kind, VERSION};
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"UPSTARJL";
const RECORD: usize = 32;

/// A file of results.
pub struct Journal {
    file: Mutex<File>,
}

/// A position that was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    /// Its key.
    pub key: u128,
    /// Whether the side to move wins.
    pub win: bool,
    /// The nodes it took.
    pub nodes: u64,
}

/// Why a journal cannot be gone on with.
#[derive(Debug)]
pub enum JournalError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no journal, or one of another version or another value table.
    Foreign,
    /// This record is damaged.
    Damaged(usize),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Foreign => write!(
                f,
                "this is no journal of such a search, or one of another version"
            ),
            Self::Damaged(record) => write!(f, "record {record} is damaged"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Journal {
    /// Opens a journal of a search with this kind of values, or begins it; with the results it holds.
    ///
    /// # Errors
    /// If it cannot be read or written, or does not belong here.
    pub fn open(path: &Path, kind: Kind) -> std::result::Result<(Self, Vec<Result>), JournalError> {
        let header = header(kind);
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.len() < RECORD && header.starts_with(&bytes) {
            file.set_len(0)?;
            file.write_all(&header)?;
            return Ok((
                Self {
                    file: Mutex::new(file),
                },
                Vec::new(),
            ));
        }
        let records = bytes.strip_prefix(&header).ok_or(JournalError::Foreign)?;
        let whole = records.chunks_exact(RECORD);
        let cut = whole.remainder().len();
        let results: std::result::Result<Vec<Result>, JournalError> = whole
            .enumerate()
            .map(|(i, record)| read(record).ok_or(JournalError::Damaged(i + 1)))
            .collect();
        let results = results?;
        file.set_len((bytes.len() - cut) as u64)?;
        Ok((
            Self {
                file: Mutex::new(file),
            },
            results,
        ))
    }

    /// Adds a result. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, result: Result) -> io::Result<()> {
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&record(result))
    }
}

/// The first record says what the others are about.
fn header(kind: Kind) -> [u8; RECORD] {
    let mut header = [0; RECORD];
    header[..8].copy_from_slice(MAGIC);
    let numbers = [
        VERSION as u8,
        kind.rows as u8,
        kind.stones as u8,
        kind.cannibal.into(),
    ];
    header[8..12].copy_from_slice(&numbers);
    seal(&mut header);
    header
}

fn record(result: Result) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..16].copy_from_slice(&result.key.to_le_bytes());
    let packed = result.nodes << 1 | u64::from(result.win);
    record[16..24].copy_from_slice(&packed.to_le_bytes());
    seal(&mut record);
    record
}

fn seal(record: &mut [u8; RECORD]) {
    let (contents, sum) = record.split_at_mut(RECORD - 8);
    sum.copy_from_slice(&checksum(contents).to_le_bytes());
}

fn read(bytes: &[u8]) -> Option<Result> {
    let packed = u64::from_le_bytes(bytes[16..24].try_into().ok()?);
    let result = Result {
        key: u128::from_le_bytes(bytes[..16].try_into().ok()?),
        win: packed & 1 != 0,
        nodes: packed >> 1,
    };
    (record(result) == bytes).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let kind = Kind {
            rows: 5,
            stones: 5,
            cannibal: false,
        };
        let result = |i: u64| Result {
            key: u128::from(i) << 70 | 5,
            win: i.is_multiple_of(2),
            nodes: i,
        };
        {
            let (journal, before) = Journal::open(&path, kind).unwrap();
            assert_eq!(before, []);
            (0..10).for_each(|i| journal.add(result(i)).unwrap());
        }
        let all: Vec<Result> = (0..10).map(result).collect();
        assert_eq!(Journal::open(&path, kind).unwrap().1, all);

        // Killed while it wrote: the last record is lost and no other.
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        let (journal, before) = Journal::open(&path, kind).unwrap();
        assert_eq!(before, all[..9]);
        journal.add(result(9)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, kind).unwrap().1, all);

        for place in [0, 9, 40, 50, 60, 100] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 8;
            std::fs::write(&path, damaged).unwrap();
            assert!(Journal::open(&path, kind).is_err(), "{place}");
        }
    }
}
