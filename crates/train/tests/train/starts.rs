//! Where games begin: given positions, random plies, lists of openings, graphs.

use upstar_games::{Clobber, Color, Graph, Position, Rules, Setup};
use upstar_nets::Network;
use upstar_train::{Block, Config, Learnable};

use crate::setup::{clobber, create, resume};

/// A training of a few games that begin as `head` says.
fn config(head: &str, rest: &str) -> String {
    format!(
        "game = \"clobber\"\ngames = 60\nblock = 20\nevaluation = 20\n{head}\n[network]\nencoder = \"planes\"\n\
         hidden = [6]\nactivation = \"tanh\"\n{rest}\n[learning]\nrate = 0.05\n"
    )
}

fn at(text: &str) -> (Clobber<u64>, Position<u64>) {
    let setup: Setup = text.parse().unwrap();
    let game = Clobber::new(setup.board.clone());
    let start = game.position(&setup, Color::Black).unwrap();
    (game, start)
}

fn learned<G: Learnable>(config: &str, game: (G, G::Position)) -> (Vec<Vec<u8>>, Vec<Block>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut run = create(&path, config, game.clone()).unwrap();
    // Resumed after its first block.
    run.step().unwrap();
    drop(run);
    let mut run = resume(&path, game).unwrap();
    while run.step().unwrap().is_some() {}
    let weights = run.networks().map(|network| {
        let (inputs, shape) = (network.shape().inputs(), network.shape().hidden[0]);
        let weights = (0..inputs).flat_map(|input| network.input_weights(input));
        let bytes: Vec<u8> = weights.flat_map(|weight| weight.to_le_bytes()).collect();
        assert_eq!(bytes.len(), 4 * inputs * shape);
        bytes
    });
    (weights.collect(), run.results().unwrap())
}

const POSITION: &str = "xox.|oxox|.oxo";

#[test]
fn a_list_of_one_position_is_that_position() {
    let listed = config(
        &format!("board = \"3x4\"\nopenings = [\"{POSITION} x\"]"),
        "",
    );
    let given = config(&format!("board = \"{POSITION}\""), "");
    let one = learned(&listed, clobber("3x4"));
    assert_eq!(one, learned(&given, at(POSITION)));
    let usual = config("board = \"3x4\"", "");
    assert_ne!(one, learned(&usual, clobber("3x4")));
}

/// Each opening comes with both colours, so a list of one opening is one of twice that opening.
#[test]
fn openings_come_with_both_colours() {
    let both = "[opponent]\nagent = \"pick-first\"\nnetwork = \"both\"";
    let list = |list: &str| {
        let head = format!("board = \"3x4\"\nopenings = [{list}]");
        learned(&config(&head, both), clobber("3x4"))
    };
    let mixed = list("\"a1a2\", \"a1b1 # and a comment\"");
    assert_ne!(mixed, list("\"a1a2\""));
    assert_eq!(list("\"a1a2\""), list("\"a1a2\", \"\", \"a1a2\""));
}

#[test]
fn random_plies_are_not_the_players() {
    for rest in [
        "",
        "[opponent]\nagent = \"itself\"",
        "[opponent]\nagent = \"network\"",
    ] {
        let plies = |plies: u32| {
            let head = format!("board = \"4x4\"\nopenings = {plies}");
            learned(&config(&head, rest), clobber("4x4"))
        };
        assert_eq!(plies(3), plies(3));
        assert_ne!(plies(3).0, plies(0).0, "{rest}");
    }
    // In passes too.
    let passes = |plies: u32| {
        let text = config(
            &format!("board = \"4x4\"\nopenings = {plies}"),
            "[opponent]\nagent = \"itself\"",
        );
        learned(&(text + "passes = 1\n"), clobber("4x4"))
    };
    assert_ne!(passes(3).0, passes(0).0);
}

/// A row of cells as a graph: the same games, so the same weights.
#[test]
fn a_path_is_learned_like_a_row() {
    let names: Vec<String> = (0..8).map(|vertex| format!("v{vertex}")).collect();
    let stones = names.iter().zip("xoxoxoxo".chars());
    let vertices = stones.map(|(name, stone)| format!("{name}={stone}"));
    let edges = names
        .windows(2)
        .map(|pair| format!("{}-{}", pair[0], pair[1]));
    let path: Vec<String> = vertices.chain(edges).collect();
    let path = path.join(",");
    let graph = learned(&config(&format!("board = \"{path}\""), ""), at(&path));
    assert_eq!(
        graph,
        learned(&config("board = \"1x8\"", ""), clobber("1x8"))
    );
}

/// A network for a graph is kept with it, and judges no other board.
#[test]
fn networks_know_their_graph() {
    const TRIANGLE: &str = "a=x,b=o,c=x,a-b,b-c,a-c";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let text = config(&format!("board = \"{TRIANGLE}\""), "");
    let mut run = create(&path, &text, at(TRIANGLE)).unwrap();
    while run.step().unwrap().is_some() {}
    let file = &run.network_files()[0];
    let network = Network::load(file).unwrap();
    assert_eq!(network.graph().map(Graph::len), Some(3));
    assert_eq!(network, run.networks().next().unwrap().clone());
    let judged = |text: &str| {
        let (game, start) = at(text);
        upstar_nets::one_ply(&network, &game, &start).map_err(|error| error.to_string())
    };
    assert!(judged(TRIANGLE).is_ok());
    let other = "this network is for clobber on another graph of 3 vertices";
    assert_eq!(judged("a=x,b=o,c=x,a-b,b-c").unwrap_err(), other);
    let grid = "this network is for clobber graph of 3 vertices, not for 1x3";
    assert_eq!(judged("xox").unwrap_err(), grid);
    // The next run begins with it only on the same graph.
    let name = file.display().to_string();
    let again = |board: &str| {
        let text = text.replace(TRIANGLE, board);
        let text = text.replace("[network]", &format!("[network]\nstart = {name:?}"));
        create(&folder.path().join("next"), &text, at(board))
            .err()
            .map(|error| error.to_string())
    };
    let error = again("a=x,b=o,c=x,a-b,b-c").unwrap();
    assert!(error.ends_with("is a network for another graph"), "{error}");
    assert_eq!(again(TRIANGLE), None);
}

#[test]
fn wrong_starts_are_refused() {
    let refused = |head: &str, rest: &str, part: &str| {
        let error = Config::parse(&config(head, rest), "test.toml")
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(
        "board = \"4x4\"\nopenings = 300",
        "",
        "300 is not from 0 to 256",
    );
    refused(
        "board = \"4x4\"\nopenings = \"word\"",
        "",
        "openings are a number of random plies",
    );
    refused("board = \"4x\"", "", "test.toml, board");
    refused(
        "board = \"graph:file\"",
        "",
        "a graph's file is read when a run begins",
    );
    refused(
        "board = \"4x4\"\nopenings = 2",
        "[opponent]\nagent = \"examples\"",
        "examples are all positions of the board",
    );
    refused(
        "board = \"2x2\"\nopenings = [\"xo|ox x\"]\nexact_error = true",
        "",
        "after the start position only",
    );
    let graph = config("board = \"a=x,b=o,a-b\"", "");
    let error = Config::parse(&graph.replace("planes", "cammel2015"), "test.toml").unwrap_err();
    assert!(
        error.to_string().contains("which a graph does not have"),
        "{error}"
    );
    let error = Config::parse(&(graph + "symmetry = true\n"), "test.toml").unwrap_err();
    assert!(
        error.to_string().contains("a graph is not turned"),
        "{error}"
    );
    // What only the rules know.
    let folder = tempfile::tempdir().unwrap();
    let list = config("board = \"2x2\"\nopenings = [\"a1a2\", \"b9\"]", "");
    let error = create(&folder.path().join("run"), &list, clobber("2x2"))
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "test.toml, openings, line 2: 'b9' is not a move on this board"
    );
}
