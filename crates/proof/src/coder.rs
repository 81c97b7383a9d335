//! An adaptive binary range coder, the one of LZMA (Pavlov; after Martin 1979): a bit that is
//! expected costs little.
//!
//! Every kind of bit has its own chance of being 0, which follows what is seen. Both sides start a
//! block with even chances, so blocks can be read independently.

/// The chance of a 0, in 2048ths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance(u16);

const SCALE: u32 = 11;
const RATE: u32 = 5;

impl Default for Chance {
    fn default() -> Self {
        Self(1 << (SCALE - 1))
    }
}

impl Chance {
    fn bound(self, range: u32) -> u32 {
        (range >> SCALE) * u32::from(self.0)
    }

    fn saw(&mut self, bit: bool) {
        if bit {
            self.0 -= self.0 >> RATE;
        } else {
            self.0 += ((1 << SCALE) - self.0) >> RATE;
        }
    }
}

/// One side of the coder: the same code describes what is written and what is read.
pub(crate) trait Coder {
    /// Codes one bit: the encoder writes `bit`, the decoder ignores it; both return what the file
    /// has.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;

    /// Codes a number below `1 << tree.len().ilog2()`, highest bit first, each bit with the chance
    /// belonging to those before it.
    fn number(&mut self, tree: &mut [Chance], number: usize) -> usize {
        let width = tree.len().ilog2();
        let mut node = 1;
        for place in (0..width).rev() {
            node = node << 1 | usize::from(self.bit(&mut tree[node], number >> place & 1 == 1));
        }
        node - (1 << width)
    }
}

/// Writes bits.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    held: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            held: 0,
            pending: 1,
            bytes: Vec::new(),
        }
    }

    /// The bytes of all bits so far, complete.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > 0xffff_ffff {
            let carry = (self.low >> 32) as u8;
            for _ in 0..self.pending {
                self.bytes.push(self.held.wrapping_add(carry));
                self.held = 0xff;
            }
            self.held = (self.low >> 24) as u8;
            self.pending = 0;
        }
        self.pending += 1;
        self.low = self.low << 8 & 0xffff_ffff;
    }
}

impl Coder for Encoder {
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let bound = chance.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.saw(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits. Bytes that are missing are read as 0, and [`Decoder::is_sound`] tells.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: &'a [u8],
    next: usize,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            code: 0,
            range: u32::MAX,
            bytes,
            next: 0,
        };
        for _ in 0..5 {
            decoder.shift();
        }
        decoder
    }

    /// Whether all bits read so far were there.
    pub(crate) fn is_sound(&self) -> bool {
        self.next <= self.bytes.len()
    }

    /// Whether all bytes have been read and no more.
    pub(crate) fn is_at_end(&self) -> bool {
        self.next == self.bytes.len()
    }

    fn shift(&mut self) {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        self.code = self.code << 8 | u32::from(byte);
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = chance.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.saw(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec(0usize..256, 0..500)) {
            let mut encoder = Encoder::new();
            let mut tree = [Chance::default(); 256];
            for &number in &numbers {
                encoder.number(&mut tree, number);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut tree = [Chance::default(); 256];
            for &number in &numbers {
                prop_assert_eq!(decoder.number(&mut tree, 0), number);
            }
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut decoder = Decoder::new(&bytes);
            let mut tree = [Chance::default(); 256];
            for _ in 0..100 {
                decoder.number(&mut tree, 0);
            }
        }
    }

    #[test]
    fn expected_bits_are_cheap() {
        let mut encoder = Encoder::new();
        let mut chance = Chance::default();
        for _ in 0..8000 {
            encoder.bit(&mut chance, false);
        }
        assert!(encoder.finish().len() < 40);
    }
}
