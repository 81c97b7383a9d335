//! What the user is told when the words of a command make no sense: one sentence and a right example,
//! as for all other bad input.

use std::error::Error;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use upstar_games::excerpt;

use crate::failure::Failure;

/// Tells the user what clap found; help and version are no errors.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // The help is the message.
        let _ = error.print();
        return ExitCode::from(2);
    }
    if error.use_stderr() {
        return Failure::input(sentence(error), example()).report();
    }
    match error.print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => Failure::from(error).report(),
    }
}

fn sentence(error: &clap::Error) -> String {
    let texts = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![excerpt(text)],
        Some(ContextValue::Strings(texts)) => texts.iter().map(|text| excerpt(text)).collect(),
        _ => Vec::new(),
    };
    let value = texts(ContextKind::InvalidValue).concat();
    let arguments: Vec<String> = texts(ContextKind::InvalidArg)
        .iter()
        .map(|text| plain(text))
        .collect();
    let names = arguments.join(" and ");
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!(
                "'{}' is no verb",
                texts(ContextKind::InvalidSubcommand).concat()
            )
        }
        ErrorKind::MissingRequiredArgument if arguments.len() > 1 => format!("{names} are missing"),
        ErrorKind::MissingRequiredArgument => format!("{names} is missing"),
        ErrorKind::UnknownArgument => format!("'{names}' is not understood here"),
        ErrorKind::InvalidValue if value.is_empty() => format!("a value for {names} is missing"),
        ErrorKind::InvalidValue => {
            let possible = texts(ContextKind::ValidValue).join(", ");
            format!("'{value}' is no {names}: {possible}")
        }
        ErrorKind::ValueValidation => match error.source().map(ToString::to_string) {
            // Our own parsers say it all.
            Some(why) if why.starts_with('\'') => why,
            Some(why) => format!("'{value}' is no {names}: {why}"),
            None => format!("'{value}' is no {names}"),
        },
        ErrorKind::ArgumentConflict => format!(
            "{names} and {} exclude each other",
            plain(&texts(ContextKind::PriorArg).concat())
        ),
        ErrorKind::InvalidUtf8 => "one of the words is not UTF-8".to_owned(),
        _ => {
            let rendered = error.render().to_string();
            let first = rendered.lines().next().unwrap_or_default();
            excerpt(first.trim_start_matches("error: "))
        }
    }
}

/// An argument without the marks of clap: `<DEPTH>` is DEPTH, `--threads <N>` is --threads.
fn plain(argument: &str) -> String {
    let first = argument.split(' ').next().unwrap_or(argument);
    first
        .trim_end_matches("...")
        .trim_matches(['<', '>', '[', ']'])
        .to_owned()
}

/// A command with the user's verb that is right.
pub(crate) fn example() -> &'static str {
    match words().find(|word| !word.starts_with('-')).as_deref() {
        Some("legal") => "upstar legal clobber 4x5",
        Some("perft") => "upstar perft clobber 5x6 4",
        Some("show") => "upstar show othello 8x8",
        Some("solve") if words().any(|word| word.starts_with("othello")) => {
            "upstar solve othello 4x5 --exact"
        }
        Some("solve") => "upstar solve clobber 5x5 --time-limit 60s",
        Some("value") => "upstar value clobber xxo.xo",
        Some("bench") if words().any(|word| word == "solve") => "upstar bench solve clobber 5x5",
        Some("bench") if words().any(|word| word == "mcts") => "upstar bench mcts clobber 8x8",
        Some("bench") if words().any(|word| word == "train") => "upstar bench train clobber 6x6",
        Some("bench") if words().any(|word| word == "az") => {
            "upstar bench az clobber 5x6 --width 64 --depth 6"
        }
        Some("bench") => "upstar bench playouts clobber 8x8 --seconds 2 --threads 1",
        Some("check") => "upstar check 4x5.proof",
        Some("moves") => "upstar moves clobber 4x4",
        Some("tree") => "upstar tree othello 4x4",
        Some("fit") => "upstar fit othello --boards 6x6 --out 6x6.weights",
        Some("play") => "upstar play clobber 6x6 --white mcts:1000",
        Some("match") => "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap",
        Some("grade") => "upstar grade clobber 5x5 mcts:1000",
        Some("tournament") => "upstar tournament FILE --out DIR",
        Some("reproduce") => "upstar reproduce leiden2018/5.4 --scale 0.01 --out DIR",
        Some("report") => "upstar report DIR",
        Some("train") => "upstar train FILE --out DIR",
        Some("tune") => "upstar tune FILE --out DIR",
        Some("elo") => "upstar elo '+120 -80 =10'",
        Some("sprt") => "upstar sprt 0,20 '+120 -80 =10'",
        Some("convert") => "upstar convert games.ggf --to jsonl",
        Some("gtp") => "upstar gtp clobber 8x8 --agent mcts:1000",
        Some("nboard") => "upstar nboard --agent mcts:1s",
        Some("engine") => "upstar engine",
        Some("table") => "upstar table build --stones 10",
        Some("resume") => "upstar resume DIR",
        Some("completions") => "upstar completions bash",
        Some("man") => "upstar man --out pages",
        _ => "upstar legal clobber 4x5 ('upstar --help' lists the verbs)",
    }
}

/// The words of the command, fit to be shown: they need not be UTF-8.
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args_os()
        .skip(1)
        .map(|word| excerpt(&word.to_string_lossy()))
}
