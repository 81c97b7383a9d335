//! A position that was decided, as the journal of a long search keeps it.

use upstar_jobs::Finding;

use super::value_table::{TableKind, VERSION};
use crate::journal::SearchName;
use crate::key::Key;

/// Who wins a position, and what it took to know.
pub(super) fn pack(key: Key, win: bool, nodes: u64) -> Finding {
    let found = nodes << 1 | u64::from(win);
    Finding { key, found }
}

/// Whether the side to move wins, and the nodes it took.
pub(super) fn unpack(finding: &Finding) -> (bool, u64) {
    (finding.found & 1 != 0, finding.found >> 1)
}

/// Keys depend on the value table.
pub(super) fn search_name(kind: TableKind) -> SearchName {
    let mut name = [0; 16];
    let numbers = [
        VERSION as u8,
        kind.rows as u8,
        kind.stones as u8,
        kind.cannibal.into(),
    ];
    name[..4].copy_from_slice(&numbers);
    SearchName(name)
}
