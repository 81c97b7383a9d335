//! A server of one's own, and a client that says exactly what it is told to.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use upstar_agents::Resources;
use upstar_jobs::{Budget, Ledger};
use upstar_session::Host;
use upstar_solve::{Settings, Solver};
use upstar_web::{Options, Server};

/// A server that ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    /// The path with the token.
    pub(crate) path: String,
    budget: Budget,
    thread: Option<JoinHandle<()>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub(crate) fn host() -> Host {
    Host::new(Resources {
        solver: Solver::new(Settings {
            threads: 2,
            ledger: Ledger::new(1 << 30, 2),
            ..Settings::default()
        }),
        ..Resources::default()
    })
}

pub(crate) fn options(public: bool) -> Options {
    Options {
        address: (Ipv4Addr::LOCALHOST, 0).into(),
        public,
        runs: Vec::new(),
        page: None,
        threads: 2,
    }
}

impl Running {
    pub(crate) fn start(public: bool) -> Self {
        Self::of(options(public))
    }

    pub(crate) fn of(options: Options) -> Self {
        let listening = Server::bind(options, host()).unwrap();
        let url = listening.url();
        let rest = url.strip_prefix("http://").unwrap();
        let (address, path) = rest.split_once('/').unwrap();
        let (address, path) = (address.parse().unwrap(), format!("/{path}"));
        let budget = Budget::unlimited();
        let until = budget.clone();
        Self {
            address,
            path,
            budget,
            thread: Some(std::thread::spawn(move || listening.serve(&until))),
        }
    }

    pub(crate) fn token(&self) -> &str {
        self.path.split_once('=').unwrap().1
    }

    /// The head that a browser sends which was let in.
    pub(crate) fn own_head(&self) -> String {
        let (address, port) = (self.address, self.address.port());
        let token = self.path.split_once('=').map_or("", |(_, token)| token);
        format!("Host: {address}\r\nCookie: upstar-{port}={token}\r\nOrigin: http://{address}\r\n")
    }

    /// Sends a request with just this head and body, and reads what comes back.
    pub(crate) fn send(&self, line: &str, head: &str, body: &[u8]) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\n{head}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses may not read to the end.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        Response {
            status: head
                .get(9..12)
                .and_then(|code| code.parse().ok())
                .unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path}"), &self.own_head(), b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Response {
        self.send(&format!("POST {path}"), &self.own_head(), body.as_bytes())
    }

    /// The events of a tab, one after another.
    pub(crate) fn events(&self, tab: &str) -> Events {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let head = self.own_head();
        let line = format!("GET /api/events?tab={tab}");
        write!(stream, "{line} HTTP/1.1\r\n{head}\r\n").unwrap();
        let mut events = Events {
            stream,
            text: String::new(),
        };
        events.until("retry:");
        events
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.budget.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// An open event stream.
pub(crate) struct Events {
    stream: TcpStream,
    text: String,
}

impl Events {
    fn until(&mut self, wanted: &str) {
        let (mut buffer, begun) = ([0; 4096], Instant::now());
        while !self.text.contains(wanted) {
            let count = self.stream.read(&mut buffer).unwrap();
            assert!(count > 0, "the stream has ended: {}", self.text);
            // Heartbeats keep coming where nothing else does.
            let waited = begun.elapsed();
            assert!(
                waited < Duration::from_secs(90),
                "no {wanted:?}: {}",
                self.text
            );
            self.text += &String::from_utf8_lossy(&buffer[..count]);
        }
    }

    /// The next event of a job that is not about its progress or state.
    pub(crate) fn result_of(&mut self, id: &str) -> Value {
        loop {
            self.until("}\n\n");
            let (event, rest) = self.text.split_once("}\n\n").unwrap();
            // The head of the answer has a "data: " too, in its content security policy.
            let data = event
                .split_once("\ndata: ")
                .map(|(_, data)| format!("{data}}}"));
            self.text = rest.to_owned();
            let Some(data) = data else { continue };
            let Ok(event) = serde_json::from_str::<Value>(&data) else {
                continue;
            };
            let is_result = event.get("progress").is_none() && event.get("state").is_none();
            if event["id"] == id && is_result {
                return event;
            }
        }
    }
}
