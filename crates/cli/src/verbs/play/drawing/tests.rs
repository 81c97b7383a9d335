//! What is seen of the board in windows of different sizes.

use super::super::desk::Task;
use super::super::examples::{analysis, clobber, estimated, heading, othello, play, proved};
use super::super::keys::{Command, Key};
use super::super::worth::Worth;
use super::*;
use upstar_agents::{Choice, Evaluation};
use upstar_analysis::Knowledge;
use upstar_session::{LiveGame, MoveAnswer};
use upstar_solve::Outcome;

fn text(desk: &Desk, size: (usize, usize)) -> String {
    text_with(desk, size, Glyphs::Letters)
}

fn text_with(desk: &Desk, size: (usize, usize), glyphs: Glyphs) -> String {
    let lines = draw(desk, size, glyphs, Duration::from_millis(1250));
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
clobber 3x3

      a   b   c    x human
    +---+---+---+  o human
  1 |   | x |(x)|
    +---+---+---+  x: to move
  2 | o | x |[o]|  stones x 4, o 3; components 1
    +---+---+---+
  3 | x |   |*o |  1.  a1b1 >b3c3
    +---+---+---+


click or type a move  Tab analyse  ! hint  ^Z undo  PgUp back  ^Q quit  ? keys";
    check(&desk, (80, 13), expected);
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
    +-----+-----+-----+-----+-----+-----+-----+-----+
  1 |[xW] | o   | x31 | o   | x   | o   | x62 | o   |
    +-----+-----+-----+-----+-----+-----+-----+-----+
  2 | o   | xL  | o   | x   | o   | x   | o   | x   |
    +-----+-----+-----+-----+-----+-----+-----+-----+

x: it is your move

moves: 1 win, 1 lose, 2 not proved

stones x 8, o 8; components 1
x wins, proved
mcts 0, 0.0 s
= a1b1  wins
~ g1h1  62%
~ c1d1  31%
= b2a2  loses

Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 24), expected);
    let expected = "
clobber 2x8

     a  b  c  d  e  f  g  h   x human
  1 [xW o  x3 o  x  o  x6 o   o solver  0.0 s used
  2  o  xL o  x  o  x  o  x
                              x: it is your move
                              stones x 8, o 8; components 1
                              x wins, proved

                              mcts 0, 0.0 s
                              = a1b1  wins
                              ~ g1h1  62%
                              ~ c1d1  31%
                              = b2a2  loses

moves: 1 win, 1 lose, 2 not proved
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
othello 4x4

      a     b     c     d      x human
    +-----+-----+-----+-----+  o solver  0.0 s used
  1 |     |[ W] |     |     |
    +-----+-----+-----+-----+  x: it is your move
  2 |  46 | o   | x   |     |  discs x 2, o 2, 12 empty
    +-----+-----+-----+-----+  x wins by 4, proved
  3 |     | x   | o   |  D  |
    +-----+-----+-----+-----+  mcts 0, 0.0 s
  4 |     |     |  L  |     |  = b1  wins +4
    +-----+-----+-----+-----+  ~ a2  46%
moves: 1 win, 1 draw, 1 lose, 1 not proved
Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (64, 14), expected);
    let shown = text(&desk, (64, 14));
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
    assert!(text(&desk, (80, 24)).contains("stones x 8, o 8; components 1"));
    assert!(!text(&desk, (20, 9)).contains("x 8"));
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
othello 4x4

      a   b   c   d    x mcts:1s  1.2 s used
    +---+---+---+---+  o human
  1 |   |[ ]|   |   |
    +---+---+---+---+  | x thinks, 1.2 s   Esc: move now
  2 |   | o | x |   |  discs x 2, o 2, 12 empty
    +---+---+---+---+
  3 |   | x | o |   |
    +---+---+---+---+
  4 |   |   |   |   |
    +---+---+---+---+

Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 14), expected);
    let expected = "
othello 4x4   x mcts:1s   o human
     a   b   c   d
  1  .  [.]  .   .
  2  .   o   x   .
  3  .   x   o   .
  4  .   .   .   .
x 2, o 2   | x thinks, 1.2 s   Esc: move now


? keys  ^Q quit";
    check(&desk, (40, 10), expected);
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
othello 4x4

      a   b   c   d    x mcts:1s  1.0 s used
    +---+---+---+---+  o human
  1 | + |[x]| + |   |
    +---+---+---+---+  o: it is your move
  2 |   | x | x |   |  discs x 4, o 1, 11 empty
    +---+---+---+---+  about 63 % for x, estimated
  3 | + | x | o |   |
    +---+---+---+---+  1. >b1  -
  4 |   |   |   |   |
    +---+---+---+---+
this was hard
Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys";
    check(&desk, (60, 14), expected);
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
? keys  ^Q quit";
    check(&desk, (40, 10), expected);
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

/// A game of which an earlier position is looked at.
fn looked_at() -> Desk {
    let mut table = clobber("xoxoxo|oxoxox", "human", "solver:1s");
    play(&mut table, &["a1b1", "d1c1", "e1f1", "a2b2", "b1b2"]);
    let mut desk = Desk::new(table, heading());
    desk.press(Key::Back);
    desk.press(Key::Back);
    desk.worth = Some(Worth {
        of: desk.game().clone(),
        values: Some(["↑ + * = ↑*", "^ + * = ^*"].map(str::to_owned)),
        winner: Some(Color::Black),
    });
    desk
}

#[test]
fn discs_lines_and_values_where_the_terminal_has_them() {
    let mut desk = looked_at();
    let expected = "
clobber 2x6

      a   b   c   d   e   f    x ● human
    ┌───┬───┬───┬───┬───┬───┐  o ○ solver:1s  0.0 s used
  1 │   │ ● │ ○ │   │   │*● │
    ├───┼───┼───┼───┼───┼───┤  after move 3 of 5
  2 │ ○ │ ● │[○]│ ● │ ○ │ ● │  stones x 5, o 4; components 1
    └───┴───┴───┴───┴───┴───┘  value ↑ + * = ↑*
                               x wins, proved by values

                               1.  a1b1  d1c1
                               2. >e1f1  a2b2
                               3.  b1b2  -

this was played already: ^Z plays on from here, Esc goes back to the game
click or type a move  Tab analyse  ! hint  ^Z undo  PgUp back  ^Q quit  ? keys";
    let shown = text_with(&desk, (80, 16), Glyphs::Discs);
    assert_eq!(shown, expected.trim_matches('\n'), "\n{shown}");
    // Elsewhere everything is ASCII, with the same things in the same places.
    let letters = text(&desk, (80, 16));
    assert!(letters.is_ascii(), "{letters}");
    assert_eq!(letters.lines().count(), shown.lines().count());
    assert!(letters.contains("value ^ + * = ^*"), "{letters}");
    desk.press(Key::Escape);
    assert!(
        !text(&desk, (80, 16)).contains("value"),
        "it is of another position"
    );
}

#[test]
fn what_is_drawn_can_be_clicked_at() {
    let desk = looked_at();
    let lines = draw(&desk, (80, 16), Glyphs::Discs, Duration::ZERO);
    let mut found = Vec::new();
    for line in &lines {
        let columns = (0..80).filter_map(|column| line.target(column));
        found.extend(columns);
    }
    let cells = desk.table.game().board().cells();
    for cell in cells.iter() {
        let wide = found.iter().filter(|&&target| target == Target::Cell(cell));
        assert_eq!(wide.count(), 3, "{cell:?}");
    }
    for ply in 1..=5 {
        assert!(found.contains(&Target::Ply(ply)), "{ply}");
    }
    let known = [("a1b1", proved(Outcome::Win)), ("c1b1", estimated(0.5))];
    let desk = analysed(clobber("xoxo", "human", "human"), &known);
    let lines = draw(&desk, (80, 24), Glyphs::Letters, Duration::ZERO);
    let graded = |index| {
        let mut hits = lines.iter().filter(|line| {
            (0..80).any(|column| line.target(column) == Some(Target::Graded(index)))
        });
        hits.next().map(Line::plain).unwrap_or_default()
    };
    assert!(graded(1).ends_with("~ c1b1  50%"), "{}", graded(1));
}

#[test]
fn no_window_overflows() {
    for position in [
        "1x1",
        "1x20",
        "4x4",
        "8x8",
        "12x10",
        "x#o|oxo",
        "a=x,b=o,a-b",
    ] {
        let mut desk = Desk::new(clobber(position, "human", "human"), heading());
        for analysing in [false, true] {
            desk.analysing = analysing;
            for size in [(20, 8), (40, 12), (60, 24), (80, 24), (120, 50), (300, 100)] {
                for glyphs in [Glyphs::Discs, Glyphs::Letters] {
                    let shown = text_with(&desk, size, glyphs);
                    assert!(
                        shown.contains("quit") || shown.starts_with("the window is"),
                        "{shown}"
                    );
                }
            }
        }
    }
}
