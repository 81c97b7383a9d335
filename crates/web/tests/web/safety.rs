//! What strangers try.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Running, options};

const TAB: &str = "00000000000000000000000000000001";

#[test]
fn other_hosts_origins_and_strangers_are_refused() {
    let server = Running::start(false);
    let (address, port) = (server.address, server.address.port());
    let cookie = format!("Cookie: upstar-{port}={}\r\n", server.token());
    let good = format!("Host: {address}\r\n{cookie}");
    for (what, head, status) in [
        ("our own", good.clone(), 200),
        (
            "foreign host",
            format!("Host: evil.example:{port}\r\n{cookie}"),
            403,
        ),
        ("no host", cookie.clone(), 400),
        (
            "foreign origin",
            format!("{good}Origin: http://evil.example\r\n"),
            403,
        ),
        (
            "another port",
            format!("{good}Origin: http://127.0.0.1:1\r\n"),
            403,
        ),
        ("null origin", format!("{good}Origin: null\r\n"), 403),
        (
            "cross-site",
            format!("{good}Sec-Fetch-Site: cross-site\r\n"),
            403,
        ),
        (
            "same-site",
            format!("{good}Sec-Fetch-Site: same-site\r\n"),
            403,
        ),
        ("no token", format!("Host: {address}\r\n"), 403),
        (
            "wrong token",
            format!("Host: {address}\r\nCookie: upstar-{port}=00\r\n"),
            403,
        ),
        (
            "other cookie",
            format!("Host: {address}\r\nCookie: upstar={}\r\n", server.token()),
            403,
        ),
    ] {
        for path in ["/api/hello", "/api/puzzles"] {
            let response = server.send(&format!("GET {path}"), &head, b"");
            // Hyper itself may answer a request without Host.
            let refused = response.status == status || what == "no host" && response.status == 403;
            assert!(refused, "{what}: {response:?}");
        }
    }
    let strange = format!("Host: {address}\r\n");
    assert_eq!(server.send("GET /?token=00", &strange, b"").status, 403);
    assert_eq!(
        server.send("GET /api/hello?token=00", &strange, b"").status,
        403
    );
}

#[test]
fn commands_and_files_never_come_from_a_request() {
    let server = Running::start(false);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("made");
    let words = [
        format!("engine:\"touch {}\"", target.display()),
        format!("net:{}", target.display()),
        format!("az:{}", target.display()),
        "az:../../etc/passwd".to_owned(),
        "graph:/etc/passwd".to_owned(),
        "human".to_owned(),
    ];
    let good = json!({"tab": TAB, "id": "1", "command": "choose", "game": "clobber", "position": "4x4", "to_move": "x", "agent": "random", "seed": 1});
    for word in &words {
        for key in [
            "tab", "command", "game", "position", "to_move", "agent", "seed", "other",
        ] {
            let mut body = good.clone();
            body[key] = word.as_str().into();
            let refused = server.post("/api/jobs", &body.to_string());
            assert!(
                matches!(refused.status, 400 | 403),
                "{key} {word}: {refused:?}"
            );
        }
        let mut body = good.clone();
        body["moves"] = json!([word]);
        assert_eq!(server.post("/api/jobs", &body.to_string()).status, 400);
        for path in ["/api/position", "/api/export", "/api/read"] {
            for key in ["game", "position", "to_move", "format"] {
                let mut body =
                    json!({"game": "clobber", "position": "4x4", "format": "text", "text": "a1b1"});
                body[key] = word.as_str().into();
                let answer = server.post(path, &body.to_string());
                assert!(matches!(answer.status, 200 | 400), "{answer:?}");
                assert!(!answer.body.contains("root:"), "{answer:?}");
            }
        }
    }
    assert!(!target.exists());
}

#[test]
fn no_path_of_a_request_touches_the_file_system() {
    let server = Running::start(false);
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/page/../../Cargo.toml",
        "/vendor/..",
        "/api/jobs/..%2f..?tab=../../x",
        "/api/events?tab=../../../etc/passwd",
        "/api/puzzles/../../Cargo.toml",
    ] {
        let answer = server.get(path);
        assert!(
            matches!(answer.status, 400 | 404 | 405),
            "{path}: {answer:?}"
        );
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"));
    }
}

#[test]
fn odd_bodies_are_refused() {
    let server = Running::start(false);
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let wide = "{\"a\":".repeat(10_000) + "1" + &"}".repeat(10_000);
    for body in [
        &deep[..],
        &wide,
        "",
        "null",
        "3",
        "{\"game\":1}",
        "\u{0}",
        "{\"game\":\"clobber\"}",
    ] {
        for path in ["/api/position", "/api/read", "/api/export", "/api/jobs"] {
            let refused = server.post(path, body);
            assert_eq!(refused.status, 400, "{refused:?}");
            assert!(refused.json()["error"].is_string());
        }
    }
    let large = server.post("/api/position", &"x".repeat(65 << 10));
    assert_eq!(large.status, 413);
    assert_eq!(large.json()["error"], "a body has at most 65536 bytes");
    for (line, status) in [("PUT /api/hello", 405), ("GET /api/events", 400)] {
        let refused = server.send(line, &server.own_head(), b"");
        assert_eq!(refused.status, status, "{refused:?}");
        assert!(refused.json()["error"].is_string(), "{refused:?}");
    }
    let many: Vec<&str> = vec!["a1b1"; 5000];
    let body = json!({"game": "clobber", "position": "8x8", "moves": many});
    assert_eq!(server.post("/api/position", &body.to_string()).status, 400);
    for position in ["1000x1000", "99999999999x2", "random:999x999", "0x0"] {
        let body = json!({"game": "clobber", "position": position});
        assert_eq!(server.post("/api/position", &body.to_string()).status, 400);
    }
}

/// A gigabyte is announced, or comes in pieces without end: it is not read.
#[test]
fn huge_bodies_are_not_read() {
    let server = Running::start(false);
    let head = server.own_head();
    let mut announced = TcpStream::connect(server.address).unwrap();
    announced
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        announced,
        "POST /api/position HTTP/1.1\r\n{head}Content-Length: 1000000000\r\n\r\n"
    )
    .unwrap();
    let mut endless = TcpStream::connect(server.address).unwrap();
    endless
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    write!(
        endless,
        "POST /api/position HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n"
    )
    .unwrap();
    let piece = format!("{:x}\r\n{}\r\n", 4096, "x".repeat(4096));
    let begun = Instant::now();
    for _ in 0..10_000 {
        if endless.write_all(piece.as_bytes()).is_err() {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "it is read on and on"
        );
    }
    for stream in [&mut announced, &mut endless] {
        let _ = stream.write_all(&[b'x'; 100_000]);
        let mut answer = [0; 12];
        // Either the refusal is read, or the connection is gone.
        if stream.read_exact(&mut answer).is_ok() {
            assert!(
                answer.ends_with(b"413"),
                "{}",
                String::from_utf8_lossy(&answer)
            );
        }
    }
    assert_eq!(server.get("/api/hello").status, 200);
}

/// Connections that say nothing, or half a word, keep nobody from being served.
#[test]
fn silent_connections_keep_nobody_out() {
    let server = Running::start(false);
    let half = |text: &str| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let texts = ["", "G", "GET /api/hello HTTP/1.1\r\nHost: "];
    let held: Vec<TcpStream> = (0..300).map(|number| half(texts[number % 3])).collect();
    assert_eq!(server.get("/api/hello").status, 200);
    drop(held);
}

/// What is large or long is cut, whatever the request says.
#[test]
fn requests_do_not_choose_their_own_limits() {
    let server = Running::start(true);
    let mut events = server.events(TAB);
    let value = json!({"tab": TAB, "id": "v", "command": "value", "game": "clobber", "position": "2x8", "detail": true, "name_length": 1_000_000_000_000_u64});
    assert_eq!(server.post("/api/jobs", &value.to_string()).status, 202);
    let found = events.result_of("v").to_string();
    assert!(found.len() < 200_000, "{} bytes", found.len());
    let choose = json!({"tab": TAB, "id": "c", "command": "choose", "game": "clobber", "position": "10x10", "agent": "mcts:1000000"});
    assert_eq!(server.post("/api/jobs", &choose.to_string()).status, 202);
    let found = events.result_of("c");
    assert!(found["seconds"].as_f64().unwrap() < 10.0, "{found}");
}

#[test]
fn made_up_tabs_take_no_places() {
    let server = Running::start(true);
    for number in 0..600 {
        let line = format!("DELETE /api/jobs/x?tab={number:032x}");
        assert_eq!(server.send(&line, &server.own_head(), b"").status, 404);
    }
    for number in 0..600 {
        let body = json!({"tab": format!("{number:032x}"), "id": "1", "command": "nothing", "game": "clobber", "position": "2x2"});
        assert_ne!(server.post("/api/jobs", &body.to_string()).status, 429);
    }
    drop(server.events(TAB));
}

/// Strangers are not told where things are on this machine; the owner is.
#[test]
fn a_public_server_tells_names_and_no_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let run = path.join("one run");
    std::fs::create_dir(&run).unwrap();
    let config = format!(
        "game = 'clobber'\nposition = 'xo'\nto_move = 'x'\nthreads = 1\nmemory = 1000\nproof = '{}/proof'\n",
        path.display()
    );
    std::fs::write(run.join("config.toml"), config).unwrap();
    for public in [true, false] {
        let mut options = options(public);
        options.runs = vec![path.clone()];
        let server = Running::of(options);
        let id = server.get("/api/runs").json()["runs"][0]["id"].clone();
        let detail = server.get(&format!("/api/runs/{}", id.as_str().unwrap()));
        assert_eq!(detail.status, 200);
        let tells = detail.body.contains(path.to_str().unwrap());
        assert_eq!(tells, !public, "{}", detail.body);
        let settings = detail.json()["settings"].clone();
        assert!(settings.to_string().contains("proof"), "{settings}");
        if public {
            assert_eq!(detail.json()["resume"], "upstar resume 'one run'");
        }
    }
}

#[test]
fn large_answers_are_compressed_for_those_who_accept_it() {
    let server = Running::start(false);
    let head = server.own_head();
    let plain = server.get("/api/papers/printed");
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    let asked = |coding: &str| {
        let head = format!("{head}Accept-Encoding: {coding}\r\n");
        server.send("GET /api/papers/printed", &head, b"").head
    };
    let packed = asked("gzip, br");
    assert!(packed.contains("content-encoding: gzip"), "{packed}");
    let length = |head: &str| -> usize {
        let line = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        line.unwrap().parse().unwrap()
    };
    assert!(length(&packed) * 5 < length(&plain.head), "{packed}");
    assert!(!asked("gzip;q=0").contains("content-encoding"));
    let small = format!("{head}Accept-Encoding: gzip\r\n");
    let small = server.send("GET /api/hello", &small, b"");
    assert!(small.json()["version"].is_string());
}
