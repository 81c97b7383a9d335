//! What to run, and running it: all runs and seeds of some tables, on several threads, perhaps as
//! one of several shards.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use upstar_agents::Resources;
use upstar_games::excerpt;
use upstar_jobs::{Budget, Job, Schedule, job};
use upstar_runs::fnv1a;

use crate::cell::{Cell, FEWEST_SEEDS};
use crate::experiment::{CellId, Experiment};
use crate::folder::{Folder, FolderError, Samples, cells};
use crate::pending::Pending;
use crate::procedure::{Lot, Problem};
use crate::sample::Sample;

/// What to run.
#[derive(Clone)]
pub struct Plan {
    /// The tables.
    pub tables: Vec<Experiment>,
    /// Which of their cells: those that have all words of one of these ([`Experiment::has_words`]); all if
    /// there are none.
    pub cells: Vec<String>,
    /// Numbers of games are multiplied by this.
    pub scale: f64,
    /// How often each run is repeated.
    pub seeds: u64,
    /// Which share of the runs.
    pub shard: Shard,
    /// How many at the same time; results do not depend on it.
    pub threads: usize,
    /// What agents, solvers and trees of all runs share.
    pub resources: Resources,
}

/// One of several shares of the work: runs are dealt like cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub index: usize,
    /// Of how many.
    pub count: usize,
}

/// What happens on the way.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A run with one seed is done.
    Done(&'a Sample),
    /// All seeds of a run are done: its cells, in the order of the table.
    Cells(&'a [Cell]),
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, count: 1 };
    /// The most shares.
    pub const MOST: usize = 100_000;
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) && count <= Self::MOST => {
                Ok(Self { index, count })
            }
            _ => Err(ShardError(excerpt(text))),
        }
    }
}

/// A text that names no share.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a shard I/N with I from 1 to N and N at most {most}, for example 3/8", most = Shard::MOST)]
pub struct ShardError(String);

/// A run of a table with a seed; tables are counted as in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct SampleJob {
    table: usize,
    run: usize,
    seed: u64,
}

impl Plan {
    /// With fewer seeds cells of trainings stay open.
    pub const FEWEST_SEEDS: u64 = FEWEST_SEEDS as u64;

    /// The runs of a shard of these cells of tables, as table and run.
    pub(crate) fn dealt(
        tables: &[Experiment],
        cells: &[String],
        shard: Shard,
    ) -> Vec<(usize, usize)> {
        let all = tables.iter().enumerate().flat_map(|(place, table)| {
            // A run of which nothing is printed has nothing to be compared with.
            let cells = table.cells().filter(|&cell| is_wanted(cells, table, cell));
            let mut runs: Vec<usize> = cells.map(|cell| cell.run).collect();
            runs.dedup();
            runs.into_iter().map(move |run| (place, run))
        });
        let ours = |(card, _): &(usize, _)| card % shard.count == shard.index - 1;
        all.enumerate().filter(ours).map(|(_, run)| run).collect()
    }

    /// The runs of this shard.
    fn runs(&self) -> Vec<(usize, usize)> {
        Self::dealt(&self.tables, &self.cells, self.shard)
    }

    /// How many runs with a seed there are for this shard.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.runs().len() as u64 * self.seeds
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs what is not in the folder yet. False if somebody said stop before the end.
    ///
    /// # Errors
    /// If the folder is not in order or a procedure cannot go on.
    pub fn run(
        &self,
        folder: &Folder,
        budget: &Budget,
        told: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Problem> {
        let samples: Result<Vec<Samples>, FolderError> = self
            .tables
            .iter()
            .map(|table| folder.begin(table))
            .collect();
        let mut samples = samples?;
        let runs = self.runs();
        folder.plan(&Pending::of(self))?;
        let jobs = runs.iter().flat_map(|&(table, run)| {
            let missing = {
                let samples = &samples[table];
                (0..self.seeds).filter(move |&seed| !samples.contains_key(&(run, seed)))
            };
            missing
                .map(move |seed| SampleJob { table, run, seed })
                .collect::<Vec<SampleJob>>()
        });
        let queue = jobs.collect();
        for &(table, run) in &runs {
            for (_, sample) in samples[table].range((run, 0)..(run, self.seeds)) {
                told(Progress::Done(sample));
            }
        }
        let mut complete = 0;
        self.tell(&runs, &mut complete, &samples, told);
        let mut schedule = SampleSchedule {
            plan: self,
            folder,
            runs: &runs,
            queue,
            samples: &mut samples,
            complete,
            told,
        };
        let complete = match job::run(&mut schedule, self, self.threads, budget) {
            Ok(()) | Err(Problem::Stopped) => schedule.complete == runs.len(),
            Err(problem) => return Err(problem),
        };
        folder.settle_plans()?;
        Ok(complete)
    }

    /// Tells of the cells of all runs that are complete, in order.
    fn tell(
        &self,
        runs: &[(usize, usize)],
        complete: &mut usize,
        samples: &[Samples],
        told: &mut dyn FnMut(Progress<'_>),
    ) {
        while let Some(&(table, run)) = runs.get(*complete) {
            let of_run = samples[table].range((run, 0)..(run, self.seeds));
            if (of_run.clone().count() as u64) < self.seeds {
                break;
            }
            let of_run: Samples = of_run.map(|(key, sample)| (*key, sample.clone())).collect();
            let table = &self.tables[table];
            let mut found = cells(table, &of_run, self.scale);
            if !self.cells.is_empty() {
                let wanted = table
                    .cells()
                    .filter(|&id| is_wanted(&self.cells, table, id));
                let wanted: Vec<String> = wanted.map(|id| table.cell_name(id)).collect();
                found.retain(|cell| wanted.contains(&cell.cell));
            }
            told(Progress::Cells(&found));
            *complete += 1;
        }
    }
}

/// Whether a cell has all words of one of these; every cell is wanted if there are none.
fn is_wanted(wanted: &[String], table: &Experiment, cell: CellId) -> bool {
    let mut each = wanted.iter();
    wanted.is_empty() || each.any(|words| table.has_words(cell, words))
}

impl Job<Plan> for SampleJob {
    type Output = Sample;
    type Error = Problem;

    fn run(&self, plan: &Plan, budget: &Budget) -> Result<Option<Sample>, Problem> {
        let table = &plan.tables[self.table];
        let begun = Instant::now();
        let lot = Lot {
            table,
            rows: table.run(self.run),
            seed: seed_of(&table.name(), self.run, self.seed),
            is_first: self.seed == 0,
            scale: plan.scale,
            budget,
            resources: &plan.resources,
        };
        let found = match table.procedure(self.run).run(&lot) {
            Ok(found) => found,
            Err(Problem::Stopped) => return Ok(None),
            Err(Problem::Sentence(sentence)) => {
                let (name, run) = (table.name(), self.run);
                return Err(Problem::Sentence(format!("{name}, run {run}: {sentence}")));
            }
        };
        Ok(Some(Sample {
            table: table.name(),
            run: self.run,
            seed: self.seed,
            values: found.values,
            live_gradient_share: found.live_gradient_share,
            dead: found.dead,
            exploded: found.exploded,
            curve: found.curve,
            seconds: begun.elapsed().as_secs_f64(),
            scale: Some(plan.scale),
            version: Some(table.version(self.run)),
        }))
    }
}

/// The samples of a plan, each written down when it comes.
struct SampleSchedule<'a> {
    plan: &'a Plan,
    folder: &'a Folder,
    runs: &'a [(usize, usize)],
    queue: VecDeque<SampleJob>,
    samples: &'a mut [Samples],
    complete: usize,
    told: &'a mut dyn FnMut(Progress<'_>),
}

impl Schedule<Plan> for SampleSchedule<'_> {
    type Job = SampleJob;

    fn next(&mut self) -> Option<SampleJob> {
        self.queue.pop_front()
    }

    fn accept(&mut self, job: &SampleJob, sample: Sample) -> Result<bool, Problem> {
        let key = (job.run, job.seed);
        if self.samples[job.table].contains_key(&key) {
            return Ok(false);
        }
        self.folder.add(&self.plan.tables[job.table], &sample)?;
        (self.told)(Progress::Done(&sample));
        self.samples[job.table].insert(key, sample);
        self.plan
            .tell(self.runs, &mut self.complete, self.samples, self.told);
        Ok(true)
    }
}

/// The seed of all randomness of a run: no two runs of the program have the same.
fn seed_of(table: &str, run: usize, seed: u64) -> u64 {
    let numbers = [run as u64, seed].map(u64::to_le_bytes);
    let bytes = table.bytes().chain(numbers.into_iter().flatten());
    fnv1a(bytes.map(u64::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_refused() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, count: 8 }));
        for wrong in ["", "3", "0/8", "9/8", "a/b", "1/0", "-1/2", "1/1000000"] {
            let refused = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(refused.contains("3/8"), "{wrong}");
        }
    }

    #[test]
    fn every_run_is_dealt_once() {
        let tables = crate::find_all("leiden2018").unwrap();
        let plan = |index, count| Plan {
            tables: tables.clone(),
            cells: Vec::new(),
            scale: 1.0,
            seeds: 2,
            shard: Shard { index, count },
            threads: 1,
            resources: Resources::default(),
        };
        let whole = plan(1, 1).runs();
        let mut dealt: Vec<_> = (1..=7).flat_map(|index| plan(index, 7).runs()).collect();
        dealt.sort_unstable();
        assert_eq!(dealt, whole);
        assert_eq!(plan(1, 1).len(), 2 * whole.len() as u64);
    }
}
