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
    let over = moves.is_empty();
    output.print(&Legal { moves, over }, |legal| {
        let board = board_text::draw(&rules.setup(position));
        if legal.over {
            return format!("{board}\nThe game is over.");
        }
        let letter = rules.letter_to_move(position);
        let (count, names) = (legal.moves.len(), legal.moves.join(" "));
        let noun = if count == 1 { "move" } else { "moves" };
        format!("{board}\n{letter} to move, {count} {noun}:\n{names}")
    })?;
    Ok(ExitCode::SUCCESS)
}
