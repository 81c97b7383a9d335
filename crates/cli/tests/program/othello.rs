//! Othello as users meet it: scores, moves, game trees, problems and games as players write them down.

use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};
use tempfile::tempdir;

use crate::run::{json, upstar};

fn one(words: &[&str]) -> Value {
    let (mut objects, status) = json(words, Path::new("."));
    assert_eq!((objects.len(), status), (1, 0), "{words:?}");
    objects.remove(0)
}

#[test]
fn scores_are_exact() {
    let solved = one(&["solve", "othello", "4x5", "--exact"]);
    assert_eq!(solved["score"], 16);
    assert_eq!(solved["winner"], "x");
    assert_eq!(solved["bounds"], value!([16, 16]));
    assert_eq!(solved["algorithm"], "alpha-beta");
    assert_eq!(solved["line"][0], solved["move"]);
    let solved = one(&["solve", "othello", "4x5"]);
    assert_eq!(
        (&solved["score"], &solved["winner"]),
        (&Value::Null, &value!("x"))
    );
    // Two cells stay empty.
    let almost = "xxxxx|xxxxx|xx...";
    let plain = one(&["solve", "othello", almost, "--exact"]);
    let counted = one(&["solve", "othello", almost, "--exact", "--empties-to-winner"]);
    assert_eq!(
        (&plain["score"], &counted["score"]),
        (&value!(12), &value!(15))
    );
}

#[test]
fn moves_have_scores() {
    let judged = one(&["moves", "othello", "5x5"]);
    let moves = judged["moves"].as_array().unwrap();
    let scores: Vec<_> = moves
        .iter()
        .map(|judged| {
            (
                judged["move"].as_str().unwrap(),
                judged["score"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(scores, [("b1", -25), ("a2", -25), ("d3", 13), ("c4", 13)]);
    let ran = upstar(
        &["moves", "othello", "5x5", "--winners"],
        Path::new("."),
        b"",
    );
    assert_eq!(ran.stdout, "x wins: d3 c4\no wins: b1 a2\n");
}

/// The numbers of cammel2015, section 3.1, as they should be.
#[test]
fn trees_are_counted() {
    let tree = one(&["tree", "othello", "3x4"]);
    assert_eq!(
        (&tree["nodes"], &tree["optimal_nodes"]),
        (&value!(760), &value!(6))
    );
    let tree = one(&["tree", "othello", "4x4", "--count"]);
    for (key, number) in [
        ("nodes", 224_821),
        ("passes", 33_420),
        ("leaves", 60_060),
        ("x_wins", 24_632),
        ("o_wins", 30_116),
        ("draws", 5_312),
    ] {
        assert_eq!(tree[key], number, "{key}");
    }
    assert!(tree["optimal_nodes"].is_null());
    let tree = one(&["tree", "clobber", "xoxo"]);
    assert_eq!(
        (&tree["winner"], &tree["passes"]),
        (&value!("x"), &value!(0))
    );
}

#[test]
fn trees_are_drawn() {
    let folder = tempdir().unwrap();
    let draw = |words: &[&str]| {
        let words = [&["tree", "othello", "3x3", "--svg", "t.svg"], words].concat();
        assert_eq!(upstar(&words, folder.path(), b"").status, 0);
        let picture = fs::read_to_string(folder.path().join("t.svg")).unwrap();
        picture.matches("<g transform").count()
    };
    assert_eq!(draw(&[]), 67);
    assert_eq!(draw(&["--optimal"]), 13);
    assert_eq!(draw(&["--plies", "1"]), 3);
    let large = ["tree", "othello", "4x4", "--svg", "t.svg"];
    let ran = upstar(&large, folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--plies"), "{}", ran.stderr);
}

#[test]
fn games_and_boards_are_read_as_players_write_them() {
    let shown = one(&["show", "othello", "f5d6c3"]);
    assert_eq!(shown["to_move"], "o");
    let board = shown["position"].as_str().unwrap();
    assert_eq!(one(&["show", "othello", "F5 D6 C3"]), shown);
    assert_eq!(one(&["show", "othello", "8x8", "--play", "f5d6c3"]), shown);
    assert_eq!(
        one(&["show", "othello", "8x8", "--play", "f5,d6,c3"]),
        shown
    );
    let obf = format!("{} O;", board.replace('|', "").replace('.', "-"));
    assert_eq!(one(&["show", "othello", &obf]), shown);
    for (text, said) in [
        ("f5z9", "'z9' is not a move on this board"),
        ("f5f5", "move 2, f5, is not legal"),
    ] {
        let ran = upstar(&["show", "othello", text], Path::new("."), b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn problems_are_solved_from_a_file() {
    let folder = tempdir().unwrap();
    let lines = "% the last five cells of a game\n\
        OOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXX----- X; D8:+3 % a comment\n\
        4x4 x\n";
    fs::write(folder.path().join("p.obf"), lines).unwrap();
    let (solved, _) = json(
        &["solve", "othello", "--batch", "p.obf", "--exact"],
        folder.path(),
    );
    assert_eq!(solved.len(), 2);
    assert_eq!(solved[0]["expected"], 3);
    assert_eq!(solved[1]["score"], -8);
    fs::write(folder.path().join("p.obf"), "OOXX X; D8:+3\n").unwrap();
    let ran = upstar(
        &["solve", "othello", "--batch", "p.obf"],
        folder.path(),
        b"",
    );
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("p.obf line 1"), "{}", ran.stderr);
}

#[test]
fn proofs_are_accepted_whole_and_refused_damaged() {
    let folder = tempdir().unwrap();
    let almost = "xxxxx|xxxxx|xx...";
    for (words, said, bounds) in [
        (
            &["4x5", "--exact"][..],
            "x wins othello .....|.ox..|.xo..|..... with x to move by 16 discs, beginning with ",
            value!([16, 16]),
        ),
        (
            &["4x4"],
            "o wins othello ....|.ox.|.xo.|.... with x to move\n",
            value!([null, -1]),
        ),
        (
            &["2x4"],
            "othello .ox.|.xo. with x to move is a draw",
            value!([0, 0]),
        ),
        (
            &[almost, "--exact", "--empties-to-winner", "--to-move", "o"],
            "x wins othello xxxxx|xxxxx|xx... with o to move by 15 discs, empty cells counted",
            value!([15, 15]),
        ),
    ] {
        let words = [&["solve", "othello"], words, &["--proof", "proof"]].concat();
        let ran = upstar(&words, folder.path(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ran = upstar(&["check", "proof"], folder.path(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stdout);
        let expected = format!("accepted: {said}");
        assert!(ran.stdout.starts_with(&expected), "{}", ran.stdout);
        let (objects, _) = json(&["check", "proof"], folder.path());
        assert_eq!(objects[0]["bounds"], bounds);
        assert_eq!(objects[0]["accepted"], true);
    }
    let file = folder.path().join("proof");
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 16;
    for bytes in [&damaged[..], &whole[..whole.len() - 1]] {
        fs::write(&file, bytes).unwrap();
        let ran = upstar(&["check", "proof"], folder.path(), b"");
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stdout.starts_with("refused: proof: "), "{}", ran.stdout);
    }
}

#[test]
fn a_run_writes_its_proof() {
    let folder = tempdir().unwrap();
    let words = [
        "solve", "othello", "4x5", "--out", "run", "--proof", "proof",
    ];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let (objects, _) = json(&["check", "proof"], folder.path());
    assert_eq!(objects[0]["winner"], "x");
    // What is missing is written again.
    fs::remove_file(folder.path().join("proof")).unwrap();
    let resume = ["resume", "run", "--trust"];
    assert_eq!(upstar(&resume, folder.path(), b"").status, 0);
    assert!(folder.path().join("proof").exists());
}

#[test]
fn a_run_of_othello_goes_on_where_it_was_left() {
    let folder = tempdir().unwrap();
    let begin = [
        "solve", "othello", "5x6", "--exact", "--out", "run", "--nodes", "5000000", "--memory",
        "64M",
    ];
    let (first, status) = json(&begin, folder.path());
    assert_eq!((&first[0]["proved"], status), (&value!(false), 1));
    let (last, status) = json(&["resume", "run"], folder.path());
    assert_eq!((&last[0]["score"], status), (&value!(10), 0));
    let fresh = one(&["solve", "othello", "5x6", "--exact", "--memory", "64M"]);
    let nodes = |solved: &Value| solved["nodes"].as_u64().unwrap();
    assert!(nodes(&last[0]) - nodes(&first[0]) < nodes(&fresh));
    // The answer is kept, and asked for again costs nothing.
    assert_eq!(json(&["resume", "run"], folder.path()).0, last);
    let journal = folder.path().join("run/results.journal");
    fs::remove_file(folder.path().join("run/result.json")).unwrap();
    let mut bytes = fs::read(&journal).unwrap();
    bytes[40] ^= 1;
    fs::write(&journal, bytes).unwrap();
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("damaged"), "{}", ran.stderr);
}

#[test]
fn weights_are_fitted_and_used() {
    let folder = tempdir().unwrap();
    let fit = [
        "fit",
        "othello",
        "--boards",
        "5x5",
        "--rounds",
        "1",
        "--games",
        "50",
        "--out",
        "5x5.weights",
    ];
    let (rounds, status) = json(&fit, folder.path());
    assert_eq!((rounds.len(), status), (1, 0));
    let solve = [
        "solve",
        "othello",
        "5x5",
        "--exact",
        "--weights",
        "5x5.weights",
    ];
    let (solved, _) = json(&solve, folder.path());
    assert_eq!(solved[0]["score"], 13);
    fs::write(folder.path().join("5x5.weights"), "nonsense").unwrap();
    let ran = upstar(&solve, folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("is not a file of Othello's weights"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_only_othello_has_is_refused_elsewhere() {
    for words in [
        &["solve", "clobber", "4x4", "--exact"][..],
        &["solve", "othello", "4x4", "--exact", "--algorithm", "pns"],
        &["solve", "othello", "9x9", "--proof", "p"],
        &["solve", "othello", "9x9", "--out", "run"],
        &["tree", "clobber:solitaire", "3x3"],
        &["fit", "othello", "--boards", "1x3", "--out", "w"],
        &["fit", "clobber", "--boards", "5x5", "--out", "w"],
    ] {
        let folder = tempdir().unwrap();
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2, "{words:?}");
        assert!(ran.stderr.contains("right:"), "{words:?}: {}", ran.stderr);
    }
}
