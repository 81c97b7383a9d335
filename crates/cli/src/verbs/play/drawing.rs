//! What is seen of a game: lines of styled text, made of the state of the desk and the size of the
//! window. Everything that a colour says a character says too.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use upstar_agents::AgentSpec;
use upstar_games::{Cell, Cells, Color, Setup, column_name};

use super::desk::{Desk, Task, Tone};
use super::keys::{FOOTERS, KEYS};
use super::lines::{discs, played};
use super::panel::{self, panel};

/// A line on the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line(Vec<(Style, String)>);

pub(super) const PLAIN: Style = Style::new();
pub(super) const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const SPINNER: [char; 4] = ['|', '/', '-', '\\'];
/// Rows beside those of the board: column names, whose turn, last move, message, keys.
const BESIDES: usize = 5;
/// Narrower than this no sentence can be read.
const NARROWEST: usize = 20;
/// Row numbers stand before the cells.
const MARGIN: usize = 4;
/// Columns between the board and what is beside it.
const GAP: usize = 2;

pub(super) const fn colored(color: AnsiColor) -> Style {
    Style::new()
        .bold()
        .fg_color(Some(anstyle::Color::Ansi(color)))
}

impl Line {
    pub(super) fn add(&mut self, style: Style, text: impl Into<String>) {
        self.0.push((style, text.into()));
    }

    pub(super) fn of(style: Style, text: impl Into<String>) -> Self {
        Self(vec![(style, text.into())])
    }

    /// The characters only.
    #[cfg(test)]
    pub(super) fn plain(&self) -> String {
        let text: String = self.0.iter().map(|(_, text)| text.as_str()).collect();
        text.trim_end().to_owned()
    }

    fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Puts another line beside this one, which is widened to this many columns.
    fn put_beside(&mut self, width: usize, other: Self) {
        let missing = width.saturating_sub(self.width());
        self.add(PLAIN, " ".repeat(missing));
        self.0.extend(other.0);
    }

    /// As the terminal reads it, no wider than this.
    pub(super) fn painted(&self, width: usize, colors: bool) -> String {
        let mut painted = String::new();
        let mut left = width;
        for (style, text) in &self.0 {
            let text: String = text.chars().take(left).collect();
            left -= text.chars().count();
            let style = if colors { *style } else { PLAIN };
            let _ = write!(painted, "{style}{text}{style:#}");
        }
        painted
    }
}

/// The whole screen, for a window of so many columns and rows. The work in the background has taken
/// this long.
pub(super) fn draw(desk: &Desk, (width, height): (usize, usize), elapsed: Duration) -> Vec<Line> {
    if desk.help {
        let keys = KEYS.lines().chain(["", "any key shows the board"]);
        let keys = keys.map(|line| Line::of(PLAIN, line));
        return keys.take(height).collect();
    }
    let setup = desk.table.game().setup();
    let layout = &desk.layout;
    // The names of vertices stand before them. Columns beyond z have two letters.
    let (margin, name, least) = if layout.is_grid {
        (MARGIN, 0, column_name(layout.cols - 1).len() + 1)
    } else {
        (1, layout.longest_name() + 1, 2)
    };
    let needed = |cell: usize| margin + layout.cols * (name + cell);
    let least_width = needed(least).max(NARROWEST);
    let least_height = layout.rows + BESIDES;
    if width < least_width || height < least_height {
        let sentence = format!(
            "the window is too small: this board needs {least_width} columns and {least_height} rows"
        );
        return wrapped(PLAIN, &sentence, width.max(1));
    }
    // Notes widen the cells. A panel that has room beside the board is better than wide notes.
    let widths: &[usize] = match desk.analysing {
        true => &[3 + panel::WIDEST, 5, 4, 3],
        false => &[4, 3],
    };
    let with_panel = |cell: &usize| needed(*cell) + GAP + panel::NARROWEST <= width;
    let is_beside = desk.analysing && layout.rows + 1 >= panel::LOWEST;
    let beside = widths
        .iter()
        .copied()
        .find(|cell| is_beside && with_panel(cell));
    let alone = || widths.iter().copied().find(|cell| needed(*cell) <= width);
    let cell = beside.or_else(alone).unwrap_or(least);
    let mut lines = Vec::new();
    let spare = height - least_height;
    if spare >= 1 {
        lines.push(title(desk));
    }
    if spare >= 2 {
        lines.push(Line::default());
    }
    let played = desk.table.last_move();
    let board = Board {
        desk,
        last: played.and_then(|played| Some(desk.table.path(&played.mv)?.1)),
        setup: &setup,
        cell,
        name,
        open: desk.open_cells(),
    };
    let mut rows = vec![board.head()];
    rows.extend((0..layout.rows).map(|row| board.row(row)));
    let listed = |rows| match &desk.analysis {
        Some(analysis) => panel(analysis, desk.table.side(), rows),
        None => Vec::new(),
    };
    if beside.is_some() {
        let panel = listed(rows.len());
        for (row, line) in rows.iter_mut().zip(panel) {
            row.put_beside(needed(cell) + GAP, line);
        }
    }
    lines.extend(rows);
    if spare >= 3 {
        lines.push(Line::default());
    }
    lines.push(status(desk, elapsed));
    lines.push(last(desk));
    let mut free = spare.saturating_sub(3);
    if desk.typed.is_empty() {
        // A long message has as many lines as are free.
        let text = wrapped(style_of(desk.message.tone), &desk.message.text, width);
        let text = text.into_iter().take(1 + free);
        free -= text.len() - 1;
        lines.extend(text);
    } else {
        lines.push(Line::of(BOLD, format!("move: {}_", desk.typed)));
    }
    if beside.is_none() && desk.analysis.is_some() && free > panel::LOWEST {
        lines.push(Line::default());
        lines.extend(listed(free - 1));
    }
    let keys = FOOTERS.into_iter().find(|keys| keys.len() <= width);
    lines.push(Line::of(DIM, keys.unwrap_or(FOOTERS[2])));
    lines
}

struct Board<'a> {
    desk: &'a Desk,
    /// Where the last move went.
    last: Option<Cell>,
    setup: &'a Setup,
    /// The width of a cell.
    cell: usize,
    /// The width of a vertex's name before it.
    name: usize,
    open: u128,
}

impl Board<'_> {
    fn head(&self) -> Line {
        let layout = &self.desk.layout;
        if !layout.is_grid {
            let board = &self.setup.board;
            let here = self.desk.cursor;
            let near = board
                .neighbours(here)
                .into_iter()
                .map(|cell| board.name(cell));
            let near: Vec<String> = near.collect();
            return Line::of(
                DIM,
                format!("{} is next to {}", board.name(here), near.join(" ")),
            );
        }
        let mut text = " ".repeat(MARGIN);
        for col in 0..layout.cols {
            // The letter stands over the stone, which is the second character of a cell.
            let _ = write!(
                text,
                "{:>2}{:pad$}",
                column_name(col),
                "",
                pad = self.cell - 2
            );
        }
        Line::of(DIM, text)
    }

    fn row(&self, row: usize) -> Line {
        let layout = &self.desk.layout;
        let mut line = Line::default();
        if layout.is_grid {
            line.add(DIM, format!("{:>3} ", row + 1));
        } else {
            line.add(PLAIN, " ");
        }
        for col in 0..layout.cols {
            match layout.at(row, col) {
                Some(cell) => self.add_cell(&mut line, cell),
                None => line.add(PLAIN, " ".repeat(self.name + self.cell)),
            }
        }
        line
    }

    /// A mark, the stone, a note and the mark's other half, as far as there is room.
    fn add_cell(&self, line: &mut Line, cell: Cell) {
        let desk = self.desk;
        if self.name > 0 {
            let name = self.setup.board.name(cell);
            line.add(DIM, format!("{name:>width$} ", width = self.name - 1));
        }
        let target = self.open.contains(cell) && desk.chosen.is_some();
        let (left, right, mark) = if cell == desk.cursor {
            ('[', ']', BOLD)
        } else if desk.chosen == Some(cell) {
            ('(', ')', BOLD)
        } else if target {
            ('<', '>', colored(AnsiColor::Green))
        } else if self.last == Some(cell) {
            ('*', ' ', colored(AnsiColor::Magenta))
        } else {
            (' ', ' ', PLAIN)
        };
        // A mark stands before the stone and after the note; narrow cells have room for less.
        let room = self.cell.saturating_sub(3).max(1);
        let note = desk.note(cell).map(|known| panel::note(known, room));
        let (letter, mut stone) = match self.setup.stone(cell) {
            Some(side) if side == Color::Black => ('x', colored(AnsiColor::Cyan)),
            Some(_) => ('o', colored(AnsiColor::Yellow)),
            // A plus before a number would be read as its sign.
            None if note.is_some() && self.cell > 2 => (' ', PLAIN),
            None if self.open.contains(cell) => ('+', colored(AnsiColor::Green)),
            None => ('.', DIM),
        };
        if cell == desk.cursor {
            stone = stone.invert();
        }
        match (note, self.cell) {
            (Some((note, style)), 2) if cell != desk.cursor => {
                line.add(style, note);
                line.add(stone, letter);
            }
            (_, 2) => {
                line.add(mark, left);
                line.add(stone, letter);
            }
            (Some((note, style)), 3) => {
                line.add(mark, left);
                line.add(stone, letter);
                line.add(style, note);
            }
            (note, _) => {
                let (note, style) = note.unwrap_or_default();
                let pad = self.cell.saturating_sub(3 + note.len());
                line.add(mark, left);
                line.add(stone, letter);
                line.add(style, note);
                line.add(mark, right);
                line.add(PLAIN, " ".repeat(pad));
            }
        }
    }
}

fn title(desk: &Desk) -> Line {
    let start = desk.table.start();
    let mut line = Line::of(BOLD, format!("{} {}", start.variant(), start.board()));
    for (side, color) in [
        (Color::Black, AnsiColor::Cyan),
        (Color::White, AnsiColor::Yellow),
    ] {
        line.add(PLAIN, "   ");
        line.add(colored(color), side.to_string());
        line.add(PLAIN, format!(" {}", desk.table.player(side)));
    }
    line
}

/// The discs of both sides where they count, and whose turn it is, who thinks, or how the game ended.
fn status(desk: &Desk, elapsed: Duration) -> Line {
    let discs = discs(desk.table.game());
    let discs = discs.map_or(String::new(), |discs| format!("{discs}   "));
    let mut line = Line::of(BOLD, discs);
    line.0.extend(turn(desk, elapsed).0);
    line
}

fn turn(desk: &Desk, elapsed: Duration) -> Line {
    let table = &desk.table;
    let side = table.side();
    if let Some(task) = desk.thinking {
        let seconds = elapsed.as_secs_f64();
        let spinner = SPINNER[(elapsed.as_millis() / 100) as usize % SPINNER.len()];
        let what = match task {
            Task::Move => format!("{side} ({}) thinks", table.player(side)),
            Task::Hint => "looking for a hint".to_owned(),
            Task::Analysis => "analysing".to_owned(),
        };
        let end = match task {
            Task::Move => "Esc: move now",
            Task::Hint | Task::Analysis => "Esc: enough",
        };
        return Line::of(PLAIN, format!("{spinner} {what}, {seconds:.1} s   {end}"));
    }
    if let Some(result) = table.result() {
        return Line::of(BOLD, result);
    }
    let two = *table.players() == [AgentSpec::Human, AgentSpec::Human];
    let whose = if two { "to move" } else { "it is your move" };
    let mut text = format!("{side}: {whose}");
    if let [only] = &table.legal()[..]
        && table.path(only).is_none()
    {
        text += ": there is nothing but a pass, Enter plays it";
    }
    Line::of(BOLD, text)
}

fn last(desk: &Desk) -> Line {
    let Some(ply) = desk.table.last_move() else {
        return Line::default();
    };
    let tone = match (ply.thought.proved, ply.thought.expected) {
        (Some(_), _) => Tone::Proved,
        (None, Some(_)) => Tone::Estimated,
        (None, None) => Tone::Plain,
    };
    Line::of(style_of(tone), played(&ply))
}

fn style_of(tone: Tone) -> Style {
    match tone {
        Tone::Plain => PLAIN,
        Tone::Proved => colored(AnsiColor::Green),
        Tone::Estimated => PLAIN.italic().dimmed(),
        Tone::Refused => PLAIN.fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red))),
    }
}

/// A sentence in lines of this width.
fn wrapped(style: Style, sentence: &str, width: usize) -> Vec<Line> {
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
    lines
        .into_iter()
        .map(|line| Line::of(style, line))
        .collect()
}

#[cfg(test)]
mod tests;
