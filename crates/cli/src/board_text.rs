//! A position drawn in the terminal, with coordinates and colours.

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};
use upstar_games::{AnyGame, Board, Cell, MAX_SIDES, OVER, Rules, Setup, column_name, with_rules};

/// The colour of each stone, in the order of their letters.
const COLORS: [AnsiColor; MAX_SIDES] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Red,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Magenta,
];
const DIM: Style = Style::new().dimmed();

/// The board of a game, drawn as [`draw`] does.
pub(crate) fn draw_game(game: &AnyGame) -> String {
    with_rules!(game, |rules, position| draw(rules, position))
}

/// The board, and below it whose turn it is or how the game ended; without a line break at its end.
/// A board shown so can be pasted into the standard input of any verb.
pub(crate) fn draw<R: Rules>(rules: &R, position: &R::Position) -> String {
    let setup = rules.setup(position);
    let mut lines = match &setup.board {
        Board::Grid(_) => grid_lines(&setup),
        Board::Graph(_) => graph_lines(&setup),
    };
    lines.push(match rules.result(position) {
        Some(result) => format!("{OVER}{result}"),
        None => format!("{} to move", rules.side_to_move(position)),
    });
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

/// A vertex a line: its stone, and its edges to those that follow.
fn graph_lines(setup: &Setup) -> Vec<String> {
    let board = &setup.board;
    let edges = board.edges();
    let line = |cell: Cell| {
        let mut line = format!("  {}={}", board.name(cell), painted(setup, cell));
        for (_, other) in edges.iter().filter(|(lower, _)| *lower == cell) {
            let _ = write!(
                line,
                " {DIM}{}-{}{DIM:#}",
                board.name(cell),
                board.name(*other)
            );
        }
        line
    };
    (0..board.len()).map(Cell::new).map(line).collect()
}

/// The letter of a cell in its colour.
fn painted(setup: &Setup, cell: Cell) -> String {
    let style = match setup.stone(cell) {
        Some(side) => Style::new()
            .bold()
            .fg_color(Some(Color::Ansi(COLORS[side.index()]))),
        None => DIM,
    };
    format!("{style}{}{style:#}", setup.letter(cell))
}
