//! What takes time, and how tabs share it.

use serde_json::json;

use crate::client::{Running, options};

const TAB: &str = "00000000000000000000000000000001";
const OTHER: &str = "00000000000000000000000000000002";

fn job(tab: &str, id: &str, command: &str, game: &str, position: &str) -> String {
    json!({"tab": tab, "id": id, "command": command, "game": game, "position": position})
        .to_string()
}

#[test]
fn an_analysis_ends_with_exact_marks() {
    let server = Running::start(false);
    let mut events = server.events(TAB);
    let begun = server.post("/api/jobs", &job(TAB, "a", "analyse", "clobber", "3x4"));
    assert_eq!(begun.status, 202, "{begun:?}");
    let found = events.result_of("a");
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 17);
    assert!(moves.iter().all(|mv| mv["grade"] == "proved"), "{found}");
}

#[test]
fn values_have_details() {
    let server = Running::start(false);
    let mut events = server.events(TAB);
    let body = json!({"tab": TAB, "id": "v", "command": "value", "game": "clobber", "position": "xxo.xo", "detail": true});
    assert_eq!(server.post("/api/jobs", &body.to_string()).status, 202);
    let found = events.result_of("v");
    assert_eq!(found["value"], "↑*");
    assert_eq!(found["canonical"], "{0, * | 0}");
    assert_eq!(found["components"][1]["cells"], json!([4, 5]));
    assert_eq!(found["thermograph"]["mast"], 0.0);
}

#[test]
fn a_job_is_cancelled_and_says_so() {
    let server = Running::start(false);
    let mut events = server.events(TAB);
    server.post("/api/jobs", &job(TAB, "s", "solve", "clobber", "8x8"));
    let line = format!("DELETE /api/jobs/s?tab={TAB}");
    assert_eq!(server.send(&line, &server.own_head(), b"").status, 200);
    let found = events.result_of("s");
    assert_eq!(found["cancelled"], true, "{found}");
    assert_ne!(found["proved"], true);
}

#[test]
fn a_tab_has_limits_and_others_get_their_turn() {
    let server = Running::start(false);
    let (mut events, mut others) = (server.events(TAB), server.events(OTHER));
    for number in 0..10 {
        let body = job(TAB, &format!("s{number}"), "solve", "clobber", "8x8");
        assert_eq!(server.post("/api/jobs", &body).status, 202, "{number}");
    }
    let more = server.post("/api/jobs", &job(TAB, "more", "solve", "clobber", "8x8"));
    assert_eq!(more.status, 429, "{more:?}");
    let again = server.post("/api/jobs", &job(TAB, "s0", "solve", "clobber", "8x8"));
    assert_eq!(again.status, 400, "{again:?}");
    // The other tab does not wait for the first one's jobs.
    server.post("/api/jobs", &job(OTHER, "a", "analyse", "clobber", "3x3"));
    assert_eq!(others.result_of("a")["grade"], "proved");
    for number in (0..10).rev() {
        let line = format!("DELETE /api/jobs/s{number}?tab={TAB}");
        server.send(&line, &server.own_head(), b"");
        assert_eq!(events.result_of(&format!("s{number}"))["cancelled"], true);
    }
}

#[test]
fn agents_play_and_remember_nothing_wrong() {
    let server = Running::start(false);
    let mut events = server.events(TAB);
    for (id, game, position, agent) in [
        ("1", "clobber", "5x5", "mcts:100"),
        ("2", "othello", "6x6", "greedy"),
        ("3", "clobber", "xo.xo", "solver:1s"),
        ("4", "othello", "8x8", "az:default,sims=10"),
    ] {
        let body = json!({"tab": TAB, "id": id, "command": "choose", "game": game, "position": position, "agent": agent});
        let begun = server.post("/api/jobs", &body.to_string());
        assert_eq!(begun.status, 202, "{begun:?}");
        let found = events.result_of(id);
        let after = json!({"game": game, "position": position, "moves": [found["move"]]});
        assert_eq!(
            server.post("/api/position", &after.to_string()).status,
            200,
            "{found}"
        );
    }
}

#[test]
fn a_public_server_caps_what_is_asked() {
    let server = Running::start(true);
    let mut events = server.events(TAB);
    let body = json!({"tab": TAB, "id": "c", "command": "choose", "game": "clobber", "position": "8x8", "agent": "mcts:30s"});
    assert_eq!(server.post("/api/jobs", &body.to_string()).status, 202);
    let found = events.result_of("c");
    assert!(found["seconds"].as_f64().unwrap() < 20.0, "{found}");
    assert_eq!(server.get("/api/hello").json()["public"], true);
}

/// The signs that separate an agent's options may stand in the name of a folder.
#[test]
fn a_network_plays_from_a_folder_of_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("a=b c");
    std::fs::create_dir(&run).unwrap();
    let from = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../results/alphazero/clobber-4x4"
    );
    for file in ["config.toml", "manifest.json", "network.safetensors"] {
        std::fs::copy(format!("{from}/{file}"), run.join(file)).unwrap();
    }
    let mut options = options(false);
    options.runs = vec![folder.path().to_owned()];
    let server = Running::of(options);
    let mut events = server.events(TAB);
    let id = server.get("/api/runs").json()["runs"][0]["id"].clone();
    let agent = format!("run:{}:network", id.as_str().unwrap());
    let body = json!({"tab": TAB, "id": "c", "command": "choose", "game": "clobber", "position": "4x4", "agent": agent});
    let begun = server.post("/api/jobs", &body.to_string());
    assert_eq!(begun.status, 202, "{begun:?}");
    let found = events.result_of("c");
    assert!(found["move"].is_string(), "{found}");
}
