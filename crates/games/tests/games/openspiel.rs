//! Legal moves against OpenSpiel: positions of its random games, with its moves in our notation and
//! order. `UPSTAR_OPENSPIEL_SAMPLE` may name another file (best by its whole path) that
//! `scripts/openspiel_legal.py` has written.

use crate::common::open;
use upstar_games::{Rules, with_rules};

/// `GAME POSITION TO_MOVE MOVE…`, or `over` for the moves of a finished game.
fn check(line: &str) {
    let mut words = line.split(' ');
    let mut word = || words.next().expect("a game, a position and a side to move");
    let (game, position, to_move) = (word(), word(), word());
    let opened = open(game, position, to_move.chars().next());
    let moves: Vec<String> = with_rules!(&opened, |rules, start| {
        rules.moves(start).map(|mv| rules.move_name(mv)).collect()
    });
    let listed = if moves.is_empty() {
        "over".to_owned()
    } else {
        moves.join(" ")
    };
    assert_eq!(format!("{game} {position} {to_move} {listed}"), line);
}

#[test]
fn legal_moves_are_those_of_openspiel() {
    let other = std::env::var_os("UPSTAR_OPENSPIEL_SAMPLE");
    let sample = match &other {
        Some(file) => std::fs::read_to_string(file).expect("the sample can be read"),
        None => include_str!("../data/openspiel-legal.txt").to_owned(),
    };
    let lines = sample.lines().filter(|line| !line.starts_with('#'));
    let checked = lines.inspect(|line| check(line)).count();
    assert!(checked > 0, "the sample has no position");
}
