//! Solitaire Clobber: one player moves both colours in turn and wants as few stones left as
//! possible (Demaine, Demaine and Fleischer, *Solitaire Clobber*, 2002).

use std::collections::HashSet;

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::game::Rules;
use crate::position::{Position, PositionError};
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::Side;

use super::{Clobber, Move};

/// The rules of solitaire Clobber on one board: those of Clobber, without an opponent.
#[derive(Clone, Debug)]
pub struct Solitaire {
    clobber: Clobber<u128>,
    /// One side of the board if its cells can be split into two sides without neighbours inside a
    /// side, as the squares of a chess board can.
    one_side: Option<u128>,
}

/// What a move is judged by: the smaller the better.
type Promise = (u32, u32, std::cmp::Reverse<u64>);

/// A way to play a position out, and what is known about all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The moves.
    pub line: Vec<Move>,
    /// The stones that they leave.
    pub stones_left: u32,
    /// Fewer stones than this are impossible.
    pub lower_bound: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl Reduction {
    /// Whether no line of play leaves fewer stones.
    #[must_use]
    pub fn is_best(&self) -> bool {
        self.stones_left == self.lower_bound
    }
}

impl Solitaire {
    /// Solitaire Clobber on this board.
    #[must_use]
    pub fn new(board: impl Into<Board>) -> Self {
        let clobber = Clobber::new(board);
        Self {
            one_side: one_side(&clobber),
            clobber,
        }
    }

    /// Plays out by the promise of each move alone.
    #[must_use]
    pub fn greedy(&self, start: &Position<u128>) -> Reduction {
        let mut position = *start;
        let mut line = Vec::new();
        let mut nodes = 1;
        while let Some(&(_, mv)) = self.by_promise(&position).first() {
            nodes += self.count_moves(&position);
            line.push(mv);
            position = self.play_unchecked(&position, mv);
        }
        Reduction {
            line,
            stones_left: position.occupied().len(),
            lower_bound: self.lower_bound(start),
            nodes,
        }
    }

    /// The moves, the most promising first: few stones must remain, the stone that leaves had few
    /// neighbours (so that the others stay together), and many moves follow.
    fn by_promise(&self, position: &Position<u128>) -> Vec<(Promise, Move)> {
        let judged = |mv: Move| {
            let after = self.play_unchecked(position, mv);
            let neighbours = self.clobber.adjacent[mv.from.index()] & position.occupied();
            let promise = (
                self.lower_bound(&after),
                neighbours.len(),
                std::cmp::Reverse(self.count_moves(&after)),
            );
            (promise, mv)
        };
        let mut moves: Vec<_> = self.moves(position).map(judged).collect();
        moves.sort_by_key(|&(promise, _)| promise);
        moves
    }

    /// The fewest stones that can be left: the best line found, with the lower bound that was
    /// proved. Before each position `may_go_on` is asked with the number of positions so far, and the
    /// search ends when it says no.
    #[must_use]
    pub fn fewest(
        &self,
        start: &Position<u128>,
        may_go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Reduction {
        let mut best = self.greedy(start);
        while !best.is_best() {
            let mut search = Search {
                solitaire: self,
                goal: best.lower_bound,
                hopeless: HashSet::new(),
                line: Vec::new(),
                nodes: best.nodes,
                may_go_on,
            };
            let found = search.reaches_goal(start);
            best.nodes = search.nodes;
            match found {
                Some(true) => {
                    best.line = search.line;
                    best.line.reverse();
                    best.stones_left = best.lower_bound;
                }
                Some(false) => best.lower_bound += 1,
                None => break,
            }
        }
        best
    }

    /// Stones that must remain, by the stronger of two bounds.
    fn lower_bound(&self, position: &Position<u128>) -> u32 {
        bound_by_turns(position).max(self.bound_by_groups(position))
    }

    /// Stones that must remain: a group of one colour stays as it is, any other leaves a stone, and
    /// leaves two if its invariant says so.
    ///
    /// The invariant, from the paper: call a stone clashing when it stands on the other
    /// colour's side of the board. A move turns two stones that clash alike into one that clashes
    /// the other way, so stones + clashing stones never changes modulo 3, and it is not 0 for one
    /// stone alone.
    fn bound_by_groups(&self, position: &Position<u128>) -> u32 {
        let mut rest = position.occupied();
        let mut bound = 0;
        while let Some(cell) = rest.first() {
            let group = self.group(cell, rest);
            rest &= !group;
            let (own, opponent) = (group & position.own, group & position.opponent);
            bound += if own == 0 || opponent == 0 {
                group.len()
            } else if let Some(side) = self.one_side {
                let clashing = ((own & !side) | (opponent & side)).len();
                if (group.len() + clashing).is_multiple_of(3) {
                    2
                } else {
                    1
                }
            } else {
                1
            };
        }
        bound
    }

    /// The cells of `within` that are connected with this one.
    fn group(&self, cell: Cell, within: u128) -> u128 {
        let mut group = u128::one(cell);
        let mut border = group;
        while let Some(cell) = border.first() {
            border = border.without(cell) | (self.clobber.adjacent[cell.index()] & within & !group);
            group |= border;
        }
        group
    }
}

/// Stones that must remain because the colours move in turn, each move takes a stone of the other
/// colour, and the stone that moved last is still there.
fn bound_by_turns(position: &Position<u128>) -> u32 {
    let (own, opponent) = (position.own.len(), position.opponent.len());
    let most_plies = if own < opponent {
        2 * own
    } else {
        (2 * opponent).saturating_sub(1)
    };
    own + opponent - most_plies
}

struct Search<'a> {
    solitaire: &'a Solitaire,
    goal: u32,
    hopeless: HashSet<(u128, u128)>,
    /// The moves to the goal, last one first.
    line: Vec<Move>,
    nodes: u64,
    may_go_on: &'a mut dyn FnMut(u64) -> bool,
}

/// So many hopeless positions are remembered, about 100 MB of them.
const MEMORY: usize = 1 << 21;

impl Search<'_> {
    /// Whether at most `goal` stones can be left; `None` when the search had to end.
    fn reaches_goal(&mut self, position: &Position<u128>) -> Option<bool> {
        if !(self.may_go_on)(self.nodes) {
            return None;
        }
        self.nodes += 1;
        let rules = self.solitaire;
        if position.occupied().len() <= self.goal && rules.is_over(position) {
            return Some(true);
        }
        if self.hopeless.contains(&(position.own, position.opponent)) {
            return Some(false);
        }
        for ((bound, ..), mv) in rules.by_promise(position) {
            if bound <= self.goal && self.reaches_goal(&rules.play_unchecked(position, mv))? {
                self.line.push(mv);
                return Some(true);
            }
        }
        if self.hopeless.len() < MEMORY {
            self.hopeless.insert((position.own, position.opponent));
        }
        Some(false)
    }
}

/// Two-colours the board's cells along its edges.
fn one_side(clobber: &Clobber<u128>) -> Option<u128> {
    let adjacent = &clobber.adjacent;
    let mut rest = clobber.board.cells();
    let (mut side, mut other) = (0u128, 0u128);
    while let Some(first) = rest.first() {
        side = side.with(first);
        let mut border = u128::one(first);
        rest &= !border;
        while let Some(cell) = border.first() {
            let neighbours = adjacent[cell.index()];
            *(if side.contains(cell) {
                &mut other
            } else {
                &mut side
            }) |= neighbours;
            border = border.without(cell) | (neighbours & rest);
            rest &= !neighbours;
        }
    }
    (side & other == 0).then_some(side)
}

impl Rules for Solitaire {
    type Position = Position<u128>;
    type Move = Move;

    fn moves<'a>(&'a self, position: &Position<u128>) -> impl Iterator<Item = Move> + use<'a> {
        self.clobber.moves(position)
    }

    fn count_moves(&self, position: &Position<u128>) -> u64 {
        self.clobber.count_moves(position)
    }

    fn is_over(&self, position: &Position<u128>) -> bool {
        self.clobber.is_over(position)
    }

    fn play_unchecked(&self, position: &Position<u128>, mv: Move) -> Position<u128> {
        self.clobber.play_unchecked(position, mv)
    }

    fn plies_left(&self, position: &Position<u128>) -> u32 {
        self.clobber.plies_left(position)
    }

    fn move_name(&self, mv: Move) -> String {
        self.clobber.move_name(mv)
    }

    fn move_named(&self, name: &str) -> Option<Move> {
        self.clobber.move_named(name)
    }

    fn path(&self, mv: Move) -> Option<(Cell, Cell)> {
        self.clobber.path(mv)
    }

    fn board(&self) -> &Board {
        self.clobber.board()
    }

    fn position(
        &self,
        setup: &Setup,
        to_move: impl Into<Side>,
    ) -> Result<Position<u128>, PositionError> {
        self.clobber.position(setup, to_move)
    }

    fn setup(&self, position: &Position<u128>) -> Setup {
        self.clobber.setup(position)
    }

    fn side_to_move(&self, position: &Position<u128>) -> Side {
        self.clobber.side_to_move(position)
    }

    fn result(&self, position: &Position<u128>) -> Option<GameResult> {
        let stones = position.occupied().len();
        self.is_over(position)
            .then_some(GameResult::StonesLeft(stones))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::{checkerboard, random_stones};
    use crate::{Color, Grid, Random};

    fn solved(setup: &Setup, to_move: Color) -> Reduction {
        let solitaire = Solitaire::new(setup.board.clone());
        let start = solitaire.position(setup, to_move).unwrap();
        let best = solitaire.fewest(&start, &mut |nodes| nodes < 5_000_000);
        assert!(best.is_best(), "{setup} is small enough");
        let mut position = start;
        for &mv in &best.line {
            position = solitaire.play(&position, mv).unwrap();
        }
        assert!(solitaire.is_over(&position));
        assert_eq!(position.occupied().len(), best.stones_left);
        best
    }

    fn start(rows: usize, cols: usize) -> Setup {
        checkerboard(Grid::new(rows, cols).unwrap())
    }

    /// The paper: two rows and columns or more leave one stone, or two if the number of stones is a
    /// multiple of three. Who begins is not said there; on an odd board it must be the colour with
    /// fewer stones, see `bound_by_turns`.
    #[test]
    fn checkerboards_leave_one_stone_or_two() {
        let sizes = [
            (2, 2),
            (2, 3),
            (2, 7),
            (3, 3),
            (3, 4),
            (4, 4),
            (4, 5),
            (5, 5),
            (6, 6),
            (8, 8),
        ];
        for (rows, cols) in sizes {
            let expected = if rows * cols % 3 == 0 { 2 } else { 1 };
            let found = solved(&start(rows, cols), Color::White).stones_left;
            assert_eq!(found, expected, "{rows}x{cols}");
        }
    }

    #[test]
    fn the_colour_with_more_stones_should_not_begin() {
        assert_eq!(solved(&start(5, 5), Color::Black).stones_left, 2);
    }

    /// The paper: a row of n leaves ⌈n/4⌉ stones, one more if n = 3 modulo 4.
    #[test]
    fn rows_leave_a_quarter() {
        for n in 1..=16usize {
            let expected = n.div_ceil(4) + usize::from(n % 4 == 3);
            assert_eq!(
                solved(&start(1, n), Color::Black).stones_left as usize,
                expected,
                "1x{n}"
            );
        }
    }

    fn brute(rules: &Solitaire, position: &Position<u128>) -> u32 {
        rules
            .moves(position)
            .map(|mv| brute(rules, &rules.play_unchecked(position, mv)))
            .min()
            .unwrap_or(position.occupied().len())
    }

    #[test]
    fn the_search_agrees_with_trying_everything() {
        let mut random = Random::new(5);
        for _ in 0..60 {
            let setup = random_stones(Grid::new(3, 3).unwrap(), 2, 0.9, &mut random);
            let rules = Solitaire::new(setup.board.clone());
            let expected = brute(&rules, &rules.position(&setup, Color::Black).unwrap());
            assert_eq!(
                solved(&setup, Color::Black).stones_left,
                expected,
                "{setup}"
            );
        }
    }

    #[test]
    fn an_odd_ring_has_no_sides_but_a_result() {
        let setup: Setup = "a=x,b=o,c=o,a-b,b-c,c-a".parse().unwrap();
        assert_eq!(solved(&setup, Color::Black).stones_left, 1);
    }

    #[test]
    fn greedy_is_never_better_than_the_best() {
        for (rows, cols) in [(1, 9), (2, 5), (3, 4), (4, 4)] {
            let setup = start(rows, cols);
            let solitaire = Solitaire::new(setup.board.clone());
            let greedy = solitaire.greedy(&solitaire.position(&setup, Color::Black).unwrap());
            assert!(greedy.stones_left >= solved(&setup, Color::Black).stones_left);
        }
    }
}
