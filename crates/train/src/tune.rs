//! A search for good parameters: many short runs, of which the better part goes on longer. Their values
//! are drawn at random, or descend from the better ones before.
//!
//! The file is a training configuration, of small networks or of AlphaZero, with a section `[space]` that says which values to try, and
//! perhaps one `[tune]`. A [`Tune`] is a folder: `config.toml`, `trials.jsonl` with a line for every
//! rung that a trial reached, and below `trials` the folder of each run, from which it goes on. What is
//! decided depends on the seed alone, not on threads or interruptions.

mod cma_es;
mod objective;
mod plan;
mod proposals;
mod report;
mod search;
mod space;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Value;
use upstar_jobs::{Budget, Schedule, job};
use upstar_runs::{Kind, Manifest};

use crate::folder::{CONFIG, RunError, RunFolder};

use proposals::Proposals;

pub use objective::{trained, trained_alphazero};
pub use plan::{Bracket, Job, Length, Plan, Rung, Scores, Standing};
pub use report::{Parameter, Report};
pub use search::{Base, Method, Objective, Search, TuneConfig};
pub use space::{Range, Space};

const TRIALS: &str = "trials.jsonl";

/// A job with the values of its trial: all that decides what comes of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialJob {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// The values, in the order of the space.
    pub values: Vec<Value>,
}

/// A trial of a search has one set of values.
impl PartialEq for TrialJob {
    fn eq(&self, other: &Self) -> bool {
        self.job == other.job
    }
}

impl Eq for TrialJob {}

impl PartialOrd for TrialJob {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TrialJob {
    fn cmp(&self, other: &Self) -> Ordering {
        self.job.cmp(&other.job)
    }
}

/// A rung that a trial has reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The trial.
    pub trial: usize,
    /// Its bracket.
    pub bracket: usize,
    /// The rung.
    pub rung: usize,
    /// The games or steps learned: `"games": 1000`.
    #[serde(flatten)]
    pub learned: Length,
    /// The share of points in the evaluation, a draw being half a point; with examples, the mean error
    /// with a minus; with AlphaZero what the objective says. Nothing if the network is dead, or its weights
    /// are no numbers any more.
    pub score: Option<f64>,
    /// Its values, by their keys.
    pub values: BTreeMap<String, Value>,
}

impl Job {
    fn with_values(self, proposals: &Proposals) -> Option<TrialJob> {
        let values = proposals.values(self.trial)?.to_vec();
        Some(TrialJob { job: self, values })
    }
}

impl Line {
    fn job(&self) -> Job {
        Job {
            bracket: self.bracket,
            rung: self.rung,
            trial: self.trial,
        }
    }
}

/// From a trial's folder, its configuration and how long it shall have learned, to its score; `None`
/// for a dead network.
pub type Scorer<'a> = dyn Fn(&Path, &str, u64) -> Result<Option<f64>, RunError> + Sync + 'a;

/// A search under way.
pub struct Tune {
    search: Search,
    folder: RunFolder,
    lines: Vec<Line>,
    proposals: Proposals,
}

impl Tune {
    /// Begins a search in a new folder. `config` is the text of its file, `file` its name in messages.
    ///
    /// # Errors
    /// If the configuration or the folder is not good for it.
    pub fn create(path: &Path, config: &str, file: &str) -> Result<Self, RunError> {
        let search = Search::parse(config, file)?;
        let manifest = Manifest::new(Kind::Tune).with_seed(search.base.seed());
        let folder = RunFolder::create(path, manifest, config)?;
        Ok(Self {
            proposals: Proposals::new(&search),
            search,
            folder,
            lines: Vec::new(),
        })
    }

    /// Goes on with the search in this folder.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn resume(path: &Path) -> Result<Self, RunError> {
        Self::read(RunFolder::open(path)?)
    }

    /// The search in this folder to look at, whoever works on it.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn look(path: &Path) -> Result<Self, RunError> {
        Self::read(RunFolder::look(path)?)
    }

    fn read(folder: RunFolder) -> Result<Self, RunError> {
        let text = folder.read_text(CONFIG)?;
        folder.check_config(&text)?;
        let search = Search::parse(&text, &folder.path(CONFIG).display().to_string())?;
        let lines: Vec<Line> = folder.lines(TRIALS)?;
        let mut proposals = Proposals::new(&search);
        proposals.extend(&search, &Self::scores(&lines));
        let belongs = |line: &Line| {
            let values = line.job().with_values(&proposals);
            let rungs = search.plan.brackets.get(line.bracket);
            let rung = rungs.and_then(|bracket| bracket.rungs.get(line.rung));
            rung.is_some_and(|rung| search.base.length().of(rung.length) == line.learned)
                && values.is_some_and(|job| search.reached(&job, line.score).values == line.values)
        };
        if let Some(line) = lines.iter().find(|line| !belongs(line)) {
            return Err(RunError::of(format!(
                "{}: trial {} with {} is not one that config.toml plans",
                folder.path(TRIALS).display(),
                line.trial,
                line.learned
            )));
        }
        let jobs: BTreeSet<Job> = lines.iter().map(Line::job).collect();
        if jobs.len() < lines.len() {
            return Err(RunError::of(format!(
                "{}: a trial has reached the same rung twice",
                folder.path(TRIALS).display()
            )));
        }
        Ok(Self {
            search,
            folder,
            lines,
            proposals,
        })
    }

    /// What is searched.
    #[must_use]
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The rungs reached so far, in the order in which they were.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The folder of a trial's run.
    #[must_use]
    pub fn trial_folder(&self, trial: usize) -> PathBuf {
        trial_folder(&self.folder, trial)
    }

    fn scores(lines: &[Line]) -> Scores {
        let scored = lines.iter().map(|line| (line.job(), line.score));
        scored.collect()
    }

    /// Searches until all is done or the budget is over; returns whether all is done. `told` hears of every
    /// rung that was reached.
    ///
    /// # Errors
    /// The first that the objective or the folder has.
    pub fn run(
        &mut self,
        threads: usize,
        budget: &Budget,
        objective: &Scorer<'_>,
        told: &mut dyn FnMut(&Line),
    ) -> Result<bool, RunError> {
        let place = TrialPlace {
            search: &self.search,
            folder: &self.folder,
            objective,
            budget,
        };
        let mut trials = Trials {
            place: &place,
            scores: Self::scores(&self.lines),
            proposals: &mut self.proposals,
            lines: &mut self.lines,
            taken: Vec::new(),
            told,
        };
        job::run(&mut trials, &place, threads, budget)?;
        let scores = Self::scores(&self.lines);
        Ok(self.search.plan.ready(&scores).is_empty())
    }

    /// The trials that can go on now, as jobs.
    #[must_use]
    pub fn ready(&self) -> Vec<TrialJob> {
        self.search
            .ready(&self.proposals, &Self::scores(&self.lines))
    }

    /// Takes what a trial of [`Tune::ready`] came to elsewhere; `false` if that is known already.
    ///
    /// # Errors
    /// If it is not what such a trial comes to, or cannot be written down.
    pub fn accept(&mut self, job: Job, line: Line) -> Result<bool, RunError> {
        if self.lines.iter().any(|known| known.job() == job) {
            return Ok(false);
        }
        let ready = self.ready().into_iter().find(|ready| ready.job == job);
        if ready.is_none_or(|ready| self.search.reached(&ready, line.score) != line) {
            let what = format!("trial {} is not one that can go on to there", job.trial);
            return Err(RunError::of(what));
        }
        self.folder.append(TRIALS, &line)?;
        self.lines.push(line);
        self.proposals
            .extend(&self.search, &Self::scores(&self.lines));
        Ok(true)
    }

    /// What was found so far.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::new(&self.search, &self.lines)
    }

    /// Writes the report as text and as JSON, and the best configuration as `best.toml`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&self) -> Result<Report, RunError> {
        let report = self.report();
        self.folder.write("report.txt", report.text().as_bytes())?;
        let json = serde_json::to_string_pretty(&report).expect("it is plain data");
        self.folder.write("report.json", (json + "\n").as_bytes())?;
        if let Some(best) = &report.best {
            let head = format!(
                "# Trial {} of {}: score {:.4} after {}.\n",
                best.trial,
                self.search.plan.trials(),
                best.score.unwrap_or(f64::NAN),
                best.learned
            );
            let values = self.proposals.values(best.trial);
            let config = self
                .search
                .config(best.trial, values.expect("it has a score"));
            let config = head + &config;
            self.folder.write("best.toml", config.as_bytes())?;
        }
        Ok(report)
    }
}

/// What all jobs of a search share.
struct TrialPlace<'a> {
    search: &'a Search,
    folder: &'a RunFolder,
    objective: &'a Scorer<'a>,
    budget: &'a Budget,
}

impl upstar_jobs::Job<TrialPlace<'_>> for TrialJob {
    type Output = Line;
    type Error = RunError;

    fn run(&self, place: &TrialPlace<'_>, _: &Budget) -> Result<Option<Line>, RunError> {
        let length = place.search.plan.rung(self.job).length;
        let folder = trial_folder(place.folder, self.job.trial);
        let config = place.search.config(self.job.trial, &self.values);
        let score = (place.objective)(&folder, &config, length)?;
        // A run that was stopped half-way has nothing to say yet.
        Ok((!place.budget.is_over()).then(|| place.search.reached(self, score)))
    }
}

/// The trials of a search: which goes on depends on what others have come to.
struct Trials<'a> {
    place: &'a TrialPlace<'a>,
    scores: Scores,
    proposals: &'a mut Proposals,
    lines: &'a mut Vec<Line>,
    taken: Vec<Job>,
    told: &'a mut dyn FnMut(&Line),
}

impl<'a> Schedule<TrialPlace<'a>> for Trials<'_> {
    type Job = TrialJob;

    fn next(&mut self) -> Option<TrialJob> {
        if self.place.budget.is_over() {
            return None;
        }
        let ready = self.place.search.ready(self.proposals, &self.scores);
        let is_free = |ready: &TrialJob| !self.taken.contains(&ready.job);
        let ready = ready.into_iter().find(is_free)?;
        self.taken.push(ready.job);
        Some(ready)
    }

    fn accept(&mut self, TrialJob { job, .. }: &TrialJob, line: Line) -> Result<bool, RunError> {
        if self.scores.contains_key(job) {
            return Ok(false);
        }
        self.place.folder.append(TRIALS, &line)?;
        self.scores.insert(*job, line.score);
        self.proposals.extend(self.place.search, &self.scores);
        (self.told)(&line);
        self.lines.push(line);
        Ok(true)
    }
}

fn trial_folder(folder: &RunFolder, trial: usize) -> PathBuf {
    folder.path("trials").join(format!("{trial:05}"))
}
