//! From the words on the command line to a game: GAME, POSITION and `--to-move`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use upstar_games::{AnyGame, MAX_TEXT, Rules, Setup, Start, Variant};

use crate::failure::Failure;

/// The game and the position that a verb is about.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// The game: clobber, othello, … ('upstar games' lists them)
    #[arg(value_name = "GAME")]
    pub(crate) game: Variant,
    /// A size (4x5), a position (xox|oxo), random:5x6,seed=7, graph:FILE, or - for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The side to move: x, o, … [default: x]
    #[arg(long, value_name = "STONE")]
    pub(crate) to_move: Option<char>,
}

impl GameArguments {
    /// The game at its start.
    pub(crate) fn open(&self) -> Result<AnyGame, Failure> {
        let start = self.start()?;
        AnyGame::open(self.game, &start, self.to_move)
            .map_err(|error| Failure::input(error, self.example()))
    }

    /// A command of the same kind that is right.
    pub(crate) fn example(&self) -> String {
        format!("upstar show {} {}", self.game, self.game.example())
    }

    fn start(&self) -> Result<Start, Failure> {
        let refused = |error: &dyn std::fmt::Display| Failure::input(error, self.example());
        if self.position == "-" {
            let text = read_text(io::stdin().lock()).map_err(|error| refused(&error))?;
            let start = text.trim().parse();
            start.map_err(|error: upstar_games::StartError| refused(&error))
        } else if let Some(path) = self.position.strip_prefix("graph:") {
            let path = Path::new(path);
            let graph = |error: &dyn std::fmt::Display| {
                let sentence = format!("{}: {error}", path.display());
                Failure::input(
                    sentence,
                    "a file with the lines 'a=x b=o c=x' and 'a-b b-c'",
                )
            };
            let file = File::open(path).map_err(|error| graph(&error))?;
            let text = read_text(file).map_err(|error| graph(&error))?;
            let setup = Setup::from_graph_text(&text).map_err(|error| graph(&error))?;
            Ok(Start::Given(setup))
        } else {
            self.position
                .parse()
                .map_err(|error: upstar_games::StartError| refused(&error))
        }
    }
}

/// Reads a text that is no longer than any position text can be.
fn read_text(from: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_TEXT {
        let sentence = format!("the text is longer than {MAX_TEXT} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, sentence));
    }
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the text is not UTF-8"))
}

/// The move of this name, which must be legal.
pub(crate) fn legal_move<R: Rules>(
    rules: &R,
    position: &R::Position,
    name: &str,
) -> Result<R::Move, Failure> {
    let legal = rules.moves(position).next().map_or_else(
        || "no move: the game is over".to_owned(),
        |mv| format!("{} is legal here", rules.move_name(mv)),
    );
    let shown: String = name.chars().take(40).collect();
    let mv = rules.move_named(name).ok_or_else(|| {
        Failure::input(
            format!("'{}' names no move on this board", shown.escape_debug()),
            &legal,
        )
    })?;
    if rules.moves(position).any(|other| other == mv) {
        Ok(mv)
    } else {
        Err(Failure::input(
            format!("{} is not legal here", rules.move_name(mv)),
            &legal,
        ))
    }
}
