//! Sessions of JSON lines.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use upstar_agents::Resources;
use upstar_protocol::JsonLines;

use crate::conversation::{Conversation, examples, without_numbers};

pub(crate) fn engine() -> Conversation {
    Conversation::with(|input, output| JsonLines::new(Resources::default(), 1).run(input, output))
}

fn is_progress(line: &str) -> bool {
    line.contains("\"progress\"")
}

fn ask(talk: &Conversation, request: &Value) -> Value {
    talk.send(&request.to_string());
    let line = talk.line_with(|line| !is_progress(line));
    serde_json::from_str(&line).expect("JSON")
}

/// An answer without what depends on the search or the machine.
fn masked(line: &str) -> String {
    let mut text = line.to_owned();
    for key in [
        "nodes",
        "seconds",
        "visits",
        "mean",
        "simulations",
        "effort",
    ] {
        let mark = format!("\"{key}\":");
        let parts: Vec<String> = text.split(&mark).map(str::to_owned).collect();
        let masked = parts.iter().enumerate().map(|(index, part)| {
            let end = part.find([',', '}']).filter(|_| index > 0);
            end.map_or(part.clone(), |end| format!("0{}", &part[end..]))
        });
        text = masked.collect::<Vec<_>>().join(&mark);
    }
    for key in ["pv", "line"] {
        let mark = format!("\"{key}\":[");
        let parts: Vec<String> = text.split(&mark).map(str::to_owned).collect();
        let masked = parts.iter().enumerate().map(|(index, part)| {
            let end = part.find(']').filter(|_| index > 0);
            end.map_or(part.clone(), |end| part[end..].to_owned())
        });
        text = masked.collect::<Vec<_>>().join(&mark);
    }
    text
}

#[test]
fn every_example_of_the_manual_holds() {
    let talk = engine();
    for (sent, answers) in examples(include_str!("../../src/json.rs")) {
        talk.send(&sent);
        for answer in answers {
            let line = talk.line_with(|line| is_progress(line) == is_progress(&answer));
            // Three dots stand for anything.
            match answer.split_once('…') {
                Some((before, after)) => {
                    let (line, before) = (masked(&line), masked(before));
                    assert!(line.starts_with(&before), "{sent}\n{line}\n{before}");
                    assert!(line.ends_with(after), "{sent}\n{line}");
                }
                None => assert_eq!(masked(&line), masked(&answer), "{sent}"),
            }
        }
    }
    assert!(talk.end().is_empty());
    assert_eq!(without_numbers("1-23"), "0");
}

#[test]
fn whatever_runs_is_cancelled_at_once() {
    let talk = engine();
    for (game, position, request) in [
        ("clobber", "10x10", json!({"command": "solve"})),
        ("clobber", "10x10", json!({"command": "moves"})),
        (
            "clobber",
            "10x10",
            json!({"command": "analyse", "every": "50ms"}),
        ),
        (
            "clobber",
            "10x10",
            json!({"command": "choose", "agent": "mcts:1000000000"}),
        ),
        (
            "clobber",
            "10x10",
            json!({"command": "choose", "agent": "solver"}),
        ),
        (
            "clobber",
            "10x10",
            json!({"command": "choose", "agent": "mc:1000000"}),
        ),
        ("othello", "8x8", json!({"command": "solve", "exact": true})),
        ("othello", "8x8", json!({"command": "moves"})),
        ("othello", "10x10", json!({"command": "solve"})),
        ("othello:reversi", "8x8", json!({"command": "moves"})),
        ("othello", "8x8", json!({"command": "analyse"})),
    ] {
        ask(
            &talk,
            &json!({"command": "position", "game": game, "position": position}),
        );
        let mut request = request;
        request["id"] = json!("long");
        // Other programs may hold the processor for a while: one of three must do.
        let best = (0..3).map(|_| cancelled(&talk, &request)).min().unwrap();
        assert!(best < Duration::from_millis(200), "{request}: {best:?}");
    }
    talk.end();
}

/// How long it takes to end a command that runs.
fn cancelled(talk: &Conversation, request: &Value) -> Duration {
    talk.send(&request.to_string());
    // Tables are made first; the search is what is interrupted.
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let stopped = ask(talk, &json!({"id": "stop", "command": "cancel"}));
    assert_eq!(
        stopped,
        json!({"id": "stop", "stopped": "long"}),
        "{request}"
    );
    let last = talk.line_with(|line| !is_progress(line));
    let time = begun.elapsed();
    let last: Value = serde_json::from_str(&last).unwrap();
    assert_eq!(last["cancelled"], true, "{request}: {last}");
    assert_eq!(last["id"], "long");
    time
}

#[test]
fn a_cancelled_search_tells_what_it_knows() {
    let talk = engine();
    ask(
        &talk,
        &json!({"command": "position", "game": "clobber", "position": "8x8"}),
    );
    talk.send(r#"{"id":1,"command":"analyse","every":"20ms"}"#);
    let progress = talk.line_with(is_progress);
    let progress: Value = serde_json::from_str(&progress).unwrap();
    assert_eq!(progress["progress"]["moves"].as_array().unwrap().len(), 112);
    let again = talk.line_with(is_progress);
    assert!(again.contains("\"simulations\""));
    talk.send(r#"{"id":2,"command":"cancel","target":1}"#);
    talk.line_with(|line| line.contains("stopped"));
    let last = talk.line_with(|line| !is_progress(line));
    let last: Value = serde_json::from_str(&last).unwrap();
    let moves = last["moves"].as_array().unwrap();
    assert_eq!(last["move"], moves[0]["move"]);
    for found in moves {
        let estimated = found["work"].as_u64().is_some_and(|work| work > 0);
        assert!(estimated || found["grade"] == "proved", "{found}");
    }
    assert!(moves[0]["pv"].as_array().unwrap().len() > 1, "{last}");
    talk.end();
}

#[test]
fn limits_end_a_search_by_themselves() {
    let talk = engine();
    ask(
        &talk,
        &json!({"command": "position", "game": "clobber", "position": "10x10"}),
    );
    let solved = ask(
        &talk,
        &json!({"id": 1, "command": "solve", "time_limit": 0.05}),
    );
    assert_eq!(solved["proved"], false);
    assert_eq!(solved.get("cancelled"), None);
    let solved = ask(&talk, &json!({"id": 1, "command": "solve", "nodes": 1000}));
    assert_eq!(
        (&solved["proved"], &solved["winner"]),
        (&json!(false), &Value::Null)
    );
    // A busy machine may hold up any of them once.
    let in_time = (0..5).any(|_| {
        let begun = Instant::now();
        let analysed = ask(&talk, &json!({"command": "analyse", "time": "50ms"}));
        let simulations = analysed["simulations"].as_u64().unwrap();
        simulations > 100 && begun.elapsed() < Duration::from_secs(2)
    });
    assert!(in_time);
    let analysed = ask(&talk, &json!({"command": "analyse", "simulations": 500}));
    assert_eq!(analysed["simulations"], 500);
    let analysed = ask(&talk, &json!({"command": "analyse", "agent": "mcts:300"}));
    assert_eq!(analysed["simulations"], 300);
    talk.end();
}

#[test]
fn a_game_is_played_by_requests_alone() {
    let talk = engine();
    for (game, position) in [
        ("clobber", "3x4"),
        ("othello", "4x4"),
        ("othello:reversi", "4x4"),
    ] {
        let request = json!({"command": "position", "game": game, "position": position});
        let mut now = ask(&talk, &request);
        while now["over"] == false {
            let chosen = ask(&talk, &json!({"command": "choose", "agent": "mcts:50"}));
            let legal = now["legal"].as_array().unwrap();
            assert!(legal.contains(&chosen["move"]), "{now} {chosen}");
            now = ask(&talk, &json!({"command": "play", "move": chosen["move"]}));
        }
        assert!(now["winner"].is_string(), "{now}");
        let solved = ask(&talk, &json!({"command": "solve", "exact": true}));
        assert_eq!(solved["winner"], now["winner"]);
        assert_eq!(solved["score"], *now.get("score").unwrap_or(&Value::Null));
        let refused = ask(
            &talk,
            &json!({"id": 4, "command": "choose", "agent": "random"}),
        );
        assert_eq!(refused["error"], "the game is over");
    }
    talk.end();
}

#[test]
fn the_same_seed_gives_the_same_choice() {
    let talk = engine();
    ask(
        &talk,
        &json!({"command": "position", "game": "clobber", "position": "6x6"}),
    );
    for agent in ["random", "mcts:200", "mc:5,ties=random"] {
        let request = json!({"command": "choose", "agent": agent, "seed": 11});
        assert_eq!(
            ask(&talk, &request)["move"],
            ask(&talk, &request)["move"],
            "{agent}"
        );
    }
    talk.end();
}

#[test]
fn requests_without_a_position_are_told_so() {
    let talk = engine();
    for command in ["legal", "undo", "solve", "moves", "analyse"] {
        let answer = ask(&talk, &json!({"id": 1, "command": command}));
        assert_eq!(answer["error"], "there is no position yet", "{command}");
        assert_eq!(answer["right"]["command"], "position");
    }
    for (request, error) in [
        (
            json!({"command": "position", "game": "chess", "position": "8x8"}),
            "'chess' is not a game",
        ),
        (
            json!({"command": "position", "game": "clobber:colors=3", "position": "4x4"}),
            "does not have two sides",
        ),
        (
            json!({"command": "position", "game": "clobber", "position": "0x9"}),
            "0x9",
        ),
        (
            json!({"command": "position", "game": "clobber", "position": "xo", "moves": ["a1b1", "a1b1"]}),
            "move 2",
        ),
        (
            json!({"command": "position", "game": "clobber", "position": "xo", "to_move": "green"}),
            "is not a side",
        ),
        (
            json!({"command": "position", "game": "clobber"}),
            "missing field `position`",
        ),
        (json!({"command": 7}), "the command is not a text"),
        (json!({"id": [1]}), "there is no command"),
        (json!([1]), "not a JSON object"),
        (
            json!({"command": "solve", "memory": "1T"}),
            "memory is bytes",
        ),
        (
            json!({"command": "solve", "memory": "1M"}),
            "memory is bytes",
        ),
        (
            json!({"command": "solve", "time_limit": "soon"}),
            "a time is seconds",
        ),
        (
            json!({"command": "solve", "time_limit": -1}),
            "a time is seconds",
        ),
        (
            json!({"command": "analyse", "agent": "random"}),
            "random cannot be watched",
        ),
        (
            json!({"command": "choose", "agent": "better"}),
            "'better' is not an agent",
        ),
        (json!({"command": "quit", "now": true}), "unknown field"),
    ] {
        let answer = ask(&talk, &request);
        let sentence = answer["error"].as_str().unwrap_or_default();
        assert!(sentence.contains(error), "{request}: {answer}");
        assert!(answer["right"].is_object());
    }
    ask(
        &talk,
        &json!({"command": "position", "game": "clobber", "position": "xo"}),
    );
    let answer = ask(&talk, &json!({"command": "choose", "agent": "human"}));
    assert!(
        answer["error"].as_str().unwrap().contains("human"),
        "{answer}"
    );
    let answer = ask(&talk, &json!({"command": "undo"}));
    assert_eq!(answer["error"], "there is no move to take back");
    talk.end();
}

#[test]
fn the_end_of_the_input_ends_the_work() {
    let talk = engine();
    ask(
        &talk,
        &json!({"command": "position", "game": "othello", "position": "8x8"}),
    );
    talk.send(r#"{"id":1,"command":"solve"}"#);
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    let rest = talk.end();
    assert!(begun.elapsed() < Duration::from_millis(500));
    assert!(
        rest.last().unwrap().contains("\"cancelled\":true"),
        "{rest:?}"
    );
}

#[test]
fn quitting_waits_for_the_last_word() {
    let talk = engine();
    ask(
        &talk,
        &json!({"command": "position", "game": "clobber", "position": "10x10"}),
    );
    talk.send(r#"{"id":1,"command":"analyse"}"#);
    talk.send(r#"{"id":2,"command":"quit"}"#);
    let last = talk.line_with(|line| !is_progress(line));
    assert!(last.contains("\"cancelled\":true"), "{last}");
    assert_eq!(talk.line(), r#"{"id":2,"quit":true}"#);
    talk.end();
}

/// Any small board: with holes, in a row, as a graph, full or empty.
fn positions() -> impl Strategy<Value = (&'static str, String)> {
    let rows = |letters: &'static str| {
        (1..4usize, 1..5usize).prop_flat_map(move |(rows, cols)| {
            let row = proptest::string::string_regex(&format!("[{letters}]{{{cols}}}")).unwrap();
            prop::collection::vec(row, rows).prop_map(|rows| rows.join("|"))
        })
    };
    let graph = prop::sample::select(vec![
        "a=x,b=o,a-b",
        "a=x,b=o,c=x,d=o,a-b,b-c,c-d,d-a,a-c",
        "a=x",
    ]);
    prop_oneof![
        3 => rows("xo.#").prop_map(|text| ("clobber", text)),
        1 => rows("xo.#").prop_map(|text| ("clobber:cannibal", text)),
        3 => rows("xo..#").prop_map(|text| ("othello", text)),
        1 => rows("xo...").prop_map(|text| ("othello:reversi", text)),
        1 => graph.prop_map(|text| ("clobber", text.to_owned())),
    ]
}

#[test]
fn all_commands_agree_on_small_boards() {
    let talk = engine();
    let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
    let result = runner.run(&(positions(), "[xo]"), |((game, position), side)| {
        let request = json!({"id": 1, "command": "position", "game": game, "position": position, "to_move": side});
        let now = ask(&talk, &request);
        if now.get("error").is_some() {
            // Reversi needs a middle; all else is a position.
            prop_assert_eq!(game, "othello:reversi", "{}", now);
            return Ok(());
        }
        let solved = ask(&talk, &json!({"command": "solve", "exact": true}));
        let moves = ask(&talk, &json!({"command": "moves"}));
        prop_assert_eq!(&solved["proved"], true, "{} {}", request, solved);
        let judged = moves["moves"].as_array().unwrap();
        let names: Vec<&Value> = judged.iter().map(|judged| &judged["move"]).collect();
        let legal: Vec<&Value> = now["legal"].as_array().unwrap().iter().collect();
        prop_assert_eq!(&names, &legal);
        if now["over"] == true {
            prop_assert_eq!(&solved["winner"], &now["winner"]);
            return Ok(());
        }
        // The best move is as good as the position.
        let best = judged.iter().find(|judged| judged["move"] == solved["move"]).unwrap();
        prop_assert_eq!(&best["winner"], &solved["winner"], "{}", request);
        prop_assert_eq!(&best["score"], &solved["score"], "{}", request);
        let wins = judged.iter().any(|judged| judged["winner"] == side);
        prop_assert_eq!(wins, solved["winner"] == side, "{}", request);
        let analysed = ask(&talk, &json!({"command": "analyse", "simulations": 200}));
        let claim = analysed["proved"].as_str();
        if let Some(claim) = claim {
            let mover = solved["winner"] == side;
            let draw = solved["winner"] == "draw";
            let expected = if mover { "win" } else if draw { "draw" } else { "loss" };
            prop_assert_eq!(claim, expected, "{}", request);
        }
        for agent in ["random", "pick-first", "greedy", "mc:3", "mcts:20", "mcts:20,reuse=true,exact=4,amaf=10", "solver"] {
            let chosen = ask(&talk, &json!({"command": "choose", "agent": agent}));
            prop_assert!(legal.contains(&&chosen["move"]), "{} {} {}", agent, request, chosen);
        }
        Ok(())
    });
    result.unwrap();
    talk.end();
}
