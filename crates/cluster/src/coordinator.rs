//! The one place of a shared run: which jobs are missing, what came of them, what follows.

use std::fs;
use std::path::{Path, PathBuf};

use upstar_agents::Resources;
use upstar_arena::Tournament;
use upstar_jobs::{Budget, Watch};
use upstar_runs::{CONFIG, Kind};
use upstar_train::alphazero::{AlphaZeroRun, SelfPlay};
use upstar_train::tune::Tune;

use crate::context::Context;
use crate::error::ClusterError;
use crate::{AnyDone, AnyJob, line};

/// A run whose jobs are done by others.
pub struct Coordinator {
    folder: PathBuf,
    run: Shared,
}

enum Shared {
    AlphaZero(Box<AlphaZeroRun>),
    Tournament(Box<Tournament>),
    Tune(Box<Tune>),
    /// All is done and written down.
    Finished(Kind),
}

/// How a call of [`Coordinator::advance`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advance {
    /// There are jobs that nobody has done.
    Missing(usize),
    /// It has gone on, told by a line of JSON, and there may be new jobs.
    On(String),
    /// All is done; the last line of JSON.
    Finished(Option<String>),
    /// Somebody said stop.
    Stopped,
}

impl Coordinator {
    /// Begins the run that a file describes, in a new folder.
    ///
    /// # Errors
    /// If the file describes no run that can be shared, or the folder cannot be made.
    pub fn create(folder: &Path, file: &Path, resources: Resources) -> Result<Self, ClusterError> {
        let unreadable = |what: String| ClusterError::File {
            path: file.to_owned(),
            what,
        };
        let text = fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        let name = file.display().to_string();
        if let Some(agent) = outside_agent(&toml::Value::Table(table.clone())) {
            return Err(ClusterError::OutsideAgent(agent));
        }
        let run = match Kind::of_config(&table) {
            Some(Kind::Alphazero) => {
                let run = AlphaZeroRun::create(folder, &text, &name, resources)?;
                Shared::AlphaZero(Box::new(run))
            }
            Some(Kind::Tournament) => {
                Shared::Tournament(Box::new(Tournament::begin(folder, file)?))
            }
            Some(Kind::Tune) => Shared::Tune(Box::new(Tune::create(folder, &text, &name)?)),
            Some(other) => return Err(ClusterError::NotShared(other)),
            None => return Err(ClusterError::NoRun(file.to_owned())),
        };
        Ok(Self {
            folder: folder.to_owned(),
            run,
        })
    }

    /// Goes on with the run in a folder.
    ///
    /// # Errors
    /// If there is none that can be shared, or another process keeps it.
    pub fn open(folder: &Path, resources: Resources) -> Result<Self, ClusterError> {
        let run = match Kind::of(folder) {
            Some(Kind::Alphazero) => {
                Shared::AlphaZero(Box::new(AlphaZeroRun::resume(folder, resources)?))
            }
            Some(Kind::Tournament) => Shared::Tournament(Box::new(Tournament::resume(folder)?)),
            Some(Kind::Tune) => Shared::Tune(Box::new(Tune::resume(folder)?)),
            Some(other) => return Err(ClusterError::NotShared(other)),
            None => return Err(ClusterError::NoRun(folder.to_owned())),
        };
        Ok(Self {
            folder: folder.to_owned(),
            run,
        })
    }

    /// What kind of run it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.run {
            Shared::AlphaZero(_) => Kind::Alphazero,
            Shared::Tournament(_) => Kind::Tournament,
            Shared::Tune(_) => Kind::Tune,
            Shared::Finished(kind) => kind,
        }
    }

    /// What workers need until the run goes on.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn context(&self) -> Result<Context, ClusterError> {
        let read = |name: &str| {
            let path = self.folder.join(name);
            fs::read(&path).map_err(|error| ClusterError::File {
                path,
                what: error.to_string(),
            })
        };
        let config = String::from_utf8_lossy(&read(CONFIG)?).into_owned();
        let network = match self.run {
            Shared::AlphaZero(_) => read("network.safetensors")?,
            _ => Vec::new(),
        };
        Ok(Context::new(self.kind(), config, network))
    }

    /// Whether all is done and written down.
    ///
    /// # Errors
    /// If the folder is damaged.
    pub fn is_finished(&mut self) -> Result<bool, ClusterError> {
        Ok(match &mut self.run {
            Shared::AlphaZero(run) => run.plan()?.is_none(),
            Shared::Finished(_) => true,
            Shared::Tournament(_) | Shared::Tune(_) => false,
        })
    }

    /// The jobs that are missing now, each a line of JSON; games of self-play in bundles of so many, which share
    /// the batches of the network.
    ///
    /// # Errors
    /// If the folder is damaged.
    pub fn jobs(&mut self, bundle: usize) -> Result<Vec<String>, ClusterError> {
        Ok(match &mut self.run {
            Shared::AlphaZero(run) => {
                let Some(plan) = run.plan()? else {
                    return Ok(Vec::new());
                };
                let job = |games: &[u64]| {
                    let (network, games) = (plan.network.clone(), games.to_vec());
                    line(&AnyJob::SelfPlay(SelfPlay { network, games }))
                };
                plan.missing.chunks(bundle.max(1)).map(job).collect()
            }
            Shared::Tournament(run) => {
                let jobs = run.jobs()?.into_iter();
                jobs.map(|job| line(&AnyJob::Game(Box::new(job)))).collect()
            }
            Shared::Tune(run) => {
                let jobs = run.ready().into_iter();
                jobs.map(|job| line(&AnyJob::Trial(job))).collect()
            }
            Shared::Finished(_) => Vec::new(),
        })
    }

    /// Takes the result of a job, in any order; `false` if it was there already.
    ///
    /// # Errors
    /// If it cannot be the result of such a job, or cannot be written down.
    pub fn accept(&mut self, text: &str) -> Result<bool, ClusterError> {
        let done = serde_json::from_str(text)
            .map_err(|error| ClusterError::Line("result", error.to_string()))?;
        match (&mut self.run, done) {
            (Shared::AlphaZero(run), AnyDone::SelfPlay(done)) => {
                let games: Vec<String> = done.result.iter().map(line).collect();
                // What a slow machine sends after its step is over is not needed any more.
                let late = run
                    .plan()?
                    .is_none_or(|plan| plan.network != done.job.network);
                Ok(!late && run.accept(games.iter().map(String::as_str))? > 0)
            }
            (Shared::Tournament(run), AnyDone::Game(done)) => {
                Ok(run.accept(&done.job, &done.result)?)
            }
            (Shared::Tune(run), AnyDone::Trial(done)) => Ok(run.accept(done.job.job, done.result)?),
            // What a slow machine sends last was done by another one.
            (Shared::Finished(_), _) => Ok(false),
            _ => Err(ClusterError::OtherKind),
        }
    }

    /// Does what follows when all jobs are in: learns and evaluates, or writes the table down.
    ///
    /// # Errors
    /// If the folder is damaged or cannot be written.
    pub fn advance(&mut self, budget: &Budget, watch: &dyn Watch) -> Result<Advance, ClusterError> {
        match &mut self.run {
            Shared::AlphaZero(run) => {
                let Some(plan) = run.plan()? else {
                    return Ok(Advance::Finished(None));
                };
                if !plan.missing.is_empty() {
                    return Ok(Advance::Missing(plan.missing.len()));
                }
                let learned = run.learn(budget, watch)?;
                let step = match learned {
                    true => run.evaluate(budget, watch)?,
                    false => None,
                };
                Ok(match step {
                    None => Advance::Stopped,
                    Some(step) if run.plan()?.is_none() => Advance::Finished(Some(line(&step))),
                    Some(step) => Advance::On(line(&step)),
                })
            }
            Shared::Tournament(run) => {
                let missing = run.games() - run.played();
                if missing > 0 {
                    return Ok(Advance::Missing(missing as usize));
                }
                let kind = self.kind();
                let run = std::mem::replace(&mut self.run, Shared::Finished(kind));
                let Shared::Tournament(run) = run else {
                    unreachable!("it was one a moment ago")
                };
                Ok(Advance::Finished(Some(line(&run.finish()?))))
            }
            Shared::Finished(_) => Ok(Advance::Finished(None)),
            Shared::Tune(run) => {
                let ready = run.ready().len();
                if ready > 0 {
                    return Ok(Advance::Missing(ready));
                }
                let report = run.finish()?;
                self.run = Shared::Finished(Kind::Tune);
                Ok(Advance::Finished(Some(line(&report))))
            }
        }
    }
}

/// An agent of a configuration that is another program or a person, whom no other machine can ask.
fn outside_agent(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(word) if word.starts_with("engine:") || word == "human" => {
            Some(word.clone())
        }
        toml::Value::Array(values) => values.iter().find_map(outside_agent),
        toml::Value::Table(table) => table.values().find_map(outside_agent),
        _ => None,
    }
}
