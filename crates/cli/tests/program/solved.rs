//! The boards that are solved: listed, checked, added, written down.

use std::fs;
use std::path::Path;

use crate::run::{json, upstar};

#[test]
fn what_is_solved_is_listed_and_checked() {
    let (rows, status) = json(&["solved", "clobber", "4x5"], Path::new("."));
    assert_eq!((rows.len(), status), (1, 0));
    assert_eq!(
        (&rows[0]["winner"], &rows[0]["move"]),
        (&"x".into(), &"a3a2".into())
    );
    for place in [
        ["clobber", "3x5"],
        ["clobber", "star with 3 leaves"],
        ["othello", "4x4"],
        ["clobber:solitaire", "3x4"],
    ] {
        let (checked, status) = json(&["solved", place[0], place[1], "--check"], Path::new("."));
        assert_eq!(
            (&checked[0]["agrees"], status),
            (&true.into(), 0),
            "{place:?}"
        );
    }
}

#[test]
fn a_position_is_added_once_and_a_wrong_row_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let add = |position: &str| {
        let words = [
            "solved",
            "--add",
            "clobber",
            position,
            "--data",
            "rows.jsonl",
        ];
        json(&words, folder.path()).1
    };
    assert_eq!([add("3x4"), add("3x3"), add("3x4")], [0, 0, 0]);
    let file = folder.path().join("rows.jsonl");
    let rows = fs::read_to_string(&file).unwrap();
    assert_eq!(rows.lines().count(), 2);
    let check = ["solved", "--data", "rows.jsonl", "--check"];
    assert_eq!(json(&check, folder.path()).1, 0);

    let page = ["solved", "--data", "rows.jsonl", "--markdown", "page.md"];
    assert_eq!(upstar(&page, folder.path(), b"").status, 0);
    let text = fs::read_to_string(folder.path().join("page.md")).unwrap();
    assert!(text.contains("| 3x3 | x | "), "{text}");

    let wrong = rows
        .replace("\"winner\":\"x\"", "\"winner\":\"y\"")
        .replace("\"winner\":\"o\"", "\"winner\":\"x\"");
    fs::write(&file, wrong).unwrap();
    let (checked, status) = json(&check, folder.path());
    assert_eq!(status, 1);
    assert!(
        checked.iter().all(|row| row["agrees"] == false),
        "{checked:?}"
    );
}
