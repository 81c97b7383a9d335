//! What the bench measures learns: a dead network only looks fast.

use std::time::Duration;

use upstar_games::{Clobber, Color, Rules, clobber};
use upstar_nets::Bench;

#[test]
fn measured_networks_are_live() {
    let grid = "4x4".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game.position(&clobber::checkerboard(grid), Color::Black);
    let start = start.unwrap();
    for (activation, fast) in [
        ("relu", true),
        ("leaky-relu", true),
        ("sigmoid", true),
        ("sigmoid:2", true),
        ("tanh", false),
    ] {
        let bench = Bench {
            hidden: 20,
            activation: activation.parse().unwrap(),
            ..Bench::default()
        };
        // A second for each look at the clock.
        let mut seconds = 0;
        let clock = || {
            seconds += 1;
            Duration::from_secs(seconds)
        };
        let limit = Duration::from_secs(3);
        let measured = bench.run(&game, &start, limit, clock).unwrap();
        assert_eq!(
            (measured.games, measured.fast),
            (3000, fast),
            "{activation}"
        );
        assert!(
            measured.live_gradient_share > 0.9,
            "{activation}: {measured:?}"
        );
    }
}
