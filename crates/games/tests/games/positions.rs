//! Setups that are not positions of a game are refused, in every variant.

use upstar_games::{
    AnyGame, Clobber, Color, Grid, Othello, PositionError, Rules, Setup, Side, Variant, clobber,
};

use crate::common::open;

/// A game of every variant on this board, with two to six colours.
fn games(board: &str) -> Vec<AnyGame> {
    let more = [2, 4, 5, 6].map(Variant::Colors);
    let variants = Variant::ALL.into_iter().chain(more);
    variants
        .map(|variant| open(&variant.to_string(), board, None))
        .collect()
}

fn setup(text: &str) -> Setup {
    text.parse().unwrap()
}

#[test]
fn setups_of_another_board_are_refused() {
    for game in games("4x4") {
        for other in [
            "xox|oxo|xox",
            "xoxo|oxox|xoxo",
            "xoxo|oxox|xoxo|oxox|xoxo",
            // Another shape of as many cells, and a hole.
            "xoxoxoxo|oxoxoxox",
            "#oxo|oxox|xoxo|oxox",
            "a=x,b=o,a-b",
        ] {
            let refused = game.at(&setup(other), Color::Black);
            assert!(
                matches!(refused, Err(PositionError::Board { .. })),
                "{} {other}",
                game.variant()
            );
        }
        assert!(game.at(&setup("....|.xo.|.ox.|...."), Color::White).is_ok());
    }
    let graph = open("clobber", "a=x,b=o,a-b", None);
    let refused = |text| {
        matches!(
            graph.at(&setup(text), Color::Black),
            Err(PositionError::Board { .. })
        )
    };
    assert!(refused("a=x,b=o"), "an edge is missing");
    assert!(refused("a=x,c=o,a-c"), "a vertex has another name");
    assert!(refused("xo"), "a grid with as many cells");
    assert!(graph.at(&setup("a=o,b=o,a-b"), Color::Black).is_ok());
}

#[test]
fn a_setup_of_3x4_is_not_a_position_on_3x3() {
    let grid: Grid = "3x3".parse().unwrap();
    let larger = clobber::checkerboard("3x4".parse().unwrap());
    let sentence = "a setup on 3x4 is not a position on 3x3";
    let refused = Clobber::<u64>::new(grid).position(&larger, Color::Black);
    assert_eq!(refused.unwrap_err().to_string(), sentence);
    let refused = Othello::<u128>::new(grid).position(&larger, Color::Black);
    assert_eq!(refused.unwrap_err().to_string(), sentence);
}

#[test]
fn stones_of_sides_that_the_game_lacks_are_refused() {
    for game in games("2x3") {
        let sides = game.variant().sides();
        for side in Side::ALL {
            let mut stones = Setup::new(game.board().clone());
            stones.put(upstar_games::Cell::new(0), side);
            let placed = game.at(&stones, Color::Black);
            if side.index() < sides {
                assert!(placed.is_ok(), "{} {side}", game.variant());
            } else {
                let refused = Err(PositionError::Stone { side, sides });
                assert_eq!(placed, refused, "{} {side}", game.variant());
            }
        }
    }
}

#[test]
fn sides_that_the_game_lacks_cannot_be_to_move() {
    for game in games("2x2") {
        let sides = game.variant().sides();
        for side in Side::ALL {
            let turn = game.at(&game.setup(), side);
            if side.index() < sides {
                assert!(turn.is_ok(), "{} {side}", game.variant());
            } else {
                let refused = Err(PositionError::ToMove { side, sides });
                assert_eq!(turn, refused, "{} {side}", game.variant());
            }
        }
    }
}

/// A setup whose board was changed after its stones were put.
#[test]
fn stones_beside_the_board_are_refused() {
    let mut stones = setup("xo|ox");
    let holed = setup("#.|..").board;
    stones.board = holed.clone();
    let refused = Clobber::<u64>::new(holed).position(&stones, Color::Black);
    assert!(matches!(refused, Err(PositionError::Board { .. })));
}

#[test]
#[should_panic(expected = "stones are put on empty cells")]
fn two_stones_on_a_cell_panic() {
    let mut stones = setup("xo");
    stones.put(upstar_games::Cell::new(0), Color::White);
}
