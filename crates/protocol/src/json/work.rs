//! The long commands: what they do on their thread, and what they tell on the way.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use upstar_agents::{Limit, Mcts, Resources, Word};
use upstar_games::Random;
use upstar_jobs::Budget;
use upstar_solve::Question;

use super::answer::{Analysed, Choice, Moves, Nodes, Progress, Simulations, Solved, Told, rounded};
use super::request::{Analyse, Choose, Exact, Request};
use super::session::Desk;
use crate::count::Count;
use crate::refusal::Refusal;
use crate::table::{Demand, Limits, Notation, Setting, Table};

/// How often a long command tells how far it is.
const EVERY: Duration = Duration::from_millis(500);

/// A long command that was understood.
pub(super) enum Work {
    Solve(Exact),
    Moves(Exact),
    Analyse(Box<Mcts>, Analyse),
    Choose(Word, Option<u64>),
}

/// Where work is done, and for whom.
pub(super) struct Site<'a, W> {
    pub(super) desk: &'a Desk<W>,
    pub(super) id: &'a Value,
    pub(super) resources: &'a Resources,
    /// Without limits of its own; its flag is set when the work is to end.
    pub(super) budget: &'a Budget,
}

impl Work {
    pub(super) fn read(request: &Request) -> Result<Self, Refusal> {
        Ok(match &request.command[..] {
            "solve" => Self::Solve(request.arguments()?),
            "moves" => Self::Moves(request.arguments()?),
            "analyse" => {
                let analyse: Analyse = request.arguments()?;
                Self::Analyse(Box::new(options(&analyse)?), analyse)
            }
            _ => {
                let Choose { agent, seed } = request.arguments()?;
                Self::Choose(agent.parse().map_err(Refusal::new)?, seed)
            }
        })
    }

    /// Whether there is nothing to do when the game is over.
    pub(super) fn needs_a_move(&self) -> bool {
        matches!(self, Self::Analyse(..) | Self::Choose(..))
    }

    pub(super) fn run<W: Write + Send>(
        &self,
        site: &Site<'_, W>,
        table: &mut dyn Table,
        random: &mut Random,
    ) -> Result<Told, Refusal> {
        let begun = Instant::now();
        let seconds = || rounded(begun.elapsed().as_secs_f64(), 1e6);
        match self {
            Self::Solve(exact) => {
                let demand = demand(exact, false, site.resources);
                let budget = budget(exact, site.budget);
                let solved = site.watched(|count| {
                    table.solve(demand, Notation::Own, &budget, count, site.resources)
                })?;
                Ok(Told::Solved(Solved::of(solved, seconds())))
            }
            Self::Moves(exact) => {
                let demand = demand(exact, true, site.resources);
                let budget = budget(exact, site.budget);
                let mut nodes = 0;
                let judged = site.watched(|count| {
                    let judged = table.judge(demand, &budget, count, site.resources);
                    nodes = count.nodes();
                    judged
                })?;
                Ok(Told::Moves(Moves::of(judged, nodes, seconds())))
            }
            Self::Analyse(options, analyse) => {
                let limits = limits(options, analyse, begun);
                let mut own = analyse.seed.map(Random::new);
                let setting = Setting {
                    resources: site.resources,
                    budget: site.budget,
                    random: own.as_mut().unwrap_or(random),
                };
                let analysis = table.analyse(&limits, setting, &mut |analysis| {
                    let progress = Simulations::of(analysis, seconds());
                    site.desk.answer(site.id, Progress { progress });
                })?;
                Ok(Told::Analysed(Analysed::of(analysis, seconds())))
            }
            Self::Choose(word, seed) => {
                let mut own = seed.map(Random::new);
                let setting = Setting {
                    resources: site.resources,
                    budget: site.budget,
                    random: own.as_mut().unwrap_or(random),
                };
                let chosen = table.choose(word, Notation::Own, setting)?;
                Ok(Told::Choice(Choice::of(chosen, seconds())))
            }
        }
    }
}

impl<W: Write + Send> Site<'_, W> {
    /// Does the work; while it goes on, tells how many nodes were searched.
    fn watched<T>(&self, work: impl FnOnce(&Count) -> T) -> T {
        let (begun, count) = (Instant::now(), Count::default());
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let count = &count;
            scope.spawn(move || {
                while wait.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    let progress = Nodes {
                        nodes: count.nodes(),
                        seconds: rounded(begun.elapsed().as_secs_f64(), 1e6),
                    };
                    self.desk.answer(self.id, Progress { progress });
                }
            });
            let result = work(count);
            drop(done);
            result
        })
    }
}

fn demand(exact: &Exact, usually: bool, resources: &Resources) -> Demand {
    let question = match exact.exact.unwrap_or(usually) {
        true => Question::Score,
        false => Question::Winner,
    };
    Demand {
        question,
        memory: exact.memory.unwrap_or(resources.memory),
    }
}

/// The limits of a request, from now on, beside the flag that ends it.
fn budget(exact: &Exact, stop: &Budget) -> Budget {
    let mut budget = stop.clone();
    if let Some(time) = exact.time_limit {
        budget = budget.with_time(time);
    }
    if let Some(nodes) = exact.nodes {
        budget = budget.with_nodes(nodes);
    }
    budget
}

/// The options of the search; a limit that nobody gave is one that is never reached.
fn options(analyse: &Analyse) -> Result<Mcts, Refusal> {
    let Some(text) = &analyse.agent else {
        return Ok(Mcts::new(Limit::Count(u64::MAX)));
    };
    match text.parse::<Word>().map_err(Refusal::new)? {
        Word::Mcts(options) => Ok(options),
        other => Err(Refusal(format!(
            "{other} cannot be watched; analyse takes words mcts:…"
        ))),
    }
}

fn limits(options: &Mcts, analyse: &Analyse, begun: Instant) -> Limits {
    let (simulations, time) = match (analyse.simulations, analyse.time, options.limit) {
        (None, None, Limit::Count(simulations)) => (simulations, None),
        (None, None, Limit::Time(time)) => (u64::MAX, Some(time)),
        (simulations, time, _) => (simulations.unwrap_or(u64::MAX), time),
    };
    Limits {
        options: options.clone(),
        simulations,
        deadline: time.and_then(|time| begun.checked_add(time)),
        every: analyse.every.unwrap_or(EVERY),
    }
}
