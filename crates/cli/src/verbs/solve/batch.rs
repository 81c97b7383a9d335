//! Many positions from a file, one per line.

use std::path::Path;
use std::process::ExitCode;

use upstar_games::AnyGame;

use super::{Arguments, solve};
use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, grouped};
use crate::search::value_tables;

/// Solves the positions of a file in their order. All are read first, so that a mistake in the last
/// line is not found after hours.
pub(super) fn run(arguments: &Arguments, file: &Path, output: &Output) -> Done {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    let mut games: Vec<(String, AnyGame)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
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
        let game = place.open().map_err(refused)?;
        games.push((line.trim().to_owned(), game));
    }
    let mut all_proved = true;
    let budget = arguments.search.budget();
    let tables = value_tables();
    for (line, game) in &games {
        // Limits hold for each position.
        let mut solved = solve(arguments, &tables, game, &arguments.search.renewed(&budget))?;
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
