//! `show`: a position in the terminal or as a picture.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use crate::board_text;
use crate::failure::Done;
use crate::input::{GameArguments, unplayable};
use crate::output::{Output, check_ending, write_file};

/// What, where and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Write the picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Mark this legal move in the picture
    #[arg(long, value_name = "MOVE", requires = "svg")]
    arrow: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    position: String,
    to_move: char,
    result: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    if let Some(file) = &arguments.svg {
        check_ending("--svg", file, "svg")?;
        let picture = game.svg(arguments.arrow.as_deref());
        let picture = picture.map_err(|error| unplayable(&game, &error))?;
        write_file(file, picture)?;
    }
    let shown = Shown {
        position: game.to_string(),
        to_move: game.side_to_move().letter(),
        result: game.result().map(|result| result.to_string()),
    };
    output.print(&shown, |shown| {
        let board = board_text::draw_game(&game);
        // What says the same position on a command line.
        let words = match shown.to_move {
            'x' => shown.position.clone(),
            other => format!("{} --to-move {other}", shown.position),
        };
        format!("{board}\n{words}")
    })?;
    Ok(ExitCode::SUCCESS)
}
