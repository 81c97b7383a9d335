//! `proof play`: any move of the side that is said to lose, and the proof's reply. With `--json` every line
//! of the input is answered by an object.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{AnyGame, Color, Side, excerpt};
use upstar_proof::{CheckOptions, Strategy};

use super::refused;
use crate::board_text;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::progress::Share;
use crate::search::{CheckArguments, budget};
use crate::typed::{LONGEST, Line, NOTHING_TO_UNDO, read_line};
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

/// What is said beside moves.
#[derive(Serialize)]
struct Said<'a> {
    message: &'a str,
}

/// What cannot be played, and a move that can.
#[derive(Serialize)]
struct NotLegal {
    error: String,
    right: String,
}

#[derive(Serialize)]
struct Listed {
    moves: Vec<String>,
}

const HELP: &str = "\
type a move, or one of
  moves   list the legal moves
  undo    take back your last move and the reply
  quit    leave the game
  help    show this; ? does too";

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
    let (prover, you) = (strategy.prover(), !strategy.prover());
    if !output.is_json() {
        let checked = strategy.checked();
        let verdict = Verdict::claimed(&checked.claim, None);
        let sentence = verdict.sentence();
        output.verbatim(&format!(
            "accepted: {sentence}\n\
             you are {you}, the proof is {prover}: it has an answer to each of your moves, so the result stands\n\
             type a move, or 'help'\n"
        ))?;
    }
    let mut board = Board {
        games: vec![strategy.start()],
        turns: Vec::new(),
        you,
        output,
    };
    board.show(None)?;
    let mut input = io::stdin().lock();
    while !board.game().is_over() {
        let game = board.game();
        let yours = game.side_to_move().letter() == you.letter();
        let name = if yours && game.must_pass() {
            "pass".to_owned()
        } else if yours {
            match board.ask(&mut input)? {
                Some(name) => name,
                None => {
                    board.say("the game is not over, the proof stands")?;
                    return Ok(ExitCode::SUCCESS);
                }
            }
        } else {
            let reply = strategy.reply(game);
            reply.map_err(|refusal| refused(file, refusal))?
        };
        board.play(&name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A game against a proof, with all its positions.
struct Board<'a> {
    games: Vec<AnyGame>,
    /// After how many moves the user chose one.
    turns: Vec<usize>,
    you: Color,
    output: &'a Output,
}

impl Board<'_> {
    fn game(&self) -> &AnyGame {
        self.games.last().expect("there is a first position")
    }

    /// The user's next legal move; `None` if there is no more input.
    fn ask(&mut self, input: &mut impl BufRead) -> Result<Option<String>, Failure> {
        loop {
            if !self.output.is_json() && io::stdin().is_terminal() {
                self.output.verbatim(&format!("{}> ", self.you))?;
                io::stdout().flush()?;
            }
            let words = match read_line(input)? {
                Line::End => return Ok(None),
                Line::TooLong => {
                    self.refuse(format!("the line is longer than {LONGEST} bytes"))?;
                    continue;
                }
                Line::Words(words) => words,
            };
            match words.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(None),
                "help" | "?" => self.say(HELP)?,
                "moves" => {
                    let moves = self.game().legal();
                    let listed = Listed { moves };
                    self.output
                        .print(&listed, |listed| listed.moves.join(" "))?;
                }
                "undo" => match self.turns.pop() {
                    None => self.say(NOTHING_TO_UNDO)?,
                    Some(plies) => {
                        self.games.truncate(plies + 1);
                        self.show(None)?;
                    }
                },
                word => match self.game().legal_move(word) {
                    Ok(name) => {
                        self.turns.push(self.games.len() - 1);
                        return Ok(Some(name));
                    }
                    Err(error) => self.refuse(error.to_string())?,
                },
            }
        }
    }

    fn play(&mut self, name: &str) -> Result<(), Failure> {
        let side = self.game().side_to_move();
        let next = self.game().play(name).expect("a legal move");
        self.games.push(next);
        self.show(Some((side, name)))
    }

    fn say(&self, message: &str) -> Result<(), Failure> {
        self.output.print(&Said { message }, |_| message)?;
        Ok(())
    }

    fn refuse(&self, error: String) -> Result<(), Failure> {
        let right = self.game().legal().into_iter().next().unwrap_or_default();
        let refused = NotLegal { error, right };
        self.output.print(&refused, |refused| {
            let NotLegal { error, right } = refused;
            format!("{error}; {right} is legal here, 'moves' lists all, and 'help' says what else")
        })?;
        Ok(())
    }

    /// Shows the position, and the move that led to it.
    fn show(&self, played: Option<(Side, &str)>) -> Result<(), Failure> {
        let game = self.game();
        let moved = Moved {
            r#move: played.map(|(_, name)| name),
            position: game.setup().to_string(),
            to_move: game.side_to_move().letter(),
            over: game.is_over(),
            result: game.result().map(|result| result.to_string()),
        };
        self.output.print(&moved, |_| {
            let played = played.map_or(String::new(), |(side, name)| {
                let who = match side.letter() == self.you.letter() {
                    true => "you play",
                    false => "the proof plays",
                };
                format!("{who} {name}\n")
            });
            format!("{played}{}", board_text::draw_game(game))
        })?;
        Ok(())
    }
}
