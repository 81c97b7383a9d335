//! Bad input gets exit status 2, nothing on standard output, and one sentence with a right example.

use std::path::Path;

use crate::run::upstar;

fn check_in(folder: &Path, words: &[&str], input: &[u8], sentence: &str) {
    let ran = upstar(words, folder, input);
    assert_eq!(ran.status, 2, "{words:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{words:?}");
    let mut lines = ran.stderr.lines();
    let first = lines.next().unwrap_or_default();
    assert_eq!(first, format!("error: {sentence}"), "{words:?}");
    let second = lines.next().unwrap_or_default();
    assert!(second.starts_with("  right: "), "{words:?}: {}", ran.stderr);
    assert_eq!(lines.next(), None, "{words:?}");
}

fn check(words: &[&str], sentence: &str) {
    check_in(Path::new("."), words, b"", sentence);
}

#[test]
fn positions() {
    check(&["legal", "clobber", ""], "the position text is empty");
    check(
        &["legal", "clobber", "xo|x"],
        "row 2 has 1 cells where row 1 has 2",
    );
    check(
        &["show", "clobber", "xo|xq", "--json"],
        "'q' is not a stone: x and o are stones, . is empty, # is a hole",
    );
    check(
        &["perft", "clobber", "0x5", "3"],
        "a 0x5 board has no cells",
    );
    check(
        &["legal", "clobber", "3x43"],
        "a 3x43 board has more than 128 cells",
    );
    check(
        &["legal", "othello", "99999999999999999999x2"],
        "a 99999999999999999999x2 board has more than 128 cells",
    );
    check(
        &["legal", "clobber", "xot"],
        "there is a stone 't' in a game of x, o",
    );
    check(
        &["legal", "othello", "1x8"],
        "1x8 has no room for four discs in the middle",
    );
    check(
        &["legal", "othello", "a=x,b=o,a-b"],
        "othello is not played on a graph",
    );
    check(
        &["legal", "clobber", "3x3", "--to-move", "t"],
        "'t' cannot be to move in a game of x, o",
    );
    check(
        &["legal", "clobber", "random:3x3,seed=x"],
        "'seed=x' is neither seed=NUMBER nor density=SHARE with a share from 0 to 1",
    );
}

#[test]
fn moves() {
    check(
        &["show", "clobber", "xo.", "--play", "c1b1"],
        "c1b1 is not legal here",
    );
    check(
        &["show", "clobber", "xo.", "--play", "a1b1,b1c1"],
        "b1c1 is not legal here",
    );
    check(
        &["show", "clobber", "xo.", "--play", "z9"],
        "'z9' names no move on this board",
    );
    check(
        &["show", "othello", "8x8", "--play", "pass"],
        "pass is not legal here",
    );
}

/// Negative numbers were taken for options.
#[test]
fn negative_quantities() {
    for (words, option) in [
        (&["solve", "clobber", "3x3"][..], "--time-limit"),
        (&["moves", "clobber", "3x3"], "--time-limit"),
        (&["tree", "clobber", "3x3"], "--time-limit"),
        (&["value", "clobber", "3x3"], "--time-limit"),
        (&["check", "file"], "--time-limit"),
        (&["proof", "play", "file"], "--time-limit"),
        (&["analyse", "clobber", "3x3"], "--time"),
        (&["review", "f5d6"], "--time"),
    ] {
        for text in ["-1s", "-1", "-5m", "-infs"] {
            let words = [words, &[option, text]].concat();
            let sentence = format!("'{text}' is not a time, like 500ms, 60s or 5m");
            check(&words, &sentence);
        }
    }
    let control =
        "is not a time control, like 100ms/move, 60s+1s, 5m or none; right is --time 60s+1s";
    check(
        &["play", "clobber", "3x3", "--time", "-1s"],
        &format!("'-1s' {control}"),
    );
    check(
        &[
            "match", "clobber", "3x3", "random", "random", "--time", "-1s",
        ],
        &format!("'-1s' {control}"),
    );
    check(
        &["solve", "clobber", "3x3", "--memory", "-1G"],
        "'-1G' is not a size of memory from 32M to 1000G, like 512M or 4G",
    );
    check(
        &["solve", "clobber", "3x3", "--threads", "--json"],
        "'--json' is not a number of threads from 1 to 256",
    );
}

#[test]
fn ranges_and_lines_of_values() {
    let folder = tempfile::tempdir().unwrap();
    for (range, sentence, right) in [
        (
            "2x12..2x1",
            "2x12..2x1 goes backwards: the smaller size comes first",
            "upstar value clobber 2x1..2x12",
        ),
        (
            "5x2..3x2",
            "5x2..3x2 goes backwards: the smaller size comes first",
            "upstar value clobber 3x2..5x2",
        ),
        (
            "3x3..2x4",
            "3x3..2x4 changes rows and columns: one of them must stay the same",
            "upstar value clobber 2x1..2x8",
        ),
    ] {
        check(&["value", "clobber", range], sentence);
        let ran = upstar(&["value", "clobber", range], folder.path(), b"");
        assert!(ran.stderr.contains(right), "{}", ran.stderr);
    }
    std::fs::write(folder.path().join("list"), "xo\nfoo\n-\n").unwrap();
    let ran = upstar(&["value", "clobber", "--batch", "list"], folder.path(), b"");
    assert_eq!(ran.status, 2);
    let right = "  right: a line like xxo.xo, for upstar value clobber --batch FILE";
    let rights = ran.stderr.lines().filter(|line| *line == right);
    assert_eq!(rights.count(), 2, "{}", ran.stderr);
}

#[test]
fn games_to_review() {
    let sentence = "'nofile' is neither a file nor moves of othello: \
        line 1: 'nofile' is not a move on this board, like f5";
    check(&["review", "nofile"], sentence);
    let ran = upstar(&["review", "nofile"], Path::new("."), b"");
    let right = "right: upstar review games.jsonl, or upstar review f5d6c3d3c4";
    assert!(ran.stderr.contains(right), "{}", ran.stderr);
    let words = ["review", "nofile", "--game", "clobber", "--position", "4x4"];
    let ran = upstar(&words, Path::new("."), b"");
    let right = "or upstar review 'a1b1 c2c1' --game clobber --position 4x4";
    assert!(ran.stderr.contains(right), "{}", ran.stderr);
}

#[test]
fn standard_input() {
    let folder = Path::new(".");
    let from_input = ["legal", "clobber", "-"];
    check_in(
        folder,
        &from_input,
        b"",
        "standard input: the position text is empty",
    );
    check_in(
        folder,
        &from_input,
        b"xo\0x",
        "standard input: '\\0' is not a stone: x and o are stones, . is empty, # is a hole",
    );
    check_in(
        folder,
        &from_input,
        b"xo\xff",
        "standard input: the text is not UTF-8",
    );
    let long = vec![b'x'; 100_000_000];
    check_in(
        folder,
        &from_input,
        &long,
        "standard input: the text is longer than 1048576 bytes",
    );
    let ran = upstar(&from_input, folder, b"xo\nox\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn graph_files() {
    let folder = tempfile::tempdir().unwrap();
    let check_file = |content: &[u8], sentence: &str| {
        std::fs::write(folder.path().join("g.txt"), content).unwrap();
        let words = ["legal", "clobber", "graph:g.txt"];
        check_in(
            folder.path(),
            &words,
            b"",
            &format!("graph:g.txt: {sentence}"),
        );
    };
    check_file(b"", "the position text is empty");
    check_file(b"a=x a-a", "edge a-a is a loop");
    check_file(b"a=x b=o a-b b-a", "edge b-a is given twice");
    check_file(b"a=x a-b", "edge a-b ends at 'b', which is not a vertex");
    check_file(b"a=x a=o", "vertex 'a' is given twice");
    check_file(
        b"a=\0",
        "'\\0' is not a stone: x and o are stones, . is empty, # is a hole",
    );
    check_file(b"\xff\xfe", "the text is not UTF-8");
    check_file(
        &vec![b'a'; 100_000_000],
        "the text is longer than 1048576 bytes",
    );
    let absent = ["legal", "clobber", "graph:none.txt"];
    let sentence = "graph:none.txt: No such file or directory (os error 2)";
    check_in(folder.path(), &absent, b"", sentence);
}

#[test]
fn numbers() {
    check(
        &["bench", "playouts", "clobber", "3x3", "--seconds", "NaN"],
        "'NaN' is not a time from 0.001 to 86400 seconds, like --seconds 2",
    );
    check(
        &["bench", "playouts", "clobber:solitaire", "3x3"],
        "clobber:solitaire has no random games to measure",
    );
}

#[test]
fn words_that_are_no_arguments() {
    check(
        &["legal", "chess", "3x3"],
        "'chess' is not a game; there are clobber, clobber:cannibal, clobber:solitaire, clobber:colors=3, \
         othello, othello:anti, othello:parallel, othello:middle=upper-right, othello:reversi",
    );
    check(
        &["legal", "othello:middle=left", "3x3"],
        "'left' is not a middle; there are upper-left, upper-right, lower-left, lower-right",
    );
    check(
        &["legal", "clobber:colors=7", "3x3"],
        "'7' colours cannot be played; 2 to 6 can",
    );
    check(&["solv"], "there is no verb 'solv'; did you mean 'solve'?");
    check(
        &["match", "clobber", "4x4", "mc:1", "mc:2", "--gmaes", "3"],
        "'--gmaes' is not understood here; did you mean '--games'?",
    );
    check(&["dance"], "there is no verb 'dance'");
    check(&["legal", "clobber"], "POSITION is missing");
    check(
        &["legal", "clobber", "3x3", "--jump"],
        "'--jump' is not understood here",
    );
    check(
        &["legal", "clobber", "3x3", "--to-move", "blue"],
        "'blue' is not a side: x, o, black, white, …",
    );
    check(
        &["perft", "clobber", "3x3", "-1"],
        "'-1' is not a valid DEPTH: -1 is not in 0..=4294967295",
    );
    check(
        &["perft", "clobber", "3x3", "99999999999"],
        "'99999999999' is not a valid DEPTH: 99999999999 is not in 0..=4294967295",
    );
    check(
        &["perft", "clobber", "3x3", "\x1b[2J"],
        "'\\u{1b}[2J' is not a valid DEPTH: invalid digit found in string",
    );
    let threads = ["bench", "playouts", "clobber", "3x3", "--threads", "0"];
    let sentence = "'0' is not a number of threads from 1 to 1024, like --threads 2";
    check(&threads, sentence);
    check(
        &["solve", "clobber:solitaire", "3x3", "--time-limit", "soon"],
        "'soon' is not a time, like 500ms, 60s or 5m",
    );
    check(
        &["completions", "csh"],
        "'csh' is not a SHELL: bash, elvish, fish, powershell, zsh; did you mean 'zsh'?",
    );
}

/// Each names the text, what is wrong with it, and the option in a right example.
#[test]
fn values_of_options() {
    let play = ["play", "clobber", "4x4"];
    let contest = ["match", "clobber", "4x4", "random", "random"];
    let refused = |verb: &[&str], option: &[&str], sentence: &str| {
        check(&[verb, option].concat(), sentence);
    };
    for text in ["x", "0", "-3", "1.5", "1e6", "", "99999999999999999999"] {
        refused(
            &contest,
            &["--games", text],
            &format!("'{text}' is not a number of games from 1 to 1000000000, like --games 100"),
        );
    }
    for verb in [&play[..], &contest, &["gtp"], &["nboard"], &["engine"]] {
        let sentence = "'-1' is not a seed from 0 to 18446744073709551615, like --seed 7";
        refused(verb, &["--seed", "-1"], sentence);
    }
    for verb in [&contest[..], &["tournament", "t.toml"]] {
        let sentence = "'x' is not a number of threads from 1 to 256";
        refused(verb, &["--threads", "x"], sentence);
    }
    for verb in [&play[..], &contest] {
        refused(
            verb,
            &["--time", "5"],
            "'5' is not a time control, like 100ms/move, 60s+1s, 5m or none; right is --time 60s+1s",
        );
    }
    let agents = [
        (&play[..], "--black"),
        (&play, "--white"),
        (&["gtp"], "--agent"),
        (&["nboard"], "--agent"),
    ];
    for (verb, option) in agents {
        let words = [verb, &[option, "mcts:0"]].concat();
        let ran = upstar(&words, Path::new("."), b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
        let end = format!("; right is {option} mcts:1s");
        let first = ran.stderr.lines().next().unwrap();
        assert!(
            first.starts_with("error: '") && first.ends_with(&end),
            "{first}"
        );
    }
    let bench = ["bench", "mcts", "clobber", "4x4"];
    refused(
        &bench,
        &["--simulations", "x"],
        "'x' is not a number of simulations from 1 to 1000000000, like --simulations 10000",
    );
    refused(
        &bench,
        &["--seconds", "-1"],
        "'-1' is not a time from 0.001 to 86400 seconds, like --seconds 2",
    );
    let convert = ["convert", "g.ggf", "--to", "obf"];
    refused(
        &convert,
        &["--size", "0x5"],
        "'0x5' is not a valid --size: a 0x5 board has no cells; right is --size 8x8",
    );
    refused(
        &["convert", "g.ggf"],
        &["--to", "pgn"],
        "'pgn' is not a --to: jsonl, ggf, obf, transcript",
    );
    for verb in [
        &["sprt", "x", "+1 -1"][..],
        &["match", "clobber", "4x4", "random", "random", "--sprt", "x"],
    ] {
        let ran = upstar(verb, Path::new("."), b"");
        assert!(ran.stderr.starts_with("error: 'x' "), "{}", ran.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_are_no_panic() {
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_upstar"));
        command
            .args(words)
            .stdout(full())
            .stderr(full())
            .status()
            .unwrap()
            .code()
    };
    assert_eq!(run(&["show", "clobber", "q"]), Some(2));
    assert_eq!(run(&["show", "clobber", "3x3"]), Some(2));
    assert_eq!(run(&["dance"]), Some(2));
}

#[cfg(unix)]
#[test]
fn words_that_are_no_utf8_are_no_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let odd = OsStr::from_bytes(b"\xff");
    let words = ["show", "--svg"].map(OsStr::new).into_iter().chain([odd]);
    let words = words.chain(["clobber", "q"].map(OsStr::new));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_upstar"));
    let output = command.args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: 'q' is not a stone"));
}

#[test]
fn solved_boards() {
    check(
        &["solved", "clobber", "9x9"],
        "none of the solved positions is meant",
    );
    check(
        &["solved", "clobber", "4x5", "--threads", "2"],
        "--threads is for --check and --add",
    );
    check(&["solved", "--add", "clobber", "4x5"], "--data is missing");
}

#[test]
fn instructions_that_are_not_there() {
    let program = env!("CARGO_BIN_EXE_upstar");
    let mut command = std::process::Command::new(program);
    let ran = command
        .args(["legal", "clobber", "xo"])
        .env("UPSTAR_INSTRUCTIONS", "mmx")
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let complaint = String::from_utf8(ran.stderr).unwrap();
    assert!(
        complaint
            .starts_with("error: UPSTAR_INSTRUCTIONS: no instructions 'mmx' here, only portable"),
        "{complaint}"
    );
}
