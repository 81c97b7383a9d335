//! Changes of single keys: `learning.rate=0.01`, as on the command line and in readings of experiments.

use toml::{Table, Value};
use upstar_games::excerpt;

use super::ConfigError;

/// The configuration `text` with these changes, each `KEY=VALUE`; sections are joined to the key by dots. A value
/// that is not TOML is taken as a word, so that `opponent.agent=mcts:100` needs no quotes.
///
/// # Errors
/// If the text is not TOML, or a change does not name a key.
pub fn with_changes(
    text: &str,
    changes: impl IntoIterator<Item: AsRef<str>>,
) -> Result<String, ConfigError> {
    let mut config: Table = toml::from_str(text).map_err(|error| ConfigError {
        sentence: super::in_words(error.message()),
        example: "learning.rate = 0.001".to_owned(),
    })?;
    for change in changes {
        apply(&mut config, change.as_ref())?;
    }
    Ok(toml::to_string(&config).expect("it was read from such a text"))
}

fn apply(config: &mut Table, change: &str) -> Result<(), ConfigError> {
    let wrong = |why: &str| ConfigError {
        sentence: format!("'{}' {why}", excerpt(change)),
        example: "learning.rate=0.01".to_owned(),
    };
    let (path, value) = change
        .split_once('=')
        .ok_or_else(|| wrong("is not KEY=VALUE"))?;
    let value = toml::from_str::<Table>(&format!("value = {value}"))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::from(value.trim()));
    let mut keys: Vec<&str> = path.split('.').map(str::trim).collect();
    let last = keys.pop().expect("a text has a first part");
    if last.is_empty() || keys.iter().any(|key| key.is_empty()) {
        return Err(wrong("does not name a key"));
    }
    let mut section = config;
    for key in keys {
        let inner = section
            .entry(key)
            .or_insert_with(|| Value::Table(Table::new()));
        section = inner
            .as_table_mut()
            .ok_or_else(|| wrong("names a key inside of one that is not a section"))?;
    }
    section.insert(last.to_owned(), value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_changed_and_added() {
        let text = "games = 10\n[learning]\nrate = 0.5\n";
        let changes = [
            "games=20",
            "learning.rate=1e-3",
            "opponent.agent=mcts:10",
            "network.hidden=[5, 6]",
        ];
        let changed: Table = toml::from_str(&with_changes(text, changes).unwrap()).unwrap();
        assert_eq!(changed["games"].as_integer(), Some(20));
        assert_eq!(changed["learning"]["rate"].as_float(), Some(1e-3));
        assert_eq!(changed["opponent"]["agent"].as_str(), Some("mcts:10"));
        assert_eq!(changed["network"]["hidden"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn wrong_changes_are_refused() {
        for wrong in ["games", "=3", "a..b=1", ".=1", "games.more=1"] {
            let refused = with_changes("games = 10", [wrong]).unwrap_err();
            assert!(
                refused.to_string().contains("learning.rate=0.01"),
                "{wrong}"
            );
        }
    }
}
