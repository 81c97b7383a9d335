//! What a request that is not carried out is answered with: a status and a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is not carried out.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    sentence: String,
}

impl Refused {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors are handed over where they end"
    )]
    pub(crate) fn new(status: StatusCode, sentence: impl ToString) -> Self {
        Self {
            status,
            sentence: sentence.to_string(),
        }
    }

    /// The request itself is wrong.
    pub(crate) fn input(sentence: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// What it names does not exist.
    pub(crate) fn missing(sentence: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, sentence)
    }

    /// It is not allowed here.
    pub(crate) fn forbidden(sentence: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, sentence)
    }

    /// There are too many of them.
    pub(crate) fn crowded(sentence: impl ToString) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.sentence }))).into_response()
    }
}
