//! Scripted sessions of GTP.

use upstar_agents::Resources;
use upstar_protocol::Gtp;

use crate::conversation::examples;

fn gtp(game: &str, position: &str, agent: &str) -> Gtp {
    let (game, position, agent) = (game.parse(), position.parse(), agent.parse());
    let (game, position, agent) = (game.unwrap(), position.unwrap(), agent.unwrap());
    Gtp::new(game, &position, None, None, agent, Resources::default(), 1).unwrap()
}

/// Runs a session; in the expected text the empty lines after the answers are left out.
fn check(mut gtp: Gtp, script: &str, expected: &str) {
    let mut answers = Vec::new();
    gtp.run(script.as_bytes(), &mut answers).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    let shown: Vec<&str> = answers.split_terminator("\n\n").collect();
    assert!(answers.is_empty() || answers.ends_with("\n\n"));
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn the_session_of_the_manual_holds() {
    let mut gtp = gtp("clobber", "5x5", "random");
    for (sent, answers) in examples(include_str!("../../src/gtp.rs")) {
        let text = gtp.respond(&sent).unwrap().text;
        let (text, expected) = (text.trim_end(), answers.join("\n"));
        match expected.split_once(" nodes ") {
            // Which move and how many nodes depend on the search.
            Some(_) => assert!(text.starts_with("= winner black score B+8 move "), "{text}"),
            None => assert_eq!(text, expected, "{sent}"),
        }
    }
}

#[test]
fn frames_are_those_of_the_protocol() {
    let script = "\
# only a comment

1 protocol_version
name # a comment
\t 0007   name\r
known_command play
known_command fly
fly
8 fly away
12
3 quit please
name
";
    let expected = "\
=1 2
= Upstar
=0007 Upstar
= true
= false
? unknown command
?8 unknown command
?12 unknown command
=3";
    check(gtp("clobber", "4x4", "random"), script, expected);
}

#[test]
fn all_commands_are_listed_and_known() {
    let mut gtp = gtp("clobber", "4x4", "random");
    let list = gtp.respond("list_commands").unwrap().text;
    let names: Vec<&str> = list.trim_start_matches("= ").split_whitespace().collect();
    assert_eq!(names.len(), 22);
    for name in names {
        let answer = gtp.respond(name).unwrap().text;
        assert!(!answer.contains("unknown"), "{name}: {answer}");
        assert!(answer.ends_with("\n\n") && answer.matches("\n\n").count() == 1);
    }
}

#[test]
fn a_game_of_clobber_to_its_end() {
    let script = "\
boardsize 2
clear_board
komi 6.5
showboard
upstar-moves
play b A2-B2
play b B1A1
play w b2-a1
play w A1-A2
play w a1b1
showboard
final_score
genmove b
undo
final_score
undo
undo
reg_genmove b
boardsize 3 2
showboard
";
    let expected = "\
=
=
=
=
   A B
 2 x o 2
 1 o x 1
   A B
black (x) to move
= A2-A1 A2-B2 B1-B2 B1-A1
=
? illegal move
? illegal move
? illegal move
=
=
   A B
 2 . x 2
 1 . o 1
   A B
black (x) to move
? cannot score
= B2-B1
=
? cannot score
=
=
= A2-A1
=
=
   A B
 3 x o 3
 2 o x 2
 1 x o 1
   A B
black (x) to move";
    check(gtp("clobber", "4x5", "pick-first"), script, expected);
}

#[test]
fn who_cannot_move_in_clobber_resigns() {
    let script = "\
upstar-game clobber xo.
genmove b
genmove w
genmove w
play w pass
play b A1-B1
final_score
showboard
undo
undo
";
    let expected = "\
=
= A1-B1
= resign
= resign
? illegal move
? illegal move
= B+1
=
   A B C
 1 . x . 1
   A B C
over: B+1
=
? cannot undo";
    check(gtp("clobber", "4x4", "solver"), script, expected);
}

#[test]
fn othello_passes_as_go_does() {
    // White has no placement at all, Black has two.
    let script = "\
upstar-game othello .ox#.oox o
upstar-moves
genmove b
undo
reg_genmove b
upstar-moves
play b E2
upstar-moves
play w pass
play b A1
genmove w
play b E1
genmove w
play b pass
genmove w
final_score
undo
undo
undo
undo
showboard
";
    let expected = "\
=
= pass
= A1
=
= A1
= pass
? illegal move
= pass
=
=
= pass
=
= pass
=
= pass
= B+7
=
=
=
=
=
   A B C D E F G H
 1 x x x # . o o x 1
   A B C D E F G H
black (x) to move";
    check(gtp("othello", "8x8", "pick-first"), script, expected);
}

/// Rows were counted from the bottom, so that the usual first move was called illegal.
#[test]
fn othello_has_the_coordinates_of_othello_players() {
    let script = "\
upstar-moves
play b f5
showboard
upstar-coordinates
upstar-coordinates chess
upstar-game clobber 2x3
upstar-moves
upstar-coordinates own
upstar-moves
play b A1-a2
";
    let expected = "\
= D3 C4 F5 E6
=
=
   A B C D E F G H
 1 . . . . . . . . 1
 2 . . . . . . . . 2
 3 . . . . . . . . 3
 4 . . . o x . . . 4
 5 . . . x x x . . 5
 6 . . . . . . . . 6
 7 . . . . . . . . 7
 8 . . . . . . . . 8
   A B C D E F G H
white (o) to move
? syntax error: right is upstar-coordinates go or upstar-coordinates own
? 'chess' is not a way to name cells: go or own
=
= A2-A1 A2-B2 C2-B2 C2-C1 B1-B2 B1-A1 B1-C1
=
= A1-A2 A1-B1 C1-B1 C1-C2 B2-B1 B2-A2 B2-C2
=";
    check(gtp("othello", "8x8", "random"), script, expected);
}

#[test]
fn the_vertices_of_go_are_an_option_for_othello() {
    let script = "\
upstar-coordinates go
upstar-moves
play b D6
upstar-moves
boardsize 6
upstar-moves
boardsize 9
boardsize 30
boardsize 0
boardsize x
upstar-game othello 1x8
time_settings 10 0 0
";
    let expected = "\
=
= D6 C5 F4 E3
=
= C6 E6 C4
=
= C5 B4 E3 D2
=
? unacceptable size
? unacceptable size
? unacceptable size
? 1x8 has no room for four discs in the middle
=";
    check(gtp("othello", "8x8", "random"), script, expected);
}

#[test]
fn wrong_words_get_a_sentence() {
    let script = "\
play
play b
play green A1
genmove
genmove x y
komi much
boardsize 4 5 6
boardsize 200
boardsize 1 26
upstar-game chess 8x8
upstar-game clobber
upstar-game clobber:solitaire 4x4
upstar-game clobber a=x,b=o,a-b
upstar-game clobber 4x4 z
upstar-solve soon
time_settings 1 2 -3
time_left b inf 0
upstar-time
upstar-time 0
upstar-time 1.5
";
    let expected = "\
? syntax error: right is play b A1, play w pass, or in Clobber play b A1-B1
? syntax error: right is play b A1, play w pass, or in Clobber play b A1-B1
? 'green' is not a side: b, black, w or white
? syntax error: right is genmove b
? syntax error: right is genmove b
? syntax error: right is komi 0
? syntax error: right is boardsize 8 or boardsize ROWS COLS
? unacceptable size
? unacceptable size
? 'chess' is not a game; there are clobber, clobber:cannibal, clobber:solitaire, clobber:colors=3, othello, othello:anti, othello:parallel, othello:middle=upper-right, othello:reversi
? syntax error: right is upstar-game clobber 4x5 x
? clobber:solitaire does not have two sides that move in turn
? cells of a graph have no names in GTP
? 'z' cannot be to move in a game of x, o
? 'soon' is not a number of seconds from 0 to 10000000
? '-3' is not a number of stones
? 'inf' is not a number of seconds from 0 to 10000000
? syntax error: right is upstar-time 100
? '0' is not a whole number of milliseconds from 1 to 10000000000
? '1.5' is not a whole number of milliseconds from 1 to 10000000000";
    check(gtp("clobber", "4x4", "random"), script, expected);
}

#[test]
fn holes_are_no_comments_in_a_position() {
    let script = "\
upstar-game clobber xo#|#xo o
showboard
";
    let expected = "\
=
=
   A B C
 2 x o # 2
 1 # x o 1
   A B C
white (o) to move";
    check(gtp("clobber", "4x4", "random"), script, expected);
}

#[test]
fn results_are_proved() {
    let nodes = |gtp: &mut Gtp, line: &str| {
        let text = gtp.respond(line).unwrap().text;
        let end = text.find(" nodes").unwrap_or(text.len());
        text[..end].to_owned()
    };
    let mut clobber = gtp("clobber", "xo", "random");
    assert_eq!(
        nodes(&mut clobber, "upstar-solve"),
        "= winner black move A1-B1"
    );
    clobber.respond("play b A1-B1").unwrap();
    assert_eq!(nodes(&mut clobber, "upstar-solve"), "= winner black");
    let mut othello = gtp("othello", "4x4", "random");
    let solved = nodes(&mut othello, "upstar-solve 20");
    assert!(
        solved.starts_with("= winner white score W+8 move "),
        "{solved}"
    );
    let mut large = gtp("othello", "8x8", "random");
    assert_eq!(nodes(&mut large, "upstar-solve 0.05"), "= winner unknown");
}

#[test]
fn the_clock_ends_long_thoughts() {
    let mut gtp = gtp("clobber", "8x8", "mcts:1000000000");
    for line in ["time_settings 0 1 10", "time_left b 1 10"] {
        gtp.respond(line).unwrap();
    }
    let begun = std::time::Instant::now();
    let answer = gtp.respond("genmove b").unwrap().text;
    assert!(answer.starts_with("= "), "{answer}");
    assert!(begun.elapsed().as_secs_f64() < 1.0);
}

#[test]
fn a_referee_may_say_the_time_of_one_move() {
    let mut gtp = gtp("clobber", "8x8", "mcts:1s");
    gtp.respond("upstar-time 20").unwrap();
    for (command, short) in [("genmove b", true), ("genmove w", false)] {
        let begun = std::time::Instant::now();
        gtp.respond(command).unwrap();
        assert_eq!(begun.elapsed().as_secs_f64() < 1.0, short, "{command}");
    }
}

#[test]
fn a_given_start_survives_its_own_size() {
    let script = "boardsize 2\nclear_board\nshowboard\nboardsize 2 3\nshowboard\n";
    let expected = "\
=
=
=
   A B
 2 x . 2
 1 o x 1
   A B
black (x) to move
=
=
   A B C
 2 x o x 2
 1 o x o 1
   A B C
black (x) to move";
    check(gtp("clobber", "x.|ox", "random"), script, expected);
}

/// An agent that cannot be made is known when the board is set, and the old board stays.
#[cfg(unix)]
#[test]
fn agents_are_made_when_the_board_is_set() {
    let made = |spec: &str| {
        let start = "4x4".parse().unwrap();
        let spec = spec.parse().unwrap();
        Gtp::new(
            "clobber".parse().unwrap(),
            &start,
            None,
            None,
            spec,
            Resources::default(),
            1,
        )
    };
    assert!(made("human").is_err());
    assert!(made("engine:\"/none/such\"").is_err());
    let script = r#"while read command rest; do case "$command $rest" in
        list_commands*) printf '= boardsize\nclear_board\nplay\ngenmove\nundo\nquit\n\n';;
        quit*) printf '=\n\n'; exit;;
        genmove*) printf '= A4-A3\n\n';;
        *) printf '=\n\n';; esac; done"#;
    let folder = tempfile::tempdir().unwrap();
    let (file, started) = (folder.path().join("engine"), folder.path().join("started"));
    let counting = format!("echo once >> {}\n{script}\n", started.display());
    std::fs::write(&file, counting).unwrap();
    let times = || {
        let text = std::fs::read_to_string(&started).unwrap_or_default();
        text.lines().count()
    };
    let shell = folder.path().join("shell");
    std::os::unix::fs::symlink("/bin/sh", &shell).unwrap();
    let spec = format!("engine:\"{} {}\"", shell.display(), file.display());
    let mut gtp = made(&spec).unwrap();
    assert_eq!(times(), 1, "before any command");
    for (command, expected) in [
        ("boardsize 4", 1),
        ("clear_board", 1),
        ("genmove b", 1),
        ("boardsize 6", 2),
        ("upstar-game clobber 4x4", 3),
        ("genmove b", 3),
    ] {
        let answer = gtp.respond(command).unwrap().text;
        assert!(answer.starts_with('='), "{command}: {answer}");
        assert_eq!(times(), expected, "{command}");
    }
    // It is not there any more when the next board is set.
    std::fs::remove_file(&shell).unwrap();
    for command in ["boardsize 6", "upstar-game clobber 5x5"] {
        let answer = gtp.respond(command).unwrap().text;
        assert!(answer.starts_with("? "), "{command}: {answer}");
    }
    let answer = gtp.respond("boardsize 6").unwrap().text;
    assert!(answer.starts_with("? unacceptable size: "), "{answer}");
    let board = gtp.respond("showboard").unwrap().text;
    assert!(board.contains("A B C D\n"), "{board}");
}

#[cfg(unix)]
#[test]
fn who_is_behind_may_resign() {
    let script = r#"while read command rest; do case $command in
        genmove) printf '= resign\n\n';; quit) printf '=\n\n'; exit;;
        *) printf '=\n\n';; esac; done"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engine");
    std::fs::write(&file, script).unwrap();
    let spec = format!("engine:\"sh {}\"", file.display()).parse().unwrap();
    let start = "4x4".parse().unwrap();
    let gtp = Gtp::new(
        "clobber".parse().unwrap(),
        &start,
        None,
        None,
        spec,
        Resources::default(),
        1,
    );
    let answer = gtp.unwrap().respond("genmove b").unwrap().text;
    assert_eq!(answer, "= resign\n\n");
}

#[test]
fn an_engine_that_ponders_plays_on() {
    for (game, agent) in [("othello", "ab:3"), ("clobber", "mcts:100,reuse=true")] {
        let mut gtp = gtp(game, "6x6", agent).pondering(true);
        let mut respond = |sent: &str| gtp.respond(sent).unwrap().text;
        for _ in 0..2 {
            for color in ["black", "white"] {
                let answer = respond(&format!("genmove {color}"));
                assert!(answer.starts_with("= "), "{answer}");
            }
        }
        assert!(respond("undo").starts_with('='));
        assert!(respond("genmove white").starts_with("= "));
        assert!(respond("quit").starts_with('='));
    }
}
