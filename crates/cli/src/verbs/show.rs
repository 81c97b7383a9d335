//! `show`: a position in the terminal or as a picture, after some moves if wanted.

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
    /// Play these moves first
    #[arg(long, value_name = "MOVE,…", value_delimiter = ',')]
    play: Vec<String>,
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
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    with_rules!(&game, |rules, start| show(rules, *start, arguments, output))
}

fn show<R: Rules>(rules: &R, start: R::Position, arguments: &Arguments, output: &Output) -> Done {
    let mut position = start;
    for name in &arguments.play {
        let mv = legal_move(rules, &position, name)?;
        position = rules.play_unchecked(&position, mv);
    }
    let setup = rules.setup(&position);
    if let Some(file) = &arguments.svg {
        let arrow = arguments
            .arrow
            .as_ref()
            .map(|name| legal_move(rules, &position, name));
        let path = arrow.transpose()?.and_then(|mv| rules.path(mv));
        let picture = svg::draw(&setup, path);
        std::fs::write(file, picture).map_err(|error| Failure::file(file, &error))?;
    }
    let shown = Shown {
        position: setup.to_string(),
        to_move: rules.letter_to_move(&position),
    };
    output.print(&shown, |shown| {
        let turn = if rules.is_over(&position) {
            "The game is over.".to_owned()
        } else {
            format!("{} to move", shown.to_move)
        };
        format!("{}\n{turn}\n{}", board_text::draw(&setup), shown.position)
    })?;
    Ok(ExitCode::SUCCESS)
}
