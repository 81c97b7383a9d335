//! Agents are kept between games, and forget: which thread plays which game changes nothing.

use std::path::Path;

use upstar_agents::{Agent, AgentSpec, Playable, Resources};
use upstar_arena::{Contestant, Match, Openings, Place, Record, TimeControl};
use upstar_games::{Clobber, Color, Othello, Rules, Variant, clobber, othello};
use upstar_jobs::Budget;

/// Every agent, with every option by which it could remember earlier games.
const AGENTS: [&str; 15] = [
    "random",
    "greedy",
    "mc:3",
    "mc:3,ties=random",
    "mcts:30",
    "mcts:30,reuse=true",
    "mcts:30,exact=20",
    "mcts:30,exact=20,reuse=true,threads=2",
    "mcts:30,amaf=50",
    "solver:40",
    "solver",
    "az:default,sims=12",
    "az:default,sims=12,exact=20,batch=1",
    "best:sims=12,nodes=5000",
    "pick-first",
];

/// The records of a match of this agent against itself, without their times.
fn records<G: Playable>(place: &Place<'_, G>, agent: &str, threads: usize) -> Vec<Record> {
    let spec: AgentSpec = agent.parse().unwrap();
    let resources = Resources::default();
    let players = |_: usize| -> Result<Box<dyn Agent<G>>, String> {
        let made = spec.agent(place.game, &resources);
        made.map_err(|error| error.to_string())
    };
    let settings = Match {
        players: Contestant::two(agent, agent),
        games: 9,
        swap: true,
        openings: Openings::Random(2),
        sprt: None,
        seed: 5,
        threads,
        time: TimeControl::NONE,
    };
    let folder = tempfile::tempdir().unwrap();
    let file: &Path = &folder.path().join("games.jsonl");
    let budget = Budget::unlimited();
    let played = settings.play(place, &players, &budget, Some(file), &mut |_| {});
    assert!(played.unwrap().complete);
    let records = upstar_arena::log::read(file).unwrap();
    let mut records: Vec<Record> = records.collect::<Result<_, _>>().unwrap();
    for record in &mut records {
        record.seconds = 0.0;
        for thought in &mut record.thoughts {
            thought.seconds = 0.0;
        }
    }
    records.sort_by_key(|record| record.index);
    records
}

fn check<G: Playable>(place: &Place<'_, G>, more: &[&str]) {
    for agent in AGENTS.iter().chain(more) {
        let alone = records(place, agent, 1);
        assert_eq!(records(place, agent, 3), alone, "{agent}");
    }
}

#[test]
fn the_number_of_threads_changes_no_game_of_clobber() {
    let grid = "5x5".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    check(
        &Place {
            game: &game,
            start: &start,
            variant: Variant::Clobber,
            position: "5x5",
        },
        &[],
    );
}

#[test]
fn the_number_of_threads_changes_no_game_of_othello() {
    let grid = "4x4".parse().unwrap();
    let game = Othello::<u64>::new(grid);
    let opening = othello::Opening::DIAGONAL;
    let start = game
        .position(&othello::start(grid, opening).unwrap(), Color::Black)
        .unwrap();
    check(
        &Place {
            game: &game,
            start: &start,
            variant: Variant::Othello(opening),
            position: "4x4",
        },
        &["ab:2", "ab:4,exact=0"],
    );
}
