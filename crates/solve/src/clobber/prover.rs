//! Clobber for the one solver: the value table that serves a board, and the search by sums.

use std::path::Path;

use upstar_games::{Cells, Clobber, Position, Rules, clobber};
use upstar_jobs::{Budget, Finding, Unwatched, Watch};
use upstar_proof::Written;

use super::{Need, Settings as ClobberSettings, Solver as ClobberSolver};
use crate::answer::{Algorithm, Answer, Outcome, Question};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::prover::{Look, Prover, Solvable, limited};
use crate::solver::{Query, Settings};

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

    fn known(&self, position: &Position<B>) -> Option<Outcome> {
        self.known_result(position).map(outcome)
    }

    fn look(&self, position: &Position<B>) -> Option<Look<Position<B>>> {
        Some(Self::look(self, position))
    }

    fn warm(&mut self) {
        Self::warm(self);
    }

    fn share(&self) -> Option<Box<dyn Prover<Clobber<B>>>> {
        Some(Box::new(Self::share(self)))
    }

    fn use_threads(&mut self, threads: usize) {
        Self::use_threads(self, threads);
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

fn outcome(win: bool) -> Outcome {
    if win { Outcome::Win } else { Outcome::Loss }
}
