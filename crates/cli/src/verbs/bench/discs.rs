//! `bench solve othello`: the problems #40 to #45 of the French federation, and small boards.

use std::time::Instant;

use cpu_time::ProcessTime;
use upstar_games::{AnyGame, Variant};
use upstar_jobs::Budget;
use upstar_solve::othello::bench;
use upstar_solve::{Answer, Query, Question, Solver, Unwatched};

use super::solve::{Arguments, Measured};
use crate::failure::Failure;
use crate::input::GameArguments;
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
    tell: &mut dyn FnMut(Measured) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(position) = &arguments.position {
        let question = if arguments.winner {
            Question::Winner
        } else {
            Question::Score
        };
        return tell(board(arguments, game, position, question, budget)?);
    }
    problems(arguments, budget, tell)?;
    for (position, question) in SUITE {
        if !budget.is_stopped() {
            tell(board(arguments, game, position, question, budget)?)?;
        }
    }
    Ok(())
}

fn problems(
    arguments: &Arguments,
    budget: &Budget,
    tell: &mut dyn FnMut(Measured) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let search = &arguments.search;
    let mut clocks = Clocks::start();
    let mut told = Ok(());
    let mut each = |attempt: bench::Attempt| {
        let mut measured = clocks.measured(arguments, &attempt.answer);
        measured.position = format!("FFO #{}", attempt.number);
        measured.proved = attempt.is_right() == Some(true);
        if told.is_ok() {
            told = tell(measured);
        }
        clocks = Clocks::start();
    };
    bench::run(
        40..=45,
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
            seconds: seconds.as_secs_f64(),
            nodes_per_second: answer.nodes as f64 / seconds.as_secs_f64().max(1e-9),
            threads,
        }
    }
}
