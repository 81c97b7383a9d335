//! What was asked of a folder and is not complete: a file `plan-*.json` for each such plan, from its first run to
//! its last, so that a reproduction that was killed is known for one.
//!
//! All shards of a plan share its file.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use upstar_runs::fnv1a;

use crate::experiment::Experiment;
use crate::folder::{FolderError, Samples};
use crate::plan::{Plan, Shard};

/// A plan as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    tables: Vec<PendingTable>,
    cells: Vec<String>,
    seeds: u64,
}

/// A table of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PendingTable {
    table: String,
    reading: Option<String>,
}

/// How far a plan is that is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Runs with a seed that are done.
    pub done: u64,
    /// All of them.
    pub runs: u64,
}

impl Pending {
    pub(crate) fn of(plan: &Plan) -> Self {
        let tables = plan.tables.iter().map(|table| PendingTable {
            table: table.name(),
            reading: table.reading().map(|reading| reading.name.clone()),
        });
        Self {
            tables: tables.collect(),
            cells: plan.cells.clone(),
            seeds: plan.seeds,
        }
    }

    /// Its text, and the name of its file, which depends on what is asked for.
    pub(crate) fn file(&self) -> (String, String) {
        let text = serde_json::to_string(self).expect("it is plain data");
        let name = format!("plan-{:016x}.json", fnv1a(text.bytes().map(u64::from)));
        (name, text)
    }

    /// How far it is, given how to read the samples of a table.
    fn progress(
        &self,
        samples: &dyn Fn(&Experiment) -> Result<Samples, FolderError>,
    ) -> Option<Unfinished> {
        let mut tables = Vec::new();
        for PendingTable { table, reading } in &self.tables {
            let table = Experiment::find(table).ok()?;
            tables.push(match reading {
                Some(reading) => table.under(reading)?,
                None => table,
            });
        }
        let runs = Plan::dealt(&tables, &self.cells, Shard::WHOLE);
        let samples: Option<Vec<Samples>> =
            tables.iter().map(|table| samples(table).ok()).collect();
        let samples = samples?;
        let done = runs.iter().map(|&(table, run)| {
            let of_run = samples[table].range((run, 0)..(run, self.seeds));
            of_run.count() as u64
        });
        Some(Unfinished {
            done: done.sum(),
            runs: runs.len() as u64 * self.seeds,
        })
    }
}

/// The files of plans in a folder, with how far each is; `None` for one that cannot be read.
pub(crate) fn plans(
    path: &Path,
    samples: &dyn Fn(&Experiment) -> Result<Samples, FolderError>,
) -> Vec<(PathBuf, Option<Unfinished>)> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|file| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("plan-") && name.ends_with(".json"))
    });
    let read = |file: &Path| -> Option<Unfinished> {
        let text = fs::read_to_string(file).ok()?;
        let pending: Pending = serde_json::from_str(&text).ok()?;
        pending.progress(samples)
    };
    files.map(|file| (file.clone(), read(&file))).collect()
}
