//! Search led by a network: what it proves is right, and what it is told it remembers.

use upstar_agents::puct::{Answer, CachedEvaluator, Descent, Guidance, Puct, Symmetries, shipped};
use upstar_agents::{Agent, AgentSpec, AlphaZero, AlphaZeroAgent, Limit, Resources, Turn};
use upstar_games::{
    Clobber, Color, Grid, Othello, Position, Random, Rules, clobber, othello, random_move,
};
use upstar_jobs::Budget;
use upstar_nets::deep::{Acting, DeepNetwork, Design, Model, Planes};
use upstar_solve::Outcome;
use upstar_solve::classic::{Algorithm, solve};

fn network(game: &str, board: Option<&str>, planes: Planes) -> DeepNetwork {
    let design = Design {
        game: game.parse().unwrap(),
        board: board.map(|board| board.parse().unwrap()),
        model: Model::Resnet,
        planes,
        width: 8,
        depth: 1,
    };
    DeepNetwork::random(design, &mut Random::new(3)).unwrap()
}

fn clobber(size: &str) -> (Clobber<u64>, Position<u64>) {
    let grid: Grid = size.parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    (game, start)
}

/// Searches until the result is proved, a position at a time.
fn proved<G: upstar_agents::Playable + Acting>(
    game: &G,
    position: &G::Position,
    network: &DeepNetwork,
    exact: u32,
) -> Outcome {
    let guidance = Guidance {
        exact,
        ..Guidance::default()
    };
    let mut search = Puct::new(game, guidance, &Resources::default()).unwrap();
    let mut opinions = CachedEvaluator::new(network, game, position, 1 << 12).unwrap();
    search.begin(position);
    loop {
        match search.descend() {
            Descent::Judge(leaf) => match opinions.ask(game, &leaf.position) {
                Answer::Known(value, priors) => search.receive(&leaf, value, priors),
                Answer::Later(ticket) => {
                    opinions.judge();
                    let (value, priors) = opinions.answer(ticket, game, &leaf.position);
                    search.receive(&leaf, value, priors);
                    opinions.forget_batch();
                }
            },
            Descent::Known => {}
            Descent::Waiting => unreachable!("one line at a time"),
            Descent::Proved => return search.outcome().unwrap(),
        }
    }
}

#[test]
fn what_is_proved_is_so() {
    let network_of = [
        network("clobber", None, Planes::Free),
        network("othello", None, Planes::Free),
    ];
    let mut random = Random::new(5);
    let (game, start) = clobber("3x4");
    let grid: Grid = "4x4".parse().unwrap();
    let reversi = Othello::<u64>::new(grid);
    let first = reversi
        .position(
            &othello::start(grid, othello::Opening::DIAGONAL).unwrap(),
            Color::Black,
        )
        .unwrap();
    for round in 0..12 {
        let mut position = start;
        for _ in 0..round % 4 {
            position = game.play_unchecked(
                &position,
                random_move(&game, &position, &mut random).unwrap(),
            );
        }
        let expected = solve(
            Algorithm::Negamax,
            &game,
            &position,
            0,
            &Budget::unlimited(),
        )
        .expect("memory");
        for exact in [0, 6] {
            assert_eq!(
                Some(proved(&game, &position, &network_of[0], exact)),
                expected.outcome
            );
        }
        let mut position = first;
        for _ in 0..6 {
            position = match random_move(&reversi, &position, &mut random) {
                Some(mv) => reversi.play_unchecked(&position, mv),
                None => position,
            };
        }
        if !reversi.is_over(&position) {
            let expected = solve(
                Algorithm::Negamax,
                &reversi,
                &position,
                0,
                &Budget::unlimited(),
            )
            .expect("memory");
            assert_eq!(
                Some(proved(&reversi, &position, &network_of[1], 0)),
                expected.outcome
            );
        }
    }
}

/// Turned positions are judged alike, and their moves are turned with them.
#[test]
fn opinions_turn_with_the_board() {
    for size in ["3x3", "3x4", "4x4"] {
        let (game, start) = clobber(size);
        let grid = size.parse().unwrap();
        let network = network("clobber", Some(size), Planes::Jans2021Second);
        let turns = Symmetries::new(&grid, grid.len() * 4);
        let mut random = Random::new(9);
        // Where a turn leaves the stones as they are, moves that it exchanges may be judged either way.
        let is_turned_to_itself = |position: &Position<u64>| {
            let look = game.observe(position);
            (1..turns.count()).any(|turn| turns.look(turn, &look) == look)
        };
        let mut position = start;
        while is_turned_to_itself(&position) {
            position = match random_move(&game, &position, &mut random) {
                Some(mv) => game.play_unchecked(&position, mv),
                None => start,
            };
        }
        let look = game.observe(&position);
        let asked = |position: &Position<u64>| {
            let mut opinions = CachedEvaluator::new(&network, &game, position, 0).unwrap();
            let Answer::Later(ticket) = opinions.ask(&game, position) else {
                panic!("nothing is known yet");
            };
            opinions.judge();
            let (value, priors) = opinions.answer(ticket, &game, position);
            let mut policy = vec![0.0; grid.len() * 4];
            for (mv, &prior) in game.moves(position).zip(priors) {
                policy[game.action(mv).unwrap()] = prior;
            }
            (value, policy)
        };
        let (value, policy) = asked(&position);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        for turn in 0..turns.count() {
            let turned = turns.look(turn, &look);
            let turned = Position {
                own: turned.own as u64,
                opponent: turned.opponent as u64,
                to_move: position.to_move,
            };
            let (same, its_policy) = asked(&turned);
            assert_eq!(value, same);
            for (action, prior) in policy.iter().enumerate().filter(|(_, prior)| **prior > 0.0) {
                assert_eq!(*prior, its_policy[turns.action(turn, action)]);
            }
        }
    }
}

fn choice(
    agent: &mut dyn Agent<Clobber<u64>>,
    start: &Position<u64>,
    moves: &[clobber::Move],
    position: &Position<u64>,
) -> clobber::Move {
    let turn = Turn {
        start,
        moves,
        position,
        budget: &Budget::unlimited(),
    };
    agent.choose(&turn, &mut Random::new(1)).unwrap().mv
}

/// Forgetting nothing, remembering nothing, and asking one at a time come to the same where lines do not
/// wait for each other.
#[test]
fn the_same_turn_gives_the_same_move() {
    let (game, start) = clobber("4x5");
    let network = network("clobber", None, Planes::Free);
    let player = |sims| {
        let mut options = AlphaZero::new("none".into());
        options.limit = Limit::Count(sims);
        AlphaZeroAgent::with_network(
            game.clone(),
            &start,
            &network,
            &options,
            &Resources::default(),
        )
        .unwrap()
    };
    let (mut one, mut other) = (player(60), player(60));
    let (mut position, mut moves) = (start, Vec::new());
    while !game.is_over(&position) {
        let mv = choice(&mut one, &start, &moves, &position);
        assert_eq!(mv, choice(&mut other, &start, &moves, &position));
        position = game.play_unchecked(&position, mv);
        moves.push(mv);
    }
}

/// A network that knows nothing still finds a win that is two plies away.
#[test]
fn short_wins_are_found() {
    let grid: Grid = "1x6".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let setup = "xo.xo.".parse().unwrap();
    let position = game.position(&setup, Color::Black).unwrap();
    let network = network("clobber", None, Planes::Free);
    assert_eq!(proved(&game, &position, &network, 0), Outcome::Loss);
}

#[test]
fn files_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("4x4.safetensors");
    network("clobber", Some("4x4"), Planes::Jans2021Second)
        .save(&file)
        .unwrap();
    let (game, _) = clobber("4x5");
    let refusal = |spec: String| match spec
        .parse::<AgentSpec>()
        .unwrap()
        .agent(&game, &Resources::default())
    {
        Ok(_) => panic!("{spec} plays"),
        Err(error) => error.to_string(),
    };
    let sentence = refusal(format!("az:{}", file.display()));
    assert!(sentence.contains("4x4"), "{sentence}");
    network("othello", None, Planes::Free).save(&file).unwrap();
    let sentence = refusal(format!("az:{}", file.display()));
    assert!(
        sentence.contains("this network is for othello"),
        "{sentence}"
    );
    let sentence = refusal("az:/nowhere".to_owned());
    assert!(sentence.contains("/nowhere"), "{sentence}");
}

#[test]
fn shipped_networks_play_every_size() {
    for size in ["3x3", "4x7", "8x8"] {
        let (game, start) = clobber(size);
        let network = shipped(&game).unwrap();
        assert_eq!(network.design().board, None);
        let spec: AgentSpec = "az:default,sims=8".parse().unwrap();
        let mut agent = spec.agent(&game, &Resources::default()).unwrap();
        let mv = choice(&mut *agent, &start, &[], &start);
        assert!(game.moves(&start).any(|other| other == mv));
    }
    let grid: Grid = "6x6".parse().unwrap();
    assert!(shipped(&Othello::<u64>::new(grid)).is_some());
    assert!(shipped(&Clobber::<u64>::cannibal(grid)).is_none());
}
