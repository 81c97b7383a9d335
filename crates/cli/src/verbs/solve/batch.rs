//! Many positions from a file, one per line.

use std::path::Path;
use std::process::ExitCode;

use upstar_games::Variant;
use upstar_games::othello::obf::{self, Problem};
use upstar_solve::Solver;

use super::{Arguments, solve};
use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, counted};

/// Solves the positions of a file in their order. All are read first, so that a mistake in the last
/// line is not found after hours.
pub(super) fn run(arguments: &Arguments, file: &Path, output: &Output) -> Done {
    // Some million positions.
    const MOST: u64 = 64 << 20;
    let bytes = if file == Path::new("-") {
        input::read_at_most(std::io::stdin().lock(), file, MOST)?
    } else {
        input::read_file(file, MOST)?
    };
    let text = String::from_utf8(bytes).map_err(|_| Failure::file(file, &"it is not UTF-8"))?;
    let is_othello = matches!(arguments.game, Variant::Othello(_) | Variant::Reversi);
    let mut tasks: Vec<Task> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let refused =
            |failure: Failure| failure.at(&format!("{} line {}", shown(file), number + 1));
        match obf::parse(line) {
            Ok(Some(problem)) if is_othello => {
                tasks.push(Task::of_problem(arguments.game, &problem));
                continue;
            }
            Ok(None) if is_othello && line.trim_start().starts_with('%') => continue,
            Err(error) if is_othello && line.contains(';') => {
                let right = "6x6 --------------XO----OX-------------- X; or 64 cells for 8x8";
                return Err(refused(Failure::input(error, right)));
            }
            _ => {}
        }
        let mut words = line.split_whitespace().take_while(|word| !is_comment(word));
        let Some(position) = words.next() else {
            continue;
        };
        let to_move = words.next().map(input::stone).transpose();
        let to_move = to_move.map_err(|sentence| refused(Failure::input(sentence, "xoxo x")))?;
        if let Some(word) = words.next() {
            let sentence = format!("'{}' follows the side to move", upstar_games::excerpt(word));
            return Err(refused(Failure::input(sentence, "xoxo x")));
        }
        let place =
            GameArguments::new(arguments.game, position, to_move.or(arguments.to_move), &[]);
        place.open().map_err(refused)?;
        let side = to_move.map_or(String::new(), |letter| format!(" {letter}"));
        tasks.push(Task {
            line: format!("{position}{side}"),
            place,
            expected: None,
        });
    }
    let mut all_proved = true;
    let budget = arguments.search.budget();
    let solver = Solver::new(arguments.settings()?);
    for task in &tasks {
        // Limits hold for each position, and none depends on those before.
        solver.forget();
        let mut solved = solve(
            arguments,
            &solver,
            &task.place.open()?,
            &arguments.search.renewed(&budget),
        )?;
        solved.position = Some(task.line.clone());
        solved.expected = task.expected;
        all_proved &= solved.proved;
        output.print(&solved, |solved| {
            let verdict = match (solved.score, solved.expected) {
                (Some(score), Some(expected)) if score != expected => {
                    format!("{}, not {expected:+} as the file says", solved.sentence())
                }
                _ => solved.sentence(),
            };
            format!(
                "{}  {verdict} ({})",
                task.line,
                counted(solved.nodes, "node")
            )
        })?;
    }
    Ok(ExitCode::from(u8::from(!all_proved)))
}

/// A position to solve.
struct Task {
    /// How it is named in the answer.
    line: String,
    place: GameArguments,
    /// The score for `x` that the file tells.
    expected: Option<i32>,
}

impl Task {
    fn of_problem(game: Variant, problem: &Problem) -> Self {
        let (position, letter) = (problem.setup.to_string(), problem.to_move.letter());
        Self {
            line: format!("{position} {letter}"),
            place: GameArguments::new(game, &position, Some(letter), &[]),
            expected: problem.score().map(|score| problem.to_move.sign() * score),
        }
    }
}

/// Whether this word begins a comment. A position may begin with a hole, so `#xo` does not; `# xo` and
/// `#see` do.
fn is_comment(word: &str) -> bool {
    let is_row = word.len() > 1 && word.chars().all(|c| "xo.#|XBb*OWw-".contains(c));
    word.starts_with('#') && !is_row
}
