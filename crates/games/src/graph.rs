//! An undirected graph as a board: any set of vertices and edges, for Clobber beyond grids.

use std::sync::Arc;

use thiserror::Error;

use crate::cells::{Cell, MAX_CELLS};

/// A board whose cells are the vertices of an undirected graph without loops or double edges.
/// Vertices keep the order in which they were added, and so do cells.
/// Clones share their vertices and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Graph {
    names: Arc<Vec<String>>,
    edges: Arc<Vec<(Cell, Cell)>>,
}

impl Graph {
    /// The graph without vertices.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vertex.
    ///
    /// # Errors
    /// If the name is taken or not made of ASCII letters, digits and `_`, or the graph is full.
    pub fn add_vertex(&mut self, name: &str) -> Result<Cell, GraphError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.len() > 32 || !name.chars().all(allowed) {
            return Err(GraphError::BadName(crate::excerpt(name)));
        }
        if self.vertex(name).is_some() {
            return Err(GraphError::SameVertex(name.to_owned()));
        }
        if self.names.len() == MAX_CELLS {
            return Err(GraphError::TooManyVertices);
        }
        Arc::make_mut(&mut self.names).push(name.to_owned());
        Ok(Cell::new(self.names.len() - 1))
    }

    /// Joins two vertices by an edge.
    ///
    /// # Errors
    /// If a vertex is unknown, the two are the same, or they are joined already.
    pub fn add_edge(&mut self, a: &str, b: &str) -> Result<(), GraphError> {
        let vertex = |name: &str| {
            self.vertex(name).ok_or_else(|| GraphError::UnknownVertex {
                edge: crate::excerpt(&format!("{a}-{b}")),
                name: crate::excerpt(name),
            })
        };
        let (from, to) = (vertex(a)?, vertex(b)?);
        if from == to {
            return Err(GraphError::Loop(a.to_owned()));
        }
        let edge = (from.min(to), from.max(to));
        match self.edges.binary_search(&edge) {
            Ok(_) => Err(GraphError::SameEdge(format!("{a}-{b}"))),
            Err(place) => {
                Arc::make_mut(&mut self.edges).insert(place, edge);
                Ok(())
            }
        }
    }

    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it has no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The edges in the order of their vertices, each with its lower vertex first.
    #[must_use]
    pub fn edges(&self) -> &[(Cell, Cell)] {
        &self.edges
    }

    /// The vertex of this name.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<Cell> {
        self.names
            .iter()
            .position(|known| known == name)
            .map(Cell::new)
    }

    /// The name of a vertex.
    #[must_use]
    pub fn name(&self, vertex: Cell) -> &str {
        &self.names[vertex.index()]
    }

    /// The vertices joined to this one, in their order.
    #[must_use]
    pub fn neighbours(&self, vertex: Cell) -> Vec<Cell> {
        let mut neighbours: Vec<Cell> = self
            .edges
            .iter()
            .filter_map(|&(a, b)| match vertex {
                v if v == a => Some(b),
                v if v == b => Some(a),
                _ => None,
            })
            .collect();
        neighbours.sort_unstable();
        neighbours
    }
}

/// Why a vertex or an edge cannot be added.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    /// A vertex' name with other characters than ASCII letters, digits and `_`.
    #[error("'{0}' is not a name of a vertex: 1 to 32 ASCII letters, digits and _")]
    BadName(String),
    /// Two vertices of one name.
    #[error("vertex '{0}' is given twice")]
    SameVertex(String),
    /// More than [`MAX_CELLS`] vertices.
    #[error("a graph has at most {MAX_CELLS} vertices")]
    TooManyVertices,
    /// An edge that ends at no vertex.
    #[error("edge {edge} ends at '{name}', which is not a vertex")]
    UnknownVertex {
        /// The edge as written.
        edge: String,
        /// The name that is not a vertex.
        name: String,
    },
    /// An edge from a vertex to itself.
    #[error("edge {0}-{0} is a loop")]
    Loop(String),
    /// Two edges between the same vertices.
    #[error("edge {0} is given twice")]
    SameEdge(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_double_edges_and_dangling_edges_are_refused() {
        let mut graph = Graph::new();
        graph.add_vertex("a").unwrap();
        graph.add_vertex("b").unwrap();
        graph.add_edge("a", "b").unwrap();
        assert_eq!(
            graph.add_edge("b", "a"),
            Err(GraphError::SameEdge("b-a".into()))
        );
        assert_eq!(graph.add_edge("a", "a"), Err(GraphError::Loop("a".into())));
        assert!(matches!(
            graph.add_edge("a", "c"),
            Err(GraphError::UnknownVertex { .. })
        ));
        assert!(matches!(
            graph.add_vertex("a"),
            Err(GraphError::SameVertex(_))
        ));
        assert!(matches!(
            graph.add_vertex("a b"),
            Err(GraphError::BadName(_))
        ));
    }

    #[test]
    fn at_most_128_vertices() {
        let mut graph = Graph::new();
        for index in 0..128 {
            graph.add_vertex(&format!("v{index}")).unwrap();
        }
        assert_eq!(
            graph.add_vertex("one_more"),
            Err(GraphError::TooManyVertices)
        );
    }
}
