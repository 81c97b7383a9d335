//! `games`: what can be played.

use std::process::ExitCode;

use anstyle::Style;
use serde::Serialize;
use upstar_games::Variant;

use crate::failure::Done;
use crate::output::Output;

/// Nothing to say.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct Listed {
    game: String,
    summary: &'static str,
    example: String,
}

pub(crate) fn run(_: &Arguments, output: &Output) -> Done {
    let bold = Style::new().bold();
    for variant in Variant::ALL {
        let game = variant.to_string();
        let listed = Listed {
            summary: variant.summary(),
            example: format!("upstar show {game} '{}'", variant.example()),
            game,
        };
        output.print(&listed, |listed| {
            let Listed {
                game,
                summary,
                example,
            } = listed;
            format!("{bold}{game}{bold:#}\n  {summary}\n  {example}")
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
