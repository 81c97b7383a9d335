//! What positions are worth, as the program tells it.

use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Ran, upstar};

fn value(words: &[&str]) -> Ran {
    let words: Vec<&str> = ["value"].iter().chain(words).copied().collect();
    upstar(&words, Path::new("."), b"")
}

fn check(words: &[&str], status: i32, text: &str) {
    let ran = value(words);
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""), "{words:?}");
    assert_eq!(ran.stdout.trim_end(), text, "{words:?}");
}

fn check_json(words: &[&str], status: i32, expected: &Value) {
    let words: Vec<&str> = words.iter().chain(&["--json"]).copied().collect();
    let ran = value(&words);
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""), "{words:?}");
    let printed: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(printed, *expected, "{words:?}");
}

fn check_refused(words: &[&str], sentence: &str) {
    let ran = value(words);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
    let expected = format!("error: {sentence}\n  right: upstar value clobber xxo.xo\n");
    assert_eq!(ran.stderr, expected, "{words:?}");
}

#[test]
fn a_table_for_people() {
    check(
        &["clobber", "xxo.xo"],
        0,
        "component  value  atomic weight  temperature\n\
         xxo        ↑      1              0\n\
         xo         *      0              0\n\
         sum        ↑*     1              0\n\
         N: whoever begins wins",
    );
    check(
        &["clobber:cannibal", "xx.o|...o"],
        0,
        "component  value  atomic weight  temperature\n\
         xx         1      none           -1\n\
         o|o        -1     none           -1\n\
         sum        0      0              -1\n\
         P: whoever begins loses",
    );
    check(
        &["clobber", "a=x,b=x,c=o,d=x,a-b,b-c"],
        0,
        "component            value  atomic weight  temperature\n\
         a=x,b=x,c=o,a-b,b-c  ↑      1              0\n\
         sum                  ↑      1              0\n\
         L: x wins, whoever begins",
    );
    check(
        &["clobber", "x.o"],
        0,
        "component  value  atomic weight  temperature\n\
         sum        0      0              -1\n\
         P: whoever begins loses",
    );
}

#[test]
fn what_is_unknown_is_a_question_mark() {
    check(
        &["clobber", "6x6", "--time-limit", "50ms"],
        1,
        "component                                  value  atomic weight  temperature\n\
         xoxoxo|oxoxox|xoxoxo|oxoxox|xoxoxo|oxoxox  ?      ?              ?\n\
         sum                                        ?      ?              ?\n\
         ?: who wins is not known\n\
         ? was not found within 50ms; --time-limit gives more",
    );
    let unknown = json!({
        "value": null, "outcome": null, "atomic_weight": null, "temperature": null,
        "components": [{
            "position": "xoxoxo|oxoxox|xoxoxo|oxoxox|xoxoxo|oxoxox",
            "value": null, "atomic_weight": null, "temperature": null,
        }],
    });
    check_json(&["clobber", "6x6", "--time-limit", "50ms"], 1, &unknown);
}

#[test]
fn objects_for_programs() {
    let expected = json!({
        "value": "↑*", "outcome": "N", "atomic_weight": "1", "temperature": 0.0,
        "components": [
            {"position": "xxo", "value": "↑", "atomic_weight": "1", "temperature": 0.0},
            {"position": "xo", "value": "*", "atomic_weight": "0", "temperature": 0.0},
        ],
    });
    check_json(&["clobber", "xxo.xo"], 0, &expected);
    let hot = json!({
        "value": "{1|0}", "outcome": "N", "atomic_weight": null, "temperature": 0.5,
        "components": [
            {"position": "xox|oxo|xox", "value": "{1|0}", "atomic_weight": null, "temperature": 0.5},
        ],
    });
    check_json(&["clobber:cannibal", "3x3"], 0, &hot);
}

#[test]
fn notations() {
    for (notation, name) in [
        ("--ascii", "3.^"),
        ("--latex", r"3\cdot\uparrow"),
        ("--cgsuite", "^3"),
    ] {
        let ran = value(&["clobber", "xxxxo", notation, "--json"]);
        let printed: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(printed["value"], name, "{notation}");
    }
    let ran = value(&["clobber", "1x12", "--name-length", "5"]);
    let sum = ran.stdout.lines().find(|line| line.starts_with("sum"));
    assert!(
        sum.is_some_and(|sum| sum.contains(" {0,↑…  0 ")),
        "{}",
        ran.stdout
    );
}

#[test]
fn thermographs_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["value", "clobber:cannibal", "3x3", "--thermograph", "t.svg"];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let picture = std::fs::read_to_string(folder.path().join("t.svg")).unwrap();
    assert!(
        picture.starts_with("<svg") && picture.contains(">1/2<"),
        "{picture}"
    );

    let words = [
        "value",
        "clobber",
        "6x6",
        "--thermograph",
        "u.svg",
        "--time-limit",
        "50ms",
    ];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 2);
    let sentence =
        "error: u.svg was not written: without the value of the sum there is no thermograph\n";
    assert!(ran.stderr.starts_with(sentence), "{}", ran.stderr);
    assert!(!folder.path().join("u.svg").exists());
}

#[test]
fn bad_input_is_refused() {
    check_refused(
        &["othello", "8x8"],
        "othello has no values; clobber and clobber:cannibal have",
    );
    check_refused(
        &["clobber:colors=3", "4x4"],
        "clobber:colors=3 has no values; clobber and clobber:cannibal have",
    );
    check_refused(
        &["clobber", "4x4", "--time-limit", "soon"],
        "'soon' is not a time, like 500ms, 60s or 5m",
    );
    check_refused(
        &["clobber", "4x4", "--ascii", "--latex"],
        "--ascii and --latex cannot be used together",
    );
    check_refused(&["clobber"], "POSITION is missing");
}
