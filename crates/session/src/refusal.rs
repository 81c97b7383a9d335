//! Why a request is not carried out.

use std::fmt;

/// One sentence that names the input and the limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    /// A refusal with this sentence.
    pub fn new(sentence: impl fmt::Display) -> Self {
        Self(sentence.to_string())
    }
}
