//! Clobber on directed edges: each has a *slot*, numbered in the order of moves, so that a set of
//! moves is a few words and its lowest element the first move of the list.

use upstar_games::{Cells, Clobber, Position, Rules};
use upstar_machine::Machine;

/// How many moves are listed together, and judged.
pub(super) const TOGETHER: usize = 4;

/// The cells that a move joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: u8,
    pub(super) to: u8,
}

/// What the slots of a board are.
#[derive(Clone, Debug)]
pub(super) struct Slots<const W: usize> {
    /// The edges of each word of slots, and behind them one that takes a cell beyond the board: it is
    /// what a word without slots has first, and an index needs no check.
    edges: [[Edge; 65]; W],
    /// For each cell the slots that leave it, and those that lead to it.
    leaving: Vec<[u64; W]>,
    leading: Vec<[u64; W]>,
}

impl Slots<0> {
    /// All moves that any stone could make on this board, in the order of moves.
    pub(super) fn list<B: Cells>(game: &Clobber<B>) -> Vec<Edge> {
        let board = game.board();
        let cells = B::from_wide(board.cells());
        let mut edges = Vec::new();
        for from in cells.iter() {
            // One stone amid opponents has all its moves.
            let position = Position {
                own: B::one(from),
                opponent: cells.without(from),
                to_move: upstar_games::Color::Black,
            };
            edges.extend(game.moves(&position).map(|mv| Edge {
                from: mv.from.index() as u8,
                to: mv.to.index() as u8,
            }));
        }
        edges
    }
}

impl<const W: usize> Slots<W> {
    /// The length of a list that has room for all moves and what fills it up.
    pub(super) const ROOM: usize = 64 * W + TOGETHER;

    pub(super) fn new(list: &[Edge], cells: usize) -> Self {
        assert!(list.len() <= 64 * W, "there is a bit for each slot");
        let beyond = Edge {
            from: 0,
            to: cells as u8,
        };
        let mut slots = Self {
            edges: [[beyond; 65]; W],
            leaving: vec![[0; W]; cells],
            leading: vec![[0; W]; cells],
        };
        for (slot, edge) in list.iter().enumerate() {
            slots.edges[slot / 64][slot % 64] = *edge;
            slots.leaving[usize::from(edge.from)][slot / 64] |= 1 << (slot % 64);
            slots.leading[usize::from(edge.to)][slot / 64] |= 1 << (slot % 64);
        }
        slots
    }
}

/// A side's stones, as slots that leave and lead to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side<B, const W: usize> {
    pub(super) stones: B,
    leaving: [u64; W],
    leading: [u64; W],
}

impl<B: Cells, const W: usize> Side<B, W> {
    pub(super) fn new(stones: B, slots: &Slots<W>) -> Self {
        let mut side = Self {
            stones: B::EMPTY,
            leaving: [0; W],
            leading: [0; W],
        };
        for cell in stones.iter() {
            side.toggle(cell.index(), slots);
        }
        side
    }

    /// A stone comes or goes.
    #[inline(always)]
    fn toggle(&mut self, cell: usize, slots: &Slots<W>) {
        self.stones ^= B::from_wide(1 << cell);
        let (leaving, leading) = (&slots.leaving[cell], &slots.leading[cell]);
        for word in 0..W {
            self.leaving[word] ^= leaving[word];
            self.leading[word] ^= leading[word];
        }
    }
}

/// The moves of one side onto the other.
#[inline(always)]
pub(super) fn moves<B, const W: usize>(own: &Side<B, W>, opponent: &Side<B, W>) -> [u64; W] {
    // Not with `zip`, which the compiler would call as a function.
    let mut moves = own.leaving;
    for (word, moves) in moves.iter_mut().enumerate() {
        *moves &= opponent.leading[word];
    }
    moves
}

/// Plays a move.
#[inline(always)]
pub(super) fn play<B: Cells, const W: usize>(
    own: &mut Side<B, W>,
    opponent: &mut Side<B, W>,
    edge: Edge,
    slots: &Slots<W>,
) {
    let (from, to) = (usize::from(edge.from), usize::from(edge.to));
    own.toggle(from, slots);
    own.toggle(to, slots);
    opponent.toggle(to, slots);
}

/// How many there are.
#[inline(always)]
pub(super) fn count<const W: usize>(moves: &[u64; W]) -> u32 {
    let mut count = 0;
    for word in moves {
        count += word.count_ones();
    }
    count
}

/// Lists the edges of these moves and returns how many there are. The last four are filled up with
/// edges that take a cell beyond the board.
#[inline(always)]
pub(super) fn list<const W: usize>(
    moves: &[u64; W],
    slots: &Slots<W>,
    edges: &mut [Edge],
) -> usize {
    let mut len = 0;
    for word in 0..W {
        let (mut moves, known) = (moves[word], &slots.edges[word]);
        let end = len + moves.count_ones() as usize;
        // Four at a time, so that the end is easier to foresee.
        let mut at = len;
        while at < end {
            for edge in &mut edges[at..at + TOGETHER] {
                *edge = known[moves.trailing_zeros() as usize];
                moves &= moves.wrapping_sub(1);
            }
            at += TOGETHER;
        }
        len = end;
    }
    if W > 1 {
        // The last word filled its own fours up, which need not be those of the list.
        edges[len..len + TOGETHER].fill(slots.edges[0][64]);
    }
    len
}

/// The edge of the `n`-th move; there must be more than `n`.
#[inline(always)]
pub(super) fn nth<M: Machine, const W: usize>(
    moves: &[u64; W],
    mut n: u32,
    slots: &Slots<W>,
) -> Edge {
    for (word, &set) in moves.iter().enumerate() {
        let here = set.count_ones();
        if n < here || word + 1 == W {
            return slots.edges[word][M::nth(set, n).trailing_zeros() as usize];
        }
        n -= here;
    }
    unreachable!("W is not 0")
}
