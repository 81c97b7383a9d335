//! Results of a long search, written down as they are found, so that it can be resumed.
//!
//! A record is 32 bytes: the key of a position, a word of what was found there, and a checksum; what the
//! word means is the search's business. Records are only ever added; a last one that was cut off is
//! dropped, a damaged one is refused.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Mutex;

use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"UPSTARJL";
const RECORD: usize = 32;

/// A file of results.
pub struct Journal<R> {
    file: Mutex<File>,
    results: PhantomData<fn() -> R>,
}

/// What a search finds out about a position.
///
/// # Law
/// `unpack` gives back what was packed.
pub trait Result: Sized {
    /// Which search the results belong to: those of others are not mixed with them.
    type Search: Copy;

    /// Sixteen bytes that tell searches apart.
    fn name(search: Self::Search) -> [u8; 16];

    /// The key of the position, and what was found.
    fn pack(&self) -> (u128, u64);

    /// The same result again.
    fn unpack(key: u128, found: u64) -> Self;
}

/// Why a journal cannot be gone on with.
#[derive(Debug)]
pub enum JournalError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no journal, or one of another version or another search.
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

impl<R: Result> Journal<R> {
    /// Opens the journal of a search, or begins it; with the results it holds.
    ///
    /// # Errors
    /// If it cannot be read or written, or does not belong here.
    pub fn open(
        path: &Path,
        search: R::Search,
    ) -> std::result::Result<(Self, Vec<R>), JournalError> {
        let header = header::<R>(search);
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        // Devices have no end.
        if !file.metadata()?.is_file() {
            return Err(JournalError::Foreign);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut results = Vec::new();
        if bytes.len() < RECORD && header.starts_with(&bytes) {
            file.set_len(0)?;
            file.write_all(&header)?;
        } else {
            let records = bytes.strip_prefix(&header).ok_or(JournalError::Foreign)?;
            let whole = records.chunks_exact(RECORD);
            let cut = whole.remainder().len();
            for (index, bytes) in whole.enumerate() {
                results.push(read(bytes).ok_or(JournalError::Damaged(index + 1))?);
            }
            file.set_len((bytes.len() - cut) as u64)?;
        }
        let journal = Self {
            file: Mutex::new(file),
            results: PhantomData,
        };
        Ok((journal, results))
    }

    /// Adds a result. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, result: &R) -> io::Result<()> {
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let (key, found) = result.pack();
        file.write_all(&record(key, found))
    }
}

/// The first record says what the others are about.
fn header<R: Result>(search: R::Search) -> [u8; RECORD] {
    let mut header = [0; RECORD];
    header[..8].copy_from_slice(MAGIC);
    header[8..24].copy_from_slice(&R::name(search));
    seal(&mut header);
    header
}

fn record(key: u128, found: u64) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..16].copy_from_slice(&key.to_le_bytes());
    record[16..24].copy_from_slice(&found.to_le_bytes());
    seal(&mut record);
    record
}

fn seal(record: &mut [u8; RECORD]) {
    let (contents, sum) = record.split_at_mut(RECORD - 8);
    sum.copy_from_slice(&checksum(contents).to_le_bytes());
}

fn read<R: Result>(bytes: &[u8]) -> Option<R> {
    let key = u128::from_le_bytes(bytes[..16].try_into().ok()?);
    let found = u64::from_le_bytes(bytes[16..24].try_into().ok()?);
    (record(key, found) == bytes).then(|| R::unpack(key, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Result for (u128, u64) {
        type Search = u8;

        fn name(search: u8) -> [u8; 16] {
            [search; 16]
        }

        fn pack(&self) -> (u128, u64) {
            *self
        }

        fn unpack(key: u128, found: u64) -> Self {
            (key, found)
        }
    }

    #[test]
    fn what_was_added_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open = |search| Journal::<(u128, u64)>::open(&path, search);
        let result = |i: u64| (u128::from(i) << 70 | 5, i);
        {
            let (journal, before) = open(1).unwrap();
            assert_eq!(before, []);
            (0..10).for_each(|i| journal.add(&result(i)).unwrap());
        }
        let all: Vec<(u128, u64)> = (0..10).map(result).collect();
        assert_eq!(open(1).unwrap().1, all);

        // Killed while it wrote: the last record is lost and no other.
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        let (journal, before) = open(1).unwrap();
        assert_eq!(before, all[..9]);
        journal.add(&result(9)).unwrap();
        drop(journal);
        assert_eq!(open(1).unwrap().1, all);

        assert!(matches!(open(2), Err(JournalError::Foreign)));

        for place in [0, 9, 40, 50, 60, 100] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 8;
            std::fs::write(&path, damaged).unwrap();
            assert!(open(1).is_err(), "{place}");
        }
    }
}
