//! Runs that are started from the page: child processes of the program itself.
//!
//! A child holds one end of a pipe as its standard input, and stops with a checkpoint when that ends
//! (`UPSTAR_STOP_AT_EOF`): when the page asks for it, and when the server is gone, however that happened.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use upstar_agents::AgentSpec;
use upstar_games::excerpt;
use upstar_runs::{CONFIG, Kind, RunFolder};

use super::{RunRefusal, locked};

/// How long a run may take to begin before the page is told that it has.
const PATIENCE: Duration = Duration::from_secs(5);

/// The program, and the runs that it works on.
#[derive(Debug)]
pub(super) struct Processes {
    program: PathBuf,
    /// How many may work at once.
    most: usize,
    children: Mutex<HashMap<PathBuf, Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    /// Dropped to stop it.
    stdin: Option<ChildStdin>,
    /// What it has said on standard error: why it failed, or its last line.
    said: Arc<Mutex<String>>,
    listener: Option<JoinHandle<()>>,
}

impl Worker {
    fn is_working(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Why it failed, if it has.
    fn failure(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok()??;
        // Status 1 is a run that was stopped before its end.
        if status.success() || status.code() == Some(1) {
            return None;
        }
        // It may still have something to say.
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        Some(locked(&self.said).clone())
    }
}

impl Processes {
    /// Those of this program, so many at once.
    pub(super) fn new(program: PathBuf, most: usize) -> Self {
        Self {
            program,
            most,
            children: Mutex::default(),
        }
    }

    fn children(&self) -> MutexGuard<'_, HashMap<PathBuf, Worker>> {
        locked(&self.children)
    }

    /// Resumes the run in this folder.
    pub(super) fn resume(&self, folder: &Path) -> Result<(), RunRefusal> {
        let mut command = Command::new(&self.program);
        command.arg("resume").arg("--").arg(folder);
        self.begin(folder, command, &|| RunFolder::is_busy(folder))
    }

    /// Begins a run of this configuration in a new folder below the first of `roots`; returns the folder. A
    /// refusal leaves nothing behind.
    pub(super) fn start(
        &self,
        roots: &[PathBuf],
        name: &str,
        config: &str,
    ) -> Result<PathBuf, RunRefusal> {
        let root = roots.first().ok_or(RunRefusal::ReadOnly)?;
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
        check_texts(&toml::Value::Table(table), roots)?;
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
        let is_begun = || folder.join(CONFIG).exists();
        let begun = self.begin(&folder, command, &is_begun);
        if begun.is_err() {
            let _ = fs::remove_file(&file);
            if !is_begun() {
                let _ = fs::remove_dir_all(&folder);
            }
        }
        begun.map(|()| folder)
    }

    /// Starts a process for a folder, and waits until it has begun its work or failed.
    fn begin(
        &self,
        folder: &Path,
        command: Command,
        is_begun: &dyn Fn() -> bool,
    ) -> Result<(), RunRefusal> {
        self.spawn(folder, command)?;
        let begun = Instant::now();
        loop {
            let mut children = self.children();
            let Some(worker) = children.get_mut(folder) else {
                return Ok(());
            };
            if !worker.is_working() {
                return match worker.failure() {
                    None => Ok(()),
                    Some(sentence) => {
                        children.remove(folder);
                        Err(RunRefusal::Input(sentence))
                    }
                };
            }
            drop(children);
            if is_begun() || begun.elapsed() > PATIENCE {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn spawn(&self, folder: &Path, mut command: Command) -> Result<(), RunRefusal> {
        let mut children = self.children();
        if children.get_mut(folder).is_some_and(Worker::is_working) {
            return Err(RunRefusal::Input("the run is under way already".to_owned()));
        }
        let works = |worker: &mut Worker| usize::from(worker.is_working());
        if children.values_mut().map(works).sum::<usize>() >= self.most {
            let sentence = format!(
                "as many runs as this server has threads ({}) are under way; stop one first",
                self.most
            );
            return Err(RunRefusal::Crowded(sentence));
        }
        command.env("UPSTAR_STOP_AT_EOF", "1");
        // Ctrl-C in the server's terminal is for the server, which then stops its runs.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
        let begun = command.stderr(Stdio::piped()).spawn();
        let mut child = begun.map_err(|error| {
            RunRefusal::Input(format!("the program could not be started: {error}"))
        })?;
        let said = Arc::new(Mutex::new(String::new()));
        let listener = child.stderr.take().map(|errors| {
            let said = Arc::clone(&said);
            thread::spawn(move || {
                let mut has_failed = false;
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    if let Some(sentence) = line.strip_prefix("error: ") {
                        sentence.clone_into(&mut locked(&said));
                        has_failed = true;
                    } else if !has_failed && !line.trim().is_empty() {
                        *locked(&said) = line;
                    }
                }
            })
        });
        let worker = Worker {
            stdin: child.stdin.take(),
            child,
            said,
            listener,
        };
        children.insert(folder.to_owned(), worker);
        Ok(())
    }

    /// Asks the process that works on this folder to stop.
    pub(super) fn stop(&self, folder: &Path) -> Result<(), RunRefusal> {
        let mut children = self.children();
        if let Some(worker) = children.get_mut(folder)
            && worker.is_working()
        {
            worker.stdin = None;
            return Ok(());
        }
        let sentence = "this run was not started from the page; stop it where it was started";
        Err(RunRefusal::Input(sentence.to_owned()))
    }

    /// Stops all processes, and waits until they have written their checkpoints.
    pub(super) fn stop_all(&self) {
        let mut children = self.children();
        for worker in children.values_mut() {
            worker.stdin = None;
        }
        for worker in children.values_mut() {
            let _ = worker.child.wait();
        }
    }

    /// Whether a process that was started here works on this folder.
    pub(super) fn is_ours(&self, folder: &Path) -> bool {
        let mut children = self.children();
        children.get_mut(folder).is_some_and(Worker::is_working)
    }

    /// What the last process of this folder said when it failed.
    pub(super) fn failure(&self, folder: &Path) -> Option<String> {
        self.children().get_mut(folder)?.failure()
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.stop_all();
    }
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

/// Refuses configurations that run a command, or name a file outside of the folders of runs.
fn check_texts(value: &toml::Value, roots: &[PathBuf]) -> Result<(), RunRefusal> {
    match value {
        toml::Value::String(text) => check_text(text, roots),
        toml::Value::Array(values) => values.iter().try_for_each(|it| check_texts(it, roots)),
        toml::Value::Table(table) => table.values().try_for_each(|it| check_texts(it, roots)),
        _ => Ok(()),
    }
}

fn check_text(text: &str, roots: &[PathBuf]) -> Result<(), RunRefusal> {
    if text.contains("engine:") {
        let sentence = "the configuration runs a command; start it in a terminal, which asks you";
        return Err(RunRefusal::Input(sentence.to_owned()));
    }
    // Whatever may be the name of a file: that of a network or a graph, or the text itself.
    let spec = text.trim().parse::<AgentSpec>().ok();
    let network = spec.as_ref().and_then(AgentSpec::file);
    let named = network.or_else(|| text.trim().strip_prefix("graph:").map(Path::new));
    let (path, is_file) = (named.unwrap_or(Path::new(text)), named.is_some());
    let leads_out = path.is_absolute() || path.components().any(|it| it == Component::ParentDir);
    if !(is_file || leads_out || path.is_file()) || is_inside(path, roots) {
        return Ok(());
    }
    Err(RunRefusal::Input(format!(
        "the configuration names {}, which is not below the folders of runs; start it in a terminal, or copy the file there",
        excerpt(&path.to_string_lossy())
    )))
}

/// Whether a path leads below one of some folders, links followed; that which is not there by its name.
fn is_inside(path: &Path, roots: &[PathBuf]) -> bool {
    let found = fs::canonicalize(path);
    let is_plain = !path.components().any(|it| it == Component::ParentDir);
    let place = match found {
        Ok(place) => Some(place),
        Err(_) => std::path::absolute(path).ok().filter(|_| is_plain),
    };
    let below = |root: &PathBuf| {
        let root = fs::canonicalize(root).ok();
        root.zip(place.as_ref())
            .is_some_and(|(root, place)| place.starts_with(root))
    };
    roots.iter().any(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_stays_in_the_folders_of_runs() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let inside = root.join("run/network.safetensors");
        fs::create_dir(root.join("run")).unwrap();
        fs::write(&inside, "").unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), root.join("link")).unwrap();
        let check = |text: &str| {
            let text = toml::Value::String(text.to_owned());
            let value = toml::Value::Array(vec![toml::Value::Boolean(true), text]);
            check_texts(&value, std::slice::from_ref(&root)).is_ok()
        };
        for good in [
            "clobber",
            "4x4",
            "xox|oxo",
            "mcts:1000",
            "az:default",
            "az:default,sims=5",
            "az:sims=5",
            &format!("net:{}", inside.display()),
            &format!("az:{},sims=5", inside.display()),
            &inside.display().to_string(),
        ] {
            assert!(check(good), "{good}");
        }
        let outside = outside.path().display().to_string();
        for bad in [
            "/etc/passwd",
            "../secret",
            "net:/etc/passwd",
            "az:/etc/passwd,sims=5",
            "net:network.safetensors",
            "graph:../x",
            "Cargo.toml",
            " engine:\"ls\"",
            &outside,
            &format!("net:{}/run/../../x", root.display()),
        ] {
            assert!(!check(bad), "{bad}");
        }
        #[cfg(unix)]
        assert!(!check(&root.join("link").display().to_string()));
    }
}
