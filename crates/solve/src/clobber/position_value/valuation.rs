//! Canonical values of components, from the values of what their moves lead to.
//!
//! A component is valued once: its copies elsewhere, turned or mirrored, have the same key, and with the
//! colours exchanged it is worth the negative.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use upstar_cgt::{Games, Value};
use upstar_games::{Board, Cell, Cells, Color, Setup};

use super::super::anywhere::{Network, Plane};
use super::super::space::{Lattice, Space};
use crate::key::Key;

/// Sums of followers between two looks at the clock.
const SUMS: usize = 1 << 10;

/// Values of components, as they become known.
pub(in super::super) struct Valuation {
    games: Games,
    known: HashMap<Key, Value, BuildHasherDefault<KeyHasher>>,
    cannibal: bool,
    /// The most values and components to hold.
    room: usize,
}

impl Valuation {
    pub(in super::super) fn new(cannibal: bool, room: usize) -> Self {
        Self {
            games: Games::new(),
            known: HashMap::default(),
            cannibal,
            room,
        }
    }

    /// The arena of the values.
    pub(in super::super) fn games(&mut self) -> &mut Games {
        &mut self.games
    }

    /// The value of a position; `None` if `stop` says so first, or if there is no room for it.
    pub(in super::super) fn value(
        &mut self,
        setup: &Setup,
        stop: &dyn Fn() -> bool,
    ) -> Option<Value> {
        // Other boards have other keys for the same component.
        match &setup.board {
            Board::Graph(_) => {
                self.value_on(Network::new(&setup.board), 1, Cell::index, setup, stop)
            }
            Board::Grid(grid) => {
                let (rows, cols) = (grid.rows(), grid.cols());
                let place = |stride: usize| {
                    move |cell| match grid.row_and_col(cell) {
                        (row, col) if rows <= cols => row * stride + col,
                        (row, col) => col * stride + row,
                    }
                };
                match (rows.min(cols), rows.max(cols)) {
                    (1, 0..=64) => self.value_on(Lattice::<64>, 64, place(64), setup, stop),
                    (2, 0..=32) => self.value_on(Lattice::<32>, 32, place(32), setup, stop),
                    (_, 0..=8) => self.value_on(Lattice::<8>, 8, place(8), setup, stop),
                    (3..=4, 0..=16) => self.value_on(Lattice::<16>, 16, place(16), setup, stop),
                    _ => self.value_on(Plane::new(grid), 0, Cell::index, setup, stop),
                }
            }
        }
    }

    fn value_on<S: Space>(
        &mut self,
        space: S,
        salt: Key,
        place: impl Fn(Cell) -> usize,
        setup: &Setup,
        stop: &dyn Fn() -> bool,
    ) -> Option<Value> {
        let put = |set: S::Set, cell| set.with(Cell::new(place(cell)));
        let stones = Color::ALL.map(|color| setup.stones(color).iter().fold(S::Set::EMPTY, put));
        let mut walk = Walk {
            space,
            salt,
            stop,
            valuation: self,
        };
        walk.position(stones)
    }

    /// The sum of two values; `None` as for [`Self::value`].
    pub(super) fn sum(&mut self, a: Value, b: Value, stop: &dyn Fn() -> bool) -> Option<Value> {
        loop {
            if let Some(sum) = self.games.try_sum(a, b, SUMS) {
                return Some(sum);
            }
            // Sums found on the way are remembered, so that each round gets further.
            if stop() || self.is_full() {
                return None;
            }
        }
    }

    fn is_full(&self) -> bool {
        self.games.len() + self.known.len() > self.room
    }
}

/// The way through what can become of a position, on its board.
struct Walk<'a, S: Space> {
    space: S,
    salt: Key,
    stop: &'a dyn Fn() -> bool,
    valuation: &'a mut Valuation,
}

impl<S: Space> Walk<'_, S> {
    /// The value of any stones.
    fn position(&mut self, stones: [S::Set; 2]) -> Option<Value> {
        let mut rest = stones[0] | stones[1];
        let mut sum = Value::ZERO;
        while let Some(cell) = rest.first() {
            let part = self.space.fill(S::Set::one(cell), rest);
            rest &= !part;
            let value = self.component(stones.map(|stones| stones & part))?;
            sum = self.valuation.sum(sum, value, self.stop)?;
        }
        Some(sum)
    }

    /// The value of connected stones.
    fn component(&mut self, stones: [S::Set; 2]) -> Option<Value> {
        let occupied = stones[0] | stones[1];
        let is_dead = if self.valuation.cannibal {
            occupied.len() < 2
        } else {
            stones[0].is_empty() || stones[1].is_empty()
        };
        if is_dead {
            return Some(Value::ZERO);
        }
        let keys = self.space.keys(stones).map(|key| key ^ self.salt);
        let key = keys[0].min(keys[1]);
        let seen = |games: &Games, value: Value| {
            if key == keys[0] {
                value
            } else {
                games.negative(value)
            }
        };
        if let Some(&value) = self.valuation.known.get(&key) {
            return Some(seen(&self.valuation.games, value));
        }
        if (self.stop)() || self.valuation.is_full() {
            return None;
        }
        let mut options = [Vec::new(), Vec::new()];
        for (mover, options) in options.iter_mut().enumerate() {
            let prey = if self.valuation.cannibal {
                occupied
            } else {
                stones[1 - mover]
            };
            for from in stones[mover].iter() {
                for to in (self.space.spread(S::Set::one(from)) & prey).iter() {
                    let mut after = stones.map(|stones| stones.without(to));
                    after[mover] = after[mover].without(from).with(to);
                    options.push(self.position(after)?);
                }
            }
        }
        let games = &mut self.valuation.games;
        let value = games.canonical(&options[0], &options[1]);
        let under_key = seen(games, value);
        self.valuation.known.insert(key, under_key);
        Some(value)
    }
}

/// Keys are well mixed already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
