//! One-ply play: children by difference are children computed anew.

use proptest::prelude::*;
use upstar_games::{
    Clobber, Color, Grid, Othello, Random, Rules, Variant, clobber, othello, random_move,
};
use upstar_nets::{Activation, Encoder, Initial, Judge, Network, Shape, Visible, one_ply};

fn network(game: Variant, grid: Grid, encoder: Encoder, seed: u64) -> Network {
    let shape = Shape {
        game,
        grid,
        encoder,
        convolutions: Vec::new(),
        hidden: vec![13, 5],
        activation: Activation::Tanh,
        output: Activation::Linear,
    };
    Network::new(shape, Initial::Scaled, &mut Random::new(seed))
}

fn check<G: Visible>(game: &G, start: &G::Position, variant: Variant, seed: u64) {
    let grid = game.grid(start).unwrap();
    let encoder = Encoder::ALL[seed as usize % Encoder::ALL.len()];
    let network = network(variant, grid, encoder, seed);
    let mut judge = Judge::new(&network, game, start).unwrap();
    let mut anew = judge.clone();
    let mut random = Random::new(seed);
    let mut position = *start;
    loop {
        let mover = game.to_move(&position);
        let mut best: Option<(G::Move, f32)> = None;
        judge.children(&network, game, &position, |mv, value| {
            let child = game.play_unchecked(&position, mv);
            let expected = anew.look(&network, game, &child, mover).output();
            assert!(
                (value - expected).abs() < 1e-4,
                "{encoder}: {value} {expected}"
            );
            let worth = anew.sign(mover) * value;
            if best.is_none_or(|(_, highest)| worth > highest) {
                best = Some((mv, worth));
            }
        });
        let chosen = judge.best(&network, game, &position);
        assert_eq!(chosen.map(|chosen| chosen.mv), best.map(|(mv, _)| mv));
        let Some(mv) = random_move(game, &position, &mut random) else {
            assert!(chosen.is_none() && game.score(&position).is_some());
            break;
        };
        position = game.play_unchecked(&position, mv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn clobber_by_difference(rows in 1usize..7, cols in 2usize..9, seed in 0u64..1000) {
        let grid = Grid::new(rows, cols).unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game.position(&clobber::checkerboard(grid), Color::Black).unwrap();
        check(&game, &start, Variant::Clobber, seed);
    }

    #[test]
    fn othello_by_difference(rows in 2usize..9, cols in 2usize..9, seed in 0u64..1000) {
        let grid = Grid::new(rows, cols).unwrap();
        let game = Othello::<u64>::new(grid);
        let start = game.position(&othello::start(grid, othello::Opening::DIAGONAL).unwrap(), Color::Black).unwrap();
        check(&game, &start, "othello".parse().unwrap(), seed);
    }
}

#[test]
fn other_games_and_boards_are_refused() {
    let grid: Grid = "4x4".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    let refused = |variant: &str, size: &str| {
        let (variant, grid) = (variant.parse().unwrap(), size.parse().unwrap());
        let network = network(variant, grid, Encoder::Leiden2018, 1);
        one_ply(&network, &game, &start)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(refused("clobber", "4x4"), Ok(()));
    assert_eq!(
        refused("othello", "4x4"),
        Err("this network is for othello".to_owned())
    );
    assert_eq!(
        refused("clobber", "4x5"),
        Err("this network is for clobber 4x5, not for 4x4".to_owned())
    );
}
