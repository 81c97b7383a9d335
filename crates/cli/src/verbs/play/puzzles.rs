//! `play --puzzles`: find the only move that wins.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use upstar_agents::Resources;
use upstar_analysis::Puzzle;
use upstar_games::AnyGame;
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::Query;

use super::lines::{Line, typed};
use crate::board_text;
use crate::failure::{Done, Failure};
use crate::input;
use crate::output::{Output, counted};
use crate::players;
use crate::search::{budget, refused};

const HELP: &str = "\
type the only move that wins, or one of
  show    show the solution
  skip    go to the next puzzle
  quit    stop";

/// An answer, for `--json`.
#[derive(Serialize)]
struct Answered<'a> {
    position: &'a str,
    to_move: char,
    level: u8,
    answer: &'a str,
    right: bool,
    solution: Option<&'a str>,
}

/// The puzzles of this game, and of this board where the position is the start of a size; from a file, or
/// those that come with the program. Easy ones first.
fn chosen(start: &AnyGame, file: Option<&Path>) -> Result<Vec<Puzzle>, Failure> {
    let mut puzzles = match file {
        None => Puzzle::shipped(),
        Some(file) => {
            let bytes = input::read_file(file, 256 << 20)?;
            let text = String::from_utf8_lossy(&bytes);
            let right = "a file of upstar puzzle --out FILE";
            let read = |(number, line): (usize, &str)| {
                let refused = |error: &dyn std::fmt::Display| {
                    let place = crate::failure::shown(file);
                    Failure::input(format!("{place} line {}: {error}", number + 1), right)
                };
                let puzzle: Puzzle = serde_json::from_str(line).map_err(|error| refused(&error))?;
                puzzle.open().map_err(|error| refused(&error))?;
                Ok::<Puzzle, Failure>(puzzle)
            };
            text.lines()
                .enumerate()
                .map(read)
                .collect::<Result<_, _>>()?
        }
    };
    puzzles.retain(|puzzle| {
        let game = puzzle.open();
        game.is_ok_and(|game| game.variant() == start.variant() && game.board() == start.board())
    });
    puzzles.sort_by_key(|puzzle| (puzzle.level, puzzle.nodes));
    Ok(puzzles)
}

/// Shows puzzle after puzzle until the user has enough.
pub(super) fn run(start: &AnyGame, file: Option<&Path>, output: &Output) -> Done {
    let puzzles = chosen(start, file)?;
    if puzzles.is_empty() {
        let (game, size) = (start.variant(), start.setup().board);
        let sentence = format!("there are no puzzles of {game} {size}");
        return Err(Failure::input(
            sentence,
            "upstar play clobber 5x5 --puzzles",
        ));
    }
    let budget = budget(None);
    let lines = typed(&budget);
    let resources = players::resources();
    let (mut right, mut tried) = (0_u64, 0_u64);
    'puzzles: for (number, puzzle) in puzzles.iter().enumerate() {
        let game = puzzle.open().map_err(|error| Failure::input(error, HELP))?;
        if !output.is_json() {
            let (number, all, level) = (number + 1, puzzles.len(), puzzle.level);
            let (board, side) = (board_text::draw_game(&game), puzzle.to_move);
            output.verbatim(&format!(
                "\npuzzle {number} of {all}, level {level} of 5\n{board} and wins by one move only. Which one for {side}?\n"
            ))?;
        }
        let mut first = true;
        loop {
            let Ok(Ok(Line::Words(words))) = lines.recv() else {
                break 'puzzles;
            };
            let told = |answer: &str, is_right: bool, solution: Option<&str>, sentence: &str| {
                if output.is_json() {
                    return output.happened(&Answered {
                        position: &puzzle.position,
                        to_move: puzzle.to_move,
                        level: puzzle.level,
                        answer,
                        right: is_right,
                        solution,
                    });
                }
                output.verbatim(&format!("{sentence}\n"))
            };
            match words.trim() {
                "" => continue,
                "quit" | "q" | "exit" => break 'puzzles,
                "help" | "?" => {
                    output.verbatim(&format!("{HELP}\n"))?;
                    continue;
                }
                "skip" => break,
                "show" => {
                    tried += u64::from(first);
                    let solution = &puzzle.solution;
                    let line = reply(&game, solution, &resources, &budget)?;
                    let sentence = format!("{solution} wins: {line}");
                    told("show", false, Some(solution), &sentence)?;
                    break;
                }
                answer => {
                    let Ok(mv) = game.legal_move(answer) else {
                        let legal = game.legal().join(" ");
                        let sentence = format!(
                            "'{}' is not a legal move: {legal}",
                            upstar_games::excerpt(answer)
                        );
                        told(answer, false, None, &sentence)?;
                        continue;
                    };
                    tried += u64::from(first);
                    let line = reply(&game, &mv, &resources, &budget)?;
                    if mv == puzzle.solution {
                        right += u64::from(first);
                        told(&mv, true, Some(&mv), &format!("right: {line}"))?;
                        break;
                    }
                    first = false;
                    let sentence =
                        format!("no, after {mv} the win is gone: {line}. Try again, or show");
                    told(&mv, false, None, &sentence)?;
                }
            }
        }
    }
    if !output.is_json() {
        let tried = counted(tried, "puzzle");
        output.verbatim(&format!("{right} of {tried} right at the first try\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How best play goes on after a move.
fn reply(
    game: &AnyGame,
    mv: &str,
    resources: &Resources,
    budget: &Budget,
) -> Result<String, Failure> {
    let next = game.play(mv).expect("the move is legal");
    if next.is_over() {
        return Ok(format!("{mv} ends the game"));
    }
    let answer = resources
        .solver
        .solve(&next, &Query::winner(), budget, &Unwatched);
    let answer = answer.map_err(|error| refused(&error))?;
    let line = match answer.line.is_empty() {
        true => answer.best.into_iter().collect(),
        false => answer.line,
    };
    let line: Vec<&str> = line.iter().map(String::as_str).take(8).collect();
    Ok(format!("{mv} {}", line.join(" ")).trim_end().to_owned())
}
