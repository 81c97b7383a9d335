//! Comparisons that are typed, incentives, reduced canonical forms, reductions, whole names.

use proptest::prelude::*;
use upstar_cgt::{Expression, Fate, Games, Value};

use crate::tree::trees;

#[test]
fn comparisons_are_read() {
    let mut games = Games::new();
    for (text, expected) in [
        ("^ > 0", true),
        ("^ > *", false),
        ("^ || *", true),
        ("^ |> *", true),
        ("^ <| *", true),
        ("2.^ > *", true),
        ("{0|*} = ^", true),
        ("^ <= ^", true),
        ("-1 < {1|-1}", false),
        ("-1 <= {1|-1}", false),
        ("{1|-1} <| 1", true),
        ("3.{0|*} == 3.^", true),
        ("(^ + *) >= 0", false),
        ("{2|{1|0}} ≥ 0", true),
    ] {
        let Ok(Expression::Comparison {
            operator, order, ..
        }) = games.evaluate(text)
        else {
            panic!("{text} compares");
        };
        assert_eq!(operator.holds(order), expected, "{text}");
    }
    let error = games.evaluate("^ > {0|").unwrap_err();
    assert_eq!(error.at(), 7, "{error}");
}

#[test]
fn reductions_name_the_options_that_go() {
    let mut games = Games::new();
    // ↑ dominates ↓ for Left, and reverses through ∗ to 0.
    let [left, right] = games.parse_options("{^,v|^}").unwrap();
    let [up, down] = [left[0], left[1]];
    let star = games.nimber(1);
    let [fates, kept] = games.reductions(&left, &right);
    let reversed = Fate::Reversible {
        through: star,
        instead: vec![Value::ZERO],
    };
    assert_eq!(fates, [(up, reversed), (down, Fate::Dominated(up))]);
    assert_eq!(kept, [(up, Fate::Kept)]);
}

#[test]
fn reduced_forms_of_known_games() {
    let mut games = Games::new();
    for (text, name) in [
        ("^*", "0"),
        ("tiny(1)", "0"),
        ("1+v", "1"),
        ("+-1 + ^", "±1"),
        ("{2|{1|0}} + *2", "{2|{1|0}}"),
        ("{1^|v}", "{1|0}"),
        ("{1,{2|^}|-1}", "{1,{2|0}|-1}"),
    ] {
        let value = games.parse(text).unwrap();
        let reduced = games.reduced_canonical_form(value, 100_000).unwrap();
        assert_eq!(games.name(reduced).to_string(), name, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn reduced_forms_are_infinitely_close_and_forget_infinitesimals(a in trees(4, 2)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let Some(reduced) = games.reduced_canonical_form(value, 20_000) else {
            return Ok(());
        };
        let difference = games.difference(value, reduced);
        let thermograph = games.thermograph(difference).unwrap();
        prop_assert_eq!(thermograph.left_stop(), thermograph.right_stop());
        prop_assert_eq!(thermograph.left_stop().numerator(), 0);
        for small in ["*", "^", "v*", "tiny(1)"] {
            let small = games.parse(small).unwrap();
            let sum = games.sum(value, small);
            if let Some(other) = games.reduced_canonical_form(sum, 20_000) {
                prop_assert_eq!(other, reduced);
            }
        }
    }

    #[test]
    fn incentives_are_differences_that_nothing_dominates(a in trees(3, 2)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let [left, right] = games.incentives(value, 100_000).unwrap();
        for (gains, options) in [
            (left, games.left(value).to_vec()),
            (right, games.right(value).to_vec()),
        ] {
            prop_assert_eq!(gains.is_empty(), options.is_empty());
            for gain in &gains {
                // Nothing is gained for certain by a move: incentives are never 0 or more.
                prop_assert!(!games.le(Value::ZERO, *gain) || !games.is_number(value));
            }
        }
    }

    #[test]
    fn canonical_options_have_no_reductions(a in trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let (left, right) = (games.left(value).to_vec(), games.right(value).to_vec());
        for (_, fate) in games.reductions(&left, &right).iter().flatten() {
            prop_assert_eq!(fate, &Fate::Kept);
        }
    }

    /// A cut inside a command of LaTeX used to break what was printed.
    #[test]
    fn names_for_programs_are_whole_or_none(a in trees(5, 3), max in 1usize..60) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        for name in [games.name(value).latex(), games.name(value).cgsuite()] {
            let text = name.to_string();
            let whole = name.whole(max);
            prop_assert_eq!(whole.is_some(), text.chars().count() <= max);
            prop_assert!(whole.is_none_or(|whole| whole == text));
        }
    }
}
