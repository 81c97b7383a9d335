//! A game by lines: a board after each move, and a move or a word on each line of the input. With
//! `--json` the same as one object a line.
//!
//! Lines are read by a thread of their own, so that Ctrl-C ends the game also while it waits for one:
//! what was played is kept then.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use upstar_agents::Resources;
use upstar_analysis::AnalysisLine;
use upstar_arena::Thought;
use upstar_games::{AnyGame, Color, Variant};
use upstar_jobs::{Budget, quantity};
use upstar_session::{Heading, LiveGame, Opponents, PlayedMove, judgement, opinion};

use crate::board_text;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::typed::{LONGEST, Line, NOTHING_TO_UNDO, read_line};
use crate::verbs::analyse;

const HELP: &str = "\
type a move, or one of
  moves   list the legal moves
  hint    ask for a good move
  analyse grade every move; analyse 10s takes more time
  undo    take back to your last turn
  resign  give the game up
  quit    leave the game unfinished";

/// How long an analysis takes where nothing else is said.
const ANALYSIS: Duration = Duration::from_secs(2);

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
    fn follow(&mut self, words: &str, programs: &Opponents) -> Result<(), Failure> {
        let table = &mut *self.table;
        match words {
            "" => return Ok(()),
            "help" | "?" => return self.say(HELP),
            "moves" => return self.list(),
            "hint" => return self.hint(programs),
            "analyse" => return self.analyse(programs, ANALYSIS),
            words if words.starts_with("analyse ") => {
                let time = words["analyse ".len()..].trim();
                return match quantity::duration(time) {
                    Ok(time) => self.analyse(programs, time),
                    Err(error) => self.say(&format!("{error}; right is analyse 10s")),
                };
            }
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

    fn hint(&self, programs: &Opponents) -> Result<(), Failure> {
        let best = match programs.hint(self.table.game(), self.budget) {
            Ok(best) => best,
            Err(error) => return self.say(&error.to_string()),
        };
        let hinted = Hinted {
            opinion: judgement(&best.known, self.table.side()),
            hint: best.mv,
        };
        self.output.print(&hinted, |hinted| match &hinted.opinion {
            Some(opinion) => format!("{}: {opinion}", hinted.hint),
            None => hinted.hint.clone(),
        })?;
        Ok(())
    }

    /// Grades every move for this long; it ends sooner when all are proved.
    fn analyse(&self, programs: &Opponents, time: Duration) -> Result<(), Failure> {
        let game = self.table.game();
        let budget = self.budget.within(time);
        match programs.analyse(game, &budget, &mut |_| {}) {
            Ok(analysis) => {
                let line = AnalysisLine::new(&analysis, game, usize::MAX);
                let text = |_: &AnalysisLine| analyse::text(&analysis, game, usize::MAX);
                self.output.print(&line, text)?;
                Ok(())
            }
            Err(error) => self.say(&error.to_string()),
        }
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
        text += &discs(game).map_or(String::new(), |discs| discs + "\n");
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

/// The discs of both sides, in games in which they count.
pub(super) fn discs(game: &AnyGame) -> Option<String> {
    let counted = matches!(game.variant(), Variant::Othello(_) | Variant::Reversi);
    let setup = game.setup();
    let discs = |side: Color| setup.stones(side).count_ones();
    counted.then(|| format!("x {}, o {}", discs(Color::Black), discs(Color::White)))
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
