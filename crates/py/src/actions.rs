//! Moves as numbers: OpenSpiel's, for every game and board.

use upstar_games::{AnyGame, Board, Cell, Rules, Variant, with_rules};

/// How the moves of a game on a board are numbered. In Clobber on a grid the cell times four plus the direction
/// (up, right, down, left), on a graph the cell times the number of cells plus the target; in Othello the
/// cell, and the number of cells for a pass.
#[derive(Clone, Copy)]
pub(crate) struct Numbering<'a> {
    board: &'a Board,
    pub(crate) is_othello: bool,
}

impl<'a> Numbering<'a> {
    pub(crate) fn of(game: &'a AnyGame) -> Self {
        Self {
            board: game.board(),
            is_othello: matches!(game.variant(), Variant::Othello(_) | Variant::Reversi),
        }
    }

    /// How many numbers there are.
    pub(crate) fn count(self) -> usize {
        let cells = self.board.len();
        match (self.is_othello, self.board) {
            (true, _) => cells + 1,
            (false, Board::Grid(_)) => cells * 4,
            (false, Board::Graph(_)) => cells * cells,
        }
    }

    /// The number of a move by the cells that it goes between; `None` is a pass.
    #[inline]
    pub(crate) fn number(self, path: Option<(Cell, Cell)>) -> usize {
        let cells = self.board.len();
        let Some((from, to)) = path.map(|(from, to)| (from.index(), to.index())) else {
            return cells;
        };
        match (self.is_othello, self.board) {
            (true, _) => to,
            (false, Board::Graph(_)) => from * cells + to,
            (false, Board::Grid(grid)) => {
                let cols = grid.cols();
                let direction = match () {
                    () if to + cols == from => 0,
                    () if to == from + cols => 2,
                    () if to > from => 1,
                    () => 3,
                };
                from * 4 + direction
            }
        }
    }

    /// The name of the move that a number stands for, legal or not; `None` if it stands for none.
    pub(crate) fn name(self, action: usize) -> Option<String> {
        let cells = self.board.len();
        let cell = |index: usize| self.board.name(Cell::new(index));
        match (self.is_othello, self.board) {
            (true, _) if action == cells => Some("pass".to_owned()),
            (true, _) => (action < cells).then(|| cell(action)),
            (false, Board::Graph(_)) => {
                let (from, to) = (action / cells, action % cells);
                (from < cells).then(|| format!("{}-{}", cell(from), cell(to)))
            }
            (false, Board::Grid(grid)) => {
                let (from, direction) = (action / 4, action % 4);
                let (row, col) = (from / grid.cols(), from % grid.cols());
                let (to_row, to_col) = match direction {
                    0 => (row.checked_sub(1)?, col),
                    1 => (row, col + 1),
                    2 => (row + 1, col),
                    _ => (row, col.checked_sub(1)?),
                };
                let inside = row < grid.rows() && to_row < grid.rows() && to_col < grid.cols();
                inside.then(|| cell(from) + &cell(to_row * grid.cols() + to_col))
            }
        }
    }
}

/// The legal moves as numbers, with their names, in the order of the numbers.
pub(crate) fn legal(game: &AnyGame) -> Vec<(usize, String)> {
    let numbering = Numbering::of(game);
    let mut legal: Vec<(usize, String)> = with_rules!(game, |rules, position| {
        let named = |mv| (numbering.number(rules.path(mv)), rules.move_name(mv));
        rules.moves(position).map(named).collect()
    });
    legal.sort_unstable();
    legal
}

/// The numbers of the legal moves, in their order.
pub(crate) fn legal_numbers(game: &AnyGame) -> Vec<usize> {
    let numbering = Numbering::of(game);
    let mut numbers: Vec<usize> = with_rules!(game, |rules, position| {
        let moves = rules.moves(position);
        moves.map(|mv| numbering.number(rules.path(mv))).collect()
    });
    numbers.sort_unstable();
    numbers
}

/// The number of a move by its name.
pub(crate) fn number(game: &AnyGame, name: &str) -> usize {
    Numbering::of(game).number(game.path(name))
}
