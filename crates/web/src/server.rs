//! The server: what it is started with, its routes, and its life.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Extension, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use upstar_games::Variant;
use upstar_jobs::Budget;
use upstar_session::Host;

use crate::agents::{OFFERED, Offered};
use crate::answers::{HiddenPaths, Sent, ask, finish};
use crate::assets::{Assets, INDEX};
use crate::board::BoardText;
use crate::connections::{self, Peer};
use crate::error::Refused;
use crate::export::{Exported, export};
use crate::guard::guard;
use crate::import::{ReadGames, ReadRequest};
use crate::jobs::{Caps, JobRequest, Jobs, Load};
use crate::puzzles;
use crate::runs::{self, RunIndex};
use crate::tabs::Tabs;
use crate::view::View;

/// The largest body of a request.
pub(crate) const LARGEST_BODY: usize = 64 << 10;
/// The time of a request that is not the event stream, its body included.
const DEADLINE: Duration = Duration::from_secs(10);
/// How often tabs are told how busy the server is, and abandoned ones are looked for.
const BEAT: Duration = Duration::from_millis(500);

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; port 0 takes any that is free.
    pub address: SocketAddr,
    /// Read-only, without a token, with small budgets.
    pub public: bool,
    /// Folders whose runs are shown.
    pub runs: Vec<PathBuf>,
    /// A folder to serve the page from instead of what is inside the program.
    pub page: Option<PathBuf>,
    /// The threads of searches, to be told.
    pub threads: usize,
}

/// Why a server cannot be started.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is taken.
    #[error("{0} is in use, perhaps by another upstar serve")]
    InUse(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system gives no threads or no random numbers.
    #[error("the server cannot be started: {0}")]
    System(io::Error),
}

/// What all requests share.
pub struct Server {
    pub(crate) options: Options,
    /// `None` if anybody may ask.
    pub(crate) token: Option<String>,
    host: Host,
    pub(crate) tabs: Tabs,
    jobs: Arc<Jobs>,
    assets: Assets,
    pub(crate) runs: RunIndex,
    /// `None` if paths may be told.
    pub(crate) hidden: Option<Arc<HiddenPaths>>,
}

/// A server that has its address and waits to be served.
pub struct Listening {
    server: Arc<Server>,
    runtime: Runtime,
    listener: TcpListener,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// If it is taken, or the system refuses.
    pub fn bind(mut options: Options, host: Host) -> Result<Listening, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(ServeError::System)?;
        let address = options.address;
        let bound = runtime.block_on(TcpListener::bind(address));
        let listener = bound.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(address),
            _ => ServeError::Listen(address, error),
        })?;
        options.address = listener.local_addr().map_err(ServeError::System)?;
        let caps = match options.public {
            true => Caps::PUBLIC,
            false => Caps::OWN,
        };
        let token = match options.public {
            true => None,
            false => Some(random_token().map_err(ServeError::System)?),
        };
        let hidden = options
            .public
            .then(|| Arc::new(HiddenPaths::of(&options.runs)));
        let server = Arc::new(Self {
            token,
            jobs: Arc::new(Jobs::new(host.clone(), caps, hidden.clone())),
            host,
            tabs: Tabs::default(),
            assets: Assets::new(options.page.clone()),
            runs: run_index(&options),
            hidden,
            options,
        });
        Ok(Listening {
            server,
            runtime,
            listener,
        })
    }

    /// Cookies do not tell ports apart, so the name does.
    pub(crate) fn cookie_name(&self) -> String {
        format!("upstar-{}", self.options.address.port())
    }

    fn router(self: &Arc<Self>) -> Router {
        let quick = Router::new()
            .route("/api/hello", get(ask(hello)))
            .route("/api/position", post(ask(position)))
            .route("/api/read", post(ask(read)))
            .route("/api/export", post(ask(exported)))
            .route("/api/jobs", post(begin_job))
            .route("/api/jobs/{id}", delete(ask(cancel_job)))
            .route("/api/puzzles", get(puzzles::list))
            .merge(runs::routes())
            .fallback(get(asset))
            .layer(from_fn(deadline));
        Router::new()
            .route("/api/events", get(events))
            .merge(quick)
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .layer(from_fn_with_state(Arc::clone(self), finish))
            .layer(from_fn_with_state(Arc::clone(self), guard))
            .with_state(Arc::clone(self))
    }
}

/// The runs of the folders that the server was started with; a public server only shows them.
fn run_index(options: &Options) -> RunIndex {
    let runs = RunIndex::new(options.runs.clone());
    match std::env::current_exe() {
        Ok(program) if !options.public => runs.with_program(program, options.threads),
        _ => runs,
    }
}

fn random_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Listening {
    /// The address to open in a browser, with the token.
    #[must_use]
    pub fn url(&self) -> String {
        let address = self.server.options.address;
        match &self.server.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Serves until the budget is over; then all jobs have ended.
    pub fn serve(self, budget: &Budget) {
        let Self {
            server,
            runtime,
            listener,
        } = self;
        let router = server.router();
        runtime.block_on(async {
            let preparing = Arc::clone(&server);
            tokio::task::spawn_blocking(move || preparing.assets.prepare());
            let beat = tokio::spawn(beat(Arc::clone(&server)));
            let watch = tokio::spawn(watch_runs(Arc::clone(&server)));
            connections::serve(listener, router, connections::room(), budget).await;
            beat.abort();
            watch.abort();
        });
        runtime.shutdown_background();
        server.runs.stop_all();
        let tabs = server.tabs.all();
        for tab in &tabs {
            server.jobs.cancel_all(tab);
        }
        for tab in &tabs {
            server.jobs.give_up(tab);
        }
    }
}

/// How busy the server is, for the page's header.
#[derive(PartialEq, Serialize)]
struct Status {
    #[serde(flatten)]
    load: Load,
    threads: usize,
    memory: Option<usize>,
}

/// Tells tabs how busy the server is when that has changed, and gives up those that are gone.
async fn beat(server: Arc<Server>) {
    let mut told = None;
    loop {
        tokio::time::sleep(BEAT).await;
        let ledger = server.host.ledger();
        let limited = ledger.limit() < usize::MAX;
        let status = Status {
            load: server.jobs.load(),
            threads: server.options.threads,
            memory: limited.then(|| ledger.limit() - ledger.free()),
        };
        if told.as_ref() != Some(&status) {
            for tab in server.tabs.all() {
                tab.tell("status", &status);
            }
            told = Some(status);
        }
        for tab in server.tabs.abandoned() {
            let jobs = Arc::clone(&server.jobs);
            tokio::task::spawn_blocking(move || jobs.give_up(&tab));
        }
    }
}

/// How often the files of runs are looked at while somebody has the page open.
const LOOK: Duration = Duration::from_secs(1);

/// Tells tabs which runs have changed.
async fn watch_runs(server: Arc<Server>) {
    #[derive(Clone, Serialize)]
    struct Changed {
        id: String,
    }
    loop {
        tokio::time::sleep(LOOK).await;
        if server.tabs.all().is_empty() {
            continue;
        }
        let looking = Arc::clone(&server);
        let changed = tokio::task::spawn_blocking(move || looking.runs.changed()).await;
        for id in changed.unwrap_or_default() {
            let changed = Changed { id };
            for tab in server.tabs.all() {
                tab.tell("run", &changed);
            }
        }
    }
}

async fn deadline(request: Request, next: Next) -> Response {
    match tokio::time::timeout(DEADLINE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let sentence = "the request took too long";
            Refused::new(StatusCode::REQUEST_TIMEOUT, sentence).into_response()
        }
    }
}

/// Who answers, and what can be asked.
#[derive(Serialize)]
struct Hello {
    name: &'static str,
    version: &'static str,
    public: bool,
    threads: usize,
    games: Vec<GameLine>,
    agents: Vec<Offered>,
    /// The longest analysis, in seconds.
    most_seconds: u64,
}

#[derive(Serialize)]
struct GameLine {
    game: String,
    summary: &'static str,
    example: &'static str,
    for_two: bool,
    sides: usize,
}

fn hello(server: &Server, (): ()) -> Result<Hello, Refused> {
    let game = |variant: &Variant| GameLine {
        game: variant.to_string(),
        summary: variant.summary(),
        example: variant.example(),
        for_two: variant.is_for_two(),
        sides: variant.sides(),
    };
    let caps = match server.options.public {
        true => Caps::PUBLIC,
        false => Caps::OWN,
    };
    Ok(Hello {
        name: "Upstar",
        version: env!("CARGO_PKG_VERSION"),
        public: server.options.public,
        threads: server.options.threads,
        games: Variant::ALL.iter().map(game).collect(),
        agents: OFFERED.to_vec(),
        most_seconds: caps.thinking.as_secs(),
    })
}

fn position(_: &Server, Sent(board): Sent<BoardText>) -> Result<View, Refused> {
    Ok(View::of(&board.open()?))
}

fn read(_: &Server, Sent(request): Sent<ReadRequest>) -> Result<ReadGames, Refused> {
    request.read()
}

#[derive(Deserialize)]
struct ExportRequest {
    #[serde(flatten)]
    board: BoardText,
    format: String,
}

fn exported(_: &Server, Sent(request): Sent<ExportRequest>) -> Result<Exported, Refused> {
    export(&request.board.open()?, &request.format)
}

#[derive(Deserialize)]
struct OfTab {
    tab: String,
}

async fn events(
    State(server): State<Arc<Server>>,
    Extension(peer): Extension<Peer>,
    Query(OfTab { tab }): Query<OfTab>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let tab = server.tabs.open(&tab, peer.0.ip())?;
    let last = headers.get(HeaderName::from_static("last-event-id"));
    let last = last.and_then(|value| value.to_str().ok()?.parse().ok());
    let head = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((head, tab.stream(last.unwrap_or(0))).into_response())
}

#[derive(Serialize)]
struct Accepted {
    accepted: bool,
}

async fn begin_job(
    State(server): State<Arc<Server>>,
    Extension(peer): Extension<Peer>,
    Sent(mut request): Sent<JobRequest>,
) -> Result<Response, Refused> {
    request.resolve(&server.runs)?;
    let tab = server.tabs.open(&request.tab, peer.0.ip())?;
    server.jobs.take(&tab, request)?;
    let accepted = Json(Accepted { accepted: true });
    Ok((StatusCode::ACCEPTED, accepted).into_response())
}

fn cancel_job(
    server: &Server,
    (Path(id), Query(OfTab { tab })): (Path<String>, Query<OfTab>),
) -> Result<Accepted, Refused> {
    let tab = server.tabs.known(&tab);
    let tab = tab.ok_or_else(|| Refused::missing("there is no such tab"))?;
    server.jobs.cancel(&tab, &id);
    Ok(Accepted { accepted: true })
}

async fn asset(State(server): State<Arc<Server>>, uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path() {
        "/" => INDEX,
        path => path.trim_start_matches('/'),
    };
    server.assets.response(name, &headers)
}
