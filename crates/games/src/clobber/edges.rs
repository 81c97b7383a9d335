//! Clobber played on edges: three sets of edges are the whole state, and tables with an entry per
//! directed edge play a ply without a branch. For graphs, and for grids of few edges.

use std::hint::select_unpredictable;

use crate::board::Board;
use crate::cells::Cell;
use crate::playout::Playout;
use crate::playout::Root;
use crate::random::Random;
use upstar_machine::{Isa, Kernel, Machine};

use super::words::Layout;

/// A position as sets of edges. Each edge has a slot, a bit in `W` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeState<const W: usize> {
    /// Edges between stones of opposite colours: the moves.
    pub(super) playable: [u64; W],
    /// Edges between stones.
    pub(super) occupied: [u64; W],
    /// Edges whose lower end is the mover's, who plays them forward; of no meaning if not playable.
    pub(super) forward: [u64; W],
}

impl<const W: usize> EdgeState<W> {
    /// The number of moves.
    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        let mut len = 0;
        for word in self.playable {
            len += word.count_ones();
        }
        len
    }

    /// The `n`-th move, as a directed edge: its slot, plus 64 `W` if it is played forward.
    #[inline(always)]
    pub(super) fn nth<M: Machine>(&self, n: u32) -> usize {
        let (mut rank, mut playable, mut forward) = (n, self.playable[0], self.forward[0]);
        let (mut base, mut before) = (0, 0);
        for word in 1..W {
            before += self.playable[word - 1].count_ones();
            let earlier = n < before;
            rank = select_unpredictable(earlier, rank, n.wrapping_sub(before));
            playable = select_unpredictable(earlier, playable, self.playable[word]);
            forward = select_unpredictable(earlier, forward, self.forward[word]);
            base = select_unpredictable(earlier, base, 64 * word);
        }
        let bit = M::nth(playable, rank);
        base += if bit & forward != 0 { 64 * W } else { 0 };
        base + bit.trailing_zeros() as usize
    }

    /// Plays a directed edge; the other side is to move.
    #[inline(always)]
    pub(super) fn play(&mut self, table: &Table<W>, directed: usize) {
        let effects = &*table.effects;
        for word in 0..W {
            self.occupied[word] &= effects.keep[word][directed];
            self.playable[word] ^= effects.toggle[word][directed];
            self.playable[word] &= self.occupied[word];
            self.forward[word] ^= effects.turn[word][directed];
        }
    }
}

/// What the edges of one board do to each other.
#[derive(Clone, Debug)]
pub(super) struct Table<const W: usize> {
    effects: Box<Effects<W>>,
    /// For each vertex the edges that it ends, and those of them whose lower end it is.
    stars: Box<[[[u64; W]; 2]]>,
}

/// Room for the directed edges of the widest boards, and a bit more: an odd number of cache lines,
/// so that the words of one edge do not compete for the same places in the cache.
const DIRECTED: usize = 512 + 8;

/// What playing a directed edge changes, backward edges first. Word by word, so that an index is an
/// address, and so that the compiler leaves the words of a state in scalar registers.
#[derive(Clone, Debug)]
struct Effects<const W: usize> {
    /// All edges but those of the vertex left.
    keep: [[u64; DIRECTED]; W],
    /// The edges of the vertex taken: they join other colours than before.
    toggle: [[u64; DIRECTED]; W],
    /// All edges change sides with the mover, but not those whose lower end was just taken.
    turn: [[u64; DIRECTED]; W],
}

impl<const W: usize> Table<W> {
    /// The table of the edges with these ends, lower first.
    pub(super) fn new(ends: &[(Cell, Cell)]) -> Self {
        let vertices = ends.iter().map(|&(_, high)| high.index() + 1).max();
        let mut stars = vec![[[0; W]; 2]; vertices.unwrap_or(0)];
        for (slot, &(low, high)) in ends.iter().enumerate() {
            let (word, bit) = (slot / 64, 1 << (slot % 64));
            stars[low.index()][0][word] |= bit;
            stars[low.index()][1][word] |= bit;
            stars[high.index()][0][word] |= bit;
        }
        let none = [[0; DIRECTED]; W];
        let mut effects = Box::new(Effects {
            keep: none,
            toggle: none,
            turn: none,
        });
        for (slot, &(low, high)) in ends.iter().enumerate() {
            for (from, to, directed) in [(high, low, slot), (low, high, slot + 64 * W)] {
                let ([left, _], [taken, lower]) = (stars[from.index()], stars[to.index()]);
                for word in 0..W {
                    effects.keep[word][directed] = !left[word];
                    effects.toggle[word][directed] = taken[word];
                    effects.turn[word][directed] = !lower[word];
                }
            }
        }
        Self {
            effects,
            stars: stars.into(),
        }
    }

    #[inline(always)]
    fn playout<M: Machine>(&self, mut state: EdgeState<W>, random: &mut Random) -> Playout {
        // A copy, because the compiler keeps it in registers.
        let mut drawing = random.clone();
        let mut plies = 0;
        loop {
            let moves = state.len();
            if moves == 0 {
                break;
            }
            state.play(self, state.nth::<M>(drawing.below(moves)));
            plies += 1;
        }
        *random = drawing;
        Playout {
            score: if plies % 2 == 1 { 1 } else { -1 },
            plies,
        }
    }

    /// The edges of a position.
    #[inline(always)]
    pub(super) fn load(&self, own: u128, opponent: u128) -> EdgeState<W> {
        // Edges with some stone at their ends, with just one, with just one of the mover's.
        let (mut some, mut one, mut one_own, mut forward) = ([0; W], [0; W], [0; W], [0; W]);
        for (vertex, [edges, lower]) in self.stars.iter().enumerate() {
            let set = |cells: u128| ((cells >> vertex) as u64 & 1).wrapping_neg();
            let (mine, stone) = (set(own), set(own | opponent));
            for word in 0..W {
                some[word] |= edges[word] & stone;
                one[word] ^= edges[word] & stone;
                one_own[word] ^= edges[word] & mine;
                forward[word] |= lower[word] & mine;
            }
        }
        let (mut occupied, mut playable) = ([0; W], [0; W]);
        for word in 0..W {
            occupied[word] = some[word] & !one[word];
            playable[word] = one_own[word] & occupied[word];
        }
        EdgeState {
            playable,
            occupied,
            forward,
        }
    }
}

/// Positions as sets of edges, for searches on boards of at most 64 of them: the moves of a position are the
/// bits of one word, and a random game begins without conversion.
#[derive(Clone, Debug)]
pub struct EdgeBoard {
    isa: Isa,
    ends: Vec<(Cell, Cell)>,
    table: Table<1>,
}

/// A position on an [`EdgeBoard`], without stones that can neither take nor be taken any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgePosition(EdgeState<1>);

impl EdgePosition {
    /// The edges that the side to move can play, the same as for the other side.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.0.playable[0]
    }
}

impl EdgeBoard {
    /// None if the board has more than 64 edges.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let ends = board.edges();
        (ends.len() <= 64).then(|| Self {
            isa: Isa::best(),
            table: Table::new(&ends),
            ends,
        })
    }

    /// The number of the edge between two cells, its bit in a set of moves.
    #[must_use]
    pub fn edge(&self, from: Cell, to: Cell) -> Option<u32> {
        let ends = (from.min(to), from.max(to));
        let place = self.ends.iter().position(|&other| other == ends);
        place.map(|place| place as u32)
    }

    /// The position with these stones.
    #[must_use]
    pub fn load(&self, own: u128, opponent: u128) -> EdgePosition {
        EdgePosition(self.table.load(own, opponent))
    }

    /// The position after a move along this edge, which must be one of its moves.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, position: &EdgePosition, edge: u32) -> EdgePosition {
        let EdgePosition(mut state) = *position;
        let forward = (state.forward[0] >> (edge & 63)) & 1;
        state.play(&self.table, (edge + 64 * forward as u32) as usize);
        EdgePosition(state)
    }

    /// One random game.
    #[inline(always)]
    pub fn playout(&self, position: &EdgePosition, random: &mut Random) -> Playout {
        self.isa.run_scalar(Loaded(&self.table, position.0, random))
    }
}

/// One game at a time from a position that is loaded.
struct Loaded<'a>(&'a Table<1>, EdgeState<1>, &'a mut Random);

impl Kernel for Loaded<'_> {
    type Output = Playout;

    #[inline(always)]
    fn run<M: Machine>(self) -> Playout {
        let Self(table, state, random) = self;
        table.playout::<M>(state, random)
    }
}

/// One game at a time.
pub(super) struct Single<'a, const W: usize>(pub(super) &'a Table<W>, pub(super) Root<'a, u128>);

impl<const W: usize> Kernel for Single<'_, W> {
    type Output = Playout;

    #[inline(always)]
    fn run<M: Machine>(self) -> Playout {
        let Self(table, root) = self;
        table.playout::<M>(table.load(root.own, root.opponent), root.random)
    }
}

/// One game at a time on a grid of few edges.
pub(super) struct Tiny<'a>(
    pub(super) &'a Layout<1>,
    pub(super) &'a Table<1>,
    pub(super) Root<'a, u128>,
);

impl Kernel for Tiny<'_> {
    type Output = Playout;

    #[inline(always)]
    fn run<M: Machine>(self) -> Playout {
        let Self(layout, table, root) = self;
        table.playout::<M>(layout.edges::<M>(root.own, root.opponent), root.random)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::clobber::{Clobber, Move, checkerboard};
    use crate::color::Color;
    use crate::game::Rules;
    use crate::playout::testing::misfit;
    use crate::setup::Setup;

    struct Draw<'a, const W: usize>(&'a EdgeState<W>, &'a mut Random);

    impl<const W: usize> Kernel for Draw<'_, W> {
        type Output = usize;

        #[inline(always)]
        fn run<M: Machine>(self) -> usize {
            self.0.nth::<M>(self.1.below(self.0.len()))
        }
    }

    fn check<const W: usize>(size: &str) {
        let setup = checkerboard(size.parse().unwrap());
        let ends = Board::edges(&setup.board);
        let table = Table::<W>::new(&ends);
        let state = table.load(setup.stones(Color::Black), setup.stones(Color::White));
        assert_eq!(state.len() as usize, ends.len());
        for isa in Isa::available() {
            let mut random = Random::new(7);
            let mut seen = HashMap::new();
            for _ in 0..50 * ends.len() {
                *seen
                    .entry(isa.run_scalar(Draw(&state, &mut random)))
                    .or_insert(0) += 1;
            }
            assert_eq!(seen.len(), ends.len());
            let chance = 1.0 / ends.len() as f64;
            assert!(misfit(seen.values().map(|&count| (count, chance))) < 4.5);
        }
    }

    #[test]
    fn each_move_is_equally_likely() {
        check::<1>("6x6");
        check::<2>("8x8");
        check::<3>("10x10");
        check::<4>("8x16");
    }

    /// A position on edges has the moves, the children and the end that the rules say.
    #[test]
    fn edge_positions_follow_the_rules() {
        for text in ["xoxo|oxox|xoxo", "xo.ox|oxxo.|.xoxo", "xxoxoxoxoxxo"] {
            let setup: Setup = text.parse().unwrap();
            let game = Clobber::<u64>::new(setup.board.clone());
            let board = EdgeBoard::new(&setup.board).unwrap();
            let mut random = Random::new(1);
            for _ in 0..20 {
                let mut position = game.position(&setup, Color::Black).unwrap();
                let mut edges = board.load(position.own.into(), position.opponent.into());
                loop {
                    let moves: Vec<Move> = game.moves(&position).collect();
                    let edge = |mv: &Move| board.edge(mv.from, mv.to).unwrap();
                    let set = moves.iter().fold(0, |set, mv| set | 1 << edge(mv));
                    assert_eq!(edges.moves(), set);
                    if moves.is_empty() {
                        assert_eq!(board.playout(&edges, &mut random).plies, 0);
                        break;
                    }
                    let mv = moves[random.below(moves.len() as u32) as usize];
                    position = game.play_unchecked(&position, mv);
                    edges = board.play(&edges, edge(&mv));
                }
            }
        }
        assert!(EdgeBoard::new(&checkerboard("7x7".parse().unwrap()).board).is_none());
    }
}
