//! What agents think of in the other side's time helps them afterwards, and changes nothing else.

use std::time::Duration;

use upstar_agents::{Agent, AgentSpec, Playable, Turn};
use upstar_games::{Random, with_game};
use upstar_jobs::Budget;

use crate::oracle::{open, resources};

/// The effort of an agent's choice after its own first move and the other side's reply, which it has thought of
/// for this long.
fn effort<G: Playable>(
    agent: &mut dyn Agent<G>,
    game: &G,
    start: &G::Position,
    time: Duration,
) -> u64 {
    let mut random = Random::new(1);
    let unlimited = Budget::unlimited();
    let (mut position, mut moves) = (*start, Vec::new());
    for pondered in [false, true, false] {
        let budget = Budget::unlimited().with_time(time);
        let turn = |budget| Turn {
            start,
            moves: &moves,
            position: &position,
            budget,
        };
        if pondered {
            agent.ponder(&turn(&budget));
        }
        let choice = agent.choose(&turn(&unlimited), &mut random).unwrap();
        if moves.len() == 2 {
            return choice.effort;
        }
        position = game.play_unchecked(&position, choice.mv);
        moves.push(choice.mv);
    }
    unreachable!("the third choice is returned")
}

#[test]
fn pondering_saves_work() {
    for (name, start, spec) in [
        ("othello", "8x8", "ab:9,book=none"),
        ("othello", "6x6", "ab:9"),
    ] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let spec: AgentSpec = spec.parse().unwrap();
                let [cold, warm] = [Duration::ZERO, Duration::from_secs(1)].map(|time| {
                    let mut agent = spec.agent(game, resources()).unwrap();
                    effort(&mut *agent, game, start, time)
                });
                assert!(
                    warm < cold,
                    "{name}: {warm} positions with pondering, {cold} without"
                );
            },
            unreachable!()
        );
    }
}

#[test]
fn whoever_remembers_nothing_does_not_ponder() {
    let game = open("clobber", "4x4");
    with_game!(
        &game,
        |game, start| {
            for spec in ["random", "mcts:100", "solver", "best:sims=10,nodes=100"] {
                let spec: AgentSpec = spec.parse().unwrap();
                let [cold, warm] = [Duration::ZERO, Duration::from_millis(50)].map(|time| {
                    let mut agent = spec.agent(game, resources()).unwrap();
                    effort(&mut *agent, game, start, time)
                });
                assert_eq!(warm, cold, "{spec}");
            }
        },
        unreachable!()
    );
}
