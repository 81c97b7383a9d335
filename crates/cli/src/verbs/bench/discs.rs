//! `bench solve othello`: problems of the French federation, endings of our own, and small boards.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;
use upstar_games::othello::obf::Problem;
use upstar_games::{AnyGame, Variant};
use upstar_jobs::Budget;
use upstar_solve::othello::bench;
use upstar_solve::{Answer, Query, Question, Solver, Unwatched};

use super::solve::{Arguments, Measured};
use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::SearchProgress;
use crate::search::refused;
use crate::verbs::solve::prepare;

/// Boards from easy to hard, and what is asked about them.
const SUITE: [(&str, Question); 6] = [
    ("4x8", Question::Score),
    ("5x6", Question::Score),
    ("5x7", Question::Score),
    ("5x8", Question::Winner),
    ("6x6", Question::Winner),
    ("6x6", Question::Score),
];

/// Measures a position, or the whole list; tells of each, and whether it was proved and right.
pub(super) fn run(
    arguments: &Arguments,
    game: Variant,
    budget: &Budget,
    tell: Tell<'_>,
) -> Result<(), Failure> {
    if let Some(position) = &arguments.position {
        let question = if arguments.winner {
            Question::Winner
        } else {
            Question::Score
        };
        return tell(board(arguments, game, position, question, budget)?);
    }
    if let Some(numbers) = &arguments.endings {
        return problems("", &bench::endings(), numbers, arguments, budget, tell);
    }
    let federal = |numbers: &RangeInclusive<usize>, tell: Tell<'_>| {
        problems("FFO ", &bench::problems(), numbers, arguments, budget, tell)
    };
    if let Some(numbers) = &arguments.problems {
        return federal(numbers, tell);
    }
    federal(&(40..=45), &mut *tell)?;
    for (position, question) in SUITE {
        if !budget.is_stopped() {
            tell(board(arguments, game, position, question, budget)?)?;
        }
    }
    Ok(())
}

/// Who hears of what was measured.
type Tell<'t> = &'t mut dyn FnMut(Measured) -> Result<(), Failure>;

fn problems(
    of: &str,
    problems: &[Problem],
    numbers: &RangeInclusive<usize>,
    arguments: &Arguments,
    budget: &Budget,
    tell: Tell<'_>,
) -> Result<(), Failure> {
    let search = &arguments.search;
    let mut clocks = Clocks::start();
    let mut told = Ok(());
    let mut each = |attempt: bench::Attempt| {
        let mut measured = clocks.measured(arguments, &attempt.answer);
        measured.position = format!("{of}#{}", attempt.number);
        measured.looked = Some(attempt.looked);
        measured.proved = match attempt.problem.score() {
            Some(_) => attempt.is_right() == Some(true),
            None => attempt.answer.score.is_some(),
        };
        if told.is_ok() {
            told = tell(measured);
        }
        clocks = Clocks::start();
    };
    bench::run(
        problems,
        numbers.clone(),
        search.memory(),
        search.threads(),
        &search.renewed(budget),
        &mut each,
    )
    .map_err(|error| Failure::input(error, "--memory 1G"))?;
    told
}

fn board(
    arguments: &Arguments,
    game: Variant,
    position: &str,
    question: Question,
    budget: &Budget,
) -> Result<Measured, Failure> {
    let opened = GameArguments::new(game, position, None, &[]).open()?;
    let AnyGame::Othello64(..) = &opened else {
        let sentence = format!("{game} {position} has no fast solver to measure");
        return Err(Failure::input(sentence, "upstar bench solve othello 5x6"));
    };
    let query = Query {
        question,
        ..Query::default()
    };
    let budget = arguments.search.renewed(budget);
    let solver = Solver::new(arguments.search.settings());
    let progress = SearchProgress::default();
    prepare(&solver, &opened, &query, &budget, &progress).map_err(|error| refused(&error))?;
    let clocks = Clocks::start();
    let answer = solver.solve(&opened, &query, &budget, &Unwatched);
    let answer = answer.map_err(|error| refused(&error))?;
    let mut measured = clocks.measured(arguments, &answer);
    measured.position = position.to_owned();
    Ok(measured)
}

#[derive(Serialize)]
struct RandomEndings {
    endings: u64,
    wrong: u64,
}

/// Solves random endings with 8 empty cells, and compares with all lines of play.
pub(super) fn random(count: u64, output: &Output) -> Done {
    let wrong = bench::wrong_endings(count, 8, 2026);
    let wrong = wrong.map_err(|error| Failure::input(error, "--random 2000"))?;
    let found = RandomEndings {
        endings: count,
        wrong,
    };
    output.print(&found, |found| {
        let (endings, wrong) = (found.endings, found.wrong);
        format!("{endings} random endings with 8 empty cells, {wrong} solved wrongly")
    })?;
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

/// Time by the clock, and that which the processor spent.
struct Clocks(Instant, ProcessTime);

impl Clocks {
    fn start() -> Self {
        Self(Instant::now(), ProcessTime::now())
    }

    fn measured<M>(&self, arguments: &Arguments, answer: &Answer<M>) -> Measured {
        let threads = arguments.search.threads();
        let seconds = match threads {
            1 => self.1.elapsed(),
            _ => self.0.elapsed(),
        };
        Measured {
            position: String::new(),
            without: None,
            winner: answer.winner().map(str::to_owned),
            score: answer.score,
            proved: answer.outcome.is_some(),
            nodes: answer.nodes,
            looked: None,
            seconds: seconds.as_secs_f64(),
            nodes_per_second: answer.nodes as f64 / seconds.as_secs_f64().max(1e-9),
            threads,
        }
    }
}
