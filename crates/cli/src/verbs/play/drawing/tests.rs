//! What is seen of the board in windows of different sizes.

use super::super::examples::{analysis, clobber, estimated, heading, othello, play, proved};
use super::super::keys::{Command, Key};
use super::*;
use upstar_agents::{Choice, Evaluation};
use upstar_analysis::Knowledge;
use upstar_session::{LiveGame, MoveAnswer};
use upstar_solve::Outcome;

fn text(desk: &Desk, size: (usize, usize)) -> String {
    let lines = draw(desk, size, Duration::from_millis(1250));
    assert!(lines.len() <= size.1, "{} lines", lines.len());
    let text: Vec<String> = lines.iter().map(Line::plain).collect();
    text.join("\n")
}

fn check(desk: &Desk, size: (usize, usize), expected: &str) {
    let text = text(desk, size);
    assert_eq!(text, expected.trim_matches('\n'), "\n{text}");
}

#[test]
fn a_stone_is_chosen() {
    let mut table = clobber("3x3", "human", "human");
    play(&mut table, &["a1b1", "b3c3"]);
    let mut desk = Desk::new(table, heading());
    desk.press(Key::Enter);
    desk.press(Key::Down);
    let expected = "
clobber 3x3   x human   o human

     a   b   c
  1  .   x  (x)
  2  o   x  [o]
  3  x   .  *o

x: to move
o plays b3c3

arrows+Enter or type a move  Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (80, 24), expected);
    // The targets are marked where the cursor is not.
    desk.press(Key::Left);
    let expected = "
     a   b   c
  1  .   x  (x)
  2  o  [x] <o>
  3  x   .  *o
x: to move
o plays b3c3

? keys  ^Q quit";
    check(&desk, (20, 8), expected);
}

/// A desk with an analysis that has ended.
fn analysed(table: LiveGame, known: &[(&str, Knowledge)]) -> Desk {
    let known = analysis(&table, known);
    let mut desk = Desk::new(table, heading());
    desk.press(Key::Command(Command::Analyse));
    desk.thinking = Some(Task::Analysis);
    desk.analysed(Ok(known));
    desk
}

#[test]
fn an_analysis_in_windows_of_different_width() {
    let known = [
        ("a1b1", proved(Outcome::Win)),
        ("g1h1", estimated(0.62)),
        ("c1d1", estimated(0.31)),
        ("b2a2", proved(Outcome::Loss)),
    ];
    let desk = analysed(clobber("2x8", "human", "solver"), &known);
    let expected = "
clobber 2x8   x human   o solver

     a     b     c     d     e     f     g     h
  1 [xW]   o     x31%  o     x     o     x62%  o
  2  o     xL    o     x     o     x     o     x

x: it is your move

moves: 1 win, 1 lose, 2 not proved

x wins, proved
mcts 0, 0.0 s
= a1b1  wins
~ g1h1  62%
~ c1d1  31%
= b2a2  loses
Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 17), expected);
    let expected = "
clobber 2x8   x human   o solver
     a    b    c    d    e    f    g    h
  1 [xW]  o    x31  o    x    o    x62  o
  2  o    xL   o    x    o    x    o    x
x: it is your move

moves: 1 win, 1 lose, 2 not proved
? keys  ^Q quit";
    check(&desk, (44, 8), expected);
    let expected = "
clobber 2x8   x human   o solver
     a   b   c   d   e   f   g   h
  1 [xW] o   x3  o   x   o   x6  o
  2  o   xL  o   x   o   x   o   x
x: it is your move

moves: 1 win, 1 lose, 2 not proved
? keys  ^Q quit";
    check(&desk, (36, 8), expected);
    let expected = "
     a  b  c  d  e  f  g  h
  1 [xW o  x3 o  x  o  x6 o
  2  o  xL o  x  o  x  o  x
x: it is your move

moves: 1 win, 1 lose, 2 not
? keys  ^Q quit";
    check(&desk, (28, 7), expected);
    let expected = "
     a b c d e f g h
  1 [x o3x o x o6x o
  2  oLx o x o x o x
x: it is your move

moves: 1 win, 1
? keys  ^Q quit";
    check(&desk, (20, 7), expected);
    let expected = "
the window is too
small: this board
needs 20 columns
and 7 rows";
    check(&desk, (19, 7), expected);
    check(
        &desk,
        (80, 6),
        "the window is too small: this board needs 20 columns and 7 rows",
    );
}

#[test]
fn the_panel_stands_beside_the_board() {
    let known = [
        ("b1", Knowledge::of_score(4)),
        ("a2", estimated(0.456)),
        ("d3", proved(Outcome::Draw)),
        ("c4", Knowledge::of_score(-10)),
    ];
    let desk = analysed(othello("4x4", "human", "solver"), &known);
    let expected = "
othello 4x4   x human   o solver

     a     b     c     d      x wins by 4, proved
  1  .    [ +4]  .     .      mcts 0, 0.0 s
  2   46%  o     x     .      = b1  wins +4
  3  .     x     o      D     ~ a2  46%
  4  .     .      -10  .      = d3  draws

x 2, o 2   x: it is your move

moves: 1 win, 1 draw, 1 lose, 1 not proved
Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 12), expected);
    let shown = text(&desk, (60, 12));
    assert_eq!(shown.matches('?').count(), 1, "only in the footer: {shown}");
}

#[test]
fn discs_are_counted_in_every_window() {
    let mut table = othello("4x4", "human", "human");
    play(&mut table, &["b1"]);
    let mut desk = Desk::new(table, heading());
    for size in [(80, 24), (20, 9)] {
        assert!(text(&desk, size).contains("x 4, o 1"), "{size:?}");
        desk.thinking = Some(Task::Move);
        assert!(text(&desk, size).contains("x 4, o 1"), "{size:?}");
        desk.thinking = None;
    }
    let desk = Desk::new(clobber("4x4", "human", "human"), heading());
    assert!(!text(&desk, (80, 24)).contains("x 8"));
}

#[test]
fn the_keys_can_be_shown() {
    let mut desk = Desk::new(clobber("4x4", "human", "human"), heading());
    desk.press(Key::Command(Command::Help));
    assert!(text(&desk, (80, 24)).contains("\n^Z               undo"));
}

#[test]
fn a_program_thinks_and_has_an_opinion() {
    let mut desk = Desk::new(othello("4x4", "mcts:1s", "human"), heading());
    desk.thinking = Some(Task::Move);
    let expected = "
othello 4x4   x mcts:1s   o human

     a   b   c   d
  1  .  [.]  .   .
  2  .   o   x   .
  3  .   x   o   .
  4  .   .   .   .

x 2, o 2   | x (mcts:1s) thinks, 1.2 s   Esc: move now


Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 12), expected);
    let mv = desk.table.legal()[0].clone();
    desk.moved(MoveAnswer {
        chosen: Ok(Choice {
            evaluation: Some(Evaluation::Expected(0.26)),
            remark: Some("this was hard".to_owned()),
            ..Choice::of(mv)
        }),
        used: Duration::from_secs(1),
        too_late: false,
    });
    let expected = "
othello 4x4   x mcts:1s   o human

     a   b   c   d
  1  +  [x]  +   .
  2  .   x   x   .
  3  +   x   o   .
  4  .   .   .   .

x 4, o 1   o: it is your move
x plays b1: about 63 % for x
this was hard
Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 12), expected);
}

#[test]
fn a_graph_is_a_list_of_names() {
    let desk = Desk::new(
        clobber("a=x,bb=o,c=x,a-bb,bb-c", "human", "human"),
        heading(),
    );
    let expected = "
a is next to bb
  a [x]
 bb  o
  c  x
x: to move


? keys  ^Q quit";
    check(&desk, (20, 8), expected);
}

#[test]
fn lines_are_cut_and_colours_left_out() {
    let mut line = Line::of(BOLD, "abc");
    line.add(PLAIN, "def");
    assert_eq!(line.painted(4, false), "abcd");
    assert_eq!(line.painted(4, true), "\u{1b}[1mabc\u{1b}[0md");
}
