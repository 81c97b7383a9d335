//! How requests are answered: by plain functions on threads that may wait. Refusals are JSON, large answers are
//! compressed, and a public server tells no paths.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request, State};
use axum::handler::Handler;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Refused;
use crate::gzip;
use crate::server::{LARGEST_BODY, Server};

/// Smaller answers are not compressed.
const LARGE: usize = 8 << 10;

/// A handler that asks a plain function, on a thread that may wait for files.
pub(crate) fn ask<Q, M, T, E>(
    answer: fn(&Server, Q) -> Result<T, E>,
) -> impl Handler<(M, State<Arc<Server>>, Q), Arc<Server>>
where
    Q: FromRequest<Arc<Server>, M> + Send + 'static,
    M: Send + 'static,
    T: Serialize + Send + 'static,
    E: Into<Refused> + Send + 'static,
{
    move |State(server): State<Arc<Server>>, asked: Q| async move {
        let answered = tokio::task::spawn_blocking(move || answer(&server, asked)).await;
        let failed = |_| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "the answer failed");
        let answer: Result<Json<T>, Refused> = answered
            .map_err(failed)
            .and_then(|found| found.map(Json).map_err(Into::into));
        answer
    }
}

/// A body that must be JSON of a known shape, whatever the request calls it; what is wrong is one sentence.
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(IntoResponse::into_response)?;
        let read = serde_json::from_slice(&bytes).map(Self);
        read.map_err(|error| Refused::input(format!("the body: {error}")).into_response())
    }
}

/// What every answer goes through.
pub(crate) async fn finish(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let packs = gzip::is_accepted(request.headers());
    let response = refused_in_json(next.run(request).await).await;
    if !is_json(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(mut bytes) = to_bytes(body, usize::MAX).await else {
        let sentence = "the answer could not be written";
        return Refused::new(StatusCode::INTERNAL_SERVER_ERROR, sentence).into_response();
    };
    if let Some(paths) = &server.hidden {
        bytes = paths.names_only(&String::from_utf8_lossy(&bytes)).into();
    }
    parts.headers.remove(CONTENT_LENGTH);
    parts
        .headers
        .insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    if packs && bytes.len() >= LARGE {
        let plain = bytes.clone();
        let pack = move || gzip::packed(&plain, Compression::fast());
        if let Ok(packed) = tokio::task::spawn_blocking(pack).await {
            let gzip = HeaderValue::from_static("gzip");
            parts.headers.insert(CONTENT_ENCODING, gzip);
            bytes = Bytes::from(packed);
        }
    }
    Response::from_parts(parts, Body::from(bytes))
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

/// Refusals of the layers below us come as plain text.
async fn refused_in_json(response: Response) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || is_json(&response) {
        return response;
    }
    let sentence = match status {
        StatusCode::PAYLOAD_TOO_LARGE => format!("a body has at most {LARGEST_BODY} bytes"),
        StatusCode::METHOD_NOT_ALLOWED => "this address is not asked so".to_owned(),
        status => {
            let text = to_bytes(response.into_body(), 1 << 10).await;
            let text = text.map_or(String::new(), |it| {
                String::from_utf8_lossy(&it).into_owned()
            });
            match text.is_empty() {
                true => status.to_string(),
                false => text,
            }
        }
    };
    Refused::new(status, sentence).into_response()
}

/// What strangers are not told: where things are on this machine.
#[derive(Debug)]
pub(crate) struct HiddenPaths {
    /// Folders, the longest first, each with its end.
    folders: Vec<String>,
}

impl HiddenPaths {
    /// Of the folders of runs, and of those in which this program is and its user.
    pub(crate) fn of(runs: &[PathBuf]) -> Self {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let here = std::env::current_dir().ok();
        let runs = runs.iter().flat_map(|folder| {
            let places = [folder.canonicalize(), std::path::absolute(folder)];
            places.into_iter().flatten()
        });
        let mut folders: Vec<String> = runs
            .chain(here)
            .chain(home)
            .filter(|folder| folder.parent().is_some())
            .map(|folder| format!("{}/", folder.to_string_lossy().trim_end_matches('/')))
            .collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        folders.dedup();
        Self { folders }
    }

    /// The text, JSON or not, in which of every absolute path only the last name stands.
    pub(crate) fn names_only(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for folder in &self.folders {
            text = text.replace(folder.as_str(), "/");
        }
        let is_end = |c: char| c.is_whitespace() || "\"'\\,;:()<>[]{}|=".contains(c);
        let mut shown = String::with_capacity(text.len());
        let (mut rest, mut before) = (text.as_str(), ' ');
        while let Some(place) = rest.find('/') {
            let (begin, path) = rest.split_at(place);
            shown.push_str(begin);
            before = begin.chars().next_back().unwrap_or(before);
            let (path, after) = path.split_at(path.find(is_end).unwrap_or(path.len()));
            let name = path.trim_end_matches('/').rsplit('/').next();
            match name {
                Some(name) if is_end(before) && path.len() > 1 => shown.push_str(name),
                _ => shown.push_str(path),
            }
            (rest, before) = (after, '/');
        }
        shown.push_str(rest);
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_see_names_and_no_paths() {
        let folder = tempfile::tempdir().unwrap();
        let spaced = folder.path().join("my runs");
        std::fs::create_dir(&spaced).unwrap();
        let hidden = HiddenPaths::of(std::slice::from_ref(&spaced));
        let run = spaced.join("az one");
        for (text, shown) in [
            ("upstar resume /srv/data/runs/az", "upstar resume az"),
            (
                r#"{"a":"net:/srv/x.safetensors,sims=3"}"#,
                r#"{"a":"net:x.safetensors,sims=3"}"#,
            ),
            (r#""--out=/srv/a/b","c""#, r#""--out=b","c""#),
            (r#""proof = \"/srv/a/b\"""#, r#""proof = \"b\"""#),
            (
                "1/2 and xox/oxo, 3 / 4, a//b",
                "1/2 and xox/oxo, 3 / 4, a//b",
            ),
            (
                "leiden2018/5.4 of papers/all",
                "leiden2018/5.4 of papers/all",
            ),
            ("/srv/", "srv"),
            ("/", "/"),
            (
                &format!("upstar resume '{}'", run.display()),
                "upstar resume 'az one'",
            ),
        ] {
            assert_eq!(hidden.names_only(text), shown);
        }
    }
}
