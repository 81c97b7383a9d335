//! The folder of a run: what is asked, with which program on which machine, and a lock that keeps a
//! second program away.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::Serialize;
use upstar_runs::lock;

/// A folder that is ours as long as this exists. The system gives the lock back when the program
/// ends, however that comes about.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
}

/// With which program on which machine a run was begun.
#[derive(Serialize)]
struct Manifest {
    version: &'static str,
    seed: u64,
    os: &'static str,
    architecture: &'static str,
    processors: usize,
}

impl Folder {
    /// Takes a folder for this program, and makes it if it is not there.
    pub(crate) fn take(path: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| error.to_string();
        fs::create_dir_all(path).map_err(failed)?;
        let lock = lock::hold(&path.join("lock")).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            _lock: lock.ok_or_else(|| "another program is at work in this folder".to_owned())?,
        })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file that is there as a whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        upstar_runs::write(&self.file(name), text).map_err(|error| format!("{name}: {error}"))
    }

    pub(crate) fn write_manifest(&self, seed: u64) -> Result<(), String> {
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION"),
            seed,
            os: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
            processors: std::thread::available_parallelism().map_or(1, Into::into),
        };
        let json = serde_json::to_string_pretty(&manifest).expect("text and numbers");
        self.write("manifest.json", &(json + "\n"))
    }
}
