//! Shared runs come to what runs on one machine come to, whoever does which job, in whichever order.

use std::fs;
use std::path::Path;

use upstar_agents::Resources;
use upstar_cluster::{Advance, ClusterError, Context, Coordinator, Worker};
use upstar_jobs::{Budget, Unwatched};

const TRAINING: &str = "game = \"clobber\"\nboards = [\"3x3\"]\nseed = 2\n[alphazero]\nmax_steps = 2\n\
    max_simulations = 6\nnn_width = 8\nnn_depth = 1\nplanes = \"free\"\ntrain_batch_size = 16\n\
    replay_buffer_size = 100\nreplay_buffer_reuse = 2\neval_levels = 1\ntest_positions = 3\n";

const SEARCH: &str = "game = \"clobber\"\nboard = \"3x3\"\ngames = 400\nblock = 100\n[network]\nencoder = \"leiden2018\"\n\
    hidden = [8]\nactivation = \"relu\"\n[learning]\nrate = 0.01\nwin = 1.0\nloss = -1.0\n[space]\n\"learning.rate\" = { log_uniform = [0.001, 0.1] }\n[tune]\ntrials = 4\nkeep = 2\nbrackets = 1\nevaluation = 40\n";

/// Does all jobs of a run in bundles of so many, the last first, each twice if asked; returns how often it went on.
fn share(folder: &Path, file: &Path, bundle: usize, twice: bool) -> Result<usize, ClusterError> {
    let mut run = Coordinator::create(folder, file, Resources::default())?;
    let mut advanced = 0;
    loop {
        let context = Context::from_bytes(&run.context()?.to_bytes())?;
        let worker = Worker::new(&context, Resources::default())?;
        for job in run.jobs(bundle)?.iter().rev() {
            let budget = Budget::unlimited();
            let done = worker.perform(job, &budget)?.expect("nobody said stop");
            assert!(run.accept(&done)?, "{done}");
            if twice {
                let again = worker.perform(job, &budget)?.expect("nobody said stop");
                assert!(!run.accept(&again)?, "{again}");
            }
        }
        match run.advance(&Budget::unlimited(), &Unwatched)? {
            // More trials have become ready.
            Advance::Missing(_) => {}
            Advance::On(_) => advanced += 1,
            Advance::Finished(_) => return Ok(advanced + 1),
            Advance::Stopped => panic!("nobody said stop"),
        }
    }
}

#[test]
fn a_shared_training_makes_the_same_network() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("training.toml");
    fs::write(&file, TRAINING).unwrap();
    let mut networks = Vec::new();
    for (name, bundle, twice) in [("one", 1000, false), ("many", 3, true)] {
        let folder = home.path().join(name);
        assert_eq!(share(&folder, &file, bundle, twice).unwrap(), 2);
        networks.push(fs::read(folder.join("network.safetensors")).unwrap());
    }
    assert!(networks[0] == networks[1]);
}

#[test]
fn a_shared_search_for_parameters_finds_the_same() {
    for search in ["hyperband", "cma-es", "genetic"] {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("search.toml");
        let method = format!("[tune]\nsearch = \"{search}\"\npopulation = 2\n");
        fs::write(&file, SEARCH.replace("[tune]\n", &method)).unwrap();
        let mut found = Vec::new();
        for (name, twice) in [("one", false), ("many", true)] {
            let folder = home.path().join(name);
            share(&folder, &file, 1, twice).unwrap();
            found.push(fs::read_to_string(folder.join("best.toml")).unwrap());
        }
        assert_eq!(found[0], found[1], "{search}");
    }
}

#[test]
fn what_cannot_be_shared_is_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let file = home.path().join("run.toml");
    let refusal = |text: &str| {
        fs::write(&file, text).unwrap();
        share(&folder, &file, 1, false).unwrap_err().to_string()
    };
    assert!(refusal("a = 1").contains("no run that many machines can share"));
    let small = "game = \"clobber\"\nboard = \"3x3\"\ngames = 100\n[network]\nhidden = [8]\n";
    assert!(refusal(small).contains("a run of the kind train is not shared"));
    let other = Context::from_bytes(b"{}\n").unwrap_err().to_string();
    assert!(other.starts_with("the context is not whole"), "{other}");
    assert!(Coordinator::open(home.path(), Resources::default()).is_err());
}
