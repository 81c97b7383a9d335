//! Positions and what is known of them, within a bound of memory.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::TreeError;

/// A map of positions: nobody chooses them to do its hash harm.
pub(super) type Positions<P, V> = FxHashMap<P, V>;

/// Makes room for one more position, if the system has some.
#[inline]
pub(super) fn make_room<P: Eq + Hash, V>(map: &mut Positions<P, V>) -> Result<(), TreeError> {
    let bytes = map.capacity() * size_of::<(P, V)>();
    map.try_reserve(1).map_err(|_| TreeError::NoRoom(bytes))
}

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
