//! An opening book for Othello: positions near the start and what deep searches thought of them.
//!
//! Each position has a *leaf*: the best of the moves that lead out of the book, with its score. The other moves
//! lead to positions of the book, and have the scores of those (negamax), so that whatever is added corrects
//! everything before it. Images of a position under symmetry are one position, and a forced pass belongs to the
//! move before it. Scores are guesses of a search to the depth that stands beside them, however far it went.

mod edax;
mod file;
mod growth;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use upstar_games::othello::{Move, start};
use upstar_games::{Cell, Cells, Color, Game, Grid, Othello, Position, Rules, Symmetry};

pub use edax::EdaxError;
pub use file::BookError;
pub use growth::{Growth, GrowthError};

/// The book that comes with the program.
const SHIPPED: &[u8] = include_bytes!("../data/othello.book");

/// Positions of one board with what is known of them.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    grid: Grid,
    game: Othello<u64>,
    symmetries: Vec<Symmetry>,
    entries: BTreeMap<Key, Entry>,
}

/// A position in its normal form, the least of its images: the discs of the side to move and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    own: u64,
    opponent: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// How many plies ahead the leaf was searched, as in the levels of `ab`.
    level: u8,
    leaf: Leaf,
    /// What the position is worth for its side to move, by the leaf and by the book; `None` if nothing tells.
    score: Option<i8>,
}

/// The best of the moves that lead out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    /// Not searched yet.
    Unsearched,
    /// All moves lead to positions of the book.
    Nothing,
    /// A placement on the board of the normal form, and its score.
    Move { cell: u8, score: i8 },
}

/// What the book says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// What it seems to be worth, in discs, for the side that plays it.
    pub discs: i32,
    /// How many plies ahead the search looked that says so; after a move that stays in the book, from there.
    pub level: u32,
    /// Whether the position after it is in the book.
    pub stays: bool,
}

/// Where a move leads.
enum Child {
    /// To a position, whose score counts as it is if the other side has to pass, and reversed otherwise.
    Position { key: Key, sign: i32 },
    /// To the end of the game.
    Over,
}

impl OpeningBook {
    /// A book of this board without positions.
    ///
    /// # Panics
    /// If the board has more than 64 cells.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            game: Othello::new(grid),
            symmetries: Symmetry::all(&grid),
            entries: BTreeMap::new(),
        }
    }

    /// The book that comes with the program for this board, if there is one.
    ///
    /// # Panics
    /// Never: it is well formed.
    #[must_use]
    pub fn shipped(grid: Grid) -> Option<Arc<Self>> {
        static READ: OnceLock<Arc<OpeningBook>> = OnceLock::new();
        let book = READ.get_or_init(|| {
            let book = OpeningBook::from_bytes(SHIPPED);
            Arc::new(book.expect("the shipped book is well formed"))
        });
        (book.grid == grid).then(|| Arc::clone(book))
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The start of the game on this board; `None` if it has no room for one.
    #[must_use]
    pub fn start(&self) -> Option<Position<u64>> {
        let setup = start(self.grid, self.game.opening())?;
        self.game.position(&setup, Color::Black).ok()
    }

    /// What the book says of the moves in a position, best first; nothing if it does not know the position.
    #[must_use]
    pub fn moves(&self, position: &Position<u64>) -> Vec<BookMove> {
        let (key, symmetry) = self.normal(position);
        let Some(entry) = self.entries.get(&key) else {
            return Vec::new();
        };
        let of_move = |mv: Move| {
            let Move::Place(cell) = mv else { return None };
            if let Some((score, level)) = self.followed(position, cell) {
                return Some(BookMove {
                    mv,
                    discs: score,
                    level,
                    stays: true,
                });
            }
            let image = symmetry.cell(cell).index();
            match entry.leaf {
                Leaf::Move { cell, score } if usize::from(cell) == image => Some(BookMove {
                    mv,
                    discs: score.into(),
                    level: entry.level.into(),
                    stays: false,
                }),
                _ => None,
            }
        };
        let mut moves: Vec<BookMove> = self.game.moves(position).filter_map(of_move).collect();
        moves.sort_by_key(|found| -found.discs);
        moves
    }

    /// How the book goes on from a position: the best moves, and the passes between them.
    #[must_use]
    pub fn line(&self, position: &Position<u64>) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        loop {
            let mv = match self.game.moves(&position).next() {
                Some(Move::Pass) => Move::Pass,
                _ => match self.moves(&position).first() {
                    Some(best) => best.mv,
                    None => return line,
                },
            };
            position = self.game.play_unchecked(&position, mv);
            line.push(mv);
        }
    }

    /// How many positions were not searched yet.
    #[must_use]
    pub fn unsearched(&self) -> usize {
        let entries = self.entries.values();
        entries.filter(|entry| !entry.is_searched()).count()
    }

    /// How many of the others were searched how many plies ahead.
    #[must_use]
    pub fn levels(&self) -> BTreeMap<u32, usize> {
        let mut levels = BTreeMap::new();
        for entry in self.entries.values().filter(|entry| entry.is_searched()) {
            *levels.entry(entry.level.into()).or_default() += 1;
        }
        levels
    }

    /// What a placement is worth by the position that it leads to, and how deep that was searched.
    fn followed(&self, position: &Position<u64>, cell: Cell) -> Option<(i32, u32)> {
        let Child::Position { key, sign } = self.child(position, cell) else {
            return None;
        };
        let entry = self.entries.get(&key)?;
        Some((sign * i32::from(entry.score?), entry.level.into()))
    }

    fn child(&self, position: &Position<u64>, cell: Cell) -> Child {
        let next = self.game.play_unchecked(position, Move::Place(cell));
        let (next, sign) = match self.game.moves(&next).next() {
            None => return Child::Over,
            Some(Move::Pass) => (self.game.play_unchecked(&next, Move::Pass), 1),
            Some(Move::Place(_)) => (next, -1),
        };
        let (key, _) = self.normal(&next);
        Child::Position { key, sign }
    }

    /// The normal form and the symmetry that leads to it.
    fn normal(&self, position: &Position<u64>) -> (Key, &Symmetry) {
        let images = self.symmetries.iter().map(|symmetry| {
            let image = position.under(symmetry);
            let key = Key {
                own: image.own,
                opponent: image.opponent,
            };
            (key, symmetry)
        });
        let least = images.min_by_key(|(key, _)| *key);
        least.expect("the identity is a symmetry")
    }

    /// Puts a position in, unless it is there or its side to move cannot place a disc; says whether it did.
    pub fn insert(&mut self, position: &Position<u64>) -> bool {
        let can_place = !self.game.placements(position).is_empty();
        let (key, _) = self.normal(position);
        let is_new = can_place && !self.entries.contains_key(&key);
        if is_new {
            self.entries.insert(key, Entry::UNSEARCHED);
        }
        is_new
    }

    /// Puts in the positions of a game that have at least so many empty cells. Returns how many were new.
    pub fn insert_game(
        &mut self,
        start: &Position<u64>,
        moves: &[Move],
        least_empties: u32,
    ) -> usize {
        let mut position = *start;
        let mut new =
            usize::from(self.is_early(&position, least_empties) && self.insert(&position));
        for &mv in moves {
            position = self.game.play_unchecked(&position, mv);
            if !self.is_early(&position, least_empties) {
                break;
            }
            new += usize::from(self.insert(&position));
        }
        new
    }

    fn is_early(&self, position: &Position<u64>, least_empties: u32) -> bool {
        self.empties(position) >= least_empties && self.game.score(position).is_none()
    }

    fn empties(&self, position: &Position<u64>) -> u32 {
        self.grid.len() as u32 - position.occupied().len()
    }

    /// Takes the leaf of every position away that has come into the book, and computes all scores anew, from the
    /// fullest boards to the emptiest.
    fn settle(&mut self) {
        let mut keys: Vec<Key> = self.entries.keys().copied().collect();
        keys.sort_by_key(|key| (key.own | key.opponent).count_zeros());
        for key in keys {
            let position = key.position();
            let mut entry = self.entries[&key];
            if let Leaf::Move { cell, .. } = entry.leaf
                && let Child::Position { key, .. } = self.child(&position, Cell::new(cell.into()))
                && self.entries.contains_key(&key)
            {
                entry.leaf = Leaf::Unsearched;
            }
            let placements = self.game.placements(&position).iter();
            let followed = placements.filter_map(|cell| Some(self.followed(&position, cell)?.0));
            let leaf = match entry.leaf {
                Leaf::Move { score, .. } => Some(i32::from(score)),
                _ => None,
            };
            let score = followed.chain(leaf).max();
            entry.score = score.map(|score| score as i8);
            self.entries.insert(key, entry);
        }
    }
}

impl Key {
    /// The position with one of both colours to move; which does not matter.
    fn position(self) -> Position<u64> {
        Position {
            own: self.own,
            opponent: self.opponent,
            to_move: Color::Black,
        }
    }
}

impl Entry {
    const UNSEARCHED: Self = Self {
        level: 0,
        leaf: Leaf::Unsearched,
        score: None,
    };

    fn is_searched(&self) -> bool {
        self.leaf != Leaf::Unsearched
    }
}

#[cfg(test)]
mod tests {
    use upstar_jobs::Budget;

    use super::*;

    fn grown(size: &str, level: u32, positions: usize, threads: usize) -> OpeningBook {
        let mut book = OpeningBook::new(size.parse().unwrap());
        let growth = Growth {
            level,
            positions,
            least_empties: 8,
            loss: 1.0,
        };
        let grown = book.grow(&growth, threads, &Budget::unlimited(), &mut |_, _| Ok(()));
        assert!(grown.unwrap());
        book
    }

    /// The position and all that follow in the book, by the rules and the definition of scores.
    fn check(book: &OpeningBook, position: &Position<u64>) -> Option<i32> {
        let moves = book.moves(position);
        assert!(moves.is_sorted_by_key(|found| -found.discs));
        for found in &moves {
            let legal = book.game.moves(position).any(|mv| mv == found.mv);
            assert!(legal, "{:?}", found.mv);
            if found.stays {
                let mut next = book.game.play_unchecked(position, found.mv);
                let mut sign = -1;
                if book.game.moves(&next).next() == Some(Move::Pass) {
                    next = book.game.play_unchecked(&next, Move::Pass);
                    sign = 1;
                }
                assert_eq!(
                    Some(found.discs),
                    check(book, &next).map(|score| sign * score)
                );
            }
        }
        moves.first().map(|best| best.discs)
    }

    #[test]
    fn scores_follow_from_what_comes_after() {
        for size in ["8x8", "6x6", "4x6"] {
            let book = grown(size, 3, 120, 1);
            assert!(book.len() >= 120);
            assert!(check(&book, &book.start().unwrap()).is_some());
        }
    }

    #[test]
    fn images_of_a_position_are_one() {
        let book = grown("8x8", 2, 40, 1);
        let start = book.start().unwrap();
        let firsts = book.moves(&start);
        assert_eq!(firsts.len(), 4);
        for first in &firsts {
            assert!(first.stays);
            assert_eq!(first.discs, firsts[0].discs);
            let next = book.game.play_unchecked(&start, first.mv);
            let discs: Vec<i32> = book.moves(&next).iter().map(|found| found.discs).collect();
            let other = book.game.play_unchecked(&start, firsts[0].mv);
            let others: Vec<i32> = book.moves(&other).iter().map(|found| found.discs).collect();
            assert_eq!(discs, others);
        }
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let book = grown("8x8", 3, 150, 1);
        assert_eq!(book.entries, grown("8x8", 3, 150, 2).entries);
        let mut book = OpeningBook::new("8x8".parse().unwrap());
        let growth = Growth {
            level: 3,
            positions: 150,
            least_empties: 8,
            loss: 1.0,
        };
        // Ended again and again after the first search that is told of.
        for _ in 0..10_000 {
            let budget = Budget::unlimited();
            let stop = budget.clone();
            let done = book.grow(&growth, 1, &budget, &mut |_, _| {
                stop.cancel();
                Ok(())
            });
            book = OpeningBook::from_bytes(&book.to_bytes()).unwrap();
            if done.unwrap() {
                break;
            }
        }
        assert_eq!(book.entries, grown("8x8", 3, 150, 1).entries);
    }

    #[test]
    fn games_are_learned() {
        let mut book = OpeningBook::new("8x8".parse().unwrap());
        let start = book.start().unwrap();
        let moves = ["f5", "d6", "c3", "d3", "c4"].map(|mv| book.game.move_named(mv).unwrap());
        assert_eq!(book.insert_game(&start, &moves, 57), 4);
        assert_eq!(book.insert_game(&start, &moves, 55), 2);
        let growth = Growth {
            level: 2,
            positions: 0,
            ..Growth::default()
        };
        let grown = book.grow(&growth, 1, &Budget::unlimited(), &mut |_, _| Ok(()));
        assert!(grown.unwrap());
        assert_eq!(book.len(), 6);
        assert!(check(&book, &start).is_some());
        // The search of a position leaves out what is in the book.
        let known = book.moves(&start);
        assert!(known.iter().all(|found| found.stays), "{known:?}");
    }

    #[test]
    fn the_shipped_book_knows_the_start() {
        let book = OpeningBook::shipped("8x8".parse().unwrap()).unwrap();
        assert!(check(&book, &book.start().unwrap()).is_some());
        assert!(OpeningBook::shipped("6x6".parse().unwrap()).is_none());
    }
}
