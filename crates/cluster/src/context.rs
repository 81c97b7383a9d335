//! What a worker needs beside its jobs.

use serde::{Deserialize, Serialize};
use upstar_runs::{Kind, checksum};

use crate::error::ClusterError;
use crate::fingerprint::fingerprint;

/// What all jobs of a run share until it goes on: its configuration, and the network that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    pub(crate) head: Head,
    /// The file of the network, empty where none is needed.
    pub(crate) network: Vec<u8>,
}

/// The first line of a context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) config: String,
    /// Of the machine that keeps the run.
    pub(crate) fingerprint: String,
    /// The checksum of what follows this line.
    pub(crate) network: String,
}

impl Context {
    pub(crate) fn new(kind: Kind, config: String, network: Vec<u8>) -> Self {
        Self {
            head: Head {
                kind,
                config,
                fingerprint: fingerprint().to_owned(),
                network: checksum(&network),
            },
            network,
        }
    }

    /// The context as it travels: a line of JSON, and the file of the network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = crate::line(&self.head).into_bytes();
        bytes.push(b'\n');
        bytes.extend(&self.network);
        bytes
    }

    /// Reads it again.
    ///
    /// # Errors
    /// If something is missing or was changed on the way.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ClusterError> {
        let wrong = |what: &dyn std::fmt::Display| ClusterError::Context(what.to_string());
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| wrong(&"its first line has no end"))?;
        let head: Head = serde_json::from_slice(&bytes[..end]).map_err(|error| wrong(&error))?;
        let network = bytes[end + 1..].to_vec();
        if checksum(&network) != head.network {
            return Err(wrong(&"its network was changed on the way"));
        }
        Ok(Self { head, network })
    }
}
