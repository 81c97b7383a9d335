//! Games as plain trees, compared by the definition alone: the oracle for everything clever.
//! `oracles/` uses this file too.

use proptest::prelude::*;
use upstar_cgt::{Games, Value};

/// A game by its options, in any form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) left: Vec<Tree>,
    pub(crate) right: Vec<Tree>,
}

impl Tree {
    /// G ≤ H unless some Gᴸ ≥ H or some Hᴿ ≤ G.
    pub(crate) fn le(&self, other: &Tree) -> bool {
        !self.left.iter().any(|option| other.le(option))
            && !other.right.iter().any(|option| option.le(self))
    }

    pub(crate) fn sum(&self, other: &Tree) -> Tree {
        let moves = |mine: &[Tree], theirs: &[Tree]| {
            let first = mine.iter().map(|option| option.sum(other));
            first
                .chain(theirs.iter().map(|option| self.sum(option)))
                .collect()
        };
        Tree {
            left: moves(&self.left, &other.left),
            right: moves(&self.right, &other.right),
        }
    }

    pub(crate) fn negative(&self) -> Tree {
        let negate = |options: &[Tree]| options.iter().map(Tree::negative).collect();
        Tree {
            left: negate(&self.right),
            right: negate(&self.left),
        }
    }

    pub(crate) fn value(&self, games: &mut Games) -> Value {
        let left: Vec<Value> = self.left.iter().map(|option| option.value(games)).collect();
        let right: Vec<Value> = self
            .right
            .iter()
            .map(|option| option.value(games))
            .collect();
        games.canonical(&left, &right)
    }

    /// The canonical form of a value.
    pub(crate) fn of(games: &Games, value: Value) -> Tree {
        let trees = |options: &[Value]| options.iter().map(|&v| Tree::of(games, v)).collect();
        Tree {
            left: trees(games.left(value)),
            right: trees(games.right(value)),
        }
    }
}

/// Any trees of so many levels, with up to so many options for each player.
pub(crate) fn trees(levels: u32, options: usize) -> impl Strategy<Value = Tree> {
    Just(Tree::default()).prop_recursive(levels, 40, 2 * options as u32, move |inner| {
        let set = || prop::collection::vec(inner.clone(), 0..=options);
        (set(), set()).prop_map(|(left, right)| Tree { left, right })
    })
}

/// Trees in which both players can move or neither can.
pub(crate) fn all_small_trees(levels: u32, options: usize) -> impl Strategy<Value = Tree> {
    Just(Tree::default()).prop_recursive(levels, 40, 2 * options as u32, move |inner| {
        let set = || prop::collection::vec(inner.clone(), 1..=options);
        (set(), set()).prop_map(|(left, right)| Tree { left, right })
    })
}

/// Antichains for Left times antichains for Right give every value of the next day.
pub(crate) fn born_by(games: &mut Games, day: u32) -> Vec<Value> {
    let mut born = vec![Value::ZERO];
    for _ in 0..day {
        let chains = antichains(games, &born);
        let sides = chains
            .iter()
            .flat_map(|left| chains.iter().map(move |right| (left, right)));
        let mut next: Vec<Value> = sides
            .map(|(left, right)| games.canonical(left, right))
            .collect();
        next.sort_unstable();
        next.dedup();
        born = next;
    }
    born
}

fn antichains(games: &mut Games, values: &[Value]) -> Vec<Vec<Value>> {
    let mut chains = vec![Vec::new()];
    for &value in values {
        for place in 0..chains.len() {
            if chains[place]
                .iter()
                .all(|&other| games.compare(value, other).is_none())
            {
                let longer = chains[place].iter().copied().chain([value]).collect();
                chains.push(longer);
            }
        }
    }
    chains
}
