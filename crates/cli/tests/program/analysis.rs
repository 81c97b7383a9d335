//! Analysis, reviews and puzzles as users meet them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{json, upstar};

#[test]
fn a_small_position_is_analysed_to_the_end_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "analyse",
        "clobber",
        "4x4",
        "--time",
        "60s",
        "--proved",
        "own.jsonl",
    ];
    let (lines, status) = json(&words, folder.path());
    assert_eq!(status, 0);
    let last = lines.last().unwrap();
    let moves = last["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 24);
    assert!(moves.iter().all(|mv| mv["grade"] == "proved"), "{last}");
    let (exact, _) = json(&["moves", "clobber", "4x4"], folder.path());
    for judged in exact[0]["moves"].as_array().unwrap() {
        let same = |mv: &&Value| mv["move"] == judged["move"];
        let graded = moves.iter().find(same).unwrap();
        assert_eq!(graded["winner"], judged["winner"], "{judged}");
    }
    let (again, _) = json(&words, folder.path());
    assert_eq!(again.last().unwrap()["nodes"], 0);
    let ran = upstar(&["analyse", "clobber", "4x4"], folder.path(), b"");
    assert!(
        ran.stdout.contains("= proved, ~ estimated"),
        "{}",
        ran.stdout
    );
}

#[test]
fn everybody_gets_an_estimate_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (game, size) in [
        ("clobber", "8x8"),
        ("othello", "8x8"),
        ("clobber:cannibal", "6x6"),
    ] {
        let words = ["analyse", game, size, "--time", "300ms"];
        let (lines, status) = json(&words, folder.path());
        assert_eq!(status, 0);
        for mv in lines[0]["moves"].as_array().unwrap() {
            assert!(mv["grade"] != "unknown", "{game} {size}: {mv}");
            assert!(mv["win"].is_number() || mv["proved"].is_string());
        }
    }
}

#[test]
fn games_are_reviewed_from_every_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let played = upstar(
        &[
            "match",
            "clobber",
            "3x4",
            "random",
            "pick-first",
            "--games",
            "3",
            "--records",
            "games.jsonl",
        ],
        path,
        b"",
    );
    assert_eq!(played.status, 0, "{}", played.stderr);
    let (lines, status) = json(&["review", "games.jsonl", "--time", "10s"], path);
    assert_eq!((lines.len(), status), (3, 0));
    for line in &lines {
        for mv in line["moves"].as_array().unwrap() {
            assert_eq!(mv["before"]["grade"], "proved", "{mv}");
            let lost = mv["before"]["proved"] == "win" && mv["after"]["proved"] == "loss";
            assert_eq!(mv["mistake"] == "proved", lost, "{mv}");
        }
    }
    let text = upstar(&["review", "games.jsonl", "--time", "10s"], path, b"");
    assert!(
        text.stdout.contains("pick-first: 3 games"),
        "{}",
        text.stdout
    );
    let pasted = [
        "review",
        "1. f5 d6 2. c3 d3",
        "--time",
        "50ms",
        "--svg",
        "g.svg",
        "--page",
        "g.html",
    ];
    let ran = upstar(&pasted, path, b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        fs::read_to_string(path.join("g.svg"))
            .unwrap()
            .starts_with("<svg")
    );
    let page = fs::read_to_string(path.join("g.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg") && !page.contains("src="));
    let (lines, _) = json(&["review", "f5d6c3", "--time", "50ms"], path);
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 3);
    let clobber = [
        "review",
        "a1b1 c2c1",
        "--game",
        "clobber",
        "--position",
        "2x3",
        "--time",
        "1s",
    ];
    assert_eq!(upstar(&clobber, path, b"").status, 0);
    let stdin = upstar(&["review", "-", "--time", "50ms"], path, b"f5d6c3\n");
    assert_eq!(stdin.status, 0, "{}", stdin.stderr);
}

#[test]
fn puzzles_are_made_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let made = [
        "puzzle", "clobber", "4x4", "--count", "3", "--out", "p.jsonl",
    ];
    assert_eq!(upstar(&made, path, b"").status, 0);
    let text = fs::read_to_string(path.join("p.jsonl")).unwrap();
    let puzzles: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(puzzles.len(), 3);
    for puzzle in &puzzles {
        let word = |key: &str| puzzle[key].as_str().unwrap().to_owned();
        let (position, to_move) = (word("position"), word("to_move"));
        let (exact, _) = json(
            &["moves", "clobber", &position, "--to-move", &to_move],
            path,
        );
        let wins = |mv: &&Value| mv["winner"] == puzzle["to_move"];
        let winning: Vec<&Value> = exact[0]["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter(wins)
            .collect();
        assert_eq!(winning.len(), 1);
        assert_eq!(winning[0]["move"], puzzle["solution"]);
    }
    let check = ["puzzle", "--check", "p.jsonl"];
    let (lines, status) = json(&[&check[..], &["--proofs", "proofs"]].concat(), path);
    assert_eq!((lines.len(), status), (4, 0));
    assert!(lines[..3].iter().all(|line| line["right"] == true));
    let (summary, proofs) = (&lines[3], path.join("proofs"));
    assert_eq!(
        (&summary["right"], &summary["checked"]),
        (&3.into(), &3.into())
    );
    assert_eq!(proofs.read_dir().unwrap().count() as u64, summary["proofs"]);
    let proof = proofs.read_dir().unwrap().next().unwrap().unwrap();
    let proof = upstar(&["check", proof.path().to_str().unwrap()], path, b"");
    assert!(proof.stdout.starts_with("accepted: "), "{}", proof.stdout);
    let wrong = text.replacen(
        puzzles[0]["solution"].as_str().unwrap(),
        exact_loser(&puzzles[0], path).as_str(),
        1,
    );
    fs::write(path.join("wrong.jsonl"), wrong).unwrap();
    let ran = upstar(&["puzzle", "--check", "wrong.jsonl"], path, b"");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("puzzle 1 is wrong: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("3 puzzles checked, 2 right: "),
        "{}",
        ran.stdout
    );
    // The number of legal moves is part of a puzzle, too.
    let moves = puzzles[1]["moves"].as_u64().unwrap();
    let (says, is) = (
        format!("\"moves\":{}", moves + 1),
        format!("\"moves\":{moves}"),
    );
    let second = text.lines().nth(1).unwrap();
    fs::write(path.join("wrong.jsonl"), second.replacen(&is, &says, 1)).unwrap();
    let (lines, status) = json(&["puzzle", "--check", "wrong.jsonl"], path);
    assert_eq!((&lines[0]["right"], status), (&false.into(), 1));
    let reason = format!(
        "it says that there are {} legal moves, and there are {moves}",
        moves + 1
    );
    assert_eq!(lines[0]["reason"], reason);
    let asked = ["play", "clobber", "4x4", "--puzzles", "p.jsonl"];
    let ran = upstar(&asked, path, b"nonsense\nshow\nskip\nquit\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("is not a legal move") && ran.stdout.contains(" wins: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_board_without_puzzles_says_so() {
    let words = ["puzzle", "clobber", "1x2", "--count", "1"];
    let ran = upstar(&words, Path::new("."), b"");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let sentence = "a great many games of clobber 1x2 had no more positions with 2 stones in which exactly one \
        move wins; try a larger board, as in upstar puzzle clobber 6x6, or other --least and --most";
    assert!(ran.stdout.contains(sentence), "{}", ran.stdout);
    let (objects, status) = json(&words, Path::new("."));
    assert_eq!((&objects[0]["reason"], status), (&sentence.into(), 1));
    assert_eq!(objects[0]["puzzles"], 0);
}

/// A move that loses, by `moves`.
fn exact_loser(puzzle: &Value, path: &Path) -> String {
    let word = |key: &str| puzzle[key].as_str().unwrap().to_owned();
    let (position, to_move) = (word("position"), word("to_move"));
    let words = ["moves", "clobber", &position, "--to-move", &to_move];
    let (exact, _) = json(&words, path);
    let mut moves = exact[0]["moves"].as_array().unwrap().iter();
    let loses = |mv: &&Value| mv["winner"] != puzzle["to_move"];
    moves.find(loses).unwrap()["move"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn bad_input_gets_a_sentence_and_a_right_example() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("other.jsonl"), "something else\n").unwrap();
    fs::write(path.join("no.jsonl"), "{\"puzzle\":1}\n").unwrap();
    for words in [
        &["analyse", "clobber", "xx"][..],
        &["analyse", "clobber:solitaire", "3x3"],
        &["analyse", "clobber", "3x3", "--agent", "greedy"],
        &["analyse", "clobber", "3x3", "--proved", "other.jsonl"],
        &["analyse", "clobber", "3x3", "--multi", "0"],
        &["review", "a1a1"],
        &["review", "no.jsonl"],
        &["review", ""],
        &["review", "f5", "--only", "2"],
        &["puzzle", "clobber", "3x3", "--least", "9", "--most", "2"],
        &["puzzle", "clobber:solitaire", "3x3"],
        &["puzzle"],
        &["puzzle", "clobber", "4x4", "--check"],
        &["puzzle", "clobber", "4x4", "--proofs", "proofs"],
        &["puzzle", "--check", "no.jsonl"],
        &["puzzle", "--check", "nothing.jsonl"],
        &["play", "clobber", "4x4", "--puzzles", "no.jsonl"],
        &["play", "clobber", "1x3", "--puzzles"],
    ] {
        let ran = upstar(words, path, b"");
        assert_eq!(ran.status, 2, "{words:?}: {} {}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.starts_with("error: "),
            "{words:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("\n  right: "),
            "{words:?}: {}",
            ran.stderr
        );
        assert_eq!(ran.stdout, "", "{words:?}");
    }
}
