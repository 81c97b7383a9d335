//! Lemmas, "this piece equals that sum", as a table that simplifies sums.

use std::collections::HashMap;

use super::arena::Arena;
use super::piece::Piece;
use super::sum::Sum;
use crate::hash::Key;

/// Verified lemmas. What is true of a piece is true of its negative, so both are in the table.
#[derive(Clone, Debug)]
pub(crate) struct Lemmas {
    table: HashMap<Piece, Box<[Piece]>, Key>,
}

impl Lemmas {
    /// About how many bytes one lemma and its negative take up.
    pub(crate) const BYTES: u64 = 320;

    pub(crate) fn new(key: Key) -> Self {
        Self {
            table: HashMap::with_hasher(key),
        }
    }

    /// Takes up a lemma that has been verified.
    pub(crate) fn insert(&mut self, arena: &Arena, piece: Piece, equal: &[Piece]) {
        let negative = arena.negative(&piece);
        if negative != piece {
            let opposite = equal.iter().map(|part| arena.negative(part)).collect();
            self.table.insert(negative, opposite);
        }
        self.table.insert(piece, equal.into());
    }

    /// What this piece may be replaced by.
    pub(crate) fn of(&self, piece: &Piece) -> Option<&[Piece]> {
        self.table.get(piece).map(Box::as_ref)
    }

    /// Adds these parts, each replaced as its lemma says.
    pub(crate) fn push_simplified(&self, parts: &[Piece], sum: &mut Vec<Piece>) {
        for part in parts {
            match self.of(part) {
                Some(equal) => sum.extend_from_slice(equal),
                None => sum.push(*part),
            }
        }
    }

    /// The sum of these parts, each replaced as its lemma says.
    pub(crate) fn simplified(&self, arena: &Arena, parts: &[Piece]) -> Sum {
        let mut pieces = Vec::new();
        self.push_simplified(parts, &mut pieces);
        Sum::new(arena, pieces)
    }
}
