//! What is seen of a game: lines of styled text, made of the state of the desk and the size of the
//! window. Everything that a colour says a character says too.

use std::fmt::Write;
use std::time::Duration;

use anstyle::AnsiColor;
use upstar_games::{Cell, Cells, Color, Setup, column_name};

use super::desk::Desk;
use super::glyphs::{Glyphs, Rule};
use super::grades;
use super::keys::{FOOTERS, KEYS};
use super::lines::discs;
use super::panel::{self, Panel, seat, stone_style, style_of};
use super::styled::{BOLD, DIM, Line, PLAIN, Target, colored, wrapped};

/// Rows beside those of the cells where the panel is below: column names, whose turn, last move, message, keys.
const BESIDES: usize = 5;
/// The same where it stands beside the board: column names, message, keys.
const BELOW: usize = 3;
/// Narrower than this no sentence can be read.
const NARROWEST: usize = 20;
/// Row numbers stand before the cells.
const MARGIN: usize = 4;
/// Columns between the board and what is beside it.
const GAP: usize = 2;
/// A list that is lower says nothing.
const LOWEST: usize = 3;
/// The rows that an analysis below the board should have before there are lines between the cells.
const GRADED: usize = 8;

/// How a board is drawn in a window.
#[derive(Clone, Copy)]
struct Plan {
    /// Whether there are lines between the cells.
    lined: bool,
    /// Whether the panel stands beside the board.
    beside: bool,
    /// The width of a cell, with the line behind it.
    cell: usize,
}

/// The whole screen, for a window of so many columns and rows. The work in the background has taken
/// this long.
pub(super) fn draw(
    desk: &Desk,
    (width, height): (usize, usize),
    glyphs: Glyphs,
    elapsed: Duration,
) -> Vec<Line> {
    if desk.help {
        let keys = KEYS.lines().chain(["", "any key shows the board"]);
        let keys = keys.map(|line| Line::of(PLAIN, line));
        return keys.take(height).collect();
    }
    let layout = &desk.layout;
    // The names of vertices stand before them. Columns beyond z have two letters.
    let (margin, name, least) = if layout.is_grid {
        (MARGIN, 0, column_name(layout.cols - 1).len() + 1)
    } else {
        (1, layout.longest_name() + 1, 2)
    };
    let columns =
        |lined: bool, cell: usize| margin + layout.cols * (name + cell) + usize::from(lined);
    let rows = |lined: bool| layout.rows + if lined { layout.rows + 1 } else { 0 };
    let (least_width, least_height) = (columns(false, least).max(NARROWEST), rows(false) + BESIDES);
    if width < least_width || height < least_height {
        let sentence = format!(
            "the window is too small: this board needs {least_width} columns and {least_height} rows"
        );
        return wrapped(PLAIN, &sentence, width.max(1));
    }
    let fits = |plan: &Plan| {
        let (beside, besides) = match plan.beside {
            true => (GAP + panel::NARROWEST, BELOW),
            false => (0, BESIDES),
        };
        let listed = match desk.analysing && plan.lined && !plan.beside {
            true => GRADED,
            false => 0,
        };
        let has_lines = !plan.lined || layout.is_grid;
        let columns = columns(plan.lined, plan.cell) + beside;
        has_lines && columns <= width && rows(plan.lined) + besides + listed <= height
    };
    // Notes widen the cells. A panel that has room beside the board is better than wide notes.
    let widths: &[usize] = match desk.analysing {
        true => &[3 + grades::WIDEST, 5, 4, 3],
        false => &[3],
    };
    let plans = [(true, true), (false, true), (true, false), (false, false)];
    let plans = plans.iter().flat_map(|&(beside, lined)| {
        let cell = move |&inside: &usize| Plan {
            lined,
            beside,
            // Without a line a gap separates the cells, as long as there is room for it.
            cell: inside + 1,
        };
        let tight = (!lined).then_some(Plan {
            lined,
            beside,
            cell: 3,
        });
        widths.iter().map(cell).chain(tight)
    });
    let tightest = Plan {
        lined: false,
        beside: false,
        cell: least,
    };
    let plan = plans.into_iter().find(fits).unwrap_or(tightest);
    let panel = Panel {
        desk,
        glyphs,
        elapsed,
        width: match plan.beside {
            true => width - columns(plan.lined, plan.cell) - GAP,
            false => width,
        },
    };
    let setup = desk.game().setup();
    let board = Board {
        desk,
        last: desk
            .last_shown()
            .and_then(|played| Some(desk.table.path(&played.mv)?.1)),
        setup: &setup,
        plan,
        name,
        open: desk.open_cells(),
        glyphs,
    };
    let mut body = board.lines();
    let besides = if plan.beside { BELOW } else { BESIDES };
    let mut spare = height - (body.len() - 1 + besides);
    let mut lines = Vec::new();
    let mut has_row = || {
        let has = spare > 0;
        spare -= usize::from(has);
        has
    };
    if has_row() {
        lines.push(title(desk, glyphs, plan.beside));
    }
    if has_row() {
        lines.push(Line::default());
    }
    let blank = has_row();
    if plan.beside {
        let rows = body.len().max(panel::USUAL.min(body.len() + spare));
        spare -= rows - body.len();
        body.resize(rows, Line::default());
        for (row, line) in body.iter_mut().zip(panel.beside(rows)) {
            row.put_beside(columns(plan.lined, plan.cell) + GAP, line);
        }
    }
    lines.extend(body);
    if blank {
        lines.push(Line::default());
    }
    if !plan.beside {
        lines.push(status(panel));
        lines.push(panel.last().unwrap_or_default());
    }
    if desk.typed.is_empty() {
        // A long message has as many lines as are free.
        let text = wrapped(style_of(desk.message.tone), &desk.message.text, width);
        let text = text.into_iter().take(1 + spare);
        spare -= text.len() - 1;
        lines.extend(text);
    } else {
        lines.push(Line::of(BOLD, format!("move: {}_", desk.typed)));
    }
    if !plan.beside && spare > LOWEST {
        lines.push(Line::default());
        lines.extend(panel.below(spare - 1));
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
    plan: Plan,
    /// The width of a vertex's name before it.
    name: usize,
    open: u128,
    glyphs: Glyphs,
}

impl Board<'_> {
    fn lines(&self) -> Vec<Line> {
        let layout = &self.desk.layout;
        let mut lines = vec![self.head()];
        let rule = |which| {
            let rule = self.glyphs.rule(which, layout.cols, self.plan.cell - 1);
            let margin = " ".repeat(MARGIN);
            Line::of(DIM, margin + &rule)
        };
        for row in 0..layout.rows {
            if self.plan.lined {
                lines.push(rule(if row == 0 { Rule::Top } else { Rule::Middle }));
            }
            lines.push(self.row(row));
        }
        if self.plan.lined {
            lines.push(rule(Rule::Bottom));
        }
        lines
    }

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
        let mut text = " ".repeat(MARGIN + usize::from(self.plan.lined));
        for col in 0..layout.cols {
            // The letter stands over the stone, which is the second character of a cell.
            let _ = write!(
                text,
                "{:>2}{:pad$}",
                column_name(col),
                "",
                pad = self.plan.cell - 2
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
        let upright = || Line::of(DIM, self.glyphs.upright());
        let inside = self.plan.cell - usize::from(self.plan.lined);
        if self.plan.lined {
            line.append(upright());
        }
        for col in 0..layout.cols {
            match layout.at(row, col) {
                Some(cell) => line.append(self.cell(cell, inside).leading_to(Target::Cell(cell))),
                None => {
                    let hole = if self.plan.lined { "#" } else { " " };
                    line.add(DIM, hole.repeat(self.name + inside));
                }
            }
            if self.plan.lined {
                line.append(upright());
            }
        }
        line
    }

    /// A mark, the stone, a note and the mark's other half, as far as so many columns have room.
    fn cell(&self, cell: Cell, width: usize) -> Line {
        let desk = self.desk;
        let mut line = Line::default();
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
        let room = width.saturating_sub(3).max(1);
        let note = desk.note(cell).map(|known| grades::note(known, room));
        let (stone, mut style) = match self.setup.stone(cell) {
            Some(side) => {
                let side = if side == Color::Black {
                    Color::Black
                } else {
                    Color::White
                };
                (self.glyphs.stone(side), stone_style(side))
            }
            // A plus before a number would be read as its sign.
            None if note.is_some() && width > 2 => (' ', PLAIN),
            None if self.open.contains(cell) => (self.glyphs.open(), colored(AnsiColor::Green)),
            None if self.plan.lined => (' ', PLAIN),
            None => ('.', DIM),
        };
        if cell == desk.cursor {
            style = style.invert();
        }
        match (note, width) {
            (Some((note, noted)), 2) if cell != desk.cursor => {
                line.add(noted, note);
                line.add(style, stone);
            }
            (_, 2) => {
                line.add(mark, left);
                line.add(style, stone);
            }
            (Some((note, noted)), 3) => {
                line.add(mark, left);
                line.add(style, stone);
                line.add(noted, note);
            }
            (note, _) => {
                let (note, noted) = note.unwrap_or_default();
                let pad = width.saturating_sub(3 + note.len());
                line.add(mark, left);
                line.add(style, stone);
                line.add(noted, note);
                line.add(mark, right);
                line.add(PLAIN, " ".repeat(pad));
            }
        }
        line
    }
}

/// The game, and who plays where the panel does not say it.
fn title(desk: &Desk, glyphs: Glyphs, beside: bool) -> Line {
    let start = desk.table.start();
    let mut line = Line::of(BOLD, format!("{} {}", start.variant(), start.board()));
    if !beside {
        for side in [Color::Black, Color::White] {
            line.add(PLAIN, "   ");
            line.append(seat(side, desk.table.player(side), glyphs));
        }
    }
    line
}

/// The discs of both sides where they count, and whose turn it is, who thinks, or how the game ended.
fn status(panel: Panel<'_>) -> Line {
    let discs = discs(panel.desk.game());
    let discs = discs.map_or(String::new(), |discs| format!("{discs}   "));
    let mut line = Line::of(BOLD, discs);
    let (style, text) = panel.turn();
    line.add(style, text);
    line
}

#[cfg(test)]
mod tests;
