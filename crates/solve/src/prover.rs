//! Solvers with static types, as agents use them: a position in, an answer out, and what was found
//! stays known.

use std::path::Path;
use std::time::Duration;

use upstar_games::othello::{self, Reversi};
use upstar_games::{Cells, Clobber, Game, Othello, Position, Rules, clobber};
use upstar_jobs::{Budget, Finding, MemoryLease, Unwatched, Watch};
use upstar_proof::Written;

use crate::answer::{Algorithm, Answer, Outcome, Question};
use crate::clobber::{Need, Settings as ClobberSettings, Solver as ClobberSolver, Weights};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::othello::{Solver as OthelloSolver, plain};
use crate::solver::{Query, Settings};

/// A board made ready for search.
pub trait Prover<G: Game>: Send {
    /// Answers a question about a position, as far as the budget allows.
    fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<G::Move>;

    /// The same without the move that reaches the result, where that is faster.
    fn judge(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<G::Move> {
        self.solve(position, question, budget, watch)
    }

    /// Who wins, and by which move, if both are found within this many positions and the budget.
    fn prove(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Answer<G::Move>;

    /// Who wins, if that is found within this many positions and the budget.
    fn outcome(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Option<Outcome> {
        self.prove(position, most, budget).outcome
    }

    /// The searches whose findings are of use to this one, where they are kept.
    fn search_name(&self) -> Option<SearchName> {
        None
    }

    /// Takes over what an earlier search for this position has found.
    fn remember(&mut self, _position: &G::Position, _findings: &[Finding]) {}

    /// Writes a proof of this answer into a file, which appears only when it is whole.
    ///
    /// # Errors
    /// If the answer is open, there are no proofs of this game, the budget is spent first, or the file
    /// cannot be written.
    fn write_proof(
        &mut self,
        _position: &G::Position,
        _answer: &Answer<G::Move>,
        _file: &Path,
        _budget: &Budget,
        _watch: &dyn Watch,
    ) -> Result<Written, SolveError> {
        Err(SolveError::NoProofs)
    }

    /// Searches with this many threads from now on, at most as many as it was made for.
    fn use_threads(&mut self, _threads: usize) {}

    /// What was learned about the order of moves, if anything was to be.
    fn learned(&self) -> Option<Weights> {
        None
    }

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// A game that can be solved.
pub trait Solvable: Game + Clone + 'static {
    /// How its positions are solved.
    const ALGORITHM: Algorithm;

    /// The name of the rules, to tell what was found by one from what was found by another.
    fn rules_name(&self) -> &'static str;

    /// As much of this memory as a search can make use of within the budget.
    fn affordable(&self, memory: usize, _: &Budget) -> usize {
        memory
    }

    /// Whether a solver would look at this many positions in vain: where hardly any are enough, and
    /// each takes long.
    fn is_hopeless(&self, _: &Self::Position, _nodes: u64) -> bool {
        false
    }

    /// Makes the board ready for positions of at most this many stones. The one way by which value
    /// tables and memory come to a search.
    ///
    /// # Errors
    /// If there is no room, or a table cannot be read.
    fn prepare(
        &self,
        stones: usize,
        settings: &Settings,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Prover<Self>>, SolveError>;
}

/// All moves of a position with the results of best play after them, for the side that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMoves<M>(Vec<(M, Outcome)>);

impl<M: Copy + PartialEq> JudgedMoves<M> {
    /// The result of best play; `None` without moves.
    #[must_use]
    pub fn best(&self) -> Option<Outcome> {
        self.0.iter().map(|(_, outcome)| *outcome).max()
    }

    /// The result after a move; `None` if there is no such move.
    #[must_use]
    pub fn after(&self, mv: M) -> Option<Outcome> {
        let judged = self.0.iter().find(|(judged, _)| *judged == mv);
        judged.map(|(_, outcome)| *outcome)
    }

    /// The moves that keep the result of best play.
    pub fn keeping(&self) -> impl Iterator<Item = M> {
        let best = self.best();
        let keeping = self.0.iter().filter(move |(_, it)| Some(*it) == best);
        keeping.map(|(mv, _)| *mv)
    }

    /// All moves, with the results after them.
    #[must_use]
    pub fn into_moves(self) -> Vec<(M, Outcome)> {
        self.0
    }

    /// Whether this one does.
    #[must_use]
    pub fn keeps(&self, mv: M) -> bool {
        self.keeping().any(|keeping| keeping == mv)
    }

    /// Whether some move does not: a result could be thrown away.
    #[must_use]
    pub fn is_decision(&self) -> bool {
        self.keeping().count() < self.0.len()
    }
}

/// Judges all moves of a position. `None` if it takes more than this many positions, of which each move
/// gets the same share, if there is no hope that they are enough, or if `stop` says so.
pub fn judged_moves<G: Solvable>(
    game: &G,
    prover: &mut dyn Prover<G>,
    position: &G::Position,
    most: u64,
    stop: &dyn Fn() -> bool,
) -> Option<JudgedMoves<G::Move>> {
    let budget = Budget::unlimited();
    let each = most / game.moves(position).count().max(1) as u64;
    if game.is_hopeless(position, each) {
        return None;
    }
    let judged = game.moves(position).map(|mv| {
        if stop() {
            return None;
        }
        let next = game.play_unchecked(position, mv);
        let outcome = match game.score(&next) {
            Some(score) => Outcome::of_score(score),
            None => prover.outcome(&next, each, &budget)?,
        };
        Some((mv, outcome.reversed()))
    });
    judged.collect::<Option<_>>().map(JudgedMoves)
}

/// The memory that a search can make use of in this time, in bytes: fresh memory takes time itself.
#[must_use]
pub fn memory_for(time: Duration) -> usize {
    const EACH_SECOND: f64 = (64 << 20) as f64;
    const LEAST: usize = 1 << 20;
    ((time.as_secs_f64() * EACH_SECOND) as usize).max(LEAST)
}

/// The same budget for at most this many positions.
fn limited(budget: &Budget, most: u64) -> Budget {
    match most {
        u64::MAX => budget.clone(),
        _ => budget.clone().with_nodes(most),
    }
}

fn outcome(win: bool) -> Outcome {
    if win { Outcome::Win } else { Outcome::Loss }
}

impl<B: Cells> Solvable for Clobber<B> {
    const ALGORITHM: Algorithm = Algorithm::Sums;

    fn rules_name(&self) -> &'static str {
        match self.is_cannibal() {
            true => "cannibal",
            false => "clobber",
        }
    }

    fn prepare(
        &self,
        stones: usize,
        settings: &Settings,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Prover<Self>>, SolveError> {
        let memory = query.memory.unwrap_or(settings.memory);
        let need = Need {
            board: self.board(),
            stones,
            cannibal: self.is_cannibal(),
            memory,
            patient: settings.is_patient(budget),
        };
        let values = settings.tables.serving(need, budget, watch)?;
        let own = ClobberSettings {
            memory,
            threads: settings.threads,
            weights: settings.clobber_weights.clone(),
            learn: settings.learn,
            without: settings.without,
            ledger: settings.ledger.clone(),
        };
        let solver = ClobberSolver::new(self, stones, values, &own)?;
        Ok(Box::new(solver))
    }
}

/// Clobber, by sums of components.
impl<B: Cells> Prover<Clobber<B>> for ClobberSolver<B> {
    fn solve(
        &mut self,
        position: &Position<B>,
        _: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<clobber::Move> {
        Self::solve(self, position, budget, watch)
    }

    fn judge(
        &mut self,
        position: &Position<B>,
        _: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<clobber::Move> {
        let (win, nodes) = self.wins(position, budget, watch);
        let (mover, algorithm) = (position.to_move, Algorithm::Sums);
        Answer::of_outcome(mover, algorithm, win.map(outcome), None, nodes)
    }

    fn prove(
        &mut self,
        position: &Position<B>,
        most: u64,
        budget: &Budget,
    ) -> Answer<clobber::Move> {
        let (win, nodes) = self.wins(position, &limited(budget, most), &Unwatched);
        let (best, more) = match win {
            Some(true) => self.winning_move(position, u64::MAX, budget),
            Some(false) => (self.rules().moves(position).next(), 0),
            None => (None, 0),
        };
        // A win without its move is of no use to a player.
        let win = win.filter(|_| best.is_some());
        let (mover, nodes) = (position.to_move, nodes + more);
        Answer::of_outcome(mover, Algorithm::Sums, win.map(outcome), best, nodes)
    }

    fn outcome(&mut self, position: &Position<B>, most: u64, budget: &Budget) -> Option<Outcome> {
        let budget = limited(budget, most);
        let (win, _) = self.wins(position, &budget, &Unwatched);
        win.map(outcome)
    }

    fn search_name(&self) -> Option<SearchName> {
        Some(Self::search_name(self))
    }

    fn remember(&mut self, _: &Position<B>, findings: &[Finding]) {
        for finding in findings {
            Self::remember(self, finding);
        }
    }

    fn write_proof(
        &mut self,
        position: &Position<B>,
        answer: &Answer<clobber::Move>,
        file: &Path,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Written, SolveError> {
        let winner = match answer.outcome.ok_or(SolveError::Open)? {
            Outcome::Win => position.to_move,
            _ => !position.to_move,
        };
        Ok(Self::prove(self, position, winner, file, budget, watch)?)
    }

    fn use_threads(&mut self, threads: usize) {
        Self::use_threads(self, threads);
    }

    fn learned(&self) -> Option<Weights> {
        Self::learned(self)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

/// Othello on at most 64 cells, by the fast search.
struct OthelloProver {
    solver: OthelloSolver,
    lease: MemoryLease,
}

impl Solvable for Othello<u64> {
    const ALGORITHM: Algorithm = Algorithm::AlphaBeta;

    fn rules_name(&self) -> &'static str {
        "othello"
    }

    /// Fresh memory costs time: a search in a hurry does with less of it.
    fn affordable(&self, memory: usize, budget: &Budget) -> usize {
        const EACH_SECOND: f64 = (64 << 20) as f64;
        const EACH_NODE: usize = 64;
        let time = budget.time_left();
        let in_time = time.map(|time| (time.as_secs_f64() * EACH_SECOND) as usize);
        let nodes = budget.node_limit();
        let in_nodes = nodes.map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let in_nodes = in_nodes.map(|nodes| nodes.saturating_mul(EACH_NODE));
        let limits = in_time.into_iter().chain(in_nodes);
        limits.fold(memory, usize::min)
    }

    // A proof takes about 2^n positions with n empty cells, and a good one with luck a quarter of the
    // exponent less. With more of them the search would do nothing but order moves, which is slow.
    fn is_hopeless(&self, position: &Position<u64>, nodes: u64) -> bool {
        is_hopeless(self, position, nodes)
    }

    fn prepare(
        &self,
        _: usize,
        settings: &Settings,
        query: &Query,
        _: &Budget,
        _: &dyn Watch,
    ) -> Result<Box<dyn Prover<Self>>, SolveError> {
        let memory = query.memory.unwrap_or(settings.memory);
        let lease = settings.ledger.up_to(memory, memory.min(1 << 20))?;
        let memory = lease.bytes();
        let solver = OthelloSolver::new(self, memory, settings.threads);
        let mut solver = solver.map_err(|error| SolveError::NoRoom(memory, error))?;
        if query.empties_to_winner {
            solver = solver.with_empties_to_winner();
        }
        if let Some(weights) = &settings.othello_weights {
            let weighted = solver.with_weights(weights);
            solver = weighted.ok_or(SolveError::OtherWeights)?;
        }
        Ok(Box::new(OthelloProver { solver, lease }))
    }
}

impl Prover<Othello<u64>> for OthelloProver {
    fn solve(
        &mut self,
        position: &Position<u64>,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<othello::Move> {
        self.solver.solve(position, question, budget, watch)
    }

    fn prove(
        &mut self,
        position: &Position<u64>,
        most: u64,
        budget: &Budget,
    ) -> Answer<othello::Move> {
        let (question, budget) = (Question::Winner, limited(budget, most));
        self.solver.solve(position, question, &budget, &Unwatched)
    }

    fn search_name(&self) -> Option<SearchName> {
        Some(self.solver.search_name())
    }

    fn remember(&mut self, position: &Position<u64>, findings: &[Finding]) {
        self.solver.remember(position, findings);
    }

    fn use_threads(&mut self, threads: usize) {
        self.solver.use_threads(threads);
    }

    /// Of the score, if that is known, or who wins, or that neither side does.
    fn write_proof(
        &mut self,
        position: &Position<u64>,
        answer: &Answer<othello::Move>,
        file: &Path,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Written, SolveError> {
        let bounds = match (answer.score, answer.bounds) {
            (Some(score), _) => (Some(score), Some(score)),
            (None, Some((1.., _))) => (Some(1), None),
            (None, Some((_, ..0))) => (None, Some(-1)),
            (None, Some((0, 0))) => (Some(0), Some(0)),
            _ => return Err(SolveError::Open),
        };
        let options = upstar_proof::othello::WriteOptions::default();
        let solver = &self.solver;
        Ok(solver.prove(position, bounds, file, &options, budget, watch)?)
    }

    fn bytes(&self) -> usize {
        self.lease.bytes()
    }
}

/// Games with Othello's moves that the fast search does not know.
struct PlainProver<G: Game> {
    solver: plain::Solver<G>,
    lease: MemoryLease,
}

impl<G: Game<Move = othello::Move> + Clone> Prover<G> for PlainProver<G> {
    fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        _: &dyn Watch,
    ) -> Answer<othello::Move> {
        let memory = self.lease.bytes();
        self.solver.solve(position, question, memory, budget)
    }

    fn prove(
        &mut self,
        position: &G::Position,
        most: u64,
        budget: &Budget,
    ) -> Answer<othello::Move> {
        // Its table is filled before each search, so no more of it is used than has to be.
        const LEAST: u64 = 1 << 20;
        const EACH: u64 = 256;
        let enough = most.saturating_mul(EACH).max(LEAST);
        let enough = usize::try_from(enough).unwrap_or(usize::MAX);
        let affordable = budget.time_left().map_or(usize::MAX, memory_for);
        let memory = self.lease.bytes().min(enough).min(affordable);
        let (question, budget) = (Question::Winner, limited(budget, most));
        self.solver.solve(position, question, memory, &budget)
    }

    fn bytes(&self) -> usize {
        self.lease.bytes()
    }
}

fn prepare_plainly<G: Game<Move = othello::Move> + Clone + 'static>(
    game: &G,
    settings: &Settings,
    query: &Query,
) -> Result<Box<dyn Prover<G>>, SolveError> {
    let memory = query.memory.unwrap_or(settings.memory);
    let lease = settings.ledger.up_to(memory, memory.min(1 << 20))?;
    Ok(Box::new(PlainProver {
        solver: plain::Solver::new(game, query.empties_to_winner, lease.bytes())?,
        lease,
    }))
}

fn is_hopeless<G: Game>(game: &G, position: &G::Position, nodes: u64) -> bool {
    let left = game.plies_left(position) / 2;
    0.75 * f64::from(left) > (nodes.max(1) as f64).log2()
}

macro_rules! plainly {
    ($game:ty, $name:literal, $hopeless:expr) => {
        impl Solvable for $game {
            const ALGORITHM: Algorithm = Algorithm::AlphaBeta;

            fn rules_name(&self) -> &'static str {
                $name
            }

            fn is_hopeless(&self, position: &Self::Position, nodes: u64) -> bool {
                $hopeless && is_hopeless(self, position, nodes)
            }

            fn prepare(
                &self,
                _: usize,
                settings: &Settings,
                query: &Query,
                _: &Budget,
                _: &dyn Watch,
            ) -> Result<Box<dyn Prover<Self>>, SolveError> {
                prepare_plainly(self, settings, query)
            }
        }
    };
}

plainly!(Othello<u128>, "othello", true);
plainly!(Reversi<u64>, "reversi", false);
plainly!(Reversi<u128>, "reversi", false);
