//! Where results are kept: a line for each run and seed as soon as it is done, and what follows from
//! them.
//!
//! | file | what is there |
//! |---|---|
//! | `manifest.json` | version, scale, machine |
//! | `PAPER/TABLE/runs-I-of-N.jsonl` | what shard I of N has run, a [`Sample`] per line |
//! | `PAPER/TABLE/READING/…` | the same under another reading of the paper |
//! | `PAPER/TABLE/cells.jsonl`, `cells.csv` | the comparison with the paper, under the default reading if there is one |
//! | `PAPER/TABLE/cells-plain.csv` | the comparison without the default reading |
//! | `plan-*.json` | what was asked for and is not complete |
//! | `report.html` | all of it to look at, written by `upstar report` |
//! | `slurm.sh` | an example for a cluster |
//!
//! Lines are only ever added, each with a seal; older ones without are read too. Whoever is killed loses what was not finished, and a line that was cut
//! off does not count.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use upstar_runs::{
    CONFIG, Kind, Lines, Log, LogError, MANIFEST, Manifest, RunFolder, lock, remove_drafts,
};

use crate::cell::{Cell, Summary};
use crate::cells_csv::csv;
use crate::experiment::Experiment;
use crate::library;
use crate::pending::{Pending, Unfinished, plans};
use crate::plan::Shard;
use crate::reading::{Reading, ReadingResults, explain};
use crate::sample::Sample;

/// The samples of a table, by run and seed.
pub(crate) type Samples = BTreeMap<(usize, u64), Sample>;

/// In which part of its full size the tables are run; the manifest says it.
const SCALE: &str = "scale";

/// The folder of a reproduction, open for one shard.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    scale: f64,
    shard: Shard,
    /// Held as long as this shard is worked on.
    _lock: File,
}

impl Folder {
    /// Opens a folder, or makes it, to work on a shard of it.
    ///
    /// # Errors
    /// If it holds other files, was made with another scale, somebody else works on this shard, or
    /// files cannot be read or written.
    pub fn open(path: &Path, scale: f64, shard: Shard) -> Result<Self, FolderError> {
        check_ours(path)?;
        check_scale(path, scale)?;
        RunFolder::look(path)?;
        fs::create_dir_all(path).map_err(|error| FolderError::io(path, &error))?;
        let lock_path = path.join(format!("shard-{}-of-{}.lock", shard.index, shard.count));
        let held = lock::hold(&lock_path).map_err(|error| FolderError::io(&lock_path, &error))?;
        let lock = held.ok_or_else(|| {
            FolderError(format!(
                "another program works on shard {shard} in {}",
                path.display()
            ))
        })?;
        let folder = Self {
            path: path.to_owned(),
            scale,
            shard,
            _lock: lock,
        };
        folder.check_manifest()?;
        Ok(folder)
    }

    fn check_manifest(&self) -> Result<(), FolderError> {
        // Shards that begin at the same time write the same.
        let _guard = guard(&self.path)?;
        let path = self.path.join(MANIFEST);
        if path.exists() {
            return check_scale(&self.path, self.scale);
        }
        let manifest = Manifest::new(Kind::Reproduce).with_detail(SCALE, self.scale);
        write(&path, &manifest.to_json())?;
        write(&self.path.join("slurm.sh"), &slurm(self.scale))
    }

    fn runs_file(&self, table: &Experiment) -> PathBuf {
        let Shard { index, count } = self.shard;
        self.path
            .join(table.folder())
            .join(format!("runs-{index}-of-{count}.jsonl"))
    }

    /// What is there of a table, by whichever shard. A line that this shard did not finish is cut off.
    pub(crate) fn begin(&self, table: &Experiment) -> Result<Samples, FolderError> {
        let file = self.runs_file(table);
        let folder = file.parent().expect("it is in the table's folder");
        fs::create_dir_all(folder).map_err(|error| FolderError::io(folder, &error))?;
        if file.exists() {
            Log::append(&file)?.drop_unfinished()?;
        }
        samples(&self.path, table, self.scale)
    }

    /// Adds a line.
    pub(crate) fn add(&self, table: &Experiment, sample: &Sample) -> Result<(), FolderError> {
        let file = self.runs_file(table);
        let mut log = Log::append(&file)?;
        log.add(sample)?;
        Ok(log.sync()?)
    }

    /// Writes down what is asked for, until it is complete.
    pub(crate) fn plan(&self, pending: &Pending) -> Result<(), FolderError> {
        let _guard = guard(&self.path)?;
        let (name, text) = pending.file();
        write(&self.path.join(name), &text)
    }

    /// Forgets the plans that are complete.
    pub(crate) fn settle_plans(&self) -> Result<(), FolderError> {
        let _guard = guard(&self.path)?;
        for (file, progress) in plans(&self.path, &|table| samples(&self.path, table, self.scale)) {
            if progress.is_some_and(|progress| progress.done == progress.runs) {
                fs::remove_file(&file).map_err(|error| FolderError::io(&file, &error))?;
            }
        }
        Ok(())
    }

    /// Compares all that is there with the papers, and writes the comparison.
    ///
    /// # Errors
    /// If files cannot be read or written.
    pub fn gather(&self) -> Result<(), FolderError> {
        gather(&self.path).map(drop)
    }
}

/// One program at a time writes in a folder as long as this is held.
fn guard(path: &Path) -> Result<File, FolderError> {
    let path = path.join("folder.lock");
    let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
    let locked = locked.map_err(|error| FolderError::io(&path, &error))?;
    // All shards write under this lock, so a draft is a killed one's.
    remove_drafts(path.parent().unwrap_or(Path::new("")));
    Ok(locked)
}

/// A table with what was found.
#[derive(Clone, Debug)]
pub struct TableResults {
    /// The table.
    pub table: Experiment,
    /// Its numbers beside the printed ones.
    pub cells: Vec<Cell>,
    /// What each run with each seed brought.
    pub samples: Vec<Sample>,
    /// The same numbers under other readings of the paper, as far as they were run.
    pub readings: Vec<ReadingResults>,
}

/// Compares all that is in a folder with the papers, writes the comparison, and returns it.
fn gather(path: &Path) -> Result<Vec<TableResults>, FolderError> {
    let (_, tables) = Folder::look(path)?;
    let _guard = guard(path)?;
    for results in &tables {
        let folder = path.join(results.table.name());
        remove_drafts(&folder);
        for under in &results.readings {
            let name = &under.reading.name;
            let file = match name == Reading::PLAIN {
                true => folder.join("cells-plain.csv"),
                false => {
                    remove_drafts(&folder.join(name));
                    folder.join(name).join("cells.csv")
                }
            };
            write(&file, &csv(&under.cells))?;
        }
        let lines: String = results
            .cells
            .iter()
            .map(|cell| serde_json::to_string(cell).expect("it is plain data") + "\n")
            .collect();
        write(&folder.join("cells.jsonl"), &lines)?;
        write(&folder.join("cells.csv"), &csv(&results.cells))?;
    }
    Ok(tables)
}

impl Folder {
    /// What is in a folder, whoever works on it, and its scale. Nothing is written.
    ///
    /// # Errors
    /// If it is not a folder of results, or files cannot be read.
    pub fn look(path: &Path) -> Result<(f64, Vec<TableResults>), FolderError> {
        RunFolder::look(path)?;
        let scale = scale_of(path)?;
        let mut tables = Vec::new();
        for table in tables_in(path) {
            tables.extend(results_of(path, table, scale)?);
        }
        Ok((scale, tables))
    }

    /// In which part of their full size the tables of a folder are run.
    ///
    /// # Errors
    /// If it is not a folder of results.
    pub fn scale(path: &Path) -> Result<f64, FolderError> {
        scale_of(path)
    }

    /// How far the plans are that were begun in a folder and are not complete. Nothing is written.
    #[must_use]
    pub fn unfinished(path: &Path) -> Vec<Unfinished> {
        let Ok(scale) = scale_of(path) else {
            return Vec::new();
        };
        let plans = plans(path, &|table| samples(path, table, scale));
        let known = plans.into_iter().filter_map(|(_, progress)| progress);
        known
            .filter(|progress| progress.done < progress.runs)
            .collect()
    }

    /// Writes the comparison of a folder anew, and returns it.
    ///
    /// # Errors
    /// If it is not a folder of results, or files cannot be read or written.
    pub fn report(path: &Path) -> Result<Vec<TableResults>, FolderError> {
        gather(path)
    }
}

/// What there is of a table; `None` if nothing was run. Its own numbers are those under the default reading, if that
/// was run.
fn results_of(
    path: &Path,
    table: Experiment,
    scale: f64,
) -> Result<Option<TableResults>, FolderError> {
    let mut readings = under_readings(path, &table, scale)?;
    let mut samples = samples(path, &table, scale)?;
    let mut found = cells(&table, &samples, scale);
    let mut table = table;
    let default = readings.iter().position(|under| under.reading.default);
    if let Some(place) = default.filter(|&place| !readings[place].cells.is_empty()) {
        let default = readings.remove(place);
        table = table.by_default();
        samples = self::samples(path, &table, scale)?;
        let plain = std::mem::replace(&mut found, default.cells);
        if !plain.is_empty() {
            readings.insert(
                0,
                ReadingResults {
                    reading: default.reading.plain(),
                    summary: Summary::of(&plain),
                    cells: plain,
                },
            );
        }
    }
    explain(&mut found, &readings);
    let is_empty = found.is_empty() && readings.is_empty();
    Ok((!is_empty).then(|| TableResults {
        table,
        cells: found,
        samples: samples.into_values().collect(),
        readings,
    }))
}

/// What there is of a table under each of its readings.
fn under_readings(
    path: &Path,
    table: &Experiment,
    scale: f64,
) -> Result<Vec<ReadingResults>, FolderError> {
    let mut results = Vec::new();
    for reading in table.readings() {
        let table = table
            .under(&reading.name)
            .expect("it is one of the table's");
        if !path.join(table.folder()).is_dir() {
            continue;
        }
        let cells = cells(&table, &samples(path, &table, scale)?, scale);
        results.push(ReadingResults {
            reading: reading.clone(),
            summary: Summary::of(&cells),
            cells,
        });
    }
    Ok(results)
}

/// The cells of all runs that have a sample.
pub(crate) fn cells(table: &Experiment, samples: &Samples, scale: f64) -> Vec<Cell> {
    let cells = table.cells().filter_map(|id| {
        let of_run = samples.range((id.run, 0)..=(id.run, u64::MAX));
        let of_run: Vec<&Sample> = of_run.map(|(_, sample)| sample).collect();
        (!of_run.is_empty()).then(|| Cell::new(table, id, &of_run, scale))
    });
    cells.collect()
}

fn tables_in(path: &Path) -> Vec<Experiment> {
    let here = |name: &String| path.join(name).is_dir();
    let found = library::tables().into_iter().filter(here);
    found
        .map(|name| Experiment::find(&name).expect("it is in the list"))
        .collect()
}

/// Whether a folder is one of results, or has nothing in it yet but what other shards begin with.
fn check_ours(path: &Path) -> Result<(), FolderError> {
    if !path.exists() || path.join(MANIFEST).exists() {
        // Whose manifest it is shows when it is read.
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|error| FolderError::io(path, &error))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let beginning = |name: &str| name.ends_with(".lock") || name.ends_with(".part");
    let mut foreign = names.filter(|name| !name.to_str().is_some_and(beginning));
    match foreign.next() {
        Some(name) => Err(FolderError(format!(
            "{} holds {} and no {MANIFEST}, so it is not a folder of results; name a new one",
            path.display(),
            name.display()
        ))),
        None => Ok(()),
    }
}

/// Whether results of this scale can be added to those that are there.
fn check_scale(path: &Path, scale: f64) -> Result<(), FolderError> {
    if !path.join(MANIFEST).exists() {
        return Ok(());
    }
    let there = scale_of(path)?;
    if there != scale {
        return Err(FolderError(format!(
            "{} was begun with --scale {there}, not with {scale}; go on with that, or name another folder",
            path.display()
        )));
    }
    Ok(())
}

fn scale_of(path: &Path) -> Result<f64, FolderError> {
    if path.join(CONFIG).is_file() {
        return Err(FolderError(format!(
            "{} has a {CONFIG}, as runs of train, tune and others do, and results of reproduce do not",
            path.display()
        )));
    }
    let file = path.join(MANIFEST);
    let manifest = Manifest::read(path).map_err(|error| match error {
        upstar_runs::FolderError::Io {
            kind: io::ErrorKind::NotFound,
            ..
        } => FolderError(format!(
            "{} holds neither results nor a run: there is no {MANIFEST} and no {CONFIG}",
            path.display()
        )),
        error => error.into(),
    })?;
    if manifest.program != "upstar" {
        let why = format!("{} is of the program {}", file.display(), manifest.program);
        return Err(FolderError(why));
    }
    manifest.detail(SCALE).ok_or_else(|| {
        FolderError(format!(
            "{} is not that of results: it has no {SCALE}, and a run would have a {CONFIG}",
            file.display()
        ))
    })
}

/// The samples of a table in a folder, of all shards. Of two of the same run and seed, which must be
/// the same, one counts.
fn samples(path: &Path, table: &Experiment, scale: f64) -> Result<Samples, FolderError> {
    let folder = path.join(table.folder());
    let listed = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(&folder)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    if !folder.exists() {
        return Ok(Samples::new());
    }
    let mut files = listed().map_err(|error| FolderError::io(&folder, &error))?;
    files.retain(|file| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("runs-") && name.ends_with(".jsonl"))
    });
    files.sort();
    let mut samples = Samples::new();
    for file in files {
        // A last line without its end may be one that is being written.
        let mut lines = Lines::<Sample>::of(&file)?;
        while let Some(sample) = lines.next().transpose()? {
            if let Some(fault) = sample.fault(table, scale) {
                return Err(lines.error(fault.to_string()).into());
            }
            let (run, seed) = (sample.run, sample.seed);
            match samples.get(&(run, seed)) {
                Some(other) if !other.agrees(&sample) => {
                    let why = format!("run {run} with seed {seed} is there twice and differs");
                    return Err(lines.error(why).into());
                }
                Some(_) => {}
                None => {
                    samples.insert((run, seed), sample);
                }
            }
        }
    }
    Ok(samples)
}

fn write(path: &Path, text: &str) -> Result<(), FolderError> {
    upstar_runs::write(path, text).map_err(|error| FolderError::io(path, &error))
}

/// A script for the cluster manager Slurm: each task of the array is a shard.
fn slurm(scale: f64) -> String {
    format!(
        "#!/bin/sh
# An example: all tables with 16 seeds, dealt to 32 tasks that share this folder.
# Submit it in this folder with: sbatch slurm.sh
#SBATCH --job-name=upstar-reproduce
#SBATCH --array=1-32
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=12:00:00
#SBATCH --output=slurm-%a.log

exec upstar reproduce --all --scale {scale} --seeds 16 \\
    --shard \"$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT\" \\
    --threads \"$SLURM_CPUS_PER_TASK\" --out \"$SLURM_SUBMIT_DIR\"
"
    )
}

/// What is wrong with a folder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FolderError(String);

impl FolderError {
    fn io(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl From<upstar_runs::FolderError> for FolderError {
    fn from(error: upstar_runs::FolderError) -> Self {
        Self(error.to_string())
    }
}

impl From<LogError> for FolderError {
    fn from(error: LogError) -> Self {
        Self(error.to_string())
    }
}
