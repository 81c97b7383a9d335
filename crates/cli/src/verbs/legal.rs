//! `legal`: the moves of a position, in the order of the game.

use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{Rules, with_rules};

use crate::board_text;
use crate::failure::Done;
use crate::input::GameArguments;
use crate::output::Output;

/// What and where.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
}

#[derive(Serialize)]
struct Legal {
    moves: Vec<String>,
    over: bool,
    position: String,
    to_move: char,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    with_rules!(&game, |rules, start| list(rules, start, output))
}

fn list<R: Rules>(rules: &R, position: &R::Position, output: &Output) -> Done {
    let moves: Vec<String> = rules
        .moves(position)
        .map(|mv| rules.move_name(mv))
        .collect();
    let legal = Legal {
        over: moves.is_empty(),
        moves,
        position: rules.setup(position).to_string(),
        to_move: rules.letter_to_move(position),
    };
    output.print(&legal, |legal| {
        let board = board_text::draw(rules, position);
        match &legal.moves[..] {
            [] => board,
            [only] => format!("{board}, 1 move:\n{only}"),
            moves => format!("{board}, {} moves:\n{}", moves.len(), moves.join(" ")),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
