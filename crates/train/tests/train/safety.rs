//! Runs that are stopped, folders that somebody touched, and configurations that ask for too much.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use upstar_games::{Clobber, Color, Game, Rules};
use upstar_jobs::Budget;
use upstar_nets::{Judge, Network};
use upstar_train::{Config, Run, RunError, solved};

use crate::setup::{clobber, create, othello, resume};

fn resumed(folder: &Path) -> Result<Run<Clobber<u64>>, RunError> {
    resume(folder, clobber("4x4"))
}

fn refused(run: Result<Run<Clobber<u64>>, RunError>, part: &str) {
    let error = run.err().expect(part).to_string();
    assert!(error.contains(part), "{error}");
}

const ADAM: &str = r#"
game = "clobber"
board = "4x4"
games = 300
block = 100
evaluation = 300
[network]
encoder = "planes"
hidden = [12]
activation = "tanh"
[learning]
method = "adam"
rate = 0.01
"#;

/// The fast way against Random.
const FAST: &str = r#"
game = "clobber"
board = "4x4"
games = 600
block = 200
evaluation = 333
[network]
encoder = "leiden2018"
hidden = [20]
activation = "relu"
initial = "uniform:0,1,0.1"
[learning]
rate = 2e-4
win = 10.0
loss = -10.0
"#;

/// A folder with a run of which two blocks are done.
fn begun() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = create(&path, ADAM, clobber("4x4")).unwrap();
    for _ in 0..2 {
        run.step().unwrap();
    }
    (folder, path)
}

#[test]
fn a_configuration_that_was_changed_is_noticed() {
    let (_folder, path) = begun();
    let file = path.join("config.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("rate = 0.01", "rate = 0.02")).unwrap();
    refused(
        resumed(&path),
        "config.toml was changed after the run began",
    );
    fs::write(&file, text).unwrap();
    assert_eq!(resumed(&path).unwrap().games(), 200);
}

#[test]
fn a_damaged_line_of_results_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = create(&path, ADAM, clobber("4x4")).unwrap();
    while run.step().unwrap().is_some() {}
    drop(run);
    let file = path.join("results.jsonl");
    let right = fs::read_to_string(&file).unwrap();
    let second = right.lines().nth(1).unwrap();
    let damaged = second.replacen("\"games\":2", "\"games\":3", 1);
    assert_ne!(damaged, second);
    fs::write(&file, right.replace(second, &damaged)).unwrap();
    refused(
        resumed(&path),
        "results.jsonl, line 2: it is damaged: its seal is broken",
    );
    // Lines of older programs have no seal.
    let older = right
        .lines()
        .map(|line| line[..line.find(",\"seal\"").unwrap()].to_owned() + "}\n");
    fs::write(&file, older.collect::<String>()).unwrap();
    assert_eq!(
        resumed(&path).unwrap().results().unwrap().len(),
        right.lines().count()
    );
}

/// Two begin in the same new folder; the second waits a moment for the first, which ends meanwhile.
#[test]
fn a_run_is_not_begun_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    fs::create_dir(&path).unwrap();
    let held = upstar_runs::lock::hold(&path.join("lock")).unwrap();
    let refused = std::thread::scope(|scope| {
        let second = scope.spawn(|| create(&path, ADAM, clobber("4x4")).err());
        std::thread::sleep(Duration::from_millis(100));
        fs::write(path.join("config.toml"), "the first").unwrap();
        drop(held);
        second.join().unwrap()
    });
    let error = refused.expect("the folder is taken").to_string();
    assert!(error.contains("is not empty"), "{error}");
    assert_eq!(fs::read(path.join("config.toml")).unwrap(), b"the first");
}

#[test]
fn a_board_without_moves_has_no_examples() {
    let folder = tempfile::tempdir().unwrap();
    let config = "game = \"clobber\"\nboard = \"1x1\"\ngames = 9\n[network]\nencoder = \"planes\"\nhidden = [4]\n\
                  activation = \"tanh\"\n[opponent]\nagent = \"examples\"\n[learning]\nrate = 0.1\n";
    let run = create(&folder.path().join("run"), config, clobber("1x1"));
    refused(run, "clobber 1x1 ends before the first move");
}

#[test]
fn a_run_that_lost_its_state_does_not_begin_anew() {
    let (_folder, path) = begun();
    fs::remove_file(path.join("state.json")).unwrap();
    refused(resumed(&path), "state.json is missing");
    // Killed before the first checkpoint there is nothing to lose.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(create(&path, ADAM, clobber("4x4")).unwrap());
    fs::remove_file(path.join("state.json")).unwrap();
    assert_eq!(resumed(&path).unwrap().games(), 0);
}

#[test]
fn every_byte_of_what_adam_keeps_counts() {
    let (_folder, path) = begun();
    let file = path.join("adam-000000000200-0.bin");
    let bytes = fs::read(&file).unwrap();
    for place in [0, 9, 24, 101, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(&file, damaged).unwrap();
        refused(resumed(&path), "adam-000000000200-0.bin was changed");
    }
    for len in [0, 8, 24, bytes.len() - 4, bytes.len() - 1] {
        fs::write(&file, &bytes[..len]).unwrap();
        refused(resumed(&path), "adam-000000000200-0.bin was changed");
    }
    fs::write(&file, bytes).unwrap();
    assert!(resumed(&path).is_ok());
}

/// Stopped in the middle of a block, a run loses that block, and ends like an undisturbed one.
#[test]
fn a_stopped_block_is_learned_again() {
    for config in [ADAM, FAST] {
        let folder = tempfile::tempdir().unwrap();
        let [whole, stopped] = ["whole", "stopped"].map(|name| folder.path().join(name));
        let mut run = create(&whole, config, clobber("4x4")).unwrap();
        while run.step().unwrap().is_some() {}
        let networks: Vec<Network> = run.networks().cloned().collect();
        let run = create(&stopped, config, clobber("4x4")).unwrap();
        let budget = Budget::unlimited();
        let mut run = run.with_budget(budget.clone());
        run.step().unwrap();
        let games = run.games();
        budget.stop_flag().store(true, Ordering::Relaxed);
        assert_eq!(run.step().unwrap(), None);
        assert!(run.is_stopped() && run.games() == games);
        drop(run);
        let mut run = resumed(&stopped).unwrap();
        assert_eq!(run.games(), games);
        while run.step().unwrap().is_some() {}
        assert_eq!(run.networks().cloned().collect::<Vec<_>>(), networks);
        assert!(!run.is_stopped());
    }
}

/// However large a block is: in games of both kinds, in passes, and with examples.
#[test]
fn stopping_takes_no_second() {
    let huge = |config: &str| {
        let block = if config.contains("passes") {
            "block = 3000000\n"
        } else {
            "block = 1000000000\n"
        };
        let mut config = config.to_owned();
        for (from, to) in [
            ("games = 600\n", "games = 1000000000\n"),
            ("games = 300\n", "games = 1000000000\n"),
            ("block = 200\n", block),
            ("block = 100\n", block),
        ] {
            config = config.replace(from, to);
        }
        config
    };
    let itself = "[opponent]\nagent = \"itself\"\n[learning]\npasses = 1000\nrandom_plies = 9";
    let examples = "[opponent]\nagent = \"examples\"\n[learning]";
    for config in [
        FAST.to_owned(),
        ADAM.to_owned(),
        ADAM.replace("[learning]", itself),
        ADAM.replace("4x4", "3x3").replace("[learning]", examples),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let config = huge(&config);
        let size = if config.contains("3x3") { "3x3" } else { "4x4" };
        let run = create(&folder.path().join("run"), &config, clobber(size)).unwrap();
        let budget = Budget::unlimited();
        let mut run = run.with_budget(budget.clone());
        let waited = std::thread::scope(|scope| {
            let ended = scope.spawn(move || {
                assert_eq!(run.step().unwrap(), None, "{config}");
                Instant::now()
            });
            std::thread::sleep(Duration::from_millis(200));
            let begun = Instant::now();
            budget.stop_flag().store(true, Ordering::Relaxed);
            ended.join().unwrap().saturating_duration_since(begun)
        });
        assert!(waited < Duration::from_secs(1), "{waited:?}");
    }
}

/// Evaluations are shared among threads, in the fast way and in the plain one.
#[test]
fn evaluations_do_not_depend_on_threads() {
    let examined = format!("evaluation_agent = \"pick-first\"\n{ADAM}");
    let both = "[opponent]\nnetwork = \"both\"\n[learning]";
    for config in [
        FAST.to_owned(),
        ADAM.replace("[learning]", both),
        examined.replace("[learning]", both),
        ADAM.replace("[learning]", "[opponent]\nagent = \"network\"\n[learning]"),
        format!("exact_error = true\n{ADAM}").replace("4x4", "3x4"),
    ] {
        let size = if config.contains("3x4") { "3x4" } else { "4x4" };
        let results = [1, 2, 5].map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            let run = create(&folder.path().join("run"), &config, clobber(size)).unwrap();
            let mut run = run.with_threads(threads);
            while run.step().unwrap().is_some() {}
            run.results().unwrap()
        });
        assert_eq!(results[0], results[1], "{config}");
        assert_eq!(results[0], results[2], "{config}");
        let last = results[0].last().unwrap();
        assert!(last.phase == "evaluation" && last.played >= 300, "{last:?}");
    }
}

/// cammel2015, section 5.3: how far the network's values are from the results of best play. A network
/// that does not learn any more is asked again, a game at a time.
#[test]
fn errors_are_those_of_the_positions_that_the_network_chose() {
    let (game, start) = othello("3x4");
    let config = r#"
game = "othello"
board = "3x4"
games = 0
evaluation = 50
evaluation_agent = "pick-first"
exact_error = true
[network]
encoder = "cammel2015"
hidden = [5]
activation = "sigmoid"
[opponent]
network = "o"
[learning]
rate = 0.2
win = 1.0
draw = 0.5
loss = 0.0
"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = create(&path, config, (game.clone(), start)).unwrap();
    let found = run.step().unwrap().unwrap().error.unwrap();
    // Both players always do the same, so one game tells.
    let network = run.networks().next().unwrap();
    let mut judge = Judge::new(network, &game, &start).unwrap();
    let results = solved(&game, &start, 1_000_000).unwrap();
    let (mut position, mut errors) = (start, Vec::new());
    while !game.is_over(&position) {
        let mover = game.to_move(&position);
        let mv = match mover {
            Color::Black => game.moves(&position).next().unwrap(),
            Color::White => judge.best(network, &game, &position).unwrap().mv,
        };
        position = game.play_unchecked(&position, mv);
        if mover == Color::White {
            let output = judge.look(network, &game, &position, mover).output();
            let known = results.iter().find(|example| example.position == position);
            let target = match known.unwrap().black_score {
                1.. => 0.0,
                0 => 0.5,
                _ => 1.0,
            };
            errors.push(f64::from((output - target).abs()));
        }
    }
    let expected = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

/// Games are the same whenever the error is measured, and after learning it is smaller.
#[test]
fn errors_are_measured_before_or_after_learning() {
    let config = r#"
game = "othello"
board = "3x4"
games = 40
block = 40
exact_error = true
[network]
encoder = "cammel2015"
hidden = [5]
activation = "sigmoid"
[opponent]
agent = "itself"
[learning]
rate = 0.5
win = 1.0
draw = 0.5
loss = 0.0
presentations = 200
"#;
    let blocks = [
        config.to_owned(),
        format!("exact_error_after = true\n{config}"),
    ]
    .map(|config| {
        let folder = tempfile::tempdir().unwrap();
        let mut run = create(&folder.path().join("run"), &config, othello("3x4")).unwrap();
        run.step().unwrap().unwrap()
    });
    let [before, after] = blocks.each_ref().map(|block| block.error.unwrap());
    assert!(after < before, "{after} {before}");
    assert_eq!(blocks[0].wins, blocks[1].wins);
}

/// etoeharnowo2017, table 5.4: two networks that have learned apart meet.
#[test]
fn two_networks_begin_with_their_own_weights() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["x", "o"].map(|side| {
        let path = folder.path().join(side);
        let config = ADAM.replace(
            "games = 300",
            &format!("seed = {}\ngames = 100", side.len()),
        );
        let config = config.replace(
            "[learning]",
            &format!("[opponent]\nnetwork = \"{side}\"\n[learning]"),
        );
        let mut run = create(&path, &config, clobber("4x4")).unwrap();
        while run.step().unwrap().is_some() {}
        run.network_files().remove(0)
    });
    let [x, o] = files.each_ref().map(|file| file.display().to_string());
    let meet =
        format!("start = \"{x}\"\nstart_o = \"{o}\"\n[opponent]\nagent = \"network\"\n[learning]");
    let config = ADAM.replace("[learning]", &meet);
    let mut run = create(&folder.path().join("meet"), &config, clobber("4x4")).unwrap();
    let before: Vec<Network> = run.networks().cloned().collect();
    let loaded = files.each_ref().map(|file| Network::load(file).unwrap());
    assert_eq!(before, loaded);
    assert_ne!(before[0], before[1]);
    while run.step().unwrap().is_some() {}
    let learned: Vec<Network> = run.networks().cloned().collect();
    assert!(learned[0] != before[0] && learned[1] != before[1]);
}

#[test]
fn what_is_too_much_is_refused_with_a_sentence() {
    let message = |from: &str, to: &str| {
        let parsed = Config::parse(&ADAM.replace(from, to), "a.toml");
        parsed.expect_err(to).to_string()
    };
    let check = |from: &str, to: &str, said: &str, right: &str| {
        let message = message(from, to);
        assert!(message.contains(said), "{message}");
        assert!(message.ends_with(right), "{message}");
    };
    let most = i64::MAX.to_string();
    for key in ["games", "block", "evaluation", "snapshot"] {
        let line = format!("{key} = {most}");
        let from = match key {
            "games" => "games = 300",
            "block" => "block = 100",
            "evaluation" => "evaluation = 300",
            _ => "evaluation = 300",
        };
        check(
            from,
            &line,
            &format!("a.toml, {key}: {most} is not from"),
            "",
        );
    }
    check(
        "game = \"clobber\"",
        "game = \"othello:reversi\"",
        "a.toml, game: networks play Clobber and Othello, not Reversi",
        "game = \"othello\"",
    );
    check(
        "evaluation = 300",
        "snapshot = 150",
        "a.toml, snapshot: 150 is not a multiple of block, 100",
        "snapshot = 200",
    );
    check(
        "[12]",
        "[4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096]",
        "weights are more than",
        "[100]",
    );
    let with = |keys: &str| format!("rate = 0.01\n{keys}");
    for key in [
        "random_plies = 4294967295",
        "presentations = 4294967295",
        "batch = 4294967295",
    ] {
        check("rate = 0.01", &with(key), "4294967295 is not from", "");
    }
    let itself = "[opponent]\nagent = \"itself\"\n[learning]\npasses = 2";
    let huge = ADAM.replace("block = 100", "block = 100000000");
    let huge = huge.replace("[learning]", itself);
    let error = Config::parse(&huge, "a.toml").unwrap_err().to_string();
    assert!(
        error.contains("block: in passes a block has at most 3125000 games"),
        "{error}"
    );
}

/// Encoders that see nothing, and examples that would be wrong again.
#[test]
fn what_contradicts_itself_is_refused_with_what_would_be_right() {
    let check = |from: &str, to: &str, said: &str, right: &str| {
        let text = ADAM.replace(from, to);
        let message = Config::parse(&text, "a.toml").expect_err(to).to_string();
        assert!(message.contains(said), "{message}");
        assert!(
            message.ends_with(&format!("for example {right}")),
            "{message}"
        );
    };
    check(
        "planes",
        "lines",
        "lines is made for Othello",
        "network.encoder = \"planes\"",
    );
    let shapes = ADAM
        .replace("clobber", "othello")
        .replace("planes", "shapes");
    let error = Config::parse(&shapes, "a.toml").unwrap_err().to_string();
    assert!(error.contains("shapes is made for Clobber"), "{error}");
    let with = |keys: &str| format!("rate = 0.01\n{keys}");
    check(
        "rate = 0.01",
        &with("loss = 1.0"),
        "nothing to learn",
        "learning.loss = 0.0",
    );
    let sigmoid = ADAM.replace("tanh", "sigmoid");
    let crossed = sigmoid.replace("rate = 0.01", &with("objective = \"cross-entropy\""));
    let error = Config::parse(&crossed, "a.toml").unwrap_err().to_string();
    assert!(
        error.contains("learning.loss: -1 is not from 0 to 1"),
        "{error}"
    );
    assert!(error.ends_with("learning.loss = 0.0"), "{error}");
    let plain = "objective = \"cross-entropy\"\n";
    check(
        "method = \"adam\"\n",
        plain,
        "learned by adam",
        "learning.method = \"adam\"",
    );
    check(
        "method = \"adam\"\n",
        "batch = 5\n",
        "a position at a time",
        "learning.method = \"adam\"",
    );
    check(
        "rate = 0.01",
        &with("random_plies = 5"),
        "in passes",
        "learning.passes = 2",
    );
    check(
        "rate = 0.01",
        &with("passes = 2"),
        "against itself",
        "opponent.agent = \"itself\"",
    );
    let itself = "[opponent]\nagent = \"itself\"\n[learning]\npasses = 2\npresentations = 3";
    check("[learning]", itself, "one by one", "learning.passes = 0");
    let second = "start_o = \"a\"\n[learning]";
    check(
        "[learning]",
        second,
        "only with agent = \"network\"",
        "opponent.agent = \"network\"",
    );
    let agent = "evaluation_agent = \"nobody\"\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let run = create(&path, &format!("{agent}{ADAM}"), clobber("4x4"));
    refused(run, "evaluation_agent: 'nobody' is not an agent");
    assert!(!path.exists());
}
