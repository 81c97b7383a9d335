//! Random games of Othello on boards of at most 64 cells, with or without holes.
//!
//! Runs of discs are found in all directions at once by parallel prefixes (Kogge and Stone, 1973):
//! r rounds cover runs of 2ʳ - 1 discs. In a single game a register holds the four axes, in a batch
//! each lane holds a game.

use crate::cells::{Cell, Cells};
use crate::grid::Grid;
use crate::playout::Root;
use crate::playout::{Playout, Tally};
use crate::random::Random;
use upstar_machine::{Isa, Kernel, Machine, Quad};

use super::batch::Batch;

/// The rays of one board, for random games on it. Bit i is cell i, row by row.
#[derive(Clone, Debug)]
pub(super) struct Rays {
    isa: Isa,
    pub(super) board: u64,
    /// For each axis the cells with neighbours on both sides: only their discs can be flipped on it,
    /// and no shift from them leaves the board.
    pub(super) inner: [u64; 4],
    /// For each round and axis the distance covered.
    pub(super) shifts: [[u64; 4]; 6],
    rounds: u32,
}

impl Rays {
    /// The rays of a grid of at most 64 cells.
    ///
    /// # Panics
    /// If the grid has more.
    pub(super) fn new(grid: &Grid) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        assert!(rows * cols <= 64, "a board of {grid} fits into 64 cells");
        let cells = |keep: &dyn Fn(usize, usize) -> bool| {
            let kept = |&cell: &Cell| {
                let (row, col) = grid.row_and_col(cell);
                keep(row, col)
            };
            let cells = grid.cells().iter().filter(kept);
            cells.fold(0u64, Cells::with)
        };
        let middle_rows = cells(&|row, _| 0 < row && row + 1 < rows);
        let middle_cols = cells(&|_, col| 0 < col && col + 1 < cols);
        let middle = middle_rows & middle_cols;
        let axes = [1, cols as u64 - 1, cols as u64, cols as u64 + 1];
        let longest = rows.max(cols).saturating_sub(2);
        Self {
            isa: Isa::best(),
            board: cells(&|_, _| true),
            inner: [middle_cols, middle, middle_rows, middle],
            // A shift that does not fit meets no run that long; it need only be in range.
            shifts: std::array::from_fn(|round| axes.map(|step| (step << round).min(63))),
            rounds: (longest + 1).next_power_of_two().ilog2().max(1),
        }
    }

    /// One random game. The score is the mover's discs at the end less the opponent's. A forced pass
    /// is a ply.
    pub(super) fn playout(&self, own: u64, opponent: u64, random: &mut Random) -> Playout {
        let start = Root {
            own,
            opponent,
            random,
        };
        match self.rounds {
            0..=2 => self.isa.run(Single::<2>(self, start)),
            3 => self.isa.run(Single::<3>(self, start)),
            _ => self.isa.run(Single::<6>(self, start)),
        }
    }

    /// Many random games.
    pub(super) fn playouts(
        &self,
        own: u64,
        opponent: u64,
        games: u64,
        random: &mut Random,
    ) -> Tally {
        let start = Root {
            own,
            opponent,
            random,
        };
        match self.rounds {
            0..=2 => self.isa.run(Batch::<2>(self, start, games)),
            3 => self.isa.run(Batch::<3>(self, start, games)),
            _ => self.isa.run(Batch::<6>(self, start, games)),
        }
    }
}

/// One game at a time.
struct Single<'a, const ROUNDS: usize>(&'a Rays, Root<'a, u64>);

impl<const ROUNDS: usize> Kernel for Single<'_, ROUNDS> {
    type Output = Playout;

    #[inline(always)]
    fn run<M: Machine>(self) -> Playout {
        let Self(rays, start) = self;
        let inner = M::Quad::new(rays.inner);
        let mut shifts = [M::Quad::splat(0); ROUNDS];
        for (shift, &axes) in shifts.iter_mut().zip(&rays.shifts) {
            *shift = M::Quad::new(axes);
        }
        let (mut own, mut opponent) = (M::Quad::splat(start.own), M::Quad::splat(start.opponent));
        let mut empty = M::Quad::splat(rays.board & !(start.own | start.opponent));
        let (mut plies, mut passed) = (0, false);
        loop {
            // `up[r]`: the discs that end a run of 2ʳ going up; `mine` grows over such runs.
            let discs = opponent.and(inner);
            let (mut up, mut down) = ([discs; ROUNDS], [discs; ROUNDS]);
            let (mut mine_up, mut mine_down) = (own, own);
            for round in 0..ROUNDS {
                let shift = shifts[round];
                if round > 0 {
                    let shift = shifts[round - 1];
                    up[round] = up[round - 1].and(up[round - 1].up(shift));
                    down[round] = down[round - 1].and(down[round - 1].down(shift));
                }
                mine_up = mine_up.or(up[round].and(mine_up.up(shift)));
                mine_down = mine_down.or(down[round].and(mine_down.down(shift)));
            }
            let ends_up = mine_up.and(discs).up(shifts[0]);
            let ends_down = mine_down.and(discs).down(shifts[0]);
            let moves = ends_up.or(ends_down).and(empty).union().first();
            if moves == 0 {
                if passed || empty.first() == 0 {
                    break;
                }
                passed = true;
                plies += 1;
                (own, opponent) = (opponent, own);
                continue;
            }
            passed = false;
            plies += 1;
            let place = start.random.below(moves.count_ones());
            let disc = M::Quad::splat(M::nth(moves, place));
            // A run that goes up from the new disc is flipped if it came down from one of the mover's.
            let (mut flips_up, mut flips_down) = (disc, disc);
            for round in 0..ROUNDS {
                flips_up = flips_up.or(up[round].and(flips_up.up(shifts[round])));
                flips_down = flips_down.or(down[round].and(flips_down.down(shifts[round])));
            }
            let flips = flips_up.and(mine_down).or(flips_down.and(mine_up)).union();
            empty = empty.minus(disc);
            (own, opponent) = (opponent.minus(flips), own.or(flips).or(disc));
        }
        // Whoever is to move now, the last pass included, which is not a ply.
        let difference = own.first().count_ones() as i32 - opponent.first().count_ones() as i32;
        let score = if plies % 2 == 0 {
            difference
        } else {
            -difference
        };
        let plies = plies - u32::from(passed);
        Playout { score, plies }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::othello::{Opening, start};

    #[test]
    fn same_seed_same_games_on_every_machine() {
        for size in ["8x8", "4x4", "6x6", "5x7", "3x21", "16x4", "2x32"] {
            let grid: Grid = size.parse().unwrap();
            let setup = start(grid, Opening::DIAGONAL).unwrap();
            let (own, opponent) = (
                setup.stones(Color::Black) as u64,
                setup.stones(Color::White) as u64,
            );
            let seen = Isa::available().into_iter().map(|isa| {
                // A hole far from the middle.
                let rays = Rays {
                    isa,
                    ..Rays::new(&grid.with_holes(1))
                };
                let mut random = Random::new(9);
                let games: Vec<Playout> = (0..50)
                    .map(|_| rays.playout(own, opponent, &mut random))
                    .collect();
                let tallies = [0, 1, 3, 100].map(|n| rays.playouts(own, opponent, n, &mut random));
                (games, tallies, random)
            });
            let seen: Vec<_> = seen.collect();
            assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{size}");
        }
    }
}
