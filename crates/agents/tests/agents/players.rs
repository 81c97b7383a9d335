//! Every agent plays every game to its end by the rules.

use upstar_agents::{Agent, AgentSpec, Playable, Turn};
use upstar_games::{Random, random_move, with_game};
use upstar_jobs::Budget;

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

const AGENT_EXAMPLES: [&str; 13] = [
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
    "best:1ms",
    "best:sims=4,nodes=100",
];

/// The moves of a game in which an agent is asked at every turn, and `choose` may play another move.
fn played<G: Playable>(
    game: &G,
    start: &G::Position,
    agent: &mut dyn Agent<G>,
    seed: u64,
    mut choose: impl FnMut(&G::Position, G::Move, &mut Random) -> G::Move,
) -> Vec<G::Move> {
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
        let mv = choose(&position, choice.mv, &mut random);
        position = game.play(&position, mv).unwrap();
        moves.push(mv);
    }
    moves
}

#[test]
fn all_agents_play_all_games() {
    for (name, start) in GAMES {
        for spec in AGENT_EXAMPLES {
            let spec: AgentSpec = spec.parse().unwrap();
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let mut agent = spec.agent(game, resources()).unwrap();
                    played(game, start, &mut *agent, 1, |_, mv, _| mv);
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
        "mcts:20,exact=12",
        "mcts:20,exact=12,threads=2",
        "solver",
        "solver:20",
        "az:default,sims=8",
        "az:default,sims=8,exact=12",
        "best:sims=16,nodes=3000",
    ];
    for (name, start) in [("clobber", "4x4"), ("othello", "4x4")] {
        for spec in words {
            let spec: AgentSpec = spec.parse().unwrap();
            let game = open(name, start);
            with_game!(
                &game,
                |game, start| {
                    let new = || spec.agent(game, resources()).unwrap();
                    // Every second move is a random one.
                    let play = |agent: &mut dyn Agent<_>, seed: u64| {
                        let mut turns = 0;
                        played(game, start, agent, seed, |position, mv, random| {
                            turns += 1;
                            match turns % 2 {
                                1 => mv,
                                _ => random_move(game, position, random).unwrap(),
                            }
                        })
                    };
                    let mut old = new();
                    for seed in 0..4 {
                        old.begin_game().unwrap();
                        let fresh = play(&mut *new(), seed);
                        assert_eq!(play(&mut *old, seed), fresh, "{name} {spec} {seed}");
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
            let refused = AgentSpec::Human.agent(game, resources());
            let sentence = refused.err().unwrap().to_string();
            assert!(sentence.contains("upstar play"), "{sentence}");
        },
        unreachable!()
    );
}
