//! Checksums of whole files, to notice that one was changed.

use std::fs;
use std::io;
use std::path::Path;

/// The [`checksum`] of a file.
///
/// # Errors
/// If it cannot be read.
pub fn checksum_of(path: &Path) -> io::Result<String> {
    Ok(checksum(&fs::read(path)?))
}

/// FNV-1a in words of four bytes, and the length: against damage, not against malice. Each step can
/// be undone, so a change in one word never goes unseen.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    const PRIME: u64 = 0x0100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<4>();
    let words = words.iter().map(|word| u32::from_le_bytes(*word));
    let words = words.chain(rest.iter().map(|&byte| u32::from(byte)));
    let words = words.map(u64::from).chain([bytes.len() as u64]);
    let sum = words.fold(0xcbf2_9ce4_8422_2325, |sum: u64, word| {
        (sum ^ word).wrapping_mul(PRIME)
    });
    format!("{sum:016x}")
}
