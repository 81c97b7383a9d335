//! A search for good parameters: many short runs, of which the better part goes on longer. Their values
//! are drawn at random, or descend from the better ones before.
//!
//! The file is a training configuration with a section `[space]` that says which values to try, and
//! perhaps one `[tune]`. A [`Tune`] is a folder: `config.toml`, `trials.jsonl` with a line for every
//! rung that a trial reached, and below `trials` the folder of each run, from which it goes on. What is
//! decided depends on the seed alone, not on threads or interruptions.

mod cma_es;
mod plan;
mod proposals;
mod report;
mod space;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use upstar_agents::Resources;
use upstar_jobs::{Budget, Schedule, job};
use upstar_runs::{Kind, Manifest};

use crate::config::{Config, ConfigError, in_words, located};
use crate::folder::{CONFIG, RunError, RunFolder};
use crate::learner::Block;
use crate::run::{Opponents, Run};
use crate::student::Learnable;

use proposals::Proposals;

pub use plan::{Bracket, Job, Plan, Rung, Scores, Standing};
pub use report::{Parameter, Report};
pub use space::{Range, Space};

const TRIALS: &str = "trials.jsonl";

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TuneConfig {
    /// Where the values of trials come from.
    pub search: Method,
    /// The trials of the first bracket.
    pub trials: usize,
    /// One of so many trials goes on to the next rung.
    pub keep: usize,
    /// The most brackets.
    pub brackets: usize,
    /// Games with learning off after each rung, which give the score.
    pub evaluation: u64,
    /// The trials of a generation, where there are generations.
    pub population: usize,
}

/// Where the values of trials come from. All methods learn from the same number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// They are drawn at random; brackets begin with runs of different length.
    Hyperband,
    /// Generations from a normal distribution that follows the better half.
    CmaEs,
    /// Generations of children that mix and change the values of the best.
    Genetic,
}

impl Default for TuneConfig {
    fn default() -> Self {
        Self {
            search: Method::Hyperband,
            trials: 27,
            keep: 3,
            brackets: 4,
            evaluation: 2000,
            population: 9,
        }
    }
}

/// The file of a search, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// How to search.
    pub tune: TuneConfig,
    /// Where.
    pub space: Space,
    /// Which trials go how far.
    pub plan: Plan,
    /// The configuration whose values are replaced.
    pub base: Config,
    table: Table,
}

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
    /// The games learned.
    pub games: u64,
    /// The share of points in the evaluation, a draw being half a point; with examples, the mean error
    /// with a minus. Nothing if the network is dead.
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

impl Search {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is not a training configuration with a space, or some of its values would not be one.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        let wrong = |key: &str, reason: &str, example: &str| ConfigError {
            sentence: format!("{file}, {key}: {reason}"),
            example: example.to_owned(),
        };
        let mut table: Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let place = text.floor_char_boundary(error.span().map_or(0, |span| span.start));
            ConfigError {
                sentence: format!("{file}, {}", located(text, place, error.message())),
                example: space::EXAMPLE.to_owned(),
            }
        })?;
        let Some(Value::Table(ranges)) = table.remove("space") else {
            let reason = "there is no such section, so there is nothing to try";
            return Err(wrong(
                "space",
                reason,
                &format!("[space] {}", space::EXAMPLE),
            ));
        };
        let tune: TuneConfig = match table.remove("tune") {
            None => TuneConfig::default(),
            Some(value) => value.try_into().map_err(|error: toml::de::Error| {
                wrong("tune", &in_words(error.message()), "tune.trials = 27")
            })?,
        };
        let ranges = ranges.iter().map(|(key, value)| {
            let range = Range::read(value);
            let range =
                range.map_err(|reason| wrong(&format!("space.\"{key}\""), &reason, space::EXAMPLE));
            Ok((key.clone(), range?))
        });
        let space = Space(ranges.collect::<Result<_, ConfigError>>()?);
        if space.0.is_empty() {
            return Err(wrong("space", "there is nothing to try", space::EXAMPLE));
        }
        let searched = ["network.", "opponent.", "learning."];
        let is_searched = |key: &&String| searched.iter().any(|section| key.starts_with(section));
        if let Some(key) = space
            .0
            .iter()
            .map(|(key, _)| key)
            .find(|key| !is_searched(key))
        {
            let reason = "what is searched are keys of network, opponent and learning; all trials have \
                          the rest in common, but for their seeds";
            return Err(wrong(&format!("space.\"{key}\""), reason, space::EXAMPLE));
        }
        let usual = TuneConfig::default();
        for (key, value, usual, range) in [
            ("tune.trials", tune.trials, usual.trials, 1..=100_000),
            ("tune.keep", tune.keep, usual.keep, 2..=100),
            ("tune.brackets", tune.brackets, usual.brackets, 1..=20),
            (
                "tune.population",
                tune.population,
                usual.population,
                2..=10_000,
            ),
            (
                "tune.evaluation",
                tune.evaluation as usize,
                usual.evaluation as usize,
                1..=1_000_000_000,
            ),
        ] {
            if !range.contains(&value) {
                let reason = format!("{value} is not from {} to {}", range.start(), range.end());
                return Err(wrong(key, &reason, &format!("{key} = {usual}")));
            }
        }
        // What is searched for may be left out of the base, but every trial must be whole.
        let first = space.apply(&table, &space.draw(0, 0));
        let base = Config::parse_made(&toml::to_string(&first).unwrap_or_default(), file)?;
        if base.seconds.is_some() {
            let reason = "trials are as long as their games, not limited by time";
            return Err(wrong("seconds", reason, "games = 100000"));
        }
        if base.games == 0 {
            return Err(wrong(
                "games",
                "there is nothing to learn",
                "games = 100000",
            ));
        }
        // Rungs are whole blocks, so blocks are no longer than the shortest of as many as trials allow.
        let block = |trials: usize| {
            let rungs = trials.ilog(tune.keep);
            let shortest = base.games / (tune.keep as u64).pow(rungs);
            base.block.min(shortest.max(1))
        };
        let mut shortest = block(tune.trials);
        let mut plan = Plan::new(tune.trials, base.games, shortest, tune.keep, tune.brackets);
        if tune.search != Method::Hyperband {
            shortest = block(tune.population);
            let (games, budget) = (base.games, plan.games());
            plan = Plan::generations(tune.population, games, shortest, tune.keep, budget);
        }
        table.insert("block".to_owned(), Value::Integer(shortest as i64));
        for unused in ["evaluation", "snapshot"] {
            table.insert(unused.to_owned(), Value::Integer(0));
        }
        let search = Self {
            tune,
            space,
            plan,
            base,
            table,
        };
        for (trial, config) in search.samples().iter().enumerate() {
            Config::parse_made(config, file).map_err(|error| ConfigError {
                sentence: format!("{} (in trial {trial} of the space)", error.sentence),
                ..error
            })?;
        }
        Ok(search)
    }

    /// Configurations that tell whether those of all trials are good: all that are known at the beginning
    /// and, where there will be more, each key at the ends of its range.
    #[must_use]
    pub fn samples(&self) -> Vec<String> {
        let proposals = Proposals::new(self);
        let known = (0..).map_while(|trial| proposals.values(trial));
        let mut values: Vec<Vec<Value>> = known.map(<[Value]>::to_vec).collect();
        if self.plan.generations {
            values.extend(self.space.extremes(&values[0]));
        }
        let trials = values.iter().enumerate();
        trials
            .map(|(trial, values)| self.config(trial, values))
            .collect()
    }

    /// The training configuration of a trial with these values. Each has its own seed.
    #[must_use]
    pub fn config(&self, trial: usize, values: &[Value]) -> String {
        let mut table = self.space.apply(&self.table, values);
        let seed = self.base.seed.wrapping_add(trial as u64) & i64::MAX as u64;
        table.insert("seed".to_owned(), Value::Integer(seed as i64));
        toml::to_string(&table).expect("it was read from such a text")
    }

    /// The trials that can go on now.
    fn ready(&self, proposals: &Proposals, scores: &Scores) -> Vec<TrialJob> {
        let jobs = self.plan.ready(scores).into_iter();
        jobs.filter_map(|job| job.with_values(proposals)).collect()
    }

    /// What is written down of a trial that has reached a rung with this score.
    #[must_use]
    pub fn reached(&self, TrialJob { job, values }: &TrialJob, score: Option<f64>) -> Line {
        let keys = self.space.0.iter().map(|(key, _)| key.clone());
        Line {
            trial: job.trial,
            bracket: job.bracket,
            rung: job.rung,
            games: self.plan.rung(*job).games,
            // So many digits that it is the same number when it is read again.
            score: score
                .filter(|score| score.is_finite())
                .map(|score| (score * 1e9).round() / 1e9),
            values: keys.zip(values.iter().cloned()).collect(),
        }
    }
}

/// From a trial's folder, its configuration and the games it shall have learned, to its score; `None`
/// for a dead network.
pub type Objective<'a> = dyn Fn(&Path, &str, u64) -> Result<Option<f64>, RunError> + Sync + 'a;

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
        let manifest = Manifest::new(Kind::Tune).with_seed(search.base.seed);
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
            rung.is_some_and(|rung| rung.games == line.games)
                && values.is_some_and(|job| search.reached(&job, line.score).values == line.values)
        };
        if let Some(line) = lines.iter().find(|line| !belongs(line)) {
            return Err(RunError::of(format!(
                "{}: trial {} with {} games is not one that config.toml plans",
                folder.path(TRIALS).display(),
                line.trial,
                line.games
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
        objective: &Objective<'_>,
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
                "# Trial {} of {}: score {:.4} after {} games.\n",
                best.trial,
                self.search.plan.trials(),
                best.score.unwrap_or(f64::NAN),
                best.games
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
    objective: &'a Objective<'a>,
    budget: &'a Budget,
}

impl upstar_jobs::Job<TrialPlace<'_>> for TrialJob {
    type Output = Line;
    type Error = RunError;

    fn run(&self, place: &TrialPlace<'_>, _: &Budget) -> Result<Option<Line>, RunError> {
        let games = place.search.plan.rung(self.job).games;
        let folder = trial_folder(place.folder, self.job.trial);
        let config = place.search.config(self.job.trial, &self.values);
        let score = (place.objective)(&folder, &config, games)?;
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

/// The objective of a search that trains: goes on with the trial's run, or begins it, until it has
/// learned so many games, and then plays `evaluation` games with learning off. Returns nothing new if
/// somebody says stop before that.
///
/// # Errors
/// If the run has one.
pub fn trained<G: Learnable>(
    folder: &Path,
    config: &str,
    (games, evaluation): (u64, u64),
    (game, start): (&G, &G::Position),
    opponents: Opponents<'_, G>,
    resources: &Resources,
    budget: &Budget,
) -> Result<Option<f64>, RunError> {
    let run = if folder.join(CONFIG).exists() {
        Run::resume(folder, game.clone(), *start, opponents)?
    } else {
        // What a killed process left before its configuration was whole.
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(|error| RunError::io(folder, &error))?;
        }
        let file = folder.display().to_string();
        Run::create(folder, config, &file, game.clone(), *start, opponents)?
    };
    // Trials are shared among threads already.
    let run = run.with_threads(1).with_resources(resources);
    let mut run = run.with_budget(budget.clone());
    if run.games() > games {
        return Err(RunError::of(format!(
            "{}: {} games are learned, but {TRIALS} says at most {games}: a line was lost",
            folder.display(),
            run.games()
        )));
    }
    // A trial ends with the first block in which its network is dead, also if that was known before
    // somebody killed the search.
    if run.results()?.last().is_some_and(Block::is_useless) {
        return Ok(None);
    }
    while run.games() < games {
        if budget.is_stopped() {
            return Ok(None);
        }
        let block = run.step()?;
        if block.is_none_or(|block| block.is_useless()) {
            return Ok(None);
        }
    }
    let Some(block) = run.evaluate(evaluation)? else {
        return Ok(None);
    };
    if run.is_learned() {
        // Leaves the network where it is found.
        while run.step()?.is_some() {}
    }
    Ok(score(&block))
}

/// The share of points in an evaluation, or the error with a minus; nothing for a dead network.
fn score(block: &Block) -> Option<f64> {
    let points = block.wins as f64 + block.draws as f64 / 2.0;
    match block.error {
        _ if block.is_useless() => None,
        Some(error) if block.played == 0 => Some(-error),
        _ => Some(points / block.played.max(1) as f64),
    }
}
