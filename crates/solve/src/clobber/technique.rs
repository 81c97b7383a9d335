//! The techniques of the solver that it can do without, to see what each is worth.

use std::fmt;

/// Something that makes the search faster and changes no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Moves are tried in a learned order.
    Order,
    /// A move to a position that is known to be lost is found before any other is searched.
    Cutoffs,
    /// Sums of values are bounded in ups.
    Bounds,
    /// Components have values up to the size of the table; without, up to five stones.
    Values,
    /// A component and its negative cancel.
    Cancelling,
}

impl Technique {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Order,
        Self::Cutoffs,
        Self::Bounds,
        Self::Values,
        Self::Cancelling,
    ];
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => "a learned order",
            Self::Cutoffs => "cutoffs by known children",
            Self::Bounds => "bounds in ups",
            Self::Values => "values of more than five stones",
            Self::Cancelling => "cancelling negatives",
        })
    }
}
