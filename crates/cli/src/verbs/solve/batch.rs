//! Many positions from a file, one per line.

use std::path::Path;
use std::process::ExitCode;

use super::{Arguments, solve};
use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, grouped};
use crate::search::value_tables;

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
    let mut places: Vec<(String, GameArguments)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace().take_while(|word| !is_comment(word));
        let Some(position) = words.next() else {
            continue;
        };
        let refused =
            |failure: Failure| failure.at(&format!("{} line {}", shown(file), number + 1));
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
        places.push((format!("{position}{side}"), place));
    }
    let mut all_proved = true;
    let budget = arguments.search.budget();
    let tables = value_tables();
    for (line, place) in &places {
        // Limits hold for each position.
        let mut solved = solve(
            arguments,
            &tables,
            &place.open()?,
            &arguments.search.renewed(&budget),
        )?;
        solved.position = Some(line.clone());
        all_proved &= solved.proved;
        output.print(&solved, |solved| {
            format!(
                "{line}  {} ({} nodes)",
                solved.sentence(),
                grouped(solved.nodes)
            )
        })?;
    }
    Ok(ExitCode::from(u8::from(!all_proved)))
}

/// Whether this word begins a comment. A position may begin with a hole, so `#xo` does not; `# xo` and
/// `#see` do.
fn is_comment(word: &str) -> bool {
    let is_row = word.len() > 1 && word.chars().all(|c| "xo.#|XBb*OWw-".contains(c));
    word.starts_with('#') && !is_row
}
