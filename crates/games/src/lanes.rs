//! Many random games at a time, one in each lane of arrays that the compiler turns into vectors.
//!
//! Each lane has its own generator and its own share of the games, so that a seed gives the same
//! result on every machine. A lane that is done plays on, uncounted, until all are: to stop when so
//! many games have *finished* would favour short ones.

use crate::playout::Tally;
use crate::random::Random;

/// The games played at a time.
pub(crate) const LANES: usize = 16;

/// The games of each lane: how far they are and how they ended.
#[repr(align(64))]
pub(crate) struct LaneGames {
    /// 1 if the start's mover moves, 0 otherwise.
    first: [u64; LANES],
    /// Games still to count.
    left: [u64; LANES],
    wins: [u64; LANES],
    draws: [u64; LANES],
    plies: [u64; LANES],
}

impl LaneGames {
    /// So many games, divided among the lanes.
    pub(crate) fn new(games: u64) -> Self {
        let lanes = LANES as u64;
        let share = |lane: usize| games / lanes + u64::from((lane as u64) < games % lanes);
        Self {
            first: [1; LANES],
            left: std::array::from_fn(share),
            wins: [0; LANES],
            draws: [0; LANES],
            plies: [0; LANES],
        }
    }

    /// Whether there are games to play.
    pub(crate) fn any_left(&self) -> bool {
        self.left.iter().any(|&left| left > 0)
    }

    /// Counts a ply in each lane, and the games that are `over`, which is 1 or 0. `ahead` is how far the mover is ahead
    /// then, and `idle` how many of the last plies were none.
    #[inline(always)]
    pub(crate) fn count(
        &mut self,
        over: &[u64; LANES],
        ahead: impl Fn(usize) -> i64,
        idle: impl Fn(usize) -> u64,
    ) {
        for (lane, &over) in over.iter().enumerate() {
            let counts = u64::from(self.left[lane] > 0);
            let ends = over & counts;
            let first = self.first[lane] == 1;
            let ahead = if first { ahead(lane) } else { -ahead(lane) };
            self.plies[lane] += counts;
            self.plies[lane] -= if ends == 1 { idle(lane) } else { 0 };
            self.wins[lane] += if ahead > 0 { ends } else { 0 };
            self.draws[lane] += if ahead == 0 { ends } else { 0 };
            self.left[lane] -= ends;
            self.first[lane] = over | u64::from(!first);
        }
    }

    /// The games counted, which were so many in all.
    pub(crate) fn tally(&self, games: u64) -> Tally {
        let (wins, draws) = (self.wins.iter().sum(), self.draws.iter().sum());
        Tally {
            wins,
            draws,
            losses: games - wins - draws,
            plies: self.plies.iter().sum(),
        }
    }
}

/// One generator a lane, each a xoshiro256++ like [`Random`].
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct LaneRandom {
    state: [[u64; LANES]; 4],
}

impl LaneRandom {
    /// Generators seeded from one.
    pub(crate) fn new(random: &mut Random) -> Self {
        let mut state = [[0; LANES]; 4];
        state.as_flattened_mut().fill_with(|| random.bits());
        Self { state }
    }

    /// A lane's next number below `bound`, each equally likely to within 2⁻³².
    #[inline(always)]
    pub(crate) fn below(&mut self, lane: usize, bound: u64) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let (mut w, mut x, mut y, mut z) = (a[lane], b[lane], c[lane], d[lane]);
        let bits = w.wrapping_add(z).rotate_left(23).wrapping_add(w);
        let t = x << 17;
        y ^= w;
        z ^= x;
        x ^= y;
        w ^= z;
        y ^= t;
        z = z.rotate_left(45);
        (a[lane], b[lane], c[lane], d[lane]) = (w, x, y, z);
        ((bits >> 32) * (bound & 0xffff_ffff)) >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::testing::misfit;

    #[test]
    fn lanes_run_the_generator() {
        let mut lanes = LaneRandom::new(&mut Random::new(1));
        let mut seeds = Random::new(1);
        let state: [[u64; LANES]; 4] =
            std::array::from_fn(|_| std::array::from_fn(|_| seeds.bits()));
        assert_eq!(lanes.state, state);
        let drawn: Vec<_> = (0..40_000).map(|i| lanes.below(i % LANES, 10)).collect();
        let counts = (0..10).map(|value| drawn.iter().filter(|&&x| x == value).count() as u64);
        assert!(misfit(counts.map(|count| (count, 0.1))) < 4.5);
    }
}
