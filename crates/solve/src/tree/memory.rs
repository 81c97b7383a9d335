//! Positions and what is known of them, within a bound of memory.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::TreeError;

/// A map of positions: nobody chooses them to do its hash harm.
pub(super) type Positions<P, V> = FxHashMap<P, V>;

/// Refuses to hold more than fits into `bytes` of memory, of which `share` maps like this one exist. A
/// hash map has one more byte per place, an eighth of the places stay free, and while it grows it exists
/// one and a half times.
pub(super) fn check<P: Eq + Hash, V>(
    map: &Positions<P, V>,
    bytes: usize,
    share: usize,
) -> Result<(), TreeError> {
    if map.len() > bytes / share / 3 / (size_of::<(P, V)>() + 1) {
        return Err(TreeError::Memory(bytes));
    }
    Ok(())
}
