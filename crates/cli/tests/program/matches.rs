//! Matches, tournaments and their statistics, as users meet them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json as value};
use tempfile::tempdir;
use upstar_games::{Random, Variant};
use upstar_nets::{Activation, Encoder, Initial, Network, Shape};

use crate::run::{json, upstar};

fn one(words: &[&str], folder: &Path) -> Value {
    let (mut objects, status) = json(words, folder);
    assert_eq!((objects.len(), status), (1, 0), "{words:?}");
    objects.remove(0)
}

fn without_time(mut result: Value) -> Value {
    result["seconds"] = Value::Null;
    result
}

/// A match that is limited by time counts the games that ended, and its records know what was spent.
#[test]
fn time_ends_a_match() {
    let folder = tempdir().unwrap();
    let words = "match clobber 4x4 mc:20 random --swap --time-limit 300ms --threads 2 --records games.jsonl";
    let words: Vec<&str> = words.split(' ').collect();
    let (first, status) = json(&words, folder.path());
    let games = first[0]["games"].as_u64().unwrap();
    assert_eq!((status, first[0]["complete"].as_bool()), (0, Some(true)));
    assert!(games > 1 && games.is_multiple_of(2), "{games}");
    let longer: Vec<&str> = words
        .iter()
        .map(|&word| if word == "300ms" { "700ms" } else { word })
        .collect();
    let (second, _) = json(&longer, folder.path());
    assert!(second[0]["games"].as_u64().unwrap() > games);
    let random = "match clobber 3x3 random random --time-limit 50ms --games 200000000";
    let (many, status) = json(&random.split(' ').collect::<Vec<_>>(), folder.path());
    assert_eq!((status, many[0]["complete"].as_bool()), (0, Some(true)));
    assert!(many[0]["games"].as_u64() < Some(200_000_000));
}

#[test]
fn a_match_is_counted_the_same_for_any_number_of_threads() {
    let folder = tempdir().unwrap();
    let play = |threads: &str, more: &[&str]| {
        let words = [
            &[
                "match",
                "clobber",
                "4x4",
                "mcts:50",
                "mc:5",
                "--games",
                "30",
                "--swap",
                "--openings",
                "2",
                "--threads",
                threads,
            ],
            more,
        ]
        .concat();
        without_time(one(&words, folder.path()))
    };
    let alone = play("1", &[]);
    assert_eq!(alone, play("2", &[]));
    assert_eq!(alone["games"], 30);
    let sum = |keys: &[&str]| -> u64 { keys.iter().map(|&key| alone[key].as_u64().unwrap()).sum() };
    assert_eq!(sum(&["a_wins", "b_wins", "draws"]), 30);
    assert_eq!(sum(&["black_wins", "white_wins", "draws"]), 30);
    // With records the games are the same; and a second time none is played.
    assert_eq!(alone, play("2", &["--records", "games.jsonl"]));
    let first = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    assert_eq!(first.lines().count(), 30);
    assert_eq!(alone, play("1", &["--records", "games.jsonl"]));
    assert_eq!(
        fs::read_to_string(folder.path().join("games.jsonl")).unwrap(),
        first
    );
    let elo = one(&["elo", "games.jsonl"], folder.path());
    assert_eq!(
        (&elo["wins"], &elo["elo"]),
        (&alone["a_wins"], &alone["elo"])
    );
    assert_eq!(elo["elo_error"], alone["elo_error"]);
}

/// The paper's number, leiden2018 table 5.1: Pick First as Black wins 4x5 against itself, and loses 4x4.
#[test]
fn without_swap_a_is_always_black() {
    let play = |size: &str| {
        let words = [
            "match",
            "clobber",
            size,
            "pick-first",
            "pick-first",
            "--games",
            "3",
        ];
        one(&words, Path::new("."))["black_wins"].clone()
    };
    assert_eq!((play("4x4"), play("4x5")), (value!(0), value!(3)));
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let words = [
        "match", "clobber", "6x6", "mcts:100", "random", "--games", "1000", "--swap", "--sprt",
        "0,50",
    ];
    let result = one(&words, Path::new("."));
    assert!(result["games"].as_u64() < Some(1000));
    assert_eq!(result["sprt"]["accepted"], "elo1");
    let ran = upstar(&["sprt", "0,50", "+120 -60 =20"], Path::new("."), b"");
    assert_eq!(
        (ran.stdout.as_str(), ran.status),
        (
            "accepted after 200 games: A is stronger by 50 Elo rather than by 0\n",
            0
        )
    );
    assert_eq!(
        upstar(&["sprt", "0,50", "+6 -5"], Path::new("."), b"").status,
        1
    );
}

const TOURNAMENT: &str = r#"
game = "clobber"
position = ["4x4", "1x12"]
games = 40
openings = 1
threads = 2

[[players]]
agent = "random"

[[players]]
agent = "mc:20"

[[players]]
name = "tree"
agent = "mcts:200"
"#;

fn table(objects: &[Value]) -> Value {
    objects.last().unwrap().clone()
}

/// Killed at any moment, a tournament goes on, and its table is that of an undisturbed one.
/// A network for Clobber 4x4 that has learned nothing.
fn write_network(file: &Path, seed: u64) {
    let shape = Shape {
        game: Variant::Clobber,
        grid: "4x4".parse().unwrap(),
        encoder: Encoder::Leiden2018,
        convolutions: Vec::new(),
        hidden: vec![4],
        activation: Activation::Relu,
        output: Activation::Relu,
    };
    let network = Network::new(shape, Initial::LEIDEN2018, &mut Random::new(seed));
    network.save(file).unwrap();
}

#[test]
fn games_of_another_network_under_the_same_name_are_noticed() {
    let folder = tempdir().unwrap();
    let network = folder.path().join("n.safetensors");
    let file = "game = \"clobber\"\nposition = \"4x4\"\ngames = 2\n\
        players = [{ agent = \"net:n.safetensors\" }, { agent = \"random\" }]\n";
    fs::write(folder.path().join("t.toml"), file).unwrap();
    let contest = "match clobber 4x4 random net:n.safetensors --games 4 --records games.jsonl";
    for words in ["tournament t.toml", contest] {
        let words: Vec<&str> = words.split(' ').collect();
        write_network(&network, 1);
        assert_eq!(upstar(&words, folder.path(), b"").status, 0, "{words:?}");
        assert_eq!(upstar(&words, folder.path(), b"").status, 0, "{words:?}");
        write_network(&network, 2);
        let ran = upstar(&words, folder.path(), b"");
        let sentence = "the file of the network of net:n.safetensors was changed since game 0";
        assert_eq!(ran.status, 2, "{words:?}");
        assert!(ran.stderr.contains(sentence), "{}", ran.stderr);
    }
}

#[test]
fn a_killed_tournament_goes_on() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("t.toml"), TOURNAMENT).unwrap();
    let (whole, status) = json(&["tournament", "t.toml", "--out", "whole"], folder.path());
    assert_eq!((whole.len(), status), (241, 0));
    for milliseconds in [5, 20, 60] {
        let name = format!("killed{milliseconds}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_upstar"))
            .args(["tournament", "t.toml", "--out", &name])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.path().join(&name).join("config.toml").exists() {
            continue;
        }
        let (again, status) = json(&["resume", &name, "--threads", "1"], folder.path());
        assert_eq!(status, 0);
        assert_eq!(table(&again), table(&whole), "{milliseconds}");
    }
    let rated = one(&["elo", "whole", "--anchor", "random"], folder.path());
    let players = rated["players"].as_array().unwrap();
    assert_eq!((players.len(), &players[0]["name"]), (3, &value!("tree")));
    assert_eq!(players[2]["elo"], 0.0);
}

#[test]
fn games_are_converted() {
    let folder = tempdir().unwrap();
    let words = [
        "match",
        "othello",
        "6x6",
        "random",
        "greedy",
        "--games",
        "3",
        "--records",
        "g.jsonl",
    ];
    one(&words, folder.path());
    let convert = |words: &[&str]| {
        let words = [&["convert"], words].concat();
        let ran = upstar(&words, folder.path(), b"");
        assert_eq!(ran.status, 0, "{words:?}: {}", ran.stderr);
        ran.stdout
    };
    let ggf = convert(&["g.jsonl", "--to", "ggf"]);
    assert_eq!(ggf.lines().count(), 3);
    fs::write(folder.path().join("g.ggf"), &ggf).unwrap();
    let lines = convert(&["g.ggf", "--to", "transcript"]);
    assert_eq!(lines, convert(&["g.jsonl", "--to", "transcript"]));
    fs::write(folder.path().join("g.txt"), &lines).unwrap();
    let again = convert(&["g.txt", "--size", "6x6", "--to", "transcript"]);
    assert_eq!(again, lines);
    for (file, format) in [("g.jsonl", "jsonl"), ("g.ggf", "ggf")] {
        let words = ["convert", "-", "--from", format, "--to", "transcript"];
        let games = fs::read(folder.path().join(file)).unwrap();
        let ran = upstar(&words, folder.path(), &games);
        assert_eq!((ran.status, &ran.stdout), (0, &lines), "{}", ran.stderr);
    }
    let ran = upstar(&["convert", "-", "--to", "ggf"], folder.path(), b"");
    assert_eq!(
        ran.stderr,
        "error: the format of standard input is not known\n  right: --from ggf\n"
    );
    let obf = convert(&["g.txt", "--size", "6x6", "--to", "obf"]);
    assert!(obf.lines().count() > 60);
}

#[test]
fn bad_matches_are_refused_with_a_sentence() {
    let folder = tempdir().unwrap();
    fs::write(
        folder.path().join("t.toml"),
        TOURNAMENT.replace("games =", "gams ="),
    )
    .unwrap();
    fs::write(
        folder.path().join("half.jsonl"),
        "{\"game\":\"clob\nnonsense\n",
    )
    .unwrap();
    for (words, said) in [
        (
            &["match", "clobber", "4x4", "foo", "random"][..],
            "'foo' is not an agent",
        ),
        (
            &["match", "clobber", "4x4", "mcts:0", "random"],
            "'0' is not a limit",
        ),
        (
            &["match", "clobber", "4x4", "human", "random"],
            "a human can only play",
        ),
        (
            &["match", "clobber:solitaire", "4x4", "random", "random"],
            "clobber:solitaire has 1 player, and 2 agents are named",
        ),
        (
            &["match", "clobber", "4x4", "random"],
            "a match needs two agents",
        ),
        (
            &["match", "clobber:solitaire", "4x4", "solver"],
            "solver does not play clobber:solitaire",
        ),
        (
            &[
                "match", "clobber", "4x4", "random", "random", "--games", "0",
            ],
            "0",
        ),
        (
            &[
                "match", "clobber", "4x4", "random", "random", "--time", "soon",
            ],
            "soon",
        ),
        (
            &[
                "match",
                "clobber",
                "4x4",
                "random",
                "random",
                "--openings",
                "none.txt",
            ],
            "none.txt",
        ),
        (
            &["match", "clobber", "4x4", "engine:\"/none\"", "random"],
            "/none",
        ),
        (&["grade", "clobber", "xx|xx", "random"], "the game is over"),
        (&["grade", "clobber", "4x4", "net:none"], "none"),
        (
            &["grade", "clobber", "4x4", "random", "--nodes", "0"],
            "'0' is not a number of positions",
        ),
        (&["tournament", "t.toml"], "gams"),
        (&["tournament", "none.toml"], "none.toml"),
        (&["elo", "half.jsonl"], "half.jsonl"),
        (&["elo", "+1 -x"], "does not give wins"),
        (&["sprt", "5,0", "+1 -1"], "'5,0'"),
        (&["convert", "half.jsonl", "--to", "ggf"], "half.jsonl"),
        (
            &["convert", "g.xyz", "--to", "ggf"],
            "cannot be told from its name",
        ),
    ] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2, "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("right:"), "{words:?}: {}", ran.stderr);
    }
}

/// A record that is read is played again, whoever reads it.
#[test]
fn forged_records_are_refused_with_file_and_line() {
    let folder = tempdir().unwrap();
    let words = [
        "match",
        "othello",
        "4x4",
        "random",
        "greedy",
        "--games",
        "4",
        "--swap",
        "--records",
        "g.jsonl",
    ];
    one(&words, folder.path());
    let text = fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let flipped = |record: &mut Value| {
        let winner = if record["winner"] == "x" { "o" } else { "x" };
        record["winner"] = winner.into();
    };
    let illegal = |record: &mut Value| record["moves"][0] = "a1".into();
    let unfinished = |record: &mut Value| {
        for list in ["moves", "thoughts"] {
            record[list].as_array_mut().unwrap().truncate(3);
        }
    };
    let refused = |forge: &dyn Fn(&mut Value), sentence: &str| {
        let mut forged = lines.clone();
        forge(&mut forged[2]);
        let forged: Vec<String> = forged.iter().map(ToString::to_string).collect();
        fs::write(folder.path().join("g.jsonl"), forged.join("\n") + "\n").unwrap();
        let readers: [&[&str]; 5] = [
            &["elo", "g.jsonl"],
            &["sprt", "0,20", "g.jsonl"],
            &["convert", "g.jsonl", "--to", "transcript"],
            &words,
            &["play", "othello", "4x4", "--records", "g.jsonl"],
        ];
        for words in readers {
            let ran = upstar(words, folder.path(), b"");
            assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
            assert!(
                ran.stderr.starts_with("error: g.jsonl, line 3: ")
                    && ran.stderr.contains(sentence)
                    && ran.stderr.contains("\n  right: "),
                "{words:?}: {}",
                ran.stderr
            );
        }
    };
    refused(&flipped, " won, but by its moves ");
    refused(&illegal, "move 1, 'a1', is not legal");
    refused(
        &unfinished,
        "it says that the game is over, but after its moves it is not",
    );
}

#[test]
fn copied_lines_count_once() {
    let folder = tempdir().unwrap();
    let words = [
        "match",
        "clobber",
        "4x4",
        "random",
        "mc:5",
        "--games",
        "10",
        "--swap",
        "--records",
        "g.jsonl",
    ];
    one(&words, folder.path());
    let file = folder.path().join("g.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let single = upstar(&["elo", "g.jsonl"], folder.path(), b"");
    assert_eq!(single.stderr, "");
    let third = text.lines().nth(3).unwrap();
    for (more, said) in [
        (format!("{third}\n"), "left out 1 line, copied from above"),
        (text.clone(), "left out 10 lines, copied from above"),
    ] {
        fs::write(&file, format!("{text}{more}")).unwrap();
        let ran = upstar(&["elo", "g.jsonl"], folder.path(), b"");
        assert_eq!((ran.stdout, ran.status), (single.stdout.clone(), 0));
        assert_eq!(ran.stderr, format!("note: g.jsonl: {said}\n"));
        let ran = upstar(&["sprt", "0,20", "g.jsonl"], folder.path(), b"");
        assert_eq!(ran.stderr, format!("note: g.jsonl: {said}\n"));
    }
}

#[test]
fn three_agents_share_a_board() {
    let words =
        "match clobber:colors=3 4x4 mcts:100 random pick-first --games 30 --swap --openings 1";
    let words: Vec<&str> = words.split_whitespace().collect();
    let (lines, status) = json(&words, Path::new("."));
    assert_eq!((lines.len(), status), (1, 0));
    let agents = lines[0]["agents"].as_array().unwrap();
    let wins = |place: usize| agents[place]["wins"].as_u64().unwrap();
    assert_eq!(
        wins(0) + wins(1) + wins(2) + lines[0]["unwon"].as_u64().unwrap(),
        30
    );
    assert!(wins(0) > wins(1) && wins(0) > wins(2), "{agents:?}");
    let ran = upstar(
        &["match", "clobber:solitaire", "3x4", "mc:20", "--games", "3"],
        Path::new("."),
        b"",
    );
    assert!(ran.stdout.starts_with("mc:20: "), "{}", ran.stdout);
}
