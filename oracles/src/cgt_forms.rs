//! Values of games beside the crate cgt (github.com/t4ccer/cgt-rs), an independent implementation.

use std::cmp::Ordering;
use std::collections::HashMap;

use cgt::numeric::dyadic_rational_number::DyadicRationalNumber;
use cgt::short::partizan::canonical_form::CanonicalForm;
use upstar_cgt::Games;
use upstar_games::Random;

use crate::clobber;
use crate::tree::Tree;

/// What the crate says about a few hundred games, as a file.
pub(crate) fn recording() -> String {
    let mut text = String::from(
        "# Games and what the crate cgt 0.11.0 says about them, each beside the game of the row before. Written by: make recordings\n\
         game;canonical form;mean;temperature;left stop;right stop;birthday;atomic weight of all-small games;order;sum\n",
    );
    let mut last = CanonicalForm::new_integer(0);
    for (tree, all_small) in recorded() {
        let form = their_form(&tree);
        let order = match form.partial_cmp(&last) {
            Some(Ordering::Less) => "<",
            Some(Ordering::Equal) => "=",
            Some(Ordering::Greater) => ">",
            None => "||",
        };
        let weight = if all_small {
            form_text(&form.atomic_weight())
        } else {
            String::new()
        };
        let numbers = [
            form.mean(),
            form.temperature(),
            form.left_stop(),
            form.right_stop(),
        ];
        let columns = [
            tree_text(&tree),
            form_text(&form),
            numbers.map(number_text).join(";"),
            form.birthday().to_string(),
            weight,
            order.to_owned(),
            form_text(&(form.clone() + last)),
        ];
        text += &columns.join(";");
        text.push('\n');
        last = form;
    }
    text
}

/// Random trees, random all-small trees, and rows of Clobber, each with whether it is all-small.
fn recorded() -> Vec<(Tree, bool)> {
    let random = &mut Random::new(1);
    let mut games = Games::new();
    let mut known = HashMap::new();
    let rows: Vec<String> = (2..=6).flat_map(clobber::rows).collect();
    let rows = rows.iter().map(|row| {
        let value = clobber::row_value(&mut games, &mut known, row);
        (Tree::of(&games, value), true)
    });
    let mut list: Vec<(Tree, bool)> = rows.collect();
    while list.len() < 340 {
        let all_small = random.below(3) == 0;
        let tree = random_tree(random, 3, all_small);
        if (5..120).contains(&tree_text(&tree).len()) {
            list.push((tree, all_small));
        }
    }
    list
}

fn random_tree(random: &mut Random, levels: u32, all_small: bool) -> Tree {
    if levels == 0 || random.below(6) == 0 {
        return Tree::default();
    }
    let mut options = || -> Vec<Tree> {
        let least = u32::from(all_small);
        let count = least + random.below(4 - least);
        (0..count)
            .map(|_| random_tree(random, levels - 1, all_small))
            .collect()
    };
    Tree {
        left: options(),
        right: options(),
    }
}

/// `{0,{0|0}|0}`, options in the order of their texts.
fn braces(left: Vec<String>, right: Vec<String>) -> String {
    if left.is_empty() && right.is_empty() {
        return "0".to_owned();
    }
    let side = |mut options: Vec<String>| {
        options.sort();
        options.join(",")
    };
    format!("{{{}|{}}}", side(left), side(right))
}

fn tree_text(tree: &Tree) -> String {
    let texts = |options: &[Tree]| options.iter().map(tree_text).collect();
    braces(texts(&tree.left), texts(&tree.right))
}

fn form_text(form: &CanonicalForm) -> String {
    let left = form.left_moves().iter().map(form_text).collect();
    let right = form.right_moves().iter().map(form_text).collect();
    braces(left, right)
}

/// `3/2^1`.
fn number_text(number: DyadicRationalNumber) -> String {
    format!("{}/2^{}", number.numerator(), number.denominator_exponent())
}

/// The form that the crate makes of a tree, from the leaves up.
fn their_form(tree: &Tree) -> CanonicalForm {
    let forms = |options: &[Tree]| options.iter().map(their_form).collect();
    CanonicalForm::new_from_moves(forms(&tree.left), forms(&tree.right))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use upstar_cgt::{Dyadic, Value};

    use super::*;
    use crate::tree::{all_small_trees, born_by, trees};

    fn same(ours: Dyadic, theirs: DyadicRationalNumber) -> bool {
        (ours.numerator(), ours.exponent()) == (theirs.numerator(), theirs.denominator_exponent())
    }

    fn theirs(
        games: &Games,
        known: &mut HashMap<Value, CanonicalForm>,
        value: Value,
    ) -> CanonicalForm {
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
}
