//! Opening books as users make and read them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{json, upstar};

const GROW: [&str; 9] = [
    "book",
    "grow",
    "own.book",
    "--positions",
    "40",
    "--level",
    "4",
    "--threads",
    "1",
];

fn last(words: &[&str], folder: &Path) -> Value {
    let (mut lines, status) = json(words, folder);
    assert_eq!(status, 0, "{words:?}");
    lines.pop().unwrap()
}

#[test]
fn a_book_grows_and_is_read_by_the_engine_and_the_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let grown = last(&GROW, path);
    assert_eq!(
        (&grown["positions"], &grown["waiting"], &grown["finished"]),
        (&Value::from(40), &Value::from(0), &Value::from(true))
    );
    // There is nothing left to do.
    let bytes = fs::read(path.join("own.book")).unwrap();
    assert_eq!(last(&GROW, path)["positions"], 40);
    assert_eq!(fs::read(path.join("own.book")).unwrap(), bytes);

    let shown = last(&["book", "show", "own.book"], path);
    let best = &shown["moves"][0];
    assert_eq!(
        (&best["level"], &best["in_book"]),
        (&4.into(), &true.into())
    );
    let white = last(&["book", "show", "own.book", "f5"], path);
    assert_eq!(white["to_move"], "o");
    assert_eq!(white["moves"][0]["discs"], best["discs"], "{white}");

    let agent = "ab:4,book=own.book";
    let words = [
        "analyse", "othello", "8x8", "--agent", agent, "--time", "200ms",
    ];
    let analysed = last(&words, path);
    assert_eq!(
        analysed["moves"][0]["discs"],
        best["discs"].as_f64().unwrap()
    );
    assert!(analysed["moves"][0]["work"].as_u64().unwrap() >= 4);
}

#[test]
fn games_are_learned_and_texts_of_edax_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("games.txt"), "f5d6c3d3c4f4c5b3c2\nf5f6e6f4\n").unwrap();
    let learn = [
        "book",
        "learn",
        "own.book",
        "games.txt",
        "--level",
        "3",
        "--empties",
        "54",
    ];
    let learned = last(&learn, path);
    // The start, six plies of the one, and three more of the other.
    assert_eq!(learned["positions"], 10, "{learned}");
    let shown = last(&["book", "show", "own.book", "f5d6c3"], path);
    let stays = |mv: &&Value| mv["in_book"] == true;
    let stays = shown["moves"].as_array().unwrap().iter().find(stays);
    assert_eq!(stays.unwrap()["move"], "d3");

    let exported = upstar(&["book", "export", "own.book"], path, b"");
    assert_eq!(exported.stdout.lines().count(), 10);
    fs::write(path.join("edax.txt"), &exported.stdout).unwrap();
    let imported = last(&["book", "import", "again.book", "edax.txt"], path);
    assert_eq!(imported["positions"], 10);
    let again = upstar(&["book", "export", "again.book"], path, b"");
    assert_eq!(again.stdout, exported.stdout);
}

#[test]
fn the_shipped_book_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let shown = last(&["book", "show", "default"], folder.path());
    assert_eq!(shown["moves"].as_array().unwrap().len(), 4);
    let words = [
        "play", "othello", "8x8", "--black", "ab:2", "--white", "ab:2",
    ];
    let played = last(&words, folder.path());
    assert_eq!(
        played["moves"][0].as_str().map(str::len),
        Some(2),
        "{played}"
    );
}

#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    last(&GROW, path);
    fs::write(path.join("other.book"), "something else").unwrap();
    fs::write(path.join("small.txt"), "e3\n").unwrap();
    for (words, told) in [
        (&["book", "show", "none.book"][..], "none.book"),
        (&["book", "show", "other.book"], "not an opening book"),
        (
            &["book", "grow", "own.book", "--board", "6x6"],
            "own.book is for 8x8",
        ),
        (
            &["book", "grow", "big.book", "--board", "9x9"],
            "more than 64 cells",
        ),
        (
            &["book", "show", "own.book", "6x6"],
            "the book is for Othello on 8x8",
        ),
        (&["book", "learn", "own.book", "small.txt"], "small.txt"),
        (&["book", "import", "own.book", "small.txt"], "line 1"),
        (
            &[
                "play",
                "othello",
                "6x6",
                "--black",
                "ab:2,book=own.book",
                "--white",
                "random",
            ],
            "for 8x8, not for 6x6",
        ),
    ] {
        let ran = upstar(words, path, b"");
        assert_eq!(ran.status, 2, "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{words:?}: {}", ran.stderr);
    }
}
