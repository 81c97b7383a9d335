//! What is wrong with a tournament's file: the key, the reason, and what would be right.

use std::path::{Path, PathBuf};

/// Why a file describes no tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{what}{}",
    file.as_ref().map_or(String::new(), |file| format!("{}: ", file.display())),
    example.as_ref().map_or(String::new(), |example| format!(" (right is {example})"))
)]
pub struct ConfigError {
    file: Option<PathBuf>,
    /// What is wrong, with the key or the line.
    pub what: String,
    /// What would be right, if there is something to show.
    pub example: Option<String>,
}

impl ConfigError {
    pub(super) fn key(key: &str, what: &str, example: &str) -> Self {
        Self {
            file: None,
            what: format!("{key}: {what}"),
            example: Some(example.to_owned()),
        }
    }

    pub(super) fn file(path: &Path, what: String) -> Self {
        Self {
            file: Some(path.to_owned()),
            what,
            example: None,
        }
    }

    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.file = Some(path.to_owned());
        self
    }

    /// What the reader of TOML says, with its line and an example of the key it is about.
    pub(super) fn syntax(text: &str, error: &toml::de::Error) -> Self {
        let message = error.message();
        let begin = error.span().map(|span| span.start.min(text.len()));
        let line = begin.map(|begin| {
            text.as_bytes()[..begin]
                .iter()
                .filter(|&&b| b == b'\n')
                .count()
                + 1
        });
        let what = match line {
            // A key that is missing is missing everywhere.
            Some(line) if !message.starts_with("missing field") => {
                format!("line {line}: {message}")
            }
            _ => message.to_owned(),
        };
        let key = message.split('`').nth(1).unwrap_or_default();
        let example = match key {
            "game" => "game = \"clobber\"",
            "position" => "position = \"6x6\"",
            "games" => "games = 100",
            "players" | "agent" | "name" => super::PLAYERS,
            _ => "a file with game, position, games and players",
        };
        Self {
            file: None,
            what,
            example: Some(example.to_owned()),
        }
    }
}
