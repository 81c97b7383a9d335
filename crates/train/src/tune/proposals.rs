//! Which values the trials of a search have: drawn at random, or descended from the better ones before.
//!
//! A point of the space has a coordinate for each number and one for each choice. Proposals depend on
//! the seed and on the scores of whole generations only, so a search that is resumed makes the same
//! ones again.

use toml::Value;
use upstar_agents::puct::normal;
use upstar_games::Random;

use super::cma_es::CmaEs;
use super::{Method, Plan, Scores, Search, Space, Standing};

/// The values of all trials that can be known by now.
#[derive(Clone, Debug)]
pub(super) struct Proposals {
    values: Vec<Vec<Value>>,
    strategy: Strategy,
}

#[derive(Clone, Debug)]
enum Strategy {
    /// All are drawn at the beginning.
    Drawn,
    /// The distribution, and the draws of its last generation.
    CmaEs(Box<CmaEs>, Vec<Vec<f64>>),
    /// The points of all trials, and the standings of the best so far.
    Genetic(Vec<Vec<f64>>, Vec<Standing>),
}

/// The width of the first generation of CMA-ES, in coordinates of which a range has one.
const FIRST_STEP: f64 = 0.3;
/// How far the genetic search moves a number that mutates.
const MUTATION: f64 = 0.15;
/// In the genetic search the best of all trials so far have descendants: a generation divided by this.
const PARENTS: usize = 3;

impl Proposals {
    /// Those at the beginning of a search.
    pub(super) fn new(search: &Search) -> Self {
        let Search {
            plan, space, base, ..
        } = search;
        let size = space.coordinates().last().map_or(0, |last| last.end);
        let strategy = match search.tune.search {
            Method::Hyperband => Strategy::Drawn,
            Method::CmaEs => {
                let population = plan.brackets[0].rungs[0].trials;
                let around = CmaEs::new(vec![0.5; size], FIRST_STEP, population);
                Strategy::CmaEs(Box::new(around), Vec::new())
            }
            Method::Genetic => Strategy::Genetic(Vec::new(), Vec::new()),
        };
        let mut proposals = Self {
            values: Vec::new(),
            strategy,
        };
        if let Strategy::Drawn = proposals.strategy {
            let trials = 0..plan.trials();
            proposals.values = trials.map(|trial| space.draw(base.seed(), trial)).collect();
        } else {
            proposals.propose(plan, space, base.seed());
        }
        proposals
    }

    /// The values of a trial; `None` if they are not known yet.
    pub(super) fn values(&self, trial: usize) -> Option<&[Value]> {
        self.values.get(trial).map(Vec::as_slice)
    }

    /// Those that follow from more scores.
    pub(super) fn extend(&mut self, search: &Search, scores: &Scores) {
        let Search {
            plan, space, base, ..
        } = search;
        while self.values.len() < plan.trials() {
            let population = plan.brackets[0].rungs[0].trials;
            let generation = self.values.len() / population - 1;
            let Some(standings) = plan.standings(generation, scores) else {
                return;
            };
            match &mut self.strategy {
                Strategy::Drawn => unreachable!("all are drawn at the beginning"),
                Strategy::CmaEs(search, draws) => {
                    let first = plan.brackets[generation].first;
                    let ranked = standings.iter().map(|it| &draws[it.trial - first]);
                    search.learn(&ranked.collect::<Vec<_>>());
                }
                Strategy::Genetic(_, known) => {
                    known.extend(standings);
                    known.sort_by(Standing::best_first);
                }
            }
            self.propose(plan, space, base.seed());
        }
    }

    /// Adds the values of the next generation. Each trial has its own generator.
    fn propose(&mut self, plan: &Plan, space: &Space, seed: u64) {
        let first = self.values.len();
        let trials = first..first + plan.brackets[0].rungs[0].trials;
        let randoms = trials.map(|trial| Random::for_game(seed, trial as u64));
        match &mut self.strategy {
            Strategy::Drawn => {}
            Strategy::CmaEs(search, draws) => {
                *draws = randoms.map(|mut random| search.draw(&mut random)).collect();
                let points = draws.iter().map(|draw| search.point(draw));
                self.values.extend(points.map(|point| space.at(&point)));
            }
            Strategy::Genetic(points, known) => {
                let keys = space.coordinates();
                known.truncate(plan.brackets[0].rungs[0].trials.div_ceil(PARENTS).max(2));
                let parents: Vec<&[f64]> = known.iter().map(|it| &points[it.trial][..]).collect();
                let children: Vec<Vec<f64>> = randoms
                    .map(|mut random| child(&keys, &parents, &mut random))
                    .collect();
                self.values
                    .extend(children.iter().map(|point| space.at(point)));
                points.extend(children);
            }
        }
    }
}

/// A point with each key from one of two parents, of which about one mutates: a number moves a little,
/// a choice is made again. Without parents all is drawn.
fn child(keys: &[std::ops::Range<usize>], parents: &[&[f64]], random: &mut Random) -> Vec<f64> {
    let mut point = Vec::new();
    let mut parent = || match parents.len() as u32 {
        0 => None,
        count => Some(parents[random.below(count) as usize]),
    };
    let both = parent().zip(parent());
    for key in keys {
        let Some((mother, father)) = both else {
            point.extend(key.clone().map(|_| random.unit()));
            continue;
        };
        let from = if random.below(2) == 0 { mother } else { father };
        let mutates = random.below(keys.len() as u32) == 0;
        match (mutates, key.len()) {
            (false, _) => point.extend(&from[key.clone()]),
            (true, 1) => point.push(from[key.start] + MUTATION * normal(random)),
            (true, _) => point.extend(key.clone().map(|_| random.unit())),
        }
    }
    point
}
