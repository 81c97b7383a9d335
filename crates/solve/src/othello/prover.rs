//! Othello and Reversi for the one solver: the fast search where it serves, the plain one elsewhere.

use std::path::Path;

use upstar_games::othello::{self, Reversi};
use upstar_games::{Game, Othello, Position};
use upstar_jobs::{Budget, Finding, MemoryLease, Watch};
use upstar_proof::Written;

use super::{Solver as OthelloSolver, plain};
use crate::answer::{Algorithm, Answer, Question};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::prover::{Prover, Solvable, fresh_memory, limited, memory_for};
use crate::solver::{Query, Settings};

/// The memory that is asked for, or less where there is less, a megabyte at least.
fn leased(settings: &Settings, query: &Query) -> Result<MemoryLease, SolveError> {
    const LEAST: usize = 1 << 20;
    let memory = query.memory.unwrap_or(settings.memory);
    Ok(settings.ledger.up_to(memory, memory.min(LEAST))?)
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
        const EACH_NODE: usize = 64;
        let in_time = budget.time_left().map(fresh_memory);
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
        let lease = leased(settings, query)?;
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
    let lease = leased(settings, query)?;
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
