//! The weights of the models that order moves, as they are kept in files.

use super::model::WEIGHTS;
use super::value_table::TableKind;
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"UPSTARWT";

/// The weights of both models: for who wins, and for the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub(crate) Vec<[i32; 2]>);

impl Weights {
    /// Nothing is known: moves are tried as they come.
    #[must_use]
    pub fn none() -> Self {
        Self(vec![[0; 2]; WEIGHTS])
    }

    /// What comes with the program for boards that are served by this kind of table.
    #[must_use]
    pub fn shipped(kind: TableKind) -> Self {
        if kind.cannibal {
            return Self::none();
        }
        let bytes: &[u8] = match kind.rows {
            1 => include_bytes!("../../data/clobber-1-row.weights"),
            2 => include_bytes!("../../data/clobber-2-rows.weights"),
            _ => include_bytes!("../../data/clobber.weights"),
        };
        Self::from_bytes(bytes).expect("the shipped weights are whole")
    }

    /// The contents of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        // Most weights are zero or small: seven bits per byte, sign in the lowest bit.
        for weight in self.0.iter().flatten() {
            let mut rest = (weight << 1 ^ weight >> 31) as u32;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The weights in a file; `None` if it is none of these or damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (contents, sum) = bytes.split_last_chunk()?;
        let weights = contents.strip_prefix(MAGIC)?;
        if checksum(contents) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut bytes = weights.iter();
        let mut next = || {
            let (mut number, mut shift) = (0u32, 0);
            loop {
                let byte = *bytes.next()?;
                number |= u32::from(byte & 0x7f).checked_shl(shift)?;
                shift += 7;
                if byte < 0x80 {
                    return Some((number >> 1) as i32 ^ -((number & 1) as i32));
                }
            }
        };
        let pairs: Option<Vec<[i32; 2]>> = (0..WEIGHTS).map(|_| Some([next()?, next()?])).collect();
        let pairs = pairs?;
        bytes.next().is_none().then_some(Self(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_written() {
        let mut weights = Weights::none();
        for (i, pair) in weights.0.iter_mut().enumerate() {
            *pair = [i as i32 - 3000, -(i as i32).pow(2)];
        }
        let mut bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes), Some(weights));
        bytes[100] ^= 4;
        assert_eq!(Weights::from_bytes(&bytes), None);
        assert_eq!(Weights::from_bytes(&bytes[..50]), None);
    }
}
