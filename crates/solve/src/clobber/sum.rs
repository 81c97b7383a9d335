//! A position as a sum: components too large for the value table, and the values of the others.

use arrayvec::ArrayVec;
use upstar_games::Cells;
use upstar_machine::{Machine, Portable};

use super::lookup::Lookup;
use super::space::Space;
use super::technique::Technique;
use super::values::{Value, Values};
use crate::key::Key;

/// The most components of one kind: each has at least two stones.
const MOST: usize = 64;

/// A connected set of stones that is too large for the value table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component<B> {
    /// Left's stones and Right's.
    pub(crate) stones: [B; 2],
    /// Its keys as seen by Left and by Right.
    pub(crate) keys: [Key; 2],
}

impl<B: Cells> Component<B> {
    #[inline(always)]
    pub(crate) fn occupied(&self) -> B {
        self.stones[0] | self.stones[1]
    }
}

/// What a connected set of stones is to the search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<B> {
    /// Worth nothing.
    Zero,
    /// Its value is in the table.
    Small(Value),
    /// It has to be searched.
    Large(Component<B>),
}

/// A sum of components. Everything worth nothing has been left out, and no component stands beside
/// its own negative.
#[derive(Clone, Debug)]
pub(crate) struct Sum<B> {
    pub(crate) large: ArrayVec<Component<B>, 16>,
    pub(crate) small: ArrayVec<Value, MOST>,
    /// The sums of all keys as seen by Left and by Right.
    pub(crate) keys: [Key; 2],
}

impl<B: Cells> Sum<B> {
    pub(crate) fn zero() -> Self {
        Self {
            large: ArrayVec::new(),
            small: ArrayVec::new(),
            keys: [0; 2],
        }
    }

    /// Adds a component, unless its negative is there and they cancel: then both go.
    #[inline]
    fn add(&mut self, piece: &Piece<B>, values: &Values, cancels: bool) {
        match *piece {
            Piece::Zero => {}
            Piece::Small(value) => {
                let negative = values.negative(value);
                let keys = values.keys(value);
                if cancels
                    && let Some(place) = self.small.iter().position(|&other| other == negative)
                {
                    self.small.remove(place);
                    self.subtract(values.keys(negative));
                } else {
                    let place = self.small.iter().position(|&other| other >= value);
                    self.small.insert(place.unwrap_or(self.small.len()), value);
                    self.keys = [0, 1].map(|view| self.keys[view].wrapping_add(keys[view]));
                }
            }
            Piece::Large(component) => {
                let keys = component.keys;
                let negative =
                    |other: &Component<B>| other.keys[0] == keys[1] && other.keys[1] == keys[0];
                if cancels && let Some(place) = self.large.iter().position(negative) {
                    let negative = self.large.swap_remove(place);
                    self.subtract(negative.keys);
                } else {
                    self.large.push(component);
                    self.keys = [0, 1].map(|view| self.keys[view].wrapping_add(keys[view]));
                }
            }
        }
    }

    #[inline(always)]
    fn subtract(&mut self, keys: [Key; 2]) {
        self.keys = [0, 1].map(|view| self.keys[view].wrapping_sub(keys[view]));
    }

    /// Takes the component at this place out.
    pub(crate) fn remove_large(&mut self, place: usize) -> Component<B> {
        let component = self.large.remove(place);
        self.subtract(component.keys);
        component
    }

    /// Takes the value at this place out.
    pub(crate) fn remove_small(&mut self, place: usize, values: &Values) -> Value {
        let value = self.small.remove(place);
        self.subtract(values.keys(value));
        value
    }

    /// How many stones the large components have.
    pub(crate) fn stones(&self) -> u32 {
        self.large
            .iter()
            .map(|component| component.occupied().len())
            .sum()
    }
}

/// The rules of taking components apart: the board, and what small components are worth.
pub(crate) struct Ground<S: Space> {
    pub(crate) space: S,
    pub(crate) lookup: Lookup<S::Set>,
    /// Whether stones may take their own kind.
    pub(crate) cannibal: bool,
    pub(crate) without: Option<Technique>,
}

impl<S: Space> Ground<S> {
    /// What is known of the values.
    #[inline(always)]
    pub(crate) fn values(&self) -> &Values {
        self.lookup.values()
    }

    /// Whether a component and its negative cancel.
    #[inline(always)]
    pub(crate) fn cancels(&self) -> bool {
        self.without != Some(Technique::Cancelling)
    }

    /// Adds a component to a sum.
    #[inline(always)]
    pub(crate) fn add(&self, sum: &mut Sum<S::Set>, piece: &Piece<S::Set>) {
        sum.add(piece, self.values(), self.cancels());
    }

    /// What a connected set of stones is.
    #[inline(always)]
    pub(crate) fn piece<M: Machine>(&self, stones: [S::Set; 2]) -> Piece<S::Set> {
        let occupied = stones[0] | stones[1];
        if self.cannibal {
            if occupied.len() == 1 {
                return Piece::Zero;
            }
        } else if stones[0].is_empty() || stones[1].is_empty() {
            return Piece::Zero;
        }
        if occupied.len() <= self.lookup.largest() {
            let shape = self.space.corner(occupied);
            let colouring = S::compress::<M>(stones[0], occupied);
            match self.lookup.value(shape, colouring) {
                Value::ZERO => Piece::Zero,
                value => Piece::Small(value),
            }
        } else {
            let keys = self.space.keys(stones);
            Piece::Large(Component { stones, keys })
        }
    }

    /// The sum of the components of these stones.
    pub(crate) fn sum(&self, stones: [S::Set; 2]) -> Sum<S::Set> {
        let mut sum = Sum::zero();
        let mut rest = stones[0] | stones[1];
        while let Some(cell) = rest.first() {
            let part = self.space.fill(S::Set::one(cell), rest);
            rest &= !part;
            let piece = self.piece::<Portable>([stones[0] & part, stones[1] & part]);
            self.add(&mut sum, &piece);
        }
        sum
    }
}
