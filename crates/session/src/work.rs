//! What jobs do on their own threads, and what they tell on the way.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use upstar_agents::{AgentSpec, AnySearch};
use upstar_analysis::{
    Analyser, Analysis, AnalysisError, AnalysisLine, PlayedGame, Review, ReviewLine,
};
use upstar_games::{AnyGame, Random, with_game};
use upstar_jobs::{Budget, Watch};
use upstar_solve::{Algorithm, Query, Question, Solvable, SolveError};

use crate::event::{Body, Chosen, Event, JobResult, Judged, Moves, Progress, Solved, rounded};
use crate::host::Host;
use crate::refusal::Refusal;
use crate::request::{Analyse, Exact, Job, NetworkRequest, Valuation};
use crate::seat::{GameLine, Seat};
use crate::session::Tell;
use crate::valued::Valued;

/// How often a job tells how far it is.
const EVERY: Duration = Duration::from_millis(500);
/// Nobody is told more often.
const SHORTEST: Duration = Duration::from_millis(100);
/// The longest name of a value.
const NAME_LENGTH: usize = 100_000;

/// A job with all that it needs, apart from its session.
pub(crate) struct Work {
    pub(crate) id: Value,
    pub(crate) job: Job,
    pub(crate) line: GameLine,
    pub(crate) host: Host,
    pub(crate) seat: Arc<Seat>,
    pub(crate) chance: Arc<Chance>,
    /// Without limits of its own; it is cancelled when the job is to end.
    pub(crate) budget: Budget,
    pub(crate) tell: Tell,
}

/// The generator of a session, which one job at a time may use and leaves behind as it is then.
pub(crate) struct Chance {
    seed: u64,
    random: Mutex<Option<Random>>,
    /// How many generators were made for jobs that could not wait.
    others: AtomicU64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            random: Mutex::new(Some(Random::new(seed))),
            others: AtomicU64::new(0),
        }
    }

    /// Does something with the generator of this seed, or the session's, or another one if that is in use.
    fn with<T>(&self, seed: Option<u64>, work: impl FnOnce(&mut Random) -> T) -> T {
        if let Some(seed) = seed {
            return work(&mut Random::new(seed));
        }
        let lent = self
            .random
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(mut random) = lent else {
            let index = self.others.fetch_add(1, Ordering::Relaxed);
            return work(&mut Random::for_game(self.seed, index));
        };
        let done = work(&mut random);
        *self.random.lock().unwrap_or_else(PoisonError::into_inner) = Some(random);
        done
    }
}

impl Work {
    /// Does it, and tells how far it is meanwhile.
    pub(crate) fn run(&self) -> Result<JobResult, Refusal> {
        let begun = Instant::now();
        let seconds = || rounded(begun.elapsed().as_secs_f64(), 1e6);
        let game = &self.line.game;
        match &self.job {
            Job::Solve(exact) => {
                let solved = self.watched(true, |nodes| {
                    solve(&self.host, game, exact, &self.budget, nodes)
                })?;
                Ok(JobResult::Solved(solved?))
            }
            Job::Moves(exact) => {
                let query = query(&self.host, exact, true);
                let budget = limited(exact, &self.budget);
                let (judged, nodes) = self.watched(true, |nodes| {
                    let judged =
                        when_there_is_memory(&self.host, &budget, SolveError::is_memory, || {
                            self.host.solver().moves(game, &query, &budget, nodes)
                        });
                    (judged, nodes.count())
                })?;
                let judged = judged.map_err(Refusal::new)?;
                Ok(JobResult::Moves(Moves::of(game, judged, nodes, seconds())))
            }
            Job::Value(Valuation {
                time_limit,
                name_length,
                detail,
            }) => {
                let budget = time_limit.map(|time| self.budget.within(time));
                let budget = budget.as_ref().unwrap_or(&self.budget);
                let value = self.watched(false, |watch| {
                    let valued = || self.host.solver().value(game, budget, watch);
                    when_there_is_memory(&self.host, budget, SolveError::is_memory, valued)
                })?;
                let longest = name_length.unwrap_or(NAME_LENGTH);
                Ok(JobResult::Valued(match value {
                    // It waited in vain, and the question stays open.
                    Err(error) if error.is_memory() && budget.is_over() => Valued::open(seconds()),
                    value => {
                        let value = value.map_err(Refusal::new)?;
                        Valued::of(game, value, longest, *detail, seconds())
                    }
                }))
            }
            Job::Analyse(analyse) => {
                let seed = self.chance.with(analyse.seed, Random::bits);
                let multi = analyse.multi.unwrap_or(usize::MAX);
                let mut tell = |analysis: &Analysis| {
                    let line = AnalysisLine::new(analysis, game, multi);
                    self.tell(Progress::Analysis(line));
                };
                let budget = analyse.time.map(|time| self.budget.within(time));
                let budget = budget.as_ref().unwrap_or(&self.budget);
                let analyser = analyser(analyse, &self.host, seed);
                let analysis =
                    when_there_is_memory(&self.host, budget, AnalysisError::is_memory, || {
                        analyser.run(game, budget, &mut tell)
                    });
                let analysis = analysis.map_err(Refusal::new)?;
                let line = AnalysisLine::new(&analysis, game, multi);
                Ok(JobResult::Analysed(line))
            }
            Job::Review(review) => {
                let played = PlayedGame {
                    start: self.line.start.clone(),
                    moves: self.line.moves.clone(),
                    players: ["x".to_owned(), "o".to_owned()],
                };
                let analyser = analyser(&Analyse::default(), &self.host, 1);
                let time = review.time.unwrap_or(Duration::from_secs(1));
                let review = Review::new(
                    &played,
                    &analyser,
                    time,
                    &self.budget,
                    &Reviewing(self, begun),
                );
                let review = review.map_err(Refusal::new)?;
                Ok(JobResult::Reviewed(ReviewLine::new(&review)))
            }
            Job::Network(NetworkRequest { network }) => {
                let search = AnySearch::led(game, network, self.host.resources());
                let mut search = search.map_err(Refusal::new)?;
                let judged = search.judgement();
                let (value, policy) = judged.expect("a network leads the search");
                let by = AgentSpec::AlphaZero(network.clone()).to_string();
                Ok(JobResult::Judged(Judged::of(by, value, policy)))
            }
            Job::Choose(choose) => {
                let budget = choose.time.map(|time| self.budget.within(time));
                let budget = budget.as_ref().unwrap_or(&self.budget);
                let choice = self.chance.with(choose.seed, |random| {
                    let (seat, host) = (&self.seat, &self.host);
                    seat.choose(&choose.agent, &self.line, host, budget, random)
                });
                let choice = choice.map_err(Refusal::new)?;
                Ok(JobResult::Chosen(Chosen::of(choice, seconds())))
            }
        }
    }

    fn tell(&self, progress: Progress) {
        (self.tell)(Event {
            id: self.id.clone(),
            body: Body::Progress { progress },
        });
    }

    /// Does something; while it goes on, tells how long it has, and how many positions if they are
    /// counted.
    fn watched<T>(&self, counted: bool, work: impl FnOnce(&Nodes) -> T) -> Result<T, Refusal> {
        let (begun, nodes) = (Instant::now(), Nodes::default());
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let nodes = &nodes;
            let ticker = move || {
                while wait.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    let seconds = rounded(begun.elapsed().as_secs_f64(), 1e6);
                    let nodes = nodes.count();
                    self.tell(match counted {
                        true => Progress::Nodes { nodes, seconds },
                        false => Progress::Seconds { seconds },
                    });
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, ticker);
            started.map_err(|error| Refusal(format!("a thread cannot be started: {error}")))?;
            let result = work(nodes);
            drop(done);
            Ok(result)
        })
    }
}

/// A review since it began, of which every position is told.
struct Reviewing<'a>(&'a Work, Instant);

impl Watch for Reviewing<'_> {
    fn pieces(&self, _: &str, done: u64, of: u64) {
        let Self(work, begun) = self;
        work.tell(Progress::Review {
            done: done as usize,
            of: of as usize,
            seconds: rounded(begun.elapsed().as_secs_f64(), 1e6),
        });
    }
}

/// How many positions were searched so far, for another thread to read.
#[derive(Default)]
pub(crate) struct Nodes(AtomicU64);

impl Nodes {
    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for Nodes {
    fn nodes(&self, nodes: u64) {
        self.0.store(nodes, Ordering::Relaxed);
    }
}

/// Who wins, within the limits and the budget.
pub(crate) fn solve(
    host: &Host,
    game: &AnyGame,
    exact: &Exact,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Solved, Refusal> {
    let begun = Instant::now();
    let seconds = || rounded(begun.elapsed().as_secs_f64(), 1e6);
    if let Some(result) = game.result() {
        let algorithm = algorithm(game)?.to_string();
        return Ok(Solved::ended(result, algorithm, seconds()));
    }
    let (query, budget) = (query(host, exact, false), limited(exact, budget));
    let answer = when_there_is_memory(host, &budget, SolveError::is_memory, || {
        host.solver().solve(game, &query, &budget, watch)
    });
    match answer {
        // It waited in vain, and the question stays open.
        Err(error) if error.is_memory() && budget.is_over() => {
            let algorithm = algorithm(game)?.to_string();
            Ok(Solved::open(algorithm, seconds()))
        }
        answer => Ok(Solved::of(answer.map_err(Refusal::new)?, seconds())),
    }
}

/// Does something that needs memory. While other jobs have taken all of it, it waits for them a while,
/// unless the budget is spent.
fn when_there_is_memory<T, E>(
    host: &Host,
    budget: &Budget,
    is_memory: fn(&E) -> bool,
    mut work: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    const PAUSE: Duration = Duration::from_millis(20);
    const PATIENCE: Duration = Duration::from_secs(10);
    let begun = Instant::now();
    loop {
        let done = work();
        let refused = done.as_ref().is_err_and(is_memory);
        let taken = host.ledger().free() < host.ledger().limit();
        if !refused || !taken || budget.is_over() || begun.elapsed() > PATIENCE {
            return done;
        }
        thread::sleep(PAUSE);
    }
}

fn algorithm(game: &AnyGame) -> Result<Algorithm, Refusal> {
    fn of<G: Solvable>(_: &G) -> Algorithm {
        G::ALGORITHM
    }
    with_game!(
        game,
        |rules, _start| Ok(of(rules)),
        Err(Refusal::new(upstar_solve::SolveError::NotForTwo))
    )
}

fn query(host: &Host, exact: &Exact, usually: bool) -> Query {
    // Where nothing is said, other jobs find something too.
    const LEAST: usize = 32 << 20;
    let usual = host.resources().memory.min(host.ledger().free() / 2);
    Query {
        question: match exact.exact.unwrap_or(usually) {
            true => Question::Score,
            false => Question::Winner,
        },
        memory: Some(exact.memory.unwrap_or(usual.max(LEAST))),
        ..Query::default()
    }
}

/// The limits of a request, from now on, beside what ends it from outside.
fn limited(exact: &Exact, outer: &Budget) -> Budget {
    let mut budget = outer.clone();
    if let Some(time) = exact.time_limit {
        budget = budget.within(time);
    }
    if let Some(nodes) = exact.nodes {
        budget = budget.with_nodes(nodes);
    }
    budget
}

/// The analyser of a request. An agent of the user's is watched alone, until its own limit.
fn analyser(analyse: &Analyse, host: &Host, seed: u64) -> Analyser {
    Analyser {
        resources: host.resources().clone(),
        // Other jobs need memory too.
        memory: host.resources().memory / 4,
        prove: analyse.agent.is_none() && analyse.simulations.is_none(),
        agent: analyse.agent.clone(),
        simulations: analyse.simulations,
        multi: analyse.multi.unwrap_or(1),
        every: analyse.every.unwrap_or(EVERY).max(SHORTEST),
        seed,
        ..Analyser::default()
    }
}
