//! All benches in turn.

use std::fs;

use crate::run::{json, upstar};

#[test]
fn a_series_of_benches_continues_and_makes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let words = |rounds: &'static str| {
        let only = ["--only", "playouts clobber 4x4"];
        let words = [
            "bench",
            "all",
            "--out",
            "b",
            "--seconds",
            "0.01",
            "--rounds",
            rounds,
        ];
        [words.as_slice(), &only].concat()
    };
    let (lines, status) = json(&words("1"), folder.path());
    assert_eq!((lines.len(), status), (1, 0));
    assert!(lines[0]["figures"]["games_per_second"].as_f64() > Some(0.0));
    // Only the second round is missing.
    assert_eq!(json(&words("2"), folder.path()).0.len(), 1);
    let page = fs::read_to_string(folder.path().join("b/bench.md")).unwrap();
    assert_eq!(
        page.lines()
            .filter(|line| line.starts_with("| `playouts clobber 4x4`"))
            .count(),
        2,
        "{page}"
    );

    let none = upstar(
        &["bench", "all", "--out", "b", "--only", "chess"],
        folder.path(),
        b"",
    );
    assert_eq!(
        (none.status, none.stderr.lines().next()),
        (2, Some("error: no bench contains 'chess'"))
    );
}
