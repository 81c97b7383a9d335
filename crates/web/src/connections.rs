//! Connections: as many as the system allows, with deadlines, and those that ask for nothing go first
//! when room is needed.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tower::ServiceExt;
use upstar_jobs::Budget;

/// How long the head of a request may take, and a connection may wait for its next one.
const HEAD: Duration = Duration::from_secs(10);
/// The largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// How often the budget is looked at.
const BEAT: Duration = Duration::from_millis(50);

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A connection that is served.
struct Connection {
    handle: AbortHandle,
    /// Whether it has asked for something.
    asked: Arc<AtomicBool>,
}

/// Serves until the budget is over.
pub(crate) async fn serve(listener: TcpListener, router: Router, most: usize, budget: &Budget) {
    let mut connections: VecDeque<Connection> = VecDeque::new();
    while !budget.is_over() {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = tokio::time::sleep(BEAT) => continue,
        };
        let Ok((stream, peer)) = accepted else {
            // No file descriptor is left, or the peer is gone already.
            tokio::time::sleep(BEAT).await;
            continue;
        };
        if connections.len() >= most {
            make_room(&mut connections, most);
        }
        connections.push_back(begin(stream, peer, router.clone()));
    }
    for connection in connections {
        connection.handle.abort();
    }
}

/// Forgets what has ended; if that is not enough, ends the oldest that has asked for nothing, or else the oldest.
fn make_room(connections: &mut VecDeque<Connection>, most: usize) {
    connections.retain(|connection| !connection.handle.is_finished());
    if connections.len() < most {
        return;
    }
    let is_silent = |connection: &Connection| !connection.asked.load(Ordering::Relaxed);
    let place = connections.iter().position(is_silent).unwrap_or(0);
    if let Some(connection) = connections.remove(place) {
        connection.handle.abort();
    }
}

fn begin(stream: TcpStream, peer: SocketAddr, router: Router) -> Connection {
    let asked = Arc::new(AtomicBool::new(false));
    let has_asked = Arc::clone(&asked);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        has_asked.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(Peer(peer));
        router.clone().oneshot(request)
    });
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let task = tokio::spawn(async move {
        // A connection that breaks is the browser's business.
        let _ = served.await;
    });
    Connection {
        handle: task.abort_handle(),
        asked,
    }
}

/// Raises the number of files that this process may open as far as it may, and says how many connections
/// that leaves room for.
pub(crate) fn room() -> usize {
    const OTHERS: u64 = 256;
    const MOST: u64 = 20_000;
    const LEAST: u64 = 64;
    #[cfg(unix)]
    let files = {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        let before = limit.current;
        limit.current = limit.maximum;
        match setrlimit(Resource::Nofile, limit) {
            Ok(()) => limit.maximum,
            Err(_) => before,
        }
        .unwrap_or(MOST)
    };
    #[cfg(not(unix))]
    let files = MOST;
    files.saturating_sub(OTHERS).clamp(LEAST, MOST) as usize
}
