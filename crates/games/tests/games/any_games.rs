//! `AnyGame` says and does the same as the rules behind it.

use std::collections::HashSet;

use upstar_games::{
    AnyGame, Color, GameResult, PlayError, Random, Rules, Variant, perft, random_move, with_rules,
};

use crate::common::open;

/// Every variant on boards of both word lengths, and Clobber on a graph.
fn games() -> Vec<AnyGame> {
    let mut games = vec![open("clobber", "a=x,b=o,c=x,a-b,b-c", None)];
    for variant in Variant::ALL {
        for board in ["4x5", "8x9"] {
            games.push(open(&variant.to_string(), board, None));
        }
    }
    games
}

/// Plays by names beside the rules and compares all that is said of each position.
fn check<R: Rules>(rules: &R, start: &R::Position, mut game: AnyGame, random: &mut Random) {
    let first = game.clone();
    let mut position = *start;
    let mut played = Vec::new();
    loop {
        let moves = rules.moves(&position).map(|mv| rules.move_name(mv));
        assert_eq!(game.legal(), moves.collect::<Vec<_>>());
        assert_eq!(game.setup(), rules.setup(&position));
        assert_eq!(game.to_string(), rules.setup(&position).to_string());
        assert_eq!(game.side_to_move(), rules.side_to_move(&position));
        assert_eq!(game.result(), rules.result(&position));
        assert_eq!(game.is_over(), game.result().is_some());
        assert_eq!(game.plies_left(), rules.plies_left(&position));
        assert_eq!(game.must_pass(), game.legal() == ["pass"]);
        assert_eq!(game.variant(), first.variant());
        let Some(mv) = random_move(rules, &position, random) else {
            break;
        };
        position = rules.play_unchecked(&position, mv);
        played.push(rules.move_name(mv));
        game = game.play(&rules.move_name(mv)).unwrap();
    }
    assert_eq!(first.play_all(&played), Ok(game));
    assert_eq!(first.perft(2), perft(rules, start, 2));
}

#[test]
fn games_are_played_by_names() {
    let mut random = Random::new(1);
    for game in games() {
        with_rules!(&game, |rules, start| {
            check(rules, start, game.clone(), &mut random);
        });
    }
}

#[test]
fn names_of_variants_come_back() {
    for variant in Variant::ALL {
        assert_eq!(open(&variant.to_string(), "4x4", None).variant(), variant);
    }
}

#[test]
fn what_is_no_move_and_what_is_not_legal_are_told_apart() {
    for game in games() {
        let refused = game.play("z99z98").unwrap_err();
        assert_eq!(refused, PlayError::NoMove("z99z98".to_owned()));
    }
    let game = open("clobber", "xo.", None);
    let refused = |name| game.play(name).unwrap_err().to_string();
    assert_eq!(refused("b1a1"), "b1a1 is not legal here");
    assert_eq!(refused("a1-b9"), "'a1-b9' names no move on this board");
    assert_eq!(
        game.svg(Some("b1a1")),
        Err(PlayError::Illegal("b1a1".into()))
    );
    let othello = open("othello", "4x4", None);
    let refused = othello.play("pass").unwrap_err();
    assert_eq!(refused, PlayError::Illegal("pass".to_owned()));
}

#[test]
fn results_have_winners_and_scores() {
    let end = open("clobber", "xo", None).play("a1b1").unwrap();
    let result = end.result().unwrap();
    assert_eq!(result, GameResult::LastMove(Color::Black.into()));
    assert_eq!(
        (result.to_string(), result.score()),
        ("x wins".to_owned(), None)
    );

    let end = open("othello", "8x8", None).play_transcript("e6f4e3f6g5d6e7f5c5");
    let result = end.unwrap().result().unwrap();
    assert_eq!(result.winner(), Some(Color::Black.into()));
    assert_eq!(result.score(), Some(13));
    assert_eq!(result.to_string(), "x wins, 13 to 0");
}

#[test]
fn transcripts_are_of_othello() {
    let refused = open("clobber", "2x2", None).play_transcript("a1");
    assert_eq!(refused.unwrap_err().to_string(), "clobber is not Othello");
    let refused = open("othello", "8x8", None).play_transcript("f5f5");
    assert_eq!(refused.unwrap_err().to_string(), "move 2, f5, is not legal");
}

#[test]
fn symmetric_positions_have_as_many_lines() {
    for game in games() {
        let images = game.symmetries();
        assert_eq!(images[0], game);
        let distinct: HashSet<&AnyGame> = images.iter().collect();
        assert_eq!(distinct.len(), images.len());
        for image in &images {
            assert_eq!(image.perft(2), game.perft(2), "{image}");
        }
    }
    let lengths = |game: &str, board: &str| open(game, board, None).symmetries().len();
    assert_eq!(lengths("clobber", "xo.|...|..."), 8);
    assert_eq!(lengths("clobber", "3x3"), 1);
    assert_eq!(lengths("clobber", "2x3"), 2);
    assert_eq!(lengths("othello", "8x8"), 2);
    // The central square of a board with an odd side is not in the middle.
    assert_eq!(lengths("othello:reversi", "x...|....|....|...."), 4);
    assert_eq!(lengths("othello:reversi", "x..|...|..."), 1);
}

#[test]
fn equality_is_of_name_board_and_position() {
    let game = |variant: &str, board: &str| open(variant, board, None);
    assert_eq!(game("clobber", "2x2"), game("clobber", "xo|ox"));
    assert_ne!(game("clobber", "2x2"), game("clobber:cannibal", "2x2"));
    assert_ne!(game("clobber", "xo"), game("clobber", "x|o"));
    assert_ne!(game("clobber", "xo"), open("clobber", "xo", Some('o')));
    assert_ne!(game("othello", "4x4"), game("othello:anti", "4x4"));
}
