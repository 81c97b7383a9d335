//! Results of a long search, written down as they are found, so that it can be resumed.
//!
//! A record is 32 bytes: the key of a position, a word of what was found there, and a checksum; what the
//! word means is the search's business. Records are only ever added; a last one that was cut off is
//! dropped, a damaged one is refused.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use upstar_jobs::Finding;

use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"UPSTARJL";
const RECORD: usize = 32;

/// A file of results.
pub struct Journal {
    file: Mutex<File>,
}

/// Sixteen bytes that tell searches apart: findings of one are not mixed with those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SearchName(pub(crate) [u8; 16]);

/// A finding as text: the digits of the journal's record, checksum included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JournalRecord(pub Finding);

/// Why a journal cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a journal, or one of another version or another search.
    #[error("this is not a journal of such a search, or one of another version")]
    Foreign,
    /// This record is damaged.
    #[error("record {0} is damaged")]
    Damaged(usize),
}

impl From<SearchName> for String {
    fn from(name: SearchName) -> Self {
        hex(&name.0)
    }
}

impl TryFrom<String> for SearchName {
    type Error = JournalError;

    fn try_from(text: String) -> Result<Self, JournalError> {
        bytes(&text).map(Self).ok_or(JournalError::Foreign)
    }
}

impl From<JournalRecord> for String {
    fn from(JournalRecord(finding): JournalRecord) -> Self {
        hex(&record(&finding))
    }
}

impl TryFrom<String> for JournalRecord {
    type Error = JournalError;

    fn try_from(text: String) -> Result<Self, JournalError> {
        let record: Option<[u8; RECORD]> = bytes(&text);
        let finding = record.and_then(|record| read(&record));
        finding.map(Self).ok_or(JournalError::Damaged(1))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

impl Journal {
    /// Opens the journal of a search, or begins it; with the results it holds.
    ///
    /// # Errors
    /// If it cannot be read or written, or does not belong here.
    pub fn open(path: &Path, search: SearchName) -> Result<(Self, Vec<Finding>), JournalError> {
        let header = header(search);
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
        let mut findings = Vec::new();
        if bytes.len() < RECORD && header.starts_with(&bytes) {
            file.set_len(0)?;
            file.write_all(&header)?;
        } else {
            let records = bytes.strip_prefix(&header).ok_or(JournalError::Foreign)?;
            let whole = records.chunks_exact(RECORD);
            let cut = whole.remainder().len();
            for (index, bytes) in whole.enumerate() {
                findings.push(read(bytes).ok_or(JournalError::Damaged(index + 1))?);
            }
            file.set_len((bytes.len() - cut) as u64)?;
        }
        let journal = Self {
            file: Mutex::new(file),
        };
        Ok((journal, findings))
    }

    /// Adds a result. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, finding: &Finding) -> io::Result<()> {
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&record(finding))
    }
}

/// The first record says what the others are about.
fn header(search: SearchName) -> [u8; RECORD] {
    let mut header = [0; RECORD];
    header[..8].copy_from_slice(MAGIC);
    header[8..24].copy_from_slice(&search.0);
    seal(&mut header);
    header
}

fn record(finding: &Finding) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..16].copy_from_slice(&finding.key.to_le_bytes());
    record[16..24].copy_from_slice(&finding.found.to_le_bytes());
    seal(&mut record);
    record
}

fn seal(record: &mut [u8; RECORD]) {
    let (contents, sum) = record.split_at_mut(RECORD - 8);
    sum.copy_from_slice(&checksum(contents).to_le_bytes());
}

fn read(bytes: &[u8]) -> Option<Finding> {
    let key = u128::from_le_bytes(bytes[..16].try_into().ok()?);
    let found = u64::from_le_bytes(bytes[16..24].try_into().ok()?);
    let finding = Finding { key, found };
    (record(&finding) == bytes).then_some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let open = |search| Journal::open(&path, SearchName([search; 16]));
        let result = |i: u64| Finding {
            key: u128::from(i) << 70 | 5,
            found: i,
        };
        {
            let (journal, before) = open(1).unwrap();
            assert_eq!(before, []);
            (0..10).for_each(|i| journal.add(&result(i)).unwrap());
        }
        let all: Vec<Finding> = (0..10).map(result).collect();
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
