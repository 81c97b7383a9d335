//! What a library says about a game, as columns of `data/cgt-crate.csv`. `oracles/` uses this file too.

use std::cmp::Ordering;

use upstar_cgt::{Games, Value};

use crate::tree::Tree;

/// The header; `number-up-star` and the atomic weight are empty where a game has none.
pub(crate) const COLUMNS: [&str; 10] = [
    "canonical form",
    "mean",
    "temperature",
    "left stop",
    "right stop",
    "birthday",
    "number-up-star",
    "atomic weight",
    "order beside the game before",
    "sum with the game before",
];

/// What this library says about a game and the one before it.
pub(crate) fn ours(games: &mut Games, value: Value, before: Value) -> [String; COLUMNS.len()] {
    let text = |games: &Games, value| tree_text(&Tree::of(games, value));
    let thermograph = games.thermograph(value).unwrap();
    let number_up_star = games.to_number_up_star(value);
    let weight = games.atomic_weight(value);
    let order = games.compare(value, before);
    let sum = games.sum(value, before);
    [
        text(games, value),
        thermograph.mean().to_string(),
        thermograph.temperature().to_string(),
        thermograph.left_stop().to_string(),
        thermograph.right_stop().to_string(),
        games.birthday(value).to_string(),
        number_up_star.map_or(String::new(), |it| {
            format!("{} {} {}", it.number, it.ups, it.star)
        }),
        weight.map_or(String::new(), |weight| text(games, weight)),
        order_text(order).to_owned(),
        text(games, sum),
    ]
}

pub(crate) fn order_text(order: Option<Ordering>) -> &'static str {
    match order {
        Some(Ordering::Less) => "<",
        Some(Ordering::Equal) => "=",
        Some(Ordering::Greater) => ">",
        None => "||",
    }
}

pub(crate) fn tree_text(tree: &Tree) -> String {
    let texts = |options: &[Tree]| options.iter().map(tree_text).collect();
    braces(texts(&tree.left), texts(&tree.right))
}

/// `{0,{0|0}|0}`, options in the order of their texts.
pub(crate) fn braces(mut left: Vec<String>, mut right: Vec<String>) -> String {
    if left.is_empty() && right.is_empty() {
        return "0".to_owned();
    }
    left.sort();
    right.sort();
    format!("{{{}|{}}}", left.join(","), right.join(","))
}
