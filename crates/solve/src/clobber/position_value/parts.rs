//! The components of a position, each as a position of its own.

use upstar_games::{Board, Cell, Cells, Color, Graph, Grid, Setup};

/// The components in which somebody can move, in the order of their first cells. On a grid each has
/// its box for a board, on a graph its vertices.
pub(super) fn components(setup: &Setup, cannibal: bool) -> Vec<Setup> {
    let parts = parts(setup, cannibal).into_iter();
    parts.map(|part| alone(setup, part)).collect()
}

/// The connected sets of stones in which somebody can move, in the order of their first cells.
#[must_use]
pub fn parts(setup: &Setup, cannibal: bool) -> Vec<u128> {
    let (black, white) = (setup.stones(Color::Black), setup.stones(Color::White));
    let mut rest = black | white;
    let mut found = Vec::new();
    while let Some(cell) = rest.first() {
        let part = connected(&setup.board, cell, rest);
        rest &= !part;
        let is_alive = if cannibal {
            part.len() > 1
        } else {
            !(part & black).is_empty() && !(part & white).is_empty()
        };
        if is_alive {
            found.push(part);
        }
    }
    found
}

/// The stones connected with this cell.
fn connected(board: &Board, cell: Cell, occupied: u128) -> u128 {
    let mut part = u128::one(cell);
    let mut edge = vec![cell];
    while let Some(cell) = edge.pop() {
        for near in board.neighbours(cell) {
            if occupied.contains(near) && !part.contains(near) {
                part = part.with(near);
                edge.push(near);
            }
        }
    }
    part
}

/// A part of a position without the rest.
fn alone(setup: &Setup, part: u128) -> Setup {
    let (board, place): (Board, Box<dyn Fn(Cell) -> Cell>) = match &setup.board {
        Board::Grid(grid) => {
            let places = || part.iter().map(|cell| grid.row_and_col(cell));
            let (rows, cols) = (places().map(|place| place.0), places().map(|place| place.1));
            let top = rows.clone().min().expect("a part has a stone");
            let left = cols.clone().min().expect("a part has a stone");
            let height = rows.max().expect("a part has a stone") - top + 1;
            let width = cols.max().expect("a part has a stone") - left + 1;
            let boxed = Grid::new(height, width).expect("a box is no larger than its board");
            let place = move |cell| {
                let (row, col) = grid.row_and_col(cell);
                boxed.cell(row - top, col - left)
            };
            (boxed.into(), Box::new(place))
        }
        Board::Graph(graph) => {
            let mut own = Graph::new();
            for vertex in part.iter() {
                own.add_vertex(graph.name(vertex))
                    .expect("the name was good before");
            }
            let inside = |&&(a, b): &&(Cell, Cell)| part.contains(a) && part.contains(b);
            for &(a, b) in graph.edges().iter().filter(inside) {
                let (a, b) = (graph.name(a), graph.name(b));
                own.add_edge(a, b).expect("the edge was good before");
            }
            let names = own.clone();
            let place = move |vertex| names.vertex(graph.name(vertex)).expect("it was added");
            (own.into(), Box::new(place))
        }
    };
    let mut alone = Setup::new(board);
    for cell in part.iter() {
        let color = setup.stone(cell).expect("a part consists of stones");
        alone.put(place(cell), color);
    }
    alone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, cannibal: bool, expected: &[&str]) {
        let setup: Setup = text.parse().unwrap();
        let found = components(&setup, cannibal);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected, "{text}");
    }

    #[test]
    fn components_stand_alone() {
        check("xxo.xo", false, &["xxo", "xo"]);
        check("x.o|.#.|ox.", false, &["ox"]);
        check("xx.o|o..o", false, &["xx|o."]);
        check("xx.o|o..o", true, &["xx|o.", "o|o"]);
        check("xx.oo", false, &[]);
        check("xo.|.xo|o.x", false, &["xo.|.xo|..x"]);
        check(
            "a=x,b=o,c=.,d=o,e=x,a-b,b-c,c-d,d-e",
            false,
            &["a=x,b=o,a-b", "d=o,e=x,d-e"],
        );
    }
}
