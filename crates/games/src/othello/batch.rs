//! Many random games of Othello from one position, a game a lane.
//!
//! All steps but the choice of a bit are plain arithmetic, so the compiler turns each loop over the
//! lanes into vectors.

use crate::lanes::{LANES, LaneGames, LaneRandom};
use crate::playout::Root;
use crate::playout::Tally;
use crate::random::Random;
use upstar_machine::{Kernel, Machine};

use super::playout::Rays;

/// Many games from one position, and how many.
pub(super) struct Batch<'a, const ROUNDS: usize>(
    pub(super) &'a Rays,
    pub(super) Root<'a, u64>,
    pub(super) u64,
);

impl<const ROUNDS: usize> Kernel for Batch<'_, ROUNDS> {
    type Output = Tally;

    #[inline(always)]
    fn run<M: Machine>(self) -> Tally {
        let Self(
            rays,
            Root {
                own,
                opponent,
                random,
            },
            games,
        ) = self;
        let mut lanes = Lanes::<ROUNDS>::new(own, opponent, games, random);
        while lanes.games.any_left() {
            // Asking is not free, and a few plies too many do no harm.
            for _ in 0..4 {
                lanes.draw(rays);
                lanes.choose::<M>();
                lanes.play(rays, (own, opponent));
            }
        }
        lanes.games.tally(games)
    }
}

/// One array per field, one element per lane.
#[repr(align(64))]
struct Lanes<const ROUNDS: usize> {
    own: [u64; LANES],
    opponent: [u64; LANES],
    moves: [u64; LANES],
    /// For each axis the mover's discs and the runs of others that begin at them going up, and down.
    mine_up: [[u64; LANES]; 4],
    mine_down: [[u64; LANES]; 4],
    /// For each axis and round the discs that end a run of 2ʳ going up, and down.
    runs_up: [[[u64; LANES]; ROUNDS]; 4],
    runs_down: [[[u64; LANES]; ROUNDS]; 4],
    /// The rank of the move drawn.
    rank: [u64; LANES],
    /// The new disc; none is a pass.
    disc: [u64; LANES],
    /// 1 after a pass, 0 otherwise.
    passed: [u64; LANES],
    /// 1 if the move ended the game, 0 otherwise.
    over: [u64; LANES],
    /// By how many discs the mover is ahead.
    ahead: [i64; LANES],
    /// How many passes ended the game, which are no plies.
    idle: [u64; LANES],
    games: LaneGames,
    random: LaneRandom,
}

impl<const ROUNDS: usize> Lanes<ROUNDS> {
    fn new(own: u64, opponent: u64, games: u64, random: &mut Random) -> Self {
        Self {
            own: [own; LANES],
            opponent: [opponent; LANES],
            moves: [0; LANES],
            mine_up: [[0; LANES]; 4],
            mine_down: [[0; LANES]; 4],
            runs_up: [[[0; LANES]; ROUNDS]; 4],
            runs_down: [[[0; LANES]; ROUNDS]; 4],
            rank: [0; LANES],
            disc: [0; LANES],
            passed: [0; LANES],
            over: [0; LANES],
            ahead: [0; LANES],
            idle: [0; LANES],
            games: LaneGames::new(games),
            random: LaneRandom::new(random),
        }
    }

    /// Finds the moves and draws one in each lane.
    #[inline(always)]
    fn draw(&mut self, rays: &Rays) {
        for lane in 0..LANES {
            let (own, opponent) = (self.own[lane], self.opponent[lane]);
            let mut moves = 0;
            for axis in 0..4 {
                let discs = opponent & rays.inner[axis];
                let (mut up, mut down) = (discs, discs);
                let (mut mine_up, mut mine_down) = (own, own);
                for round in 0..ROUNDS {
                    let shift = rays.shifts[round][axis];
                    self.runs_up[axis][round][lane] = up;
                    self.runs_down[axis][round][lane] = down;
                    mine_up |= up & mine_up << shift;
                    mine_down |= down & mine_down >> shift;
                    up &= up << shift;
                    down &= down >> shift;
                }
                self.mine_up[axis][lane] = mine_up;
                self.mine_down[axis][lane] = mine_down;
                let shift = rays.shifts[0][axis];
                moves |= (mine_up & discs) << shift | (mine_down & discs) >> shift;
            }
            moves &= rays.board & !(own | opponent);
            self.moves[lane] = moves;
            self.rank[lane] = self.random.below(lane, u64::from(moves.count_ones()));
        }
    }

    #[inline(always)]
    fn choose<M: Machine>(&mut self) {
        for lane in 0..LANES {
            self.disc[lane] = M::nth(self.moves[lane], self.rank[lane] as u32);
        }
    }

    /// Plays the moves drawn, counts the games that they end, and starts others.
    #[inline(always)]
    fn play(&mut self, rays: &Rays, start: (u64, u64)) {
        for lane in 0..LANES {
            let (own, opponent, disc) = (self.own[lane], self.opponent[lane], self.disc[lane]);
            let mut flips = 0;
            for axis in 0..4 {
                let (mut up, mut down) = (disc, disc);
                for round in 0..ROUNDS {
                    let shift = rays.shifts[round][axis];
                    up |= self.runs_up[axis][round][lane] & up << shift;
                    down |= self.runs_down[axis][round][lane] & down >> shift;
                }
                // A run that goes up from the new disc is flipped if it came down from one of the
                // mover's.
                flips |= up & self.mine_down[axis][lane] | down & self.mine_up[axis][lane];
            }
            let (mine, theirs) = (own | flips | disc, opponent & !flips);
            let pass = u64::from(disc == 0);
            let stuck = pass & self.passed[lane];
            let full = u64::from((mine | theirs) & rays.board == rays.board);
            let over = stuck | full != 0;
            self.over[lane] = u64::from(over);
            self.ahead[lane] = i64::from(mine.count_ones()) - i64::from(theirs.count_ones());
            self.idle[lane] = pass + stuck;
            self.passed[lane] = if over { 0 } else { pass };
            self.own[lane] = if over { start.0 } else { theirs };
            self.opponent[lane] = if over { start.1 } else { mine };
        }
        self.games
            .count(&self.over, |lane| self.ahead[lane], |lane| self.idle[lane]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::color::Color;
    use crate::playout::testing::misfit;
    use upstar_machine::Portable;

    #[test]
    fn each_move_is_equally_likely() {
        let grid = "8x8".parse().unwrap();
        let rays = Rays::new(&grid);
        // A position with ten moves.
        let setup: crate::Setup =
            "........|..x.....|...xo...|..xxxo..|..oxo...|...ox...|........|........"
                .parse()
                .unwrap();
        let (own, opponent) = (
            setup.stones(Color::Black) as u64,
            setup.stones(Color::White) as u64,
        );
        let mut lanes = Lanes::<3>::new(own, opponent, 0, &mut Random::new(8));
        let mut seen = BTreeMap::<u64, u64>::new();
        for _ in 0..1_000 {
            lanes.draw(&rays);
            lanes.choose::<Portable>();
            lanes
                .disc
                .iter()
                .for_each(|&disc| *seen.entry(disc).or_default() += 1);
        }
        let moves = seen.len();
        assert_eq!(moves as u32, lanes.moves[0].count_ones());
        assert!(misfit(seen.values().map(|&count| (count, 1.0 / moves as f64))) < 4.5);
    }
}
