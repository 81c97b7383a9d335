//! A game by lines: a board after each move, and a move or a word on each line of the input. With
//! `--json` the same as one object a line.
//!
//! Lines are read by a thread of their own, so that Ctrl-C ends the game also while it waits for one:
//! what was played is kept then.

use std::io::{self, BufRead, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde::Serialize;
use upstar_agents::Resources;
use upstar_arena::Thought;
use upstar_jobs::Budget;
use upstar_session::{Heading, LiveGame, Opponents, PlayedMove, opinion, opinion_of};

use super::desk::NOTHING_TO_UNDO;
use crate::board_text;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

/// The longest line that is looked at, in bytes.
const LONGEST: u64 = 1024;

const HELP: &str = "\
type a move, or one of
  moves   list the legal moves
  hint    ask for a good move
  undo    take back to your last turn
  resign  give the game up
  quit    leave the game unfinished";

/// What is on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    End,
    TooLong,
    Words(String),
}

/// A position, and the move that led to it.
#[derive(Serialize)]
struct Moved {
    r#move: Option<String>,
    position: String,
    to_move: char,
    over: bool,
}

#[derive(Serialize)]
struct Said<'a> {
    message: &'a str,
}

#[derive(Serialize)]
struct Listed {
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Hinted {
    hint: String,
    opinion: Option<String>,
}

/// A game and where it is written to.
pub(super) struct Lines<'a> {
    pub(super) table: &'a mut LiveGame,
    pub(super) output: &'a Output,
    /// What ends the game from outside.
    pub(super) budget: &'a Budget,
    /// Whether nothing is shown on the way.
    pub(super) quiet: bool,
}

impl Lines<'_> {
    /// Two programs play the game to its end, or until the budget ends. The title is shown once both are
    /// there.
    pub(super) fn watch(
        &mut self,
        title: &str,
        heading: &Heading,
        resources: &Resources,
    ) -> Result<(), Failure> {
        let (output, quiet, budget) = (self.output, self.quiet, self.budget);
        let mut title = Some(title);
        let mut shown = Ok(());
        let mut told = |table: &LiveGame| {
            if let Some(title) = title.take() {
                shown = output.verbatim(title).map_err(Failure::from);
            }
            if shown.is_ok() {
                shown = show(table, output, quiet);
            }
            if shown.is_err() {
                budget.cancel();
            }
        };
        let played = self.table.play_out(heading, resources, budget, &mut told);
        shown?;
        played.map_err(|refusal| Failure::input(refusal, super::EXAMPLE))?;
        // What did not end by a move is still to be seen.
        if self.table.is_over() && !self.table.game().is_over() {
            self.show()?;
        }
        Ok(())
    }

    /// Plays the game to its end, or until the input or the budget ends.
    pub(super) fn play(
        &mut self,
        programs: &mut Opponents,
        input: &Receiver<Result<Line, Failure>>,
    ) -> Result<(), Failure> {
        self.show()?;
        while !self.table.is_over() {
            if self.table.waits_for_program() {
                let answer = programs.choose(&self.table.line(), self.budget);
                if self.budget.is_over() {
                    break;
                }
                self.table.answered(answer);
                self.show()?;
                continue;
            }
            // Who has nothing more to say has ended.
            let line = input.recv().unwrap_or(Ok(Line::End))?;
            if self.budget.is_over() {
                break;
            }
            match line {
                Line::End => break,
                Line::TooLong => self.say(&format!("the line is longer than {LONGEST} bytes"))?,
                Line::Words(words) if words == "quit" => break,
                Line::Words(words) => self.follow(&words, programs)?,
            }
        }
        Ok(())
    }

    /// Does what a line asks for.
    fn follow(&mut self, words: &str, programs: &mut Opponents) -> Result<(), Failure> {
        let table = &mut *self.table;
        match words {
            "" => return Ok(()),
            "help" => return self.say(HELP),
            "moves" => return self.list(),
            "hint" => return self.hint(programs),
            "resign" => table.resign(),
            "undo" => {
                if table.undo().is_none() {
                    return self.say(NOTHING_TO_UNDO);
                }
            }
            name => match table.named(name) {
                Ok(mv) => table.play(&mv, Thought::default()),
                Err(error) => {
                    let example = table.legal().into_iter().next().unwrap_or_default();
                    let all = format!("{error}; {example} is legal, and 'help' says what else");
                    return self.say(&all);
                }
            },
        }
        self.show()
    }

    fn list(&self) -> Result<(), Failure> {
        let moves = self.table.legal();
        let listed = Listed { moves };
        self.output
            .print(&listed, |listed| listed.moves.join(" "))?;
        Ok(())
    }

    fn hint(&self, programs: &mut Opponents) -> Result<(), Failure> {
        let choice = match programs.hint(&self.table.line(), self.budget) {
            Ok(choice) => choice,
            Err(fault) => return self.say(&fault.to_string()),
        };
        let hinted = Hinted {
            opinion: opinion_of(&choice, self.table.side()),
            hint: choice.mv,
        };
        self.output.print(&hinted, |hinted| match &hinted.opinion {
            Some(opinion) => format!("{}: {opinion}", hinted.hint),
            None => hinted.hint.clone(),
        })?;
        Ok(())
    }

    fn say(&self, message: &str) -> Result<(), Failure> {
        let said = Said { message };
        self.output.print(&said, |said| said.message.to_owned())?;
        Ok(())
    }

    fn show(&self) -> Result<(), Failure> {
        show(self.table, self.output, self.quiet)
    }
}

/// Shows the position and how it came about.
fn show(table: &LiveGame, output: &Output, quiet: bool) -> Result<(), Failure> {
    if quiet {
        return Ok(());
    }
    let game = table.game();
    let last = table.last_move();
    let moved = Moved {
        r#move: last.as_ref().map(|last| last.mv.clone()),
        position: game.to_string(),
        to_move: game.side_to_move().letter(),
        over: table.is_over(),
    };
    output.print(&moved, |_| {
        let mut text = last
            .as_ref()
            .map_or(String::new(), |last| played(last) + "\n");
        text += &board_text::draw_game(game);
        // The drawing says how a game ended by the rules, and nothing of how else.
        match table.result() {
            Some(result) if !game.is_over() => format!("{text}\n{result}"),
            _ => text,
        }
    })?;
    Ok(())
}

/// A move, and what its agent thinks of it.
pub(super) fn played(last: &PlayedMove) -> String {
    let text = format!("{} plays {}", last.side, last.mv);
    match opinion(&last.thought, last.side) {
        Some(opinion) => format!("{text}: {opinion}"),
        None => text,
    }
}

/// The lines of the standard input until its end or Ctrl-C, which also ends the budget; a second Ctrl-C
/// ends the program.
pub(super) fn typed(budget: &Budget) -> Receiver<Result<Line, Failure>> {
    // Nothing is read ahead but one line: the input may have no end.
    let (send, lines) = mpsc::sync_channel(1);
    let (stop, woken) = (budget.stop_flag(), send.clone());
    interrupt::listen(move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        // Where this finds no room, somebody gets a line soon, and looks at the budget.
        let _ = woken.try_send(Ok(Line::End));
    });
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let line = read_line(&mut input);
            let last = !matches!(&line, Ok(Line::TooLong | Line::Words(_)));
            // Where nobody listens any more the game is over.
            if send.send(line).is_err() || last {
                break;
            }
        }
    });
    lines
}

/// The next line without the blanks around it.
fn read_line(input: &mut impl BufRead) -> Result<Line, Failure> {
    let mut bytes = Vec::new();
    let mut piece = |bytes: &mut Vec<u8>| {
        bytes.clear();
        let read = input.by_ref().take(LONGEST + 1).read_until(b'\n', bytes);
        read.map_err(|error: io::Error| Failure::Io(format!("standard input: {error}")))
    };
    if piece(&mut bytes)? == 0 {
        return Ok(Line::End);
    }
    if bytes.len() as u64 <= LONGEST {
        let words = String::from_utf8_lossy(&bytes);
        return Ok(Line::Words(words.trim().to_owned()));
    }
    // The rest of it, a piece at a time: a line need not end.
    while bytes.last() != Some(&b'\n') && piece(&mut bytes)? > 0 {}
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_end_are_read_in_pieces() {
        let text = "a1b1\r\n".to_owned() + &"x".repeat(5000) + "\n quit";
        let mut input = text.as_bytes();
        let mut next = || match read_line(&mut input).unwrap() {
            Line::End => "end".to_owned(),
            Line::TooLong => "too long".to_owned(),
            Line::Words(words) => words,
        };
        let lines = [next(), next(), next(), next()];
        assert_eq!(lines, ["a1b1", "too long", "quit", "end"]);
    }
}
