//! The program `upstar` as a function: one file per verb below `verbs`, and the only crate that prints. The
//! executable calls it, and so does the Python package.

mod board_text;
mod failure;
mod input;
mod interrupt;
mod markdown;
mod notation;
mod output;
mod players;
mod progress;
mod search;
mod trust;
mod typed;
mod usage;
mod values;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

use upstar_machine::Isa;

use failure::Failure;
use output::Output;
pub use verbs::check::Verdict;

/// Small board games: Clobber and Othello, exactly and fast.
#[derive(Parser)]
#[command(name = "upstar", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Print one JSON object per line and nothing else
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// List the legal moves of a position
    Legal(verbs::legal::Arguments),
    /// Count the lines of play of a given length
    Perft(verbs::perft::Arguments),
    /// Show a position, in the terminal or as an SVG picture
    Show(verbs::show::Arguments),
    /// Play a game in the terminal, or let two agents play it
    Play(verbs::play::Arguments),
    /// Let two agents play many games, and compare them
    Match(verbs::matches::Arguments),
    /// Let many agents play each other
    Tournament(verbs::tournament::Arguments),
    /// Compare an agent's moves with the exact solver's
    Grade(verbs::grade::Arguments),
    /// Show the positions whose moves networks sort wrongly, by their patterns
    Misses(verbs::misses::Arguments),
    /// Reproduce the papers' experiments and compare every number
    Reproduce(verbs::reproduce::Arguments),
    /// Write the report page of a training or of a reproduction
    Report(verbs::report::Arguments),
    /// Teach a network
    Train(verbs::train::Arguments),
    /// Find good parameters for teaching a network
    Tune(verbs::tune::Arguments),
    /// Estimate Elo ratings from results
    Elo(verbs::statistics::EloArguments),
    /// Test whether one player is stronger than another
    Sprt(verbs::statistics::SprtArguments),
    /// Convert games between formats
    Convert(verbs::convert::Arguments),
    /// Run as an engine speaking the Go Text Protocol
    Gtp(verbs::gtp::Arguments),
    /// Run as an engine for Othello boards, speaking NBoard's protocol
    Nboard(verbs::nboard::Arguments),
    /// Run as an engine for other programs, speaking JSON lines
    Engine(verbs::engine::Arguments),
    /// Find out who wins a position, with proof
    Solve(verbs::solve::Arguments),
    /// List the boards that are solved, and check any of them again
    Solved(verbs::solved::Arguments),
    /// Check a proof file with code that knows only the rules
    Check(verbs::check::Arguments),
    /// Read a proof file: show, play against it, dump
    Proof(verbs::proof::Arguments),
    /// Continue a run where it stopped
    Resume(verbs::resume::Arguments),
    /// Share the work of a run among machines
    Job(verbs::job::Arguments),
    /// List runs: their kind, whether they are finished, and how far they are
    Runs(verbs::runs::Arguments),
    /// Analyse every move: proved, bounded or estimated, improving over time
    Analyse(verbs::analyse::Arguments),
    /// Find the mistakes in games, proved and probable, and what would have been better
    Review(verbs::review::Arguments),
    /// Make or check puzzles: positions in which exactly one move wins
    Puzzle(verbs::puzzle::Arguments),
    /// Judge every move of a position exactly
    Moves(verbs::moves::Arguments),
    /// Count the game tree under a position, and the part of it that best play needs
    Tree(verbs::tree::Arguments),
    /// Find the combinatorial value of a Clobber position, component by component
    Value(verbs::value::Arguments),
    /// Calculate with games: values, sums, comparisons
    Cgt(verbs::cgt::Arguments),
    /// Build, show, verify or export the table of values of small Clobber components
    Table(verbs::table::Arguments),
    /// Fit the weights by which the Othello solver orders moves
    Fit(verbs::fit::Arguments),
    /// Make, read and exchange opening books for the Othello engine
    Book(verbs::book::Arguments),
    /// Open the page in the browser: boards with exact answers, runs to watch, papers
    Serve(verbs::serve::Arguments),
    /// List the games, each with an example
    Games(verbs::games::Arguments),
    /// Measure speed
    Bench(verbs::bench::Arguments),
    /// Print a script that completes commands in your shell
    Completions(verbs::completions::Arguments),
    /// Print the manual page
    Man(verbs::man::Arguments),
}

/// Does what the words of a command line say, the program's name first, and returns its status.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Some(commit) = option_env!("UPSTAR_COMMIT") {
        upstar_runs::set_commit(commit);
    }
    let words: Vec<OsString> = words.into_iter().collect();
    usage::keep(&words);
    let parsed = usage::command().try_get_matches_from(words);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(&error),
    };
    if let Err(failure) = choose_instructions() {
        return failure.report();
    }
    let output = Output::new(arguments.json);
    let done = match arguments.verb {
        Verb::Legal(arguments) => verbs::legal::run(&arguments, &output),
        Verb::Perft(arguments) => verbs::perft::run(&arguments, &output),
        Verb::Show(arguments) => verbs::show::run(&arguments, &output),
        Verb::Play(arguments) => verbs::play::run(&arguments, &output),
        Verb::Match(arguments) => verbs::matches::run(&arguments, &output),
        Verb::Tournament(arguments) => verbs::tournament::run(&arguments, &output),
        Verb::Grade(arguments) => verbs::grade::run(&arguments, &output),
        Verb::Misses(arguments) => verbs::misses::run(&arguments, &output),
        Verb::Reproduce(arguments) => verbs::reproduce::run(&arguments, &output),
        Verb::Report(arguments) => verbs::report::run(&arguments, &output),
        Verb::Train(arguments) => verbs::train::run(&arguments, &output),
        Verb::Tune(arguments) => verbs::tune::run(&arguments, &output),
        Verb::Elo(arguments) => verbs::statistics::elo(&arguments, &output),
        Verb::Sprt(arguments) => verbs::statistics::sprt(&arguments, &output),
        Verb::Convert(arguments) => verbs::convert::run(&arguments, &output),
        Verb::Gtp(arguments) => verbs::gtp::run(&arguments),
        Verb::Nboard(arguments) => verbs::nboard::run(&arguments),
        Verb::Engine(arguments) => verbs::engine::run(&arguments),
        Verb::Serve(arguments) => verbs::serve::run(&arguments, &output),
        Verb::Solve(arguments) => verbs::solve::run(&arguments, &output),
        Verb::Solved(arguments) => verbs::solved::run(&arguments, &output),
        Verb::Check(arguments) => verbs::check::run(&arguments, &output),
        Verb::Proof(arguments) => verbs::proof::run(&arguments, &output),
        Verb::Resume(arguments) => verbs::resume::run(arguments, &output),
        Verb::Job(arguments) => verbs::job::run(&arguments, &output),
        Verb::Runs(arguments) => verbs::runs::run(&arguments, &output),
        Verb::Analyse(arguments) => verbs::analyse::run(&arguments, &output),
        Verb::Review(arguments) => verbs::review::run(&arguments, &output),
        Verb::Puzzle(arguments) => verbs::puzzle::run(&arguments, &output),
        Verb::Moves(arguments) => verbs::moves::run(&arguments, &output),
        Verb::Tree(arguments) => verbs::tree::run(&arguments, &output),
        Verb::Value(arguments) => verbs::value::run(&arguments, &output),
        Verb::Cgt(arguments) => verbs::cgt::run(&arguments, &output),
        Verb::Table(arguments) => verbs::table::run(&arguments, &output),
        Verb::Fit(arguments) => verbs::fit::run(&arguments, &output),
        Verb::Book(arguments) => verbs::book::run(&arguments, &output),
        Verb::Games(arguments) => verbs::games::run(&arguments, &output),
        Verb::Bench(arguments) => verbs::bench::run(&arguments, &output),
        Verb::Completions(arguments) => verbs::completions::run(&arguments, &output),
        Verb::Man(arguments) => verbs::man::run(&arguments, &output),
    };
    done.unwrap_or_else(Failure::report)
}

/// Obeys the variable that says which instruction set to use, for measurements.
fn choose_instructions() -> Result<(), Failure> {
    const VARIABLE: &str = "UPSTAR_INSTRUCTIONS";
    let Some(name) = std::env::var_os(VARIABLE) else {
        return Ok(());
    };
    let name = name.to_string_lossy();
    Isa::choose(&name).map_err(|_| {
        let available = Isa::available().into_iter().map(Isa::name);
        let available: Vec<&str> = available.collect();
        let excerpt = upstar_games::excerpt(&name);
        Failure::input(
            format!(
                "{VARIABLE}: no instructions '{excerpt}' here, only {}",
                available.join(", ")
            ),
            format!("{VARIABLE}={}", available[0]),
        )
    })
}
