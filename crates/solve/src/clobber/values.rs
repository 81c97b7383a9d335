//! The values of small components as the search needs them: options, negatives and outcomes by number.

use upstar_cgt::{Games, Outcome};

use crate::key::{Key, mix};

/// The number of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub(crate) u32);

impl Value {
    pub(crate) const ZERO: Self = Self(0);

    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of every value.
pub(crate) struct Values {
    keys: Vec<[Key; 2]>,
    negatives: Vec<Value>,
    /// Where Left's options begin and Right's, of each value; at the end the length of the list.
    begins: Vec<u32>,
    options: Vec<Value>,
    /// Who wins moving first: bit 0 Left, bit 1 Right.
    winners: Vec<u8>,
}

impl Values {
    pub(crate) fn new(games: &Games) -> Self {
        let number = |value: upstar_cgt::Value| Value(value.index() as u32);
        let key = |value: upstar_cgt::Value| mix(value.index() as u64, u64::MAX);
        let mut values = Self {
            keys: Vec::new(),
            negatives: Vec::new(),
            begins: vec![0],
            options: Vec::new(),
            winners: Vec::new(),
        };
        for value in games.values() {
            let negative = games.negative(value);
            values.keys.push([key(value), key(negative)]);
            values.negatives.push(number(negative));
            for options in [games.left(value), games.right(value)] {
                values.options.extend(options.iter().map(|&option| number(option)));
                values.begins.push(values.options.len() as u32);
            }
            values.winners.push(match games.outcome(value) {
                Outcome::P => 0,
                Outcome::N => 3,
                Outcome::L => 1,
                Outcome::R => 2,
            });
        }
        values
    }

    /// Its keys as seen by Left and by Right.
    #[inline(always)]
    pub(crate) fn keys(&self, value: Value) -> [Key; 2] {
        self.keys[value.index()]
    }

    #[inline(always)]
    pub(crate) fn negative(&self, value: Value) -> Value {
        self.negatives[value.index()]
    }

    /// What the mover can make of it: Left is 0, Right is 1.
    #[inline(always)]
    pub(crate) fn options(&self, mover: usize, value: Value) -> &[Value] {
        let side = 2 * value.index() + mover;
        &self.options[self.begins[side] as usize..self.begins[side + 1] as usize]
    }

    /// Whether the mover, moving first, wins it.
    #[inline(always)]
    pub(crate) fn wins(&self, mover: usize, value: Value) -> bool {
        self.winners[value.index()] >> mover & 1 != 0
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.negatives.len()
    }
}
