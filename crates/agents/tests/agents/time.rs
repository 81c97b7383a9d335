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
    /// A busy machine slows down memory too, so that a search may be late by no fault of its own: once in
    /// so many tries it must not be.
    const TRIES: usize = 5;
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
                let check = |spec: &str, budget: &dyn Fn() -> Budget| {
                    let times = (0..TRIES).map(|_| timed(game, first, spec, &budget()).1);
                    let mut late = Vec::new();
                    for took in times {
                        if took < TIME + LATE {
                            return;
                        }
                        late.push(took);
                    }
                    panic!("{spec} on {name} {start}: {late:?}");
                };
                let own = &Budget::unlimited;
                check("solver:100ms", own);
                check("mcts:100ms,exact=64", own);
                check("best:100ms", own);
                check("best:100ms,threads=1", own);
                for spec in [
                    "solver",
                    "solver:1s",
                    "mcts:1s,exact=64",
                    "best",
                    "best:sims=1000000",
                ] {
                    check(spec, &|| Budget::unlimited().with_time(TIME));
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
