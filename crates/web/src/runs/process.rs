//! Runs that are started from the page: child processes of the program itself, stopped by SIGTERM, which every
//! verb answers by a checkpoint.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use upstar_runs::Kind;

use super::RunRefusal;

/// The program, and the runs that it works on.
#[derive(Debug)]
pub(super) struct Processes {
    program: PathBuf,
    children: Mutex<HashMap<PathBuf, Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    /// The last line that it wrote to standard error.
    last: Arc<Mutex<String>>,
}

impl Worker {
    /// The process, if it has not ended.
    fn working(&mut self) -> Option<&mut Child> {
        let ended = !matches!(self.child.try_wait(), Ok(None));
        (!ended).then_some(&mut self.child)
    }
}

impl Processes {
    /// Those of this program.
    pub(super) fn new(program: PathBuf) -> Self {
        Self {
            program,
            children: Mutex::default(),
        }
    }

    /// Resumes the run in this folder.
    pub(super) fn resume(&self, folder: &Path) -> Result<(), RunRefusal> {
        let mut command = Command::new(&self.program);
        command.arg("resume").arg("--").arg(folder);
        self.begin(folder, command)
    }

    /// Begins a run of this configuration in a new folder below `root`; returns the folder.
    pub(super) fn start(
        &self,
        root: &Path,
        name: &str,
        config: &str,
    ) -> Result<PathBuf, RunRefusal> {
        check_name(name)?;
        let table = toml::from_str::<toml::Table>(config);
        let table = table.map_err(|error| {
            RunRefusal::Input(format!("the configuration is no TOML: {}", error.message()))
        })?;
        let verb = match Kind::of_config(&table) {
            Some(Kind::Train | Kind::Alphazero) => "train",
            Some(Kind::Tune) => "tune",
            Some(Kind::Tournament) => "tournament",
            _ => {
                let sentence = "the configuration is not that of a training, a search for parameters or a tournament";
                return Err(RunRefusal::Input(sentence.to_owned()));
            }
        };
        let folder = root.join(name);
        let file = root.join(format!("{name}.toml"));
        if folder.exists() {
            return Err(RunRefusal::Input(format!("there is a run {name} already")));
        }
        let mut options = OpenOptions::new();
        let written = options.write(true).create_new(true).open(&file);
        let written = written.and_then(|mut out| out.write_all(config.as_bytes()));
        written.map_err(|error| RunRefusal::Input(format!("{name}.toml: {error}")))?;
        let mut command = Command::new(&self.program);
        command
            .arg(verb)
            .arg("--out")
            .arg(&folder)
            .arg("--")
            .arg(&file);
        self.begin(&folder, command)?;
        Ok(folder)
    }

    fn begin(&self, folder: &Path, mut command: Command) -> Result<(), RunRefusal> {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        if children
            .get_mut(folder)
            .is_some_and(|worker| worker.working().is_some())
        {
            return Err(RunRefusal::Input("the run is under way already".to_owned()));
        }
        let command = command.stdin(Stdio::null()).stdout(Stdio::null());
        let begun = command.stderr(Stdio::piped()).spawn();
        let mut child = begun.map_err(|error| {
            RunRefusal::Input(format!("the program could not be started: {error}"))
        })?;
        let last = Arc::new(Mutex::new(String::new()));
        if let Some(errors) = child.stderr.take() {
            let last = Arc::clone(&last);
            thread::spawn(move || {
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    if !line.trim().is_empty() {
                        *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                    }
                }
            });
        }
        children.insert(folder.to_owned(), Worker { child, last });
        Ok(())
    }

    /// Asks the process that works on this folder to stop.
    pub(super) fn stop(&self, folder: &Path) -> Result<(), RunRefusal> {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = children.get_mut(folder);
        let working = worker.and_then(Worker::working);
        let child = working.ok_or_else(|| {
            let sentence = "this run was not started from the page; stop it where it was started";
            RunRefusal::Input(sentence.to_owned())
        })?;
        terminate(child)
    }

    /// Stops all processes, and waits until they have written their checkpoints.
    pub(super) fn stop_all(&self) {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let working = children.values_mut().filter_map(Worker::working);
        let told: Vec<&mut Child> = working
            .filter_map(|child| terminate(child).ok().map(|()| child))
            .collect();
        for child in told {
            let _ = child.wait();
        }
    }

    /// Whether a process that was started here works on this folder.
    pub(super) fn is_ours(&self, folder: &Path) -> bool {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = children.get_mut(folder);
        worker.is_some_and(|worker| worker.working().is_some())
    }

    /// What the last process of this folder said when it failed.
    pub(super) fn failure(&self, folder: &Path) -> Option<String> {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = children.get_mut(folder)?;
        let status = worker.child.try_wait().ok()??;
        // Status 1 is a run that was stopped before its end.
        let failed = !status.success() && status.code() != Some(1);
        let last = worker.last.lock().unwrap_or_else(PoisonError::into_inner);
        failed.then(|| last.clone())
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.stop_all();
    }
}

#[cfg(unix)]
fn terminate(child: &mut Child) -> Result<(), RunRefusal> {
    use rustix::process::{Pid, Signal, kill_process};
    let killed = kill_process(Pid::from_child(child), Signal::TERM);
    killed.map_err(|error| RunRefusal::Input(format!("the run could not be stopped: {error}")))
}

/// Without signals a run loses what it did since its last checkpoint.
#[cfg(not(unix))]
fn terminate(child: &mut Child) -> Result<(), RunRefusal> {
    let killed = child.kill();
    killed.map_err(|error| RunRefusal::Input(format!("the run could not be stopped: {error}")))
}

/// A name that is a plain folder's on every system.
fn check_name(name: &str) -> Result<(), RunRefusal> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match (1..=64).contains(&name.len()) && name.chars().all(is_plain) && !name.starts_with('-') {
        true => Ok(()),
        false => Err(RunRefusal::Input(
            "a run's name has up to 64 small letters, digits and dashes, like clobber-5x5"
                .to_owned(),
        )),
    }
}
