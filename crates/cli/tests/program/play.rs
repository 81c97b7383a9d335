//! Playing by lines, as users meet it. What keys do on a terminal is tested beside the code.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{Ran, json, upstar};

fn play(words: &[&str], input: &str) -> Ran {
    let words: Vec<&str> = ["play"].iter().chain(words).copied().collect();
    upstar(&words, Path::new("."), input.as_bytes())
}

fn objects(ran: &Ran) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    ran.stdout.lines().map(object).collect()
}

#[test]
fn two_programs_show_their_game() {
    let words = [
        "clobber",
        "xoxo",
        "--black",
        "pick-first",
        "--white",
        "pick-first",
    ];
    let ran = play(&words, "");
    let expected = "\
x pick-first, o pick-first, seed 2015
    a b c d
  1 x o x o
x to move
x plays a1b1
    a b c d
  1 . x x o
o to move
o plays d1c1
    a b c d
  1 . x o .
x to move
x plays b1c1
    a b c d
  1 . . x .
over: x wins
";
    assert_eq!(
        (ran.stdout.as_str(), ran.status),
        (expected, 0),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed: &str| {
        let agents = ["--black", "mcts:200", "--white", "random", "--seed", seed];
        let words: Vec<&str> = ["play", "clobber", "4x4"]
            .iter()
            .chain(&agents)
            .copied()
            .collect();
        let (mut objects, status) = json(&words, Path::new("."));
        assert_eq!((objects.len(), status), (1, 0));
        objects.remove(0)
    };
    let [first, again, other] = ["7", "7", "8"].map(game);
    assert_eq!(first["moves"], again["moves"]);
    assert_ne!(first["moves"], other["moves"]);
    assert_eq!(
        (&first["game"], &first["position"]),
        (&"clobber".into(), &"4x4".into())
    );
    assert_eq!(
        (&first["black"], &first["white"]),
        (&"mcts:200".into(), &"random".into())
    );
    assert_eq!(
        (&first["reason"], &first["seed"]),
        (&"rules".into(), &7.into())
    );
    let thoughts = first["thoughts"].as_array().unwrap();
    assert_eq!(thoughts.len(), first["moves"].as_array().unwrap().len());
    assert_eq!(thoughts[0]["effort"], 200);
}

#[test]
fn othello_is_played_to_its_score() {
    let words = [
        "play", "othello", "4x4", "--black", "solver", "--white", "solver",
    ];
    let (objects, status) = json(&words, Path::new("."));
    assert_eq!(status, 0);
    // White wins 4x4; by how much depends on more than who wins.
    assert_eq!(objects[0]["winner"], "o");
    assert!(objects[0]["score"].as_i64() < Some(0));
}

#[test]
fn moves_come_from_the_input_and_bad_lines_get_a_sentence() {
    let input = "help\nmoves\n\nz9\nb1a1\nundo\na1b1\nundo\na1b1\nb1c1\n";
    let ran = play(&["clobber", "xoxo", "--white", "pick-first"], input);
    for part in [
        "x human, o pick-first, seed 2015\n",
        "  resign  give the game up\n",
        "\na1b1 c1b1 c1d1\n",
        "'z9' names no move on this board; a1b1 is legal, and 'help' says what else\n",
        "b1a1 is not legal here; a1b1 is legal",
        "there is nothing to take back\n",
        "o plays d1c1\n    a b c d\n  1 . x o .\nx to move\n    a b c d\n  1 x o x o\nx to move\n",
        "over: x wins\n",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    assert_eq!(ran.status, 0);
}

#[test]
fn a_game_may_stay_unfinished() {
    for input in ["", "quit\n", "a1b1", "undo"] {
        let ran = play(&["clobber", "2x3", "--white", "random"], input);
        assert_eq!(ran.status, 1, "{input}");
        assert!(
            ran.stdout.ends_with("\nthe game is not finished\n"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn a_conversation_in_json_ends_with_the_record() {
    let words = ["clobber", "xoxo", "--white", "pick-first", "--json"];
    let ran = play(&words, "hint\nmoves\nnonsense\na1b1\nb1c1\n");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let objects = objects(&ran);
    assert_eq!(objects[0]["position"], "xoxo");
    assert!(objects[0]["move"].is_null());
    assert!(objects[1]["hint"].is_string());
    assert_eq!(objects[1]["opinion"], "x wins, proved");
    assert_eq!(objects[2]["moves"][2], "c1d1");
    assert!(
        objects[3]["message"]
            .as_str()
            .unwrap()
            .contains("'nonsense' names no move")
    );
    let moves: Vec<&str> = objects[4..7]
        .iter()
        .filter_map(|moved| moved["move"].as_str())
        .collect();
    assert_eq!(moves, ["a1b1", "d1c1", "b1c1"]);
    assert_eq!((&objects[6]["over"], objects.len()), (&true.into(), 8));
    let record = &objects[7];
    assert_eq!(
        (&record["winner"], &record["reason"]),
        (&"x".into(), &"rules".into())
    );
    assert!(record["black_agent"].is_null());
    assert_eq!(record["white_agent"], "pick-first");
}

#[test]
fn who_resigns_has_lost() {
    let ran = play(
        &["othello", "6x6", "--white", "random", "--json"],
        "resign\n",
    );
    let record = objects(&ran).pop().unwrap();
    assert_eq!(ran.status, 0);
    assert_eq!(
        (&record["winner"], &record["reason"]),
        (&"o".into(), &"resigned".into())
    );
    let ran = play(&["othello", "6x6", "--white", "random"], "resign\n");
    assert!(
        ran.stdout.ends_with("over: o wins, x resigned\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn records_are_added_to_a_file() {
    let folder = tempdir().unwrap();
    let words = [
        "play",
        "clobber",
        "xoxo",
        "--black",
        "random",
        "--white",
        "random",
        "--records",
        "games",
    ];
    for _ in 0..2 {
        assert_eq!(upstar(&words, folder.path(), b"").status, 0);
    }
    let file = folder.path().join("games");
    let text = fs::read_to_string(&file).unwrap();
    let games: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["moves"], games[1]["moves"]);
    fs::write(&file, "no record\n").unwrap();
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("games"), "{}", ran.stderr);
}

/// What is in this file of records.
fn recorded(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let object = |line: &str| serde_json::from_str(line).unwrap();
    text.lines().map(object).collect()
}

fn check_unfinished(record: &Value, moves: &[&str]) {
    assert_eq!(record["moves"], Value::from(moves.to_vec()), "{record}");
    assert_eq!(record["reason"], "unfinished");
    assert!(record["winner"].is_null());
}

#[test]
fn the_end_of_the_input_loses_nothing() {
    let folder = tempdir().unwrap();
    let words = [
        "play",
        "clobber",
        "2x3",
        "--white",
        "human",
        "--records",
        "games",
    ];
    for input in ["a1b1\nc2c1\n", "a1b1\nc2c1", "a1b1\nc2c1\nquit\na2b2\n"] {
        assert_eq!(upstar(&words, folder.path(), input.as_bytes()).status, 1);
    }
    let games = recorded(&folder.path().join("games"));
    assert_eq!(games.len(), 3);
    for game in &games {
        check_unfinished(game, &["a1b1", "c2c1"]);
    }
    // Others read them.
    let words = ["convert", "games", "--from", "jsonl", "--to", "jsonl"];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!((ran.status, ran.stdout.lines().count()), (0, 3));
}

/// Ctrl-C keeps what was played, whether somebody is to type a move or a program thinks.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_kept() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let folder = tempdir().unwrap();
    let interrupted = |white: &str, awaited: (&str, usize), name: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_upstar"))
            .args([
                "play",
                "clobber",
                "8x8",
                "--white",
                white,
                "--records",
                name,
            ])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"a1b1\n").unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let (line, times) = awaited;
        let seen = output.by_ref().map(Result::unwrap);
        let seen = seen.filter(|shown| shown == line).take(times).count();
        assert_eq!(seen, times);
        let kill = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let rest: Vec<String> = output.map(Result::unwrap).collect();
        let status = child.wait().unwrap();
        drop(stdin);
        assert_eq!(status.code(), Some(1), "{rest:?}");
        assert_eq!(rest.last().unwrap(), "the game is not finished");
        recorded(&folder.path().join(name))
    };
    let by_hand = interrupted("random", ("x to move", 2), "by-hand");
    assert_eq!(by_hand[0]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(by_hand[0]["reason"], "unfinished");
    let thinking = interrupted("mcts:1000000000", ("o to move", 1), "thinking");
    check_unfinished(&thinking[0], &["a1b1"]);
}

#[test]
fn an_engine_that_gives_up_has_resigned() {
    let folder = tempdir().unwrap();
    let engine = "#!/bin/sh\nwhile read command rest; do case $command in \
        genmove) printf '= resign\\n\\n';; quit) printf '=\\n\\n'; exit;; \
        *) printf '=\\n\\n';; esac; done\n";
    fs::write(folder.path().join("quitter"), engine).unwrap();
    let words = [
        "play",
        "clobber",
        "4x4",
        "--black",
        "random",
        "--white",
        "engine:\"sh quitter\"",
        "--records",
        "games",
    ];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.ends_with("over: x wins, o resigned\n"),
        "{}",
        ran.stdout
    );
    let record = &recorded(&folder.path().join("games"))[0];
    assert_eq!(record["reason"], "resigned");
    let ran = upstar(&["elo", "games"], folder.path(), b"");
    assert!(ran.stdout.contains(": +1 -0 =0"), "{}", ran.stdout);
}

#[test]
fn who_plays_has_defaults() {
    for (words, first) in [
        (&["clobber", "4x4"][..], "x human, o solver:1s, seed 2015"),
        (&["clobber", "8x8"], "x human, o best, seed 2015"),
        (&["othello", "8x8"], "x human, o ab:1s, seed 2015"),
        (
            &["clobber:cannibal", "8x8"],
            "x human, o mcts:1s, seed 2015",
        ),
        (
            &["othello", "4x4", "--black", "random"],
            "x random, o human, seed 2015",
        ),
        (
            &["clobber", "4x4", "--white", "human"],
            "x human, o human, seed 2015",
        ),
    ] {
        let ran = play(words, "");
        assert_eq!(
            (ran.stdout.lines().next(), ran.status),
            (Some(first), 1),
            "{words:?}"
        );
    }
}

#[test]
fn moves_are_analysed_by_lines() {
    let words = ["clobber", "xoxo", "--white", "human"];
    let ran = play(&words, "analyse soon\nanalyse 1m\nquit\n");
    for part in [
        "right is analyse 10s\n",
        "x to move: wins",
        "\n= a1b1  wins",
        "\n= c1d1  loses",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    let words = ["clobber", "xoxo", "--white", "human", "--json"];
    let analysis = &objects(&play(&words, "analyse 1m\n"))[1];
    assert_eq!(analysis["grade"], "proved");
    assert_eq!(analysis["moves"].as_array().unwrap().len(), 3);
}

#[test]
fn othello_counts_discs() {
    let ran = play(&["othello", "4x4", "--white", "human"], "b1\nhint\n");
    for part in ["\nx 2, o 2\n", "x plays b1\nx 4, o 1\n", ", proved\n"] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
}

#[test]
fn keys_are_in_the_help() {
    let ran = upstar(&["play", "--help"], Path::new("."), b"");
    for part in [
        "Keys on a terminal:\n",
        "  Tab  ",
        "Example:\n  upstar play",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
}

/// A puzzle of a file whose solution may be wrong.
fn puzzle(solution: &str) -> String {
    let text = r#"{"game":"clobber","position":"xoxxo","to_move":"x","solution":"SOLUTION",
        "moves":3,"left":5,"nodes":1,"simulations":null,"level":1}"#;
    text.replace("SOLUTION", solution).replace('\n', "") + "\n"
}

#[test]
fn puzzles_are_judged_by_the_solver() {
    let folder = tempdir().unwrap();
    let (words, status) = json(&["moves", "clobber", "xoxxo"], Path::new("."));
    assert_eq!(status, 0);
    let moves = words[0]["moves"].as_array().unwrap().clone();
    let of = |winner: &str| {
        let mut moves = moves.iter().filter(|mv| mv["winner"] == winner);
        moves.next().unwrap()["move"].as_str().unwrap().to_owned()
    };
    let (wins, loses) = (of("x"), of("o"));
    // The file names the wrong move as the solution.
    fs::write(folder.path().join("file"), puzzle(&loses)).unwrap();
    let run = |input: &str, more: &[&str]| {
        let words = ["play", "clobber", "1x5", "--puzzles", "file"];
        let words: Vec<&str> = words.iter().chain(more).copied().collect();
        upstar(&words, folder.path(), input.as_bytes())
    };
    let ran = run(&format!("help\nz9\n{loses}\n{wins}\n"), &[]);
    for part in [
        "puzzle 1 of 1, level 1 of 5\n",
        "x to move; only one move wins. Which one?\n",
        "\n  show    show the solution\n",
        "'z9' is not a legal move; 'moves' lists them\n",
        &format!("no, after {loses} the win is gone: "),
        &format!("right: {wins}"),
        "0 of 1 puzzle right at the first try\n",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains('\u{1b}'), "colours in a pipe");
    let ran = run("show\n", &[]);
    let says = format!("the puzzle says {loses}, which does not win\n");
    assert!(ran.stdout.contains(&says), "{}", ran.stdout);
    let told = objects(&run(&format!("{wins}\n"), &["--json"]));
    assert_eq!(told[0]["position"], "xoxxo");
    assert_eq!(told[1]["right"], true);
    assert_eq!(
        (&told[2]["right"], &told[2]["tried"]),
        (&1.into(), &1.into())
    );
    fs::write(folder.path().join("file"), puzzle("b1a1")).unwrap();
    let ran = run("", &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("line 1: b1a1 is not legal"),
        "{}",
        ran.stderr
    );
}

#[test]
fn clocks_end_thinking() {
    let words = [
        "clobber",
        "2x3",
        "--black",
        "mcts:100000000",
        "--white",
        "random",
    ];
    let words: Vec<&str> = words
        .iter()
        .chain(&["--time", "300ms/move", "--json"])
        .copied()
        .collect();
    let ran = play(&words, "");
    assert_eq!((objects(&ran).len(), ran.status), (1, 0));
}

#[test]
fn players_that_do_not_exist_are_refused() {
    for (words, sentence) in [
        (
            &["clobber", "4x4", "--black", "foo"][..],
            "'foo' is not an agent",
        ),
        (
            &["clobber:solitaire", "4x4", "--black", "solver"],
            "solver does not play clobber:solitaire",
        ),
        (
            &["clobber:colors=3", "4x4", "--seat", "s=random"],
            "the game has no such colour",
        ),
        (
            &["clobber", "4x4", "--seat", "t=random"],
            "is for games of several colours",
        ),
        (
            &["clobber", "4x4", "--time", "soon"],
            "'soon' is not a time control, like 100ms/move, 60s+1s, 5m or none; right is --time 60s+1s",
        ),
    ] {
        let ran = play(words, "");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
        assert!(
            ran.stderr.contains(sentence) && ran.stderr.contains("right:"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_person_plays_among_three() {
    let seats = [
        "--white",
        "pick-first",
        "--seat",
        "t=pick-first",
        "--black",
        "human",
    ];
    let words = [&["clobber:colors=3", "xot|otx"][..], &seats].concat();
    let ran = play(&words, "moves\na1a9\na1b1\nundo\nb2b1\n");
    for part in [
        "a1a2 a1b1 c2c1 c2b2",
        "'a1a9' names no move",
        "o plays ",
        "x to move",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let words = [&words[..], &["--json"]].concat();
    let ran = play(&words, "quit\n");
    let record = &objects(&ran)[0];
    assert_eq!((record["winner"].clone(), ran.status), (Value::Null, 1));
    assert_eq!(record["agents"][2], "pick-first");
}
