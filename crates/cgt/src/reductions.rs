//! Why options are not canonical: which ones others dominate, and which ones reverse (Siegel, II.2).

use crate::{Games, Value};

/// What becomes of an option on the way to canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Kept,
    /// This option is at least as good for the player.
    Dominated(Value),
    /// The other player's answer `through` is at least as good for that player as the game itself, so
    /// the option is replaced by the player's options there.
    Reversible {
        /// The answer.
        through: Value,
        /// What replaces the option.
        instead: Vec<Value>,
    },
}

impl Games {
    /// What becomes of each option of {left|right}: first Left's, then Right's, in the order given.
    /// Options stand for themselves in canonical form.
    pub fn reductions(&mut self, left: &[Value], right: &[Value]) -> [Vec<(Value, Fate)>; 2] {
        let game = self.canonical(left, right);
        let left_fates = self.fates(game, left);
        // Right's options are Left's in the negative.
        let negated: Vec<Value> = right.iter().map(|&option| self.negative(option)).collect();
        let right_fates = self.fates(self.negative(game), &negated);
        let negate = |(option, fate): (Value, Fate)| {
            let fate = match fate {
                Fate::Kept => Fate::Kept,
                Fate::Dominated(by) => Fate::Dominated(self.negative(by)),
                Fate::Reversible { through, instead } => Fate::Reversible {
                    through: self.negative(through),
                    instead: instead.iter().map(|&v| self.negative(v)).collect(),
                },
            };
            (self.negative(option), fate)
        };
        [left_fates, right_fates.into_iter().map(negate).collect()]
    }

    /// The same for Left's options of a game.
    fn fates(&mut self, game: Value, options: &[Value]) -> Vec<(Value, Fate)> {
        let mut fates = Vec::new();
        for (place, &option) in options.iter().enumerate() {
            let better = options.iter().enumerate().find(|&(other, &by)| {
                // Of equal options the first one stays.
                (by != option || other < place) && self.le(option, by)
            });
            let fate = if let Some((_, &by)) = better {
                Fate::Dominated(by)
            } else {
                let replies = self.right(option).to_vec();
                let through = replies.into_iter().find(|&reply| self.le(reply, game));
                through.map_or(Fate::Kept, |through| Fate::Reversible {
                    through,
                    instead: self.left(through).to_vec(),
                })
            };
            fates.push((option, fate));
        }
        fates
    }
}
