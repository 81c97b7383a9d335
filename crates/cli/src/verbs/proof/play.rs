//! `proof play`: any move of the side that is said to lose, and the proof's reply.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{AnyGame, Color, excerpt};
use upstar_proof::{CheckOptions, Strategy};

use super::refused;
use crate::board_text;
use crate::failure::{Done, Failure, warn};
use crate::output::Output;
use crate::progress::Share;
use crate::search::{CheckArguments, budget};
use crate::verbs::check::{Verdict, check_options};

/// Which proof, and which side the user has.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The proof, as written by 'upstar solve … --proof FILE'
    file: PathBuf,
    /// Your side, where the proof has replies to both: x or o
    #[arg(long, value_name = "STONE", value_parser = side)]
    side: Option<Color>,
    #[command(flatten)]
    effort: CheckArguments,
}

fn side(text: &str) -> Result<Color, String> {
    match text {
        "x" | "black" => Ok(Color::Black),
        "o" | "white" => Ok(Color::White),
        _ => Err(format!("'{}' is not a side: x or o", excerpt(text))),
    }
}

/// A position, and the move that led to it.
#[derive(Serialize)]
struct Moved<'a> {
    r#move: Option<&'a str>,
    position: String,
    to_move: char,
    over: bool,
    result: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let file = &arguments.file;
    let opened = File::open(file).map_err(|error| Failure::file(file, &error))?;
    let budget = budget(arguments.effort.time_limit);
    let options: CheckOptions = check_options(&arguments.effort);
    let prover = arguments.side.map(|side| !side);
    let bar = Share::new("checking");
    let read = Strategy::read(BufReader::new(opened), prover, &options, &budget, &bar);
    bar.finish();
    let mut strategy = read.map_err(|refusal| refused(file, refusal))?;
    let you = !strategy.prover();
    if !output.is_json() {
        let checked = strategy.checked();
        let verdict = Verdict::claimed(&checked.claim, None);
        let title = format!("accepted: {}\nyou are {you}\n", verdict.sentence());
        output.verbatim(&title)?;
    }
    let mut game = strategy.start();
    show(&game, None, output)?;
    let mut input = io::stdin().lock();
    while !game.is_over() {
        let name = if game.side_to_move().letter() == you.letter() {
            if game.must_pass() {
                "pass".to_owned()
            } else {
                match ask(&mut input, &game)? {
                    Some(name) => name,
                    None => {
                        warn("the game is not over: the input ended");
                        return Ok(ExitCode::SUCCESS);
                    }
                }
            }
        } else {
            let reply = strategy.reply(&game);
            reply.map_err(|refusal| refused(file, refusal))?
        };
        game = game.play(&name).expect("a legal move");
        show(&game, Some(&name), output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The user's next legal move; `None` if there is no more input.
fn ask(input: &mut impl BufRead, game: &AnyGame) -> Result<Option<String>, Failure> {
    /// The longest line that is looked at, in bytes.
    const LONGEST: u64 = 1024;
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::file("standard input".as_ref(), &error))? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match line.trim() {
            "" => {}
            "quit" => return Ok(None),
            "moves" => warn(&game.legal().join(" ")),
            word => match game.legal_move(word) {
                Ok(name) => return Ok(Some(name)),
                Err(error) => {
                    let right = game.legal().first().cloned().unwrap_or_default();
                    warn(&format!(
                        "{error}; {right} is legal here, 'moves' lists all"
                    ));
                }
            },
        }
    }
}

fn show(game: &AnyGame, name: Option<&str>, output: &Output) -> Result<(), Failure> {
    let moved = Moved {
        r#move: name,
        position: game.setup().to_string(),
        to_move: game.side_to_move().letter(),
        over: game.is_over(),
        result: game.result().map(|result| result.to_string()),
    };
    output.print(&moved, |_| {
        let played = name.map_or(String::new(), |name| format!("{name}\n"));
        format!("{played}{}", board_text::draw_game(game))
    })?;
    Ok(())
}
