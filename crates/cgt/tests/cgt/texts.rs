//! Names are read back; bad text is refused in words.

use std::collections::HashMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use upstar_cgt::{Games, Name, Value};

use crate::clobber;
use crate::tree::{all_small_trees, trees};

/// In each of the four notations.
fn names(games: &Games, value: Value) -> [String; 4] {
    let name: Name<'_> = games.name(value);
    [name, name.ascii(), name.latex(), name.cgsuite()].map(|name| name.to_string())
}

fn check(games: &mut Games, value: Value) {
    for name in names(games, value) {
        assert_eq!(
            games.parse(&name).map_err(|error| error.to_string()),
            Ok(value),
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn names_are_read_back(a in trees(5, 3), b in all_small_trees(5, 3)) {
        let mut games = Games::new();
        let (a, b) = (a.value(&mut games), b.value(&mut games));
        check(&mut games, a);
        check(&mut games, b);
        let name = games.name(a).ascii().to_string();
        prop_assert!(name.is_ascii());
    }

    #[test]
    fn names_do_not_depend_on_the_arena(a in trees(5, 3), b in trees(4, 3)) {
        let (mut one, mut two) = (Games::new(), Games::new());
        b.value(&mut two);
        let (x, y) = (a.value(&mut one), a.value(&mut two));
        prop_assert_eq!(names(&one, x), names(&two, y));
    }

    #[test]
    fn cut_names_are_short_beginnings(a in trees(5, 3), max in 1usize..30) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let (whole, cut) = (games.name(value).to_string(), games.name(value).cut(max).to_string());
        prop_assert!(cut.chars().count() <= max);
        prop_assert_eq!(whole.chars().count() <= max, cut == whole);
        prop_assert!(whole.starts_with(cut.trim_end_matches('…')));
    }

    #[test]
    fn no_text_does_harm(parts in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "|", ",", "(", ")", "+", "-", "±", "+-", "*", "^", "v", "↑", "↓", "·", ".", "/", "0", "1", "2", "3",
        "tiny", "⧿_", "99999999999999999999", " ", "é", r"\{", r"\mid", r"\ast", "{0|1}", "{1|-1}", "*7",
    ]), 0..40)) {
        let mut games = Games::new();
        let text = parts.concat();
        if let Ok(value) = games.parse(&text) {
            check(&mut games, value);
        }
    }

    #[test]
    fn no_characters_do_harm(text in ".{0,40}") {
        let _ = Games::new().parse(&text);
    }
}

#[test]
fn names_of_rows_of_clobber_are_read_back() {
    let mut games = Games::new();
    let mut known = HashMap::new();
    for row in clobber::rows(10) {
        let value = clobber::row_value(&mut games, &mut known, &row);
        check(&mut games, value);
    }
}

#[test]
fn notations() {
    let mut games = Games::new();
    for (text, ascii, latex, cgsuite) in [
        ("3·↑*", "3.^*", r"3\cdot\uparrow\ast", "^3*"),
        ("2·↓*2", "2.v*2", r"2\cdot\downarrow\ast2", "v2*2"),
        ("-1/2↓", "-1/2v", r"-1/2\downarrow", "-1/2+v"),
        ("1*2", "1*2", r"1\ast2", "1+*2"),
        ("1+3·↑", "1+3.^", r"1+3\cdot\uparrow", "1+^3"),
        ("{*|↓}", "{*|v}", r"\{\ast\mid\downarrow\}", "{*|v}"),
        (
            "{*,↑|*,↓}",
            "{*,^|*,v}",
            r"\{\ast,\uparrow\mid\ast,\downarrow\}",
            "{*,^|*,v}",
        ),
        ("±3/2", "+-3/2", r"\pm3/2", "+-3/2"),
        ("±(2·↑)", "+-(2.^)", r"\pm(2\cdot\uparrow)", "+-(^2)"),
        ("⧿_2", "miny(2)", r"\mathrm{miny}(2)", "{{2|0}|0}"),
    ] {
        let value = games.parse(text).unwrap();
        assert_eq!(names(&games, value), [text, ascii, latex, cgsuite]);
        check(&mut games, value);
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, message) in [
        ("", "expected a value but the text ends at character 1"),
        ("{0|", "expected a value but the text ends at character 4"),
        ("{0,1}", "expected '|' or ',' but found '}' at character 5"),
        (
            "{0|1",
            "expected '}' or ',' but the text ends at character 5",
        ),
        (
            "↑ x",
            "expected the end or an operator but found 'x' at character 3",
        ),
        (
            "1/3",
            "the denominator is not a power of two up to 2^62 at character 4",
        ),
        (
            "1/0",
            "the denominator is not a power of two up to 2^62 at character 4",
        ),
        (
            "1/",
            "expected a denominator but the text ends at character 3",
        ),
        ("1001", "the number is greater than 1000 at character 5"),
        ("-99999/2", "the number is greater than 1000 at character 9"),
        ("2·", "expected a value but the text ends at character 3"),
        (
            "2.5",
            "expected a game other than a number but found '5' at character 3",
        ),
        (
            "9999·*",
            "the number of copies is greater than 1000 at character 6",
        ),
        ("*128", "the nimber is greater than 127 at character 2"),
        (
            "*99999999999999999999",
            "the nimber is greater than 127 at character 2",
        ),
        (
            "1001·↑",
            "the number of arrows is greater than 1000 at character 7",
        ),
    ] {
        let error = Games::new().parse(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn enormous_texts_meet_limits() {
    let refuse = |text: &str| Games::new().parse(text).unwrap_err().to_string();
    assert!(refuse(&"{".repeat(100_000)).starts_with("nested more than 200 deep"));
    assert!(refuse(&"(".repeat(100_000)).starts_with("nested more than 200 deep"));
    assert!(refuse(&"±".repeat(50_000)).starts_with("nested more than 200 deep"));
    assert!(refuse(&"-".repeat(100_000)).starts_with("expected"));
    assert_eq!(
        refuse(&"1".repeat(100_001)),
        "the text is longer than 100000 bytes"
    );

    let switches = (0..40).fold(String::from("0"), |mut sum, n| {
        write!(sum, "+{{{}|{{0|-{}}}}}", 3 + n, 5 + 2 * n).unwrap();
        sum
    });
    assert!(refuse(&switches).starts_with("the sum has too many followers"));
    let nimbers = (1..7000).fold(String::from("{"), |mut list, n| {
        write!(list, "{n}/1024*99,").unwrap();
        list
    });
    assert!(refuse(&nimbers).starts_with("more than 100000 new values"));
}

#[test]
fn the_deepest_text_is_read() {
    let mut games = Games::new();
    let text = (0..190).fold(String::from("0"), |inner, n| {
        if n % 2 == 0 {
            format!("{{{inner}|*}}")
        } else {
            format!("{{1|{inner}}}")
        }
    });
    let value = games.parse(&text).unwrap();
    check(&mut games, value);
    assert!(games.thermograph(value).is_some());
}

#[test]
fn thermographs_show_infinitesimals_below_zero() {
    let mut games = Games::new();
    let mut walls = |text: &str| {
        let value = games.parse(text).unwrap();
        let thermograph = games.thermograph(value).unwrap();
        let corners = |wall: &upstar_cgt::Wall| -> Vec<String> {
            let corners = wall.corners();
            corners.map(|(t, x)| format!("{x} at {t}")).collect()
        };
        (corners(thermograph.left()), corners(thermograph.right()))
    };
    let text = |corners: &[&str]| -> Vec<String> { corners.iter().map(|&it| it.into()).collect() };
    let (lean, stand) = (text(&["1 at -1", "0 at 0"]), text(&["0 at -1"]));
    let back = text(&["-1 at -1", "0 at 0"]);
    assert_eq!(walls("*"), (lean.clone(), back.clone()));
    assert_eq!(walls("^"), (lean.clone(), stand.clone()));
    assert_eq!(walls("v"), (stand.clone(), back.clone()));
    assert_eq!(walls("^*"), (lean, back));
    assert_eq!(walls("0"), (stand.clone(), stand));
    let half = walls("1/2");
    assert_eq!(half.0, text(&["1 at -1", "1/2 at -1/2"]));
    assert_eq!(half.1, text(&["0 at -1", "1/2 at -1/2"]));
}

#[test]
fn pictures_of_thermographs_begin_at_minus_one() {
    let mut games = Games::new();
    for (text, labels) in [
        ("^", &[">-1<", ">0<", ">1<", "mean 0, temperature 0"][..]),
        ("3", &[">-1<", ">0<", ">3<", "mean 3, temperature -1"]),
        ("{3|{1|-1}}", &[">-1<", ">0<", "temperature 3/2"]),
    ] {
        let value = games.parse(text).unwrap();
        let svg = games.thermograph(value).unwrap().svg();
        for label in labels {
            assert!(svg.contains(label), "{text}, {label}: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
