//! Every agent plays every game to its end by the rules.

use upstar_agents::{Agent, Turn, Word};
use upstar_games::{Random, Rules, with_game};
use upstar_solve::Budget;

use crate::oracle::{open, resources};

const GAMES: [(&str, &str); 8] = [
    ("clobber", "3x4"),
    ("clobber", "9x9"),
    ("clobber:cannibal", "2x3"),
    ("othello", "4x4"),
    ("othello", "9x9"),
    ("othello:reversi", "4x4"),
    ("othello:reversi", "9x9"),
    ("clobber", "1x100"),
];

const WORDS: [&str; 11] = [
    "random",
    "pick-first",
    "greedy",
    "greedy:moves",
    "mc:2",
    "mc:1ms,ties=random",
    "mcts:20",
    "mcts:1ms,solve=false,final=visits",
    "mcts:20,amaf=50,reuse=true",
    "mcts:20,exact=4,threads=2,memory=1M",
    "solver:1ms",
];

#[test]
fn all_agents_play_all_games() {
    for (name, start) in GAMES {
        for word in WORDS {
            let word: Word = word.parse().unwrap();
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let mut agent = word.agent(game, resources()).unwrap();
                    let mut random = Random::new(1);
                    let budget = Budget::unlimited();
                    let mut position = *start;
                    let mut moves = Vec::new();
                    while !game.is_over(&position) {
                        let turn = Turn {
                            start,
                            moves: &moves,
                            position: &position,
                            budget: &budget,
                        };
                        let choice = agent.choose(&turn, &mut random).unwrap();
                        position = game.play(&position, choice.mv).unwrap();
                        moves.push(choice.mv);
                    }
                },
                unreachable!()
            );
        }
    }
}

/// After `begin_game` an agent is as good as new, whatever it keeps while a game goes on.
#[test]
fn games_before_change_nothing() {
    let words = [
        "mcts:20,reuse=true",
        "solver",
        "solver:20",
        "az:default,sims=8",
    ];
    for (name, start) in [("clobber", "4x4"), ("othello", "4x4")] {
        for word in words {
            let word: Word = word.parse().unwrap();
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let new = || word.agent(game, resources()).unwrap();
                    let play = |agent: &mut dyn Agent<_>, seed: u64| {
                        let (mut random, budget) = (Random::new(seed), Budget::unlimited());
                        let (mut position, mut moves) = (*start, Vec::new());
                        while !game.is_over(&position) {
                            let turn = Turn {
                                start,
                                moves: &moves,
                                position: &position,
                                budget: &budget,
                            };
                            let choice = agent.choose(&turn, &mut random).unwrap();
                            // The opponent plays at random.
                            let legal: Vec<_> = game.moves(&position).collect();
                            let mv = match moves.len() % 2 {
                                0 => choice.mv,
                                _ => legal[random.below(legal.len() as u32) as usize],
                            };
                            position = game.play(&position, mv).unwrap();
                            moves.push(mv);
                        }
                        moves
                    };
                    let mut old = new();
                    for seed in 0..4 {
                        old.begin_game().unwrap();
                        let fresh = play(&mut *new(), seed);
                        assert_eq!(play(&mut *old, seed), fresh, "{name} {word} {seed}");
                    }
                },
                unreachable!()
            );
        }
    }
}

#[test]
fn a_human_is_asked_elsewhere() {
    let game = open("clobber", "3x4");
    with_game!(
        &game,
        |game, _start| {
            let refused = Word::Human.agent(game, resources());
            let sentence = refused.err().unwrap().to_string();
            assert!(sentence.contains("upstar play"), "{sentence}");
        },
        unreachable!()
    );
}
