//! What a browser loads, and what it is told of a board.

use serde_json::json;
use upstar_web::{ServeError, Server};

use crate::client::{Running, host, options};

#[test]
fn the_printed_address_lets_a_browser_in() {
    let server = Running::start(false);
    let host = format!("Host: {}\r\n", server.address);
    let welcome = server.send(&format!("GET {}", server.path), &host, b"");
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("SameSite=Strict"), "{}", welcome.head);
    assert!(welcome.head.contains("HttpOnly"), "{}", welcome.head);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(
        page.head.contains("content-security-policy"),
        "{}",
        page.head
    );
    assert!(page.body.contains("Upstar"));
    assert_eq!(server.get("/no-such-file.js").status, 404);
}

#[test]
fn a_taken_port_is_said() {
    let server = Running::start(false);
    let mut second = options(false);
    second.address = server.address;
    let refused = Server::bind(second, host()).err().unwrap();
    assert!(matches!(refused, ServeError::InUse(_)), "{refused}");
}

#[test]
fn every_game_is_shown() {
    let server = Running::start(false);
    for game in server.get("/api/hello").json()["games"].as_array().unwrap() {
        let body = json!({"game": game["game"], "position": game["example"]});
        let view = server.post("/api/position", &body.to_string());
        assert_eq!(view.status, 200, "{view:?}");
        let view = view.json();
        let legal = view["legal"].as_array().unwrap();
        assert!(!legal.is_empty(), "{view}");
        let body =
            json!({"game": game["game"], "position": game["example"], "moves": [legal[0]["move"]]});
        let next = server.post("/api/position", &body.to_string()).json();
        assert_eq!(next["line"].as_array().unwrap().len(), 2);
        assert_eq!(next["line"][1]["stones"], next["stones"]);
    }
}

#[test]
fn boards_are_described() {
    let server = Running::start(false);
    let view = |body: serde_json::Value| server.post("/api/position", &body.to_string()).json();
    let holes = view(json!({"game": "clobber", "position": "xo#|ox.", "to_move": "o"}));
    assert_eq!(holes["stones"], "xo#ox.");
    assert_eq!(holes["to_move"], "o");
    assert_eq!(holes["parts"], json!([[0, 1, 3, 4]]));
    let graph = view(json!({"game": "clobber", "position": "a=x,b=o,c=x,a-b,b-c"}));
    assert_eq!(graph["board"]["edges"], json!([[0, 1], [1, 2]]));
    assert_eq!(
        graph["legal"][0],
        json!({"move": "a-b", "from": 0, "to": 1})
    );
    let over = view(json!({"game": "othello", "position": "2x2"}));
    assert_eq!(over["winner"], "draw");
    assert_eq!(over["score"], 0);
    let discs = view(json!({"game": "othello", "position": "8x8", "moves": ["f5"]}));
    assert_eq!(discs["discs"]["mobility"], json!([3, 3]));
    assert_eq!(discs["legal"][0]["from"], json!(null));
}

#[test]
fn boards_are_written_for_others() {
    let server = Running::start(false);
    let exported = |body: serde_json::Value| server.post("/api/export", &body.to_string());
    for (format, expected) in [
        ("text", "xo|ox"),
        ("latex", r"\bullet & \circ"),
        ("cgsuite", "game.grid.Clobber"),
        ("openspiel", "clobber(rows=2,columns=2)"),
        ("svg", "<svg"),
    ] {
        let text = exported(json!({"game": "clobber", "position": "2x2", "format": format})).json();
        assert!(text["text"].as_str().unwrap().contains(expected), "{text}");
    }
    let game = json!({"game": "othello", "position": "8x8", "moves": ["f5", "d6"]});
    for (format, expected) in [
        ("transcript", "f5d6"),
        ("ggf", "B[f5]"),
        ("obf", "X"),
        ("openspiel", "othello\n37 43"),
    ] {
        let mut body = game.clone();
        body["format"] = format.into();
        let text = exported(body).json();
        let text = text["text"].as_str().unwrap();
        assert!(
            text.to_lowercase().contains(&expected.to_lowercase()),
            "{text}"
        );
    }
    let refused = exported(json!({"game": "clobber", "position": "2x2", "format": "ggf"}));
    assert_eq!(refused.status, 400);
    assert_eq!(
        exported(json!({"game": "clobber", "position": "2x2", "format": "../x"})).status,
        400
    );
}

#[test]
fn what_is_pasted_is_read() {
    let server = Running::start(false);
    let read = |text: &str| server.post("/api/read", &json!({ "text": text }).to_string());
    assert_eq!(read("f5d6c3").json()["games"][0]["game"], "othello");
    let ggf = "(;GM[Othello]PC[x]PB[anna]PW[ben]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5]W[d6];)";
    let found = read(ggf).json();
    assert_eq!(found["games"][0]["players"], json!(["anna", "ben"]));
    let refused = read("what is this?");
    assert_eq!(refused.status, 400);
    assert!(
        refused.json()["error"]
            .as_str()
            .unwrap()
            .contains("for example")
    );
}
