//! Tree search as front ends use it: in slices, with statistics, within its limits.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use upstar_agents::uct::{MoveStatistics, Uct};
use upstar_agents::{Agent, FinalChoice, Limit, Mcts, MctsAgent, Playable, Turn};
use upstar_games::{Random, Rules, with_game};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::oracle::{open, resources};

fn search<G: Playable>(game: &G, options: &Mcts) -> Uct<G> {
    Uct::new(game, options, resources()).unwrap()
}

fn usual() -> Mcts {
    Mcts::new(Limit::Count(1))
}

#[test]
fn statistics_add_up() {
    for (name, start) in [
        ("clobber", "5x5"),
        ("clobber", "8x8"),
        ("othello", "6x6"),
        ("othello:reversi", "9x9"),
    ] {
        for threads in [1, 3] {
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let mut search = search(game, &Mcts { threads, ..usual() });
                    assert!(search.moves().is_empty() && search.best().is_none());
                    search.begin(start);
                    assert!(search.moves().iter().all(|found| found.visits == 0));
                    let mut random = Random::new(1);
                    let budget = Budget::unlimited();
                    let made = search.run(100, &budget, &mut random)
                        + search.run(400, &budget, &mut random);
                    assert_eq!(made, 500);
                    assert_eq!(search.simulations(), 500);
                    let moves = search.moves();
                    let legal: Vec<_> = game.moves(start).collect();
                    assert!(moves.iter().map(|found| found.mv).eq(legal));
                    assert_eq!(moves.iter().map(|found| found.visits).sum::<u64>(), 500);
                    let best = search.best().unwrap();
                    let visited = moves.iter().filter(|found| found.visits > 0);
                    let most = visited.map(|found| found.mean).fold(-1.0, f64::max);
                    assert_eq!(best.mean, most);
                },
                unreachable!()
            );
        }
    }
}

/// A line is what one finds by going down the tree oneself.
#[test]
fn lines_follow_the_most_visited_moves() {
    for (name, start) in [("clobber", "5x5"), ("clobber", "8x9"), ("othello", "8x8")] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let mut search = search(game, &usual());
                search.begin(start);
                let first = game.moves(start).next().unwrap();
                assert_eq!(search.line(first), [first]);
                search.run(5000, &Budget::unlimited(), &mut Random::new(1));
                for found in search.moves() {
                    assert_eq!(search.line(found.mv)[0], found.mv);
                }
                let best = search.best().unwrap().mv;
                let line = search.line(best);
                assert!(line.len() > 1);
                for pair in line.windows(2) {
                    assert!(search.advance(pair[0]));
                    let moves = search.moves();
                    let open = |found: &&MoveStatistics<_>| found.proved != Some(Outcome::Loss);
                    let most = moves.iter().filter(open).map(|found| found.visits).max();
                    let next = moves.iter().find(|found| found.mv == pair[1]).unwrap();
                    assert_eq!(Some(next.visits), most);
                }
            },
            unreachable!()
        );
    }
}

#[test]
fn the_most_visited_move_can_be_chosen() {
    let game = open("clobber", "6x6");
    with_game!(
        &game,
        |game, start| {
            let options = Mcts {
                final_choice: FinalChoice::Visits,
                ..usual()
            };
            let mut search = search(game, &options);
            search.begin(start);
            search.run(3000, &Budget::unlimited(), &mut Random::new(2));
            let most = search.moves().iter().map(|found| found.visits).max();
            assert_eq!(search.best().map(|best| best.visits), most);
        },
        unreachable!()
    );
}

#[test]
fn the_same_seed_gives_the_same_search() {
    for threads in [1, 2] {
        for (name, start) in [("clobber", "6x6"), ("clobber", "9x9"), ("othello", "8x8")] {
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let options = Mcts { threads, ..usual() };
                    let once = |seed| {
                        let mut search = search(game, &options);
                        search.begin(start);
                        search.run(2000, &Budget::unlimited(), &mut Random::new(seed));
                        search.moves()
                    };
                    assert_eq!(once(1), once(1));
                    assert_ne!(once(1), once(2));
                },
                unreachable!()
            );
        }
    }
}

/// Both ways down the tree, on edges and by the rules, agree on what the moves are worth.
#[test]
fn edges_and_rules_give_like_results() {
    let game = open("clobber", "xoxoxo|oxoxox|xox.xo");
    with_game!(
        &game,
        |game, start| {
            let mut means = Vec::new();
            // An exact solver for no position at all, which takes the way by the rules.
            for exact in [0, 1] {
                let mut search = search(
                    game,
                    &Mcts {
                        exact,
                        c: 100.0,
                        ..usual()
                    },
                );
                search.begin(start);
                search.run(200_000, &Budget::unlimited(), &mut Random::new(3));
                means.push(
                    search
                        .moves()
                        .iter()
                        .map(|found| found.mean)
                        .collect::<Vec<_>>(),
                );
            }
            assert!(means[0].len() > 20);
            for (a, b) in means[0].iter().zip(&means[1]) {
                assert!((a - b).abs() < 0.06, "{a} {b}");
            }
        },
        unreachable!()
    );
}

#[test]
fn memory_is_bounded() {
    for (name, start) in [("clobber", "10x10"), ("clobber", "6x6"), ("othello", "8x8")] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let memory = 1 << 20;
                let mut search = search(game, &Mcts { memory, ..usual() });
                search.begin(start);
                let made = search.run(50_000, &Budget::unlimited(), &mut Random::new(1));
                assert_eq!(made, 50_000);
                assert!(
                    search.bytes() <= memory && search.bytes() > memory / 2,
                    "{}",
                    search.bytes()
                );
            },
            unreachable!()
        );
    }
}

#[test]
fn budgets_end_the_search() {
    let game = open("clobber", "8x8");
    with_game!(
        &game,
        |game, start| {
            let mut search = search(game, &usual());
            let mut random = Random::new(1);
            let stopped = Budget::unlimited();
            stopped.stop_flag().store(true, Ordering::Relaxed);
            let short = Budget::unlimited().with_time(Duration::from_millis(20));
            for budget in [stopped, short, Budget::unlimited().with_nodes(5000)] {
                search.begin(start);
                let begun = Instant::now();
                let made = search.run(u64::MAX, &budget, &mut random);
                assert!(made > 0 && begun.elapsed() < Duration::from_secs(3));
            }
            let mut agent = MctsAgent::new(
                game,
                &Mcts::new(Limit::Time(Duration::from_millis(20))),
                resources(),
            )
            .unwrap();
            let budget = Budget::unlimited();
            let turn = Turn {
                start,
                moves: &[],
                position: start,
                budget: &budget,
            };
            let begun = Instant::now();
            agent.choose(&turn, &mut random).unwrap();
            assert!((20..3000).contains(&begun.elapsed().as_millis()));
        },
        unreachable!()
    );
}

#[test]
fn the_tree_is_kept_if_that_is_asked_for() {
    for (name, start) in [("clobber", "5x5"), ("clobber", "8x8"), ("othello", "6x6")] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                // What the search knows of a reply is what the kept search begins with.
                let mut kept = search(game, &usual());
                kept.begin(start);
                let mut random = Random::new(1);
                let budget = Budget::unlimited();
                kept.run(4000, &budget, &mut random);
                let best = kept
                    .moves()
                    .into_iter()
                    .max_by_key(|found| found.visits)
                    .unwrap();
                assert!(kept.advance(best.mv));
                assert_eq!(kept.simulations(), best.visits);
                assert_eq!(kept.position(), Some(&game.play_unchecked(start, best.mv)));
                // The first visit ended at this position itself.
                let visits: u64 = kept.moves().iter().map(|found| found.visits).sum();
                assert_eq!(visits, best.visits - 1);
                kept.run(4000, &budget, &mut random);
                assert_eq!(kept.simulations(), best.visits + 4000);
                let visits: u64 = kept.moves().iter().map(|found| found.visits).sum();
                assert_eq!(visits, best.visits + 3999);
            },
            unreachable!()
        );
    }
}

/// As a player, also after the opponent's move, and not after another game's.
#[test]
fn a_player_keeps_its_tree_if_that_is_asked_for() {
    for (name, start) in [("clobber", "4x4"), ("othello", "6x6")] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let budget = Budget::unlimited();
                let after = |reuse: bool| {
                    let options = Mcts {
                        reuse,
                        solve: false,
                        ..Mcts::new(Limit::Count(3000))
                    };
                    let mut agent = MctsAgent::new(game, &options, resources()).unwrap();
                    let mut ask = |start, moves: &[_], position| {
                        let turn = Turn {
                            start,
                            moves,
                            position,
                            budget: &budget,
                        };
                        let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
                        (choice.mv, agent.search().simulations())
                    };
                    let (first, _) = ask(start, &[], start);
                    let second = game.play_unchecked(start, first);
                    let reply = game.moves(&second).next().unwrap();
                    let third = game.play_unchecked(&second, reply);
                    let (_, follows) = ask(start, &[first, reply], &third);
                    let (_, anew) = ask(&third, &[], &third);
                    (follows, anew)
                };
                let (follows, anew) = after(true);
                assert!(follows > 3000, "{follows}");
                assert_eq!(anew, 3000);
                assert_eq!(after(false), (3000, 3000));
            },
            unreachable!()
        );
    }
}

/// Results of all moves as first tell of moves that were hardly tried.
#[test]
fn all_moves_as_first_learn_from_few_simulations() {
    let game = open("clobber", "8x8");
    with_game!(
        &game,
        |game, start| {
            let visited = |amaf| {
                let mut search = search(game, &Mcts { amaf, ..usual() });
                search.begin(start);
                search.run(112, &Budget::unlimited(), &mut Random::new(1));
                search
                    .moves()
                    .iter()
                    .filter(|found| found.visits > 0)
                    .count()
            };
            // Without them every move is tried once before any is tried twice.
            assert_eq!(visited(0), 112);
            assert!(visited(1000) < 80);
        },
        unreachable!()
    );
}
