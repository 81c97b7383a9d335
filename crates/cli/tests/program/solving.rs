//! Solving, judging moves, runs and proofs, as users meet them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{json, upstar};

fn solve(words: &[&str]) -> (Value, i32) {
    let words: Vec<&str> = ["solve"].iter().chain(words).copied().collect();
    let (mut objects, status) = json(&words, Path::new("."));
    assert_eq!(objects.len(), 1, "{words:?}");
    (objects.remove(0), status)
}

#[test]
fn every_algorithm_finds_the_winner() {
    for algorithm in [
        "sums",
        "minimax",
        "negamax",
        "negamax-tt",
        "id",
        "id-tt",
        "pns",
    ] {
        let (solved, status) = solve(&["clobber", "xoxoxoxo", "--algorithm", algorithm]);
        assert_eq!(
            (solved["winner"].as_str(), status),
            (Some("x"), 0),
            "{algorithm}"
        );
        assert_eq!(solved["proved"], true);
        assert_eq!(solved["algorithm"], algorithm);
        assert!(solved["nodes"].as_u64() > Some(0) && solved["seconds"].is_number());
        assert!(solved["move"].is_string() && solved["score"].is_null());
    }
    let (solved, _) = solve(&["clobber", "3x4", "--to-move", "o"]);
    assert_eq!(solved["winner"], "x");
    let (solved, _) = solve(&["clobber:cannibal", "xx"]);
    assert_eq!(solved["winner"], "x");
    let (solved, _) = solve(&["othello", "4x4"]);
    assert_eq!(solved["winner"], "o");
}

#[test]
fn limits_leave_the_question_open() {
    let (solved, status) = solve(&["clobber", "6x6", "--nodes", "100", "--memory", "32M"]);
    assert_eq!(status, 1);
    assert_eq!(
        (&solved["winner"], &solved["move"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(solved["proved"], false);
    let ran = upstar(
        &[
            "solve", "clobber", "6x6", "--nodes", "100", "--memory", "32M",
        ],
        Path::new("."),
        b"",
    );
    assert!(ran.stdout.starts_with("?\n100 nodes"), "{}", ran.stdout);

    let begun = Instant::now();
    let (_, status) = solve(&["clobber", "8x8", "--time-limit", "500ms", "--memory", "64M"]);
    assert_eq!(status, 1);
    assert!(begun.elapsed() < Duration::from_millis(2500));
}

#[test]
fn a_file_of_positions_is_solved_in_order() {
    let folder = tempdir().unwrap();
    fs::write(
        folder.path().join("file"),
        "# four positions\nxoxo x\n\n3x4 # a size\nxxo o #comment\n#xo x\n",
    )
    .unwrap();
    let (objects, status) = json(&["solve", "clobber", "--batch", "file"], folder.path());
    let winners: Vec<&str> = objects
        .iter()
        .filter_map(|object| object["winner"].as_str())
        .collect();
    assert_eq!((winners, status), (vec!["x", "o", "x", "x"], 0));
    for (text, sentence) in [
        ("xoxo x\nxq\n", "file line 2: 'q' is not a stone"),
        ("xoxo x o\n", "file line 1: 'o' follows the side to move"),
        ("xoxo purple\n", "file line 1: 'purple' is not a side"),
    ] {
        fs::write(folder.path().join("file"), text).unwrap();
        let ran = upstar(&["solve", "clobber", "--batch", "file"], folder.path(), b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains(sentence), "{}", ran.stderr);
    }
}

#[test]
fn moves_are_judged_one_by_one() {
    let (objects, status) = json(&["moves", "clobber", "xoxo"], Path::new("."));
    assert_eq!(status, 0);
    let moves = objects[0]["moves"].as_array().unwrap();
    let winners: Vec<String> = moves
        .iter()
        .map(|mv| format!("{}{}", mv["move"], mv["winner"]).replace('"', ""))
        .collect();
    assert_eq!(winners, ["a1b1x", "c1b1x", "c1d1o"]);
    assert!(
        moves
            .iter()
            .all(|mv| mv["proved"] == true && mv["score"].is_null())
    );
}

#[test]
fn proofs_are_accepted_whole_and_refused_damaged() {
    let folder = tempdir().unwrap();
    for (position, to_move, winner) in [
        ("4x4", "x", "x"),
        ("3x6", "x", "o"),
        ("xoxoxoxoxoxoxoxo", "o", "o"),
    ] {
        let words = [
            "solve",
            "clobber",
            position,
            "--to-move",
            to_move,
            "--proof",
            "proof",
        ];
        let ran = upstar(&words, folder.path(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let (objects, status) = json(&["check", "proof"], folder.path());
        assert_eq!(
            (objects[0]["winner"].as_str(), status),
            (Some(winner), 0),
            "{position}"
        );
        assert_eq!(objects[0]["accepted"], true);
    }
    let file = folder.path().join("proof");
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 16;
    for bytes in [&damaged[..], &whole[..whole.len() - 1], b"xoxo", b""] {
        fs::write(&file, bytes).unwrap();
        let ran = upstar(&["check", "proof"], folder.path(), b"");
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stdout.starts_with("refused: proof: "), "{}", ran.stdout);
    }
    let ran = upstar(&["check", "nowhere"], folder.path(), b"");
    assert_eq!(ran.status, 2);
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let folder = tempdir().unwrap();
    let begin = [
        "solve", "clobber", "4x6", "--out", "run", "--nodes", "100000",
    ];
    let ran = upstar(&begin, folder.path(), b"");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let journal = folder.path().join("run/results.journal");
    assert!(journal.exists());
    let again = upstar(&begin, folder.path(), b"");
    assert_eq!(
        (again.status, again.stderr.lines().next()),
        (2, Some("error: run holds a run already"))
    );

    let mut damaged = fs::read(&journal).unwrap();
    damaged[9] ^= 1;
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, damaged).unwrap();
    let refused = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    fs::write(&journal, whole).unwrap();

    let (objects, status) = json(&["resume", "run"], folder.path());
    assert_eq!((objects[0]["winner"].as_str(), status), (Some("o"), 0));
    assert!(objects[0]["nodes"].as_u64() > Some(100_000));
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("run/result.json")).unwrap())
            .unwrap();
    assert_eq!(kept["winner"], "o");
    assert_eq!(
        fs::read_to_string(folder.path().join("run/sessions.jsonl"))
            .unwrap()
            .lines()
            .count(),
        2
    );
    // What is known is written down without another search.
    let proof = ["resume", "run", "--proof", "run.proof"];
    assert_eq!(upstar(&proof, folder.path(), b"").status, 0);
    assert_eq!(
        upstar(&["check", "run.proof"], folder.path(), b"").status,
        0
    );
    let none = upstar(&["resume", "nowhere"], folder.path(), b"");
    assert_eq!(none.status, 2);
}

#[test]
fn an_order_of_moves_is_fitted_and_used() {
    let folder = tempdir().unwrap();
    let fit = [
        "fit",
        "clobber",
        "--rounds",
        "2",
        "--searches",
        "20",
        "--nodes",
        "1000",
        "--memory",
        "64M",
        "--out",
        "weights",
    ];
    let (rounds, status) = json(&fit, folder.path());
    assert_eq!((rounds.len(), status), (2, 0));
    let solve = ["solve", "clobber", "4x5", "--weights", "weights"];
    let ran = upstar(&solve, folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    fs::write(folder.path().join("weights"), "none").unwrap();
    let ran = upstar(&solve, folder.path(), b"");
    assert_eq!(
        ran.stderr.lines().next(),
        Some("error: weights is not a file of weights, or is damaged")
    );
    for (words, sentence) in [
        (
            &["fit", "clobber", "--out", "w", "--games", "5"][..],
            "--games is for Othello",
        ),
        (
            &["fit", "othello", "--out", "w", "--rows", "2"],
            "--rows is for Clobber",
        ),
    ] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(sentence), "{}", ran.stderr);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (words, sentence) in [
        (&["solve", "clobber"][..], "POSITION is missing"),
        (
            &["solve", "clobber:solitaire", "3x3", "--algorithm", "pns"],
            "pns is not a way to solve clobber:solitaire",
        ),
        (
            &["solve", "othello", "4x4", "--algorithm", "sums"],
            "sums is not a way to solve othello",
        ),
        (
            &[
                "solve",
                "othello",
                "4x4",
                "--algorithm",
                "pns",
                "--proof",
                "f",
            ],
            "--proof is for Clobber with the algorithm sums and Othello with alpha-beta",
        ),
        (
            &["solve", "othello:reversi", "4x4", "--proof", "f"],
            "--proof is for Othello (not Reversi) on boards of at most 64 cells",
        ),
        (
            &["solve", "clobber:colors=3", "3x3"],
            "clobber:colors=3 does not have two sides",
        ),
        (
            &["moves", "clobber:solitaire", "3x3"],
            "clobber:solitaire does not have two sides",
        ),
        (
            &["solve", "clobber", "3x3", "--memory", "lots"],
            "'lots' is not a size of memory from 32M to 1000G, like 512M or 4G",
        ),
        (
            &["solve", "clobber", "3x3", "--threads", "0"],
            "'0' is not a number of threads from 1 to 256",
        ),
    ] {
        let ran = upstar(words, Path::new("."), b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
        assert_eq!(
            ran.stderr.lines().next(),
            Some(format!("error: {sentence}").as_str()),
            "{words:?}"
        );
    }
}
