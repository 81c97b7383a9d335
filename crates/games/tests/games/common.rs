//! What several test files share: opening a game from texts, and reading a table.

use upstar_games::AnyGame;

/// The game that a user asks for with these words.
pub(crate) fn open(game: &str, start: &str, to_move: Option<char>) -> AnyGame {
    let refused = |error: &dyn std::error::Error| -> ! { panic!("{game} {start}: {error}") };
    let variant = game.parse().unwrap_or_else(|error| refused(&error));
    let start = start.parse().unwrap_or_else(|error| refused(&error));
    AnyGame::open(variant, &start, to_move).unwrap_or_else(|error| refused(&error))
}

/// The rows of a table in CSV without quotes: lines that begin with `#` are comments, the first of
/// the others names the columns.
pub(crate) fn table<const COLUMNS: usize>(text: &str) -> Vec<[&str; COLUMNS]> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            fields
                .try_into()
                .unwrap_or_else(|_| panic!("'{line}' has not {COLUMNS} columns"))
        })
        .collect()
}
