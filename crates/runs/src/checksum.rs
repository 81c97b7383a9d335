//! Checksums, to notice that something was changed: against damage, not against malice.

use std::fs;
use std::io;
use std::path::Path;

/// The [`checksum`] of a file.
///
/// # Errors
/// If it cannot be read, or is not a file: devices have no end.
pub fn checksum_of(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("this is not a file"));
    }
    Ok(checksum(&fs::read(path)?))
}

/// Of words of four bytes, and the length. A change in one word never goes unseen.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    let (words, rest) = bytes.as_chunks::<4>();
    let words = words.iter().map(|word| u32::from_le_bytes(*word));
    let words = words.chain(rest.iter().map(|&byte| u32::from(byte)));
    let sum = fnv1a(words.map(u64::from).chain([bytes.len() as u64]));
    format!("{sum:016x}")
}

/// FNV-1a of numbers, or of bytes as numbers. Each step can be undone, so a change in one number always
/// changes the result.
#[must_use]
pub fn fnv1a(numbers: impl IntoIterator<Item = u64>) -> u64 {
    const BEGIN: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let numbers = numbers.into_iter();
    numbers.fold(BEGIN, |hash, number| (hash ^ number).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hash_as_published() {
        let hash = |text: &str| fnv1a(text.bytes().map(u64::from));
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    #[cfg(unix)]
    fn a_device_without_end_is_refused() {
        assert!(checksum_of(Path::new("/dev/zero")).is_err());
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        let mut bytes: Vec<u8> = (0..99).collect();
        let right = checksum(&bytes);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&bytes), right);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert_ne!(checksum(&bytes[..98]), right);
    }
}
