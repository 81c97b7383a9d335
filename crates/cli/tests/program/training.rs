//! Learning, searches for parameters and their speed, as users meet them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{json, project, upstar};

const LEIDEN: &str = r#"
game = "clobber"
board = "4x4"
games = 20000
block = 200
evaluation = 500

[network]
encoder = "leiden2018"
hidden = [20]
activation = "relu"
initial = "uniform:0,1,0.1"

[learning]
rate = 2e-5
win = 100.0
loss = -100.0
"#;

/// Lines of a search, in an order that does not depend on threads.
fn lines(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("trials.jsonl")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Starts a command, kills it after a while, and says whether it had begun its folder by then.
fn killed(words: &[&str], out: &str, folder: &Path, milliseconds: u64) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(words)
        .args(["--out", out])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(milliseconds));
    child.kill().unwrap();
    child.wait().unwrap();
    folder.join(out).join("config.toml").exists()
}

/// Killed at any moment, a run goes on, and its weights are those of an undisturbed one.
/// What a page of `report` draws.
fn data(page: &str) -> serde_json::Value {
    let data = page.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn a_killed_training_goes_on() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("t.toml"), LEIDEN).unwrap();
    let (whole, status) = json(&["train", "t.toml", "--out", "whole"], folder.path());
    assert_eq!((whole.len(), status), (102, 0));
    let summary = &whole[101];
    assert_eq!(
        (&summary["finished"], &summary["games"]),
        (&Value::Bool(true), &Value::from(20_000))
    );
    assert_eq!(summary["phase"], "evaluation");
    assert!(summary["win_rate"].as_f64() > Some(0.5), "{summary}");
    assert_eq!(summary["dead"], false);
    let network = summary["networks"][0].as_str().unwrap();
    let weights = fs::read(folder.path().join(network)).unwrap();
    let mut interrupted = 0;
    for milliseconds in [20, 60, 150] {
        let name = format!("killed{milliseconds}");
        if !killed(&["train", "t.toml"], &name, folder.path(), milliseconds) {
            continue;
        }
        interrupted += 1;
        let (again, status) = json(&["resume", &name], folder.path());
        assert_eq!(status, 0);
        let last = again.last().unwrap();
        assert_eq!(last["win_rate"], summary["win_rate"], "{milliseconds}");
        let file = folder.path().join(&name).join("network.safetensors");
        assert_eq!(fs::read(file).unwrap(), weights, "{milliseconds}");
    }
    assert!(interrupted > 0, "no run lived long enough to be killed");
    // What is done is only told again, and a network that was learned is a player.
    let ran = upstar(&["resume", "whole"], folder.path(), b"");
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("in the evaluation"), "{}", ran.stdout);
    assert!(ran.stdout.contains("network.safetensors"), "{}", ran.stdout);
    let ran = upstar(&["resume", "whole", "--memory", "1G"], folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("--memory has no effect on a training"),
        "{}",
        ran.stderr
    );
    let ran = upstar(&["report", "whole"], folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = "whole: Training of a small network, clobber 4x4, finished, ";
    assert!(ran.stdout.starts_with(told), "{}", ran.stdout);
    let page = fs::read_to_string(folder.path().join("whole/report.html")).unwrap();
    let curves = data(&page)["runs"][0][0]["charts"].clone();
    assert_eq!(curves[0]["title"], "Games won while learning");
    assert_eq!(
        curves[0]["lines"][0]["points"].as_array().unwrap().len(),
        100
    );
    // Two runs are drawn over each other, in a page of their own.
    let ran = upstar(&["report", "whole", "whole"], folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let both = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(data(&both)["runs"][0].as_array().unwrap().len(), 2);
    // What is not there any more is not drawn over what was.
    fs::write(folder.path().join("whole/results.jsonl"), "").unwrap();
    let ran = upstar(&["report", "whole"], folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("has no line yet"), "{}", ran.stderr);
    fs::remove_file(folder.path().join("whole/config.toml")).unwrap();
    let ran = upstar(&["report", "whole"], folder.path(), b"");
    assert!(
        ran.stderr.contains("a run would have a config.toml"),
        "{}",
        ran.stderr
    );
}

/// What files say about where games begin is in the run's configuration, so that the files may go.
#[test]
fn graphs_and_openings_come_from_files() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("t.toml"), LEIDEN.replace("20000", "400")).unwrap();
    fs::write(at("ring.txt"), "a=x b=o c=x d=o e=x\na-b b-c c-d d-e e-a\n").unwrap();
    fs::write(
        at("list.txt"),
        "# two\na=x,b=o,c=x,d=.,e=o,a-b,b-c,c-d,d-e,e-a x\na-b\n",
    )
    .unwrap();
    let train = [
        "train",
        "t.toml",
        "--set",
        "board=graph:ring.txt",
        "--set",
        "openings=list.txt",
    ];
    let with = |words: &[&'static str]| upstar(&[&train, words].concat(), folder.path(), b"");
    let ran = with(&["--set", "network.encoder=shapes", "--out", "run"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("which a graph does not have"),
        "{}",
        ran.stderr
    );
    let words = [
        &train[..],
        &["--set", "evaluation_agent=solver", "--out", "run"],
    ]
    .concat();
    let (lines, status) = json(&words, folder.path());
    assert_eq!(status, 0);
    // Against the solver all moves are compared with best play.
    assert!(lines.last().unwrap()["perfect_share"].is_f64(), "{lines:?}");
    let game = [
        "match",
        "clobber",
        "graph:ring.txt",
        "net:run/network.safetensors",
        "random",
        "--games",
        "10",
    ];
    let (lines, status) = json(&game, folder.path());
    assert_eq!((status, &lines[0]["games"]), (0, &Value::from(10)));
    fs::remove_file(at("list.txt")).unwrap();
    assert_eq!(upstar(&["resume", "run"], folder.path(), b"").status, 0);
    let ran = with(&["--out", "other"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("t.toml, openings, 'list.txt'"),
        "{}",
        ran.stderr
    );
}

#[test]
fn examples_and_changes_come_from_the_command_line() {
    let folder = tempdir().unwrap();
    let words = "train --example clobber-4x4-leiden2018 --set games=400 --set block=200 --set evaluation=100 \
                 --set opponent.agent=pick-first --seed 7 --threads 1 --out run";
    let words: Vec<&str> = words.split_whitespace().collect();
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let config = fs::read_to_string(folder.path().join("run/config.toml")).unwrap();
    for part in ["games = 400", "seed = 7", "agent = \"pick-first\""] {
        assert!(config.contains(part), "{config}");
    }
    for (words, part) in [
        (
            &["--example", "nothing"][..],
            "there are alphazero-clobber, ",
        ),
        (
            &["--example", "clobber-4x4-modern", "--set", "games"],
            "is not KEY=VALUE",
        ),
        (
            &["--example", "clobber-4x4-modern", "--set", "gmaes=1"],
            "unknown key `gmaes`",
        ),
    ] {
        let words = [&["train", "--out", "other"], words].concat();
        let ran = upstar(&words, folder.path(), b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    assert!(!folder.path().join("other").exists());
}

#[test]
fn a_dead_network_is_reported() {
    let folder = tempdir().unwrap();
    let config = LEIDEN.replace("2e-5", "0.1");
    fs::write(folder.path().join("t.toml"), config).unwrap();
    let ran = upstar(&["train", "t.toml"], folder.path(), b"");
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("the network is dead"), "{}", ran.stdout);
    assert!(folder.path().join("t/network.safetensors").exists());
}

#[test]
fn mistakes_in_a_file_for_alphazero_are_shown_with_what_is_right() {
    let folder = tempdir().unwrap();
    let whole = "game = \"othello\"\nboards = [\"4x4\"]\n[alphazero]\nmax_steps = 1\n";
    for (wrong, by, said, right) in [
        ("4x4", "2x2", "over before it begins", "boards = "),
        ("[alphazero]", "", "alphazero", "[alphazero]"),
        ("[alphazero]", "[alphazero", "line 3", "[alphazero]"),
        ("= 1", "= \"one\"", "line 4", "max_steps = "),
        (
            "max_steps = 1",
            "nn_model = \"tree\"",
            "tree",
            "nn_model = \"resnet\"",
        ),
        (
            "max_steps = 1",
            "nn_model = \"mlp\"\nplanes = \"free\"",
            "mlp",
            "planes = ",
        ),
    ] {
        fs::write(folder.path().join("t.toml"), whole.replace(wrong, by)).unwrap();
        let ran = upstar(&["train", "t.toml"], folder.path(), b"");
        assert_eq!(ran.status, 2, "{by}");
        assert!(ran.stderr.contains(said), "{by}: {}", ran.stderr);
        let example = ran.stderr.lines().find(|line| line.contains("right:"));
        assert!(example.unwrap().contains(right), "{by}: {}", ran.stderr);
    }
}

/// Repetitions are the runs of their seeds, and the same command does what is missing.
#[test]
fn a_training_is_repeated_with_other_seeds() {
    let folder = tempdir().unwrap();
    let config = LEIDEN.replace("games = 20000", "games = 1000");
    fs::write(folder.path().join("t.toml"), &config).unwrap();
    let words = [
        "train", "t.toml", "--out", "all", "--seed", "5", "--seeds", "3",
    ];
    let (_, status) = json(&words, folder.path());
    assert_eq!(status, 0);
    let bytes = |run: &str| {
        let file = folder.path().join(run).join("network.safetensors");
        fs::read(file).unwrap()
    };
    let plain = ["train", "t.toml", "--out", "plain", "--seed", "6"];
    assert_eq!(json(&plain, folder.path()).1, 0);
    assert!(bytes("all/seed-6") == bytes("plain"));
    assert!(bytes("all/seed-6") != bytes("all/seed-7"));
    // As if it had been killed before the last one was begun, and while its folder was made.
    let last = bytes("all/seed-7");
    fs::remove_file(folder.path().join("all/seed-7/config.toml")).unwrap();
    let (summary, status) = json(&words, folder.path());
    assert_eq!(status, 0);
    let summary = summary.last().unwrap();
    assert_eq!(
        (&summary["runs"], &summary["first_seed"]),
        (&3.into(), &5.into())
    );
    assert!(bytes("all/seed-7") == last);
    let (report, status) = json(&["report", "all"], folder.path());
    assert_eq!(status, 0);
    assert_eq!(report[0]["runs"].as_array().unwrap().len(), 3);
    let page = fs::read_to_string(folder.path().join("all/report.html")).unwrap();
    assert_eq!(data(&page)["runs"][0].as_array().unwrap().len(), 3);
    // Another configuration is not mixed in.
    fs::write(folder.path().join("t.toml"), config.replace("2e-5", "3e-5")).unwrap();
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("another configuration"),
        "{}",
        ran.stderr
    );
}

const TUNE: &str = r#"
[tune]
trials = 9
evaluation = 100

[space]
"learning.rate" = { log_uniform = [1e-6, 1e-1] }
"network.activation" = { choices = ["relu", "leaky-relu"] }
"#;

/// A search finds the same for any number of threads, killed or not.
#[test]
fn a_killed_search_goes_on() {
    let folder = tempdir().unwrap();
    let config = LEIDEN
        .replace("rate = 2e-5\n", "")
        .replace("activation = \"relu\"\n", "")
        .replace("games = 20000", "games = 4500");
    fs::write(folder.path().join("t.toml"), config + TUNE).unwrap();
    let words = ["tune", "t.toml", "--out", "whole", "--threads", "2"];
    let (whole, status) = json(&words, folder.path());
    assert_eq!(status, 0);
    let summary = whole.last().unwrap();
    let rungs = summary["rungs"].as_u64().unwrap();
    assert_eq!(
        (rungs, whole.len() as u64),
        (summary["of"].as_u64().unwrap(), rungs + 1)
    );
    assert_eq!(summary["parameters"].as_array().unwrap().len(), 2);
    for milliseconds in [50, 200] {
        let name = format!("killed{milliseconds}");
        if !killed(&["tune", "t.toml"], &name, folder.path(), milliseconds) {
            continue;
        }
        let (again, status) = json(&["resume", &name, "--threads", "1"], folder.path());
        assert_eq!(status, 0);
        assert_eq!(again.last().unwrap()["parameters"], summary["parameters"]);
        let all = |name: &str| lines(&folder.path().join(name));
        assert_eq!(all(&name), all("whole"), "{milliseconds}");
    }
    let file = |name: &str| fs::read_to_string(folder.path().join("whole").join(name)).unwrap();
    fs::remove_file(folder.path().join("whole/report.html")).unwrap();
    assert_eq!(upstar(&["report", "whole"], folder.path(), b"").status, 0);
    let page = file("report.html");
    let tuning = data(&page)["runs"][0][0]["tuning"].clone();
    assert_eq!(tuning["parameters"].as_array().unwrap().len(), 2);
    assert_eq!(
        tuning["rungs"].as_array().unwrap().len(),
        lines(&folder.path().join("whole")).len()
    );
    assert!(file("report.txt").contains("learning.rate"));
    // The best configuration is one, and its network is where it is said to be.
    let ran = upstar(
        &["train", "whole/best.toml", "--out", "best"],
        folder.path(),
        b"",
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let network = summary["network"].as_str().unwrap();
    let bytes = |file: &str| fs::read(folder.path().join(file)).unwrap();
    assert!(bytes(network) == bytes("best/network.safetensors"));
    // As if it had been killed after networks died, and before that was written down.
    let known = lines(&folder.path().join("whole"));
    let alive = known.iter().filter(|line| !line.contains("null"));
    let alive: String = alive.map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("whole/trials.jsonl"), alive).unwrap();
    assert_eq!(upstar(&["resume", "whole"], folder.path(), b"").status, 0);
    assert_eq!(lines(&folder.path().join("whole")), known);
    // Networks that have learned more than is written down are noticed.
    fs::write(folder.path().join("whole/trials.jsonl"), "").unwrap();
    let ran = upstar(&["resume", "whole"], folder.path(), b"");
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("a line was lost"), "{}", ran.stderr);
}

#[test]
fn learning_is_measured() {
    let words = [
        "bench",
        "train",
        "clobber",
        "4x4",
        "--hidden",
        "20",
        "--seconds",
        "0.05",
    ];
    for threads in ["1", "2"] {
        let words = [&words[..], &["--threads", threads]].concat();
        let (objects, status) = json(&words, Path::new("."));
        assert_eq!((objects.len(), status), (1, 0));
        assert!(objects[0]["games_per_second"].as_f64() > Some(100.0));
        assert!(objects[0]["live_gradient_share"].as_f64() > Some(0.5));
        assert_eq!(objects[0]["fast"], true);
    }
}

#[test]
fn bad_learning_is_refused_with_a_sentence() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("good.toml", LEIDEN);
    write("key.toml", &LEIDEN.replace("games =", "gmaes ="));
    write("syntax.toml", &LEIDEN.replace("[20]", "[2 0]"));
    // The reader notices this on the next line.
    write("open.toml", &LEIDEN.replace("[20]", "[20"));
    write("size.toml", &LEIDEN.replace("4x4", "40x40"));
    write(
        "small.toml",
        &LEIDEN.replace("clobber", "othello").replace("4x4", "1x1"),
    );
    write(
        "alone.toml",
        &LEIDEN.replace("\"clobber\"", "\"clobber:solitaire\""),
    );
    let agent = "[opponent]\nagent = \"nobody\"\n[network]";
    write("agent.toml", &LEIDEN.replace("[network]", agent));
    let examples = "[opponent]\nagent = \"examples\"\n[network]";
    let large = LEIDEN.replace("[network]", examples).replace("4x4", "8x8");
    write("large.toml", &large);
    let start = "start = \"none.safetensors\"\n[learning]";
    write("start.toml", &LEIDEN.replace("[learning]", start));
    write(
        "space.toml",
        &(LEIDEN.to_owned() + "[space]\n\"learning.rate\" = 7\n"),
    );
    write("few.toml", &(LEIDEN.to_owned() + "[space]\n"));
    let rates = "[space]\n\"learning.rate\" = { uniform = [0.1, 1] }\n";
    let examined = LEIDEN.replace("board =", "evaluation_agent = \"nobody\"\nboard =");
    write("examined.toml", &(examined + rates));
    let rivals =
        "[space]\n\"opponent.agent\" = { choices = [\"random\", \"net:none.safetensors\"] }\n";
    write("rivals.toml", &(LEIDEN.to_owned() + rivals));
    let unknown = "[space]\n\"learning.speed\" = { uniform = [0, 1] }\n";
    write("unknown.toml", &(LEIDEN.to_owned() + unknown));
    for (words, said, right) in [
        (&["train", "none.toml"][..], "none.toml", "file"),
        (
            &["train", "key.toml"],
            "key.toml, line 4: unknown key `gmaes`",
            "games = 1000000",
        ),
        (
            &["train", "syntax.toml"],
            "syntax.toml, line 10: ",
            "network.hidden = [100]",
        ),
        (
            &["train", "open.toml"],
            "open.toml, line 11: ",
            "network.activation = ",
        ),
        (
            &["train", "size.toml"],
            "size.toml, board: ",
            "board = \"4x4\"",
        ),
        (&["train", "small.toml"], "small.toml, board: ", "board = "),
        (
            &["train", "alone.toml"],
            "alone.toml, game: ",
            "game = \"clobber\"",
        ),
        (
            &["train", "agent.toml"],
            "agent.toml, opponent.agent: 'nobody' is not an agent",
            "= \"random\"",
        ),
        (
            &["train", "large.toml"],
            "too many to solve",
            "board = \"4x4\"",
        ),
        (
            &["train", "examined.toml"],
            "examined.toml has a section space",
            "upstar tune FILE",
        ),
        (&["train", "start.toml"], "none.safetensors", "upstar train"),
        (
            &["train", "good.toml", "--out", "."],
            "is not empty",
            "upstar resume",
        ),
        (&["tune", "good.toml"], "good.toml, space: ", "log_uniform"),
        (
            &["tune", "space.toml"],
            "space.toml, space.\"learning.rate\"",
            "log_uniform",
        ),
        (&["tune", "few.toml"], "few.toml, space: ", "log_uniform"),
        (
            &["tune", "unknown.toml"],
            "unknown key `speed`",
            "learning.rate",
        ),
        (&["tune", "key.toml"], "key.toml, space: ", "log_uniform"),
        (
            &["tune", "examined.toml"],
            "examined.toml, evaluation_agent: 'nobody' is not an agent",
            "evaluation_agent = \"random\"",
        ),
        (
            &["tune", "rivals.toml"],
            "rivals.toml, opponent.agent: none.safetensors",
            "opponent.agent = \"random\"",
        ),
        (
            &[
                "play",
                "clobber",
                "4x4",
                "--black",
                "net:/dev/zero",
                "--white",
                "random",
            ],
            "/dev/zero: this is not a network",
            "upstar",
        ),
        (
            &["bench", "train", "othello", "8x8"],
            "not with othello",
            "upstar bench train",
        ),
        (
            &["bench", "train", "clobber", "4x4", "--hidden", "0"],
            "0",
            "upstar bench train",
        ),
        (&["train"], "FILE is missing", "upstar train"),
        (&["tune"], "FILE is missing", "upstar tune"),
    ] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2, "{words:?}: {}", ran.stderr);
        let (sentence, example) = ran.stderr.split_once("right: ").unwrap();
        assert!(sentence.contains(said), "{words:?}: {}", ran.stderr);
        assert!(example.contains(right), "{words:?}: {}", ran.stderr);
    }
    for name in ["examined", "rivals"] {
        assert!(!folder.path().join(name).exists());
    }
}

/// A run goes on against the opponent that it began with, or not at all.
#[test]
fn another_opponent_is_noticed() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for (name, seed) in [("a", 1), ("b", 2)] {
        let seed = format!("games = 200\nseed = {seed}");
        write("t.toml", &LEIDEN.replace("games = 20000", &seed));
        let ran = upstar(&["train", "t.toml", "--out", name], folder.path(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let opponent = "[opponent]\nagent = \"net:a/network.safetensors\"\n[network]";
    write("t.toml", &LEIDEN.replace("[network]", opponent));
    assert!(killed(&["train", "t.toml"], "run", folder.path(), 300));
    let path = |run: &str| folder.path().join(run).join("network.safetensors");
    fs::copy(path("b"), path("a")).unwrap();
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("a/network.safetensors was changed"),
        "{}",
        ran.stderr
    );
}

/// Whoever reads the first lines only does not stop the work.
#[test]
fn a_training_that_nobody_listens_to_ends_well() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("t.toml"), LEIDEN).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(["train", "t.toml", "--out", "run", "--json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(folder.path().join("run/network.safetensors").exists());
}

/// Ctrl-C in the middle of a block that would take hours: the run says how it goes on, within a second.
#[cfg(unix)]
#[test]
fn an_interrupted_training_ends_at_once() {
    let folder = tempdir().unwrap();
    let config = LEIDEN
        .replace("games = 20000", "games = 1000000000")
        .replace("block = 200", "block = 1000000000");
    fs::write(folder.path().join("t.toml"), config).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(["train", "t.toml", "--out", "run"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("run/state.json").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
    let begun = std::time::Instant::now();
    let ended = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1));
    let told = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    assert!(told.contains("goes on with upstar resume run"), "{told}");
}

/// A search over keys of AlphaZero by an example, killed, and shown by the report.
#[test]
fn a_killed_search_of_alphazero_goes_on() {
    let folder = tempdir().unwrap();
    let words = "tune --example tune-alphazero-clobber-4x4 --set tune.trials=3 --set tune.brackets=1 \
                 --set tune.evaluation=100 --set alphazero.max_steps=3 --set alphazero.nn_width=4 \
                 --set alphazero.replay_buffer_size=256 --set boards=[\"3x3\"]";
    let words: Vec<&str> = words.split_whitespace().collect();
    let (whole, status) = json(
        &[&words[..], &["--threads", "2", "--out", "whole"]].concat(),
        folder.path(),
    );
    assert_eq!(status, 0);
    let summary = whole.last().unwrap();
    // Three trials of one step, of which one makes two more.
    assert_eq!(
        (&summary["rungs"], &summary["steps"]),
        (&4.into(), &5.into())
    );
    assert!(whole[0]["steps"] == 1 && whole[0].get("games").is_none());
    let all = |name: &str| lines(&folder.path().join(name));
    for milliseconds in [50, 400] {
        let name = format!("killed{milliseconds}");
        if killed(&words, &name, folder.path(), milliseconds) {
            let (_, status) = json(&["resume", &name, "--threads", "1"], folder.path());
            assert_eq!(status, 0);
            assert_eq!(all(&name), all("whole"), "{milliseconds}");
        }
    }
    assert_eq!(upstar(&["report", "whole"], folder.path(), b"").status, 0);
    let page = fs::read_to_string(folder.path().join("whole/report.html")).unwrap();
    let tuning = data(&page)["runs"][0][0]["tuning"].clone();
    assert_eq!(
        (&tuning["unit"], tuning["rungs"].as_array().unwrap().len()),
        (&"steps".into(), 4)
    );
}

/// The configurations that come with the program are read, and learn.
#[test]
fn examples_of_configurations_are_right() {
    let folder = tempdir().unwrap();
    let mut found = 0;
    for entry in fs::read_dir(project().join("crates/train/configurations")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut table: toml::Table = toml::from_str(&text).unwrap();
        let verb = if table.contains_key("space") {
            "tune"
        } else {
            "train"
        };
        let (section, keys) = match table.get_mut("alphazero") {
            Some(toml::Value::Table(settings)) => (
                settings,
                &["max_steps", "replay_buffer_size", "train_batch_size"],
            ),
            _ => (&mut table, &["games", "evaluation", "block"]),
        };
        for key in keys {
            section.insert((*key).to_owned(), toml::Value::Integer(4));
        }
        if let Some(toml::Value::Table(tune)) = table.get_mut("tune") {
            tune.insert("trials".to_owned(), toml::Value::Integer(3));
            tune.insert("evaluation".to_owned(), toml::Value::Integer(2));
        }
        let file = folder.path().join(path.file_name().unwrap());
        fs::write(&file, toml::to_string(&table).unwrap()).unwrap();
        let ran = upstar(&[verb, file.to_str().unwrap()], folder.path(), b"");
        assert_eq!(ran.status, 0, "{}: {}", path.display(), ran.stderr);
        found += 1;
    }
    assert!(found > 3);
}

#[test]
fn logs_go_to_other_programs() {
    let folder = tempdir().unwrap();
    let words = "train --example clobber-4x4-leiden2018 --set games=400 --set block=200 --set evaluation=0 --out run";
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(upstar(&words, folder.path(), b"").status, 0);
    let words = "report run --csv log.csv --tensorboard events";
    let words: Vec<&str> = words.split_whitespace().collect();
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let table = fs::read_to_string(folder.path().join("log.csv")).unwrap();
    assert_eq!(table.lines().count(), 3);
    assert!(
        table.starts_with("run,") && table.contains(",win_rate"),
        "{table}"
    );
    let events = folder
        .path()
        .join("events/run/events.out.tfevents.0.upstar");
    assert!(fs::read(events).unwrap().len() > 100);
}
