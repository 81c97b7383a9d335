//! An oracle that knows nothing but search: for small boards, and to try the crate out.

use std::collections::HashMap;

use upstar_games::Color;

use super::arena::Arena;
use super::format::Claim;
use super::lemmas::Lemmas;
use super::piece::Piece;
use super::search::Search;
use super::sum::Sum;
use super::write::Oracle;
use crate::hash::Key;

/// Plain search as an oracle. Pieces are simplified to equal ones that it met before.
#[derive(Debug)]
pub struct Plain {
    arena: Arena,
    lemmas: Lemmas,
    search: Search,
    /// Pieces that nothing simpler equals, by the results of the tests.
    kept: HashMap<u64, Vec<Piece>>,
    /// Sums added to a piece to tell unequal pieces apart.
    tests: Vec<Piece>,
}

impl Plain {
    /// An oracle for games in this arena.
    #[must_use]
    pub fn new(arena: Arena) -> Self {
        Self {
            lemmas: Lemmas::new(Key::FIXED),
            search: Search::new(Key::FIXED, 22, &upstar_jobs::Budget::unlimited()),
            kept: HashMap::new(),
            tests: Vec::new(),
            arena,
        }
    }

    /// Who wins if this side moves first: a claim that can be proved.
    #[must_use]
    pub fn claim(
        &mut self,
        variant: upstar_games::Variant,
        setup: upstar_games::Setup,
        to_move: Color,
    ) -> Claim {
        let sum = self.arena.sum(&setup);
        let winner = if self.wins(&sum, to_move) {
            to_move
        } else {
            !to_move
        };
        Claim {
            variant,
            setup,
            to_move,
            winner,
        }
    }

    /// Whether the side to move wins.
    pub fn wins(&mut self, sum: &Sum, to_move: Color) -> bool {
        let result = self
            .search
            .wins(&self.arena, &self.lemmas, sum, to_move, u64::MAX);
        result.expect("without a limit nothing is too hard")
    }

    /// The results of a piece with each of the tests, as bits.
    fn results(&mut self, piece: &Piece) -> u64 {
        let mut results = 0;
        let tests: Vec<Option<Piece>> = [None]
            .into_iter()
            .chain(self.tests.iter().copied().map(Some))
            .collect();
        for test in tests {
            let sum = Sum::new(
                &self.arena,
                [Some(*piece), test].into_iter().flatten().collect(),
            );
            for color in [Color::Black, Color::White] {
                results = results << 1 | u64::from(self.wins(&sum, color));
            }
        }
        results
    }
}

impl Oracle for Plain {
    fn simpler(&mut self, piece: &Piece) -> Option<Vec<Piece>> {
        const TESTS: usize = 20;
        let results = self.results(piece);
        if results & 3 << (2 * self.tests.len()) == 0 {
            self.lemmas.insert(&self.arena, *piece, &[]);
            return Some(Vec::new());
        }
        for kept in self.kept.get(&results).cloned().unwrap_or_default() {
            for equal in [kept, self.arena.negative(&kept)] {
                let found = self
                    .search
                    .equal(&self.arena, &self.lemmas, piece, &[equal], u64::MAX);
                if equal.rank() < piece.rank() && found == Ok(true) {
                    self.lemmas.insert(&self.arena, *piece, &[equal]);
                    return Some(vec![equal]);
                }
            }
        }
        if self.tests.len() < TESTS {
            self.tests.push(*piece);
            let all: Vec<Piece> = self.kept.drain().flat_map(|(_, pieces)| pieces).collect();
            for kept in all {
                let results = self.results(&kept);
                self.kept.entry(results).or_default().push(kept);
            }
        }
        let results = self.results(piece);
        self.kept.entry(results).or_default().push(*piece);
        None
    }

    fn lost(&mut self, to_move: Color, sums: &[Sum]) -> Option<usize> {
        sums.iter().position(|sum| !self.wins(sum, to_move))
    }
}
