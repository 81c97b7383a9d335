//! From the words on the command line to a game: GAME, POSITION, `--to-move` and `--play`.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use upstar_games::{
    AnyGame, Grid, MAX_TEXT, PlayError, Rules, Setup, Start, StartError, Variant, excerpt,
    othello::obf,
};

use crate::failure::{Failure, shown};
use crate::usage;

/// The game and the position that a verb is about.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// The game: clobber, othello, … ('upstar games' lists them)
    #[arg(value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Variant,
    /// A size (4x5), a position (xox|oxo), random:5x6,seed=7, graph:FILE, or - for standard input;
    /// for Othello also a game on 8x8 (f5d6c3)
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
    /// The side to move: x, o, black, white, … [default: x, or whose turn it is]
    #[arg(long, value_name = "STONE", value_parser = stone)]
    to_move: Option<char>,
    /// Play these moves first
    #[arg(long, value_name = "MOVE,…", value_delimiter = ',')]
    play: Vec<String>,
}

impl GameArguments {
    pub(crate) fn new(
        game: Variant,
        position: &str,
        to_move: Option<char>,
        play: &[String],
    ) -> Self {
        Self {
            game,
            position: position.to_owned(),
            to_move,
            play: play.to_vec(),
        }
    }

    /// The game at the position that the user means.
    pub(crate) fn open(&self) -> Result<AnyGame, Failure> {
        let (start, turn, moves) = self.start()?;
        let game = AnyGame::open(self.game, &start, self.to_move.or(turn))
            .map_err(|error| Failure::input(error, self.example(self.game.example())))?;
        let mut moves = moves.as_slice().iter().chain(&self.play);
        moves.try_fold(game, |game, text| play(&game, text))
    }

    /// The position as text: a size if that is what the user wrote.
    pub(crate) fn written<R: Rules>(&self, rules: &R, position: &R::Position) -> String {
        if self.play.is_empty() && self.position.parse::<Grid>().is_ok() {
            self.position.clone()
        } else {
            rules.setup(position).to_string()
        }
    }

    /// Othello as players write it: a game on 8x8, or a board as a line of OBF.
    fn othello(&self, text: &str) -> Result<Option<From>, Failure> {
        if !matches!(self.game, Variant::Othello(_) | Variant::Reversi) {
            return Ok(None);
        }
        // A row this long is a board without its bars.
        let long = text.len() > 40 && !text.contains(['|', '\n', '=']);
        match obf::parse(text) {
            Ok(Some(problem)) => {
                let to_move = problem.to_move.letter();
                return Ok(Some((Start::Given(problem.setup), Some(to_move), None)));
            }
            Err(error) if text.contains(';') || long && !is_game(text) => {
                let right = "64 cells and the side to move, or '6x6', 36 cells and the side";
                return Err(Failure::input(error, right));
            }
            _ => {}
        }
        let grid = "8x8".parse().expect("a size");
        Ok(is_game(text).then(|| (Start::Size(grid), None, Some(text.to_owned()))))
    }

    /// Where to begin, with whose turn it is and what was played if the text says so.
    fn start(&self) -> Result<From, Failure> {
        if self.position == "-" {
            let refused = |error: &dyn Display| {
                let right = self.example("-") + " < board.txt";
                Failure::input(format!("standard input: {error}"), right)
            };
            let text = read_text(io::stdin().lock()).map_err(|error| refused(&error))?;
            if let Some(from) = self.othello(&text)? {
                return Ok(from);
            }
            let (start, turn) = Start::from_pasted(&text).map_err(|error| refused(&error))?;
            return Ok((start, turn, None));
        }
        if let Some(path) = self.position.strip_prefix("graph:") {
            let path = Path::new(path);
            let refused = |error: &dyn Display| {
                let sentence = format!("graph:{}: {error}", shown(path));
                Failure::input(
                    sentence,
                    "a file with the lines 'a=x b=o c=x' and 'a-b b-c'",
                )
            };
            let file = File::open(path).map_err(|error| refused(&error))?;
            let text = read_text(file).map_err(|error| refused(&error))?;
            let setup = Setup::from_graph_text(&text).map_err(|error| refused(&error))?;
            return Ok((Start::Given(setup), None, None));
        }
        if let Some(from) = self.othello(&self.position)? {
            return Ok(from);
        }
        let start = self.position.parse().map_err(|error: StartError| {
            let file = Path::new(&self.position).is_file();
            let right = match &error {
                _ if file => self.example(&format!("graph:{}", excerpt(&self.position))),
                StartError::BadWord(_) => self.example("random:5x6,seed=7,density=0.8"),
                _ => self.example(self.game.example()),
            };
            Failure::input(error, right)
        })?;
        Ok((start, None, None))
    }

    /// The same command with a position that is right.
    fn example(&self, position: &str) -> String {
        let game = self.game.to_string();
        let words: Vec<String> = usage::words().collect();
        let at = words.iter().position(|word| *word == game);
        let (verb, rest) = words.split_at(at.unwrap_or(words.len()));
        let rest = rest.iter().skip(2).map(String::as_str);
        let all: Vec<&str> = verb
            .iter()
            .map(String::as_str)
            .chain([&*game, position])
            .chain(rest)
            .collect();
        format!("upstar {}", all.join(" "))
    }
}

/// Where to begin, whose turn it is, and what was played.
type From = (Start, Option<char>, Option<String>);

/// Whether a text is a game of Othello: it begins with a cell, or with the number of the first move.
fn is_game(text: &str) -> bool {
    let game = text.trim_start().trim_start_matches("1.").trim_start();
    let mut letters = game.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next().is_some_and(|c| c.is_ascii_digit())
}

/// Plays a move; in Othello several in a row too, and passes may be left out.
fn play(game: &AnyGame, text: &str) -> Result<AnyGame, Failure> {
    if !game.variant().has_passes() {
        return game.play(text).map_err(|error| unplayable(game, &error));
    }
    game.play_transcript(text)
        .or_else(|error| match game.play(text) {
            Err(PlayError::NoMove(_)) => {
                let right = "f5d6c3, or f5 d6 c3, from the position given";
                Err(Failure::input(error, right))
            }
            played => played.map_err(|error| unplayable(game, &error)),
        })
}

/// The failure of a move that cannot be played, with one that can.
pub(crate) fn unplayable(game: &AnyGame, error: &PlayError) -> Failure {
    let legal = game.legal();
    let right = match legal.first() {
        Some(name) => format!("{name} is legal here"),
        None => "nothing, the game is over".to_owned(),
    };
    Failure::input(error, right)
}

/// Reads the name of a game; completions offer them all.
#[derive(Clone)]
pub(crate) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Variant;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Variant, clap::Error> {
        let named = StringValueParser::new().try_map(|text| text.parse::<Variant>());
        named.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        let named =
            |variant: Variant| PossibleValue::new(variant.to_string()).help(variant.summary());
        Some(Box::new(Variant::ALL.into_iter().map(named)))
    }
}

/// Reads the letter or the name of a side.
pub(crate) fn stone(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("black", ..) => Ok('x'),
        ("white", ..) => Ok('o'),
        (_, Some(letter), None) => Ok(letter),
        _ => Err(format!(
            "'{}' is not a side: x, o, black, white, …",
            excerpt(text)
        )),
    }
}

/// Reads a file that has at most so many bytes; files without end exist.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
    read_at_most(file, path, most)
}

/// Reads what has at most so many bytes.
pub(crate) fn read_at_most(from: impl Read, name: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = from.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(name, &error))?;
    if bytes.len() as u64 > most {
        return Err(Failure::file(
            name,
            &format!("it has more than {most} bytes"),
        ));
    }
    Ok(bytes)
}

/// Reads a text that is no longer than any position text can be.
fn read_text(from: impl Read) -> io::Result<String> {
    let refused = |sentence: String| Err(io::Error::new(io::ErrorKind::InvalidData, sentence));
    let mut bytes = Vec::new();
    from.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_TEXT {
        return refused(format!("the text is longer than {MAX_TEXT} bytes"));
    }
    String::from_utf8(bytes).or_else(|_| refused("the text is not UTF-8".to_owned()))
}
