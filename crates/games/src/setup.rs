//! What a position text says: a board and the stones on it, before any rules look at it.
//!
//! A grid is written as its rows from the top joined by bars, `xox|oxo`; a graph as its vertices
//! with their stones and its edges, `a=x,b=o,c=.,a-b,b-c`. Both are one shell word.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Board;
use crate::cells::{Cell, Cells, MAX_CELLS};
use crate::excerpt;
use crate::graph::{Graph, GraphError};
use crate::grid::{Grid, SizeError, column_name};
use crate::side::{MAX_SIDES, Side};

/// The longest position text that is looked at, in bytes; a complete graph of 128 vertices fits.
pub const MAX_TEXT: usize = 1 << 20;

/// A board and the stones on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Where stones may stand.
    pub board: Board,
    stones: [u128; MAX_SIDES],
}

impl Setup {
    /// An empty board.
    #[must_use]
    pub fn new(board: impl Into<Board>) -> Self {
        Self {
            board: board.into(),
            stones: [0; MAX_SIDES],
        }
    }

    /// A board with the stones of two sides.
    ///
    /// # Panics
    /// If a cell is given twice or is not on the board.
    #[must_use]
    pub fn of_two(board: impl Into<Board>, black: u128, white: u128) -> Self {
        let mut setup = Self::new(board);
        let off_board = (black | white) & !setup.board.cells();
        assert!(
            black & white == 0 && off_board == 0,
            "stones stand on cells of the board, one on each"
        );
        setup.stones[0] = black;
        setup.stones[1] = white;
        setup
    }

    /// Puts a stone of this side on an empty cell.
    ///
    /// # Panics
    /// If the cell is not on the board or not empty.
    pub fn put(&mut self, cell: Cell, side: impl Into<Side>) {
        let empty = self.board.cells() & !self.occupied();
        assert!(empty.contains(cell), "stones are put on empty cells");
        let stones = &mut self.stones[side.into().index()];
        *stones = stones.with(cell);
    }

    /// The cells with stones of this side.
    #[must_use]
    pub fn stones(&self, side: impl Into<Side>) -> u128 {
        self.stones[side.into().index()]
    }

    /// The cells with stones.
    #[must_use]
    pub fn occupied(&self) -> u128 {
        self.stones.iter().fold(0, |all, stones| all | stones)
    }

    /// The side whose stone is on this cell, if there is one.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        Side::ALL
            .into_iter()
            .find(|&side| self.stones(side).contains(cell))
    }

    /// How many sides a game needs to have all these stones: one more than the last with a stone
    /// has before it.
    #[must_use]
    pub fn sides(&self) -> usize {
        let last = self.stones.iter().rposition(|&stones| stones != 0);
        last.map_or(0, |last| last + 1)
    }

    /// The letter that stands for this cell in a text.
    #[must_use]
    pub fn letter(&self, cell: Cell) -> char {
        match self.stone(cell) {
            Some(side) => side.letter(),
            None if self.board.cells().contains(cell) => '.',
            None => '#',
        }
    }

    fn grid_from_text(text: &str) -> Result<Self, SetupError> {
        // What surrounds a pasted board: blanks, row numbers, a line of column letters, empty lines.
        let lines = text.lines().map(|line| line.replace([' ', '\t'], ""));
        let lines = lines.filter(|line| !line.is_empty() && !is_header(line));
        let text = lines.collect::<Vec<_>>().join("|");
        let rows = text
            .split('|')
            .map(|row| row.trim_matches(|c: char| c.is_ascii_digit()));
        let rows: Vec<&str> = rows.collect();
        let cols = rows[0].chars().count();
        for (index, row) in rows.iter().enumerate() {
            let found = row.chars().count();
            if found != cols {
                let row = index + 1;
                return Err(SetupError::Ragged { row, found, cols });
            }
        }
        let grid = Grid::new(rows.len(), cols).map_err(SetupError::Size)?;
        let mut setup = Self::new(grid);
        let mut holes = 0u128;
        for (index, letter) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            let cell = Cell::new(index);
            match Square::from_letter(letter)? {
                Square::Empty => {}
                Square::Hole => holes = holes.with(cell),
                Square::Stone(side) => setup.put(cell, side),
            }
        }
        setup.board = grid.with_holes(holes).into();
        Ok(setup)
    }

    /// Reads a graph: words `NAME=STONE` and `NAME-NAME`, separated by commas, blanks or line
    /// breaks; `#` begins a comment. Vertices may follow the edges that name them.
    ///
    /// # Errors
    /// If the text is not a graph.
    pub fn from_graph_text(text: &str) -> Result<Self, SetupError> {
        check_length(text)?;
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(line));
        let words = lines
            .flat_map(|line| line.split([',', ' ', '\t']))
            .map(str::trim);
        let (vertices, edges): (Vec<&str>, Vec<&str>) = words
            .filter(|word| !word.is_empty())
            .partition(|word| word.contains('='));
        let mut graph = Graph::new();
        let mut placed = Vec::new();
        for word in vertices {
            let (name, stone) = word.split_once('=').expect("chosen for its '='");
            let mut letters = stone.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(SetupError::BadWord(excerpt(word)));
            };
            let vertex = graph.add_vertex(name).map_err(SetupError::Graph)?;
            match Square::from_letter(letter)? {
                Square::Empty => {}
                Square::Hole => return Err(SetupError::BadWord(excerpt(word))),
                Square::Stone(side) => placed.push((vertex, side)),
            }
        }
        for word in edges {
            let (a, b) = word
                .split_once('-')
                .ok_or_else(|| SetupError::BadWord(excerpt(word)))?;
            graph.add_edge(a, b).map_err(SetupError::Graph)?;
        }
        if graph.is_empty() {
            return Err(SetupError::Empty);
        }
        let mut setup = Self::new(graph);
        for (vertex, side) in placed {
            setup.put(vertex, side);
        }
        Ok(setup)
    }
}

/// Whether this is a line of column letters.
fn is_header(line: &str) -> bool {
    let columns: String = (0..line.len().min(MAX_CELLS)).map(column_name).collect();
    line.starts_with('a') && columns.starts_with(line)
}

fn check_length(text: &str) -> Result<(), SetupError> {
    if text.len() > MAX_TEXT {
        return Err(SetupError::TooLong(text.len()));
    }
    Ok(())
}

/// What one letter says.
enum Square {
    Empty,
    Hole,
    Stone(Side),
}

impl Square {
    fn from_letter(letter: char) -> Result<Self, SetupError> {
        match letter {
            '.' | '-' => Ok(Self::Empty),
            '#' => Ok(Self::Hole),
            _ => Side::from_letter(letter)
                .map(Self::Stone)
                .ok_or(SetupError::UnknownLetter(letter)),
        }
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads a grid or, when the text has a `=`, a graph. Line breaks are read as bars, and what
    /// surrounds a pasted board is left out.
    fn from_str(text: &str) -> Result<Self, SetupError> {
        check_length(text)?;
        let text = text.trim_matches(['\n', '\r', ' ', '\t']);
        if text.is_empty() {
            Err(SetupError::Empty)
        } else if text.contains('=') {
            Self::from_graph_text(text)
        } else {
            Self::grid_from_text(text)
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.board {
            Board::Grid(grid) => {
                for row in 0..grid.rows() {
                    let bar = if row == 0 { "" } else { "|" };
                    let letters = (0..grid.cols()).map(|col| self.letter(grid.cell(row, col)));
                    write!(f, "{bar}{}", letters.collect::<String>())?;
                }
                Ok(())
            }
            Board::Graph(graph) => {
                let vertex = |v: Cell| format!("{}={}", graph.name(v), self.letter(v));
                let edge = |&(a, b): &_| format!("{}-{}", graph.name(a), graph.name(b));
                let vertices = (0..graph.len()).map(Cell::new).map(vertex);
                let words: Vec<String> = vertices.chain(graph.edges().iter().map(edge)).collect();
                write!(f, "{}", words.join(","))
            }
        }
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    /// No text at all.
    #[error("the position text is empty")]
    Empty,
    /// A text of this many bytes, which no board needs.
    #[error("a position text of {0} bytes is too long: a board has at most {MAX_CELLS} cells")]
    TooLong(usize),
    /// Too many cells.
    #[error(transparent)]
    Size(SizeError),
    /// A letter that stands for nothing.
    #[error(
        "'{}' is not a stone: x and o are stones, . is empty, # is a hole",
        .0.escape_debug()
    )]
    UnknownLetter(char),
    /// Rows of different lengths.
    #[error("row {row} has {found} cells where row 1 has {cols}")]
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Its number of cells.
        found: usize,
        /// That of the first row.
        cols: usize,
    },
    /// A word of a graph that is neither vertex nor edge.
    #[error("'{0}' is neither a vertex with its stone, like a=x, nor an edge, like a-b")]
    BadWord(String),
    /// A graph that cannot be.
    #[error(transparent)]
    Graph(GraphError),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, written: &str) {
        assert_eq!(text.parse::<Setup>().unwrap().to_string(), written);
    }

    fn check_refused(text: &str, sentence: &str) {
        assert_eq!(text.parse::<Setup>().unwrap_err().to_string(), sentence);
    }

    #[test]
    fn texts_are_read_and_written() {
        check("xox|oxo", "xox|oxo");
        check("x", "x");
        check("X*Bb|OWw-|..##", "xxxx|ooo.|..##");
        check("xo\nox\n", "xo|ox");
        check("xo\r\nox\r\n", "xo|ox");
        check("xot|sdp", "xot|sdp");
        check("    a b c\n  1 x o x\n\n 2 o . o\n", "xox|o.o");
        check("2xo2\n1ox1\n ab", "xo|ox");
    }

    #[test]
    fn graphs_are_read_and_written() {
        check("a=x,b=o,c=.,a-b,c-b", "a=x,b=o,c=.,a-b,b-c");
        check(
            "# a path\na-b b-c\n\na=x b=W # stones\nc=-",
            "a=x,b=o,c=.,a-b,b-c",
        );
    }

    #[test]
    fn bad_texts_are_refused_with_a_sentence() {
        check_refused("", "the position text is empty");
        check_refused("xo|x", "row 2 has 1 cells where row 1 has 2");
        check_refused("xo|", "row 2 has 0 cells where row 1 has 2");
        check_refused("|", "a 2x0 board has no cells");
        check_refused(
            "xq",
            "'q' is not a stone: x and o are stones, . is empty, # is a hole",
        );
        check_refused(
            "x\0",
            "'\\0' is not a stone: x and o are stones, . is empty, # is a hole",
        );
        check_refused(&"x".repeat(129), "a 1x129 board has more than 128 cells");
        check_refused(
            &"x".repeat(2_000_000),
            "a position text of 2000000 bytes is too long: a board has at most 128 cells",
        );
        check_refused("a=x,a-a", "edge a-a is a loop");
        check_refused("a=x,b=o,a-b,b-a", "edge b-a is given twice");
        check_refused("a=x,a-b", "edge a-b ends at 'b', which is not a vertex");
        check_refused("a=x,a=o", "vertex 'a' is given twice");
        check_refused(
            "a=xo",
            "'a=xo' is neither a vertex with its stone, like a=x, nor an edge, like a-b",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = text.parse::<Setup>();
        }

        #[test]
        fn texts_of_the_right_letters_are_read_or_refused(text in "[xots.#|=,a-c-]{0,40}") {
            if let Ok(setup) = text.parse::<Setup>() {
                prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
            }
        }
    }
}
