//! Thermographs: what a game is worth when every move costs t (Siegel, II.5; Winning Ways, chapter 6).
//!
//! The left wall is the left stop of the game cooled by t, the right wall the right stop. At the temperature they meet in
//! the mast, which stands at the mean. Walls begin at t = −1, where integers have their masts and a move is worth a
//! number more than it changes: so a number m/2ᵉ in lowest terms has temperature −1/2ᵉ, a number plus a nonzero
//! infinitesimal has 0 (Siegel's convention and CGSuite's), and below 0 infinitesimals look different.

use rustc_hash::FxHashMap;

use crate::wall::LOWEST;
use crate::{Dyadic, Games, Value, Wall};

/// The two walls of a game, and where they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    temperature: Dyadic,
    mean: Dyadic,
}

impl Thermograph {
    /// The left wall.
    pub fn left(&self) -> &Wall {
        &self.left
    }

    /// The right wall.
    pub fn right(&self) -> &Wall {
        &self.right
    }

    /// The tax on moves from which on neither player wants to move.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// The mean value, where the mast stands.
    pub fn mean(&self) -> Dyadic {
        self.mean
    }

    /// The number that is reached when Left begins.
    pub fn left_stop(&self) -> Dyadic {
        self.left.at(Dyadic::ZERO).expect("walls begin below zero")
    }

    /// The number that is reached when Right begins.
    pub fn right_stop(&self) -> Dyadic {
        self.right.at(Dyadic::ZERO).expect("walls begin below zero")
    }

    fn of_integer(number: Dyadic) -> Thermograph {
        let mast = Wall::mast(number);
        Thermograph {
            left: mast.clone(),
            right: mast,
            temperature: LOWEST,
            mean: number,
        }
    }

    /// From the greatest right wall of left options and the smallest left wall of right options.
    fn from_options(left: &Wall, right: &Wall) -> Option<Thermograph> {
        let (left, right) = (left.tilted(-1)?, right.tilted(1)?);
        let temperature = left.meets(&right)?;
        let (left, right) = (left.topped(temperature)?, right.topped(temperature)?);
        let mean = left.at(temperature)?;
        Some(Thermograph {
            left,
            right,
            temperature,
            mean,
        })
    }
}

/// Thermographs already worked out, of one arena.
#[derive(Clone, Debug, Default)]
pub struct Thermographs {
    known: FxHashMap<Value, Thermograph>,
}

impl Thermographs {
    /// None yet.
    pub fn new() -> Thermographs {
        Thermographs::default()
    }

    /// The thermograph of a value; `None` if its corners leave the range of [`Dyadic`].
    pub fn of(&mut self, games: &Games, value: Value) -> Option<&Thermograph> {
        // Values may be nested deeper than a stack is.
        let mut waiting = vec![value];
        while let Some(&next) = waiting.last() {
            let before = waiting.len();
            if !self.known.contains_key(&next) {
                let options = games.left(next).iter().chain(games.right(next));
                let is_needed = |option: &&Value| !self.known.contains_key(option);
                if integer(games, next).is_none() {
                    waiting.extend(options.filter(is_needed));
                }
            }
            if waiting.len() == before {
                waiting.pop();
                if !self.known.contains_key(&next) {
                    let thermograph = self.work_out(games, next)?;
                    self.known.insert(next, thermograph);
                }
            }
        }
        self.known.get(&value)
    }

    /// The thermograph of a value whose options have theirs.
    fn work_out(&self, games: &Games, value: Value) -> Option<Thermograph> {
        if let Some(number) = integer(games, value) {
            return Some(Thermograph::of_integer(number));
        }
        let left = self.wall(games.left(value), Thermograph::right, Wall::max)?;
        let right = self.wall(games.right(value), Thermograph::left, Wall::min)?;
        Thermograph::from_options(&left, &right)
    }

    /// The best wall among those of some options.
    fn wall(
        &self,
        options: &[Value],
        side: fn(&Thermograph) -> &Wall,
        best: fn(&Wall, &Wall) -> Option<Wall>,
    ) -> Option<Wall> {
        let (&first, others) = options.split_first()?;
        let mut wall = side(self.known.get(&first)?).clone();
        for option in others {
            wall = best(&wall, side(self.known.get(option)?))?;
        }
        Some(wall)
    }
}

fn integer(games: &Games, value: Value) -> Option<Dyadic> {
    games.to_number(value).filter(|it| it.exponent() == 0)
}

impl Games {
    /// The thermograph of a value; `None` if its corners leave the range of [`Dyadic`].
    ///
    /// For many values, [`Thermographs`] saves repeated work.
    ///
    /// ```
    /// # use upstar_cgt::Games;
    /// let mut games = Games::new();
    /// let value = games.parse("{4|{2|-1}}")?;
    /// let thermograph = games.thermograph(value).unwrap();
    /// assert_eq!(thermograph.mean().to_string(), "9/4");
    /// assert_eq!(thermograph.temperature().to_string(), "7/4");
    /// # Ok::<(), upstar_cgt::ParseError>(())
    /// ```
    pub fn thermograph(&self, value: Value) -> Option<Thermograph> {
        Thermographs::new().of(self, value).cloned()
    }

    /// The mean value; see [`Games::thermograph`].
    pub fn mean(&self, value: Value) -> Option<Dyadic> {
        if self.is_all_small(value) {
            return Some(Dyadic::ZERO);
        }
        self.thermograph(value)
            .map(|thermograph| thermograph.mean())
    }

    /// The temperature: −1/2ᵉ for a number m/2ᵉ, 0 for a number plus a nonzero infinitesimal, more
    /// for others.
    pub fn temperature(&self, value: Value) -> Option<Dyadic> {
        if self.is_all_small(value) && !self.is_number(value) {
            return Some(Dyadic::ZERO);
        }
        self.thermograph(value)
            .map(|thermograph| thermograph.temperature())
    }
}
