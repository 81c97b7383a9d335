//! Against plain trees, and against the `cgt` crate (github.com/t4ccer/cgt-rs), an independent
//! implementation.

use std::cmp::Ordering;
use std::collections::HashMap;

use cgt::numeric::dyadic_rational_number::DyadicRationalNumber;
use cgt::short::partizan::canonical_form::CanonicalForm;
use proptest::prelude::*;
use upstar_cgt::{Comparisons, Dyadic, Games, Outcome, Value};

use crate::clobber;
use crate::tree::{Tree, all_small_trees, trees};

fn same(ours: Dyadic, theirs: DyadicRationalNumber) -> bool {
    (ours.numerator(), ours.exponent()) == (theirs.numerator(), theirs.denominator_exponent())
}

fn theirs(games: &Games, known: &mut HashMap<Value, CanonicalForm>, value: Value) -> CanonicalForm {
    if let Some(form) = known.get(&value) {
        return form.clone();
    }
    let mut options = |set: &[Value]| -> Vec<CanonicalForm> {
        set.iter().map(|&v| theirs(games, known, v)).collect()
    };
    let (left, right) = (options(games.left(value)), options(games.right(value)));
    let form = CanonicalForm::new_from_moves(left, right);
    known.insert(value, form.clone());
    form
}

/// The form that the `cgt` crate makes of a tree, from the leaves up.
fn their_form(tree: &Tree) -> CanonicalForm {
    let forms = |options: &[Tree]| options.iter().map(their_form).collect();
    CanonicalForm::new_from_moves(forms(&tree.left), forms(&tree.right))
}

fn assert_same_form(games: &Games, value: Value, form: &CanonicalForm) {
    assert_eq!(games.left(value).len(), form.left_moves().len(), "{form}");
    assert_eq!(games.right(value).len(), form.right_moves().len(), "{form}");
    let again = theirs(games, &mut HashMap::new(), value);
    assert_eq!(&again, form);
    assert_eq!(games.birthday(value), form.birthday());
}

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

    #[test]
    fn the_cgt_crate_agrees_on_forms_means_and_temperatures(a in trees(4, 3), b in trees(3, 3)) {
        let mut games = Games::new();
        let (x, y) = (a.value(&mut games), b.value(&mut games));
        let (form_x, form_y) = (their_form(&a), their_form(&b));
        assert_same_form(&games, x, &form_x);
        prop_assert_eq!(games.compare(x, y), form_x.partial_cmp(&form_y));
        let thermograph = games.thermograph(x).unwrap();
        prop_assert!(same(thermograph.mean(), form_x.mean()));
        prop_assert!(same(thermograph.temperature(), form_x.temperature()));
        prop_assert!(same(thermograph.left_stop(), form_x.left_stop()));
        prop_assert!(same(thermograph.right_stop(), form_x.right_stop()));
        let sum = games.sum(x, y);
        assert_same_form(&games, sum, &(form_x + form_y));
    }

    #[test]
    fn the_cgt_crate_agrees_on_atomic_weights(a in all_small_trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let weight = games.atomic_weight(value).unwrap();
        assert_same_form(&games, weight, &their_form(&a).atomic_weight());
    }
}

#[test]
fn the_cgt_crate_agrees_on_rows_of_clobber() {
    let mut games = Games::new();
    let mut known = HashMap::new();
    let values: Vec<Value> = (2..=9)
        .flat_map(clobber::rows)
        .map(|row| clobber::row_value(&mut games, &mut known, &row))
        .collect();
    let mut forms = HashMap::new();
    let mut last = Value::ZERO;
    for value in values {
        let form = theirs(&games, &mut forms, value);
        assert_same_form(&games, value, &form);
        let weight = games.atomic_weight(value).unwrap();
        assert_same_form(&games, weight, &form.atomic_weight());
        let order: Option<Ordering> = form.partial_cmp(&forms[&last]);
        assert_eq!(games.compare(value, last), order);
        last = value;
    }
}

/// All 22 values born by day 2 and all 1474 born by day 3 (Siegel, III.1).
#[test]
fn the_values_of_three_days_are_counted() {
    let mut games = Games::new();
    let counts = [0, 1, 2, 3].map(|day| born_by(&mut games, day).len());
    assert_eq!(counts, [1, 4, 22, 1474]);
}

#[test]
fn the_cgt_crate_agrees_on_all_values_of_three_days() {
    let mut games = Games::new();
    let mut forms = HashMap::new();
    for value in born_by(&mut games, 3) {
        let form = theirs(&games, &mut forms, value);
        assert_same_form(&games, value, &form);
        assert!(same(games.mean(value).unwrap(), form.mean()));
        assert!(same(games.temperature(value).unwrap(), form.temperature()));
        if let Some(weight) = games.atomic_weight(value) {
            assert_same_form(&games, weight, &form.atomic_weight());
        }
        assert_eq!(
            games.to_number_up_star(value).is_some(),
            form.to_nus().is_some()
        );
    }
}

/// Antichains for Left times antichains for Right give every value of the next day.
fn born_by(games: &mut Games, day: u32) -> Vec<Value> {
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
