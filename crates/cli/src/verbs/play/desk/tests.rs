//! What keys do at the board, and what programs answer.

use super::super::examples::{analysis, clobber, estimated, heading, othello, proved};
use super::*;
use std::time::Duration;
use upstar_agents::Choice;

/// Presses keys: `^` `v` `<` `>` are arrows, `/` is Enter, `~` Escape, `\t` Tab, `!` a hint; capital
/// letters are held with Ctrl.
fn press(desk: &mut Desk, keys: &str) -> Vec<Wish> {
    let key = |letter: char| match letter {
        '^' => Key::Up,
        'v' => Key::Down,
        '<' => Key::Left,
        '>' => Key::Right,
        '/' => Key::Enter,
        '~' => Key::Escape,
        '\t' => Key::Command(Command::Analyse),
        '!' => Key::Command(Command::Hint),
        'Z' => Key::Command(Command::Undo),
        'N' => Key::Command(Command::New),
        'S' => Key::Command(Command::Swap),
        'Q' => Key::Command(Command::Quit),
        letter => Key::Letter(letter),
    };
    let pressed = keys.chars().filter_map(|letter| desk.press(key(letter)));
    pressed.collect()
}

fn moves(desk: &Desk) -> Vec<String> {
    let moves = desk.table.moves().into_iter();
    moves.map(|played| played.mv).collect()
}

fn answer(name: &str) -> MoveAnswer {
    MoveAnswer {
        chosen: Ok(Choice::of(name.to_owned())),
        used: Duration::from_millis(100),
        too_late: false,
    }
}

#[test]
fn stones_are_chosen_and_moved() {
    let mut desk = Desk::new(clobber("3x3", "human", "human"), heading());
    press(&mut desk, "/>/");
    assert_eq!(moves(&desk), ["a1b1"]);
    // Chosen, left again, another one chosen, a cell it cannot reach.
    press(&mut desk, "vv//");
    assert_eq!(desk.chosen, None);
    press(&mut desk, "/^^/");
    assert_eq!(desk.message.text, "the stone cannot go to b1");
    press(&mut desk, "vv>/");
    assert_eq!(moves(&desk), ["a1b1", "b3c3"]);
    let mut desk = Desk::new(othello("4x4", "human", "human"), heading());
    press(&mut desk, "/");
    assert_eq!(moves(&desk), ["b1"]);
    press(&mut desk, "/");
    assert_eq!(desk.message.text, "there is no move at b1");
}

#[test]
fn moves_of_every_column_are_typed() {
    let mut desk = Desk::new(clobber("1x20", "human", "human"), heading());
    for (mv, count) in [
        ("a1b1", 1),
        ("h1g1", 2),
        ("q1r1", 3),
        ("n1m1", 4),
        ("s1t1", 5),
    ] {
        assert_eq!(press(&mut desk, mv), []);
        assert_eq!(desk.typed, mv);
        assert_eq!(press(&mut desk, "/"), []);
        assert_eq!(moves(&desk).len(), count, "{mv}: {}", desk.message.text);
    }
    press(&mut desk, "zz/");
    assert_eq!(desk.message.text, "'zz' names no move on this board");
    assert_eq!(desk.message.tone, Tone::Refused);
    press(&mut desk, "zz~");
    assert_eq!((desk.typed.as_str(), desk.message.text.as_str()), ("", ""));
}

#[test]
fn programs_are_asked_in_turn_and_can_be_interrupted() {
    let mut desk = Desk::new(clobber("3x3", "human", "random"), heading());
    assert_eq!(desk.next(), None);
    press(&mut desk, "a1b1/");
    assert_eq!(desk.next(), Some(Wish::Think(Task::Move)));
    desk.thinking = Some(Task::Move);
    assert_eq!(desk.next(), None);
    press(&mut desk, "c3b3/");
    assert_eq!((moves(&desk).len(), desk.message.text.as_str()), (1, BUSY));
    assert_eq!(press(&mut desk, "~"), [Wish::Stop]);
    let reply = answer("c2c1");
    assert_eq!(desk.moved(reply), None);
    assert_eq!(moves(&desk), ["a1b1", "c2c1"]);
    // What was thought is not wanted any more.
    press(&mut desk, "b1c1/");
    desk.thinking = Some(Task::Move);
    assert_eq!(press(&mut desk, "Z"), [Wish::Stop]);
    let reply = answer("a2a3");
    assert_eq!(desk.moved(reply), None);
    assert_eq!(moves(&desk), ["a1b1", "c2c1"]);
    press(&mut desk, "Z");
    assert!(moves(&desk).is_empty());
    press(&mut desk, "Z");
    assert_eq!(desk.message.text, "there is nothing to take back");
}

#[test]
fn sides_are_swapped_and_games_begin_anew() {
    let mut desk = Desk::new(clobber("1x4", "human", "random"), heading());
    assert_eq!(press(&mut desk, "S"), [Wish::Swap]);
    assert_eq!(desk.next(), Some(Wish::Think(Task::Move)));
    let reply = answer("c1d1");
    desk.moved(reply);
    assert_eq!(press(&mut desk, "N"), [Wish::Renew(1)]);
    // Nothing was played in this one.
    assert_eq!(press(&mut desk, "N"), [Wish::Renew(1)]);
    let records = desk.records();
    let indices: Vec<u64> = records.iter().map(|record| record.index).collect();
    assert_eq!(indices, [0, 1]);
    assert_eq!(records[0].moves, ["c1d1"]);
}

#[test]
fn an_unfinished_game_is_not_left_by_one_key() {
    let mut desk = Desk::new(clobber("1x4", "human", "human"), heading());
    // Nothing is lost yet.
    assert_eq!(press(&mut desk, "Q"), [Wish::Quit]);
    press(&mut desk, "a1b1/");
    assert_eq!(press(&mut desk, "Q"), []);
    assert_eq!(desk.message.text, UNFINISHED);
    // Another key goes on with the game.
    assert_eq!(press(&mut desk, "d~Q"), []);
    assert_eq!(press(&mut desk, "Q"), [Wish::Quit]);
    press(&mut desk, "d1c1/b1c1/");
    assert!(desk.table.is_over());
    assert_eq!(press(&mut desk, "Q"), [Wish::Quit]);
}

#[test]
fn an_analysis_says_what_is_proved_and_what_is_guessed() {
    let mut desk = Desk::new(clobber("xoxo", "human", "random"), heading());
    press(&mut desk, "\t");
    assert_eq!(desk.next(), Some(Wish::Think(Task::Analysis)));
    desk.thinking = Some(Task::Analysis);
    let cell = |name: &str| {
        let table = clobber("xoxo", "human", "random");
        table.game().board().cell_named(name).unwrap()
    };
    let (win, guess, loss) = (proved(Outcome::Win), estimated(0.62), proved(Outcome::Loss));
    let known = [("a1b1", win), ("c1b1", guess), ("c1d1", loss)];
    let known = analysis(&desk.table, &known);
    desk.graded(known.clone());
    assert_eq!(desk.note(cell("a1")), Some(&proved(Outcome::Win)));
    // c1b1 may be better than what is proved.
    assert_eq!(desk.note(cell("c1")), Some(&estimated(0.62)));
    assert_eq!(desk.note(cell("b1")), None);
    desk.analysed(Ok(known));
    assert_eq!(desk.message.text, "moves: 1 win, 1 lose, 1 not proved");
    assert_eq!(desk.next(), None);
    press(&mut desk, ">>/");
    assert_eq!(desk.note(cell("d1")), Some(&proved(Outcome::Loss)));
    assert_eq!(desk.note(cell("b1")), Some(&estimated(0.62)));
    // Another position knows nothing of it.
    press(&mut desk, "</");
    assert_eq!(desk.note(cell("d1")), None);
}

#[test]
fn an_analysis_goes_on_beside_the_game() {
    let mut desk = Desk::new(clobber("xoxo", "human", "human"), heading());
    press(&mut desk, "\t");
    desk.thinking = Some(Task::Analysis);
    let known = analysis(&desk.table, &[("a1b1", proved(Outcome::Win))]);
    desk.graded(known.clone());
    // A hint takes what is known.
    assert_eq!(press(&mut desk, "!"), []);
    let hint = "hint a1b1: x wins, proved (Enter plays it)";
    assert_eq!(desk.message.text, hint);
    assert_eq!(desk.message.tone, Tone::Proved);
    // Moves are typed meanwhile, and end it.
    assert_eq!(press(&mut desk, "c1d1/"), [Wish::Stop]);
    assert_eq!(moves(&desk), ["c1d1"]);
    desk.graded(known.clone());
    assert_eq!(desk.analysis, None, "it is of the position before");
    desk.analysed(Ok(known));
    assert_eq!((&desk.analysis, desk.message.text.as_str()), (&None, ""));
    // The next position has its own; Tab ends it.
    assert_eq!(desk.next(), Some(Wish::Think(Task::Analysis)));
    desk.thinking = Some(Task::Analysis);
    assert_eq!(press(&mut desk, "\t"), [Wish::Stop]);
    desk.analysed(Err("not asked for".to_owned()));
    assert_eq!((desk.next(), desk.message.text.as_str()), (None, ""));
}

#[test]
fn hints_are_asked_for_where_nothing_is_known() {
    let mut desk = Desk::new(clobber("xoxo", "human", "human"), heading());
    assert_eq!(press(&mut desk, "!"), [Wish::Think(Task::Hint)]);
    desk.thinking = Some(Task::Hint);
    let mut known = analysis(&desk.table, &[("c1b1", estimated(0.62))]);
    desk.hinted(Ok(known.moves.remove(0)));
    let hint = "hint c1b1: about 62 % for x (Enter plays it)";
    assert_eq!(desk.message.text, hint);
    assert_eq!(desk.message.tone, Tone::Estimated);
    press(&mut desk, "/");
    assert_eq!(moves(&desk), ["c1b1"]);
}

#[test]
fn the_keys_are_shown_until_another_one_is_pressed() {
    let mut desk = Desk::new(clobber("xoxo", "human", "human"), heading());
    desk.press(Key::Command(Command::Help));
    assert!(desk.help);
    press(&mut desk, "a");
    assert!(!desk.help && desk.typed.is_empty());
}

#[test]
fn a_pass_needs_no_cell() {
    // Black has no move, and White has one that ends the game.
    let mut desk = Desk::new(othello("ox..|....|....|....", "human", "human"), heading());
    press(&mut desk, "/c1/");
    assert_eq!(moves(&desk), ["pass", "c1"]);
    assert!(desk.table.is_over());
    press(&mut desk, "/");
    assert_eq!(desk.message.text, OVER);
}

/// A click at a cell of the board.
fn click(desk: &mut Desk, name: &str) -> Option<Wish> {
    let cell = desk.table.game().board().cell_named(name).unwrap();
    desk.click(Some(Target::Cell(cell)))
}

#[test]
fn clicks_play_moves() {
    let mut desk = Desk::new(clobber("3x3", "human", "human"), heading());
    for name in ["a1", "b1", "b3", "a1"] {
        click(&mut desk, name);
    }
    assert_eq!(moves(&desk), ["a1b1"]);
    assert_eq!(desk.message.text, "the stone cannot go to a1");
    click(&mut desk, "b2");
    assert_eq!(moves(&desk), ["a1b1", "b3b2"]);
    let mut desk = Desk::new(othello("4x4", "human", "human"), heading());
    press(&mut desk, "d4");
    click(&mut desk, "b1");
    assert_eq!(
        (moves(&desk), desk.typed.as_str()),
        (vec!["b1".to_owned()], "")
    );
    assert_eq!(desk.click(None), None);
    // The first click only ends the list of keys.
    desk.press(Key::Command(Command::Help));
    click(&mut desk, "a1");
    assert_eq!((moves(&desk).len(), desk.help), (1, false));
    click(&mut desk, "a1");
    assert_eq!(moves(&desk), ["b1", "a1"]);
}

#[test]
fn earlier_positions_are_looked_at_and_played_on_from() {
    let mut desk = Desk::new(clobber("1x8", "human", "random"), heading());
    desk.press(Key::Back);
    assert_eq!(desk.looking, None, "there is nothing before the first move");
    for mv in ["a1b1", "e1f1"] {
        press(&mut desk, mv);
        press(&mut desk, "/");
        desk.thinking = Some(Task::Move);
        desk.moved(answer(if mv == "a1b1" { "d1c1" } else { "h1g1" }));
    }
    assert_eq!(moves(&desk), ["a1b1", "d1c1", "e1f1", "h1g1"]);
    let last = desk.table.game().clone();
    desk.press(Key::Back);
    desk.press(Key::Back);
    assert_eq!(
        (desk.looking, desk.last_shown().unwrap().mv),
        (Some(2), "d1c1".to_owned())
    );
    assert_eq!(desk.game().to_string(), ".xo.xoxo");
    assert_eq!((desk.open_cells(), moves(&desk).len()), (0, 4));
    // No key and no click changes the game by mistake.
    press(&mut desk, "/");
    click(&mut desk, "b1");
    click(&mut desk, "c1");
    assert_eq!(
        (moves(&desk).len(), desk.message.text.as_str()),
        (4, LOOKING)
    );
    desk.press(Key::Forward);
    desk.press(Key::Forward);
    assert_eq!((desk.looking, desk.game()), (None, &last));
    desk.press(Key::Forward);
    assert_eq!(desk.looking, None);
    desk.press(Key::First);
    assert_eq!((desk.looking, desk.game()), (Some(0), desk.table.start()));
    press(&mut desk, "~");
    assert_eq!((desk.looking, desk.message.text.as_str()), (None, ""));
    // A click in the list of moves, and the game goes on from there.
    desk.click(Some(Target::Ply(2)));
    press(&mut desk, "Z");
    assert_eq!(
        (moves(&desk), desk.looking),
        (vec!["a1b1".to_owned(), "d1c1".to_owned()], None)
    );
    press(&mut desk, "b1c1/");
    assert_eq!(moves(&desk), ["a1b1", "d1c1", "b1c1"]);
    // A program's move does not turn the page.
    desk.thinking = Some(Task::Move);
    desk.press(Key::First);
    desk.moved(answer("f1e1"));
    assert_eq!((desk.looking, moves(&desk).len()), (Some(0), 4));
}

#[test]
fn a_graded_move_is_clicked_and_played() {
    let mut desk = Desk::new(clobber("xoxo", "human", "human"), heading());
    press(&mut desk, "\t");
    desk.thinking = Some(Task::Analysis);
    let known = [("a1b1", proved(Outcome::Win)), ("c1b1", estimated(0.62))];
    desk.graded(analysis(&desk.table, &known));
    desk.click(Some(Target::Graded(1)));
    let hint = "hint c1b1: about 62 % for x (Enter plays it)";
    assert_eq!(desk.message.text, hint);
    press(&mut desk, "/");
    assert_eq!(moves(&desk), ["c1b1"]);
}
