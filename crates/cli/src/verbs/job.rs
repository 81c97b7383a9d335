//! `job`: a run's work in a folder that several machines share. One plans and accepts, any number work.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use upstar_cluster::{Advance, ClusterError, Context, Coordinator, Worker};
use upstar_jobs::Unwatched;
use upstar_lab::Shard;
use upstar_runs::check_links;

use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted};
use crate::players;
use crate::search::budget;

/// What to do with a run's jobs.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Begin a run that machines are to share
    Begin(Begin),
    /// Write down the jobs that are missing, and what workers need for them
    Plan(Plan),
    /// Do one share of the jobs
    Work(Work),
    /// Take in what workers have done, and go on with the run if that was all
    Accept(Accept),
}

#[derive(clap::Args)]
struct Begin {
    /// The file that describes it, as for train, tournament or tune
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Plan {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder for jobs and results, which all machines see
    #[arg(value_name = "JOBS")]
    jobs: PathBuf,
    /// So many games of self-play are one job
    #[arg(long, value_name = "N", default_value = "32")]
    bundle: usize,
}

#[derive(clap::Args)]
struct Work {
    /// The folder that 'job plan' wrote
    #[arg(value_name = "JOBS")]
    jobs: PathBuf,
    /// Which share of the jobs: 3/8 is the third of eight
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
}

#[derive(clap::Args)]
struct Accept {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder with jobs and results
    #[arg(value_name = "JOBS")]
    jobs: PathBuf,
}

/// The file with what workers need.
const CONTEXT: &str = "context";
/// The jobs, a line each.
const JOBS: &str = "jobs.jsonl";

const EXAMPLE: &str = "upstar job plan DIR JOBS, then upstar job work JOBS --shard 1/2";

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    match &arguments.what {
        What::Begin(begin) => begin.run(output),
        What::Plan(plan) => plan.run(output),
        What::Work(work) => work.run(output),
        What::Accept(accept) => accept.run(output),
    }
}

fn refused(error: ClusterError) -> Failure {
    Failure::input(error, EXAMPLE)
}

fn open(folder: &Path) -> Result<Coordinator, Failure> {
    if folder.is_dir() {
        check_links(folder).map_err(|error| Failure::input(error, EXAMPLE))?;
    }
    Coordinator::open(folder, players::resources()).map_err(refused)
}

#[derive(Serialize)]
struct Begun<'a> {
    folder: &'a Path,
    kind: upstar_runs::Kind,
}

impl Begin {
    fn run(&self, output: &Output) -> Done {
        let resources = players::resources();
        let run = Coordinator::create(&self.out, &self.file, resources).map_err(refused)?;
        let begun = Begun {
            folder: &self.out,
            kind: run.kind(),
        };
        output.print(&begun, |begun| {
            let folder = shown(begun.folder);
            format!(
                "a run of the kind {} is in {folder}; next: upstar job plan {folder} JOBS",
                begun.kind
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Serialize)]
struct Planned {
    jobs: usize,
}

impl Plan {
    fn run(&self, output: &Output) -> Done {
        let mut run = open(&self.folder)?;
        let jobs = run.jobs(self.bundle).map_err(refused)?;
        let context = run.context().map_err(refused)?;
        fs::create_dir_all(&self.jobs).map_err(|error| Failure::file(&self.jobs, &error))?;
        let write = |name: &str, bytes: &[u8]| {
            let path = self.jobs.join(name);
            upstar_runs::write(&path, bytes).map_err(|error| Failure::file(&path, &error))
        };
        write(CONTEXT, &context.to_bytes())?;
        let lines: String = jobs.iter().map(|job| format!("{job}\n")).collect();
        write(JOBS, lines.as_bytes())?;
        output.print(&Planned { jobs: jobs.len() }, |planned| {
            match planned.jobs {
                0 => "no jobs are missing".to_owned(),
                jobs => format!("{} in {}", counted(jobs as u64, "job"), shown(&self.jobs)),
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Serialize)]
struct Worked {
    done: usize,
    jobs: usize,
}

impl Work {
    fn run(&self, output: &Output) -> Done {
        let path = self.jobs.join(CONTEXT);
        let bytes = fs::read(&path).map_err(|error| Failure::file(&path, &error))?;
        let context = Context::from_bytes(&bytes).map_err(refused)?;
        let worker = Worker::new(&context, players::resources()).map_err(refused)?;
        let jobs = lines(&self.jobs.join(JOBS))?;
        let ours = jobs
            .iter()
            .skip(self.shard.index - 1)
            .step_by(self.shard.count);
        let budget = budget(None);
        let name = format!("results-{}-of-{}.jsonl", self.shard.index, self.shard.count);
        let path = self.jobs.join(name);
        let already = results_of(&path)?;
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| Failure::file(&path, &error))?;
        // What a killed worker left half-written ends here.
        writeln!(file).map_err(|error| Failure::file(&path, &error))?;
        let mut worked = Worked { done: 0, jobs: 0 };
        for job in ours {
            worked.jobs += 1;
            if already.contains(job) {
                worked.done += 1;
                continue;
            }
            let Some(done) = worker.perform(job, &budget).map_err(refused)? else {
                break;
            };
            writeln!(file, "{}", serde_json::json!({"job": job, "done": done}))
                .map_err(|error| Failure::file(&path, &error))?;
            worked.done += 1;
        }
        let complete = !budget.is_stopped();
        output.print(&worked, |worked| {
            format!(
                "{} of {} done",
                worked.done,
                counted(worked.jobs as u64, "job")
            )
        })?;
        Ok(ExitCode::from(u8::from(!complete)))
    }
}

/// A job and its result, as a worker writes them down.
#[derive(serde::Deserialize)]
struct Written {
    job: String,
    done: String,
}

/// The lines of a file of results that are whole.
fn written(path: &Path) -> Result<Vec<Written>, Failure> {
    let whole = lines(path)?.into_iter();
    Ok(whole
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect())
}

/// The jobs whose results are in a file, if there is one.
fn results_of(path: &Path) -> Result<BTreeSet<String>, Failure> {
    if !path.exists() {
        return Ok(BTreeSet::new());
    }
    Ok(written(path)?
        .into_iter()
        .map(|written| written.job)
        .collect())
}

fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::file(path, &error))?;
    // A line that was cut off may end inside a letter.
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    Ok(lines
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect())
}

/// The files of results.
fn results(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let failed = |error: std::io::Error| Failure::file(folder, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("results-") && name.ends_with(".jsonl") {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// What came of accepting.
#[derive(Serialize)]
struct Accepted {
    /// Results that were new.
    accepted: usize,
    /// Results that could not be those of a job.
    refused: usize,
    /// Games or trials that nobody has done.
    missing: usize,
    finished: bool,
}

impl Accept {
    fn run(&self, output: &Output) -> Done {
        let mut run = open(&self.folder)?;
        let (mut accepted, mut refusals) = (0, 0);
        let files = results(&self.jobs)?;
        for path in &files {
            for written in written(path)? {
                match run.accept(&written.done) {
                    Ok(new) => accepted += usize::from(new),
                    Err(error) => {
                        refusals += 1;
                        crate::failure::warn(&format!("{}: {error}", shown(path)));
                    }
                }
            }
        }
        let advanced = run.advance(&budget(None), &Unwatched).map_err(refused)?;
        let (missing, finished, line, is_stopped) = match advanced {
            Advance::Missing(missing) => (missing, false, None, false),
            Advance::On(line) => (0, false, Some(line), false),
            Advance::Finished(line) => (0, true, line, false),
            Advance::Stopped => (0, false, None, true),
        };
        if missing == 0 && !is_stopped {
            // The run has it all now.
            for path in &files {
                fs::remove_file(path).map_err(|error| Failure::file(path, &error))?;
            }
        }
        if let Some(line) = line.filter(|_| output.is_json()) {
            output.verbatim(&format!("{line}\n"))?;
        }
        let told = Accepted {
            accepted,
            refused: refusals,
            missing,
            finished,
        };
        output.print(&told, |told| {
            let state = match (told.finished, told.missing) {
                (true, _) => "the run is finished".to_owned(),
                (false, 0) if is_stopped => "stopped; the same command goes on".to_owned(),
                (false, 0) => "the run has gone on; next: upstar job plan".to_owned(),
                (false, missing) => format!("{missing} still missing"),
            };
            let results = counted(told.accepted as u64, "result");
            format!("{results} accepted; {state}")
        })?;
        Ok(ExitCode::from(u8::from(is_stopped || told.refused > 0)))
    }
}
