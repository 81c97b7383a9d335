//! A board of at most 64 cells as the search sees it: bit i is cell i, row by row, and whatever runs
//! along rows, columns and both diagonals runs along all four at once, a word of a register each.
//!
//! Placements come from fills in both directions of every axis. What a disc turns comes from the rays
//! that leave its cell: on each, the first cell without an opposing disc must hold an own one (the
//! carry and leading-zero methods that Edax uses on 8×8 need nothing of that size).

use upstar_games::{Cell, Cells, Grid};
use upstar_machine::{Machine, Quad};

use super::discs::Discs;
use super::mirror::Mirror;

/// Steps towards higher cells on the four axes: right, down left, down, down right.
const STEPS: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// The cells that lie on the rays from one cell, towards higher ones and towards lower ones.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// What the search asks of a board.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The cells that are not holes.
    pub(super) board: u64,
    /// How many there are.
    pub(super) size: i32,
    /// Whether cells that stay empty count for the winner.
    pub(super) empties_to_winner: bool,
    /// The cells round each cell, diagonal ones included.
    pub(super) near: [u64; 64],
    /// The cells that no disc can be turned on.
    pub(super) corners: u64,
    /// Its symmetries.
    pub(super) mirror: Mirror,
    /// Four quarters of the board, for parity.
    pub(super) quarters: [u64; 4],
    /// The bit of each cell's quarter.
    pub(super) quarter_of: [u8; 64],
    rays: [Rays; 64],
    /// For each axis the cells with neighbours on both sides: only they can lie between two others.
    inner: [u64; 4],
    /// The distance of neighbours on each axis, and twice as much.
    steps: [u64; 4],
    double_steps: [u64; 4],
    /// How many pairs of discs a run can have beyond the first six.
    more: u32,
    /// For each axis the cells at one end of a line or both.
    ends: [u64; 4],
    /// At least one.
    spreads: Vec<Spread>,
}

/// One round of spreading along the axes: the distance, and the cells that have another one at this
/// distance on their line, towards lower cells and towards higher ones.
#[derive(Clone, Debug)]
struct Spread {
    steps: [u64; 4],
    from_below: [u64; 4],
    from_above: [u64; 4],
}

impl Space {
    /// The board of this grid.
    ///
    /// # Panics
    /// If it has more than 64 cells.
    pub(super) fn new(grid: &Grid, empties_to_winner: bool) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        assert!(rows * cols <= 64, "a board of {grid} fits into 64 cells");
        let board = u64::from_wide(grid.cells());
        let go = |cell: Cell, (down, right): (isize, isize), times: isize| {
            let (row, col) = grid.row_and_col(cell);
            let row = row.checked_add_signed(down * times).filter(|&r| r < rows)?;
            let col = col
                .checked_add_signed(right * times)
                .filter(|&c| c < cols)?;
            Some(grid.cell(row, col)).filter(|&cell| board.contains(cell))
        };
        let ray = |cell: Cell, axis: usize, sign: isize| {
            let reached = (1..).map_while(|times| go(cell, STEPS[axis], sign * times));
            reached.fold(0u64, Cells::with)
        };
        let mut rays = [Rays::default(); 64];
        let mut near = [0; 64];
        for cell in board.iter() {
            for (axis, &step) in STEPS.iter().enumerate() {
                rays[cell.index()].up[axis] = ray(cell, axis, 1);
                rays[cell.index()].down[axis] = ray(cell, axis, -1);
                for sign in [-1, 1] {
                    let next = go(cell, step, sign);
                    near[cell.index()] |= next.map_or(0, u64::one);
                }
            }
        }
        let where_ends = |keep: &dyn Fn(bool, bool) -> bool| {
            let kept = |axis: usize, cell: &Cell| {
                let rays = &rays[cell.index()];
                keep(rays.up[axis] == 0, rays.down[axis] == 0)
            };
            std::array::from_fn(|axis| {
                let cells = board.iter().filter(|cell| kept(axis, cell));
                cells.fold(0u64, Cells::with)
            })
        };
        let ends: [u64; 4] = where_ends(&|up, down| up || down);
        let distances = [1, cols as u64 - 1, cols as u64, cols as u64 + 1];
        // A shift that does not fit meets no run that long; it need only be in range.
        let shifts = |times: u64| distances.map(|distance| (distance * times).min(63));
        let longest = rows.max(cols);
        let spreads = (0..).map(|round| 1usize << round);
        let spreads = spreads
            .take_while(|&times| times < longest.max(2))
            .map(|times| {
                let reached = |axis: usize, sign: isize| {
                    let has_source = |cell: &Cell| {
                        (1..=times as isize)
                            .all(|step| go(*cell, STEPS[axis], sign * step).is_some())
                    };
                    board.iter().filter(has_source).fold(0u64, Cells::with)
                };
                Spread {
                    steps: shifts(times as u64),
                    from_below: std::array::from_fn(|axis| reached(axis, -1)),
                    from_above: std::array::from_fn(|axis| reached(axis, 1)),
                }
            });
        let spreads = spreads.collect();
        let mut quarters = [0u64; 4];
        let mut quarter_of = [0; 64];
        for cell in board.iter() {
            let (row, col) = grid.row_and_col(cell);
            let quarter = 2 * usize::from(2 * row >= rows) + usize::from(2 * col >= cols);
            quarters[quarter] |= u64::one(cell);
            quarter_of[cell.index()] = 1 << quarter;
        }
        Self {
            board,
            size: board.len() as i32,
            empties_to_winner,
            near,
            corners: ends.iter().fold(board, |corners, ends| corners & ends),
            mirror: Mirror::new(grid),
            quarters,
            quarter_of,
            rays,
            inner: where_ends(&|up, down| !up && !down),
            steps: shifts(1),
            double_steps: shifts(2),
            more: (longest.saturating_sub(8) as u32).div_ceil(2),
            ends,
            spreads,
        }
    }

    /// The score for the side to move when neither side can place a disc.
    #[inline(always)]
    pub(super) fn final_score(&self, discs: Discs) -> i32 {
        let own = discs.own.count_ones() as i32;
        let difference = own - discs.opponent.count_ones() as i32;
        if self.empties_to_winner {
            let empty = self.size - 2 * own + difference;
            difference + difference.signum() * empty
        } else {
            difference
        }
    }

    /// The cells on which a disc turns at least one other.
    #[inline(always)]
    pub(super) fn placements<M: Machine>(&self, own: u64, opponent: u64) -> u64 {
        let (steps, double) = (M::Quad::new(self.steps), M::Quad::new(self.double_steps));
        let discs = M::Quad::splat(opponent).and(M::Quad::new(self.inner));
        let mine = M::Quad::splat(own);
        let mut up = mine.up(steps).and(discs);
        let mut down = mine.down(steps).and(discs);
        up = up.or(up.up(steps).and(discs));
        down = down.or(down.down(steps).and(discs));
        let pairs_up = discs.and(discs.up(steps));
        let pairs_down = pairs_up.down(steps);
        for _ in 0..2 {
            up = up.or(up.up(double).and(pairs_up));
            down = down.or(down.down(double).and(pairs_down));
        }
        for _ in 0..self.more {
            up = up.or(up.up(double).and(pairs_up));
            down = down.or(down.down(double).and(pairs_down));
        }
        let reached = up.up(steps).or(down.down(steps)).union().first();
        reached & self.board & !(own | opponent)
    }

    /// The discs that turn when one is placed on this empty cell.
    #[inline(always)]
    pub(super) fn turned<M: Machine>(&self, own: u64, opponent: u64, cell: usize) -> u64 {
        let rays = &self.rays[cell & 63];
        let (up, down) = (M::Quad::new(rays.up), M::Quad::new(rays.down));
        let (mine, discs) = (M::Quad::splat(own), M::Quad::splat(opponent));
        let end_up = up.minus(discs).lowest().and(mine);
        let end_down = M::highest(down.minus(discs)).and(mine);
        let turned = up.and(end_up.below()).or(down.and(end_down.above()));
        turned.union().first()
    }

    /// Discs of `own` that can never be turned: not all of them, but no others.
    ///
    /// On each axis a disc is safe if its line is full, or if next to it the board ends or there is a
    /// disc that can never be turned.
    #[inline(always)]
    pub(super) fn stable<M: Machine>(&self, own: u64, opponent: u64) -> u64 {
        let empty = self.board & !(own | opponent);
        let (mut up, mut down) = (M::Quad::splat(empty), M::Quad::splat(empty));
        for spread in &self.spreads {
            let steps = M::Quad::new(spread.steps);
            up = up.or(up.up(steps).and(M::Quad::new(spread.from_below)));
            down = down.or(down.down(steps).and(M::Quad::new(spread.from_above)));
        }
        let ends = M::Quad::new(self.ends);
        let open = up.or(down).minus(ends);
        let steps = M::Quad::new(self.steps);
        let mut stable = 0;
        loop {
            let found = M::Quad::splat(stable);
            let beside = found.up(steps).or(found.down(steps));
            // Where an end is beside an end of the next row `open` is clear anyway.
            let unsafe_cells = open.minus(beside).union().first();
            let next = own & !unsafe_cells;
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }

    /// The cells next to these, and some of these.
    #[inline(always)]
    pub(super) fn beside<M: Machine>(&self, cells: u64) -> u64 {
        let (cells, steps) = (M::Quad::splat(cells), M::Quad::new(self.steps));
        let spread = &self.spreads[0];
        let up = cells.up(steps).and(M::Quad::new(spread.from_below));
        let down = cells.down(steps).and(M::Quad::new(spread.from_above));
        up.or(down).union().first()
    }

    /// The cells in quarters with an odd number of empty ones.
    #[inline(always)]
    pub(super) fn odd_quarters(&self, empty: u64) -> u64 {
        let mut odd = 0;
        for quarter in self.quarters {
            let is_odd = u64::from((empty & quarter).count_ones() & 1);
            odd |= quarter & is_odd.wrapping_neg();
        }
        odd
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::{Color, Othello, Position, Random, Rules, Setup, random_move};
    use upstar_machine::{Isa, Kernel};

    use super::*;

    struct Look<'a>(&'a Space, u64, u64);

    impl Kernel for Look<'_> {
        type Output = (u64, Vec<u64>, u64);
        #[inline(always)]
        fn run<M: Machine>(self) -> Self::Output {
            let Self(space, own, opponent) = self;
            let empty = space.board & !(own | opponent);
            let turned = |cell: Cell| space.turned::<M>(own, opponent, cell.index());
            let turned = empty.iter().map(turned).collect();
            let placements = space.placements::<M>(own, opponent);
            (placements, turned, space.stable::<M>(own, opponent))
        }
    }

    /// Discs that no game from here turns, as far as all games of some plies tell.
    fn never_turned(
        game: &Othello<u64>,
        position: &Position<u64>,
        watched: u64,
        plies: u32,
    ) -> u64 {
        let mut kept = watched;
        if plies > 0 {
            for mv in game.moves(position) {
                let next = game.play_unchecked(position, mv);
                // The watched discs belong to the opponent of the side to move next, or to it.
                let lost = watched
                    & if plies.is_multiple_of(2) {
                        next.own
                    } else {
                        next.opponent
                    };
                kept &= !lost & never_turned(game, &next, watched & !lost, plies - 1);
            }
        }
        kept
    }

    #[test]
    fn every_board_agrees_with_the_rules_on_every_machine() {
        let sizes = [
            "1x64", "2x32", "3x21", "4x16", "5x12", "6x10", "7x9", "8x8", "9x7", "4x4", "5x5",
            "3x3", "2x2", "1x1", "6x6", "16x4",
        ];
        let mut random = Random::new(1);
        for size in sizes {
            let grid: Grid = size.parse().unwrap();
            for round in 0..20 {
                let holes = if round % 2 == 0 {
                    0
                } else {
                    random.bits() & random.bits() & random.bits()
                };
                let grid = grid.with_holes(holes.into());
                let (space, game) = (Space::new(&grid, false), Othello::<u64>::new(grid));
                let occupied = random.bits() & space.board;
                let own = random.bits() & occupied;
                let opponent = occupied & !own;
                let position = Position {
                    own,
                    opponent,
                    to_move: Color::Black,
                };
                let empty = space.board & !occupied;
                for isa in Isa::available() {
                    let (placements, turned, _) = isa.run(Look(&space, own, opponent));
                    assert_eq!(placements, game.placements(&position), "{grid}");
                    for (cell, turned) in empty.iter().zip(turned) {
                        assert_eq!(turned, game.turned(&position, cell), "{grid} {cell:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn stable_discs_are_never_turned() {
        let mut random = Random::new(2);
        let mut seen = 0;
        for size in ["4x4", "3x6", "5x5", "4x6", "8x8"] {
            let grid: Grid = size.parse().unwrap();
            let (space, game) = (Space::new(&grid, false), Othello::<u64>::new(grid));
            let setup: Setup =
                upstar_games::othello::start(grid, upstar_games::othello::Opening::DIAGONAL)
                    .unwrap();
            for _ in 0..30 {
                let mut position = game.position(&setup, Color::Black).unwrap();
                while (space.board & !position.occupied()).len() > 6
                    && let Some(mv) = random_move(&game, &position, &mut random)
                {
                    position = game.play_unchecked(&position, mv);
                }
                let looks = Isa::available()
                    .into_iter()
                    .map(|isa| isa.run(Look(&space, position.own, position.opponent)).2);
                let looks: Vec<u64> = looks.collect();
                assert!(looks.iter().all(|&stable| stable == looks[0]));
                let kept = never_turned(&game, &position, looks[0], 12);
                assert_eq!(kept, looks[0], "{}", game.setup(&position));
                seen += looks[0].len();
            }
        }
        assert!(seen > 300, "{seen}");
    }
}
