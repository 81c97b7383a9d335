//! Landmarks: the first values of every arena, against which all others are measured when they are made.
//!
//! If G ≤ t ≤ H for a landmark t, then G ≤ H; if t ≤ G but not t ≤ H, then not G ≤ H. Two words per value
//! answer most comparisons that way. Landmarks are closed under taking options, so that the words of a new
//! value follow from those of its options (G ≤ t unless some Gᴸ ≥ t or some tᴿ ≤ G) without any search.

use crate::{Games, Value};

/// How many landmarks there are: the bits of a word.
pub(crate) const LANDMARKS: usize = u64::BITS as usize;

/// On which side of the landmarks a game is; bit t stands for landmark t.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bearings {
    /// The landmarks that are less or equal.
    pub(crate) above: u64,
    /// The landmarks that are greater or equal.
    pub(crate) below: u64,
}

impl Bearings {
    /// Whether a game with these bearings is less than or equal to one with others, if they tell.
    pub(crate) fn le(self, other: Bearings) -> Option<bool> {
        if self.below & other.above != 0 {
            Some(true)
        } else if self.above & !other.above != 0 || other.below & !self.below != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The landmark that the game is equal to, if any.
    pub(crate) fn landmark(self) -> Option<Value> {
        let equal = self.above & self.below;
        (equal != 0).then(|| Value::from_index(equal.trailing_zeros() as usize))
    }
}

/// The options of each landmark, as sets of landmarks.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    options: [(u64, u64); LANDMARKS],
}

impl Landmarks {
    /// No landmarks known yet: what an arena begins with.
    pub(crate) fn none() -> Landmarks {
        Landmarks {
            options: [(0, 0); LANDMARKS],
        }
    }

    /// The landmarks of an arena that holds nothing else.
    pub(crate) fn of(games: &Games) -> Landmarks {
        assert_eq!(
            games.len(),
            LANDMARKS,
            "the first values of an arena are its landmarks"
        );
        let word = |set: &[Value]| set.iter().fold(0, |word, v| word | 1 << v.index());
        let mut options = [(0, 0); LANDMARKS];
        for (value, options) in games.values().zip(&mut options) {
            *options = (word(games.left(value)), word(games.right(value)));
        }
        Landmarks { options }
    }

    /// The bearings of a game from those of its options.
    pub(crate) fn bearings(
        &self,
        left: impl Iterator<Item = Bearings>,
        right: impl Iterator<Item = Bearings>,
    ) -> Bearings {
        let left_above = left.fold(0, |word, option| word | option.above);
        let right_below = right.fold(0, |word, option| word | option.below);
        let mut game = Bearings::default();
        for (t, &(t_left, t_right)) in self.options.iter().enumerate() {
            let above = right_below >> t & 1 == 0 && game.below & t_left == 0;
            let below = left_above >> t & 1 == 0 && game.above & t_right == 0;
            game.above |= u64::from(above) << t;
            game.below |= u64::from(below) << t;
        }
        game
    }
}

/// Puts the landmarks into an empty arena: numbers, nimbers, ups with stars and a few hot values.
pub(crate) fn found(games: &mut Games) {
    let zero = games.intern(&[], &[]);
    let star = games.intern(&[zero], &[zero]);
    let up = games.intern(&[zero], &[star]);
    let up_star = games.intern(&[zero, star], &[zero]);

    let (mut ups, mut ups_star) = (up, up_star);
    for _ in 2..=6 {
        let next = games.intern(&[zero], &[ups_star]);
        ups_star = games.intern(&[zero], &[ups]);
        ups = next;
    }

    let mut nimbers = vec![zero, star];
    for _ in 2..=6 {
        nimbers.push(games.intern(&nimbers, &nimbers));
    }
    let (mut with_two, mut with_three) = (nimbers[2], nimbers[3]);
    for _ in 1..=3 {
        let next = games.intern(&[zero], &[with_three]);
        with_three = games.intern(&[zero], &[with_two]);
        with_two = next;
    }
    games.intern(&[zero], &[nimbers[5]]);
    games.intern(&[zero], &[nimbers[4]]);

    let one = games.intern(&[zero], &[]);
    let two = games.intern(&[one], &[]);
    games.intern(&[two], &[]);
    let half = games.intern(&[zero], &[one]);
    games.intern(&[zero], &[half]);
    games.intern(&[one], &[one]);
    let minus_one = games.negative(one);
    games.intern(&[one], &[minus_one]);
    let one_zero = games.intern(&[one], &[zero]);
    let zero_minus_one = games.negative(one_zero);
    games.intern(&[zero], &[zero_minus_one]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Comparisons;

    /// The founders intern forms without simplifying them; here the forms are seen to be canonical.
    #[test]
    fn landmarks_are_different_and_canonical() {
        let games = Games::new();
        for value in games.values() {
            let bearings = games.bearings(value);
            assert_eq!(bearings.landmark(), Some(value));
            assert_eq!((bearings.above & bearings.below).count_ones(), 1);
            for option in games.left(value) {
                let others: Vec<_> = games.left(value).iter().filter(|v| *v != option).collect();
                assert!(!others.iter().any(|&&v| games.le_with(
                    &mut Comparisons::new(),
                    *option,
                    v
                )));
                let replies = games.right(*option).iter();
                assert!(
                    replies
                        .map(|v| bearings.above >> v.index())
                        .all(|word| word & 1 == 0)
                );
            }
        }
    }
}
