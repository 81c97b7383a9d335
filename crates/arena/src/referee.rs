//! Records played again by the rules: who is said to have won is who has, and what is said to be over
//! is over.
//!
//! A file has games of mostly one board, whose rules are made only once; then a game costs little more
//! than its moves.

use upstar_games::{AnyGame, Board, Color, Game, Rules, Setup, Side, excerpt, with_game};

use crate::record::{Reason, Record, Winner, no_game_for_two, replay, sentence};

/// Plays records again.
#[derive(Debug, Default)]
pub struct Referee {
    /// The game of the last record.
    last: Option<Opened>,
    /// Where the last record with an opening began.
    before: Option<Before>,
}

#[derive(Debug)]
struct Opened {
    word: String,
    board: Board,
    game: AnyGame,
}

/// A game before its opening, and what a record says about that.
#[derive(Debug)]
struct Before {
    word: String,
    position: String,
    side: char,
    game: AnyGame,
}

impl Referee {
    /// A referee who has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Plays a game again.
    ///
    /// # Errors
    /// If its moves are not legal or do not lead to what it says.
    pub fn check(&mut self, record: &Record) -> Result<(), String> {
        let setup: Setup = record.start.parse().map_err(sentence)?;
        let side = Side::from_letter(record.to_move).and_then(Side::color);
        let known = |last: &Opened| last.word == record.game && last.board == setup.board;
        let opened = match self.last.take().filter(known) {
            // What `open` says of a board it has said before, and of the rest there is only this.
            Some(opened) if side.is_some() && setup.sides() <= 2 => opened,
            _ => Opened {
                game: record.open()?,
                word: record.game.clone(),
                board: setup.board.clone(),
            },
        };
        let opened = self.last.insert(opened);
        let before = match record.opening.is_empty() {
            true => None,
            false => Some(before(&mut self.before, record)?),
        };
        let side = side.unwrap_or(Color::Black);
        with_game!(
            &opened.game,
            |game, _start| {
                let start = game.position(&setup, side).map_err(sentence)?;
                check(game, &start, before, record)
            },
            Err(no_game_for_two(&record.game))
        )
    }
}

/// The game before the opening of this record.
fn before<'a>(last: &'a mut Option<Before>, record: &Record) -> Result<&'a AnyGame, String> {
    let side = record.side_before_opening();
    let known = |last: &Before| {
        (&last.word, &last.position, last.side) == (&record.game, &record.position, side)
    };
    let kept = match last.take().filter(known) {
        Some(kept) => kept,
        None => Before {
            word: record.game.clone(),
            position: record.position.clone(),
            side,
            game: record
                .open_before_opening()
                .map_err(|error| within_opening(&error))?,
        },
    };
    Ok(&last.insert(kept).game)
}

fn within_opening(error: &str) -> String {
    format!("opening: {error}")
}

fn check<G: Game>(
    game: &G,
    start: &G::Position,
    before: Option<&AnyGame>,
    record: &Record,
) -> Result<(), String> {
    if let Some(before) = before {
        check_opening(game, start, before, record)?;
    }
    let last = replay(game, start, &record.moves, |_| {})?;
    let (moves, thoughts) = (record.moves.len(), record.thoughts.len());
    if thoughts != 0 && thoughts != moves {
        return Err(format!("there are {moves} moves and {thoughts} thoughts"));
    }
    check_end(record, game.black_score(&last), game.to_move(&last))
}

/// Where there are moves of an opening, they lead from the run's position to where the game begins.
fn check_opening<G: Game>(
    game: &G,
    start: &G::Position,
    before: &AnyGame,
    record: &Record,
) -> Result<(), String> {
    let end = with_game!(
        before,
        |game, start| {
            let end = replay(game, start, &record.opening, |_| {})
                .map_err(|error| within_opening(&error))?;
            (game.setup(&end), game.to_move(&end))
        },
        return Err(no_game_for_two(&record.game))
    );
    if end == (game.setup(start), game.to_move(start)) {
        return Ok(());
    }
    Err(format!(
        "its opening does not lead from {} to {} with {} to move",
        excerpt(&record.position),
        excerpt(&record.start),
        record.to_move
    ))
}

/// Whether a game may end as the record says: `score` is Black's where it is over by the rules, else it
/// would be the turn of `to_move`.
fn check_end(record: &Record, score: Option<i32>, to_move: Color) -> Result<(), String> {
    let by_rules = score.map(Winner::of_score);
    match (record.reason, by_rules) {
        (Reason::Rules, Some(by_rules)) => {
            if record.winner != Some(by_rules) {
                let claimed = result(record.winner);
                let right = result(Some(by_rules));
                return Err(format!("it says {claimed}, but by its moves {right}"));
            }
            match (record.score, score) {
                (Some(claimed), Some(right)) if claimed != right => Err(format!(
                    "it says that the score is {claimed:+}, but by its moves it is {right:+}"
                )),
                _ => Ok(()),
            }
        }
        (Reason::Rules, None) => {
            Err("it says that the game is over, but after its moves it is not".to_owned())
        }
        (_, Some(by_rules)) => Err(format!(
            "it does not say so, but after its moves the game is over and {}",
            result(Some(by_rules))
        )),
        (Reason::Unfinished, None) => match record.winner {
            None => Ok(()),
            claimed => Err(format!(
                "it says {}, but also that the game has not ended",
                result(claimed)
            )),
        },
        (reason, None) => check_early_end(record, reason, to_move),
    }
}

/// A game that ended before it was over by the rules.
fn check_early_end(record: &Record, reason: Reason, to_move: Color) -> Result<(), String> {
    let Some(winner) = record.winner else {
        return Err("it says that the game has ended, but not who won".to_owned());
    };
    if reason == Reason::Agreed {
        return match record.score {
            Some(score) if score != 0 && Winner::of_score(score) != winner => Err(format!(
                "it says {}, but also that the score is {score:+}",
                result(Some(winner))
            )),
            _ => Ok(()),
        };
    }
    let Some(loser) = winner.side().map(|side| !side) else {
        return Err("it says that the game was drawn, but also that somebody lost".to_owned());
    };
    let agent = match loser {
        Color::Black => &record.black_agent,
        Color::White => &record.white_agent,
    };
    // An agent is asked only when it is its turn. Records of other programs know a time limit or a
    // resignation on the other side's turn, too.
    if agent.is_some() && loser != to_move {
        return Err(format!(
            "it says {}, but it was the turn of {to_move}, not of the loser",
            result(Some(winner))
        ));
    }
    Ok(())
}

fn result(winner: Option<Winner>) -> String {
    match winner.map(Winner::side) {
        None => "nobody has won yet".to_owned(),
        Some(None) => "it was a draw".to_owned(),
        Some(Some(side)) => format!("{side} won"),
    }
}
