//! Runs: learning of every kind, interrupted and resumed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use upstar_agents::Resources;
use upstar_games::{Cells as _, Color, Game as _, Rules as _};
use upstar_jobs::Ledger;
use upstar_nets::{Network, one_ply};
use upstar_solve::clobber::ValueTables;
use upstar_solve::{Settings, Solver};
use upstar_train::{Block, Config, Learnable, RunError, solved};

use crate::setup::{clobber, create, othello, resume};

/// The networks and the results of a run from beginning to end.
fn whole<G: Learnable>(config: &str, game: (G, G::Position)) -> (Vec<Network>, Vec<Block>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = create(&path, config, game).unwrap();
    while run.step().unwrap().is_some() {}
    let networks: Vec<Network> = run.networks().cloned().collect();
    let files = run.network_files();
    let saved = files.iter().map(|file| Network::load(file).unwrap());
    assert_eq!(saved.collect::<Vec<_>>(), networks);
    (networks, run.results().unwrap())
}

const LEIDEN: &str = r#"
game = "clobber"
board = "4x4"
games = 3000
block = 500
evaluation = 500
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

#[test]
fn a_network_learns_against_random() {
    let (_, results) = whole(LEIDEN, clobber("4x4"));
    assert_eq!(results.len(), 7);
    let last = results.last().unwrap();
    assert_eq!((last.phase.as_str(), last.played), ("evaluation", 500));
    assert!(last.win_rate > 0.65, "{last:?}");
    assert!(results[0].live_gradient_share.unwrap() > 0.5 && !last.dead);
    // The fast way says as much about training blocks as the plain one.
    assert!(results[0].opinion_share.unwrap() > 0.5 && !results[0].dead);
    assert_eq!(results[0].win_rate_as_x, Some(results[0].win_rate));
}

const ETOEHARNOWO: &str = r#"
game = "clobber"
board = "4x4"
games = 90
block = 30
evaluation = 50
[network]
encoder = "etoeharnowo2017"
hidden = [20]
activation = "sigmoid:2"
initial = "uniform:-0.5,0.5"
[opponent]
agent = "random"
network = "x"
[learning]
rate = 0.02
temporal_rate = 0.1
positions = "all"
"#;

/// etoeharnowo2017, table 5.2: the fast way plays the games that the plain way plays, and learns the same.
#[test]
fn sigmoids_learn_the_fast_way_what_they_learn_the_plain_way() {
    for config in [
        ETOEHARNOWO.to_owned(),
        ETOEHARNOWO.replace("\"x\"", "\"o\""),
        ETOEHARNOWO.replace("\"all\"", "\"own\""),
        ETOEHARNOWO.replace("etoeharnowo2017", "leiden2018"),
    ] {
        // Who asks a solver about moves plays the plain way.
        let plain = format!("perfect_moves = 1\n{config}");
        let (fast_networks, fast) = whole(&config, clobber("4x4"));
        let (plain_networks, plain) = whole(&plain, clobber("4x4"));
        assert_eq!(fast.len(), 4);
        for (fast, plain) in fast.iter().zip(&plain) {
            // Only the plain way counts endings of training games.
            let training = fast.phase == "training";
            assert_eq!((fast.endings, plain.endings.is_some()), (None, training));
            let said = |block: &Block| (block.wins, block.played, block.live_gradient_share);
            assert_eq!(said(fast), said(plain), "{config}");
        }
        let [fast, plain] = [&fast_networks[0], &plain_networks[0]];
        let inputs = 0..fast.shape().encoder.inputs(&fast.shape().grid);
        for input in inputs {
            let pairs = fast
                .input_weights(input)
                .iter()
                .zip(plain.input_weights(input));
            for (fast, plain) in pairs {
                assert!((fast - plain).abs() < 1e-4, "{config}: {fast} {plain}");
            }
        }
    }
}

/// The slow way, by a network with a convolutional layer, which has learned as much.
#[test]
fn a_convolutional_network_learns_against_random() {
    let config = LEIDEN
        .replace("hidden", "convolutions = [8]\nhidden")
        .replace("\"relu\"\ninitial = \"uniform:0,1,0.1\"", "\"tanh\"")
        .replace("rate = 2e-4\nwin = 10.0\nloss = -10.0", "rate = 0.01");
    let (networks, results) = whole(&config, clobber("4x4"));
    assert_eq!(networks[0].shape().convolutions, [8]);
    // A kernel of 3×3 and a bias for each filter.
    assert_eq!(networks[0].parameters(), 8 * 10 + 20 * 129 + 21);
    let last = results.last().unwrap();
    assert!(last.win_rate > 0.65, "{last:?}");
}

const EVERY_KIND: [&str; 9] = [
    // An opponent with a memory.
    "[opponent]\nagent = \"counter\"\n[learning]\nrate = 0.02\n",
    // etoeharnowo2017: 10 % growth, all positions.
    "[opponent]\nagent = \"random\"\nnetwork = \"o\"\n[learning]\nrate = 0.02\ntemporal_rate = 0.1\npositions = \"all\"\n",
    // Annealing, random moves in the first games, both colours, snapshots.
    "[opponent]\nagent = \"pick-first\"\nnetwork = \"both\"\n[learning]\nrate = 0.02\nanneal = 0.1\nrandom_moves = 0.3\nrandom_games = 50\n",
    "[opponent]\nagent = \"itself\"\n[learning]\nrate = 0.02\nlambda = 0.7\n",
    "[opponent]\nagent = \"network\"\n[learning]\nrate = 0.02\npresentations = 20\n",
    "[opponent]\nagent = \"examples\"\n[learning]\nrate = 0.02\n",
    // A training set that grows, and an error that is not multiplied by the output's slope.
    "[opponent]\nagent = \"network\"\n[learning]\nrate = 0.02\npresentations = 20\ngrowing_set = true\noutput_derivative = false\nrandom_moves = 0.2\n",
    "[opponent]\nagent = \"itself\"\n[learning]\nmethod = \"adam\"\nrate = 0.002\nbatch = 16\nsymmetry = true\nrandom_moves = 0.2\n",
    // In passes, with exact results.
    "[opponent]\nagent = \"itself\"\n[learning]\nmethod = \"adam\"\nobjective = \"cross-entropy\"\nrate = 0.002\nbatch = 16\npasses = 2\nrandom_plies = 3\nrandom_moves = 0.2\nafter_random = true\nexact = 7\n",
];

/// Batches of Adam end with their block, so its snapshots are at such ends.
fn snapshot(kind: &str) -> u64 {
    if kind.contains("adam") { 120 } else { 100 }
}

fn every_kind(kind: &str) -> String {
    let snapshot = snapshot(kind);
    let head = format!(
        "game = \"clobber\"\nboard = \"3x3\"\ngames = 240\nblock = 60\nsnapshot = {snapshot}\nevaluation = 20\n"
    );
    let network = "[network]\nencoder = \"etoeharnowo2017\"\nhidden = [12, 5]\nactivation = \"sigmoid:2\"\noutput = \"tanh\"\n";
    format!("{head}{network}{kind}")
}

/// Stopped after each block and resumed, with remains of a block that was not finished.
#[test]
fn resumed_runs_end_like_undisturbed_ones() {
    let convolutional =
        |kind: &&str| every_kind(kind).replace("[12, 5]", "[5]\nconvolutions = [2, 3]");
    let kinds = EVERY_KIND.iter().map(|kind| (*kind, every_kind(kind)));
    // All positions by backpropagation, TD(lambda), Adam in passes.
    let more = [1, 3, 8].map(|kind| EVERY_KIND[kind]);
    let more = more.iter().map(|kind| (*kind, convolutional(kind)));
    // The fast way too.
    let fast = every_kind(EVERY_KIND[1]).replace("[12, 5]", "[12]");
    let fast = fast.replace("output = \"tanh\"\n", "");
    let fast = [(EVERY_KIND[1], fast)];
    for (kind, config) in kinds.chain(more).chain(fast) {
        let (networks, results) = whole(&config, clobber("3x3"));
        assert_eq!(whole(&config, clobber("3x3")).0, networks, "{kind}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        drop(create(&path, &config, clobber("3x3")).unwrap());
        loop {
            let mut run = resume(&path, clobber("3x3")).unwrap();
            if run.step().unwrap().is_none() {
                let resumed: Vec<Network> = run.networks().cloned().collect();
                assert_eq!(resumed, networks, "{kind}");
                assert_eq!(run.results().unwrap(), results, "{kind}");
                break;
            }
            // As if it had been killed between the line and the checkpoint of the next block.
            let lines = path.join("results.jsonl");
            let text = std::fs::read_to_string(&lines).unwrap();
            std::fs::write(&lines, text + "{\"phase\":\"training\",\"gam").unwrap();
            std::fs::write(path.join("state.json.part"), "{").unwrap();
            let set = path.join("training-set.jsonl");
            if let Ok(text) = std::fs::read_to_string(&set) {
                let last = text.lines().last().unwrap().to_owned();
                std::fs::write(&set, format!("{text}{last}\n{{\"stu")).unwrap();
            }
        }
        let kept = |games: u64| {
            path.join(format!("network-{games:012}-0.safetensors"))
                .exists()
        };
        let every = snapshot(kind);
        assert!(kept(every) && kept(2 * every) && !kept(60), "{kind}");
    }
}

const PASSES: &str = r#"
game = "clobber"
board = "4x4"
games = 600
block = 200
evaluation = 400
evaluation_agent = "random"
[network]
encoder = "shapes"
hidden = [16, 8]
activation = "leaky-relu"
output = "tanh"
[opponent]
agent = "itself"
network = "both"
[learning]
method = "adam"
objective = "cross-entropy"
rate = 0.005
anneal = 0.1
batch = 32
passes = 2
random_plies = 4
random_moves = 0.2
after_random = true
exact = 16
"#;

/// The games of a block are shared among threads, and it does not matter how many these are.
#[test]
fn threads_do_not_matter() {
    let learned = |threads: usize| {
        let folder = tempfile::tempdir().unwrap();
        let run = create(&folder.path().join("run"), PASSES, clobber("4x4")).unwrap();
        let mut run = run.with_threads(threads);
        while run.step().unwrap().is_some() {}
        let networks: Vec<Network> = run.networks().cloned().collect();
        (networks, run.results().unwrap())
    };
    let (networks, results) = learned(1);
    assert_eq!(learned(3), (networks, results.clone()));
    let [first, .., last_block, evaluation] = &results[..] else {
        panic!("three blocks and an evaluation");
    };
    assert!(last_block.error < first.error, "{results:?}");
    let kept = evaluation.kept_share.unwrap();
    assert!(
        evaluation.win_rate_as_x > Some(0.85) && kept > 0.85,
        "{evaluation:?}"
    );
}

/// The solvers of a run lease their memory and threads, and give them back; how much they get does not matter.
#[test]
fn the_ledger_limits_solvers_and_changes_nothing() {
    const MEMORY: usize = 64 << 20;
    let resources = |memory: usize| {
        let ledger = Ledger::new(memory, 2);
        let settings = Settings {
            tables: ValueTables::in_memory().with_ledger(&ledger),
            ledger: ledger.clone(),
            ..Settings::default()
        };
        let solver = Solver::new(settings);
        let resources = Resources {
            solver,
            ..Resources::default()
        };
        (resources, ledger)
    };
    let learned = |resources: Option<&Resources>| {
        let folder = tempfile::tempdir().unwrap();
        let run = create(&folder.path().join("run"), PASSES, clobber("4x4")).unwrap();
        let mut run = run.with_threads(3);
        if let Some(resources) = resources {
            run = run.with_resources(resources);
        }
        let mut leased = 0;
        while run.step()?.is_some() {
            leased = resources.map_or(0, |it| MEMORY - it.ledger().free());
        }
        let networks: Vec<Network> = run.networks().cloned().collect();
        Ok::<_, RunError>((networks, run.results().unwrap(), leased))
    };
    let (networks, results, _) = learned(None).unwrap();
    let (limited, ledger) = resources(MEMORY);
    let (small, lines, leased) = learned(Some(&limited)).unwrap();
    assert!(small == networks && lines == results);
    assert!(leased > 0, "the solvers of the run have leased nothing");
    drop(limited);
    assert_eq!(ledger.free(), MEMORY);
    let (none, _) = resources(1 << 16);
    let sentence = learned(Some(&none)).unwrap_err().to_string();
    assert!(sentence.starts_with("exact results: "), "{sentence}");
    assert!(sentence.contains("MB of memory are needed"), "{sentence}");
}

/// Othello learns in passes too, and sees lines.
#[test]
fn othello_learns_in_passes() {
    let config = PASSES
        .replace("\"clobber\"", "\"othello\"")
        .replace("\"shapes\"", "\"lines\"")
        .replace("exact = 16", "exact = 12");
    let (_, results) = whole(&config, othello("4x4"));
    let evaluation = results.last().unwrap();
    assert!(evaluation.kept_share > Some(0.8), "{evaluation:?}");
    // White wins 4x4 with best play.
    assert!(evaluation.win_rate_as_o > Some(0.8), "{evaluation:?}");
}

/// A run limited by time learns as many games as it can, also in several sessions.
#[test]
fn time_ends_a_run() {
    for kind in [EVERY_KIND[0], EVERY_KIND[5], EVERY_KIND[8]] {
        let config = every_kind(kind).replace("games = 240", "seconds = 0.2");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let mut run = create(&path, &config, clobber("3x3")).unwrap();
        assert_eq!(run.time_left(), Some(Duration::from_millis(200)));
        let first = run.step().unwrap().unwrap();
        drop(run);
        let mut run = resume(&path, clobber("3x3")).unwrap();
        let left = run.time_left().unwrap().as_secs_f64();
        assert!(
            (left + first.learning_seconds.unwrap() - 0.2).abs() < 1e-6,
            "{kind}"
        );
        while run.step().unwrap().is_some() {}
        let results = run.results().unwrap();
        let [.., last, evaluation] = &results[..] else {
            panic!("blocks and an evaluation");
        };
        assert_eq!(
            (last.games, evaluation.phase.as_str()),
            (run.games(), "evaluation")
        );
        assert!(
            last.learning_seconds >= Some(0.2) && last.games > 60,
            "{last:?}"
        );
    }
    let open = every_kind(EVERY_KIND[0]).replace("games = 240", "");
    let error = Config::parse(&open, "test.toml").unwrap_err().to_string();
    assert!(
        error.contains("test.toml, games: say how many games"),
        "{error}"
    );
}

/// The child of the next test.
#[test]
#[ignore = "run by another test"]
fn child() {
    let Ok(folder) = std::env::var("UPSTAR_TEST_RUN") else {
        return;
    };
    let mut run = resume(Path::new(&folder), clobber("4x4")).unwrap();
    while run.step().unwrap().is_some() {}
}

#[test]
fn a_killed_run_ends_like_an_undisturbed_one() {
    kill_again_and_again(&LEIDEN.replace("block = 500", "block = 20"));
}

#[test]
fn a_killed_run_in_passes_ends_like_an_undisturbed_one() {
    kill_again_and_again(&PASSES.replace("block = 200", "block = 20"));
}

fn kill_again_and_again(config: &str) {
    let (networks, results) = whole(config, clobber("4x4"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(create(&path, config, clobber("4x4")).unwrap());
    let mut killed = 0;
    for patience in 0.. {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "runs::child", "--ignored"])
            .env("UPSTAR_TEST_RUN", &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(25 + 35 * patience));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert!(killed > 0);
    let run = resume(&path, clobber("4x4")).unwrap();
    assert_eq!(run.networks().cloned().collect::<Vec<_>>(), networks);
    assert_eq!(run.results().unwrap(), results);
}

/// cammel2015, chapter 4, in small: a board's optimal outcomes are learned from examples.
#[test]
fn examples_are_learned() {
    let (game, start) = othello("3x4");
    let examples = solved(&game, &start, 1_000_000).unwrap();
    assert!(examples.len() > 300 && solved(&game, &start, 100).is_none());
    let config = r#"
game = "othello"
board = "3x4"
games = 60000
block = 20000
evaluation = 1
[network]
encoder = "cammel2015"
hidden = [6]
activation = "sigmoid"
[opponent]
agent = "examples"
[learning]
rate = 0.2
win = 1.0
draw = 0.5
loss = 0.0
"#;
    let learned = whole(config, (game.clone(), start));
    let untaught = whole(
        &config.replace("games = 60000", "games = 0"),
        (game.clone(), start),
    );
    let shares = [&learned, &untaught].map(|(networks, results)| {
        let share = results.last().unwrap().perfect_share.unwrap();
        assert_eq!(share, plain_perfect_share(&networks[0], &game, &start));
        share
    });
    assert!(shares[1] < shares[0] && shares[0] > 0.95, "{shares:?}");
    let (_, results) = learned;
    let errors: Vec<f64> = results.iter().map(|block| block.error.unwrap()).collect();
    assert!(errors[3] < 0.2 && errors[3] < errors[0], "{errors:?}");
}

/// The result for the side to move, by searching to the end.
fn worth<G: Learnable>(game: &G, position: &G::Position) -> i32 {
    let ended = game.score(position).map(i32::signum);
    ended.unwrap_or_else(|| {
        let moves = game.moves(position);
        let worths = moves.map(|mv| -worth(game, &game.play_unchecked(position, mv)));
        worths.max().unwrap()
    })
}

/// A network that learns nothing plays the same game again and again: its moves are counted by hand.
#[test]
fn perfect_moves_are_counted_in_games() {
    let config = r#"
game = "clobber"
board = "3x4"
games = 20
block = 10
evaluation = 10
perfect_moves = 10
[network]
encoder = "planes"
hidden = [5]
activation = "tanh"
[opponent]
agent = "pick-first"
[learning]
rate = 0.0
"#;
    let (game, mut position) = clobber("3x4");
    let (networks, results) = whole(config, (game.clone(), position));
    let (mut all, mut perfect) = (0, 0);
    while let Some(first) = game.moves(&position).next() {
        let mut mv = first;
        if game.to_move(&position) == Color::Black {
            mv = one_ply(&networks[0], &game, &position)
                .unwrap()
                .best
                .unwrap()
                .mv;
            if position.occupied().len() <= 10 {
                let after = game.play_unchecked(&position, mv);
                all += 1;
                perfect += i32::from(-worth(&game, &after) == worth(&game, &position));
            }
        }
        position = game.play_unchecked(&position, mv);
    }
    assert!(all > 1);
    for block in &results {
        assert_eq!(
            block.perfect_share,
            Some(f64::from(perfect) / f64::from(all)),
            "{block:?}"
        );
        assert_eq!(block.kept_share, None);
    }
    // Whoever plays against itself, in passes too, is looked at as well.
    for more in ["", "passes = 1\n"] {
        let config = config.replace("pick-first", "itself") + more;
        let (_, results) = whole(&config, clobber("3x4"));
        assert!(results[0].perfect_share > Some(0.3), "{results:?}");
    }
}

/// In how many positions the network's move is as good as any, by searching each to its end.
fn plain_perfect_share<G: Learnable>(network: &Network, game: &G, start: &G::Position) -> f64 {
    let examples = solved(game, start, 1_000_000).unwrap();
    let positions = examples.iter().map(|example| example.position);
    let (mut all, mut perfect) = (0, 0);
    for position in positions.chain([*start]) {
        if let Some(best) = one_ply(network, game, &position).unwrap().best {
            let after = game.play_unchecked(&position, best.mv);
            all += 1;
            perfect += u32::from(-worth(game, &after) == worth(game, &position));
        }
    }
    f64::from(perfect) / f64::from(all)
}

#[test]
fn weights_from_another_network() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.safetensors");
    let (networks, _) = whole(LEIDEN, clobber("4x4"));
    networks[0].save(&file).unwrap();
    let start = format!("start = \"{}\"\n[learning]", file.display());
    let config = LEIDEN
        .replace("[learning]", &start)
        .replace("games = 3000", "games = 0");
    assert_eq!(whole(&config, clobber("4x4")).0, networks);
    let other = config.replace("[20]", "[21]");
    let error = create(&folder.path().join("other"), &other, clobber("4x4"))
        .err()
        .unwrap();
    for shape in ["16-20-1", "16-21-1"] {
        assert!(error.to_string().contains(shape), "{error}");
    }
    assert!(!folder.path().join("other").exists());
}

#[test]
fn errors_name_file_key_and_example() {
    let message = |from: &str, to: &str| {
        let error = Config::parse(&LEIDEN.replace(from, to), "a.toml").unwrap_err();
        error.to_string()
    };
    assert_eq!(
        message("rate = 2e-4", "rate = -1.0"),
        "a.toml, learning.rate: -1 is not from 0 to 1000; for example learning.rate = 0.001"
    );
    assert!(message("\"4x4\"", "\"4x\"").contains("board = \"4x4\""));
    assert!(message("\"clobber\"", "\"chess\"").starts_with("a.toml, game: "));
    assert!(message("games = 3000", "gmaes = 3000").starts_with("a.toml, line 4: unknown key"));
    assert!(message("games = 3000", "gmaes = 3000").ends_with("for example games = 1000000"));
    assert!(message("\"relu\"", "\"relo\"").contains("is not an activation"));
    assert!(message("\"relu\"", "\"relo\"").ends_with("activation = \"leaky-relu\""));
    let unclosed = message("\"clobber\"", "\"clobber");
    assert!(
        unclosed.starts_with("a.toml, line 2: ") && unclosed.ends_with("game = \"clobber\""),
        "{unclosed}"
    );
    let missing = message("rate = 2e-4", "");
    assert!(missing.contains("missing key `rate`"), "{missing}");
    assert!(missing.ends_with("learning.rate = 0.001"), "{missing}");
    let kinds = [
        (
            "games = 3000",
            "games = \"many\"",
            "\"many\" where a whole number from 0 belongs",
        ),
        ("rate = 2e-4", "rate = true", "true where a number belongs"),
        (
            "hidden = [20]",
            "hidden = 20",
            "20 where a list in brackets belongs",
        ),
        ("\"4x4\"", "4.5", "4.5 where a text in quotes belongs"),
    ];
    for (from, to, said) in kinds {
        let message = message(from, to);
        assert!(message.contains(said), "{message}");
    }
    let with = |keys: &str| message("rate = 2e-4", &format!("rate = 2e-4\n{keys}"));
    assert_eq!(
        with("passes = 2"),
        "a.toml, learning.passes: only games of the network against itself are learned in passes; for example opponent.agent = \"itself\""
    );
    assert!(with("exact = 5").contains("learning.exact: exact results are for games"));
    assert!(with("random_plies = 5").contains("learning.random_plies: random first plies"));
    assert!(with("objective = \"cross-entropy\"").contains("is learned by adam"));
    assert!(with("objective = \"entropy\"").ends_with("learning.objective = \"squared\""));
    assert!(with("lambda = 0.5\nsymmetry = true").ends_with("learning.symmetry = false"));
    assert!(with("lambda = 0.5\npresentations = 3").contains("TD(lambda) learns each position"));
    assert!(with("exakt = 5").ends_with("learning.exact = 12"));
    let crossed = "method = \"adam\"\nobjective = \"cross-entropy\"";
    assert!(with(crossed).contains("network.output: cross-entropy needs an output"));
    let bounded = LEIDEN.replace("\"relu\"", "\"tanh\"");
    let bounded = bounded.replace("rate = 2e-4", &format!("rate = 2e-4\n{crossed}"));
    let error = Config::parse(&bounded, "a.toml").unwrap_err().to_string();
    assert!(
        error.starts_with("a.toml, learning.win: 10 is not from -1 to 1"),
        "{error}"
    );
    assert!(message("hidden = [20]", "hidden = []").contains("network.hidden = [100]"));
    assert!(message("[learning]", "[opponent]\nnetwork = \"z\"\n[learning]").contains("= \"x\""));
    let folder = tempfile::tempdir().unwrap();
    let error = |config: &str| {
        create(&folder.path().join("run"), config, clobber("4x4"))
            .err()
            .unwrap()
    };
    let unknown = LEIDEN.replace("[learning]", "[opponent]\nagent = \"nobody\"\n[learning]");
    assert_eq!(
        error(&unknown).to_string(),
        "test.toml, opponent.agent: 'nobody' is not an agent; for example opponent.agent = \"random\""
    );
    std::fs::write(folder.path().join("file"), "").unwrap();
    let full = create(folder.path(), LEIDEN, clobber("4x4")).err().unwrap();
    assert!(full.to_string().contains("is not empty"));
    assert!(resume(folder.path(), clobber("4x4")).is_err());
}
