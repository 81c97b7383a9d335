//! Known values.

use std::cmp::Ordering;
use std::collections::HashMap;

use upstar_cgt::Games;

use crate::clobber;

fn check_name(text: &str, name: &str) {
    let mut games = Games::new();
    let value = games.parse(text).unwrap();
    assert_eq!(games.name(value).to_string(), name, "{text}");
}

#[test]
fn names() {
    for (text, name) in [
        ("{|}", "0"),
        ("{0|0}", "*"),
        ("{*,0|0,*}", "*2"),
        ("{0|*}", "↑"),
        ("{0,*|0}", "↑*"),
        ("{0|↑*}", "2·↑"),
        ("{0|^}", "2·↑*"),
        ("{^|^}", "2·↑*"),
        ("{0|2·↑*}", "3·↑"),
        ("{*|0}", "↓"),
        ("{0|0,*}", "↓*"),
        ("{0|1}", "1/2"),
        ("{-1|-1/2}", "-3/4"),
        ("{1|1*}", "1↑"),
        ("{1,1*|1}", "1↑*"),
        ("1+↓*2", "1↓*2"),
        ("-1+2·↑", "-1+2·↑"),
        ("-1↑", "-1↑"),
        ("{1|-1}", "±1"),
        ("{3|1}", "{3|1}"),
        ("{1↑|-1↓}", "±(1↑)"),
        ("{*|*}", "0"),
        ("{↑|↓}", "*"),
        ("{^^|vv}", "±(2·↑)"),
        ("{0|{0|-2}}", "⧾_2"),
        ("{{1/2|0}|0}", "⧿_(1/2)"),
        ("{*,↑|*,↓}", "{*,↑|*,↓}"),
        ("{↑,*|↓,*}", "{*,↑|*,↓}"),
        ("{*|↓}", "{*|↓}"),
        ("{↑*,0|↓*,0}", "{0,↑*|0,↓*}"),
        ("{0|↓*}", "{0|↓*}"),
    ] {
        check_name(text, name);
    }
}

#[test]
fn sums() {
    for (sum, name) in [
        ("↑+↑", "2·↑"),
        ("↑+*", "↑*"),
        ("↑*+↑*", "2·↑"),
        ("*2+*3", "*"),
        ("1/2+1/4", "3/4"),
        ("±1+±1", "0"),
        ("±1+1", "{2|0}"),
        ("±1+*", "{1*|-1*}"),
        ("±2+±1", "{±1+2|±1-2}"),
        ("1-1/2", "1/2"),
        ("0-1↑", "-1↓"),
        ("-3·{1|0}", "{-1|-2}"),
        ("-↑", "↓"),
        ("-{*|↓}", "{↑|*}"),
        ("tiny(1)+miny(1)", "0"),
    ] {
        let mut games = Games::new();
        let (sum_value, value) = (games.parse(sum).unwrap(), games.parse(name).unwrap());
        assert_eq!(sum_value, value, "{sum}");
    }
}

#[test]
fn comparisons() {
    let (less, confused) = (Some(Ordering::Less), None);
    for (a, b, order) in [
        ("0", "↑", less),
        ("0", "↑*", confused),
        ("*", "↑", confused),
        ("*", "2·↑", less),
        ("*2", "↑", less),
        ("↑", "1/1024", less),
        ("tiny(2)", "tiny(1)", less),
        ("0", "tiny(1000)", less),
        ("tiny(1)", "{0|↓*}", less),
        ("3·{0|↓*}", "↑", less),
        ("±1", "1", confused),
        ("±1", "1↑*", less),
        ("±1", "2", less),
    ] {
        let mut games = Games::new();
        let (a_value, b_value) = (games.parse(a).unwrap(), games.parse(b).unwrap());
        assert_eq!(games.compare(a_value, b_value), order, "{a} and {b}");
    }
}

#[test]
fn means_and_temperatures() {
    for (text, mean, temperature) in [
        ("0", "0", "-1"),
        ("7", "7", "-1"),
        ("3/4", "3/4", "-1/4"),
        ("*", "0", "0"),
        ("1↑*", "1", "0"),
        ("{*,↑|*,↓}", "0", "0"),
        ("tiny(5)", "0", "0"),
        ("±1", "0", "1"),
        ("{3|1}", "2", "1"),
        ("{1|0}", "1/2", "1/2"),
        ("{4|{2|-1}}", "9/4", "7/4"),
        ("{{5|1}|-1}", "1", "2"),
        ("{±5,{7|2}|-3}", "3/4", "15/4"),
    ] {
        let mut games = Games::new();
        let value = games.parse(text).unwrap();
        let found = (
            games.mean(value).unwrap(),
            games.temperature(value).unwrap(),
        );
        assert_eq!(
            (found.0.to_string(), found.1.to_string()),
            (mean.into(), temperature.into()),
            "{text}"
        );
    }
}

/// Siegel, II.7, and Winning Ways, chapter 8.
#[test]
fn atomic_weights() {
    for (text, weight) in [
        ("0", "0"),
        ("*5", "0"),
        ("↑", "1"),
        ("3·↓*2", "-3"),
        ("{0|↓*}", "0"),
        ("{↑|↓}", "0"),
        ("{2·↑*|2·↓*}", "*"),
        ("{3·↑|3·↓}", "±1"),
        ("{↑|0,↑*}", "0"),
        ("{0|*,↑*}", "1"),
        ("{2·↑|0}", "{0|2}"),
    ] {
        let mut games = Games::new();
        let (value, expected) = (games.parse(text).unwrap(), games.parse(weight).unwrap());
        let found = games.atomic_weight(value).unwrap();
        assert_eq!(found, expected, "{text} has {}", games.name(found));
    }
    let mut games = Games::new();
    let one = games.integer(1);
    assert_eq!(games.atomic_weight(one), None);
}

/// Rows of Clobber, see Albert, Grossman, Nowakowski, Wolfe, "An introduction to Clobber", Integers 5(2), 2005.
#[test]
fn rows_of_clobber() {
    let mut games = Games::new();
    let mut known = HashMap::new();
    let mut row = |text: &str| clobber::row_value(&mut games, &mut known, text);
    let alternating = [row("xo"), row("xoxo"), row("xoxoxo")];
    let lone = [row("xxo"), row("xxxo"), row("xxxxo")];
    assert_eq!(
        alternating.map(|v| games.name(v).to_string()),
        ["*", "{*,↑|*,↓}", "0"]
    );
    assert_eq!(
        lone.map(|v| games.name(v).to_string()),
        ["↑", "2·↑*", "3·↑"]
    );
    assert_eq!(games.negative(lone[2]), games.ups(-3));
    assert_eq!(
        alternating.map(|v| games.outcome(v).to_string()),
        ["N", "N", "P"]
    );
    assert_eq!(games.birthday(lone[2]), 4);
}
