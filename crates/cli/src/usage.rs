//! The command line as a whole: verbs in groups, an example of each, and what the user is told when a
//! command cannot be understood: one sentence, with a suggestion, and a right example.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use upstar_games::excerpt;

use crate::Arguments;
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
            let verb = texts(ContextKind::InvalidSubcommand).concat();
            let meant = meant(&texts(ContextKind::SuggestedSubcommand));
            format!("there is no verb '{verb}'{meant}")
        }
        ErrorKind::MissingRequiredArgument if arguments.len() > 1 => format!("{names} are missing"),
        ErrorKind::MissingRequiredArgument => format!("{names} is missing"),
        ErrorKind::UnknownArgument => {
            let meant = meant(&texts(ContextKind::SuggestedArg));
            format!("'{names}' is not understood here{meant}")
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("a value for {names} is missing"),
        ErrorKind::InvalidValue => {
            let possible = texts(ContextKind::ValidValue).join(", ");
            let meant = meant(&texts(ContextKind::SuggestedValue));
            format!("'{value}' is not a {names}: {possible}{meant}")
        }
        ErrorKind::ValueValidation => match error.source().map(ToString::to_string) {
            // Our own parsers say it all.
            Some(why) if why.starts_with('\'') => why,
            Some(why) => format!("'{value}' is not a valid {names}: {why}"),
            None => format!("'{value}' is not a valid {names}"),
        },
        ErrorKind::ArgumentConflict => format!(
            "{names} and {} cannot be used together",
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

/// What the user may have meant, as the end of a sentence.
fn meant(suggested: &[String]) -> String {
    match suggested {
        [] => String::new(),
        // They come with the likeliest last.
        [.., best] => format!("; did you mean '{best}'?"),
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

/// The verbs by purpose, each with an example of its use.
const GROUPS: [(&str, &[(&str, &str)]); 7] = [
    (
        "Positions",
        &[
            ("games", "upstar games"),
            ("show", "upstar show othello 8x8"),
            ("legal", "upstar legal clobber 4x5"),
            ("perft", "upstar perft clobber 5x6 4"),
            ("tree", "upstar tree othello 4x4"),
        ],
    ),
    (
        "Analysis",
        &[
            ("serve", "upstar serve --runs runs"),
            ("analyse", "upstar analyse othello 8x8 --time 5s --multi 3"),
            ("review", "upstar review f5d6c3d3c4f4 --page game.html"),
            ("puzzle", "upstar puzzle clobber 6x6 --count 10"),
        ],
    ),
    (
        "Exact results",
        &[
            ("solve", "upstar solve clobber 5x5 --time-limit 60s"),
            ("solved", "upstar solved clobber"),
            ("moves", "upstar moves clobber 4x4"),
            ("value", "upstar value clobber xxo.xo"),
            ("cgt", "upstar cgt '{0|*}'"),
            ("check", "upstar check 4x5.proof"),
            ("proof", "upstar proof show 4x5.proof"),
            ("table", "upstar table build --stones 10"),
            ("fit", "upstar fit othello --boards 6x6 --out 6x6.weights"),
        ],
    ),
    (
        "Games",
        &[
            ("play", "upstar play clobber 6x6 --white mcts:1000"),
            (
                "match",
                "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap",
            ),
            ("tournament", "upstar tournament FILE --out DIR"),
            ("grade", "upstar grade clobber 5x5 mcts:1000"),
            ("elo", "upstar elo '+120 -80 =10'"),
            ("sprt", "upstar sprt 0,20 '+120 -80 =10'"),
            ("convert", "upstar convert games.ggf --to jsonl"),
        ],
    ),
    (
        "Learning and experiments",
        &[
            ("train", "upstar train FILE --out DIR"),
            ("tune", "upstar tune FILE --out DIR"),
            (
                "reproduce",
                "upstar reproduce leiden2018/5.4 --scale 0.01 --out DIR",
            ),
            ("report", "upstar report DIR"),
            ("misses", "upstar misses --hidden 4,6,8"),
            ("resume", "upstar resume DIR"),
            ("job", "upstar job plan DIR JOBS"),
            ("runs", "upstar runs DIR"),
        ],
    ),
    (
        "Engines for other programs",
        &[
            ("engine", "upstar engine"),
            ("gtp", "upstar gtp clobber 8x8 --agent mcts:1000"),
            ("nboard", "upstar nboard --agent mcts:1s"),
        ],
    ),
    (
        "This program",
        &[
            (
                "bench",
                "upstar bench playouts clobber 8x8 --seconds 2 --threads 1",
            ),
            ("completions", "upstar completions bash"),
            ("man", "upstar man --out pages"),
        ],
    ),
];

/// The command line: what clap derives, the verbs in groups, and an example in the help of each.
pub(crate) fn command() -> clap::Command {
    let mut command = quantities_may_be_negative(Arguments::command());
    let mut list = String::new();
    for (heading, verbs) in GROUPS {
        let _ = writeln!(list, "{heading}:");
        for (name, example) in verbs {
            command = command.mut_subcommand(name, |verb| {
                let more = verb.get_after_help().map(ToString::to_string);
                let more = more.map_or(String::new(), |more| format!("\n\n{more}"));
                verb.after_help(format!("Example:\n  {example}{more}"))
            });
            let about = command
                .find_subcommand(name)
                .and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {name:<12} {about}");
        }
        list.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\
         Options:\n{{options}}\n\n'upstar VERB --help' shows the options of a verb and an example."
    );
    command.help_template(template)
}

/// Lets the parsers of times, sizes and numbers refuse `-1s` and `-1`, which say what would be right; clap would
/// take them for options.
fn quantities_may_be_negative(command: clap::Command) -> clap::Command {
    let is_quantity = |name: &str| matches!(name, "TIME" | "SIZE" | "N");
    let command = command.mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let quantity = names.iter().any(|name| is_quantity(name));
        match quantity && !arg.is_positional() {
            true => arg.allow_hyphen_values(true),
            false => arg,
        }
    });
    command.mut_subcommands(quantities_may_be_negative)
}

/// A command with the user's verb that is right.
pub(crate) fn example() -> &'static str {
    let verb = words().find(|word| !word.starts_with('-'));
    let verb = verb.as_deref().unwrap_or_default();
    let says = |wanted: &str| words().any(|word| word == wanted);
    match verb {
        "solve" if words().any(|word| word.starts_with("othello")) => {
            return "upstar solve othello 4x5 --exact";
        }
        "bench" if says("solve") => return "upstar bench solve clobber 5x5",
        "bench" if says("mcts") => return "upstar bench mcts clobber 8x8",
        "bench" if says("train") => return "upstar bench train clobber 6x6",
        "bench" if says("az") => return "upstar bench az clobber 5x6 --width 64 --depth 6",
        _ => {}
    }
    let mut verbs = GROUPS.iter().flat_map(|(_, verbs)| *verbs);
    let found = verbs.find(|(name, _)| *name == verb);
    found.map_or(
        "upstar legal clobber 4x5 ('upstar --help' lists the verbs)",
        |(_, example)| example,
    )
}

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Keeps the words of the command, without the program's name.
pub(crate) fn keep(words: &[OsString]) {
    // The first command of a process stays: an executable has only one.
    let _ = WORDS.set(words.iter().skip(1).cloned().collect());
}

/// The words of the command, fit to be shown: they need not be UTF-8.
pub(crate) fn words() -> impl Iterator<Item = String> {
    let words = WORDS.get().into_iter().flatten();
    words.map(|word| excerpt(&word.to_string_lossy()))
}
