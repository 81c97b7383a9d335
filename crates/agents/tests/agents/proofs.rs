//! What a search or a solver calls proved is true.

use std::collections::HashMap;

use upstar_agents::uct::Uct;
use upstar_agents::{AgentSpec, AlphaZero, Evaluation, Limit, Mcts, Playable, Turn};
use upstar_games::{AnyGame, Random, Rules, random_move, with_game};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::oracle::{open, outcome, resources};

/// Positions of random games from here, small enough for brute force.
fn positions<G: Playable>(game: &G, start: &G::Position, most_left: u32) -> Vec<G::Position> {
    let mut found = Vec::new();
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut position = *start;
        while !game.is_over(&position) {
            if game.left(&position) <= most_left {
                found.push(position);
            }
            let mv = random_move(game, &position, &mut random).unwrap();
            position = game.play_unchecked(&position, mv);
        }
    }
    found
}

/// Searches each position, looking at all that is called proved on the way, and returns how many roots
/// were proved of how many.
fn check<G: Playable>(game: &G, start: &G::Position, most_left: u32, options: &Mcts) -> (u32, u32) {
    let mut known = HashMap::new();
    let mut search = Uct::new(game, options, resources()).unwrap();
    let (mut proved, mut all) = (0, 0);
    for (index, position) in positions(game, start, most_left).iter().enumerate() {
        let truth = outcome(game, position, &mut known);
        let mut random = Random::for_game(1, index as u64);
        search.begin(position);
        for slice in [1, 10, 100, 400, 2500] {
            search.run(slice, &Budget::unlimited(), &mut random);
            for found in search.moves() {
                let next = game.play_unchecked(position, found.mv);
                let truth = outcome(game, &next, &mut known).reversed();
                assert!(
                    found.proved.is_none_or(|proved| proved == truth),
                    "{position:?}"
                );
                assert!((-1.0..=1.0).contains(&found.mean));
            }
            assert!(
                search.outcome().is_none_or(|proved| proved == truth),
                "{position:?}"
            );
        }
        all += 1;
        if search.outcome().is_some() {
            proved += 1;
            // The move is as good as the result.
            let best = search.best().unwrap();
            let next = game.play_unchecked(position, best.mv);
            assert_eq!(outcome(game, &next, &mut known).reversed(), truth);
        }
    }
    (proved, all)
}

const GAMES: [(&str, &str, u32); 10] = [
    ("clobber", "3x4", 12),
    ("clobber", "1x14", 14),
    ("clobber", "random:4x4,seed=5,density=0.7", 12),
    ("clobber", "random:3x5,seed=6", 15),
    // More than 64 edges: by the rules, not on edges.
    (
        "clobber",
        "xoxo.....|oxox.....|.........|.........|.........|.........|.....xoxx",
        12,
    ),
    ("clobber:cannibal", "2x4", 8),
    ("othello", "4x4", 9),
    ("othello:parallel", "4x4", 9),
    ("othello:reversi", "4x4", 9),
    ("othello", "4x5", 9),
];

#[test]
fn what_tree_search_proves_is_true() {
    let usual = Mcts::new(Limit::Count(1));
    let ways = [
        usual.clone(),
        Mcts {
            amaf: 100,
            ..usual.clone()
        },
        Mcts {
            exact: 6,
            ..usual.clone()
        },
        Mcts {
            threads: 2,
            ..usual.clone()
        },
        Mcts {
            c: 0.2,
            memory: 1 << 20,
            ..usual
        },
    ];
    for options in &ways {
        let (mut proved, mut all) = (0, 0);
        for (name, start, most_left) in GAMES {
            let game = open(name, start);
            let (some, of) = with_game!(
                &game,
                |game, start| check(game, start, most_left, options),
                unreachable!()
            );
            assert!(of > 0, "{name} {start}");
            (proved, all) = (proved + some, all + of);
        }
        assert!(
            all > 300 && 4 * proved > 3 * all,
            "{options:?}: {proved} of {all}"
        );
    }
}

#[test]
fn without_proofs_nothing_is_called_proved_but_what_ends_the_game() {
    let game = open("clobber", "3x4");
    let options = Mcts {
        solve: false,
        ..Mcts::new(Limit::Count(1))
    };
    with_game!(
        &game,
        |game, start| {
            let mut search = Uct::new(game, &options, resources()).unwrap();
            search.begin(start);
            let made = search.run(20_000, &Budget::unlimited(), &mut Random::new(1));
            assert_eq!((made, search.outcome()), (20_000, None));
        },
        unreachable!()
    );
}

/// With more left than the whole game has, every move is solved at its first visit.
#[test]
fn exact_leaves_prove_at_once() {
    for (name, start) in [
        ("clobber", "4x4"),
        ("clobber:cannibal", "2x4"),
        ("othello", "4x4"),
        ("othello:reversi", "3x4"),
    ] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let options = Mcts {
                    exact: 16,
                    ..Mcts::new(Limit::Count(1))
                };
                let mut search = Uct::new(game, &options, resources()).unwrap();
                search.begin(start);
                let made = search.run(1000, &Budget::unlimited(), &mut Random::new(1));
                assert!(made <= game.count_moves(start), "{made}");
                let truth = outcome(game, start, &mut HashMap::new());
                assert_eq!(search.outcome(), Some(truth));
            },
            unreachable!()
        );
    }
}

/// The solver against brute force, to the end of games in which its opponent plays anything.
#[test]
fn the_solver_plays_perfectly() {
    let budget = Budget::unlimited();
    for (name, start, most_left) in GAMES {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let spec: AgentSpec = "solver".parse().unwrap();
                let mut agent = spec.agent(game, resources()).unwrap();
                let mut known = HashMap::new();
                for position in positions(game, start, most_left).iter().step_by(3) {
                    let truth = outcome(game, position, &mut known);
                    let turn = Turn {
                        start: position,
                        moves: &[],
                        position,
                        budget: &budget,
                    };
                    let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
                    assert_eq!(choice.evaluation, Some(Evaluation::Proved(truth)));
                    let next = game.play(position, choice.mv).unwrap();
                    assert_eq!(outcome(game, &next, &mut known).reversed(), truth);
                    assert_eq!(choice.remark, None);
                }
            },
            unreachable!()
        );
    }
}

#[test]
fn a_solver_without_time_says_so() {
    let game = open("clobber", "8x8");
    with_game!(
        &game,
        |game, start| {
            for spec in ["solver:100", "solver:30ms"] {
                let spec: AgentSpec = spec.parse().unwrap();
                let mut agent = spec.agent(game, resources()).unwrap();
                let budget = Budget::unlimited();
                let turn = Turn {
                    start,
                    moves: &[],
                    position: start,
                    budget: &budget,
                };
                let begun = std::time::Instant::now();
                let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
                assert!(begun.elapsed().as_secs() < 5);
                let remark = choice.remark.unwrap();
                assert!(remark.starts_with("not proved after"), "{remark}");
                assert!(matches!(choice.evaluation, Some(Evaluation::Expected(_))));
            }
        },
        unreachable!()
    );
}

/// In a lost position tree search and the solver still prefer what is hard to refute.
#[test]
fn a_lost_position_is_still_played() {
    let game = open("clobber", "2x3");
    with_game!(
        &game,
        |game, start| {
            for spec in ["solver", "mcts:1000"] {
                let spec: AgentSpec = spec.parse().unwrap();
                let mut agent = spec.agent(game, resources()).unwrap();
                let budget = Budget::unlimited();
                let turn = Turn {
                    start,
                    moves: &[],
                    position: start,
                    budget: &budget,
                };
                let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
                assert_eq!(choice.evaluation, Some(Evaluation::Proved(Outcome::Loss)));
                assert!(game.play(start, choice.mv).is_ok());
            }
        },
        unreachable!()
    );
}

/// `best` against brute force: with little work, where it has to guess, and with enough.
#[test]
fn best_claims_nothing_false_and_throws_no_proof_away() {
    let budget = Budget::unlimited();
    let (mut guessed, mut all) = (0, 0);
    for (name, start, most_left) in GAMES {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                for spec in ["best:sims=1,nodes=1", "best:sims=60,nodes=20000"] {
                    let spec: AgentSpec = spec.parse().unwrap();
                    let mut agent = spec.agent(game, resources()).unwrap();
                    let mut known = HashMap::new();
                    for position in positions(game, start, most_left).iter().step_by(3) {
                        agent.begin_game().unwrap();
                        let truth = outcome(game, position, &mut known);
                        let turn = Turn {
                            start: position,
                            moves: &[],
                            position,
                            budget: &budget,
                        };
                        let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
                        let next = game.play(position, choice.mv).unwrap();
                        all += 1;
                        match choice.evaluation {
                            Some(Evaluation::Proved(proved)) => {
                                assert_eq!(proved, truth, "{name} {position:?}");
                                assert_eq!(outcome(game, &next, &mut known).reversed(), truth);
                            }
                            _ => guessed += 1,
                        }
                    }
                }
            },
            unreachable!()
        );
    }
    assert!(all > 200 && guessed > 0, "{guessed} of {all}");
}

/// All that a search calls proved that a prover helps is true, while others put results into the same table, and
/// moves that are left out are never the only ones that win.
#[test]
fn a_search_with_a_prover_at_its_side_proves_what_is_true() {
    for (name, start) in [
        ("clobber", "3x4"),
        ("clobber", "random:4x4,seed=5,density=0.7"),
        ("clobber", "random:3x5,seed=6"),
    ] {
        let AnyGame::Clobber64(game, start) = open(name, start) else {
            unreachable!("small boards fit into a word")
        };
        let mut known = HashMap::new();
        for (index, position) in positions(&game, &start, 15).iter().enumerate() {
            let mut prover = game.prover(resources(), 4 << 20).unwrap();
            let mut network = game
                .network_search(&AlphaZero::new("default".into()), resources())
                .unwrap();
            network.tree().look_with(prover.share());
            network.tree().begin(position);
            let truth = outcome(&game, position, &mut known);
            for round in 0..4 {
                network.run(6, &Budget::unlimited());
                let targets = network.tree().targets(1);
                let other = targets.get(round + index % 3);
                if let Some(target) = other {
                    prover.outcome(&target.position, 500, &Budget::unlimited());
                }
                network.tree().refresh(1);
                let tree = network.tree();
                assert!(tree.outcome().is_none_or(|proved| proved == truth));
                for found in tree.moves() {
                    let next = game.play_unchecked(position, found.mv);
                    let truth = outcome(&game, &next, &mut known).reversed();
                    assert!(found.proved.is_none_or(|proved| proved == truth));
                    assert!((-1.0..=1.0).contains(&found.mean), "{}", found.mean);
                }
            }
            network.run(3000, &Budget::unlimited());
            assert_eq!(network.tree().outcome(), Some(truth), "{position:?}");
        }
    }
}
