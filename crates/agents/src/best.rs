//! The strongest play that there is for a board, under one name: `best`.
//!
//! For Clobber a prover and a search that a network leads work side by side on one table of results. The
//! search looks into it at every new position, and proves what is cheap itself; what changes nothing is taken
//! off the board before the network judges it. The prover takes what the search likes and what is cheap to
//! prove: the position itself as soon as there is hope. Othello has its engine, and where there is no network
//! the solver plays as long as it can, then tree search.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use upstar_games::Random;
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::{Look, Outcome, Prover, Question};

use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::options::{Limit, memory_text};
use crate::playable::Playable;
use crate::proof_plan::{ProofPlan, Wanted};
use crate::puct::{AlphaZero, DEFAULT, LedSearch, Target};
use crate::resources::Resources;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;
use crate::trail::Trail;
use crate::uct::opinion;

/// How `best` plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// How much it thinks about a move.
    pub effort: BestEffort,
    /// How many threads work while time limits: one searches, the others prove. One alone does both in turn.
    pub threads: usize,
    /// The most memory of the solver's tables, in bytes.
    pub memory: usize,
}

/// How much `best` thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestEffort {
    /// This long.
    Time(Duration),
    /// This many simulations, and at most this many positions of the solver. Such games repeat.
    Work {
        /// Simulations of the network's search.
        simulations: u64,
        /// Positions of the solver, cheap ones inside the search left out.
        nodes: u64,
    },
}

impl Best {
    /// The time where nothing is said.
    pub const TIME: Duration = Duration::from_secs(1);
    /// The simulations and positions where only one of both is said.
    pub const SIMULATIONS: u64 = 400;
    /// See [`Best::SIMULATIONS`].
    pub const NODES: u64 = 200_000;
    /// Plies of the engine for Othello where no time is given.
    const PLIES: u64 = 10;

    /// Its limit as agents have it that know only one: for Othello.
    pub(crate) fn plies_or_time(&self) -> Limit {
        match self.effort {
            BestEffort::Time(time) => Limit::Time(time),
            BestEffort::Work { .. } => Limit::Count(Self::PLIES),
        }
    }

    /// The same for a solver.
    pub(crate) fn nodes_or_time(&self) -> Limit {
        match self.effort {
            BestEffort::Time(time) => Limit::Time(time),
            BestEffort::Work { nodes, .. } => Limit::Count(nodes),
        }
    }
}

impl Default for Best {
    fn default() -> Self {
        Self {
            effort: BestEffort::Time(Self::TIME),
            threads: 2,
            memory: 256 << 20,
        }
    }
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        f.write_str("best")?;
        let mut mark = ':';
        let mut option = |text: String| {
            let written = write!(f, "{mark}{text}");
            mark = ',';
            written
        };
        match self.effort {
            BestEffort::Time(Self::TIME) => {}
            BestEffort::Time(time) => option(Limit::Time(time).to_string())?,
            BestEffort::Work { simulations, nodes } => {
                option(format!("sims={simulations},nodes={nodes}"))?;
            }
        }
        if self.threads != usual.threads {
            option(format!("threads={}", self.threads))?;
        }
        match self.memory == usual.memory {
            true => Ok(()),
            false => option(format!("memory={}", memory_text(self.memory))),
        }
    }
}

/// `best` for games that have a network and a solver that shares its results.
pub struct BestAgent<G: Playable> {
    game: G,
    options: Best,
    resources: Resources,
    /// All with one table.
    provers: Vec<Box<dyn Prover<G>>>,
    network: Box<dyn LedSearch<G>>,
    trail: Trail<G>,
    /// Whether anything is to be forgotten.
    asked: bool,
}

/// The most positions that are tried before anything else, if no more are expected to be needed.
const FIRST: u64 = 1 << 13;
const EXPECTED_FIRST: f64 = 2048.0;
/// The simulations that are made before search and prover tell each other what they know.
const SLICE: u64 = 64;
/// The turns that search and prover take where both have a number.
const TURNS: u64 = 16;
/// A turn of either where one thread has both.
const TURN: Duration = Duration::from_millis(20);
/// About how many positions a second are searched, to see whether there is hope.
const EACH_SECOND: f64 = 300_000.0;
/// A visit of the search takes as long as this many positions of the solver.
const EACH_VISIT: f64 = 30.0;
/// Positions are of interest that have at least this share of the visits.
const SHARE: u32 = 50;
/// What is kept for the way of the answer, at most; a twentieth of short times.
const MOST_RESERVE: Duration = Duration::from_millis(10);

impl<G: Playable> BestAgent<G> {
    /// A player with these options.
    ///
    /// # Errors
    /// If there is no network for this game and board, or no memory.
    pub fn new(game: &G, options: &Best, resources: &Resources) -> Result<Self, AgentSpecError> {
        let network = game.network_search(&AlphaZero::new(DEFAULT.into()), resources)?;
        let mut agent = Self {
            game: game.clone(),
            options: *options,
            resources: resources.clone(),
            provers: Vec::new(),
            network,
            trail: Trail::new(),
            asked: false,
        };
        agent.renew()?;
        Ok(agent)
    }

    /// Begins with an empty table.
    fn renew(&mut self) -> Result<(), AgentSpecError> {
        self.provers.clear();
        self.network.tree().look_with(None);
        let mut prover = self.game.prover(&self.resources, self.options.memory)?;
        if matches!(self.options.effort, BestEffort::Time(_)) {
            // Fresh memory takes time, which the first moves do not have.
            prover.warm();
        }
        self.network.tree().look_with(prover.share());
        let others = (2..self.options.threads).filter_map(|_| prover.share());
        self.provers = others.collect();
        self.provers.insert(0, prover);
        Ok(())
    }

    /// Brings the search to this turn's position, with what it knows of it.
    fn follow(&mut self, turn: &Turn<'_, G>) {
        let since = self.trail.since(turn);
        self.network.tree().follow(turn.position, since);
        self.trail.leave(turn);
    }

    /// Searches and proves until the position is proved or the limit is reached; says how many simulations
    /// were made, and how many positions were searched.
    fn think(&mut self, turn: &Turn<'_, G>, budget: &Budget) -> (u64, u64) {
        let desk = Mutex::new(Desk {
            wanted: Vec::new(),
            plan: ProofPlan::new(),
            nodes: 0,
        });
        let (network, provers) = (&mut *self.network, &mut self.provers[..]);
        let mut simulations = 0;
        match self.options.effort {
            BestEffort::Work {
                simulations: all,
                nodes,
            } => {
                let mut left = nodes;
                for number in 0..TURNS {
                    let share = |all: u64| all * (number + 1) / TURNS - all * number / TURNS;
                    simulations += network.run(share(all).max(1), budget);
                    if !exchange(network, &*provers[0], &desk, turn, EACH_VISIT) || budget.is_over()
                    {
                        break;
                    }
                    // What one turn leaves the next has.
                    let rest = nodes - nodes * (number + 1) / TURNS;
                    while left > rest
                        && let Some(used) = prove(&mut *provers[0], &desk, left, budget)
                    {
                        left = left.saturating_sub(used);
                    }
                    if !exchange(network, &*provers[0], &desk, turn, EACH_VISIT) {
                        break;
                    }
                }
            }
            BestEffort::Time(_) => {
                if self.options.threads == 1 {
                    // The search has two thirds of the time.
                    let mut proving = Duration::ZERO;
                    loop {
                        let begun = Instant::now();
                        loop {
                            simulations += network.run(SLICE, budget);
                            if begun.elapsed() >= TURN.max(2 * proving) || budget.is_over() {
                                break;
                            }
                        }
                        if !exchange(network, &*provers[0], &desk, turn, EACH_VISIT)
                            || budget.is_over()
                        {
                            break;
                        }
                        let begun = Instant::now();
                        while begun.elapsed() < TURN
                            && prove(&mut *provers[0], &desk, u64::MAX, budget).is_some()
                        {
                        }
                        proving = begun.elapsed();
                        if !exchange(network, &*provers[0], &desk, turn, EACH_VISIT)
                            || budget.is_over()
                        {
                            break;
                        }
                    }
                } else {
                    simulations = side_by_side(network, provers, &desk, turn, budget);
                }
            }
        }
        let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        (simulations, desk.nodes)
    }

    /// A move of a lost position: what the search likes best, to make it hard for an opponent who does not see
    /// everything.
    fn hardest(&mut self, position: &G::Position) -> G::Move {
        if let Some(best) = self.network.tree().best().filter(|best| best.visits > 0) {
            return best.mv;
        }
        let (_, moves) = self.network.judgement(position);
        let better = |a: (G::Move, f64), b: (G::Move, f64)| if b.1 > a.1 { b } else { a };
        moves.into_iter().reduce(better).expect(NOT_OVER).0
    }
}

/// What search and provers tell each other.
struct Desk<G: Playable> {
    wanted: Vec<Target<G::Position>>,
    plan: ProofPlan<G::Position>,
    /// How many positions were searched.
    nodes: u64,
}

/// The search learns what was proved, and says what it wants; false if the result is known.
fn exchange<G: Playable>(
    network: &mut dyn LedSearch<G>,
    prover: &dyn Prover<G>,
    desk: &Mutex<Desk<G>>,
    turn: &Turn<'_, G>,
    most_each: f64,
) -> bool {
    let tree = network.tree();
    tree.refresh((tree.visits() / (2 * SHARE)).max(2));
    if tree.outcome().is_some() || prover.known(turn.position).is_some() {
        return false;
    }
    let mut wanted = tree.targets((tree.visits() / SHARE).max(2));
    // Where both share a thread a proof should not take longer than the search spends there.
    wanted.retain(|target| target.expected <= most_each * f64::from(target.visits));
    desk.lock().unwrap_or_else(PoisonError::into_inner).wanted = wanted;
    true
}

/// Tries to prove what is wanted most, if that can be done within these positions and the budget. Returns how
/// many positions it took.
fn prove<G: Playable>(
    prover: &mut dyn Prover<G>,
    desk: &Mutex<Desk<G>>,
    most: u64,
    budget: &Budget,
) -> Option<u64> {
    let possible = match budget.time_left() {
        Some(time) => most.min((time.as_secs_f64() * EACH_SECOND) as u64),
        None => most,
    };
    let (position, nodes) = {
        let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
        let Desk { wanted, plan, .. } = &mut *desk;
        let wanted = wanted.iter().map(|target| Wanted {
            key: target.position,
            interest: target.visits.into(),
            expected: target.expected,
        });
        plan.begin(wanted, possible)?
    };
    let own = budget.clone().with_nodes(nodes);
    let answer = prover.judge(&position, Question::Winner, &own, &Unwatched);
    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
    desk.nodes += answer.nodes;
    desk.plan
        .end(position, answer.nodes, answer.outcome.is_some());
    Some(answer.nodes.max(1))
}

/// One thread searches, the others prove. Returns how many simulations were made.
fn side_by_side<G: Playable>(
    network: &mut dyn LedSearch<G>,
    provers: &mut [Box<dyn Prover<G>>],
    desk: &Mutex<Desk<G>>,
    turn: &Turn<'_, G>,
    budget: &Budget,
) -> u64 {
    const PAUSE: Duration = Duration::from_millis(1);
    // It is cancelled when the search ends.
    let own = &Budget::unlimited().with_time(budget.time_left().unwrap_or(Duration::MAX));
    let Some(looker) = provers[0].share() else {
        return network.run(u64::MAX, budget);
    };
    std::thread::scope(|scope| {
        for prover in provers {
            let work = move || {
                while !own.is_over() {
                    if prove(&mut **prover, desk, u64::MAX, own).is_none() {
                        std::thread::sleep(PAUSE);
                    }
                }
            };
            // Where the system starts no more threads the search works alone.
            let _ = start(scope, STACK, work);
        }
        let mut simulations = 0;
        loop {
            let made = network.run(SLICE, budget);
            simulations += made;
            if !exchange(network, &*looker, desk, turn, f64::INFINITY) || budget.is_over() {
                break;
            }
            if made == 0 {
                std::thread::sleep(PAUSE);
            }
        }
        own.cancel();
        simulations
    })
}

impl<G: Playable> Agent<G> for BestAgent<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        let refused = |error: AgentSpecError| Fault(error.to_string());
        self.trail.forget();
        if std::mem::take(&mut self.asked) {
            self.network.forget().map_err(refused)?;
            self.renew().map_err(refused)?;
        }
        Ok(())
    }

    /// A forced move is played at once.
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let mut moves = self.game.moves(turn.position);
        if let (Some(only), None) = (moves.next(), moves.next()) {
            return Ok(Choice::of(only));
        }
        drop(moves);
        self.asked = true;
        let budget = match self.options.effort {
            BestEffort::Time(time) => turn.budget.within(time - MOST_RESERVE.min(time / 20)),
            BestEffort::Work { .. } => turn.budget.clone(),
        };
        let before = self.network.tree().proofs();
        self.follow(turn);
        // On a busy machine, or with cold memory, a few positions may take long.
        let soon = match self.options.effort {
            BestEffort::Time(time) => budget.within(time / 10),
            BestEffort::Work { .. } => budget.clone(),
        };
        let prover = &mut self.provers[0];
        let look = prover.look(turn.position);
        let is_cheap = |look: &Look<_>| look.outcome.is_some() || look.expected <= EXPECTED_FIRST;
        let (mut simulations, mut nodes, mut outcome, mut best) = (0, 0, None, None);
        if look.as_ref().is_none_or(is_cheap) {
            let first = prover.prove(turn.position, FIRST, &soon);
            (nodes, outcome) = (first.nodes, first.outcome);
            best = first.best.filter(|_| outcome == Some(Outcome::Win));
        }
        if outcome.is_none() {
            let (made, more) = self.think(turn, &budget);
            simulations = made;
            nodes += more;
            let tree = self.network.tree();
            outcome = tree
                .outcome()
                .or_else(|| self.provers[0].known(turn.position));
            if outcome == Some(Outcome::Win) {
                let found = tree.best().filter(|best| best.proved == outcome);
                best = found.map(|best| best.mv).or_else(|| {
                    // The position is proved, so that this takes no time.
                    let again = self.provers[0].prove(turn.position, u64::MAX, turn.budget);
                    again.best.filter(|_| again.outcome == Some(Outcome::Win))
                });
                outcome = outcome.filter(|_| best.is_some());
            }
        }
        let effort = simulations + nodes;
        let proofs = self.network.tree().proofs() - before;
        let proved = |mv, outcome| Choice {
            mv,
            evaluation: Some(Evaluation::Proved(outcome)),
            effort,
            remark: Some(format!("proved after {nodes} positions")),
        };
        if let (Some(mv), Some(outcome)) = (best, outcome) {
            return Ok(proved(mv, outcome));
        }
        if let Some(outcome) = outcome {
            return Ok(proved(self.hardest(turn.position), outcome));
        }
        let best = self.network.tree().best().expect(NOT_OVER);
        let relied = match proofs {
            0 => format!("the network, {simulations} simulations, not proved"),
            _ => format!(
                "the network and proofs, {simulations} simulations with {proofs} proved results and {nodes} positions, not proved"
            ),
        };
        Ok(Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: Some(relied),
        })
    }

    /// Games with numbers in place of a time are to repeat, so it does not ponder there.
    fn ponder(&mut self, turn: &Turn<'_, G>) {
        if matches!(self.options.effort, BestEffort::Time(_)) {
            self.asked = true;
            self.follow(turn);
            self.think(turn, turn.budget);
        }
    }
}
