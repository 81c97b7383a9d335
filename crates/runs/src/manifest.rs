//! `manifest.json`: what a run is, with which program it began, and what it depends on.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use jiff::{Timestamp, Unit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::checksum::checksum;
use crate::error::FolderError;
use crate::folder::{Checksums, MANIFEST};
use crate::kind::Kind;

/// The program's commit, if it is known.
static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Says from which commit this program was built; manifests name it from now on. The first word stands.
pub fn set_commit(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

/// What a run is, and how it began. Manifests of older programs lack some of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What the run does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Whose run it is: `upstar`.
    #[serde(default = "program")]
    pub program: String,
    /// The program's version.
    #[serde(default)]
    pub version: String,
    /// The commit that it was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The command line that began the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<Timestamp>,
    /// The seed of all its randomness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The operating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// The family of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// The best instruction set that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// How many processors there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<usize>,
    /// The checksum of `config.toml`: a run goes on with what it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The checksums of other files that it goes on with.
    #[serde(default, skip_serializing_if = "Checksums::is_empty")]
    pub files: Checksums,
    /// What else this kind of run keeps here.
    #[serde(flatten)]
    details: Map<String, Value>,
}

fn program() -> String {
    "upstar".to_owned()
}

impl Manifest {
    /// Of a run of this kind that begins now, by this program on this machine.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let now = Timestamp::now();
        Self {
            kind: Some(kind),
            program: program(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.get().map(|&commit| commit.to_owned()),
            command: std::env::args_os()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            begun: Some(now.round(Unit::Second).unwrap_or(now)),
            seed: None,
            os: Some(std::env::consts::OS.to_owned()),
            architecture: Some(std::env::consts::ARCH.to_owned()),
            processor: Some(upstar_machine::Isa::best().name().to_owned()),
            processors: Some(std::thread::available_parallelism().map_or(1, Into::into)),
            config: None,
            files: Checksums::new(),
            details: Map::new(),
        }
    }

    /// The same with the seed of all randomness.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self {
            seed: Some(seed),
            ..self
        }
    }

    /// The same for this configuration, which must not change.
    #[must_use]
    pub fn with_config(self, text: &str) -> Self {
        Self {
            config: Some(checksum(text.as_bytes())),
            ..self
        }
    }

    /// The same with files that must not change.
    #[must_use]
    pub fn with_files(self, files: Checksums) -> Self {
        Self { files, ..self }
    }

    /// The same with something that only this kind of run has.
    ///
    /// # Panics
    /// If it cannot be written as JSON.
    #[must_use]
    pub fn with_detail(mut self, name: &str, what: impl Serialize) -> Self {
        let value = serde_json::to_value(what).expect("it is plain data");
        self.details.insert(name.to_owned(), value);
        self
    }

    /// What only this kind of run has, if it is there.
    #[must_use]
    pub fn detail<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.details.get(name)?.clone()).ok()
    }

    /// That of the run in this folder.
    ///
    /// # Errors
    /// If it is not there, or damaged.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path).map_err(|error| FolderError::io(&path, &error))?;
        serde_json::from_str(&text).map_err(|error| FolderError::damaged(&path, error.to_string()))
    }

    /// As it stands in its file.
    ///
    /// # Panics
    /// Never: it is plain data.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it is plain data") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let manifest = Manifest::new(Kind::Reproduce)
            .with_seed(7)
            .with_config("a = 1")
            .with_detail("scale", 0.1);
        let again: Manifest = serde_json::from_str(&manifest.to_json()).unwrap();
        assert_eq!(again, manifest);
        assert_eq!(again.detail("scale"), Some(0.1));
        assert_eq!(again.detail::<f64>("none"), None);
    }

    #[test]
    fn manifests_of_older_programs_are_read() {
        let solve =
            r#"{"version": "0.1.0", "os": "linux", "architecture": "x86_64", "processors": 2}"#;
        let manifest: Manifest = serde_json::from_str(solve).unwrap();
        assert_eq!((manifest.kind, manifest.processors), (None, Some(2)));
        let train = r#"{"program": "upstar", "version": "0.1.0", "seed": 2, "machine": "linux x86_64", "config": "af0e037e9093c0bc"}"#;
        let manifest: Manifest = serde_json::from_str(train).unwrap();
        assert_eq!(manifest.config.as_deref(), Some("af0e037e9093c0bc"));
    }
}
