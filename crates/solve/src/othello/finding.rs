//! What a search proves on its way, as the journal of a long search keeps it.

use upstar_jobs::Finding;

use super::table::{Found, NONE};
use crate::journal::SearchName;
use crate::key::Key;

/// A result and its position as a word: bounds, a move, and the nodes it took.
pub(super) fn pack(key: Key, found: &Found) -> Finding {
    // More than 2⁴⁰ nodes are not told apart.
    let [a, b, c, d, e, ..] = found.nodes.min((1 << 40) - 1).to_le_bytes();
    let (lower, upper) = (found.lower as i8 as u8, found.upper as i8 as u8);
    let found = u64::from_le_bytes([lower, upper, found.best, a, b, c, d, e]);
    Finding { key, found }
}

/// The same result again.
pub(super) fn unpack(finding: &Finding) -> Found {
    let [lower, upper, best, ..] = finding.found.to_le_bytes();
    Found {
        lower: (lower as i8).into(),
        upper: (upper as i8).into(),
        best: best.min(NONE),
        nodes: finding.found >> 24,
    }
}

/// The searches whose findings may be put together: those on one board with one way to count.
pub(super) fn search_name(
    rows: usize,
    cols: usize,
    holes: u64,
    empties_to_winner: bool,
) -> SearchName {
    const VERSION: u8 = 1;
    let mut name = [0; 16];
    let (rows, cols) = (rows as u8, cols as u8);
    name[..5].copy_from_slice(&[b'O', VERSION, rows, cols, empties_to_winner.into()]);
    name[8..].copy_from_slice(&holes.to_le_bytes());
    SearchName(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_packed_and_unpacked() {
        let found = Found {
            lower: -64,
            upper: 13,
            best: 63,
            nodes: 123_456_789_012,
        };
        let finding = pack(1 << 100 | 7, &found);
        assert_eq!(finding.key, 1 << 100 | 7);
        let again = unpack(&finding);
        let fields = |it: &Found| (it.lower, it.upper, it.best, it.nodes);
        assert_eq!(fields(&again), fields(&found));
    }
}
