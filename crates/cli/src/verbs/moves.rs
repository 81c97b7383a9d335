//! `moves`: the exact result of every move.

use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{AnyGame, Cells, Clobber, Game, Position, with_game};
use upstar_solve::{Budget, Outcome, classic};

use super::solve::winner;
use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, value_tables};

/// Where, and how hard.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    search: SearchArguments,
}

#[derive(Serialize)]
struct Moves {
    moves: Vec<Judged>,
}

#[derive(Serialize)]
struct Judged {
    r#move: String,
    winner: Option<String>,
    score: Option<i32>,
    proved: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    let budget = arguments.search.budget();
    let moves = match &game {
        AnyGame::Clobber64(rules, start) => clobber(arguments, rules, start, &budget)?,
        AnyGame::Clobber128(rules, start) => clobber(arguments, rules, start, &budget)?,
        other => with_game!(
            other,
            |rules, start| judged(rules, start, &budget, |next| {
                let memory = arguments.search.memory();
                let verdict =
                    classic::solve(classic::Algorithm::NegamaxTt, rules, next, memory, &budget);
                verdict.outcome
            }),
            {
                let sentence = format!(
                    "{} has no two sides, one of which could win",
                    arguments.game.game
                );
                return Err(Failure::input(sentence, "upstar moves clobber 4x4"));
            }
        ),
    };
    let proved = moves.iter().all(|judged| judged.proved);
    output.print(&Moves { moves }, |moves| {
        let mut text = Vec::new();
        let of = |winner: Option<&str>| {
            let these = moves
                .moves
                .iter()
                .filter(|judged| judged.winner.as_deref() == winner);
            these
                .map(|judged| judged.r#move.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        for (winner, what) in [
            (Some("x"), "x wins"),
            (Some("o"), "o wins"),
            (Some("draw"), "a draw"),
            (None, "?"),
        ] {
            let these = of(winner);
            if !these.is_empty() {
                text.push(format!("{what}: {these}"));
            }
        }
        if text.is_empty() {
            text.push("no move: the game is over".to_owned());
        }
        text.join("\n")
    })?;
    Ok(ExitCode::from(u8::from(!proved)))
}

/// Every move with the result of what follows it.
fn judged<G: Game>(
    game: &G,
    start: &G::Position,
    budget: &Budget,
    mut solve: impl FnMut(&G::Position) -> Option<Outcome>,
) -> Vec<Judged> {
    let judge = |mv: G::Move| {
        let next = game.play_unchecked(start, mv);
        let outcome = if budget.is_over() { None } else { solve(&next) };
        Judged {
            r#move: game.move_name(mv),
            winner: outcome.map(|outcome| winner(outcome, game.to_move(&next))),
            score: None,
            proved: outcome.is_some(),
        }
    };
    game.moves(start).map(judge).collect()
}

fn clobber<B: Cells>(
    arguments: &Arguments,
    rules: &Clobber<B>,
    start: &Position<B>,
    budget: &Budget,
) -> Result<Vec<Judged>, Failure> {
    let mut solver =
        arguments
            .search
            .solver(&value_tables(), rules, start, &arguments.search.settings())?;
    let progress = SearchProgress::default();
    Ok(progress.during(|| {
        judged(rules, start, budget, |next| {
            let (win, _) = solver.wins(next, budget, &progress);
            win.map(|win| if win { Outcome::Win } else { Outcome::Loss })
        })
    }))
}
