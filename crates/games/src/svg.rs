//! A position as a picture: any board, with coordinates and the arrow of a move.

use std::f64::consts::TAU;
use std::fmt::Write;

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::graph::Graph;
use crate::grid::{Grid, column_name};
use crate::setup::Setup;
use crate::side::{MAX_SIDES, Side};

/// The side of one cell, in the picture's units.
const UNIT: f64 = 40.0;
/// The fill of each colour's stones, in the order of [`Side::ALL`].
const FILLS: [&str; MAX_SIDES] = [
    "#1b1b1b", "#ffffff", "#c8452c", "#2f6fb3", "#4d8f4d", "#a04fa0",
];

/// Draws a position. `path` is a move: an arrow from its first cell to its second, or a ring round
/// the one cell if they are the same.
#[must_use]
pub fn draw(setup: &Setup, path: Option<(Cell, Cell)>) -> String {
    match &setup.board {
        Board::Grid(grid) => draw_grid(setup, grid, path),
        Board::Graph(graph) => draw_graph(setup, graph, path),
    }
}

fn draw_grid(setup: &Setup, grid: &Grid, path: Option<(Cell, Cell)>) -> String {
    let margin = 0.7 * UNIT;
    let centre = |cell: Cell| {
        let (row, col) = grid.row_and_col(cell);
        let along = |index: usize| margin + (index as f64 + 0.5) * UNIT;
        (along(col), along(row))
    };
    let width = grid.cols() as f64 * UNIT + margin + 0.3 * UNIT;
    let height = grid.rows() as f64 * UNIT + margin + 0.3 * UNIT;
    let mut picture = Picture::new(width, height);
    for cell in grid.cells().iter() {
        let (x, y) = centre(cell);
        picture.square(x, y);
    }
    for col in 0..grid.cols() {
        picture.label(centre(grid.cell(0, col)).0, 0.45 * UNIT, &column_name(col));
    }
    for row in 0..grid.rows() {
        picture.label(
            0.35 * UNIT,
            centre(grid.cell(row, 0)).1 + 5.0,
            &(row + 1).to_string(),
        );
    }
    picture.stones(setup, &centre);
    picture.path(path, &centre);
    picture.finish()
}

/// Where the vertex with this number stands, of so many: on a circle of radius 1 round the origin, the first
/// at the top.
#[must_use]
pub fn vertex_place(index: usize, vertices: usize) -> (f64, f64) {
    let angle = index as f64 / vertices as f64 * TAU - TAU / 4.0;
    (angle.cos(), angle.sin())
}

/// Vertices stand on a circle, in their order.
fn draw_graph(setup: &Setup, graph: &Graph, path: Option<(Cell, Cell)>) -> String {
    let radius = (graph.len() as f64 * UNIT * 1.5 / TAU).max(UNIT);
    let middle = radius + 1.5 * UNIT;
    let on_circle = |cell: Cell, radius: f64| {
        let (x, y) = vertex_place(cell.index(), graph.len());
        (middle + radius * x, middle + radius * y)
    };
    let centre = |cell: Cell| on_circle(cell, radius);
    let mut picture = Picture::new(2.0 * middle, 2.0 * middle);
    for &(a, b) in graph.edges() {
        picture.line(centre(a), centre(b));
    }
    for vertex in (0..graph.len()).map(Cell::new) {
        let (x, y) = centre(vertex);
        picture.vertex(x, y);
        let (x, y) = on_circle(vertex, radius + 0.8 * UNIT);
        picture.label(x, y + 5.0, graph.name(vertex));
    }
    picture.stones(setup, &centre);
    picture.path(path, &centre);
    picture.finish()
}

struct Picture {
    svg: String,
}

impl Picture {
    fn new(width: f64, height: f64) -> Self {
        let mut svg = String::new();
        let head =
            r#"<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="14""#;
        let _ = writeln!(
            svg,
            r#"{head} viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}">"#
        );
        let _ = writeln!(
            svg,
            r##"<rect width="100%" height="100%" fill="#fdfcf8"/>"##
        );
        Self { svg }
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = self.svg.write_fmt(element);
        self.svg.push('\n');
    }

    fn square(&mut self, x: f64, y: f64) {
        let (x, y) = (x - UNIT / 2.0, y - UNIT / 2.0);
        self.push(format_args!(
            r##"<rect x="{x:.1}" y="{y:.1}" width="{UNIT}" height="{UNIT}" fill="#dcc9a0" stroke="#8a744a"/>"##
        ));
    }

    fn vertex(&mut self, x: f64, y: f64) {
        let radius = 0.45 * UNIT;
        self.push(format_args!(
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="#dcc9a0" stroke="#8a744a"/>"##
        ));
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.push(format_args!(
            r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#8a744a" stroke-width="2"/>"##
        ));
    }

    fn label(&mut self, x: f64, y: f64, text: &str) {
        self.push(format_args!(
            r##"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="#555">{text}</text>"##
        ));
    }

    fn stones(&mut self, setup: &Setup, centre: &impl Fn(Cell) -> (f64, f64)) {
        let radius = 0.38 * UNIT;
        for (side, fill) in Side::ALL.into_iter().zip(FILLS) {
            for cell in setup.stones(side).iter() {
                let (x, y) = centre(cell);
                self.push(format_args!(
                    r##"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}" stroke="#1b1b1b"/>"##
                ));
                // Black and white speak for themselves, the others need not be told by colour alone.
                if side.color().is_none() {
                    let (letter, y) = (side.letter(), y + 5.0);
                    self.push(format_args!(
                        r##"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="#fff">{letter}</text>"##
                    ));
                }
            }
        }
    }

    fn path(&mut self, path: Option<(Cell, Cell)>, centre: &impl Fn(Cell) -> (f64, f64)) {
        const COLOR: &str = "#d33682";
        let Some((from, to)) = path else { return };
        let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
        if from == to {
            let radius = 0.2 * UNIT;
            self.push(format_args!(
                r#"<circle cx="{x1:.1}" cy="{y1:.1}" r="{radius}" fill="none" stroke="{COLOR}" stroke-width="4"/>"#
            ));
            return;
        }
        // The line stops short of the target, where the head of the arrow begins.
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let (head, half) = (0.3 * UNIT, 0.15 * UNIT);
        let (bx, by) = (x2 - dx * head, y2 - dy * head);
        self.push(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{bx:.1}" y2="{by:.1}" stroke="{COLOR}" stroke-width="5"/>"#
        ));
        let corner = |side: f64| (bx - dy * half * side, by + dx * half * side);
        let ((ax, ay), (cx, cy)) = (corner(1.0), corner(-1.0));
        self.push(format_args!(
            r#"<polygon points="{x2:.1},{y2:.1} {ax:.1},{ay:.1} {cx:.1},{cy:.1}" fill="{COLOR}"/>"#
        ));
    }

    fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stone_square_and_label_is_drawn() {
        let setup: Setup = "xo.|#xo".parse().unwrap();
        let svg = draw(&setup, Some((Cell::new(0), Cell::new(1))));
        assert_eq!(svg.matches("<rect").count(), 1 + 5);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert_eq!(svg.matches("<text").count(), 3 + 2);
        assert_eq!(svg.matches("<polygon").count(), 1);
    }

    #[test]
    fn graphs_are_drawn_with_their_edges_and_names() {
        let setup: Setup = "a=x,b=o,c=.,a-b,b-c".parse().unwrap();
        let svg = draw(&setup, None);
        assert_eq!(svg.matches("<line").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 3 + 2);
        assert!(svg.contains(">c</text>"));
    }
}
