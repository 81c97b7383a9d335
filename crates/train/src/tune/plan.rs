//! Which trials go on: successive halving in several brackets, that is Hyperband (Li et al., 2018).
//!
//! A bracket begins with many trials of few games, or of few steps of AlphaZero. The best third of them
//! goes on for three times as long, and so on up to the full length. Other brackets begin with fewer
//! trials that learn longer, for parameters that show their worth late. Brackets do not wait for each other, unless each is
//! a generation that descends from those before. A decision depends on whole rungs only: the outcome is
//! the same for any number of threads.

use std::collections::BTreeMap;
use std::fmt;

/// How long networks learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// Small networks learn games.
    Games(u64),
    /// AlphaZero makes steps.
    Steps(u64),
}

impl Length {
    /// The number.
    #[must_use]
    pub fn number(self) -> u64 {
        match self {
            Self::Games(number) | Self::Steps(number) => number,
        }
    }

    /// So many of the same.
    #[must_use]
    pub fn of(self, number: u64) -> Self {
        match self {
            Self::Games(_) => Self::Games(number),
            Self::Steps(_) => Self::Steps(number),
        }
    }

    /// What is counted.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Games(_) => "games",
            Self::Steps(_) => "steps",
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.number() {
            1 => self.unit().trim_end_matches('s'),
            _ => self.unit(),
        };
        write!(f, "{} {unit}", self.number())
    }
}

/// All brackets of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The brackets, the one with the most trials first.
    pub brackets: Vec<Bracket>,
    /// Whether they are generations: each begins when the one before is complete.
    pub generations: bool,
}

/// Trials that are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// The number of its first trial.
    pub first: usize,
    /// How many trials reach each rung, and after how long.
    pub rungs: Vec<Rung>,
}

/// One round of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The trials that are judged here.
    pub trials: usize,
    /// The games, or the steps of AlphaZero, that each has learned by then.
    pub length: u64,
}

/// A piece of work: one trial goes on to one rung of its bracket.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Job {
    /// The bracket.
    pub bracket: usize,
    /// The rung in it.
    pub rung: usize,
    /// The trial.
    pub trial: usize,
}

/// How far a trial came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The last rung that it reached.
    pub rung: usize,
    /// Its score there.
    pub score: Option<f64>,
    /// The trial.
    pub trial: usize,
}

impl Standing {
    /// Who learned longer is better, then who has the higher score there.
    pub(super) fn best_first(&self, other: &Self) -> std::cmp::Ordering {
        let rungs = other.rung.cmp(&self.rung);
        let scores = rungs.then(better(other.score, self.score));
        scores.then(self.trial.cmp(&other.trial))
    }
}

/// The scores so far; `None` for a trial that died, which is worse than any score.
pub type Scores = BTreeMap<Job, Option<f64>>;

impl Plan {
    /// A search of up to `brackets` brackets in which runs are at most `length` long. The first
    /// bracket has so many trials; between two rungs one of `keep` goes on. Lengths are whole blocks.
    #[must_use]
    pub fn new(trials: usize, length: u64, block: u64, keep: usize, brackets: usize) -> Self {
        let keep = keep.max(2);
        // The first bracket keeps one of so many until fewer are left, or until there is less than a block.
        let mut depth = 0;
        let (mut left, mut least) = (trials, length);
        while left >= keep && least / keep as u64 >= block {
            (left, least) = (left / keep, least / keep as u64);
            depth += 1;
        }
        let mut first = 0;
        let bracket = |index: usize| {
            let depth = depth - index;
            // Each bracket has about the same length in all.
            let share = (depth + 1) as f64 / (depth + index + 1) as f64;
            let wide = trials as f64 / (keep as f64).powi(index as i32) / share;
            let mut left = if index == 0 {
                trials
            } else {
                (wide.ceil() as usize).clamp(1, trials)
            };
            let begin = first;
            first += left;
            let rung = |number: usize| {
                let length = length / (keep as u64).pow((depth - number) as u32);
                let whole = if number == depth {
                    length
                } else {
                    length / block * block
                };
                let rung = Rung {
                    trials: left,
                    length: whole.max(1),
                };
                left = (left / keep).max(1);
                rung
            };
            Bracket {
                first: begin,
                rungs: (0..=depth).map(rung).collect(),
            }
        };
        Self {
            brackets: (0..brackets.clamp(1, depth + 1)).map(bracket).collect(),
            generations: false,
        }
    }

    /// As many generations of so many trials as a `budget` of so long in all allows, at least one. Within a
    /// generation one of `keep` goes on between two rungs, up to runs of this length.
    #[must_use]
    pub fn generations(
        population: usize,
        length: u64,
        block: u64,
        keep: usize,
        budget: u64,
    ) -> Self {
        let one = Self::new(population, length, block, keep, 1);
        let count = (budget / one.length()).max(1) as usize;
        let generation = |number: usize| Bracket {
            first: number * population,
            rungs: one.brackets[0].rungs.clone(),
        };
        Self {
            brackets: (0..count).map(generation).collect(),
            generations: true,
        }
    }

    /// The number of trials.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.brackets
            .iter()
            .map(|bracket| bracket.rungs[0].trials)
            .sum()
    }

    /// The number of jobs.
    #[must_use]
    pub fn jobs(&self) -> usize {
        let rungs = self.brackets.iter().flat_map(|bracket| &bracket.rungs);
        rungs.map(|rung| rung.trials).sum()
    }

    /// The lengths of all runs together.
    #[must_use]
    pub fn length(&self) -> u64 {
        let bracket = |bracket: &Bracket| -> u64 {
            let before = [0]
                .into_iter()
                .chain(bracket.rungs.iter().map(|r| r.length));
            let steps = bracket.rungs.iter().zip(before);
            steps
                .map(|(rung, before)| rung.trials as u64 * (rung.length - before))
                .sum()
        };
        self.brackets.iter().map(bracket).sum()
    }

    /// The rung of a job.
    #[must_use]
    pub fn rung(&self, job: Job) -> Rung {
        self.brackets[job.bracket].rungs[job.rung]
    }

    /// The trials that reach a rung; `None` as long as the one before is not complete.
    #[must_use]
    pub fn members(&self, bracket: usize, rung: usize, scores: &Scores) -> Option<Vec<usize>> {
        let Bracket { first, rungs } = &self.brackets[bracket];
        if rung == 0 {
            return Some((*first..first + rungs[0].trials).collect());
        }
        let before = self.members(bracket, rung - 1, scores)?;
        let score = |trial: usize| {
            let job = Job {
                bracket,
                rung: rung - 1,
                trial,
            };
            Some((trial, *scores.get(&job)?))
        };
        let mut ranked: Vec<(usize, Option<f64>)> =
            before.into_iter().map(score).collect::<Option<_>>()?;
        ranked.sort_by(|a, b| better(b.1, a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(rungs[rung].trials);
        Some(ranked.into_iter().map(|(trial, _)| trial).collect())
    }

    /// What can be done now, in the order in which it should be: what is furthest first, so that no
    /// thread waits for a last long run.
    #[must_use]
    pub fn ready(&self, scores: &Scores) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (bracket, Bracket { rungs, .. }) in self.brackets.iter().enumerate() {
            for rung in 0..rungs.len() {
                let Some(members) = self.members(bracket, rung, scores) else {
                    break;
                };
                let job = |trial| Job {
                    bracket,
                    rung,
                    trial,
                };
                let open = members.into_iter().map(job);
                jobs.extend(open.filter(|job| !scores.contains_key(job)));
            }
            if self.generations && !jobs.is_empty() {
                break;
            }
        }
        jobs.sort_by_key(|&job| std::cmp::Reverse(self.rung(job).length));
        jobs
    }

    /// How far the trials of a bracket came, the best first; `None` as long as it is not complete.
    #[must_use]
    pub fn standings(&self, bracket: usize, scores: &Scores) -> Option<Vec<Standing>> {
        let rungs = &self.brackets[bracket].rungs;
        let begin = |bracket| Job {
            bracket,
            rung: 0,
            trial: 0,
        };
        let reached = || scores.range(begin(bracket)..begin(bracket + 1));
        if reached().count() < rungs.iter().map(|rung| rung.trials).sum() {
            return None;
        }
        // Rungs come in order, so the last of each trial stays.
        let last: BTreeMap<usize, Standing> = reached()
            .map(|(job, &score)| {
                let Job { rung, trial, .. } = *job;
                (trial, Standing { rung, score, trial })
            })
            .collect();
        let mut standings: Vec<Standing> = last.into_values().collect();
        standings.sort_by(Standing::best_first);
        Some(standings)
    }

    /// The best trial among those that learned longest, with its score.
    #[must_use]
    pub fn best(&self, scores: &Scores) -> Option<(Job, f64)> {
        let scored = scores
            .iter()
            .filter_map(|(job, score)| Some((*job, (*score)?)));
        scored.max_by(|(a, x), (b, y)| {
            let length = |job: &Job| self.rung(*job).length;
            length(a)
                .cmp(&length(b))
                .then(x.total_cmp(y))
                .then(b.trial.cmp(&a.trial))
        })
    }
}

fn better(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    let number = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
    number(a).total_cmp(&number(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(plan: &Plan, score: impl Fn(usize, u64) -> Option<f64>, backwards: bool) -> Scores {
        let mut scores = Scores::new();
        loop {
            let ready = plan.ready(&scores);
            let next = if backwards {
                ready.last()
            } else {
                ready.first()
            };
            let Some(&job) = next else {
                return scores;
            };
            scores.insert(job, score(job.trial, plan.rung(job).length));
        }
    }

    #[test]
    fn brackets_are_those_of_hyperband() {
        let plan = Plan::new(27, 27_000, 100, 3, 99);
        let sizes: Vec<Vec<(usize, u64)>> = plan
            .brackets
            .iter()
            .map(|bracket| bracket.rungs.iter().map(|r| (r.trials, r.length)).collect())
            .collect();
        assert_eq!(
            sizes,
            [
                vec![(27, 1000), (9, 3000), (3, 9000), (1, 27_000)],
                vec![(12, 3000), (4, 9000), (1, 27_000)],
                vec![(6, 9000), (2, 27_000)],
                vec![(4, 27_000)],
            ]
        );
        assert_eq!((plan.trials(), plan.jobs()), (49, 40 + 17 + 8 + 4));
        assert_eq!(plan.brackets[1].first, 27);
    }

    /// A generation begins when all trials of the one before have come as far as they shall.
    #[test]
    fn generations_follow_each_other_within_the_budget() {
        let budget = Plan::new(27, 27_000, 100, 3, 4).length();
        let plan = Plan::generations(9, 27_000, 100, 3, budget);
        assert!(plan.length() <= budget && plan.length() * 10 > budget * 8);
        assert_eq!((plan.brackets.len(), plan.trials()), (5, 45));
        let first = plan.ready(&Scores::new());
        assert!(first.len() == 9 && first.iter().all(|job| job.bracket == 0));
        let score = |trial: usize, _| Some((trial * 7 % 31) as f64);
        let scores = finished(&plan, score, false);
        assert_eq!(scores, finished(&plan, score, true));
        let standings = plan.standings(1, &scores).unwrap();
        let order: Vec<usize> = standings.iter().map(|it| it.trial).collect();
        assert_eq!(order, [13, 17, 12, 16, 11, 15, 10, 14, 9]);
        assert!(plan.standings(1, &Scores::new()).is_none());
        let tiny = Plan::generations(9, 27_000, 100, 3, 1);
        assert_eq!(tiny.brackets.len(), 1);
    }

    #[test]
    fn every_plan_ends_with_full_runs() {
        for (trials, games, block, keep) in [
            (1, 10, 10, 3),
            (5, 1000, 1000, 2),
            (100, 7, 1, 4),
            (16, 1 << 20, 1000, 2),
        ] {
            let plan = Plan::new(trials, games, block, keep, 3);
            let scores = finished(&plan, |trial, _| Some(trial as f64), false);
            assert_eq!(scores.len(), plan.jobs());
            let (best, _) = plan.best(&scores).unwrap();
            assert_eq!(plan.rung(best).length, games);
            for bracket in &plan.brackets {
                assert!(bracket.rungs.windows(2).all(|w| w[0].length < w[1].length));
            }
        }
    }

    /// The order in which jobs end changes nothing, and the best and the dead are treated as such.
    #[test]
    fn the_better_part_goes_on_whatever_the_order() {
        let plan = Plan::new(27, 27_000, 100, 3, 4);
        let score = |trial: usize, games: u64| {
            (!trial.is_multiple_of(2)).then(|| (trial * 7 % 31) as f64 + games as f64 / 1e6)
        };
        let scores = finished(&plan, score, false);
        assert_eq!(scores, finished(&plan, score, true));
        let (best, _) = plan.best(&scores).unwrap();
        let odd = (1..plan.trials()).step_by(2);
        let full: Vec<usize> = scores
            .keys()
            .filter(|&&job| plan.rung(job).length == 27_000)
            .map(|job| job.trial)
            .collect();
        let expected = odd
            .filter(|t| full.contains(t))
            .max_by_key(|t| (t * 7 % 31, usize::MAX - t));
        assert_eq!(Some(best.trial), expected);
        assert!(
            full.contains(
                &(0..27)
                    .filter(|t| t % 2 == 1)
                    .max_by_key(|t| t * 7 % 31)
                    .unwrap()
            )
        );
    }
}
