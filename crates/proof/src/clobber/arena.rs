//! Where pieces live and how their stones move: on any grid, or on one graph, with or without
//! cannibals. All that a checker knows of Clobber is in this file.

use upstar_games::{Board, Cells, Color, Setup, Variant};

use super::lemmas::Lemmas;
use super::piece::{Piece, first};
use super::sum::Sum;

/// The rules as pieces see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    cannibal: bool,
    /// The neighbours of each vertex; `None` on a grid.
    graph: Option<Vec<u128>>,
}

/// A move in a sum: a stone of the piece at this index goes from one cell of its box to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) piece: usize,
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Arena {
    /// The rules of this game on this board; `None` if it is not Clobber for two.
    #[must_use]
    pub fn new(variant: Variant, board: &Board) -> Option<Self> {
        let cannibal = match variant {
            Variant::Clobber => false,
            Variant::Cannibal => true,
            _ => return None,
        };
        let graph = match board {
            Board::Grid(_) => None,
            Board::Graph(graph) => {
                let mut near = vec![0; graph.len()];
                for &(a, b) in graph.edges() {
                    near[a.index()] |= u128::one(b);
                    near[b.index()] |= u128::one(a);
                }
                Some(near)
            }
        };
        Some(Self { cannibal, graph })
    }

    /// The game on grids: what fits into no particular board needs none.
    #[must_use]
    pub const fn on_grids(cannibal: bool) -> Self {
        Self {
            cannibal,
            graph: None,
        }
    }

    /// The pieces of a box of stones in which somebody can move, each in normal form.
    ///
    /// # Panics
    /// If the box has no cell or more than 128, stones outside, or two stones on a cell.
    #[must_use]
    pub fn pieces(&self, rows: usize, cols: usize, black: u128, white: u128) -> Vec<Piece> {
        assert!(
            (1..=128).contains(&(rows * cols)),
            "a box has 1 to 128 cells"
        );
        let outside = !first((rows * cols) as u32);
        assert!(
            (black | white) & outside == 0 && black & white == 0,
            "stones stand on cells of the box, one on each"
        );
        let mut pieces = Vec::new();
        let whole = Piece::placed(rows as u8, cols as u8, black, white);
        self.push_parts(&whole, black | white, &mut pieces);
        pieces
    }

    /// The sum of the pieces of a whole position, without lemmas.
    #[must_use]
    pub fn sum(&self, setup: &Setup) -> Sum {
        Sum::new(self, self.setup_pieces(setup))
    }

    pub(crate) fn setup_pieces(&self, setup: &Setup) -> Vec<Piece> {
        let (rows, cols) = match &setup.board {
            Board::Grid(grid) => (grid.rows(), grid.cols()),
            Board::Graph(graph) => (1, graph.len()),
        };
        self.pieces(
            rows,
            cols,
            setup.stones(Color::Black),
            setup.stones(Color::White),
        )
    }

    /// The same piece with colours exchanged: what cancels it.
    #[must_use]
    pub fn negative(&self, piece: &Piece) -> Piece {
        let exchanged = piece.exchanged();
        match self.graph {
            None => exchanged.least_image(),
            Some(_) => exchanged,
        }
    }

    /// Whether a piece with this box may stand here.
    pub(crate) fn has_room(&self, rows: usize, cols: usize) -> bool {
        match &self.graph {
            None => rows >= 1 && cols >= 1 && rows * cols <= 128,
            Some(near) => rows == 1 && cols == near.len(),
        }
    }

    /// Adds the connected parts of these stones in which somebody can move.
    fn push_parts(&self, whole: &Piece, mut stones: u128, parts: &mut Vec<Piece>) {
        while stones != 0 {
            let mut part = stones & stones.wrapping_neg();
            loop {
                let grown = (part | self.near(whole, part)) & stones;
                if grown == part {
                    break;
                }
                part = grown;
            }
            stones &= !part;
            let (black, white) = (
                part & whole.cells(Color::Black),
                part & whole.cells(Color::White),
            );
            let stuck = if self.cannibal {
                part & (part - 1) == 0
            } else {
                black == 0 || white == 0
            };
            if !stuck {
                parts.push(match self.graph {
                    None => whole.cropped(part).least_image(),
                    Some(_) => Piece::placed(whole.rows() as u8, whole.cols() as u8, black, white),
                });
            }
        }
    }

    /// The cells next to one of these.
    fn near(&self, piece: &Piece, cells: u128) -> u128 {
        if let Some(near) = &self.graph {
            return cells.iter().fold(0, |set, cell| set | near[cell.index()]);
        }
        let cols = piece.cols() as u32;
        let left_edge = LEFT_EDGE[cols as usize];
        let up = cells.checked_shr(cols).unwrap_or(0);
        let down = cells.checked_shl(cols).unwrap_or(0);
        up | down | (cells & !left_edge) >> 1 | cells << 1 & !left_edge
    }

    /// The moves of this colour, in the order of the file format: each different piece in the order
    /// of the sum, each of its stones in the order of cells, to each neighbour up, left, down, right
    /// or in the order of vertices.
    pub(crate) fn steps(&self, sum: &Sum, color: Color, steps: &mut Vec<Step>) {
        steps.clear();
        for (index, piece) in sum.different() {
            self.each_move(piece, color, |from, to| {
                steps.push(Step {
                    piece: index,
                    from,
                    to,
                });
            });
        }
    }

    fn each_move(&self, piece: &Piece, color: Color, mut visit: impl FnMut(u8, u8)) {
        let prey = if self.cannibal {
            piece.occupied()
        } else {
            piece.cells(!color)
        };
        let own = piece.cells(color) & self.near(piece, prey);
        let cols = piece.cols();
        for from in own.iter().map(upstar_games::Cell::index) {
            if let Some(near) = &self.graph {
                for to in (near[from] & prey).iter() {
                    visit(from as u8, to.index() as u8);
                }
                continue;
            }
            let col = from % cols;
            let mut to = |open: bool, cell: usize| {
                if open && prey >> cell & 1 == 1 {
                    visit(from as u8, cell as u8);
                }
            };
            to(from >= cols, from.wrapping_sub(cols) & 127);
            to(col > 0, from.wrapping_sub(1) & 127);
            to(from + cols < 128, (from + cols) & 127);
            to(col + 1 < cols, (from + 1) & 127);
        }
    }

    /// The pieces that a piece becomes by this move, in normal form.
    pub(crate) fn push_moved(
        &self,
        piece: &Piece,
        color: Color,
        from: u8,
        to: u8,
        parts: &mut Vec<Piece>,
    ) {
        let (from, to) = (1u128 << from, 1u128 << to);
        let own = piece.cells(color) & !from | to;
        let other = piece.cells(!color) & !to;
        let (black, white) = match color {
            Color::Black => (own, other),
            Color::White => (other, own),
        };
        let moved = Piece::placed(piece.rows() as u8, piece.cols() as u8, black, white);
        self.push_parts(&moved, black | white, parts);
    }

    /// The sum after a move, simplified by the lemmas.
    pub(crate) fn play(&self, sum: &Sum, color: Color, step: Step, lemmas: &Lemmas) -> Sum {
        let pieces = sum.pieces();
        let mut parts = Vec::with_capacity(pieces.len() + 2);
        self.push_moved(&pieces[step.piece], color, step.from, step.to, &mut parts);
        self.replaced(sum, step.piece, &parts, lemmas)
    }

    /// The sum with these parts, simplified by the lemmas, instead of one of its pieces.
    pub(crate) fn replaced(
        &self,
        sum: &Sum,
        piece: usize,
        parts: &[Piece],
        lemmas: &Lemmas,
    ) -> Sum {
        let pieces = sum.pieces();
        let mut all = Vec::with_capacity(pieces.len() + parts.len() + 1);
        all.extend_from_slice(&pieces[..piece]);
        all.extend_from_slice(&pieces[piece + 1..]);
        lemmas.push_simplified(parts, &mut all);
        Sum::new(self, all)
    }
}

/// The cells at the left edge of a box with this many columns.
const LEFT_EDGE: [u128; 129] = {
    let mut edges = [0; 129];
    let mut cols = 1;
    while cols <= 128 {
        let mut cell = 0;
        while cell < 128 {
            edges[cols] |= 1 << cell;
            cell += cols;
        }
        cols += 1;
    }
    edges
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use upstar_games::{Clobber, Grid, Position, Random, Rules, Symmetry, clobber};

    use super::*;
    use crate::clobber::search::Search;
    use crate::hash::Key;

    /// A random position: on a grid, or on a graph that is a wheel without some of its rim.
    fn setup(size: (usize, usize), density: f64, seed: u64, graph: bool) -> Setup {
        let random = &mut Random::new(seed);
        if !graph {
            let grid = Grid::new(size.0, size.1).unwrap();
            return clobber::random_stones(grid, 2, density, random);
        }
        let mut words = vec!["v0=x".to_owned()];
        for vertex in 1..=size.0 * size.1 {
            words.push(format!(
                "v{vertex}={}",
                ['x', 'o', '.'][random.below(3) as usize]
            ));
            if random.below(3) > 0 {
                words.push(format!("v{vertex}-v0"));
            }
            if vertex > 1 && random.below(4) > 0 {
                words.push(format!("v{}-v{vertex}", vertex - 1));
            }
        }
        words.join(",").parse().unwrap()
    }

    fn rules(variant: Variant, board: &Board) -> (Arena, Clobber<u128>) {
        let clobber = match variant {
            Variant::Cannibal => Clobber::cannibal(board.clone()),
            _ => Clobber::new(board.clone()),
        };
        (Arena::new(variant, board).unwrap(), clobber)
    }

    /// Whether the side to move wins, by the whole board and nothing but the rules.
    fn wins(clobber: &Clobber<u128>, position: &Position<u128>) -> bool {
        let mut moves = clobber.moves(position);
        moves.any(|mv| !wins(clobber, &clobber.play_unchecked(position, mv)))
    }

    fn variants() -> impl Strategy<Value = Variant> {
        prop_oneof![Just(Variant::Clobber), Just(Variant::Cannibal)]
    }

    proptest! {
        #[test]
        fn moves_of_a_sum_are_those_of_the_board(
            variant in variants(), size in (1usize..7, 1usize..8), density in 0.3..1.0,
            seed in any::<u64>(), graph in any::<bool>(), white in any::<bool>(),
        ) {
            let setup = setup(size, density, seed, graph);
            let (arena, clobber) = rules(variant, &setup.board);
            let color = Color::ALL[usize::from(white)];
            let sum = arena.sum(&setup);
            // Where pieces have cancelled, the board has more moves than the sum.
            prop_assume!(sum.pieces().len() == arena.setup_pieces(&setup).len());
            let start = clobber.position(&setup, color).unwrap();
            let next = |mv| arena.sum(&clobber.setup(&clobber.play_unchecked(&start, mv)));
            let of_board: BTreeSet<Sum> = clobber.moves(&start).map(next).collect();
            let mut steps = Vec::new();
            arena.steps(&sum, color, &mut steps);
            let lemmas = Lemmas::new(Key::FIXED);
            let play = |&step: &Step| arena.play(&sum, color, step, &lemmas);
            let of_sum: BTreeSet<Sum> = steps.iter().map(play).collect();
            prop_assert_eq!(of_board, of_sum);
            for piece in sum.pieces() {
                let (black, white) = (piece.cells(Color::Black), piece.cells(Color::White));
                prop_assert_eq!(arena.pieces(piece.rows(), piece.cols(), black, white), [*piece]);
                prop_assert_eq!(arena.negative(&arena.negative(piece)), *piece);
                prop_assert_eq!(piece.stones().count(), piece.len() as usize);
            }
        }

        #[test]
        fn turned_mirrored_and_shifted_positions_have_the_same_sum(
            size in (1usize..8, 1usize..9), density in 0.3..1.0, seed in any::<u64>(),
        ) {
            let setup = setup(size, density, seed, false);
            let Board::Grid(grid) = setup.board else { unreachable!("asked for a grid") };
            let arena = Arena::on_grids(false);
            let sum = arena.sum(&setup);
            for symmetry in Symmetry::all(&grid) {
                let image = |color| symmetry.cells(setup.stones(color));
                prop_assert_eq!(arena.sum(&Setup::of_two(grid, image(Color::Black), image(Color::White))), sum.clone());
            }
            // Transposed, one row lower and one column further right.
            let wide = Grid::new(grid.cols() + 1, grid.rows() + 1).unwrap();
            let mut moved = Setup::new(wide);
            for cell in grid.cells().iter() {
                let (row, col) = grid.row_and_col(cell);
                if let Some(color) = setup.stone(cell) {
                    moved.put(wide.cell(col + 1, row + 1), color);
                }
            }
            prop_assert_eq!(arena.sum(&moved), sum);
        }

        #[test]
        fn search_agrees_with_play_on_the_whole_board(
            variant in variants(), size in (1usize..4, 1usize..4), density in 0.4..1.0,
            seed in any::<u64>(), graph in any::<bool>(), white in any::<bool>(),
        ) {
            let setup = setup(size, density, seed, graph);
            let stones = setup.stones(Color::Black).len() + setup.stones(Color::White).len();
            prop_assume!(stones <= 7 || variant == Variant::Clobber && stones <= 9 && !graph);
            let (arena, clobber) = rules(variant, &setup.board);
            let color = Color::ALL[usize::from(white)];
            let mut search = Search::new(Key::FIXED, 8, &upstar_jobs::Budget::unlimited());
            let lemmas = Lemmas::new(Key::FIXED);
            let found = search.wins(&arena, &lemmas, &arena.sum(&setup), color, u64::MAX);
            let start = clobber.position(&setup, color).unwrap();
            prop_assert_eq!(found, Ok(wins(&clobber, &start)));
        }
    }

    #[test]
    fn the_widest_and_the_highest_boards_have_sums() {
        let row = "xo".repeat(64);
        let column: Vec<&str> = (0..128).map(|row| ["x", "o"][row % 2]).collect();
        let arena = Arena::on_grids(false);
        let sum = arena.sum(&row.parse().unwrap());
        assert_eq!(sum, arena.sum(&column.join("|").parse().unwrap()));
        assert_eq!(sum.to_string(), row);
        let mut steps = Vec::new();
        arena.steps(&sum, Color::White, &mut steps);
        assert_eq!(steps.len(), 127);
        let grid = clobber::checkerboard("8x16".parse().unwrap());
        arena.steps(&arena.sum(&grid), Color::Black, &mut steps);
        assert_eq!(steps.len(), 8 * 15 + 7 * 16);
    }

    #[test]
    fn a_piece_and_its_negative_cancel_and_stuck_stones_are_nothing() {
        let clobber = Arena::on_grids(false);
        let cannibal = Arena::on_grids(true);
        let text = |arena: &Arena, text: &str| arena.sum(&text.parse().unwrap()).to_string();
        assert_eq!(text(&clobber, "xxo.oox"), "0");
        assert_eq!(text(&clobber, "xo.xo.xo"), "xo");
        assert_eq!(text(&clobber, "xx.o.xoo"), "xoo");
        assert_eq!(text(&cannibal, "xx.o.xoo"), "xx + xoo");
        assert_eq!(text(&cannibal, "xx.oo"), "0");
    }
}
