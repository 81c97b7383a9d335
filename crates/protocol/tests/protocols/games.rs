//! Whole games between two engines, with a referee that knows the rules.

use upstar_agents::Resources;
use upstar_agents::gtp_names::{self, Coordinates};
use upstar_games::{AnyGame, Board, Game, Start, Variant, with_game};
use upstar_protocol::Gtp;

/// Plays a game, each engine told the other's moves, and compares every move with the rules.
fn referee<G: Game>(
    variant: Variant,
    game: &G,
    start: &G::Position,
    engines: &mut [Gtp; 2],
) -> String {
    let Board::Grid(grid) = game.setup(start).board else {
        panic!("GTP has no graphs")
    };
    let ask = |engine: &mut Gtp, line: &str| {
        let text = engine.respond(line).expect("a command").text;
        let answer = text.strip_prefix('=');
        answer
            .unwrap_or_else(|| panic!("{line}: {text}"))
            .trim()
            .to_owned()
    };
    let coordinates = Coordinates::usual(variant);
    let mut position = *start;
    for _ in 0..=game.plies_left(start) {
        let color = game.to_move(&position);
        let letter = gtp_names::color_name(color);
        let own = color.index();
        let answer = ask(&mut engines[own], &format!("genmove {letter}"));
        if game.is_over(&position) {
            assert!(["pass", "resign"].contains(&&answer[..]), "{answer}");
            break;
        }
        let mv = coordinates.read(&grid, &answer).expect("a name");
        let mv = game.move_named(&mv).expect("a move");
        position = game.play(&position, mv).expect("a legal move");
        ask(&mut engines[1 - own], &format!("play {letter} {answer}"));
    }
    let black = game.black_score(&position).expect("the game is over");
    let expected = match black {
        1.. => format!("B+{black}"),
        0 => "0".to_owned(),
        _ => format!("W+{}", -black),
    };
    for engine in engines {
        assert_eq!(ask(engine, "final_score"), expected);
    }
    expected
}

fn check(game: &str, position: &str, black: &str, white: &str) -> String {
    let variant: Variant = game.parse().unwrap();
    let start: Start = position.parse().unwrap();
    let engine = |spec: &str| {
        let spec = spec.parse().unwrap();
        Gtp::new(variant, &start, None, None, spec, Resources::default(), 3).unwrap()
    };
    let mut engines = [engine(black), engine(white)];
    let opened = AnyGame::open(variant, &start, None).unwrap();
    with_game!(
        &opened,
        |rules, start| referee(variant, rules, start, &mut engines),
        panic!("not for two")
    )
}

#[test]
fn engines_play_clobber_on_boards_of_all_shapes() {
    for size in [
        "1x9",
        "3x4",
        "4x3",
        "5x5",
        "10x10",
        "11x2",
        "xo#ox|oxoxo|#xoxo",
    ] {
        check("clobber", size, "mcts:200", "random");
        check("clobber:cannibal", size, "random", "mc:10");
    }
    // White wins 3x4, and whoever plays perfectly keeps that.
    assert_eq!(check("clobber", "3x4", "mcts:100", "solver"), "W+1");
}

#[test]
fn engines_play_othello_and_its_variants() {
    for game in [
        "othello",
        "othello:anti",
        "othello:parallel",
        "othello:middle=lower-right",
        "othello:reversi",
    ] {
        for size in ["4x4", "5x6", "8x8", "10x9"] {
            check(game, size, "mcts:100", "greedy");
            check(game, size, "random", "random");
        }
    }
    assert_eq!(
        check("othello", "4x4", "random", "solver").chars().next(),
        Some('W')
    );
}
