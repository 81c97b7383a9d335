//! Requests about runs, their games, and the papers' tables. Files are read on threads that may wait.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::{RunDetail, RunIndex, RunKind, RunList, RunRefusal, RunSummary};
use crate::error::{Answer, Refused, body};
use crate::games::{GameFilter, GamePage};
use crate::papers::{self, Papers};
use crate::server::Server;

/// The routes of runs, games and papers.
pub(crate) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/api/runs", get(list).post(start))
        .route("/api/runs/{id}", get(detail))
        .route("/api/runs/{id}/games", get(games))
        .route("/api/runs/{id}/stop", post(stop))
        .route("/api/runs/{id}/resume", post(resume))
        .route("/api/papers", get(reproductions))
        .route("/api/papers/{id}", get(tables))
}

impl From<RunRefusal> for Refused {
    fn from(refusal: RunRefusal) -> Self {
        match refusal {
            RunRefusal::Unknown => Self::missing(refusal),
            RunRefusal::ReadOnly => Self::forbidden(refusal),
            RunRefusal::Input(_) => Self::input(refusal),
        }
    }
}

/// Asks the runs on a thread that may wait for files.
async fn asked<T: Send + 'static>(
    server: Arc<Server>,
    ask: impl FnOnce(&RunIndex) -> Result<T, RunRefusal> + Send + 'static,
) -> Answer<T> {
    let answered = tokio::task::spawn_blocking(move || ask(&server.runs)).await;
    let answered = answered.map_err(|_| Refused::input("the run could not be read"))?;
    Ok(Json(answered?))
}

async fn list(State(server): State<Arc<Server>>) -> Answer<RunList> {
    asked(server, |runs| Ok(runs.list())).await
}

async fn detail(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
) -> Answer<Arc<RunDetail>> {
    asked(server, move |runs| runs.detail(&id)).await
}

async fn games(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
    Query(filter): Query<GameFilter>,
) -> Answer<GamePage> {
    asked(server, move |runs| runs.games(&id, &filter)).await
}

/// A configuration to run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartRequest {
    name: String,
    config: String,
}

/// The run that was started, stopped or resumed.
#[derive(Serialize)]
struct Started {
    id: String,
}

async fn start(State(server): State<Arc<Server>>, bytes: Bytes) -> Answer<Started> {
    let StartRequest { name, config } = body(&bytes)?;
    asked(server, move |runs| {
        let id = runs.start(&name, &config)?;
        Ok(Started { id })
    })
    .await
}

async fn stop(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Answer<Started> {
    asked(server, move |runs| {
        runs.stop(&id)?;
        Ok(Started { id })
    })
    .await
}

async fn resume(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Answer<Started> {
    asked(server, move |runs| {
        runs.resume(&id)?;
        Ok(Started { id })
    })
    .await
}

/// The reproductions that there are.
#[derive(Serialize)]
struct Reproductions {
    runs: Vec<RunSummary>,
}

async fn reproductions(State(server): State<Arc<Server>>) -> Answer<Reproductions> {
    asked(server, |runs| {
        let mut runs = runs.list().runs;
        runs.retain(|run| run.kind == RunKind::Folder(upstar_runs::Kind::Reproduce));
        Ok(Reproductions { runs })
    })
    .await
}

async fn tables(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Answer<Arc<Papers>> {
    asked(server, move |runs| match id.as_str() {
        "printed" => Ok(Arc::new(papers::printed())),
        id => runs.papers(id),
    })
    .await
}
