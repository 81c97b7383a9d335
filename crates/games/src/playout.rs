//! Random games from a position to the end, and the plain way to play them: list the moves, draw
//! one, play it. The kernels of Clobber and Othello are tested against it.

use crate::game::{Game, Rules};
use crate::random::Random;

/// One random game, seen by the side to move where it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playout {
    /// The result: above 0 that side has won.
    pub score: i32,
    /// The length of the game.
    pub plies: u32,
}

/// Where random games begin, and what they draw from.
pub(crate) struct Root<'a, B> {
    pub(crate) own: B,
    pub(crate) opponent: B,
    pub(crate) random: &'a mut Random,
}

/// Many random games from one position, seen by the side to move there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Plies of all games together.
    pub plies: u64,
}

impl Tally {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts one more game.
    #[inline]
    pub fn add(&mut self, playout: Playout) {
        match playout.score {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.plies += u64::from(playout.plies);
    }

    /// Counts the games of another tally too.
    pub fn merge(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.plies += other.plies;
    }
}

/// A legal move, each equally likely; `None` when the game is over.
pub fn random_move<R: Rules + ?Sized>(
    rules: &R,
    position: &R::Position,
    random: &mut Random,
) -> Option<R::Move> {
    let count = rules.count_moves(position) as u32;
    let drawn = random.below(count) as usize;
    rules.moves(position).nth(drawn)
}

/// Plays one random game by the rules alone.
pub fn plain_playout<G: Game + ?Sized>(
    game: &G,
    start: &G::Position,
    random: &mut Random,
) -> Playout {
    let mut position = *start;
    let mut plies = 0;
    while let Some(mv) = random_move(game, &position, random) {
        position = game.play_unchecked(&position, mv);
        plies += 1;
    }
    let score = game.score(&position).expect("a game without moves is over");
    // Sides alternate, so after an even number of plies the first side is to move again.
    let score = if plies % 2 == 0 { score } else { -score };
    Playout { score, plies }
}

/// Plays many random games by the rules alone.
pub fn plain_playouts<G: Game + ?Sized>(
    game: &G,
    start: &G::Position,
    games: u64,
    random: &mut Random,
) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..games {
        tally.add(plain_playout(game, start, random));
    }
    tally
}

#[cfg(test)]
pub(crate) mod testing {
    /// Pearson's chi-square of counts with their chances, as standard deviations above its mean
    /// (Wilson and Hilferty's approximation). Rare outcomes are taken together.
    pub(crate) fn misfit(counts: impl Iterator<Item = (u64, f64)> + Clone) -> f64 {
        let total: u64 = counts.clone().map(|(count, _)| count).sum();
        let term = |count: u64, expected: f64| (count as f64 - expected).powi(2) / expected;
        let (mut sum, mut classes, mut rare) = (0.0, 0.0, (0, 0.0));
        for (count, chance) in counts {
            let expected = chance * total as f64;
            if expected < 5.0 {
                rare = (rare.0 + count, rare.1 + expected);
            } else {
                sum += term(count, expected);
                classes += 1.0;
            }
        }
        if rare.1 >= 5.0 {
            sum += term(rare.0, rare.1);
            classes += 1.0;
        }
        let freedom: f64 = classes - 1.0;
        let spread = 2.0 / (9.0 * freedom);
        ((sum / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }
}
