//! Values of games beside the crate cgt (github.com/t4ccer/cgt-rs), an independent implementation.
//!
//! The tests compare; the program writes what the crate says about some games into the file with
//! which Upstar's own tests compare.

#[path = "../../../crates/cgt/tests/cgt/clobber.rs"]
#[allow(dead_code)]
mod clobber;
#[path = "../../../crates/cgt/tests/cgt/facts.rs"]
#[allow(dead_code)]
mod facts;
#[path = "../../../crates/cgt/tests/cgt/tree.rs"]
#[allow(dead_code)]
mod tree;

use std::collections::HashMap;
use std::{fs, io};

use cgt::short::partizan::canonical_form::CanonicalForm;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::facts::{COLUMNS, braces, order_text, tree_text};
use crate::tree::{Tree, all_small_trees, trees};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/cgt/tests/data/cgt-crate.csv"
);

fn main() -> io::Result<()> {
    fs::write(FILE, recording())
}

/// What the crate says about a few hundred games, as a file.
fn recording() -> String {
    let mut text = String::from(
        "# What the crate cgt 0.11.0 says about rows of Clobber and other games. Written by: make recordings\n",
    );
    text += &format!("game;{}\n", COLUMNS.join(";"));
    let mut before = CanonicalForm::new_integer(0);
    for (game, form) in recorded() {
        let facts = theirs(&form, &before);
        text += &format!("{game};{}\n", facts.join(";"));
        before = form;
    }
    text
}

/// All short rows of Clobber, and random trees, with their forms.
fn recorded() -> Vec<(String, CanonicalForm)> {
    let known = &mut HashMap::new();
    let rows = (2..=6).flat_map(clobber::rows);
    let mut games: Vec<(String, CanonicalForm)> = rows
        .map(|row| (row.clone(), row_form(known, &row)))
        .collect();
    let runner = &mut TestRunner::deterministic();
    for (strategy, count) in [
        (trees(4, 3).boxed(), 180),
        (all_small_trees(4, 3).boxed(), 60),
    ] {
        let end = games.len() + count;
        while games.len() < end {
            let tree = strategy
                .new_tree(runner)
                .expect("any tree will do")
                .current();
            let text = tree_text(&tree);
            if (8..120).contains(&text.len()) && games.iter().all(|(game, _)| *game != text) {
                games.push((text, tree_form(&tree)));
            }
        }
    }
    games
}

/// The form that the crate makes of a tree, from the leaves up.
fn tree_form(tree: &Tree) -> CanonicalForm {
    let forms = |options: &[Tree]| options.iter().map(tree_form).collect();
    CanonicalForm::new_from_moves(forms(&tree.left), forms(&tree.right))
}

/// The form that the crate makes of a row of Clobber, move by move.
fn row_form(known: &mut HashMap<String, CanonicalForm>, row: &str) -> CanonicalForm {
    if let Some(form) = known.get(row) {
        return form.clone();
    }
    let [left, right] =
        clobber::options(row).map(|rows| rows.iter().map(|row| row_form(known, row)).collect());
    let form = CanonicalForm::new_from_moves(left, right);
    known.insert(row.to_owned(), form.clone());
    form
}

/// What the crate says about a game and the one before it.
fn theirs(form: &CanonicalForm, before: &CanonicalForm) -> [String; COLUMNS.len()] {
    let number_up_star = form.to_nus().map_or(String::new(), |it| {
        format!(
            "{} {} {}",
            it.number(),
            it.up_multiple(),
            it.nimber().value()
        )
    });
    let weight = if is_all_small(form) {
        form_text(&form.atomic_weight())
    } else {
        String::new()
    };
    [
        form_text(form),
        form.mean().to_string(),
        form.temperature().to_string(),
        form.left_stop().to_string(),
        form.right_stop().to_string(),
        form.birthday().to_string(),
        number_up_star,
        weight,
        order_text(form.partial_cmp(before)).to_owned(),
        form_text(&(form + before)),
    ]
}

/// Whether in every position either both players can move or neither can.
fn is_all_small(form: &CanonicalForm) -> bool {
    (form.left_moves().len() == 0) == (form.right_moves().len() == 0)
        && form.left_moves().all(|it| is_all_small(&it))
        && form.right_moves().all(|it| is_all_small(&it))
}

fn form_text(form: &CanonicalForm) -> String {
    let left = form.left_moves().map(|it| form_text(&it)).collect();
    let right = form.right_moves().map(|it| form_text(&it)).collect();
    braces(left, right)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use upstar_cgt::{Games, Value};

    use super::*;
    use crate::facts::ours;
    use crate::tree::born_by;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_cgt_crate_agrees_on_trees(a in trees(4, 3), b in trees(3, 3)) {
            let mut games = Games::new();
            let (x, y) = (a.value(&mut games), b.value(&mut games));
            prop_assert_eq!(ours(&mut games, x, y), theirs(&tree_form(&a), &tree_form(&b)));
        }

        #[test]
        fn the_cgt_crate_agrees_on_all_small_trees(a in all_small_trees(4, 3), b in all_small_trees(3, 3)) {
            let mut games = Games::new();
            let (x, y) = (a.value(&mut games), b.value(&mut games));
            prop_assert_eq!(ours(&mut games, x, y), theirs(&tree_form(&a), &tree_form(&b)));
        }
    }

    #[test]
    fn the_cgt_crate_agrees_on_rows_of_clobber() {
        let (mut games, mut values, mut forms) = (Games::new(), HashMap::new(), HashMap::new());
        let (mut before, mut form_before) = (Value::ZERO, CanonicalForm::new_integer(0));
        for row in (2..=8).flat_map(clobber::rows) {
            let value = clobber::row_value(&mut games, &mut values, &row);
            let form = row_form(&mut forms, &row);
            let facts = ours(&mut games, value, before);
            assert_eq!(facts, theirs(&form, &form_before), "{row}");
            (before, form_before) = (value, form);
        }
    }

    #[test]
    fn the_cgt_crate_agrees_on_all_values_of_three_days() {
        let mut games = Games::new();
        let (mut before, mut form_before) = (Value::ZERO, CanonicalForm::new_integer(0));
        for value in born_by(&mut games, 3) {
            let form = tree_form(&Tree::of(&games, value));
            let facts = ours(&mut games, value, before);
            assert_eq!(facts, theirs(&form, &form_before));
            (before, form_before) = (value, form);
        }
    }
}
