//! Searches for parameters, with an objective whose answer is known.

use std::path::Path;

use upstar_agents::Resources;
use upstar_jobs::Budget;
use upstar_train::RunError;
use upstar_train::alphazero::{AlphaZeroRun, Examination, Measure};
use upstar_train::tune::{Base, Line, Search, Tune, trained_alphazero};

const CONFIG: &str = r#"
game = "clobber"
board = "4x4"
games = 8100
block = 100
seed = 5
[network]
encoder = "leiden2018"
hidden = [20]
activation = "relu"
[learning]
method = "adam"
win = 100.0
loss = -100.0
[tune]
trials = 81
brackets = 3
[space]
"learning.rate" = { log_uniform = [1e-6, 1e-1] }
"learning.temporal_rate" = { uniform = [0.0, 0.5] }
"network.hidden" = { choices = [[10], [20], [40]] }
"learning.batch" = { integers = [1, 256] }
"#;

/// Best with a rate of 1e-4, better with more games; wide networks win a little, and the rest is noise.
/// Rates above 1e-2 kill.
fn synthetic(config: &str, games: u64) -> Option<f64> {
    let table: toml::Table = toml::from_str(config).unwrap();
    let rate = table["learning"]["rate"].as_float().unwrap();
    let hidden = table["network"]["hidden"][0].as_integer().unwrap();
    let batch = table["learning"]["batch"].as_integer().unwrap();
    let noise = (batch * 7919 % 101) as f64 / 101.0;
    let far = (rate.log10() + 4.0).powi(2);
    let learned = 1.0 - (-(games as f64) / 3000.0).exp();
    let score = learned * (1.0 - far / 10.0 + 0.002 * hidden as f64 + 0.02 * noise);
    (rate < 1e-2).then_some(score)
}

fn lines(tune: &Tune) -> Vec<String> {
    let mut lines: Vec<String> = tune
        .lines()
        .iter()
        .map(|line| format!("{line:?}"))
        .collect();
    lines.sort();
    lines
}

fn objective(_: &Path, config: &str, games: u64) -> Result<Option<f64>, RunError> {
    Ok(synthetic(config, games))
}

/// Whatever the block is, the first bracket has as many rungs as its trials allow, each three times as long.
#[test]
fn blocks_are_as_small_as_rungs_need() {
    for block in [100, 601, 1000, 10_000] {
        let config = CONFIG
            .replace(
                "games = 8100\nblock = 100",
                &format!("games = 5400\nblock = {block}"),
            )
            .replace("trials = 81", "trials = 9");
        let search = Search::parse(&config, "a.toml").unwrap();
        let games = search.plan.brackets[0].rungs.iter().map(|rung| rung.length);
        assert_eq!(games.collect::<Vec<_>>(), [600, 1800, 5400], "{block}");
    }
    // One of more than there are trials: all have one rung, and whole blocks.
    let config = CONFIG.replace("[tune]", "[tune]\nkeep = 100");
    let search = Search::parse(&config, "a.toml").unwrap();
    assert_eq!(search.plan.brackets[0].rungs.len(), 1);
    assert!(search.samples()[0].contains("block = 100\n"));
}

#[test]
fn the_best_is_found_and_what_mattered_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tune");
    let mut tune = Tune::create(&path, CONFIG, "a.toml").unwrap();
    let complete = tune
        .run(3, &Budget::unlimited(), &objective, &mut |_| {})
        .unwrap();
    assert!(complete);
    let report = tune.finish().unwrap();
    assert!(report.complete && report.rungs == report.of && report.dead > 0);
    let best = report.best.as_ref().unwrap();
    let rate = best.values["learning.rate"].as_float().unwrap();
    assert!((3e-5..3e-4).contains(&rate), "{rate}");
    assert_eq!(best.learned.number(), 8100);
    let first = &report.parameters[0];
    assert_eq!(first.key, "learning.rate");
    assert!(first.explained > 0.6 && first.chance == 0.0, "{first:?}");
    let of = |key: &str| report.parameters.iter().find(|p| p.key == key).unwrap();
    assert!(of("learning.temporal_rate").chance > 0.01);
    assert!(of("network.hidden").correlation.is_none());
    // It is cheaper than it looks: full runs of all trials would have learned many times as much.
    let plan = &tune.search().plan;
    assert!(plan.length() * 4 < plan.trials() as u64 * 8100);
    let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
    upstar_train::Config::parse(&read("best.toml"), "best.toml").unwrap();
    assert!(read("report.txt").contains("learning.rate"));
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(json["trials"], report.trials);
}

/// CMA-ES and the genetic search find the same region with no more games, and better values within it than random
/// ones on average.
#[test]
fn generations_find_the_best_too() {
    let found = |search: &str| {
        let far = (0..8).map(|seed| {
            let folder = tempfile::tempdir().unwrap();
            let config = by(search).replace("seed = 5", &format!("seed = {seed}"));
            let mut tune = Tune::create(&folder.path().join("tune"), &config, "a.toml").unwrap();
            let complete = tune.run(2, &Budget::unlimited(), &objective, &mut |_| {});
            assert!(complete.unwrap());
            let report = tune.finish().unwrap();
            let best = report.best.unwrap();
            assert_eq!((best.learned.number(), report.rungs), (8100, report.of));
            let rate = best.values["learning.rate"].as_float().unwrap();
            ((rate.log10() + 4.0).abs(), tune.search().plan.length())
        });
        let far: Vec<(f64, u64)> = far.collect();
        let mean = far.iter().map(|(far, _)| far).sum::<f64>() / far.len() as f64;
        (mean, far[0].1)
    };
    let (_, budget) = found("hyperband");
    for search in ["cma-es", "genetic"] {
        let (far, games) = found(search);
        assert!(far < 0.2, "{search}: {far}");
        assert!(games <= budget && games * 10 > budget * 8, "{search}");
    }
}

fn by(search: &str) -> String {
    CONFIG.replace("[tune]", &format!("[tune]\nsearch = \"{search}\""))
}

#[test]
fn threads_and_interruptions_change_nothing() {
    for search in ["hyperband", "cma-es", "genetic"] {
        check_interruptions(&by(search));
    }
}

/// The plain version: one thread, no interruption.
fn check_interruptions(config: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = Tune::create(&folder.path().join("whole"), config, "a.toml").unwrap();
    whole
        .run(1, &Budget::unlimited(), &objective, &mut |_| {})
        .unwrap();
    let path = folder.path().join("parts");
    drop(Tune::create(&path, config, "a.toml").unwrap());
    let mut sessions = 0;
    loop {
        sessions += 1;
        let mut tune = Tune::resume(&path).unwrap();
        let (budget, mut reached) = (Budget::unlimited(), 0);
        let stops = &mut |_: &Line| {
            reached += 1;
            if reached == 12 {
                budget.cancel();
            }
        };
        if tune.run(2, &budget, &objective, stops).unwrap() {
            assert_eq!(lines(&tune), lines(&whole));
            assert_eq!(tune.report(), whole.report());
            break;
        }
        drop(tune);
        // As if it had been killed while it wrote a line.
        let file = path.join("trials.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text + "{\"trial\":3,\"bra").unwrap();
    }
    assert!(sessions > 3);
}

#[test]
fn a_failing_objective_ends_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let mut tune = Tune::create(&folder.path().join("t"), CONFIG, "a.toml").unwrap();
    let fails = |path: &Path, config: &str, games: u64| {
        let text = std::fs::read_to_string(path.join("none"));
        text.map_err(|error| RunError {
            sentence: error.to_string(),
            example: None,
        })?;
        objective(path, config, games)
    };
    assert!(
        tune.run(4, &Budget::unlimited(), &fails, &mut |_| {})
            .is_err()
    );
    assert!(tune.lines().is_empty());
}

#[test]
fn bad_spaces_name_file_key_and_example() {
    let message = |from: &str, to: &str| {
        assert!(CONFIG.contains(from));
        let error = Search::parse(&CONFIG.replace(from, to), "a.toml").unwrap_err();
        error.to_string()
    };
    for (from, to, said) in [
        (
            "1e-6, 1e-1",
            "0.0, 1e-1",
            "a.toml, space.\"learning.rate\": 0 has no logarithm",
        ),
        (
            "trials = 81",
            "trials = 0",
            "a.toml, tune.trials: 0 is not from 1",
        ),
        (
            "trials = 81",
            "population = 1",
            "a.toml, tune.population: 1 is not from 2",
        ),
        ("trials = 81", "search = \"grid\"", "a.toml, tune: "),
        (
            "trials = 81",
            "trails = 81",
            "a.toml, tune: unknown key `trails`",
        ),
        (
            "\"learning.batch\"",
            "\"learning.bath\"",
            "unknown key `bath`",
        ),
        (
            "\"learning.batch\"",
            "\"seed\"",
            "a.toml, space.\"seed\": what is searched are keys of network,",
        ),
        (
            "[1, 256]",
            "[0, 1]",
            "learning.batch: 0 is not from 1 to 1000000",
        ),
        (
            "[space]",
            "[spaces]",
            "a.toml, space: there is no such section",
        ),
        ("[1, 256]", "[0, 40]", "is not from 1 to 1000000 (in trial"),
        ("games = 8100", "games = 0", "a.toml, games: "),
        ("[20]", "[20", "a.toml, line "),
    ] {
        let text = message(from, to);
        assert!(
            text.contains(said) && text.contains("; for example "),
            "{text}"
        );
    }
}

const ALPHAZERO: &str = r#"
game = "clobber"
boards = ["3x3"]
seed = 5
[alphazero]
max_steps = 4
max_simulations = 8
replay_buffer_size = 128
train_batch_size = 32
nn_width = 8
nn_depth = 1
[tune]
trials = 4
keep = 2
brackets = 2
population = 4
evaluation = 60
[space]
"alphazero.learning_rate" = { log_uniform = [1e-3, 1e-1] }
"alphazero.nn_model" = { choices = ["resnet", "mlp"] }
"#;

/// Trains trials of AlphaZero until so many have reached a rung; returns whether all is done.
fn search_alphazero(tune: &mut Tune, threads: usize, most: usize) -> bool {
    let Base::AlphaZero(_, examination) = tune.search().base else {
        panic!("it is a search over keys of AlphaZero");
    };
    let (budget, mut reached) = (Budget::unlimited(), 0);
    let resources = Resources::default();
    let scorer = |trial: &Path, config: &str, steps: u64| {
        trained_alphazero(trial, config, steps, &examination, &resources, &budget)
    };
    let mut told = |_: &Line| {
        reached += 1;
        if reached == most {
            budget.cancel();
        }
    };
    tune.run(threads, &budget, &scorer, &mut told).unwrap()
}

/// Against one thread and no interruption, with each method and each objective. What is found can be trained again.
#[test]
fn keys_of_alphazero_are_searched() {
    for (search, objective) in [
        ("hyperband", "kept"),
        ("cma-es", "mcts"),
        ("genetic", "kept"),
    ] {
        let with = format!("[tune]\nsearch = \"{search}\"\nobjective = \"{objective}\"");
        let config = ALPHAZERO.replace("[tune]", &with);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole");
        let mut whole = Tune::create(&path, &config, "a.toml").unwrap();
        assert!(search_alphazero(&mut whole, 1, usize::MAX));
        let report = whole.finish().unwrap();
        assert_eq!(report.rungs, report.of);
        assert!(report.text().contains("steps learned"), "{}", report.text());
        let best = report.best.clone().unwrap();
        assert_eq!(best.learned.number(), 4);
        let line = serde_json::to_value(&best).unwrap();
        assert_eq!(line["steps"], 4);
        let is_share = |line: &Line| (0.0..=1.0).contains(&line.score.unwrap());
        assert!(whole.lines().iter().all(is_share));

        let parts = folder.path().join("parts");
        drop(Tune::create(&parts, &config, "a.toml").unwrap());
        while !search_alphazero(&mut Tune::resume(&parts).unwrap(), 2, 3) {}
        let again = Tune::resume(&parts).unwrap();
        assert_eq!(lines(&again), lines(&whole));
        assert_eq!(again.report(), report);

        let read = |path: &Path| std::fs::read(path).unwrap();
        let text = String::from_utf8(read(&path.join("best.toml"))).unwrap();
        let trained = folder.path().join("trained");
        let run = AlphaZeroRun::create(&trained, &text, "best.toml", Resources::default());
        let unwatched = &upstar_jobs::Unwatched;
        let (budget, mut run) = (Budget::unlimited(), run.unwrap());
        run.go_on(&budget, unwatched, &mut |_| {}).unwrap();
        let network = "network.safetensors";
        let found = whole.trial_folder(best.trial).join(network);
        assert!(read(&trained.join(network)) == read(&found), "{search}");
    }
}

/// With many simulations nearly every decision on 3x3 is right, whatever the network, and a weak opponent is
/// beaten; with one simulation a network that has learned nothing throws results away.
#[test]
fn an_examination_tells_good_players_from_bad_ones() {
    let folder = tempfile::tempdir().unwrap();
    let text = &ALPHAZERO[..ALPHAZERO.find("[tune]").unwrap()];
    let resources = Resources::default();
    let run = AlphaZeroRun::create(&folder.path().join("run"), text, "a.toml", resources);
    let mut run = run.unwrap();
    let mut examine = |measure, simulations| {
        let examination = Examination {
            measure,
            simulations,
            seed: 1,
        };
        let share = run.examine(&examination, &Budget::unlimited());
        share.unwrap().unwrap()
    };
    let kept = Measure::Kept { positions: 200 };
    let (good, bad) = (examine(kept, 2000), examine(kept, 1));
    assert!(good > 0.97 && bad < 0.9, "{good} {bad}");
    assert_eq!(examine(kept, 1), bad);
    let mcts = |level| Measure::Mcts { games: 40, level };
    let (weak, strong) = (examine(mcts(0), 8), examine(mcts(6), 8));
    assert!(weak > strong, "{weak} {strong}");
}

#[test]
fn spaces_of_alphazero_are_checked() {
    for (from, to, said) in [
        (
            "alphazero.nn_model",
            "alphazero.actors",
            "a.toml, space.\"alphazero.actors\": actors is the same for all trials",
        ),
        (
            "alphazero.nn_model",
            "learning.batch",
            "what is searched are keys of alphazero",
        ),
        ("alphazero.nn_model", "alphazero.nn_modle", "nn_modle"),
        ("\"mlp\"", "\"mpl\"", "mpl"),
        ("max_steps = 4\n", "", "a.toml, alphazero.max_steps: "),
        ("seed = 5", "seconds = 5.0", "a.toml, seconds: "),
        ("trials = 4", "objective = \"wins\"", "a.toml, tune: "),
        (
            "trials = 4",
            "level = 2",
            "a.toml, tune.level: there are games",
        ),
        (
            "trials = 4",
            "simulations = 0",
            "a.toml, tune.simulations: 0 is not",
        ),
        ("evaluation = 60", "evaluation = 200000", "from 1 to 100000"),
    ] {
        assert!(ALPHAZERO.contains(from));
        let error = Search::parse(&ALPHAZERO.replace(from, to), "a.toml").unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(said) && text.contains("; for example "),
            "{text}"
        );
    }
    let small = CONFIG.replace("trials = 81", "objective = \"kept\"");
    let text = Search::parse(&small, "a.toml").unwrap_err().to_string();
    assert!(text.contains("it is for runs of AlphaZero"), "{text}");
}
