//! Othello: who wins, and by how many discs.

use std::path::Path;
use std::time::Instant;

use upstar_games::othello::Move;
use upstar_games::{AnyGame, Game, Othello, Position};
use upstar_jobs::Budget;
use upstar_solve::Journal;
use upstar_solve::othello::{Finding, Progress, Question, Solved as Found, Watch, plain};
use upstar_solve::run::SolveRun;

use super::{Algorithm, Solved, keep, proof, refused, session};
use crate::failure::Failure;
use crate::progress::SearchProgress;
use crate::search::{Counting, SearchArguments};

/// Results that took this many nodes are kept: about a tenth of a second's work.
const WORTH_KEEPING: u64 = 1 << 20;

/// Solves a position: quickly on boards of at most 64 cells, and in a plain way elsewhere.
pub(super) fn solve(
    search: &SearchArguments,
    counting: &Counting,
    game: &AnyGame,
    proof: Option<&Path>,
    budget: &Budget,
) -> Option<Result<Solved, Failure>> {
    Some(match game {
        AnyGame::Othello64(rules, start) => quick(search, counting, rules, start, proof, budget),
        _ if proof.is_some() => Err(Failure::input(
            "--proof is for Othello (not Reversi) on boards of at most 64 cells",
            "upstar solve othello 4x5 --proof FILE",
        )),
        AnyGame::Othello128(rules, start) => Ok(slow(search, counting, rules, start, budget)),
        AnyGame::Reversi64(rules, start) => Ok(slow(search, counting, rules, start, budget)),
        AnyGame::Reversi128(rules, start) => Ok(slow(search, counting, rules, start, budget)),
        _ => return None,
    })
}

fn quick(
    search: &SearchArguments,
    counting: &Counting,
    rules: &Othello<u64>,
    start: &Position<u64>,
    proof: Option<&Path>,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let solver = search.othello_solver(rules, counting)?;
    let begun = Instant::now();
    let progress = SearchProgress::default();
    let found = progress.during(|| solver.solve(start, counting.question(), budget, &progress));
    let solved = told(rules, start, counting.question(), &found, begun);
    if let (Some(file), true) = (proof, solved.proved) {
        proof::write_discs(&solver, start, &found, file, budget)?;
    }
    Ok(solved)
}

fn slow<G: Game<Move = Move>>(
    search: &SearchArguments,
    counting: &Counting,
    rules: &G,
    start: &G::Position,
    budget: &Budget,
) -> Solved {
    let begun = Instant::now();
    let found = plain::solve(
        rules,
        start,
        counting.question(),
        counting.empties_to_winner,
        search.memory(),
        budget,
    );
    told(rules, start, counting.question(), &found, begun)
}

/// Goes on with a run, from its beginning or wherever it is.
pub(super) fn go_on(
    run: &SolveRun,
    search: &SearchArguments,
    counting: &Counting,
    rules: &Othello<u64>,
    start: &Position<u64>,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let solver = search.othello_solver(rules, counting)?;
    let journal = run.journal(solver.kind());
    let (journal, before) = journal.map_err(|error| refused(&error))?;
    solver.remember(start, &before);
    let progress = SearchProgress::default();
    let watch = Keeping {
        journal: &journal,
        progress: &progress,
    };
    let begun = Instant::now();
    let found = progress.during(|| solver.solve(start, counting.question(), budget, &watch));
    let solved = told(rules, start, counting.question(), &found, begun);
    let session = session(&solved, search.threads(), search.memory());
    let solved = keep(run, solved, &session)?;
    if let (Some(file), true) = (&run.config().proof, solved.proved) {
        proof::write_discs(&solver, start, &found, file, budget)?;
    }
    Ok(solved)
}

fn told<G: Game<Move = Move>>(
    rules: &G,
    start: &G::Position,
    question: Question,
    found: &Found,
    begun: Instant,
) -> Solved {
    let line = found.line.iter().map(|&mv| rules.move_name(mv));
    let size = rules.setup(start).board.cells().count_ones() as i32;
    let (lower, upper) = found.bounds;
    let winner_known = found.verdict.outcome.is_some();
    Solved {
        proved: winner_known && (found.score.is_some() || question == Question::Winner),
        score: found.score,
        // That a score is not larger than the board is no news.
        bounds: (lower > -size || upper < size).then_some((lower, upper)),
        line: line.collect(),
        ..Solved::new(
            rules,
            start,
            &found.verdict,
            begun.elapsed(),
            Algorithm::AlphaBeta,
        )
    }
}

/// Keeps what was found, and shows progress.
struct Keeping<'a> {
    journal: &'a Journal<Finding>,
    progress: &'a SearchProgress,
}

impl Watch for Keeping<'_> {
    fn progress(&self, progress: Progress) {
        self.progress.progress(progress);
    }

    fn least(&self) -> u64 {
        WORTH_KEEPING
    }

    fn found(&self, finding: Finding) {
        // What cannot be written now is found again later.
        let _ = self.journal.add(&finding);
    }
}
