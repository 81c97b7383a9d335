//! Everything that the page draws of a position.

use serde::Serialize;
use upstar_games::othello::stable_discs;
use upstar_games::{AnyGame, Board as Cells_, Cell, Cells, Color, Grid, Side, Variant, svg};
use upstar_solve::clobber::parts;

use crate::board::Board;

/// See the crate's first page.
#[derive(Serialize)]
pub(crate) struct View {
    game: String,
    sides: usize,
    for_two: bool,
    start: Place,
    moves: Vec<String>,
    position: String,
    to_move: char,
    board: BoardView,
    stones: String,
    legal: Vec<Move>,
    over: bool,
    winner: Option<String>,
    score: Option<i32>,
    counts: Vec<u32>,
    remark: Option<String>,
    parts: Vec<Vec<usize>>,
    discs: Option<Discs>,
    line: Vec<Step>,
}

#[derive(Serialize)]
struct Place {
    position: String,
    to_move: char,
}

#[derive(Serialize)]
#[serde(untagged)]
enum BoardView {
    Grid {
        rows: usize,
        cols: usize,
    },
    Graph {
        vertices: Vec<Vertex>,
        edges: Vec<[usize; 2]>,
    },
}

#[derive(Serialize)]
struct Vertex {
    name: String,
    x: f64,
    y: f64,
}

#[derive(Serialize)]
struct Move {
    r#move: String,
    from: Option<usize>,
    to: Option<usize>,
}

#[derive(Serialize)]
struct Discs {
    mobility: [usize; 2],
    stable: Vec<usize>,
    regions: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct Step {
    r#move: Option<String>,
    stones: String,
    to_move: char,
}

impl View {
    pub(crate) fn of(board: &Board) -> Self {
        let (start, now) = (board.start(), board.now());
        let (variant, setup) = (now.variant(), now.setup());
        let result = now.result();
        let is_clobber = !matches!(variant, Variant::Othello(_) | Variant::Reversi);
        let is_cannibal = variant == Variant::Cannibal;
        let sides = Side::ALL.iter().take(variant.sides());
        let moves = [None]
            .into_iter()
            .chain(board.moves.iter().cloned().map(Some));
        Self {
            game: variant.to_string(),
            sides: variant.sides(),
            for_two: variant.is_for_two(),
            start: Place {
                position: start.to_string(),
                to_move: start.side_to_move().letter(),
            },
            moves: board.moves.clone(),
            position: now.to_string(),
            to_move: now.side_to_move().letter(),
            board: BoardView::of(now.board()),
            stones: stones(now),
            legal: legal(now),
            over: result.is_some(),
            winner: result.and_then(|result| match result.winner() {
                Some(side) => Some(side.letter().to_string()),
                None => result.is_draw().then(|| "draw".to_owned()),
            }),
            score: result.and_then(upstar_games::GameResult::score),
            counts: sides.map(|&side| setup.stones(side).len()).collect(),
            remark: match result {
                Some(result) => Some(result.to_string()),
                None => now
                    .must_pass()
                    .then(|| format!("{} must pass", now.side_to_move())),
            },
            parts: match is_clobber && variant.sides() == 2 {
                true => parts(&setup, is_cannibal)
                    .into_iter()
                    .map(indices)
                    .collect(),
                false => Vec::new(),
            },
            discs: (!is_clobber).then(|| Discs::of(now)),
            line: moves
                .zip(&board.line)
                .map(|(mv, game)| Step {
                    r#move: mv,
                    stones: stones(game),
                    to_move: game.side_to_move().letter(),
                })
                .collect(),
        }
    }
}

fn indices(cells: u128) -> Vec<usize> {
    cells.iter().map(Cell::index).collect()
}

/// A letter for each cell, `#` for holes.
fn stones(game: &AnyGame) -> String {
    let setup = game.setup();
    let cells = setup.board.cells();
    let letter = |index| match Cell::new(index) {
        cell if cells.contains(cell) => setup.letter(cell),
        _ => '#',
    };
    let len = match &setup.board {
        Cells_::Grid(grid) => grid.rows() * grid.cols(),
        Cells_::Graph(graph) => graph.len(),
    };
    (0..len).map(letter).collect()
}

fn legal(game: &AnyGame) -> Vec<Move> {
    let named = |name: String| {
        let path = game.path(&name);
        Move {
            from: path.filter(|(a, b)| a != b).map(|(from, _)| from.index()),
            to: path.map(|(_, to)| to.index()),
            r#move: name,
        }
    };
    game.legal().into_iter().map(named).collect()
}

impl BoardView {
    fn of(board: &Cells_) -> Self {
        match board {
            Cells_::Grid(grid) => Self::Grid {
                rows: grid.rows(),
                cols: grid.cols(),
            },
            Cells_::Graph(graph) => Self::Graph {
                vertices: (0..graph.len())
                    .map(|index| {
                        let (x, y) = svg::vertex_place(index, graph.len());
                        Vertex {
                            name: graph.name(Cell::new(index)).to_owned(),
                            x: (1.0 + x) / 2.0,
                            y: (1.0 + y) / 2.0,
                        }
                    })
                    .collect(),
                edges: graph
                    .edges()
                    .iter()
                    .map(|(a, b)| [a.index(), b.index()])
                    .collect(),
            },
        }
    }
}

impl Discs {
    fn of(game: &AnyGame) -> Self {
        let setup = game.setup();
        let Cells_::Grid(grid) = &setup.board else {
            unreachable!("Othello is played on a grid");
        };
        let mobility = |side: Color| {
            let turned = game.at(&setup, side);
            turned.map_or(0, |turned| match turned.must_pass() {
                true => 0,
                false => turned.legal().len(),
            })
        };
        let (black, white) = (setup.stones(Color::Black), setup.stones(Color::White));
        let stable = stable_discs(grid, black, white) | stable_discs(grid, white, black);
        Self {
            mobility: Color::ALL.map(mobility),
            stable: indices(stable),
            regions: regions(grid, grid.cells() & !black & !white),
        }
    }
}

/// Connected empty cells, neighbours by sides and corners, as players count parity.
fn regions(grid: &Grid, empty: u128) -> Vec<Vec<usize>> {
    let near = |a: Cell, b: Cell| {
        let ((row, col), (other_row, other_col)) = (grid.row_and_col(a), grid.row_and_col(b));
        row.abs_diff(other_row) <= 1 && col.abs_diff(other_col) <= 1
    };
    let (mut rest, mut found) = (empty, Vec::new());
    while let Some(first) = rest.first() {
        let mut region = u128::one(first);
        let mut edge = vec![first];
        while let Some(cell) = edge.pop() {
            for other in (rest & !region).iter().filter(|&other| near(cell, other)) {
                region = region.with(other);
                edge.push(other);
            }
        }
        rest &= !region;
        found.push(indices(region));
    }
    found
}
