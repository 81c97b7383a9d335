//! Recorded games to learn from.

use upstar_train::{Block, RunError};

use crate::setup::{clobber, create, resume};

const GAMES: &str = "a1b1 c2c1 b1c1 a2b2\na1a2 b1c1 b2c2 c1c2\n";

/// What is learned from a file of moves with these changes of the configuration.
fn learned(text: &str, opponent: &str, more: &str) -> Result<(Vec<Vec<u8>>, Vec<Block>), RunError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    std::fs::write(&file, text).unwrap();
    let config = format!(
        "game = \"clobber\"\nboard = \"2x3\"\ngames = 6\nblock = 2\nrecord_passes = 2\nrecords = [{:?}]\n\
         [network]\nencoder = \"planes\"\nhidden = [5]\nactivation = \"tanh\"\n[opponent]\nagent = \"{opponent}\"\n\
         [learning]\nrate = 0.1\n{more}",
        file.display().to_string()
    );
    let path = folder.path().join("run");
    let mut run = create(&path, &config, clobber("2x3"))?;
    run.step()?;
    drop(run);
    let mut run = resume(&path, clobber("2x3"))?;
    while run.step()?.is_some() {}
    let networks = run.networks().map(upstar_nets::Network::to_bytes).collect();
    Ok((networks, run.results()?))
}

#[test]
fn recorded_games_come_first() {
    let (networks, results) = learned(GAMES, "itself", "").unwrap();
    // White wins both, in every pass.
    for block in &results[..2] {
        assert_eq!((block.played, block.opinion_share), (2, None));
    }
    assert_eq!([results[0].losses, results[1].losses], [2, 2]);
    assert!(results[2].opinion_share.is_some());
    assert_eq!(learned(GAMES, "itself", "").unwrap().0, networks);
    let twice = GAMES.repeat(2);
    assert_ne!(learned(&twice, "itself", "").unwrap().0, networks);
    // Every way to learn knows them.
    for (opponent, more) in [
        ("random", ""),
        ("network", ""),
        ("itself", "lambda = 0.5"),
        ("itself", "passes = 2"),
        ("itself", "method = \"adam\""),
    ] {
        let (_, results) = learned(GAMES, opponent, more).unwrap();
        assert_eq!(
            (results.len(), results[0].played),
            (3, 2),
            "{opponent} {more}"
        );
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let refused = |text: &str, part: &str| {
        let error = learned(text, "itself", "").unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused("a1b1\n", "it has no game with a result");
    refused("a1a3\n", "game 1: ");
    refused("(;GM[Othello]PB[a]PW[b]TY[8]B[f5];)", "games.txt: ");
}
