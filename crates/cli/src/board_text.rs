//! A position drawn in the terminal, with coordinates and colours.

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};
use upstar_games::{Board, Cell, Setup, column_name};

/// The colour of each stone, in the order of their letters.
const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Red,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Magenta,
];
const DIM: Style = Style::new().dimmed();

/// The drawing, without a line break at its end.
pub(crate) fn draw(setup: &Setup) -> String {
    let lines = match &setup.board {
        Board::Grid(_) => grid_lines(setup),
        Board::Graph(_) => graph_lines(setup),
    };
    lines.join("\n")
}

fn grid_lines(setup: &Setup) -> Vec<String> {
    let Board::Grid(grid) = &setup.board else {
        return Vec::new();
    };
    // Columns beyond z have two letters.
    let width = column_name(grid.cols() - 1).len();
    let mut head = String::from("   ");
    for col in 0..grid.cols() {
        let _ = write!(head, " {DIM}{:>width$}{DIM:#}", column_name(col));
    }
    let mut lines = vec![head];
    for row in 0..grid.rows() {
        let mut line = format!("{DIM}{:>3}{DIM:#}", row + 1);
        for col in 0..grid.cols() {
            let pad = " ".repeat(width);
            let _ = write!(line, "{pad}{}", painted(setup, grid.cell(row, col)));
        }
        lines.push(line);
    }
    lines
}

/// A vertex a line: its stone and its neighbours.
fn graph_lines(setup: &Setup) -> Vec<String> {
    let board = &setup.board;
    let name = |cell: Cell| board.name(cell);
    let cells = || (0..board.len()).map(Cell::new);
    let width = cells().map(|cell| name(cell).len()).max().unwrap_or(0);
    let line = |cell: Cell| {
        let neighbours: Vec<String> = board.neighbours(cell).into_iter().map(name).collect();
        let (vertex, stone) = (name(cell), painted(setup, cell));
        format!(
            "  {vertex:>width$} {stone} {DIM}— {}{DIM:#}",
            neighbours.join(" ")
        )
    };
    cells().map(line).collect()
}

/// The letter of a cell in its colour.
fn painted(setup: &Setup, cell: Cell) -> String {
    let style = match setup.stone(cell) {
        Some(color) => Style::new()
            .bold()
            .fg_color(Some(Color::Ansi(COLORS[color]))),
        None => DIM,
    };
    format!("{style}{}{style:#}", setup.letter(cell))
}
