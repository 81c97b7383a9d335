//! `check`: whether a proof file proves what it claims, by code that knows only the rules.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_proof::{CheckOptions, Refusal, check_file};

use crate::failure::{Done, Failure, shown};
use crate::output::{Output, grouped};
use crate::progress::Share;
use crate::search::{CheckArguments, budget};

/// Which file, and how hard to try.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The proof, as written by 'upstar solve … --proof FILE'
    file: PathBuf,
    #[command(flatten)]
    effort: CheckArguments,
}

#[derive(Serialize)]
struct Verdict {
    accepted: Option<bool>,
    winner: Option<char>,
    game: Option<String>,
    position: Option<String>,
    to_move: Option<char>,
    r#move: Option<String>,
    nodes: u64,
    lemmas: u64,
    leaves: u64,
    positions: u64,
    passes: u64,
    bytes: u64,
    seconds: f64,
    reason: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let begun = Instant::now();
    let budget = budget(arguments.effort.time_limit);
    let options = CheckOptions {
        memory: arguments.effort.memory as u64,
        threads: arguments.effort.threads,
        ..CheckOptions::default()
    };
    let bar = Share::new("checking");
    let checked = check_file(&arguments.file, &options, &mut |progress| {
        bar.set(progress.done as f64 / progress.total.max(1) as f64);
        if budget.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish();
    let seconds = begun.elapsed().as_secs_f64();
    let stopped = matches!(checked, Err(Refusal::Stopped));
    let verdict = match checked {
        Ok(checked) => Verdict {
            accepted: Some(true),
            winner: Some(checked.claim.winner.letter()),
            game: Some(checked.claim.variant.to_string()),
            position: Some(checked.claim.setup.to_string()),
            to_move: Some(checked.claim.to_move.letter()),
            r#move: checked.first,
            nodes: checked.nodes,
            lemmas: checked.lemmas,
            leaves: checked.leaves,
            positions: checked.positions,
            passes: checked.passes,
            bytes: checked.bytes,
            seconds,
            reason: None,
        },
        Err(Refusal::Io(error)) => return Err(Failure::file(&arguments.file, &error)),
        Err(refusal) => Verdict {
            accepted: if stopped { None } else { Some(false) },
            winner: None,
            game: None,
            position: None,
            to_move: None,
            r#move: None,
            nodes: 0,
            lemmas: 0,
            leaves: 0,
            positions: 0,
            passes: 0,
            bytes: 0,
            seconds,
            reason: Some(refusal.to_string()),
        },
    };
    output.print(&verdict, |verdict| {
        match (&verdict.reason, verdict.winner) {
            (None, Some(winner)) => {
                let first = verdict
                    .r#move
                    .as_ref()
                    .map_or(String::new(), |mv| format!(", beginning with {mv}"));
                format!(
                    "accepted: {winner} wins {} {} with {} to move{first}\n\
                 {} positions with all replies, {} lemmas, {} bytes, {seconds:.1} s",
                    verdict.game.as_deref().unwrap_or_default(),
                    verdict.position.as_deref().unwrap_or_default(),
                    verdict.to_move.unwrap_or_default(),
                    grouped(verdict.nodes),
                    grouped(verdict.lemmas),
                    grouped(verdict.bytes),
                )
            }
            (reason, _) => {
                let reason = reason.as_deref().unwrap_or_default();
                let verdict = if stopped { "?" } else { "refused:" };
                format!("{verdict} {}: {reason}", shown(&arguments.file))
            }
        }
    })?;
    Ok(ExitCode::from(u8::from(verdict.accepted != Some(true))))
}
