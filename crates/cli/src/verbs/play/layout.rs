//! Where cells are on the screen: a grid as it is, the vertices of a graph in columns.

use upstar_games::{Board, Cell, Cells};

/// Cells in rows and columns.
pub(super) struct Layout {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// The cells by row and column, none for a hole or where no vertex is left.
    places: Vec<Option<Cell>>,
    /// The names of all cells.
    names: Vec<String>,
    pub(super) is_grid: bool,
}

/// The most vertices of a graph below each other.
const COLUMN: usize = 12;

impl Layout {
    pub(super) fn new(board: &Board) -> Self {
        let (rows, cols, is_grid) = match board {
            Board::Grid(grid) => (grid.rows(), grid.cols(), true),
            Board::Graph(graph) => {
                let rows = graph.len().clamp(1, COLUMN);
                (rows, graph.len().div_ceil(rows), false)
            }
        };
        let place = |place: usize| {
            let (row, col) = (place / cols, place % cols);
            let index = if is_grid { place } else { col * rows + row };
            let cell = (index < board.len()).then(|| Cell::new(index))?;
            board.cells().contains(cell).then_some(cell)
        };
        let names = board.cells().iter().map(|cell| board.name(cell));
        Self {
            rows,
            cols,
            places: (0..rows * cols).map(place).collect(),
            names: names.collect(),
            is_grid,
        }
    }

    /// The cell at this place.
    pub(super) fn at(&self, row: usize, col: usize) -> Option<Cell> {
        self.places[row * self.cols + col]
    }

    pub(super) fn first(&self) -> Cell {
        let first = self.places.iter().flatten().next();
        first.copied().unwrap_or(Cell::new(0))
    }

    pub(super) fn longest_name(&self) -> usize {
        let lengths = self.names.iter().map(|name| name.chars().count());
        lengths.max().unwrap_or(1)
    }

    /// The next cell in a direction, over holes; the same one at the edge.
    pub(super) fn neighbour(&self, cell: Cell, down: isize, right: isize) -> Cell {
        let Some(place) = self.places.iter().position(|&here| here == Some(cell)) else {
            return cell;
        };
        let (mut row, mut col) = (place / self.cols, place % self.cols);
        loop {
            let next = row.checked_add_signed(down);
            let next = next.zip(col.checked_add_signed(right));
            match next.filter(|&(row, col)| row < self.rows && col < self.cols) {
                None => return cell,
                Some(next) => (row, col) = next,
            }
            if let Some(found) = self.at(row, col) {
                return found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_games::Setup;

    #[test]
    fn cursors_go_over_holes_and_stay_on_the_board() {
        let setup: Setup = "x#o|oxo".parse().unwrap();
        let layout = Layout::new(&setup.board);
        let cell = |name: &str| setup.board.cell_named(name).unwrap();
        assert_eq!(layout.neighbour(cell("a1"), 0, 1), cell("c1"));
        assert_eq!(layout.neighbour(cell("b2"), -1, 0), cell("b2"));
        assert_eq!(layout.neighbour(cell("c1"), 0, 1), cell("c1"));
        assert_eq!(layout.neighbour(cell("c1"), 1, 0), cell("c2"));
    }

    #[test]
    fn every_vertex_has_a_place() {
        let names: Vec<String> = (0..30).map(|n| format!("v{n}=x")).collect();
        let setup = Setup::from_graph_text(&names.join(" ")).unwrap();
        let layout = Layout::new(&setup.board);
        assert_eq!((layout.rows, layout.cols), (12, 3));
        assert_eq!(layout.places.iter().flatten().count(), 30);
        let first = layout.first();
        assert_eq!(setup.board.name(layout.neighbour(first, 0, 1)), "v12");
        assert_eq!(setup.board.name(layout.neighbour(first, 1, 0)), "v1");
    }
}
