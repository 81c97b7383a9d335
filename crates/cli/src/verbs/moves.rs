//! `moves`: the exact result of every move.

use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{AnyGame, Cells, Clobber, Game, Othello, Position, othello};
use upstar_jobs::Budget;
use upstar_solve::Outcome;
use upstar_solve::othello::plain;

use super::solve::winner;
use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::SearchProgress;
use crate::search::{Counting, SearchArguments, value_tables};

/// Where, and how hard.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Othello: only find out who wins, which is faster than by how many discs
    #[arg(long)]
    winners: bool,
    /// Othello: cells that stay empty count for the winner, as in tournaments
    #[arg(long)]
    empties_to_winner: bool,
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
    let is_clobber = matches!(game, AnyGame::Clobber64(..) | AnyGame::Clobber128(..));
    if is_clobber && (arguments.winners || arguments.empties_to_winner) {
        return Err(Failure::input(
            "--winners and --empties-to-winner are for Othello, which has scores",
            "upstar moves othello 4x4 --winners",
        ));
    }
    let moves = match &game {
        AnyGame::Clobber64(rules, start) => clobber(arguments, rules, start, &budget)?,
        AnyGame::Clobber128(rules, start) => clobber(arguments, rules, start, &budget)?,
        AnyGame::Othello64(rules, start) => othello(arguments, rules, start, &budget)?,
        AnyGame::Othello128(rules, start) => plainly(arguments, rules, start, &budget),
        AnyGame::Reversi64(rules, start) => plainly(arguments, rules, start, &budget),
        AnyGame::Reversi128(rules, start) => plainly(arguments, rules, start, &budget),
        AnyGame::Solitaire(..) | AnyGame::Colors(..) => {
            let game = arguments.game.game;
            let sentence = format!("{game} has no two sides, one of which could win");
            return Err(Failure::input(sentence, "upstar moves clobber 4x4"));
        }
    };
    let proved = moves.iter().all(|judged| judged.proved);
    output.print(&Moves { moves }, |moves| {
        let mut text = Vec::new();
        let of = |winner: Option<&str>| {
            let these = moves
                .moves
                .iter()
                .filter(|judged| judged.winner.as_deref() == winner);
            these.map(Judged::text).collect::<Vec<_>>().join(" ")
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

impl Judged {
    /// The move, with its score if that is known.
    fn text(&self) -> String {
        match self.score {
            Some(score) if score != 0 => format!("{} ({score:+})", self.r#move),
            _ => self.r#move.clone(),
        }
    }
}

/// What is known of the position after a move: the result for the side to move there, and the score
/// for `x`.
type Known = (Option<Outcome>, Option<i32>);

/// Every move with the result of what follows it; `exact` says whether scores are wanted.
fn judged<G: Game>(
    game: &G,
    start: &G::Position,
    exact: bool,
    budget: &Budget,
    mut solve: impl FnMut(&G::Position) -> Known,
) -> Vec<Judged> {
    let judge = |mv: G::Move| {
        let next = game.play_unchecked(start, mv);
        let (outcome, score) = if budget.is_over() {
            (None, None)
        } else {
            solve(&next)
        };
        Judged {
            r#move: game.move_name(mv),
            winner: outcome.map(|outcome| winner(outcome, game.to_move(&next))),
            score,
            proved: outcome.is_some() && (score.is_some() || !exact),
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
        judged(rules, start, false, budget, |next| {
            let (win, _) = solver.wins(next, budget, &progress);
            let outcome = win.map(|win| if win { Outcome::Win } else { Outcome::Loss });
            (outcome, None)
        })
    }))
}

fn othello(
    arguments: &Arguments,
    rules: &Othello<u64>,
    start: &Position<u64>,
    budget: &Budget,
) -> Result<Vec<Judged>, Failure> {
    let counting = arguments.counting();
    let solver = arguments.search.othello_solver(rules, &counting)?;
    let progress = SearchProgress::default();
    Ok(progress.during(|| {
        judged(rules, start, counting.exact, budget, |next| {
            let solved = solver.solve(next, counting.question(), budget, &progress);
            (solved.verdict.outcome, solved.score)
        })
    }))
}

/// For boards and variants of Othello that the fast solver does not know.
fn plainly<G: Game<Move = othello::Move>>(
    arguments: &Arguments,
    rules: &G,
    start: &G::Position,
    budget: &Budget,
) -> Vec<Judged> {
    let counting = arguments.counting();
    let (question, memory) = (counting.question(), arguments.search.memory());
    judged(rules, start, counting.exact, budget, |next| {
        let to_winner = counting.empties_to_winner;
        let solved = plain::solve(rules, next, question, to_winner, memory, budget);
        (solved.verdict.outcome, solved.score)
    })
}

impl Arguments {
    fn counting(&self) -> Counting {
        Counting {
            exact: !self.winners,
            empties_to_winner: self.empties_to_winner,
            weights: None,
        }
    }
}
