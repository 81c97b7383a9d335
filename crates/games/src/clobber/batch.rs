//! Many random games of Clobber from one position of a grid, a game a lane.
//!
//! All steps but the choice of a bit are plain arithmetic, so the compiler turns each loop over the
//! lanes into vectors.

use crate::lanes::{LANES, LaneGames, LaneRandom};
use crate::playout::Root;
use crate::playout::Tally;
use crate::random::Random;
use upstar_machine::{Kernel, Machine};

use super::words::{GridState, Layout, Moves};

/// Many games from one position, and how many.
pub(super) struct Batch<'a, const C: usize>(
    pub(super) &'a Layout<C>,
    pub(super) Root<'a, u128>,
    pub(super) u64,
);

impl<const C: usize> Kernel for Batch<'_, C> {
    type Output = Tally;

    #[inline(always)]
    fn run<M: Machine>(self) -> Tally {
        let Self(
            layout,
            Root {
                own,
                opponent,
                random,
            },
            games,
        ) = self;
        let layout = &layout.in_vectors();
        let start = layout.load(own, opponent);
        if start.moves.len() == 0 {
            return Tally {
                losses: games,
                ..Tally::default()
            };
        }
        let mut lanes = Lanes::new(&start, games, random);
        while lanes.games.any_left() {
            // Asking is not free, and a few plies too many do no harm.
            for _ in 0..4 {
                lanes.draw();
                lanes.choose::<M>();
                lanes.play(layout, &start);
            }
        }
        lanes.games.tally(games)
    }
}

/// One array per field, one element per lane.
#[repr(align(64))]
struct Lanes<const C: usize> {
    stones: [[u64; LANES]; C],
    theirs: [[u64; LANES]; C],
    across: [[u64; LANES]; C],
    down: [[u64; LANES]; C],
    /// The word that has the move drawn, its number, and the rank of the move in it.
    word: [u64; LANES],
    number: [u64; LANES],
    rank: [u64; LANES],
    /// The move.
    edge: [u64; LANES],
    /// 1 if it ended the game, 0 otherwise.
    over: [u64; LANES],
    games: LaneGames,
    random: LaneRandom,
}

impl<const C: usize> Lanes<C> {
    fn new(start: &GridState<C>, games: u64, random: &mut Random) -> Self {
        Self {
            stones: start.stones.map(|word| [word; LANES]),
            theirs: start.theirs.map(|word| [word; LANES]),
            across: start.moves.across.map(|word| [word; LANES]),
            down: start.moves.down.map(|word| [word; LANES]),
            word: [0; LANES],
            number: [0; LANES],
            rank: [0; LANES],
            edge: [0; LANES],
            over: [0; LANES],
            games: LaneGames::new(games),
            random: LaneRandom::new(random),
        }
    }

    /// Draws a move in each lane.
    #[inline(always)]
    fn draw(&mut self) {
        for lane in 0..LANES {
            let len = self.moves(lane).len();
            let drawn = self.random.below(lane, len) as i64;
            // The last set with no more moves before it than the rank drawn. Signed numbers, because
            // vectors compare no others.
            let (mut word, mut number, mut rank) = (self.across[0][lane], 0, drawn);
            let mut before = 0;
            for other in 1..2 * C {
                let (k, down) = (other / 2, other % 2 == 1);
                let earlier = if down {
                    self.across[k][lane]
                } else {
                    self.down[k - 1][lane]
                };
                let later = if down {
                    self.down[k][lane]
                } else {
                    self.across[k][lane]
                };
                before += i64::from(earlier.count_ones());
                let here = drawn >= before;
                word = if here { later } else { word };
                number = if here { other as u64 } else { number };
                rank = if here { drawn - before } else { rank };
            }
            self.word[lane] = word;
            self.number[lane] = number;
            self.rank[lane] = rank as u64;
        }
    }

    /// Finds the moves drawn.
    #[inline(always)]
    fn choose<M: Machine>(&mut self) {
        for lane in 0..LANES {
            self.edge[lane] = M::nth(self.word[lane], self.rank[lane] as u32);
        }
    }

    #[inline(always)]
    fn moves(&self, lane: usize) -> Moves<C> {
        let mut moves = Moves {
            across: [0; C],
            down: [0; C],
        };
        for k in 0..C {
            moves.across[k] = self.across[k][lane];
            moves.down[k] = self.down[k][lane];
        }
        moves
    }

    /// Plays them, counts the games that they end, and starts others.
    #[inline(always)]
    fn play(&mut self, layout: &Layout<C>, start: &GridState<C>) {
        for lane in 0..LANES {
            let mut edge = Moves {
                across: [0; C],
                down: [0; C],
            };
            let (mut stones, mut theirs) = ([0; C], [0; C]);
            for k in 0..C {
                let only = |number| {
                    if self.number[lane] == number {
                        self.edge[lane]
                    } else {
                        0
                    }
                };
                edge.across[k] = only(2 * k as u64);
                edge.down[k] = only(2 * k as u64 + 1);
                stones[k] = self.stones[k][lane];
                theirs[k] = self.theirs[k][lane];
            }
            let next = layout.play(
                &GridState {
                    stones,
                    theirs,
                    moves: edge,
                },
                edge,
            );
            let mut moves = 0;
            for k in 0..C {
                moves |= next.moves.across[k] | next.moves.down[k];
            }
            let over = moves == 0;
            self.over[lane] = u64::from(over);
            for k in 0..C {
                self.stones[k][lane] = if over {
                    start.stones[k]
                } else {
                    next.stones[k]
                };
                self.theirs[k][lane] = if over {
                    start.theirs[k]
                } else {
                    next.theirs[k]
                };
                self.across[k][lane] = if over {
                    start.moves.across[k]
                } else {
                    next.moves.across[k]
                };
                self.down[k][lane] = if over {
                    start.moves.down[k]
                } else {
                    next.moves.down[k]
                };
            }
        }
        // Who moved last has won.
        self.games.count(&self.over, |_| 1, |_| 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::testing::misfit;
    use std::collections::HashMap;
    use upstar_machine::{Isa, Portable};

    /// A checkerboard less a few stones: how often a batch and a single game draw each move.
    fn check<const C: usize>(rows: usize, cols: usize) {
        struct Nth<'a, const C: usize>(&'a Moves<C>, u64);
        impl<const C: usize> Kernel for Nth<'_, C> {
            type Output = Moves<C>;
            #[inline(always)]
            fn run<M: Machine>(self) -> Moves<C> {
                self.0.nth::<M>(self.1)
            }
        }
        let layout = Layout::<C>::new(rows, cols).unwrap();
        let of = |parity| move |cell: &usize| (cell / cols + cell % cols) % 2 == parity;
        let set = |parity| {
            (0..rows * cols)
                .filter(of(parity))
                .fold(0u128, |set, cell| set | 1 << cell)
        };
        let start = layout.load(set(0) & !(1 << 7), set(1) & !(1 << 21));
        let moves = start.moves.len();

        for isa in Isa::available() {
            let each: Vec<_> = (0..moves)
                .map(|n| isa.run_scalar(Nth(&start.moves, n)))
                .collect();
            for (n, edge) in each.iter().enumerate() {
                assert!(edge.len() == 1 && each[..n].iter().all(|earlier| earlier != edge));
            }
        }
        let mut lanes = Lanes::new(&start, 0, &mut Random::new(5));
        let mut seen = HashMap::new();
        for _ in 0..50 * moves {
            lanes.draw();
            lanes.choose::<Portable>();
            for lane in 0..LANES {
                *seen
                    .entry((lanes.number[lane], lanes.edge[lane]))
                    .or_insert(0) += 1;
            }
        }
        assert_eq!(seen.len() as u64, moves);
        assert!(misfit(seen.values().map(|&count| (count, 1.0 / moves as f64))) < 4.5);
    }

    #[test]
    fn each_move_is_equally_likely() {
        check::<1>(5, 5);
        check::<1>(8, 8);
        check::<2>(10, 10);
        check::<3>(11, 11);
    }
}
