//! Random lines: no server panics, and whoever is to answer answers.

use proptest::prelude::*;
use serde_json::Value;
use upstar_agents::Resources;
use upstar_protocol::{Gtp, JsonLines, NBoard};

/// Words of a protocol and other things, in lines.
fn lines(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let spec = prop_oneof![
        6 => prop::sample::select(words).prop_map(str::to_owned),
        1 => "[a-z0-9A-J.|#x-]{0,6}",
        1 => any::<String>(),
    ];
    let line = prop::collection::vec(spec, 0..5).prop_map(|words| words.join(" "));
    prop::collection::vec(line, 0..30).prop_map(|lines| lines.join("\n"))
}

const GTP: &[&str] = &[
    "1",
    "77",
    "name",
    "boardsize",
    "3",
    "4 3",
    "2",
    "clear_board",
    "komi",
    "play",
    "play b",
    "play w",
    "A1",
    "A1-B1",
    "B2A2",
    "B2",
    "C2",
    "pass",
    "genmove",
    "genmove b",
    "genmove w",
    "reg_genmove b",
    "b",
    "w",
    "undo",
    "showboard",
    "time_settings 1 1 1",
    "time_left b 0 0",
    "final_score",
    "upstar-game",
    "upstar-game othello 4x4",
    "upstar-game clobber xox|oxo o",
    "upstar-game othello:reversi 3x3",
    "upstar-moves",
    "upstar-solve 0.01",
    "upstar-time 5",
    "list_commands",
    "#",
];

const NBOARD: &[&str] = &[
    "nboard 2",
    "set",
    "depth",
    "set depth 1",
    "game",
    "set game (;BO[8",
    "---------------------------O*------*O---------------------------",
    "*]",
    "B[F5]",
    "W[D6//1]",
    "move",
    "move F5",
    "move D6/1/2",
    "F5",
    "PA",
    "hint",
    "hint 2",
    "go",
    "ping",
    "ping 4",
    "learn",
    "analyze",
    "set contempt 1",
    ";)",
];

const JSON: &[&str] = &[
    r#"{"id":1,"command":"hello"}"#,
    r#"{"command":"ping"}"#,
    r#"{"id":{"a":1},"command":"position","game":"clobber","position":"2x3"}"#,
    r#"{"id":2,"command":"position","game":"othello","position":"4x4","moves":["b1"]}"#,
    r#"{"id":3,"command":"legal"}"#,
    r#"{"id":4,"command":"play","move":"a1b1"}"#,
    r#"{"id":4,"command":"play","move":"b1"}"#,
    r#"{"id":5,"command":"undo"}"#,
    r#"{"id":6,"command":"solve","nodes":100}"#,
    r#"{"id":7,"command":"moves","time_limit":0.01}"#,
    r#"{"id":8,"command":"analyse","simulations":20}"#,
    r#"{"id":9,"command":"choose","agent":"random"}"#,
    r#"{"id":10,"command":"cancel"}"#,
    "{",
    "}",
    "[",
    "null",
    "\"",
    ":",
    "command",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn gtp_answers_every_command(script in lines(GTP)) {
        let agent = "random".parse().unwrap();
        let (game, start) = ("clobber".parse().unwrap(), "3x3".parse().unwrap());
        let mut gtp = Gtp::new(game, &start, None, None, agent, Resources::default(), 1).unwrap();
        let mut answers = Vec::new();
        gtp.run(script.as_bytes(), &mut answers).unwrap();
        let answers = String::from_utf8(answers).unwrap();
        prop_assert!(answers.is_empty() || answers.ends_with("\n\n"));
        for answer in answers.split_terminator("\n\n") {
            prop_assert!(answer.starts_with(['=', '?']), "{}", answer);
        }
        // One answer for each line, asked one by one.
        for line in script.lines() {
            let letters = line.chars().filter(|&letter| letter == '\t' || !letter.is_control());
            let bare: String = letters.collect();
            let wordless = bare.split('#').next().unwrap().trim().is_empty();
            let response = gtp.respond(line);
            if !wordless {
                prop_assert!(response.is_some(), "{line}");
            }
            if let Some(response) = response {
                prop_assert_eq!(response.text.matches("\n\n").count(), 1);
            }
        }
    }

    #[test]
    fn nboard_answers_every_ping(script in lines(NBOARD)) {
        let board = NBoard::new(None, &Resources::default(), 1).unwrap();
        let mut answers = Vec::new();
        let script = format!("set depth 1\n{script}\nping 12345\n");
        board.run(script.as_bytes(), &mut answers).unwrap();
        let answers = String::from_utf8(answers).unwrap();
        if !script.lines().any(|line| line.trim() == "quit") {
            prop_assert_eq!(answers.lines().last(), Some("pong 12345"));
        }
    }

    #[test]
    fn json_answers_every_line(script in lines(JSON)) {
        let mut answers = Vec::new();
        let server = JsonLines::new(Resources::default(), 1);
        server.run(script.as_bytes(), &mut answers).unwrap();
        let answers = String::from_utf8(answers).unwrap();
        let objects: Vec<Value> =
            answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = |object: &&Value| object.get("progress").is_none();
        let asked = script.lines().filter(|line| !line.trim().is_empty()).count();
        prop_assert_eq!(objects.iter().filter(last).count(), asked, "{}\n{}", script, answers);
        prop_assert!(objects.iter().all(|object| object.get("id").is_some()));
    }

    #[test]
    fn bytes_of_all_kinds_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let server = JsonLines::new(Resources::default(), 1);
        server.run(&bytes[..], Vec::new()).unwrap();
        let board = NBoard::new(None, &Resources::default(), 1).unwrap();
        board.run(&bytes[..], Vec::new()).unwrap();
        let agent = "random".parse().unwrap();
        let (game, start) = ("othello".parse().unwrap(), "4x4".parse().unwrap());
        let mut gtp = Gtp::new(game, &start, None, None, agent, Resources::default(), 1).unwrap();
        gtp.run(&bytes[..], Vec::new()).unwrap();
    }
}

#[test]
fn a_line_without_end_takes_no_memory() {
    let endless = || std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'x'), 50 << 20));
    let mut answers = Vec::new();
    let server = JsonLines::new(Resources::default(), 1);
    server.run(endless(), &mut answers).unwrap();
    assert!(String::from_utf8_lossy(&answers).contains("longer than 1048576 bytes"));
    let agent = "random".parse().unwrap();
    let (game, start) = ("othello".parse().unwrap(), "4x4".parse().unwrap());
    let mut gtp = Gtp::new(game, &start, None, None, agent, Resources::default(), 1).unwrap();
    let mut answers = Vec::new();
    gtp.run(endless(), &mut answers).unwrap();
    assert!(String::from_utf8_lossy(&answers).starts_with("? a line is longer"));
}
