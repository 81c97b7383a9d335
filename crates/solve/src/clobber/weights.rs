//! The weights of the models that order moves, as they are kept in files.

use super::diamond::DIAMONDS;
use super::model::WEIGHTS;
use super::value_table::TableKind;
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"UPSTARWT";

/// The weights of both models: for who wins, and for the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Those of windows, values and the rest.
    pub(crate) places: Vec<[i32; 2]>,
    /// For classes of diamonds, ascending, what is added to the weights of the window inside.
    pub(crate) diamonds: Vec<(u32, [i32; 2])>,
}

impl Weights {
    /// Nothing is known: moves are tried as they come.
    #[must_use]
    pub fn none() -> Self {
        Self {
            places: vec![[0; 2]; WEIGHTS],
            diamonds: Vec::new(),
        }
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
        // Most numbers are zero or small: seven bits per byte.
        let mut push = |mut rest: u32| {
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        };
        // The sign in the lowest bit.
        let signed = |weight: i32| (weight << 1 ^ weight >> 31) as u32;
        for &weight in self.places.iter().flatten() {
            push(signed(weight));
        }
        let mut last = 0;
        for &(class, weights) in &self.diamonds {
            push(class - last);
            last = class;
            weights.into_iter().for_each(|weight| push(signed(weight)));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The weights in a file; `None` if it is none of these or damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (contents, sum) = bytes.split_last_chunk()?;
        let rest = contents.strip_prefix(MAGIC)?;
        if checksum(contents) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut numbers = Numbers(rest);
        let places: Option<_> = (0..WEIGHTS).map(|_| numbers.pair()).collect();
        let (places, mut diamonds, mut class) = (places?, Vec::new(), 0u32);
        while !numbers.0.is_empty() {
            class = class.checked_add(numbers.next()?)?;
            if class as usize >= DIAMONDS {
                return None;
            }
            diamonds.push((class, numbers.pair()?));
        }
        Some(Self { places, diamonds })
    }
}

/// Numbers in a file.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0u32, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    }

    fn pair(&mut self) -> Option<[i32; 2]> {
        let signed = |number: u32| (number >> 1) as i32 ^ -((number & 1) as i32);
        Some([signed(self.next()?), signed(self.next()?)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_as_written() {
        let mut weights = Weights::none();
        for (i, pair) in weights.places.iter_mut().enumerate() {
            *pair = [i as i32 - 3000, -(i as i32).pow(2)];
        }
        weights.diamonds = (0..1000).map(|i| (i * i, [5, -6 * i as i32])).collect();
        let mut bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes), Some(weights));
        bytes[100] ^= 4;
        assert_eq!(Weights::from_bytes(&bytes), None);
        assert_eq!(Weights::from_bytes(&bytes[..50]), None);
    }
}
