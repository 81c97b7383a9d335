//! Books as files: what it is and a checksum of the rest (eight bytes each), rows and columns (a byte each), then
//! for each position the discs of the side to move and of the other (eight bytes each), how deep it was searched,
//! the cell of the leaf (254 for none, 255 if it was not searched), and the leaf's score (a byte each). All is
//! little-endian.

use std::fs;
use std::io;
use std::path::Path;

use upstar_games::{Cells, Grid};
use upstar_runs::fnv1a;

use super::{Entry, Key, Leaf, OpeningBook};

const MAGIC: &[u8; 8] = b"upbook01";
/// The bytes of a position.
const ENTRY: usize = 19;
const NOTHING: u8 = 254;
const UNSEARCHED: u8 = 255;

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else, or damaged.
    #[error("this is not an opening book, or it is damaged")]
    NotABook,
}

impl OpeningBook {
    /// Reads a book.
    ///
    /// # Errors
    /// If the file cannot be read, or is none.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        Self::from_bytes(&fs::read(path)?).ok_or(BookError::NotABook)
    }

    /// Writes the book, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        upstar_runs::write(path, self.to_bytes())
    }

    /// The book of a file with these bytes; `None` if it is none, or damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if u64::from_le_bytes(*sum) != checksum(rest) {
            return None;
        }
        let (&[rows, cols], rest) = rest.split_first_chunk()?;
        let grid = Grid::new(rows.into(), cols.into()).ok()?;
        if grid.len() > u64::CAPACITY {
            return None;
        }
        let (entries, rest) = rest.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return None;
        }
        let mut book = Self::new(grid);
        for bytes in entries {
            let (key, entry) = book.entry(bytes)?;
            book.entries.insert(key, entry);
        }
        book.settle();
        Some(book)
    }

    /// What [`OpeningBook::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.grid.rows() as u8, self.grid.cols() as u8];
        for (key, entry) in &self.entries {
            bytes.extend(key.own.to_le_bytes());
            bytes.extend(key.opponent.to_le_bytes());
            let (cell, score) = match entry.leaf {
                Leaf::Unsearched => (UNSEARCHED, 0),
                Leaf::Nothing => (NOTHING, 0),
                Leaf::Move { cell, score } => (cell, score),
            };
            bytes.extend([entry.level, cell, score.cast_unsigned()]);
        }
        let sum = checksum(&bytes).to_le_bytes();
        [MAGIC, &sum[..], &bytes].concat()
    }

    /// A position of a file; `None` if there is none like that.
    fn entry(&self, bytes: &[u8; ENTRY]) -> Option<(Key, Entry)> {
        let (own, rest) = bytes.split_first_chunk()?;
        let (opponent, rest) = rest.split_first_chunk()?;
        let &[level, cell, score] = rest else {
            return None;
        };
        let key = Key {
            own: u64::from_le_bytes(*own),
            opponent: u64::from_le_bytes(*opponent),
        };
        let leaf = match cell {
            UNSEARCHED => Leaf::Unsearched,
            NOTHING => Leaf::Nothing,
            cell => Leaf::Move {
                cell,
                score: score.cast_signed(),
            },
        };
        let entry = Entry {
            level,
            leaf,
            score: None,
        };
        self.is_possible(key, leaf).then_some((key, entry))
    }

    /// Whether there can be such a position with such a leaf.
    pub(super) fn is_possible(&self, key: Key, leaf: Leaf) -> bool {
        let position = key.position();
        let outside = (key.own | key.opponent) & !u64::from_wide(self.grid.cells());
        let is_position = key.own & key.opponent == 0 && outside == 0;
        let placements = self.game.placements(&position);
        is_position
            && !placements.is_empty()
            && self.normal(&position).0 == key
            && match leaf {
                Leaf::Move { cell, .. } => cell < 64 && placements >> cell & 1 == 1,
                Leaf::Nothing | Leaf::Unsearched => true,
            }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    fnv1a(bytes.iter().map(|&byte| u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use upstar_jobs::Budget;

    use super::super::Growth;
    use super::*;

    #[test]
    fn damaged_books_are_refused() {
        let mut book = OpeningBook::new("6x6".parse().unwrap());
        let growth = Growth {
            level: 2,
            positions: 10,
            ..Growth::default()
        };
        let grown = book.grow(&growth, 1, &Budget::unlimited(), &mut |_, _| Ok(()));
        assert!(grown.unwrap());
        let bytes = book.to_bytes();
        assert_eq!(
            OpeningBook::from_bytes(&bytes).unwrap().entries,
            book.entries
        );
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            assert!(OpeningBook::from_bytes(&damaged).is_none(), "{place}");
        }
        assert!(OpeningBook::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    }
}
