//! A sum of pieces: a sorted multiset from which every piece and its negative have been taken out.
//!
//! That a piece and its negative cancel needs no values: whoever moves second answers every move in
//! the one by the same move in the other (Tweedledum and Tweedledee).

use std::fmt;

use super::arena::Arena;
use super::piece::Piece;
use crate::hash::Key;

/// Independent pieces; a move is a move in one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    pieces: Vec<Piece>,
}

impl Sum {
    /// The sum of these pieces.
    #[must_use]
    pub fn new(arena: &Arena, mut pieces: Vec<Piece>) -> Self {
        pieces.sort_unstable();
        let mut index = 0;
        while index < pieces.len() {
            let piece = pieces[index];
            let candidates = index + 1..pieces.len();
            if candidates
                .clone()
                .any(|other| piece.may_cancel(&pieces[other]))
            {
                let negative = arena.negative(&piece);
                let found = candidates.clone().find(|&other| pieces[other] == negative);
                if let Some(other) = found {
                    pieces.remove(other);
                    pieces.remove(index);
                    continue;
                }
            }
            index += 1;
        }
        Self { pieces }
    }

    /// The pieces, in their order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The number of stones.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.pieces.iter().map(Piece::len).sum()
    }

    /// Whether nothing is left: who is to move has lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Its hash.
    pub(crate) fn hash(&self, key: &Key) -> u128 {
        key.words(self.pieces.iter().flat_map(Piece::words))
    }

    /// Each different piece once, with its place.
    pub(crate) fn different(&self) -> impl Iterator<Item = (usize, &Piece)> {
        let pieces = self.pieces.iter().enumerate();
        pieces.filter(|&(index, piece)| index == 0 || self.pieces[index - 1] != *piece)
    }
}

/// The pieces joined by plus signs; nothing at all is `0`.
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return write!(f, "0");
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            let plus = if index == 0 { "" } else { " + " };
            write!(f, "{plus}{piece}")?;
        }
        Ok(())
    }
}
