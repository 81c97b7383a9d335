//! Trees of agents are leased from the ledger of their resources.

use upstar_agents::{AgentSpec, AnyAgent, Resources};
use upstar_games::{AnyGame, Random};
use upstar_jobs::{Budget, Ledger};
use upstar_solve::{Settings, Solver};

fn limited(ledger: &Ledger) -> Resources {
    Resources {
        solver: Solver::new(Settings {
            ledger: ledger.clone(),
            ..Settings::default()
        }),
        ..Resources::default()
    }
}

#[test]
fn trees_are_leased_and_come_back() {
    let game = AnyGame::parse("clobber", "6x6").unwrap();
    let ledger = Ledger::new(64 << 20, 2);
    let resources = limited(&ledger);
    let agent = |spec: &str| {
        let spec: AgentSpec = spec.parse().unwrap();
        AnyAgent::new(&spec, &game, &resources)
    };
    let search = |agent: &mut AnyAgent| {
        let budget = Budget::unlimited();
        let choice = agent.choose(&game, &[], &budget, &mut Random::new(1));
        game.play(&choice.unwrap().mv).unwrap();
    };
    let first = agent("mcts:100,memory=40M").unwrap();
    assert_eq!(ledger.free(), 24 << 20);
    // Others get less, and play with it.
    let mut second = agent("mcts:2000").unwrap();
    assert_eq!(ledger.free(), 0);
    search(&mut second);
    for spec in ["mcts:100", "az:default"] {
        let refused = agent(spec).err().unwrap().to_string();
        let sentence = "1 MB of memory are needed and 0 MB of the limit of 64 MB are free";
        assert!(refused.ends_with(sentence), "{refused}");
    }
    drop((first, second));
    assert_eq!(ledger.free(), ledger.limit());
}

#[test]
fn a_search_led_by_a_network_leases_as_it_grows_and_ends_where_nothing_is_left() {
    let game = AnyGame::parse("clobber", "8x8").unwrap();
    let spec: AgentSpec = "az:default,sims=10000".parse().unwrap();
    let budget = Budget::unlimited();
    let effort = |megabytes: usize| {
        let ledger = Ledger::new(megabytes << 20, 2);
        let mut agent = AnyAgent::new(&spec, &game, &limited(&ledger)).unwrap();
        let begun = ledger.free();
        let choice = agent.choose(&game, &[], &budget, &mut Random::new(1));
        assert!(ledger.free() < begun || begun == 0, "it grows");
        choice.unwrap().effort
    };
    let (small, large) = (effort(4), effort(1024));
    assert!(small > 0 && small < large, "{small} {large}");
    assert_eq!(large, 10_000);
}
