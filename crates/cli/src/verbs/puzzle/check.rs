//! `puzzle --check`: whether puzzles are right, by proofs that are checked by the rules alone.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_analysis::{Puzzle, PuzzleCheck};
use upstar_jobs::Ledger;
use upstar_solve::{Settings, Solver};

use super::{Arguments, read};
use crate::failure::{Done, Failure};
use crate::output::{Output, counted, grouped};
use crate::progress::Progress;
use crate::search::{budget, value_tables};

/// The memory of each search, and again of each check.
const MEMORY: usize = 128 << 20;

const EXAMPLE: &str = "upstar puzzle --check FILE --threads 1";

/// A puzzle that was checked.
#[derive(Serialize)]
struct Line<'a> {
    puzzle: usize,
    game: &'a str,
    position: &'a str,
    to_move: char,
    solution: &'a str,
    right: bool,
    proofs: usize,
    ended: usize,
    bytes: u64,
    reason: Option<String>,
}

impl Line<'_> {
    fn sentence(&self) -> String {
        let Self {
            puzzle,
            game,
            position,
            to_move,
            solution,
            ..
        } = self;
        let reason = self.reason.as_deref().unwrap_or_default();
        format!(
            "puzzle {puzzle} is wrong: {game} {position} {to_move} to move, {solution}: {reason}"
        )
    }
}

#[derive(Default, Serialize)]
struct Summary {
    puzzles: usize,
    checked: usize,
    right: usize,
    /// Proofs that were written and accepted, and their size.
    proofs: usize,
    bytes: u64,
    /// Moves that end the game, for which no proof is needed.
    ended: usize,
    seconds: f64,
}

/// Why the number of legal moves that a puzzle has is wrong.
fn miscounted(puzzle: &Puzzle) -> Option<String> {
    let legal = puzzle.open().ok()?.legal().len();
    let says = puzzle.moves;
    (legal != says)
        .then(|| format!("it says that there are {says} legal moves, and there are {legal}"))
}

pub(super) fn run(arguments: &Arguments, file: Option<&Path>, output: &Output) -> Done {
    let puzzles = match file {
        Some(file) => read(file)?,
        None => Puzzle::shipped(),
    };
    if puzzles.is_empty() {
        let sentence = "the file has no puzzles";
        return Err(Failure::input(sentence, EXAMPLE));
    }
    let scratch = std::env::temp_dir().join(format!("upstar-puzzles-{}", std::process::id()));
    let folder = arguments.proofs.as_deref().unwrap_or(&scratch);
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let threads = arguments.threads.number();
    let ledger = Ledger::new(2 * MEMORY * threads, threads);
    let settings = Settings {
        memory: MEMORY,
        tables: value_tables().with_ledger(&ledger),
        ledger,
        ..Settings::default()
    };
    let check = PuzzleCheck {
        solver: Solver::new(settings),
        folder,
        keep: arguments.proofs.is_some(),
        threads,
    };
    let begun = Instant::now();
    let progress = Progress::new(puzzles.len() as u64, "checking puzzles");
    let mut summary = Summary {
        puzzles: puzzles.len(),
        ..Summary::default()
    };
    let mut wrong = Vec::new();
    let mut failed = Ok(());
    let budget = budget(None);
    let all = check.check(&puzzles, &budget, &mut |puzzle, checked| {
        progress.step();
        let reason = checked.fault.map(|fault| fault.to_string());
        let reason = reason.or_else(|| miscounted(puzzle));
        let right = reason.is_none();
        summary.checked += 1;
        summary.right += usize::from(right);
        summary.proofs += checked.proofs;
        summary.bytes += checked.bytes;
        summary.ended += checked.ended;
        let line = Line {
            puzzle: summary.checked,
            game: &puzzle.game,
            position: &puzzle.position,
            to_move: puzzle.to_move,
            solution: &puzzle.solution,
            right,
            proofs: checked.proofs,
            ended: checked.ended,
            bytes: checked.bytes,
            reason,
        };
        if !right {
            wrong.push(line.sentence());
        }
        if let Err(error) = output.happened(&line) {
            failed = Err(error);
            budget.cancel();
        }
    });
    progress.finish();
    if arguments.proofs.is_none() {
        // Left behind it would do no harm.
        let _ = fs::remove_dir_all(&scratch);
    }
    all.map_err(|error| Failure::input(error, EXAMPLE))?;
    failed?;
    summary.seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    output.print(&summary, |summary| {
        let Summary {
            checked,
            right,
            seconds,
            ..
        } = summary;
        let of = match *checked < summary.puzzles {
            true => format!(" of {}", summary.puzzles),
            false => String::new(),
        };
        let words = format!(
            "{}{of} checked, {right} right: {} accepted ({} bytes), {} ended by the rules, {seconds:.1} s",
            counted(*checked as u64, "puzzle"),
            counted(summary.proofs as u64, "proof"),
            grouped(summary.bytes),
            counted(summary.ended as u64, "move"),
        );
        wrong.iter().cloned().chain([words]).collect::<Vec<_>>().join("\n")
    })?;
    Ok(ExitCode::from(u8::from(summary.right < summary.puzzles)))
}
