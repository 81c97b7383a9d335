//! `play --puzzles`: find the only move that wins. Puzzles come by lines; the solver judges every answer,
//! so that a puzzle of a file is not believed.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use upstar_agents::Resources;
use upstar_analysis::Puzzle;
use upstar_games::{AnyGame, excerpt};
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::{Outcome, Query};

use super::lines::{discs, typed};
use crate::board_text;
use crate::failure::{Done, Failure};
use crate::output::{Output, counted};
use crate::players;
use crate::search::refused;
use crate::typed::Line;
use crate::verbs::puzzle;

const HELP: &str = "\
type the only move that wins, or one of
  moves   list the legal moves
  show    show the solution
  skip    go to the next puzzle
  quit    stop";

const EXAMPLE: &str = "upstar play clobber 5x5 --puzzles";

/// How many plies of best play are shown after an answer.
const LONGEST_LINE: usize = 8;

/// A puzzle, for `--json`.
#[derive(Serialize)]
struct Asked<'a> {
    puzzle: usize,
    puzzles: usize,
    game: &'a str,
    position: &'a str,
    to_move: char,
    level: u8,
}

/// An answer, for `--json`.
#[derive(Serialize)]
struct Answered<'a> {
    position: &'a str,
    to_move: char,
    level: u8,
    answer: &'a str,
    right: bool,
    solution: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
struct Said<'a> {
    message: &'a str,
}

/// How it went, for `--json`.
#[derive(Serialize)]
struct Summary {
    right: u64,
    tried: u64,
}

/// Shows puzzle after puzzle until the user has enough.
pub(super) fn run(start: &AnyGame, file: Option<&Path>, output: &Output) -> Done {
    let puzzles = chosen(start, file)?;
    if puzzles.is_empty() {
        let (game, size) = (start.variant(), start.board());
        let sentence = format!("there are no puzzles of {game} {size}");
        return Err(Failure::input(sentence, EXAMPLE));
    }
    let budget = Budget::unlimited();
    let lines = typed(&budget);
    let next_line = || match lines.recv() {
        Ok(Ok(Line::Words(words))) => Ok(Some(words)),
        Ok(Ok(Line::TooLong)) => Ok(Some("help".to_owned())),
        Ok(Ok(Line::End)) | Err(_) => Ok(None),
        Ok(Err(failure)) => Err(failure),
    };
    let resources = players::resources();
    let mut summary = Summary { right: 0, tried: 0 };
    'puzzles: for (index, puzzle) in puzzles.iter().enumerate() {
        let table = Table {
            puzzle,
            game: puzzle
                .open()
                .map_err(|error| Failure::input(error, EXAMPLE))?,
            output,
        };
        table.ask(index + 1, puzzles.len())?;
        let mut first = true;
        loop {
            let Some(words) = next_line()? else {
                break 'puzzles;
            };
            let answer = match words.as_str() {
                "" => continue,
                "quit" | "q" | "exit" => break 'puzzles,
                "skip" => break,
                "help" | "?" => {
                    table.say(HELP)?;
                    continue;
                }
                "moves" => {
                    table.say(&table.game.legal().join(" "))?;
                    continue;
                }
                "show" => {
                    summary.tried += u64::from(first);
                    let solution = &puzzle.solution;
                    let judged = judge(&table.game, solution, &resources, &budget)?;
                    let sentence = match judged.wins {
                        Some(true) => format!("{solution} wins: {}", judged.line),
                        Some(false) => format!("the puzzle says {solution}, which does not win"),
                        None => format!("{solution}, not proved again: {}", judged.line),
                    };
                    table.answer("show", false, Some(solution), &sentence)?;
                    break;
                }
                answer => answer,
            };
            let Ok(mv) = table.game.legal_move(answer) else {
                let answer = excerpt(answer);
                let sentence = format!("'{answer}' is not a legal move; 'moves' lists them");
                table.answer(&answer, false, None, &sentence)?;
                continue;
            };
            let judged = judge(&table.game, &mv, &resources, &budget)?;
            let Some(wins) = judged.wins else {
                table.say(&format!("{mv} was not judged to the end"))?;
                break 'puzzles;
            };
            summary.tried += u64::from(first);
            summary.right += u64::from(first && wins);
            first = false;
            let line = judged.line;
            if wins {
                table.answer(&mv, true, Some(&mv), &format!("right: {line}"))?;
                break;
            }
            let sentence = format!("no, after {mv} the win is gone: {line}. Try again, or show");
            table.answer(&mv, false, None, &sentence)?;
        }
    }
    output.print(&summary, |summary| {
        let tried = counted(summary.tried, "puzzle");
        format!("{} of {tried} right at the first try", summary.right)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of this game and board, the easy ones first: from a file, or those that come with the
/// program.
fn chosen(start: &AnyGame, file: Option<&Path>) -> Result<Vec<Puzzle>, Failure> {
    let mut puzzles = match file {
        None => Puzzle::shipped(),
        Some(file) => puzzle::read(file)?,
    };
    puzzles.retain(|puzzle| {
        let game = puzzle.open();
        game.is_ok_and(|game| game.variant() == start.variant() && game.board() == start.board())
    });
    puzzles.sort_by_key(|puzzle| (puzzle.level, puzzle.nodes));
    Ok(puzzles)
}

/// A puzzle and where it is shown.
struct Table<'a> {
    puzzle: &'a Puzzle,
    game: AnyGame,
    output: &'a Output,
}

impl Table<'_> {
    fn ask(&self, number: usize, all: usize) -> Result<(), Failure> {
        let puzzle = self.puzzle;
        let asked = Asked {
            puzzle: number,
            puzzles: all,
            game: &puzzle.game,
            position: &puzzle.position,
            to_move: puzzle.to_move,
            level: puzzle.level,
        };
        self.output.print(&asked, |_| {
            let discs = discs(&self.game).map_or(String::new(), |discs| format!("\n{discs}"));
            let (board, level) = (board_text::draw_game(&self.game), puzzle.level);
            format!(
                "\npuzzle {number} of {all}, level {level} of 5{discs}\n{board}; only one move wins. Which one?"
            )
        })?;
        Ok(())
    }

    fn say(&self, message: &str) -> Result<(), Failure> {
        let said = Said { message };
        self.output.print(&said, |said| said.message.to_owned())?;
        Ok(())
    }

    fn answer(
        &self,
        answer: &str,
        right: bool,
        solution: Option<&str>,
        message: &str,
    ) -> Result<(), Failure> {
        let answered = Answered {
            position: &self.puzzle.position,
            to_move: self.puzzle.to_move,
            level: self.puzzle.level,
            answer,
            right,
            solution,
            message,
        };
        self.output.print(&answered, |it| it.message.to_owned())?;
        Ok(())
    }
}

/// What a move is worth.
struct Judged {
    /// Whether it wins, if that is proved.
    wins: Option<bool>,
    /// The move and how best play goes on.
    line: String,
}

fn judge(
    game: &AnyGame,
    mv: &str,
    resources: &Resources,
    budget: &Budget,
) -> Result<Judged, Failure> {
    let next = game.play(mv).expect("the move is legal");
    if let Some(result) = next.result() {
        return Ok(Judged {
            wins: Some(result.winner() == Some(game.side_to_move())),
            line: format!("{mv} ends the game"),
        });
    }
    let answer = resources
        .solver
        .solve(&next, &Query::winner(), budget, &Unwatched);
    let answer = answer.map_err(|error| refused(&error))?;
    let wins = answer.outcome.map(|outcome| outcome == Outcome::Loss);
    let best = match answer.line.is_empty() {
        true => answer.best.into_iter().collect(),
        false => answer.line,
    };
    let best = best.iter().map(String::as_str).take(LONGEST_LINE);
    let line: Vec<&str> = std::iter::once(mv).chain(best).collect();
    Ok(Judged {
        wins,
        line: line.join(" "),
    })
}
