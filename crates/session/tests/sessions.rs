//! Sessions talked to as front ends would: variations, several jobs at once, and their ends.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use upstar_agents::Resources;
use upstar_jobs::Ledger;
use upstar_session::{Event, Host, MOST_JOBS, Session};
use upstar_solve::clobber::ValueTables;
use upstar_solve::{Settings, Solver};

/// Nobody waits longer for an event.
const PATIENCE: Duration = Duration::from_secs(60);

/// A host whose sessions have this much memory together.
fn host(memory: usize) -> Host {
    let ledger = Ledger::new(memory, 8);
    let solver = Solver::new(Settings {
        memory: memory / 4,
        tables: ValueTables::in_memory().with_ledger(&ledger),
        ledger,
        ..Settings::default()
    });
    Host::new(Resources {
        solver,
        memory: memory / 4,
        ..Resources::default()
    })
}

fn next(events: &Receiver<Event>) -> Event {
    events.recv_timeout(PATIENCE).expect("an event in time")
}

/// The last event about a request, as JSON.
fn last(events: &Receiver<Event>, id: &Value) -> Value {
    loop {
        let event = next(events);
        if event.id == *id && event.is_last() {
            return serde_json::to_value(event).unwrap();
        }
    }
}

fn ask(session: &mut Session, events: &Receiver<Event>, request: &Value) -> Value {
    assert!(session.request_text(&request.to_string()).is_continue());
    last(events, &request["id"])
}

#[test]
fn a_board_is_edited_and_its_variations_kept() {
    let (mut session, events) = Host::default().session(1);
    let mut ask = |request: Value| ask(&mut session, &events, &request);
    let position = |now: &Value| now["position"].as_str().unwrap_or_default().to_owned();
    ask(json!({"id": 1, "command": "position", "game": "othello", "position": "4x4"}));
    let first = ask(json!({"id": 1, "command": "play", "move": "b1"}));
    ask(json!({"id": 1, "command": "undo"}));
    ask(json!({"id": 1, "command": "play", "move": "d3"}));
    let back = ask(json!({"id": 1, "command": "go", "node": 1}));
    assert_eq!(position(&back), position(&first));
    let all = ask(json!({"id": 1, "command": "variations"}));
    assert_eq!(all["current"], 1);
    assert_eq!(all["nodes"].as_array().unwrap().len(), 3);
    let edited = ask(json!({"id": 1, "command": "edit", "cells": {"a1": "o", "b1": "."}}));
    assert_eq!(position(&edited), "o...|.xx.|.xo.|....");
    assert_eq!(edited["to_move"], "o");
    // What was before the edit is another game.
    let undo = ask(json!({"id": 1, "command": "undo"}));
    assert_eq!(undo["error"], "there is no move to take back");
    let wrong = ask(json!({"id": 1, "command": "edit", "cells": {"z9": "o"}}));
    assert_eq!(wrong["error"], "'z9' is not a cell");
    let wrong = ask(json!({"id": 1, "command": "edit", "cells": {"a1": "t"}}));
    assert!(wrong["error"].is_string(), "{wrong}");
}

#[test]
fn a_board_changes_while_jobs_run() {
    let (mut session, events) = Host::default().session(1);
    let place = json!({"id": 0, "command": "position", "game": "clobber", "position": "10x10"});
    ask(&mut session, &events, &place);
    assert!(
        session
            .request_text(r#"{"id":"long","command":"analyse"}"#)
            .is_continue()
    );
    let small = json!({"id": 0, "command": "position", "game": "clobber", "position": "xxo"});
    ask(&mut session, &events, &small);
    // Other jobs come and go meanwhile.
    let solved = ask(&mut session, &events, &json!({"id": 1, "command": "solve"}));
    assert_eq!(
        (&solved["winner"], &solved["proved"]),
        (&json!("x"), &json!(true))
    );
    let value = ask(&mut session, &events, &json!({"id": 2, "command": "value"}));
    assert_eq!(
        (&value["value"], &value["proved"]),
        (&json!("↑"), &json!(true))
    );
    let stopped = ask(
        &mut session,
        &events,
        &json!({"id": 3, "command": "cancel"}),
    );
    assert_eq!(stopped["stopped"], "long");
    let analysed = last(&events, &json!("long"));
    // It was about the large board.
    assert_eq!(analysed["moves"].as_array().unwrap().len(), 180);
    assert_eq!(analysed["cancelled"], true);
    assert!(!session.is_busy());
}

#[test]
fn too_many_jobs_are_refused_and_all_are_cancelled_together() {
    let (mut session, events) = host(1 << 30).session(1);
    let place = json!({"id": 0, "command": "position", "game": "clobber", "position": "8x8"});
    ask(&mut session, &events, &place);
    for id in 1..=MOST_JOBS {
        let request = json!({"id": id, "command": "analyse", "agent": "mcts:1000000000,memory=8M"});
        assert!(session.request_text(&request.to_string()).is_continue());
    }
    let refused = ask(
        &mut session,
        &events,
        &json!({"id": "more", "command": "solve"}),
    );
    assert_eq!(refused["error"], "16 requests are running");
    assert_eq!(refused["right"]["command"], "cancel");
    let stopped = ask(
        &mut session,
        &events,
        &json!({"id": "stop", "command": "cancel"}),
    );
    assert_eq!(stopped["stopped"].as_array().unwrap().len(), MOST_JOBS);
    session.end_jobs();
    assert!(!session.is_busy());
    let found = events.try_iter().filter(Event::is_last).count();
    assert_eq!(found, MOST_JOBS);
}

#[test]
fn a_session_that_goes_takes_its_jobs_with_it() {
    let host = host(1 << 30);
    let free = host.ledger().free();
    let (mut session, events) = host.session(1);
    let place = json!({"id": 0, "command": "position", "game": "clobber", "position": "10x10"});
    ask(&mut session, &events, &place);
    assert!(
        session
            .request_text(r#"{"id":1,"command":"analyse"}"#)
            .is_continue()
    );
    std::thread::sleep(Duration::from_millis(100));
    assert!(host.ledger().free() < free);
    drop(session);
    assert_eq!(host.ledger().free(), free, "leases come back");
    assert!(events.iter().any(|event| event.id == 1 && event.is_last()));
}

#[test]
fn an_agent_at_fault_is_told_and_replaced() {
    let (mut session, events) = Host::default().session(1);
    let place = json!({"id": 0, "command": "position", "game": "clobber", "position": "xoxo"});
    ask(&mut session, &events, &place);
    let request = json!({"id": 1, "command": "choose", "agent": "engine:\"no-such-program\""});
    let answer = ask(&mut session, &events, &request);
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .contains("cannot be started"),
        "{answer}"
    );
    let request = json!({"id": 2, "command": "choose", "agent": "solver"});
    let answer = ask(&mut session, &events, &request);
    assert_eq!(answer["evaluation"], json!({"proved": "win"}));
}

#[test]
fn a_job_that_panics_tells_its_end() {
    let (mut session, events) = Host::default().session(1);
    session.work(|_| panic!("on purpose")).unwrap();
    let answer = last(&events, &Value::Null);
    assert!(
        answer["error"].as_str().unwrap().contains("failed"),
        "{answer}"
    );
    session.end_jobs();
    assert!(!session.is_busy());
}

/// How long each job of a session took to end after it was cancelled.
fn cancelled(session: &mut Session, events: &Receiver<Event>, ids: &[&str]) -> Vec<Duration> {
    let mut times = Vec::new();
    for id in ids {
        let begun = Instant::now();
        let request = json!({"id": "stop", "command": "cancel", "target": id});
        assert!(session.request_text(&request.to_string()).is_continue());
        let stopped = last(events, &json!("stop"));
        assert_eq!(stopped["stopped"], *id);
        let found = last(events, &json!(id));
        times.push(begun.elapsed());
        assert_eq!(found["cancelled"], true, "{id}: {found}");
        assert_eq!(found.get("error"), None, "{found}");
    }
    times
}

/// Two boards at once under one limit: everything runs side by side, tells its progress, and ends at
/// once when it is told to.
#[test]
fn two_sessions_work_at_once_under_one_limit_and_end_at_once() {
    const MEMORY: usize = 2 << 30;
    const AT_ONCE: Duration = Duration::from_millis(100);
    const ROUNDS: usize = 20;
    let host = host(MEMORY);
    // A sum of large components, none of which is valued soon.
    let sum = "xoxoxoxoxo|oxoxoxoxox|..........|xoxoxoxoxo|oxoxoxoxox|xoxoxoxoxo";
    let jobs = [
        ("solve", "6x7", json!({"id": "solve", "command": "solve"})),
        (
            "analyse",
            "10x10",
            json!({"id": "analyse", "command": "analyse", "every": "100ms"}),
        ),
        ("value", sum, json!({"id": "value", "command": "value"})),
    ];
    let ids = jobs.each_ref().map(|(id, ..)| *id);
    let mut sessions: Vec<_> = (0..2).map(|seed| host.session(seed)).collect();
    // The fastest of each job in each session: a busy machine may hold up any of them once.
    let mut fastest = vec![Duration::MAX; sessions.len() * ids.len()];
    for round in 0..ROUNDS {
        for (session, events) in &mut sessions {
            for (_, position, request) in &jobs {
                let place = json!({"id": 0, "command": "position", "game": "clobber", "position": position});
                ask(session, events, &place);
                assert!(session.request_text(&request.to_string()).is_continue());
            }
        }
        let mut times = Vec::new();
        for (session, events) in &mut sessions {
            let mut silent = ids.to_vec();
            let begun = Instant::now();
            while !silent.is_empty() {
                let event = next(events);
                assert!(!event.is_last(), "it should go on: {event:?}");
                silent.retain(|id| event.id != *id);
                assert!(begun.elapsed() < PATIENCE, "no progress of {silent:?}");
            }
            assert!(host.ledger().free() < MEMORY, "all is within one limit");
            times.extend(cancelled(session, events, &ids));
            assert!(!session.is_busy());
        }
        eprintln!("round {round}, from cancel to the last event: {times:?}");
        assert!(times.iter().all(|time| *time < PATIENCE), "{times:?}");
        for (fastest, time) in fastest.iter_mut().zip(times) {
            *fastest = time.min(*fastest);
        }
        if fastest.iter().all(|time| *time < AT_ONCE) {
            return;
        }
    }
    panic!("at the fastest, from cancel to the last event: {fastest:?}");
}

/// The events of a job come at most ten times a second.
#[test]
fn progress_does_not_flood() {
    let (mut session, events) = Host::default().session(1);
    let place = json!({"id": 0, "command": "position", "game": "clobber", "position": "8x8"});
    ask(&mut session, &events, &place);
    let request = r#"{"id":1,"command":"analyse","every":"1ms","time":"650ms"}"#;
    assert!(session.request_text(request).is_continue());
    let told = events.iter().take_while(|event| !event.is_last()).count();
    assert!((1..=7).contains(&told), "{told}");
}
