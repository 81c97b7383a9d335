//! The characters of a board: discs and lines where the terminal can show them, ASCII elsewhere.

use std::env;

use upstar_games::Color;

/// Which characters the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyphs {
    /// Discs and drawn lines.
    Discs,
    /// ASCII only.
    Letters,
}

/// Which rule of a drawn grid it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Top,
    Middle,
    Bottom,
}

impl Glyphs {
    /// What this terminal can show: discs need colours, with which they are told apart best, and UTF-8.
    pub(super) fn of_terminal(colors: bool) -> Self {
        let utf8 = cfg!(windows) || is_utf8(|name| env::var(name).ok());
        match colors && utf8 {
            true => Self::Discs,
            false => Self::Letters,
        }
    }

    pub(super) fn stone(self, side: Color) -> char {
        match (self, side) {
            (Self::Discs, Color::Black) => '●',
            (Self::Discs, Color::White) => '○',
            (Self::Letters, Color::Black) => 'x',
            (Self::Letters, Color::White) => 'o',
        }
    }

    /// An empty cell where a disc can be put.
    pub(super) fn open(self) -> char {
        match self {
            Self::Discs => '·',
            Self::Letters => '+',
        }
    }

    pub(super) fn upright(self) -> char {
        match self {
            Self::Discs => '│',
            Self::Letters => '|',
        }
    }

    /// A line across a grid of so many columns, whose cells are so wide inside.
    pub(super) fn rule(self, which: Rule, cols: usize, inside: usize) -> String {
        let (left, dash, cross, right) = match (self, which) {
            (Self::Letters, _) => ('+', '-', '+', '+'),
            (Self::Discs, Rule::Top) => ('┌', '─', '┬', '┐'),
            (Self::Discs, Rule::Middle) => ('├', '─', '┼', '┤'),
            (Self::Discs, Rule::Bottom) => ('└', '─', '┴', '┘'),
        };
        let dashes: String = std::iter::repeat_n(dash, inside).collect();
        let cells = vec![dashes; cols].join(&cross.to_string());
        format!("{left}{cells}{right}")
    }
}

/// Whether the locale says that texts are UTF-8.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|text| !text.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_says_which_characters_there_are() {
        let check = |variables: &[(&str, &str)], expected: bool| {
            let of = |name: &str| {
                let found = variables.iter().find(|(other, _)| *other == name);
                found.map(|(_, text)| (*text).to_owned())
            };
            assert_eq!(is_utf8(of), expected, "{variables:?}");
        };
        check(&[], false);
        check(&[("LANG", "en_GB.UTF-8")], true);
        check(&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")], false);
        check(&[("LANG", "C"), ("LC_CTYPE", "C.utf8")], true);
        check(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "")], true);
    }

    #[test]
    fn rules_fit_their_cells() {
        let rule = |glyphs: Glyphs, which| glyphs.rule(which, 2, 3);
        assert_eq!(rule(Glyphs::Discs, Rule::Top), "┌───┬───┐");
        assert_eq!(rule(Glyphs::Discs, Rule::Bottom), "└───┴───┘");
        assert_eq!(rule(Glyphs::Letters, Rule::Middle), "+---+---+");
    }
}
