//! How well agents play, by matches with fixed seeds.

use upstar_agents::{Agent, AgentSpec, Choice, Fault, Playable, Turn};
use upstar_games::{Random, random_move, with_game};
use upstar_jobs::Budget;

use crate::oracle::{open, plain_uct, resources};

/// Plain UCT as a player.
struct Plain<G> {
    game: G,
    simulations: u64,
}

impl<G: Playable> Agent<G> for Plain<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let c = std::f64::consts::FRAC_1_SQRT_2;
        let mv = plain_uct(&self.game, turn.position, self.simulations, c, random);
        Ok(Choice::of(mv))
    }
}

/// The share of points that the first agent makes, in pairs of games with swapped sides after two random
/// moves.
fn share<G: Playable>(
    game: &G,
    start: &G::Position,
    agents: &mut [&mut dyn Agent<G>; 2],
    pairs: u64,
) -> f64 {
    let mut points = 0.0;
    for index in 0..2 * pairs {
        let mut opening = Random::for_game(3, index / 2);
        let mut random = Random::for_game(4, index);
        let mut position = *start;
        for _ in 0..2 {
            let mv = random_move(game, &position, &mut opening).unwrap();
            position = game.play_unchecked(&position, mv);
        }
        let begin = position;
        let mut moves = Vec::new();
        let mut side = (index % 2) as usize;
        while !game.is_over(&position) {
            let turn = Turn {
                start: &begin,
                moves: &moves,
                position: &position,
                budget: &Budget::unlimited(),
            };
            let choice = agents[side].choose(&turn, &mut random).unwrap();
            position = game.play(&position, choice.mv).unwrap();
            moves.push(choice.mv);
            side = 1 - side;
        }
        let won = f64::from(game.score(&position).unwrap().signum() + 1) / 2.0;
        points += if side == 0 { won } else { 1.0 - won };
    }
    points / (2 * pairs) as f64
}

/// The share of the first specification against the second.
fn words(game: &str, start: &str, [a, b]: [&str; 2], pairs: u64) -> f64 {
    let game = open(game, start);
    with_game!(
        &game,
        |game, start| {
            let agent = |spec: &str| {
                let spec: AgentSpec = spec.parse().unwrap();
                spec.agent(game, resources()).unwrap()
            };
            share(game, start, &mut [&mut *agent(a), &mut *agent(b)], pairs)
        },
        unreachable!()
    )
}

/// Three standard deviations of a share of so many pairs of games, at most.
fn three_sigma(pairs: u64) -> f64 {
    3.0 * 0.5 / ((2 * pairs) as f64).sqrt()
}

#[test]
fn as_strong_as_plain_tree_search() {
    let pairs = 150;
    for (name, start, simulations) in [
        ("clobber", "4x4", 60),
        ("clobber", "5x5", 60),
        ("othello", "4x4", 30),
        ("clobber", "1x70", 40),
    ] {
        let opened = open(name, start);
        with_game!(
            &opened,
            |game, start| {
                for spec in [
                    format!("mcts:{simulations},solve=false"),
                    format!("mcts:{simulations}"),
                ] {
                    let spec: AgentSpec = spec.parse().unwrap();
                    let mut agent = spec.agent(game, resources()).unwrap();
                    let mut plain = Plain {
                        game: game.clone(),
                        simulations,
                    };
                    let share = share(game, start, &mut [&mut *agent, &mut plain], pairs);
                    let far = (share - 0.5).abs();
                    assert!(far < three_sigma(pairs), "{spec} in {name}: {share}");
                }
            },
            unreachable!()
        );
    }
}

#[test]
fn more_thought_wins_more() {
    for [better, worse] in [
        ["mc:20", "random"],
        ["mcts:200", "mc:2"],
        ["mcts:400,reuse=true", "mcts:20"],
        ["mcts:400,amaf=100", "mcts:20"],
        ["mcts:400,threads=2", "mcts:20"],
        ["mcts:100,exact=16", "mcts:100"],
        ["solver", "mcts:100"],
    ] {
        let pairs = 40;
        let share = words("clobber", "5x5", [better, worse], pairs);
        assert!(
            share > 0.5 + three_sigma(pairs),
            "{better} against {worse}: {share}"
        );
    }
}
