//! Sessions of the NBoard protocol.

use std::time::{Duration, Instant};

use upstar_agents::Resources;
use upstar_protocol::NBoard;

use crate::conversation::{Conversation, examples, without_numbers};

fn nboard(spec: Option<&'static str>) -> Conversation {
    Conversation::with(move |input, output| {
        let spec = spec.map(|spec| spec.parse().unwrap());
        let board = NBoard::new(spec.as_ref(), &Resources::default(), 1).unwrap();
        board.run(input, output)
    })
}

/// One cell is empty, and Black takes it.
fn last() -> String {
    let cells = format!("-OOOOOO*{}*", "O".repeat(55));
    format!("(;GM[Othello]BO[8 {cells} *];)")
}

#[test]
fn the_example_of_the_manual_holds() {
    let talk = nboard(None);
    for (sent, answers) in examples(include_str!("../../src/nboard.rs")) {
        talk.send(&sent);
        for answer in answers {
            let line = talk.line();
            match answer.strip_prefix("=== ") {
                // Which move it is depends on the search.
                Some(_) => assert!(line.starts_with("=== ") && line.matches('/').count() == 2),
                None => assert_eq!(without_numbers(&line), without_numbers(&answer)),
            }
        }
    }
    assert!(talk.end().is_empty());
}

#[test]
fn the_last_moves_are_exact() {
    let talk = nboard(None);
    talk.send(&format!("set game {}", last()));
    talk.send("hint 5");
    assert_eq!(talk.line(), "status Upstar is thinking");
    let hint = talk.line();
    assert!(
        hint.starts_with("search A1 ") && hint.contains(" 0 100% "),
        "{hint}"
    );
    assert_eq!(talk.line(), "status");
    talk.send("go");
    // The only move has no evaluation.
    let go = talk.line_with(|line| line.starts_with("==="));
    assert!(go.starts_with("=== A1//"), "{go}");
    talk.send("move A1/3.5/0.01");
    talk.send("analyze");
    let last = talk.line_with(|line| line.starts_with("analysis"));
    assert!(last.starts_with("analysis 1 "), "{last}");
    let first = talk.line_with(|line| line.starts_with("analysis"));
    assert!(first.starts_with("analysis 0 "), "{first}");
    // The sides see the same result with other eyes.
    let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    assert_eq!(number(&last), -number(&first));
    talk.send("ping 3");
    talk.line_with(|line| line == "pong 3");
    talk.send("go");
    assert_eq!(talk.line(), "=== PA");
    talk.end();
}

#[test]
fn a_ping_interrupts_whatever_runs() {
    let talk = nboard(None);
    talk.send("set depth 60");
    for command in ["hint 4", "go", "analyze"] {
        // A busy machine may hold up any of them once.
        let times = (0..5).map(|number| {
            talk.send(command);
            talk.line_with(|line| line == "status Upstar is thinking");
            std::thread::sleep(Duration::from_millis(30));
            let begun = Instant::now();
            talk.send(&format!("ping {number}"));
            let line = talk.line_with(|line| line.starts_with("pong"));
            assert_eq!(line, format!("pong {number}"));
            begun.elapsed()
        });
        let fastest = times.min().unwrap();
        assert!(
            fastest < Duration::from_millis(200),
            "{command}: {fastest:?}"
        );
    }
    assert!(talk.end().is_empty(), "after a pong nothing follows");
}

#[test]
fn hints_are_as_many_as_asked_for() {
    let talk = nboard(None);
    talk.send("set depth 2");
    for (asked, given) in [
        ("hint 1", 1),
        ("hint 3", 3),
        ("hint 99", 4),
        ("hint", 1),
        ("hint x", 1),
    ] {
        talk.send(asked);
        talk.line_with(|line| line == "status Upstar is thinking");
        let mut lines = Vec::new();
        loop {
            let line = talk.line();
            if line == "status" {
                break;
            }
            lines.push(line);
        }
        assert_eq!(lines.len(), given, "{asked}: {lines:?}");
        for line in lines {
            // `search PV EVAL 0 DEPTH N nodes`; the opening book was searched further.
            let words: Vec<&str> = line.split(' ').collect();
            let depth: u32 = words[words.len() - 3].parse().unwrap();
            assert!(words[0] == "search" && depth >= 2, "{line}");
        }
    }
    talk.end();
}

#[test]
fn an_agent_plays_its_own_moves() {
    let talk = nboard(Some("pick-first"));
    talk.send("go");
    let go = talk.line_with(|line| line.starts_with("==="));
    assert!(go.starts_with("=== D3//"), "{go}");
    talk.send("D3");
    talk.send("go");
    let go = talk.line_with(|line| line.starts_with("==="));
    assert!(go.starts_with("=== C3//"), "{go}");
    talk.end();
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let talk = nboard(Some("pick-first"));
    for (sent, told) in [
        (
            "set game nonsense",
            "status the game cannot be read: there is none, like (;GM[Othello]BO[8 …]B[F5];)",
        ),
        ("move A1", "status 'A1' is not a legal move here"),
        (
            "set depth -3",
            "status the depth is not a number from 1 to 60",
        ),
        ("learn", "learned"),
    ] {
        talk.send("what is this");
        talk.send("set contempt 3.5");
        talk.send(sent);
        assert_eq!(talk.line(), told);
    }
    talk.send("go");
    assert!(
        talk.line_with(|line| line.starts_with("==="))
            .starts_with("=== D3/")
    );
    talk.end();
}

#[test]
fn the_end_of_the_input_ends_the_search() {
    let talk = nboard(None);
    talk.send("set depth 60");
    talk.send("hint 1");
    talk.line_with(|line| line == "status Upstar is thinking");
    let begun = Instant::now();
    talk.end();
    assert!(begun.elapsed() < Duration::from_millis(500));
}

#[test]
fn an_agent_that_ponders_is_interrupted_by_the_next_command() {
    let talk = Conversation::with(|input, output| {
        let spec = "ab:3".parse().unwrap();
        let board = NBoard::new(Some(&spec), &Resources::default(), 1).unwrap();
        board.pondering(true).run(input, output)
    });
    for ping in ["ping 1", "ping 2"] {
        talk.send("go");
        talk.line_with(|line| line.starts_with("==="));
        talk.line_with(|line| line == "status Upstar thinks on");
        talk.send(ping);
        talk.line_with(|line| line == ping.replace('i', "o"));
    }
    talk.end();
}
