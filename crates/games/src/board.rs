//! Where stones stand: a grid or a graph, seen alike as cells with neighbours and names.

use std::fmt;

use crate::cells::{Cell, Cells};
use crate::graph::Graph;
use crate::grid::Grid;

/// The geometry of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// Rows and columns, with or without holes.
    Grid(Grid),
    /// Any undirected graph.
    Graph(Graph),
}

impl Board {
    /// The number of cells, holes included: cells have the indices below it.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Grid(grid) => grid.len(),
            Self::Graph(graph) => graph.len(),
        }
    }

    /// Whether it has no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells that can hold a stone.
    #[must_use]
    pub fn cells(&self) -> u128 {
        match self {
            Self::Grid(grid) => grid.cells(),
            Self::Graph(graph) => u128::first_cells(graph.len()),
        }
    }

    /// The cells next to this one, in the order in which moves to them are listed: up, left, down,
    /// right on a grid, the vertices' order on a graph.
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> Vec<Cell> {
        match self {
            Self::Grid(grid) => grid.neighbours(cell).collect(),
            Self::Graph(graph) => graph.neighbours(cell),
        }
    }

    /// The pairs of neighbouring cells, lower cell first.
    #[must_use]
    pub fn edges(&self) -> Vec<(Cell, Cell)> {
        let upper = |cell: Cell| {
            let neighbours = self.neighbours(cell).into_iter();
            neighbours
                .filter(move |&other| other > cell)
                .map(move |other| (cell, other))
        };
        self.cells().iter().flat_map(upper).collect()
    }

    /// The name of a cell.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        match self {
            Self::Grid(grid) => grid.name(cell),
            Self::Graph(graph) => graph.name(cell).to_owned(),
        }
    }

    /// The cell of this name.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        match self {
            Self::Grid(grid) => grid.cell_named(name),
            Self::Graph(graph) => graph.vertex(name),
        }
    }
}

impl From<Grid> for Board {
    fn from(grid: Grid) -> Self {
        Self::Grid(grid)
    }
}

impl From<Graph> for Board {
    fn from(graph: Graph) -> Self {
        Self::Graph(graph)
    }
}

/// The size of a grid, or the number of a graph's vertices.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid(grid) => grid.fmt(f),
            Self::Graph(graph) => write!(f, "graph of {} vertices", graph.len()),
        }
    }
}
