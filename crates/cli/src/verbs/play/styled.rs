//! Lines of styled text for the screen. A piece of a line can be something to click at.

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};
use upstar_games::Cell;

pub(super) const PLAIN: Style = Style::new();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const BOLD: Style = Style::new().bold();
/// What is not proved.
pub(super) const GUESSED: Style = Style::new().italic().dimmed();

pub(super) const fn colored(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

/// What a click can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Cell(Cell),
    /// The position after so many moves of the game.
    Ply(usize),
    /// This move of the analysis, the best one is 0.
    Graded(usize),
}

/// A line on the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
struct Piece {
    style: Style,
    text: String,
    target: Option<Target>,
}

impl Line {
    pub(super) fn of(style: Style, text: impl Into<String>) -> Self {
        let mut line = Self::default();
        line.add(style, text);
        line
    }

    pub(super) fn add(&mut self, style: Style, text: impl Into<String>) {
        self.0.push(Piece {
            style,
            text: text.into(),
            target: None,
        });
    }

    /// Puts another line behind this one.
    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Puts another line behind this one, which is widened to this many columns.
    pub(super) fn put_beside(&mut self, width: usize, other: Self) {
        let missing = width.saturating_sub(self.width());
        self.add(PLAIN, " ".repeat(missing));
        self.append(other);
    }

    /// The same line, to be clicked at for this.
    pub(super) fn leading_to(mut self, target: Target) -> Self {
        for piece in &mut self.0 {
            piece.target = Some(target);
        }
        self
    }

    /// What a click at this column means.
    pub(super) fn target(&self, column: usize) -> Option<Target> {
        let mut end = 0;
        let piece = self.0.iter().find(|piece| {
            end += piece.text.chars().count();
            column < end
        });
        piece?.target
    }

    pub(super) fn width(&self) -> usize {
        let widths = self.0.iter().map(|piece| piece.text.chars().count());
        widths.sum()
    }

    /// The characters only.
    #[cfg(test)]
    pub(super) fn plain(&self) -> String {
        let text: String = self.0.iter().map(|piece| piece.text.as_str()).collect();
        text.trim_end().to_owned()
    }

    /// As the terminal reads it, no wider than this.
    pub(super) fn painted(&self, width: usize, colors: bool) -> String {
        let mut painted = String::new();
        let mut left = width;
        for Piece { style, text, .. } in &self.0 {
            let text: String = text.chars().take(left).collect();
            left -= text.chars().count();
            let style = if colors { *style } else { PLAIN };
            let _ = write!(painted, "{style}{text}{style:#}");
        }
        painted
    }
}

/// A sentence in lines of this width.
pub(super) fn wrapped(style: Style, sentence: &str, width: usize) -> Vec<Line> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            *line = word.to_owned();
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            *line += " ";
            *line += word;
        } else {
            lines.push(word.to_owned());
        }
    }
    let lines = lines.into_iter().map(|line| Line::of(style, line));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_colours_left_out() {
        let mut line = Line::of(BOLD, "abc");
        line.add(PLAIN, "def");
        assert_eq!(line.painted(4, false), "abcd");
        assert_eq!(line.painted(4, true), "\u{1b}[1mabc\u{1b}[0md");
    }

    #[test]
    fn clicks_find_what_is_below_them() {
        let mut line = Line::of(PLAIN, "ab");
        line.append(Line::of(BOLD, "●○").leading_to(Target::Ply(3)));
        line.put_beside(6, Line::of(DIM, "e").leading_to(Target::Graded(0)));
        assert_eq!(line.plain(), "ab●○  e");
        let targets: Vec<_> = (0..8).map(|column| line.target(column)).collect();
        let (ply, graded) = (Some(Target::Ply(3)), Some(Target::Graded(0)));
        assert_eq!(targets, [None, None, ply, ply, None, None, graded, None]);
    }
}
