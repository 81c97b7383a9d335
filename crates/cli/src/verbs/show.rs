//! `show`: a position in the terminal or as a picture.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{Rules, svg, with_rules};

use crate::board_text;
use crate::failure::{Done, Failure};
use crate::input::{GameArguments, legal_move};
use crate::output::Output;

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
    with_rules!(&game, |rules, start| show(rules, start, arguments, output))
}

fn show<R: Rules>(
    rules: &R,
    position: &R::Position,
    arguments: &Arguments,
    output: &Output,
) -> Done {
    let setup = rules.setup(position);
    if let Some(file) = &arguments.svg {
        let arrow = arguments.arrow.as_ref();
        let mv = arrow
            .map(|name| legal_move(rules, position, name))
            .transpose()?;
        let picture = svg::draw(&setup, mv.and_then(|mv| rules.path(mv)));
        std::fs::write(file, picture).map_err(|error| Failure::file(file, &error))?;
    }
    let shown = Shown {
        position: setup.to_string(),
        to_move: rules.letter_to_move(position),
        result: rules.result(position),
    };
    output.print(&shown, |shown| {
        let board = board_text::draw(rules, position);
        // What says the same position on a command line.
        let words = match shown.to_move {
            'x' => shown.position.clone(),
            other => format!("{} --to-move {other}", shown.position),
        };
        format!("{board}\n{words}")
    })?;
    Ok(ExitCode::SUCCESS)
}
