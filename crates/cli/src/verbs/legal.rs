//! `legal`: the moves of a position, in the order of the game.

use std::process::ExitCode;

use serde::Serialize;

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
    let legal = Legal {
        moves: game.legal(),
        over: game.is_over(),
        position: game.to_string(),
        to_move: game.side_to_move().letter(),
    };
    output.print(&legal, |legal| {
        let board = board_text::draw_game(&game);
        match &legal.moves[..] {
            [] => board,
            [only] => format!("{board}, 1 move:\n{only}"),
            moves => format!("{board}, {} moves:\n{}", moves.len(), moves.join(" ")),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
