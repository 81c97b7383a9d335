//! The discs of both sides, without a name for either: own are those of the side to move.

/// Two sets of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Discs {
    pub(super) own: u64,
    pub(super) opponent: u64,
}

impl Discs {
    /// After a disc on this cell has turned others; the other side is to move.
    #[inline(always)]
    pub(super) fn after(self, cell: usize, turned: u64) -> Self {
        Self {
            own: self.opponent ^ turned,
            opponent: self.own ^ turned | 1 << (cell & 63),
        }
    }

    /// The same with the other side to move.
    #[inline(always)]
    pub(super) fn passed(self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
        }
    }
}
