//! Requests about runs, their games, and the papers' tables.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use upstar_runs::Kind;

use super::{RunDetail, RunKind, RunList, RunRefusal, RunSummary};
use crate::answers::{Sent, ask};
use crate::error::Refused;
use crate::games::{GameFilter, GamePage};
use crate::papers::{self, PaperSamples, Papers};
use crate::server::Server;

/// The routes of runs, games and papers.
pub(crate) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/api/runs", get(ask(list)).post(ask(start)))
        .route("/api/runs/{id}", get(ask(detail)))
        .route("/api/runs/{id}/games", get(ask(games)))
        .route("/api/runs/{id}/stop", post(ask(stop)))
        .route("/api/runs/{id}/resume", post(ask(resume)))
        .route("/api/papers", get(ask(reproductions)))
        .route("/api/papers/{id}", get(ask(tables)))
        .route("/api/papers/{id}/samples", get(ask(samples)))
}

impl From<RunRefusal> for Refused {
    fn from(refusal: RunRefusal) -> Self {
        match refusal {
            RunRefusal::Unknown => Self::missing(refusal),
            RunRefusal::ReadOnly => Self::forbidden(refusal),
            RunRefusal::Crowded(_) => Self::crowded(refusal),
            RunRefusal::Input(_) => Self::input(refusal),
        }
    }
}

fn list(server: &Server, (): ()) -> Result<RunList, RunRefusal> {
    Ok(server.runs.list())
}

fn detail(server: &Server, Path(id): Path<String>) -> Result<Arc<RunDetail>, RunRefusal> {
    server.runs.detail(&id)
}

fn games(
    server: &Server,
    (Path(id), Query(filter)): (Path<String>, Query<GameFilter>),
) -> Result<GamePage, RunRefusal> {
    server.runs.games(&id, &filter)
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

fn start(server: &Server, Sent(sent): Sent<StartRequest>) -> Result<Started, RunRefusal> {
    let id = server.runs.start(&sent.name, &sent.config)?;
    Ok(Started { id })
}

fn stop(server: &Server, Path(id): Path<String>) -> Result<Started, RunRefusal> {
    server.runs.stop(&id)?;
    Ok(Started { id })
}

fn resume(server: &Server, Path(id): Path<String>) -> Result<Started, RunRefusal> {
    server.runs.resume(&id)?;
    Ok(Started { id })
}

/// The reproductions that there are.
#[derive(Serialize)]
struct Reproductions {
    runs: Vec<RunSummary>,
}

fn reproductions(server: &Server, (): ()) -> Result<Reproductions, RunRefusal> {
    let mut runs = server.runs.list().runs;
    runs.retain(|run| run.kind == RunKind::Folder(Kind::Reproduce));
    Ok(Reproductions { runs })
}

fn tables(server: &Server, Path(id): Path<String>) -> Result<Arc<Papers>, RunRefusal> {
    match id.as_str() {
        "printed" => Ok(Arc::new(papers::printed())),
        id => server.runs.papers(id),
    }
}

/// A number of a table.
#[derive(Deserialize)]
struct CellName {
    table: String,
    cell: String,
}

fn samples(
    server: &Server,
    (Path(id), Query(name)): (Path<String>, Query<CellName>),
) -> Result<PaperSamples, RunRefusal> {
    let papers = server.runs.papers(&id)?;
    let samples = papers.samples(&name.table, &name.cell);
    samples.ok_or_else(|| RunRefusal::Input("there is no such number".to_owned()))
}
