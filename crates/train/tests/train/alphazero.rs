//! Runs of AlphaZero: the same networks whatever happens on the way, and words for what is wrong.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use upstar_agents::Resources;
use upstar_games::{Cells, Clobber, Color, Game, Grid, Rules, clobber};
use upstar_jobs::{Budget, Done, Unwatched, Watch, job};
use upstar_nets::deep::DeepNetwork;
use upstar_train::alphazero::{
    AlphaZeroConfig, AlphaZeroRun, End, Line, Played, SelfPlay, SelfPlayContext,
};

fn config(actors: usize, more: &str) -> String {
    format!(
        "game = \"clobber\"\nboards = [\"3x3\", \"3x4\"]\n[alphazero]\nmax_steps = 3\nmax_simulations = 8\n\
         nn_width = 8\nnn_depth = 1\nplanes = \"free\"\ntrain_batch_size = 16\nreplay_buffer_size = 200\n\
         replay_buffer_reuse = 2\neval_levels = 2\ncheckpoint_freq = 2\ntest_positions = 10\n\
         games_at_once = 5\nactors = {actors}\n{more}"
    )
}

/// Cancels the budget after so many pieces of work.
struct Patience {
    left: AtomicU64,
    budget: Budget,
}

impl Watch for Patience {
    fn pieces(&self, _: &str, _: u64, _: u64) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.budget.cancel();
        }
    }
}

fn run(folder: &Path, text: &str, patience: u64) -> End {
    let mut run = match folder.exists() {
        true => AlphaZeroRun::resume(folder, Resources::default()).unwrap(),
        false => AlphaZeroRun::create(folder, text, "az.toml", Resources::default()).unwrap(),
    };
    let budget = Budget::unlimited();
    if patience == 0 {
        budget.cancel();
    }
    let patience = Patience {
        left: AtomicU64::new(patience),
        budget: budget.clone(),
    };
    let mut told = 0;
    let before = run.steps();
    let end = run.go_on(&budget, &patience, &mut |_| told += 1).unwrap();
    assert_eq!(run.steps() - before, told);
    end
}

fn network(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("network.safetensors")).unwrap()
}

fn steps(folder: &Path) -> Vec<Line> {
    let text = fs::read_to_string(folder.join("learner.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    assert_eq!(run(&whole, &config(1, ""), u64::MAX), End::Finished);
    let lines = steps(&whole);
    assert_eq!(
        lines.iter().map(|line| line.step).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(
        lines
            .iter()
            .all(|line| line.loss.sum.is_finite() && line.total_states > 0)
    );
    assert!(lines[1].kept.is_some() && lines[2].kept.is_none());

    let shared = folder.path().join("shared");
    assert_eq!(run(&shared, &config(2, ""), u64::MAX), End::Finished);
    assert!(network(&shared) == network(&whole));

    let broken = folder.path().join("broken");
    let mut rounds = 0;
    while run(&broken, &config(2, ""), 5 + 4 * rounds) == End::Stopped {
        rounds += 1;
    }
    assert!(rounds > 2, "{rounds}");
    assert!(network(&broken) == network(&whole));
    assert_eq!(steps(&broken).len(), 3);
}

/// More steps than it was begun with give the network of a run that was begun with as many.
#[test]
fn a_finished_run_is_extended() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, short] = ["whole", "short"].map(|name| folder.path().join(name));
    assert_eq!(run(&whole, &config(2, ""), u64::MAX), End::Finished);
    let text = config(2, "").replace("max_steps = 3", "max_steps = 1");
    assert_eq!(run(&short, &text, u64::MAX), End::Finished);
    let resumed = || AlphaZeroRun::resume(&short, Resources::default()).unwrap();
    let refused = resumed().extend(1).unwrap_err().to_string();
    assert_eq!(refused, "1 steps are not more than the 1 that it has");
    resumed().extend(3).unwrap();
    assert_eq!(run(&short, &text, u64::MAX), End::Finished);
    assert!(network(&short) == network(&whole));
    assert_eq!(steps(&short).len(), 3);
}

/// A resumed step counts the games that this process has played, not those that were there.
#[test]
fn speeds_of_a_resumed_step_are_of_what_was_played_since() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    assert_eq!(run(&path, &config(1, ""), 3), End::Stopped);
    let mut resumed = AlphaZeroRun::resume(&path, Resources::default()).unwrap();
    let plan = resumed.plan().unwrap().unwrap();
    assert!((1..plan.games).contains(&(plan.missing.len() as u64)));
    drop(resumed);
    assert_eq!(run(&path, "", u64::MAX), End::Finished);
    let first = &steps(&path)[0];
    let played_now = first.trajectories_per_s * first.seconds[0];
    assert_eq!(played_now.round() as usize, plan.missing.len());
    let states_now = first.states_per_s * first.seconds[0];
    assert!(0.0 < states_now && states_now + 1.0 < first.total_states as f64);
    assert_eq!(first.total_trajectories, plan.games);
}

/// The words by which a watch hears of the parts of a step.
#[test]
fn progress_names_what_is_going_on() {
    struct Heard(Mutex<BTreeSet<String>>);
    impl Watch for Heard {
        fn pieces(&self, what: &str, done: u64, of: u64) {
            assert!(0 < done && done <= of, "{what}: {done} of {of}");
            self.0.lock().unwrap().insert(what.to_owned());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let text = config(2, "").replace("checkpoint_freq = 2", "checkpoint_freq = 3");
    let path = folder.path().join("run");
    let mut run = AlphaZeroRun::create(&path, &text, "az.toml", Resources::default()).unwrap();
    let heard = Heard(Mutex::default());
    run.go_on(&Budget::unlimited(), &heard, &mut |_| ())
        .unwrap();
    let mut heard = heard.0.into_inner().unwrap();
    heard.retain(|what| what.starts_with("step 3"));
    let expected = [
        "step 3 of 3, batches learned",
        "step 3 of 3, games against MCTS",
        "step 3 of 3, positions tested against the solver",
        "step 3 of 3, self-play games",
    ];
    assert_eq!(Vec::from_iter(heard), expected);
}

/// The step under way is finished, no other begins, and the network is that of a run of as many steps.
#[test]
fn time_ends_a_run_after_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let [short, timed] = ["short", "timed"].map(|name| folder.path().join(name));
    let text = config(2, "").replace("max_steps = 3", "max_steps = 1");
    assert_eq!(run(&short, &text, u64::MAX), End::Finished);
    let text = format!("seconds = 0.001\n{}", config(2, ""));
    assert_eq!(run(&timed, &text, 3), End::Stopped);
    assert_eq!(run(&timed, "", u64::MAX), End::Finished);
    assert_eq!(run(&timed, "", u64::MAX), End::Finished);
    assert_eq!(steps(&timed).len(), 1);
    assert!(network(&timed) == network(&short));
    let mut over = AlphaZeroRun::resume(&timed, Resources::default()).unwrap();
    assert_eq!(
        over.extend(5).unwrap_err().to_string(),
        "the 0.001 seconds of the run are over, so more steps would not begin"
    );
    let wrong = config(1, "").replace("[alphazero]", "seconds = 0\n[alphazero]");
    let refused = AlphaZeroConfig::parse(&wrong, "az.toml").unwrap_err();
    assert_eq!(
        (refused.sentence.as_str(), refused.example.as_str()),
        (
            "az.toml: seconds has to be from 0.001 to 1000000000, not 0",
            "seconds = 300.0"
        )
    );
}

/// Passes are no positions to learn: what the buffer holds is not what was played.
/// Somebody else may play the games: as jobs in lines of JSON, in any order and more than once.
#[test]
fn games_accepted_in_any_order_and_twice_give_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let text = config(2, "").replace("max_steps = 3", "max_steps = 1");
    let whole = folder.path().join("whole");
    assert_eq!(run(&whole, &text, u64::MAX), End::Finished);

    let path = folder.path().join("accepted");
    let mut accepted = AlphaZeroRun::create(&path, &text, "az.toml", Resources::default()).unwrap();
    let plan = accepted.plan().unwrap().unwrap();
    assert_eq!(plan.missing.len() as u64, plan.games);
    let context = SelfPlayContext::new(
        AlphaZeroConfig::parse(&text, "az.toml").unwrap(),
        DeepNetwork::load(&path.join("network.safetensors")).unwrap(),
        Resources::default(),
    );
    let mut lines = Vec::new();
    for games in plan.missing.chunks(3).rev() {
        let job = SelfPlay {
            network: plan.network.clone(),
            games: games.to_vec(),
        };
        let job = serde_json::to_string(&job).unwrap();
        let budget = Budget::unlimited();
        let done = job::perform::<_, SelfPlay>(&job, &context, &budget).unwrap();
        let done: Done<SelfPlay, Vec<Played>> = serde_json::from_str(&done.unwrap()).unwrap();
        lines.extend(
            done.result
                .iter()
                .map(|it| serde_json::to_string(it).unwrap()),
        );
    }
    let budget = Budget::unlimited();
    assert!(accepted.learn(&budget, &Unwatched).is_err());
    let (first, rest) = lines.split_at(4);
    assert_eq!(
        accepted.accept(first.iter().map(String::as_str)).unwrap(),
        4
    );
    // What was accepted outlives the process.
    drop(accepted);
    let mut accepted = AlphaZeroRun::resume(&path, Resources::default()).unwrap();
    let missing = accepted.plan().unwrap().unwrap().missing.len();
    assert_eq!(missing, rest.len());
    let foreign = rest[0].replace(&plan.network, "0123456789abcdef");
    assert!(accepted.accept([foreign.as_str()]).is_err());
    let all = lines.iter().rev().map(String::as_str);
    assert_eq!(accepted.accept(all).unwrap(), rest.len() as u64);
    assert!(accepted.learn(&budget, &Unwatched).unwrap());
    assert!(accepted.evaluate(&budget, &Unwatched).unwrap().is_some());
    assert_eq!(accepted.plan().unwrap(), None);
    assert!(network(&path) == network(&whole));
}

#[test]
fn a_game_with_passes_is_resumed_too() {
    let text = config(1, "max_steps = 5")
        .replace("max_steps = 3\n", "")
        .replace("clobber", "othello")
        .replace("\"3x3\", \"3x4\"", "\"3x3\"");
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    assert_eq!(run(&whole, &text, u64::MAX), End::Finished);
    let broken = folder.path().join("broken");
    let mut rounds = 0;
    while run(&broken, &text, 5 + 3 * rounds) == End::Stopped {
        rounds += 1;
    }
    assert!(rounds > 2, "{rounds}");
    assert!(network(&broken) == network(&whole));
}

#[test]
fn a_run_without_its_first_checkpoint_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, begun] = ["whole", "begun"].map(|name| folder.path().join(name));
    run(&whole, &config(1, ""), u64::MAX);
    assert_eq!(run(&begun, &config(1, ""), 0), End::Stopped);
    fs::remove_file(begun.join("state.json")).unwrap();
    assert_eq!(run(&begun, &config(1, ""), u64::MAX), End::Finished);
    assert!(network(&begun) == network(&whole));
}

#[test]
fn options_are_heard() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    run(&plain, &config(1, ""), u64::MAX);
    for (place, option) in [
        "exact = 6",
        "exact_targets = 9",
        "exact_moves = 9",
        "final_learning_rate = 0.0001",
        "full_search_share = 0.5",
        "random_plies = 4",
        "symmetry = false",
        "tree_targets = 3",
    ]
    .into_iter()
    .enumerate()
    {
        let other = folder.path().join(place.to_string());
        assert_eq!(run(&other, &config(1, option), u64::MAX), End::Finished);
        assert!(network(&other) != network(&plain), "{option}");
    }
}

#[test]
fn solved_moves_are_learned_as_a_search_of_the_whole_tree_finds_them() {
    type Position = <Clobber<u64> as Rules>::Position;
    fn wins(game: &Clobber<u64>, position: &Position) -> bool {
        let mut moves = game.moves(position);
        moves.any(|mv| !wins(game, &game.play_unchecked(position, mv)))
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    run(&path, &config(1, "exact_moves = 9"), u64::MAX);
    let games = fs::read_to_string(path.join("games-000003.jsonl")).unwrap();
    let (mut policies, mut siblings) = (0, 0);
    for line in games.lines() {
        let played: serde_json::Value = serde_json::from_str(line).unwrap();
        let grid: Grid = played["board"].as_str().unwrap().parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let mut position = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        for ply in played["plies"].as_array().unwrap() {
            let after = |name: &serde_json::Value| {
                let mv = game.move_named(name.as_str().unwrap()).unwrap();
                game.play(&position, mv).unwrap()
            };
            let setup = game.setup(&position);
            let left = setup.occupied().len();
            let shares = ply["policy"].as_array().unwrap();
            if left <= 9 && wins(&game, &position) {
                for (mv, share) in game.moves(&position).zip(shares) {
                    let loses = wins(&game, &game.play_unchecked(&position, mv));
                    assert!(!loses || share.as_f64() == Some(0.0), "{line}");
                }
                policies += 1;
            }
            for inside in ply["inside"].as_array().into_iter().flatten() {
                let value = if wins(&game, &after(&inside["line"][0])) {
                    1.0
                } else {
                    -1.0
                };
                assert_eq!(inside["value"].as_f64(), Some(value), "{line}");
                assert!(left <= 9);
                siblings += 1;
            }
            position = after(&ply["move"]);
        }
    }
    assert!(policies > 10 && siblings > 10, "{policies} {siblings}");
}

#[test]
fn a_run_begins_where_another_ended() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, third] = ["first", "second", "third"].map(|name| folder.path().join(name));
    run(&first, &config(1, ""), u64::MAX);
    let file = first.join("network.safetensors");
    let text = format!("start = {:?}\n{}", file.to_str().unwrap(), config(1, ""));
    run(&second, &text, 0);
    assert_eq!(network(&second), network(&first));

    let other = text.replace("nn_width = 8", "nn_width = 12");
    let refused = AlphaZeroRun::create(&third, &other, "az.toml", Resources::default());
    let sentence = refused.err().unwrap().to_string();
    assert!(
        sentence.contains("8 wide") && sentence.contains("12 wide"),
        "{sentence}"
    );
    assert!(!third.exists());
}

#[test]
fn damage_and_nonsense_get_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |more: &str, parts: &[&str]| {
        let path = folder.path().join("refused");
        let made = AlphaZeroRun::create(&path, &config(1, more), "az.toml", Resources::default());
        let sentence = made.err().unwrap().to_string();
        for part in parts {
            assert!(sentence.contains(part), "{sentence}");
        }
        assert!(!path.exists(), "{more}");
    };
    refused("uct = 3", &["az.toml", "uct"]);
    refused(
        "uct_c = -1.0",
        &["alphazero.uct_c", "from 0 to 100", "uct_c = 1.0"],
    );
    refused("weight_decay = 7.0", &["weight_decay"]);
    refused("preset = \"tiny\"", &["az.toml"]);
    refused(
        "final_learning_rate = 0.0",
        &[
            "alphazero.final_learning_rate",
            "final_learning_rate = 0.001",
        ],
    );

    let path = folder.path().join("run");
    run(&path, &config(1, ""), u64::MAX);
    let changed = |name: &str, change: fn(&[u8]) -> Vec<u8>| {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, change(&bytes)).unwrap();
        let error = AlphaZeroRun::resume(&path, Resources::default()).err();
        let error = error.unwrap().to_string();
        assert!(error.contains(name), "{error}");
        fs::write(&file, bytes).unwrap();
    };
    let flipped = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        bytes
    };
    let without_last_byte = |bytes: &[u8]| bytes[..bytes.len() - 1].to_vec();
    for name in ["learner-000003.bin", "games-000003.jsonl", "state.json"] {
        changed(name, flipped);
        changed(name, |_| Vec::new());
    }
    changed("learner.jsonl", without_last_byte);
    changed("learner.jsonl", |bytes| [b"?", &bytes[1..]].concat());
    changed("evaluations.jsonl", without_last_byte);
    AlphaZeroRun::resume(&path, Resources::default()).unwrap();
}

/// Games of a step that was not finished are not named by the state: each has to be right by itself.
#[test]
fn games_that_were_not_played_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    assert_eq!(run(&path, &config(1, ""), 4), End::Stopped);
    let file = path.join("games-000001.jsonl");
    let sealed = fs::read_to_string(&file).unwrap();
    assert!(sealed.lines().all(|line| line.contains(",\"seal\":\"")));
    // As older programs wrote them, and as somebody who wants to be believed would.
    let unsealed = |line: &str| line.split(",\"seal\":").next().unwrap().to_owned() + "}\n";
    let text: String = sealed.lines().map(unsealed).collect();
    let refused = |changed: String| {
        assert!(changed != text);
        fs::write(&file, changed).unwrap();
        let mut run = AlphaZeroRun::resume(&path, Resources::default()).unwrap();
        let ended = run.go_on(&Budget::unlimited(), &Unwatched, &mut |_| {});
        let error = ended.unwrap_err();
        let error = error.to_string();
        assert!(error.contains("games-000001.jsonl"), "{error}");
    };
    let turned = |from: &str, to: &str| text.replacen(from, to, 1);
    refused(match text.contains("\"black\":1}") {
        true => turned("\"black\":1}", "\"black\":-1}"),
        false => turned("\"black\":-1}", "\"black\":1}"),
    });
    refused(turned("\"policy\":[", "\"policy\":[0.5,"));
    refused(turned("\"game\":", "\"game\":9000"));
    // A digit that could be another one is noticed where the line is sealed, in whichever line.
    let digit = sealed.rfind("\"policy\":[0.").unwrap() + "\"policy\":[0.".len();
    let other = if sealed[digit..].starts_with('1') {
        "2"
    } else {
        "1"
    };
    refused(format!(
        "{}{other}{}",
        &sealed[..digit],
        &sealed[digit + 1..]
    ));
    fs::write(&file, &text).unwrap();
    assert_eq!(run_on(&path), End::Finished);
}

/// Goes on to the end.
fn run_on(path: &Path) -> End {
    let mut run = AlphaZeroRun::resume(path, Resources::default()).unwrap();
    run.go_on(&Budget::unlimited(), &Unwatched, &mut |_| {})
        .unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_does_not_fit_into_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let text = "game = \"clobber\"\nboards = [\"10x10\"]\n[alphazero]\ntrain_batch_size = 65536\n\
                replay_buffer_size = 16777216\nnn_width = 512\nnn_depth = 16\n";
    let made = AlphaZeroRun::create(&path, text, "az.toml", Resources::default());
    let sentence = made.err().unwrap().to_string();
    assert!(sentence.contains("of memory"), "{sentence}");
    assert!(sentence.contains("train_batch_size"), "{sentence}");
    assert!(!path.exists());
}

/// What a new run's folder says, and what a folder of an earlier version means.
#[test]
fn short_runs_play_fewer_levels() {
    let text = |max_steps: u64, more: &str| {
        let text = config(1, "").replace("eval_levels = 2\n", more);
        text.replace("max_steps = 3", &format!("max_steps = {max_steps}"))
    };
    let levels = |text: &str| {
        let config = AlphaZeroConfig::parse(text, "az.toml").unwrap();
        config.settings().eval_levels
    };
    let begun = |text: &str| AlphaZeroConfig::begun(text, "az.toml").unwrap();
    for (max_steps, expected) in [(0, 7), (1, 4), (19, 4), (20, 7)] {
        let text = text(max_steps, "");
        assert_eq!(levels(&text), 7);
        assert_eq!(levels(&begun(&text)), expected, "{max_steps}");
        assert_eq!(begun(&begun(&text)), begun(&text));
    }
    for given in ["eval_levels = 7\n", "evaluators = 0\n"] {
        assert_eq!(begun(&text(3, given)), text(3, given));
    }
    for (seconds, expected) in [(599, 4), (600, 7)] {
        let timed = format!("seconds = {seconds}.0\n{}", text(0, ""));
        assert_eq!(levels(&begun(&timed)), expected);
    }
    // Without a line of its own for the section, and with a comment that is kept.
    let inline = "game = \"clobber\"\nboards = [\"3x3\"]\nalphazero = { max_steps = 3 }\n";
    assert_eq!(levels(&begun(inline)), 4);
    let commented = format!("# why\n{}", text(3, ""));
    assert!(begun(&commented).starts_with("# why\n"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let written = text(1, "max_simulations = 2\n").replacen("max_simulations = 8\n", "", 1);
    assert_eq!(run(&path, &written, u64::MAX), End::Finished);
    assert_eq!(steps(&path)[0].eval.results.len(), 4);
    let kept = fs::read_to_string(path.join("config.toml")).unwrap();
    assert_eq!(kept, begun(&written));
}

/// Games begin with the other side's stones, are said to begin there, and tests against the solver are played there too.
#[test]
fn colors_are_inverted() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, inverted] = ["plain", "inverted"].map(|name| folder.path().join(name));
    let text = config(1, "").replace("\"3x3\", \"3x4\"", "\"3x3\"");
    assert_eq!(run(&plain, &text, u64::MAX), End::Finished);
    let text = text.replace("[alphazero]", "invert_colors = true\n[alphazero]");
    assert_eq!(run(&inverted, &text, 7), End::Stopped);
    assert_eq!(run(&inverted, &text, u64::MAX), End::Finished);
    assert!(network(&plain) != network(&inverted));
    let grid: Grid = "3x3".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let games = |folder: &Path| -> Vec<Played> {
        let text = fs::read_to_string(folder.join("games-000003.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    for played in games(&inverted) {
        assert_eq!(played.board, "oxo|xox|oxo");
        // By the rules, from the board as it is written.
        let setup = played.board.parse().unwrap();
        let mut position = game.position(&setup, Color::Black).unwrap();
        assert_eq!((position.own.len(), position.opponent.len()), (4, 5));
        for ply in &played.plies {
            let mv = game.move_named(&ply.mv).unwrap();
            position = game.play(&position, mv).unwrap();
        }
        let black = game.black_score(&position).unwrap();
        assert_eq!(black.signum(), played.black);
    }
    assert!(games(&plain).iter().all(|played| played.board == "3x3"));
    let tests = fs::read_to_string(inverted.join("evaluations.jsonl")).unwrap();
    assert!(tests.lines().all(|line| line.contains("oxo|xox|oxo")));
    assert!(steps(&inverted)[1].kept.is_some());
}
