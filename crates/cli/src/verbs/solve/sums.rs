//! Clobber, solved as a sum of components.

use std::time::Instant;

use upstar_games::{Cells, Clobber, Position};
use upstar_jobs::Budget;
use upstar_solve::Journal;
use upstar_solve::clobber::{Settings, Solved as Proved, ValueTables, Watch, Weights};
use upstar_solve::run::SolveRun;

use super::{Algorithm, Arguments, Solved, keep, proof, refused, session};
use crate::failure::{Failure, shown};
use crate::input;
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, value_tables};

/// Results that took this many nodes are kept: about a tenth of a second's work.
const WORTH_KEEPING: u64 = 1 << 16;

/// Solves a position.
pub(super) fn solve<B: Cells>(
    arguments: &Arguments,
    tables: &ValueTables,
    rules: &Clobber<B>,
    start: &Position<B>,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let settings = settings(arguments)?;
    let mut solver = arguments.search.solver(tables, rules, start, &settings)?;
    let begun = Instant::now();
    let progress = SearchProgress::default();
    let verdict = progress.during(|| solver.solve(start, budget, &progress));
    if let (Some(file), Some(weights)) = (&arguments.learn, solver.learned()) {
        std::fs::write(file, weights.to_bytes()).map_err(|error| Failure::file(file, &error))?;
    }
    let solved = Solved::new(rules, start, &verdict, begun.elapsed(), Algorithm::Sums);
    if let (Some(file), Some(outcome)) = (&arguments.proof, verdict.outcome) {
        proof::write(&mut solver, start, outcome, file, budget)?;
    }
    Ok(solved)
}

/// Goes on with a run, from its beginning or wherever it is.
pub(super) fn go_on<B: Cells>(
    run: &SolveRun,
    search: &SearchArguments,
    settings: &Settings,
    rules: &Clobber<B>,
    start: &Position<B>,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let mut solver = search.solver(&value_tables(), rules, start, settings)?;
    let journal = run.journal(solver.values());
    let (journal, before) = journal.map_err(|error| refused(&error))?;
    for result in before {
        solver.remember(result);
    }
    let begun = Instant::now();
    let progress = SearchProgress::default();
    let watch = Keeping {
        journal: &journal,
        progress: &progress,
    };
    let verdict = progress.during(|| solver.solve(start, budget, &watch));
    let (refuted, of) = progress.first_moves_refuted();
    let solved = Solved::new(rules, start, &verdict, begun.elapsed(), Algorithm::Sums);
    let mut session = session(&solved, settings.threads, settings.memory);
    session.first_moves_refuted = Some(refuted);
    session.first_moves = Some(of);
    let solved = keep(run, solved, &session)?;
    if let (Some(file), Some(outcome)) = (&run.config().proof, verdict.outcome) {
        proof::write(&mut solver, start, outcome, file, budget)?;
    }
    Ok(solved)
}

/// How to search, with what was learned before.
pub(super) fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let mut settings = arguments.search.settings();
    settings.learn = arguments.learn.is_some();
    let file = match (&arguments.learn, &arguments.weights) {
        (Some(file), _) if file.exists() => file,
        (None, Some(file)) => file,
        _ => return Ok(settings),
    };
    let bytes = input::read_file(file, 1 << 20)?;
    let weights = Weights::from_bytes(&bytes).ok_or_else(|| {
        let sentence = format!("{} holds no weights, or is damaged", shown(file));
        Failure::input(sentence, "--learn with the name of a new file")
    })?;
    settings.weights = Some(weights);
    Ok(settings)
}

/// Keeps what was found, and shows progress.
struct Keeping<'a> {
    journal: &'a Journal<Proved>,
    progress: &'a SearchProgress,
}

impl Watch for Keeping<'_> {
    fn least(&self) -> u64 {
        WORTH_KEEPING
    }

    fn solved(&self, result: Proved) {
        // What cannot be written now is found again later.
        let _ = self.journal.add(&result);
    }

    fn first_moves(&self, refuted: usize, of: usize) {
        self.progress.first_moves(refuted, of);
    }

    fn nodes(&self, nodes: u64) {
        Watch::nodes(self.progress, nodes);
    }

    fn fill(&self, share: f64) {
        self.progress.fill(share);
    }
}
