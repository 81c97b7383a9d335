//! Othello games in the formats of other programs: transcripts, GGF, OBF, WTHOR. They are read tolerantly, and
//! what is wrong is named with its line.

pub mod ggf;
pub mod records;
pub mod wthor;

use std::fmt;

use upstar_games::othello::{self, Opening};
use upstar_games::{Board, Color, Game, Setup};

use crate::record::Record;

/// What is wrong with a text, or why a record cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl FormatError {
    fn at(line: usize, what: impl fmt::Display) -> Self {
        Self {
            line: Some(line),
            what: what.to_string(),
        }
    }

    fn of_record(what: impl fmt::Display) -> Self {
        Self {
            line: None,
            what: what.to_string(),
        }
    }
}

/// The record of a game of which these moves are known, with the result that the rules say if they lead to
/// the end.
fn record_of<G: Game>(
    game: &G,
    start: &G::Position,
    moves: &[G::Move],
    variant: &str,
    position: &str,
) -> Record {
    let play = |at, &mv| game.play_unchecked(&at, mv);
    let last = moves.iter().fold(*start, play);
    let names = moves.iter().map(|&mv| game.move_name(mv)).collect();
    let (setup, side) = (game.setup(start), game.side_to_move(start));
    let result = game.result(&last);
    Record {
        position: position.to_owned(),
        ..Record::of_moves(variant, &setup, side, names, result)
    }
}

/// A position as records have it: the size of a board at its usual start, else the text.
fn written(setup: &Setup, to_move: Color) -> String {
    if let Board::Grid(grid) = &setup.board
        && to_move == Color::Black
        && othello::start(*grid, Opening::DIAGONAL).as_ref() == Some(setup)
    {
        return grid.to_string();
    }
    setup.to_string()
}

/// Gives records the numbers of their places.
fn numbered(mut records: Vec<Record>) -> Vec<Record> {
    for (index, record) in (0..).zip(&mut records) {
        (record.index, record.round, record.pair) = (index, index, index);
    }
    records
}

/// Refuses records of other games.
fn check_othello(record: &Record) -> Result<(), FormatError> {
    if record.game.starts_with("othello") {
        Ok(())
    } else {
        let what = format!(
            "this format is for Othello, and the record is one of {}",
            record.game
        );
        Err(FormatError::of_record(what))
    }
}
