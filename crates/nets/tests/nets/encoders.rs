//! Encoders against the theses' words.

use upstar_games::{Clobber, Color, Grid, Othello, Position, Rules, Setup, clobber, othello};
use upstar_nets::{Encoder, Eyes, Visible};

fn encoded<G: Visible>(
    game: &G,
    position: &G::Position,
    mover: Color,
    encoder: Encoder,
) -> Vec<f32> {
    let eyes = Eyes::new(game.grid(position).unwrap(), encoder);
    let mut inputs = vec![0.0; encoder.inputs(eyes.grid())];
    encoder.encode(&eyes, &game.view(position, mover, encoder), &mut inputs);
    inputs
}

#[test]
fn numbers_of_inputs_are_those_of_the_theses() {
    let inputs = |encoder: Encoder, size: &str| encoder.inputs(&size.parse().unwrap());
    assert_eq!(inputs(Encoder::Leiden2018, "6x6"), 36);
    assert_eq!(inputs(Encoder::Etoeharnowo2017, "5x4"), 21);
    assert_eq!(inputs(Encoder::Cammel2015Cells, "4x4"), 17);
    assert_eq!(inputs(Encoder::Cammel2015Comparisons, "4x4"), 22);
    for (size, expected) in [
        ("4x4", 24),
        ("4x5", 28),
        ("6x6", 44),
        ("7x7", 57),
        ("8x8", 72),
    ] {
        assert_eq!(inputs(Encoder::Cammel2015, size), expected);
    }
}

#[test]
fn leiden_sees_with_the_mover_and_etoeharnowo_with_black() {
    let grid: Grid = "1x4".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start: Position<u64> = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    let after = game.play(&start, game.move_named("a1b1").unwrap()).unwrap();
    // Now .xxo, White to move.
    let seen = |mover, encoder| encoded(&game, &after, mover, encoder);
    assert_eq!(
        seen(Color::Black, Encoder::Leiden2018),
        [0.0, 1.0, 1.0, -1.0]
    );
    assert_eq!(
        seen(Color::White, Encoder::Leiden2018),
        [0.0, -1.0, -1.0, 1.0]
    );
    assert_eq!(
        seen(Color::Black, Encoder::Etoeharnowo2017),
        [-1.0, 0.0, 1.0, 1.0, -1.0]
    );
    assert_eq!(
        seen(Color::Black, Encoder::Planes),
        [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    );
}

#[test]
fn cammel_compares() {
    let setup: Setup = "xoo.|....|.xo.|....".parse().unwrap();
    let game = Othello::<u64>::new("4x4".parse().unwrap());
    let position = game.position(&setup, Color::White).unwrap();
    let inputs = encoded(&game, &position, Color::Black, Encoder::Cammel2015);
    assert_eq!(inputs.len(), 24);
    assert_eq!(inputs[0], 1.0);
    assert_eq!(inputs[1..5], [0.0, 1.0, 1.0, 0.5]);
    // Black has the only corner, White more stones, Black next to corners one (b3) and White three
    // (b1, c1, c3); Black's moves are d1 and d3; White's is a3. All stones have empty neighbours.
    let [black, white] = game.moves_of_both(&position);
    let moves = if black > white {
        0.0
    } else if black == white {
        0.5
    } else {
        1.0
    };
    assert_eq!(inputs[17..], [0.0, 1.0, 1.0, moves, 1.0, 0.25, 0.0]);
    let start = othello::start("4x4".parse().unwrap(), othello::Opening::DIAGONAL).unwrap();
    let start = game.position(&start, Color::Black).unwrap();
    let inputs = encoded(&game, &start, Color::White, Encoder::Cammel2015Comparisons);
    assert_eq!(inputs[17..], [0.5; 5]);
}
