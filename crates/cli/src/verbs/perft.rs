//! `perft`: the number of lines of play of a given length, the usual check of a move generator.

use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_games::{Rules, perft, with_rules};

use crate::failure::Done;
use crate::input::GameArguments;
use crate::output::{Output, grouped};
use crate::progress::Progress;

/// What, where and how far.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The length of the lines in plies; a pass is a ply, a finished game counts at every depth
    #[arg(allow_negative_numbers = true)]
    depth: u32,
    /// Count each first move separately
    #[arg(long)]
    divide: bool,
}

#[derive(Serialize)]
struct Perft {
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

#[derive(Serialize)]
struct Branch {
    r#move: String,
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    with_rules!(&game, |rules, start| count(rules, start, arguments, output))
}

fn count<R: Rules>(rules: &R, start: &R::Position, arguments: &Arguments, output: &Output) -> Done {
    let begun = Instant::now();
    let moves: Vec<R::Move> = rules.moves(start).collect();
    let mut divide = Vec::new();
    if let Some(rest) = arguments.depth.checked_sub(1) {
        let bar = Progress::new(moves.len() as u64, "first moves");
        for mv in moves {
            divide.push(Branch {
                r#move: rules.move_name(mv),
                nodes: perft(rules, &rules.play_unchecked(start, mv), rest),
            });
            bar.step();
        }
        bar.finish();
    }
    // Without a first move, at depth 0 or in a finished game, there is the one empty line.
    let nodes = match divide[..] {
        [] => 1,
        _ => divide.iter().map(|branch| branch.nodes).sum(),
    };
    let divide = arguments.divide.then_some(divide);
    let seconds = begun.elapsed().as_secs_f64();
    let counted = Perft {
        nodes,
        seconds,
        divide,
    };
    output.print(&counted, |counted| {
        let mut text = String::new();
        for branch in counted.divide.iter().flatten() {
            text += &format!("{:>8} {:>20}\n", branch.r#move, grouped(branch.nodes));
        }
        let rate = grouped((counted.nodes as f64 / counted.seconds.max(1e-9)) as u64);
        let (nodes, seconds) = (grouped(counted.nodes), counted.seconds);
        text + &format!("{nodes} lines in {seconds:.3} s ({rate} a second)")
    })?;
    Ok(ExitCode::SUCCESS)
}
