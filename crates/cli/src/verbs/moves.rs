//! `moves`: the exact result of every move.

use std::process::ExitCode;

use serde::Serialize;
use upstar_games::AnyGame;
use upstar_solve::{MoveAnswer, Query, Question, SolveError, Solver};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, refused};

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
    let query = Query {
        question: match arguments.winners {
            true => Question::Winner,
            false => Question::Score,
        },
        empties_to_winner: arguments.empties_to_winner,
        ..Query::default()
    };
    let solver = Solver::new(arguments.search.settings());
    let progress = SearchProgress::default();
    let moves = progress.during(|| solver.moves(&game, &query, &budget, &progress));
    let moves = moves.map_err(|error| match error {
        SolveError::NotForTwo => {
            let game = arguments.game.game;
            let sentence = format!("{game} does not have two sides");
            Failure::input(sentence, "upstar moves clobber 4x4")
        }
        error => refused(&error),
    })?;
    let moves: Vec<Judged> = moves.into_iter().map(Judged::of).collect();
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
            (None, "? (not proved within the limits)"),
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
    fn of(judged: MoveAnswer) -> Self {
        let answer = judged.answer;
        Self {
            r#move: judged.mv,
            winner: answer.winner().map(str::to_owned),
            score: answer.score,
            proved: answer.proved,
        }
    }

    /// The move, with its score if that is known.
    fn text(&self) -> String {
        match self.score {
            Some(score) if score != 0 => format!("{} ({score:+})", self.r#move),
            _ => self.r#move.clone(),
        }
    }
}
