//! Against plain trees, and against what the crate cgt (github.com/t4ccer/cgt-rs), an independent
//! implementation, said about some games once. `make oracles` compares with the crate itself.

use std::collections::HashMap;

use proptest::prelude::*;
use upstar_cgt::{Comparisons, Games, Outcome, Value};

use crate::tree::{Tree, born_by, trees};
use crate::{clobber, facts};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn comparison_is_that_of_trees(a in trees(3, 3), b in trees(3, 3)) {
        let mut games = Games::new();
        let (x, y) = (a.value(&mut games), b.value(&mut games));
        prop_assert_eq!(games.le(x, y), a.le(&b));
        prop_assert_eq!(games.le(y, x), b.le(&a));
        let zero = Tree::default();
        let outcome = match (zero.le(&a), a.le(&zero)) {
            (true, true) => Outcome::P,
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (false, false) => Outcome::N,
        };
        prop_assert_eq!(games.outcome(x), outcome);
    }

    #[test]
    fn canonical_forms_are_equal_to_their_trees(a in trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let form = Tree::of(&games, value);
        prop_assert!(form.le(&a) && a.le(&form));
        prop_assert_eq!(a.negative().value(&mut games), games.negative(value));
    }

    #[test]
    fn no_option_is_dominated_or_reversible(a in trees(4, 4)) {
        let mut games = Games::new();
        a.value(&mut games);
        for value in games.values() {
            for (options, sign) in [(games.left(value).to_vec(), 1), (games.right(value).to_vec(), -1)] {
                for &option in &options {
                    let mut no_better = |x, y| if sign > 0 { games.le(x, y) } else { games.le(y, x) };
                    prop_assert!(!options.iter().any(|&other| other != option && no_better(option, other)));
                    let replies = if sign > 0 { games.right(option) } else { games.left(option) }.to_vec();
                    let mut no_better = |x, y| if sign > 0 { games.le(x, y) } else { games.le(y, x) };
                    prop_assert!(!replies.iter().any(|&reply| no_better(reply, value)));
                }
            }
        }
    }

    #[test]
    fn sums_are_those_of_trees(a in trees(2, 2), b in trees(2, 2)) {
        let mut games = Games::new();
        let (x, y) = (a.value(&mut games), b.value(&mut games));
        prop_assert_eq!(games.sum(x, y), a.sum(&b).value(&mut games));
    }

    /// A tiny table forgets nearly everything; the answers stay.
    #[test]
    fn small_tables_answer_alike(a in trees(4, 4), b in trees(4, 4)) {
        let mut games = Games::new();
        let (x, y) = (a.value(&mut games), b.value(&mut games));
        let mut small = Comparisons::with_slots(1);
        prop_assert_eq!(games.compare_with(&mut small, x, y), games.compare(x, y));
    }
}

/// All 22 values born by day 2 and all 1474 born by day 3 (Siegel, III.1).
#[test]
fn the_values_of_three_days_are_counted() {
    let mut games = Games::new();
    let counts = [0, 1, 2, 3].map(|day| born_by(&mut games, day).len());
    assert_eq!(counts, [1, 4, 22, 1474]);
}

/// Written by `make recordings`.
#[test]
fn values_are_those_that_the_cgt_crate_found() {
    let table = include_str!("../data/cgt-crate.csv");
    let (mut games, mut known) = (Games::new(), HashMap::new());
    let (mut before, mut rows, mut weights) = (Value::ZERO, 0, 0);
    for line in table.lines().skip(2) {
        let (game, theirs) = line.split_once(';').unwrap();
        let value = if game.starts_with(['x', 'o']) {
            clobber::row_value(&mut games, &mut known, game)
        } else {
            games.parse(game).unwrap()
        };
        let ours = facts::ours(&mut games, value, before);
        let theirs: Vec<&str> = theirs.split(';').collect();
        for (column, (ours, theirs)) in facts::COLUMNS.iter().zip(ours.iter().zip(&theirs)) {
            assert_eq!(ours, theirs, "{column} of {game}");
        }
        assert_eq!(ours.len(), theirs.len(), "{game}");
        before = value;
        rows += 1;
        weights += usize::from(games.is_all_small(value));
    }
    assert!(rows >= 300 && weights >= 150, "{rows} {weights}");
}
