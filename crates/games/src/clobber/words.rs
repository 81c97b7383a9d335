//! Clobber on the cells of a grid, as many whole rows in each of `C` words as fit. The last row of a
//! word is the first of the next one too, so that every edge lies within a word.
//!
//! An edge is the cell at its lower end and a direction, so all moves come from shifted sets of cells,
//! and a move is a pair of cells: both change sides, and the mover's goes. This needs no tables, and
//! is faster than with them unless all edges fit in one word.

use crate::cells::{Cell, Cells};
use crate::playout::Playout;
use crate::playout::Root;
use upstar_machine::{Kernel, Machine};

use super::edges::EdgeState;

/// How cells lie in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<const C: usize> {
    /// The distance between neighbours in a row, which is 1. A variable, because to shift by a
    /// constant takes an instruction more.
    one: u64,
    /// The distance between neighbours in a column.
    cols: u64,
    /// From a word's first row to the row that it shares with the next word.
    shared: u64,
    /// The cells of a word.
    full: u64,
    /// For each word its cells that have a right neighbour, without the row that the next word has
    /// too.
    inner: [u64; C],
}

/// A position with its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GridState<const C: usize> {
    pub(super) stones: [u64; C],
    /// The opponent's; of no meaning where there is no stone.
    pub(super) theirs: [u64; C],
    pub(super) moves: Moves<C>,
}

/// Moves: the left cells of those in rows and the upper cells of those in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moves<const C: usize> {
    pub(super) across: [u64; C],
    pub(super) down: [u64; C],
}

impl<const C: usize> Layout<C> {
    /// None if it does not fit.
    pub(super) fn new(rows: usize, cols: usize) -> Option<Self> {
        let height = 64usize.checked_div(cols)?.min(rows);
        if height == 0 || cols > 63 || rows > 1 + C * (height - 1) {
            return None;
        }
        let full = u64::MAX >> (64 - height * cols);
        let last_column = (1..=height).fold(0, |set, row| set | 1 << (row * cols - 1));
        let shared = (height - 1) * cols;
        let inner = |word: usize| {
            let rows = if word + 1 < C {
                (1 << shared) - 1
            } else {
                full
            };
            rows & !last_column
        };
        Some(Self {
            one: 1,
            cols: cols as u64,
            shared: shared as u64,
            full,
            inner: std::array::from_fn(inner),
        })
    }

    /// The same for vectors, in which a constant shift is the faster one.
    #[inline(always)]
    pub(super) fn in_vectors(self) -> Self {
        Self { one: 1, ..self }
    }

    #[inline(always)]
    pub(super) fn load(&self, own: u128, opponent: u128) -> GridState<C> {
        let theirs = self.words(opponent);
        self.state(self.words(own | opponent), theirs, theirs)
    }

    #[inline(always)]
    fn words(&self, mut cells: u128) -> [u64; C] {
        let mut words = [0; C];
        for word in &mut words {
            *word = cells as u64 & self.full;
            cells >>= self.shared & 63;
        }
        words
    }

    /// A position from its stones and the opponent's; `colour` is either side's.
    #[inline(always)]
    fn state(&self, stones: [u64; C], theirs: [u64; C], colour: [u64; C]) -> GridState<C> {
        let mut moves = Moves {
            across: [0; C],
            down: [0; C],
        };
        for k in 0..C {
            let (right, right_colour) = (stones[k] >> self.one, colour[k] >> self.one);
            moves.across[k] = (colour[k] ^ right_colour) & right & (stones[k] & self.inner[k]);
            let (below, below_colour) =
                (stones[k] >> (self.cols & 63), colour[k] >> (self.cols & 63));
            moves.down[k] = (colour[k] ^ below_colour) & below & stones[k];
        }
        GridState {
            stones,
            theirs,
            moves,
        }
    }

    /// The position after a move, the only one of `edge`; the other side is to move.
    #[inline(always)]
    pub(super) fn play(&self, state: &GridState<C>, edge: Moves<C>) -> GridState<C> {
        let Moves { across, down } = edge;
        let (mut stones, mut theirs, mut colour) = ([0; C], [0; C], [0; C]);
        for k in 0..C {
            let mut pair = (across[k] * 3) | down[k] | down[k] << (self.cols & 63);
            // The same cells in the words before and after, if they are in a shared row. What this
            // puts beyond a word's rows does no harm: there are no stones.
            if k > 0 {
                pair |= down[k - 1] >> (self.shared.wrapping_sub(self.cols) & 63);
            }
            if k + 1 < C {
                pair |= ((across[k + 1] * 3) | down[k + 1]) << (self.shared & 63);
            }
            stones[k] = state.stones[k] & !(pair & !state.theirs[k]);
            colour[k] = state.theirs[k] ^ pair;
            theirs[k] = !colour[k];
        }
        self.state(stones, theirs, colour)
    }
}

impl Layout<1> {
    /// All edges by their lower and higher cells, those in rows before those in columns; None if
    /// they are more than a word has bits.
    pub(super) fn ends(&self) -> Option<Vec<(Cell, Cell)>> {
        let edges = |lower: u64, step: u64| {
            lower
                .iter()
                .map(move |cell| (cell, Cell::new(cell.index() + step as usize)))
        };
        let across = edges(self.inner[0], self.one);
        let down = edges(self.full >> self.cols, self.cols);
        let ends: Vec<_> = across.chain(down).collect();
        (ends.len() <= 64).then_some(ends)
    }

    /// A position as sets of the edges in `ends`.
    #[inline(always)]
    pub(super) fn edges<M: Machine>(&self, own: u128, opponent: u128) -> EdgeState<1> {
        let GridState {
            stones: [stones],
            moves,
            ..
        } = self.load(own, opponent);
        let pack = |across, down: u64| {
            let rows = M::compress(across, self.inner[0]);
            [rows | down << (self.inner[0].count_ones() & 63)]
        };
        EdgeState {
            playable: pack(moves.across[0], moves.down[0]),
            occupied: pack(
                stones & stones >> self.one,
                stones & stones >> (self.cols & 63),
            ),
            forward: pack(own as u64, own as u64),
        }
    }
}

impl<const C: usize> Moves<C> {
    /// How many there are.
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        let mut len = 0;
        for k in 0..C {
            len += u64::from(self.across[k].count_ones());
        }
        for k in 0..C {
            len += u64::from(self.down[k].count_ones());
        }
        len
    }

    /// Only the `n`-th, in the order of `len`. It is looked for in each word at once: which one has
    /// it is known later.
    #[inline(always)]
    pub(super) fn nth<M: Machine>(&self, n: u64) -> Self {
        let mut edge = *self;
        let mut before = 0;
        for word in &mut edge.across {
            let (size, rank) = (u64::from(word.count_ones()), n.wrapping_sub(before));
            *word = only(rank < size, M::nth(*word, rank as u32 & 63));
            before += size;
        }
        for (k, word) in edge.down.iter_mut().enumerate() {
            let (size, rank) = (u64::from(word.count_ones()), n.wrapping_sub(before));
            let here = if k + 1 < C { rank < size } else { n >= before };
            *word = only(here, M::nth(*word, rank as u32 & 63));
            before += size;
        }
        edge
    }
}

/// A set or none, without a branch.
#[inline(always)]
fn only(keep: bool, set: u64) -> u64 {
    set & u64::from(keep).wrapping_neg()
}

/// One game at a time.
pub(super) struct Single<'a, const C: usize>(pub(super) &'a Layout<C>, pub(super) Root<'a, u128>);

impl<const C: usize> Kernel for Single<'_, C> {
    type Output = Playout;

    #[inline(always)]
    fn run<M: Machine>(self) -> Playout {
        // Copies, because the compiler keeps them in registers.
        let Self(&layout, root) = self;
        let mut random = root.random.clone();
        let mut state = layout.load(root.own, root.opponent);
        let mut plies = 0;
        loop {
            let moves = state.moves.len();
            if moves == 0 {
                break;
            }
            let n = u64::from(random.below(moves as u32));
            state = layout.play(&state, state.moves.nth::<M>(n));
            plies += 1;
        }
        *root.random = random;
        Playout {
            score: if plies % 2 == 1 { 1 } else { -1 },
            plies,
        }
    }
}
