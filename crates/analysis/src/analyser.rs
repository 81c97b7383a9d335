//! The plan by which prover and estimator work side by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use upstar_agents::{AgentSpec, AlphaBeta, BestEffort, Limit, Resources};
use upstar_games::{AnyGame, Random};
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Ledger};

use crate::error::AnalysisError;
use crate::estimator::{Estimator, Limits, estimator};
use crate::knowledge::Knowledge;
use crate::proved_results::ProvedResults;
use crate::prover::{Prover, ended, has_score, is_hopeful, left};
use crate::state::State;

/// Analyses positions. Cheap to clone; clones share the solver and what was proved.
#[derive(Clone)]
pub struct Analyser {
    /// The solver, and what agents share.
    pub resources: Resources,
    /// Who guesses, `mcts:…` or `az:…`; `None` or `best` for the best that the program has.
    pub agent: Option<AgentSpec>,
    /// The most simulations, where the agent's own number is not meant.
    pub simulations: Option<u64>,
    /// The most plies of the midgame search.
    pub plies: u32,
    /// Whether the solver is asked at all.
    pub prove: bool,
    /// The most memory of the solver, in bytes.
    pub memory: usize,
    /// How many moves matter: in Othello that many are searched to the full depth.
    pub multi: usize,
    /// How often it tells what it knows.
    pub every: Duration,
    /// Makes chance repeat.
    pub seed: u64,
    /// What was proved before, and what is to be kept.
    pub proved: Option<Arc<ProvedResults>>,
}

impl Default for Analyser {
    fn default() -> Self {
        Self {
            resources: Resources::default(),
            agent: None,
            simulations: None,
            plies: u32::MAX,
            prove: true,
            memory: Resources::MEMORY,
            multi: 1,
            every: Duration::from_millis(200),
            seed: 1,
            proved: None,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Of the position itself, for the side to move.
    pub known: Knowledge,
    /// All moves, the best first.
    pub moves: Vec<GradedMove>,
    /// How many positions the solver has searched.
    pub nodes: u64,
    /// How many simulations were made, or positions looked at by the midgame search.
    pub work: u64,
    /// How long that took.
    pub time: Duration,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedMove {
    /// The move.
    pub mv: String,
    /// Its result for the side that plays it.
    pub known: Knowledge,
    /// How the game may go on, this move first: by best play where that is proved.
    pub line: Vec<String>,
    /// The higher, the earlier the estimator would play it.
    pub(crate) rank: f64,
    /// Moves of one class lead to the same position, turned or mirrored.
    pub(crate) class: usize,
}

impl Analysis {
    /// Whether the result of every move is proved.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.moves.iter().all(|graded| graded.known.is_proved())
    }

    /// What is known of a move.
    #[must_use]
    pub fn of(&self, mv: &str) -> Option<&GradedMove> {
        self.moves.iter().find(|graded| graded.mv == mv)
    }
}

/// An estimator has this much memory in any case.
const LEAST_MEMORY: usize = 1 << 20;
/// While there is hope for a proof the estimator takes this share of the time.
const SHARE: f64 = 0.25;
/// But this much it has in any case, for a first opinion that is worth something.
const HEAD_START: Duration = Duration::from_millis(250);
/// It thinks at least so long at a time, and looks around at least so often.
const SLICE: Duration = Duration::from_millis(50);
const LONGEST_SLICE: Duration = Duration::from_millis(500);
/// In Othello with at most so many empty cells a proof begins at once; with more it waits for the estimator.
const SHORT: u32 = 16;

impl Analyser {
    /// Analyses a position until every move is proved, or the budget is spent; tells what is known as soon
    /// as there is something, and then now and again.
    ///
    /// # Errors
    /// If the game is over or not for two, or there is no memory, no thread, or no such agent.
    pub fn run(
        &self,
        game: &AnyGame,
        budget: &Budget,
        told: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, AnalysisError> {
        if matches!(game, AnyGame::Solitaire(..) | AnyGame::Colors(..)) {
            return Err(AnalysisError::NotForTwo(game.variant()));
        }
        if game.is_over() {
            return Err(AnalysisError::Over);
        }
        let budget = &match self.agent_time() {
            Some(time) => budget.within(time),
            None => budget.clone(),
        };
        let begun = Instant::now();
        let state = State::new(game);
        self.recall(game, &state);
        let analysis = || {
            let snapshot = state.snapshot();
            Analysis {
                known: snapshot.known,
                moves: snapshot.moves,
                nodes: snapshot.nodes,
                work: snapshot.work,
                time: begun.elapsed(),
            }
        };
        let ledger: &Ledger = self.resources.ledger();
        let resources = &self.resources;
        let limits = Limits {
            simulations: self.simulations,
            plies: match &self.agent {
                Some(AgentSpec::AlphaBeta(AlphaBeta {
                    limit: Limit::Count(plies),
                    ..
                })) => self.plies.min(*plies as u32),
                _ => self.plies,
            },
            multi: self.multi,
        };
        let (mut estimator, _lease) = estimator(game, self.agent.as_ref(), limits, resources)?;
        if !state.is_proved() {
            state.opine(estimator.first(), estimator.name(), estimator.work());
        }
        told(&analysis());
        // Whether the prover is at work, and whether it may begin.
        let is_short = !has_score(game) || left(game) <= SHORT;
        let at_once = self.prove && is_short && is_hopeful(game, budget);
        let hopeful = AtomicBool::new(at_once);
        let settled = AtomicBool::new(at_once || !self.prove);
        // When all is proved neither has anything left to do.
        let done = AtomicBool::new(state.is_proved());
        let failure = Mutex::new(None);
        thread::scope(|scope| -> Result<(), AnalysisError> {
            let (ended, wait) = mpsc::channel::<()>();
            if !done.load(Ordering::Relaxed) {
                if self.prove {
                    let prover = Prover {
                        solver: &resources.solver,
                        // Other clients find something too.
                        memory: self.memory.min(ledger.free() / 2).max(LEAST_MEMORY),
                        game,
                        state: &state,
                        proved: self.proved.as_deref(),
                    };
                    let (ended, done, hopeful) = (ended.clone(), &done, &hopeful);
                    let (failure, state, settled) = (&failure, &state, &settled);
                    let work = move || {
                        while !settled.load(Ordering::Relaxed) && !budget.is_over() {
                            thread::sleep(Duration::from_millis(2));
                        }
                        // Without memory for a proof the estimates are what there is.
                        if hopeful.load(Ordering::Relaxed)
                            && let Err(error) = prover.run(budget)
                            && !error.is_memory()
                        {
                            let mut failure =
                                failure.lock().unwrap_or_else(PoisonError::into_inner);
                            *failure = Some(error);
                        }
                        hopeful.store(false, Ordering::Relaxed);
                        if state.is_proved() {
                            done.store(true, Ordering::Relaxed);
                        }
                        drop(ended);
                    };
                    start(scope, STACK, work)?;
                }
                let (state, done, hopeful, settled) = (&state, &done, &hopeful, &settled);
                let threads = resources.solver.settings().threads;
                let random = Random::new(self.seed);
                let work = move || {
                    let shared = Shared {
                        game,
                        state,
                        done,
                        hopeful,
                        settled,
                        threads,
                        begun,
                    };
                    guess(estimator.as_mut(), &shared, budget, random);
                    drop(ended);
                };
                start(scope, STACK, work)?;
            } else {
                drop(ended);
            }
            while wait.recv_timeout(self.every) == Err(RecvTimeoutError::Timeout) {
                told(&analysis());
            }
            Ok(())
        })?;
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        if let Some(proved) = &self.proved {
            proved.sync()?;
        }
        Ok(analysis())
    }

    /// The time that the agent's text says, if it does.
    fn agent_time(&self) -> Option<Duration> {
        match &self.agent {
            Some(AgentSpec::Mcts(options)) => options.limit.time(),
            Some(AgentSpec::AlphaZero(options)) => options.limit.time(),
            Some(AgentSpec::AlphaBeta(options)) => options.limit.time(),
            Some(AgentSpec::Best(options)) => match options.effort {
                BestEffort::Time(time) => Some(time),
                BestEffort::Work { .. } => None,
            },
            _ => None,
        }
    }

    /// Moves that end the game, and what was proved before.
    fn recall(&self, game: &AnyGame, state: &State) {
        for mv in game.legal() {
            let next = game.play(&mv).expect("the move is legal");
            let mut known = ended(&next);
            if let Some(proved) = &self.proved
                && let Some(found) = proved.find(&next)
            {
                known.learn(&found);
            }
            state.prove_move(&mv, &known.reversed(), Vec::new());
        }
        if let Some(known) = self.proved.as_ref().and_then(|proved| proved.find(game)) {
            state.prove_root(&known);
        }
    }
}

struct Shared<'a> {
    game: &'a AnyGame,
    state: &'a State,
    done: &'a AtomicBool,
    /// Whether the prover is at work.
    hopeful: &'a AtomicBool,
    /// Whether the prover waits for the estimator no more.
    settled: &'a AtomicBool,
    /// What the prover uses, and the estimator while the prover is not at work.
    threads: usize,
    begun: Instant,
}

/// Lets the estimator think, no more than its share of the time while there is hope for a proof.
fn guess(estimator: &mut dyn Estimator, shared: &Shared<'_>, budget: &Budget, mut random: Random) {
    let mut used = Duration::ZERO;
    let is_done = || {
        let hopeless = !shared.hopeful.load(Ordering::Relaxed);
        budget.is_over()
            || shared.done.load(Ordering::Relaxed)
            || hopeless && shared.state.is_proved()
    };
    while !is_done() {
        let allowed = shared.begun.elapsed().mul_f64(SHARE).max(HEAD_START);
        if shared.hopeful.load(Ordering::Relaxed) && used > allowed {
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        let slice = used.mul_f64(0.5).clamp(SLICE, LONGEST_SLICE);
        let (slice, threads) = match shared.hopeful.load(Ordering::Relaxed) {
            true => (budget.within(slice), 1),
            false if estimator.begins_again() => (budget.clone(), shared.threads),
            false => (budget.within(10 * slice), shared.threads),
        };
        let since = Instant::now();
        let more = estimator.improve(&slice, &mut random, threads);
        used += since.elapsed();
        if !shared.settled.load(Ordering::Relaxed) && (!more || estimator.is_settled()) {
            // When there is nothing more to think about, the time is the prover's in any case.
            let begins = !more || is_hopeful(shared.game, budget);
            shared.hopeful.store(begins, Ordering::Relaxed);
            shared.settled.store(true, Ordering::Relaxed);
        }
        let (name, work) = (estimator.name(), estimator.work());
        shared.state.opine(estimator.opinions(), name, work);
        if !more {
            break;
        }
    }
}
