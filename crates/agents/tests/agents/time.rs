//! Players keep to their time, be it their own limit or the game's clock.

use std::time::Duration;

use cpu_time::ThreadTime;
use upstar_agents::{AgentSpec, Choice, Playable, Turn};
use upstar_games::{Random, with_game};
use upstar_jobs::Budget;

use crate::oracle::{open, resources};

/// The choice of an agent in this position, and the time that it took: of the processor, so that whatever
/// else the machine does is not counted.
fn timed<G: Playable>(
    game: &G,
    position: &G::Position,
    spec: &str,
    budget: &Budget,
) -> (Choice<G::Move>, Duration) {
    let spec: AgentSpec = spec.parse().unwrap();
    let mut agent = spec.agent(game, resources()).unwrap();
    let turn = Turn {
        start: position,
        moves: &[],
        position,
        budget,
    };
    let begun = ThreadTime::now();
    let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
    (choice, begun.elapsed())
}

#[test]
fn searches_end_in_time() {
    const TIME: Duration = Duration::from_millis(100);
    /// What every time limit of the program promises.
    const LATE: Duration = Duration::from_millis(100);
    for (name, start) in [
        ("clobber", "5x6"),
        ("clobber", "8x8"),
        ("clobber", "11x11"),
        ("othello", "8x8"),
        ("othello", "10x10"),
        ("othello:reversi", "8x8"),
    ] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, first| {
                let check = |spec: &str, budget: &Budget| {
                    let (_, took) = timed(game, first, spec, budget);
                    let case = format!("{spec} on {name} {start}: {took:?}");
                    assert!(took < TIME + LATE, "{case}");
                };
                let own = Budget::unlimited();
                check("solver:100ms", &own);
                check("mcts:100ms,exact=64", &own);
                for spec in ["solver", "solver:1s", "mcts:1s,exact=64"] {
                    check(spec, &Budget::unlimited().with_time(TIME));
                }
            },
            unreachable!()
        );
    }
}

/// What is not proved is not left to a handful of simulations.
#[test]
fn without_a_proof_much_of_the_time_goes_into_simulations() {
    for (name, start) in [("clobber", "10x10"), ("othello", "8x8")] {
        let game = open(name, start);
        with_game!(
            &game,
            |game, start| {
                let (choice, _) = timed(game, start, "solver:1500ms", &Budget::unlimited());
                let remark = choice.remark.unwrap();
                let mut words = remark.rsplit(' ');
                assert_eq!(words.next(), Some("simulations"));
                let simulations: u64 = words.next().unwrap().parse().unwrap();
                assert!(simulations > 1000, "{remark}");
            },
            unreachable!()
        );
    }
}
