//! A right line of a configuration in place of a wrong one.

use super::keys::keys;

/// A right value of a key.
pub(crate) fn value(key: &str) -> &'static str {
    let found = keys().find(|(name, _)| *name == key);
    found.expect("only keys that are declared are checked").1
}

/// A right line for what a reader complained about at this place of the text: the key that is missing
/// or wrong there, or the one that is most like it.
pub(crate) fn example(text: &str, place: usize, message: &str) -> String {
    let named = message.split('`').nth(1).unwrap_or_default();
    let before = &text[..place];
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let (sections, written) = (before.lines().chain([line]), line.split('=').next());
    let section = sections
        .filter_map(|line| line.trim().strip_prefix('[')?.split(']').next())
        .next_back()
        .unwrap_or_default();
    let wanted = if message.contains("missing field") || message.contains("unknown field") {
        named
    } else {
        written.unwrap_or_default().trim()
    };
    let whole = match section {
        "" => wanted.to_owned(),
        section => format!("{section}.{wanted}"),
    };
    let distance = |key: &str| {
        let inside = key.rsplit_once('.').map_or("", |(section, _)| section) == section;
        strsim::levenshtein(key, &whole) + if inside { 0 } else { 3 }
    };
    let nearest = keys().min_by_key(|(key, _)| distance(key));
    let (key, value) = nearest.expect("there are keys");
    format!("{key} = {value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_documented() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let page = std::fs::read_to_string(page).expect("the page is in the repository");
        for (key, _) in keys() {
            assert!(page.contains(&format!("`{key}`")), "{key}");
        }
        let config = "game = \"clobber\"\nboards = [\"4x4\"]\n[alphazero]\n";
        let config = crate::alphazero::AlphaZeroConfig::parse(config, "test").unwrap();
        let settings = toml::Table::try_from(config.settings()).unwrap();
        for key in settings.keys() {
            assert!(page.contains(&format!("`{key}`")), "{key}");
        }
    }

    #[test]
    fn the_nearest_key_is_shown() {
        let text = "game = \"clobber\"\ngmaes = 7\n[learning]\nrat = 0.1\n";
        let at = |what: &str| text.find(what).unwrap();
        let unknown = |name: &str| format!("unknown field `{name}`, expected …");
        let shown = |name| example(text, at(name), &unknown(name));
        assert_eq!(shown("gmaes"), "games = 1000000");
        assert_eq!(shown("rat"), "learning.rate = 0.001");
        let missing = example(text, 0, "missing field `network`");
        assert!(missing.starts_with("network = { encoder"));
        assert_eq!(
            example(text, at("0.1"), "nonsense"),
            "learning.rate = 0.001"
        );
    }
}
