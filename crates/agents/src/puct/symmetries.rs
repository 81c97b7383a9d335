//! Turning and mirroring positions together with the moves in them.

use upstar_games::{Cell, Cells, Grid, Symmetry};
use upstar_nets::deep::Observation;

/// The symmetries of a board, as they act on what a network sees and on the moves it names.
pub struct Symmetries {
    /// For each symmetry, and each four cells of the board, where all sets of these go.
    cells: Vec<Vec<[u128; 16]>>,
    /// For each symmetry where each action goes.
    actions: Vec<Vec<u16>>,
}

impl Symmetries {
    /// The symmetries of a grid with so many actions: one for each cell, or four, one for each direction in
    /// the order up, left, down, right.
    #[must_use]
    pub fn new(grid: &Grid, actions: usize) -> Self {
        let symmetries = Symmetry::all(grid);
        let image = |symmetry: &Symmetry, action: usize| {
            if actions == grid.len() {
                return symmetry.cell(Cell::new(action)).index() as u16;
            }
            let (cell, direction) = (Cell::new(action / 4), action % 4);
            let Some(beside) = neighbour(grid, cell, direction) else {
                return action as u16;
            };
            let (cell, beside) = (symmetry.cell(cell), symmetry.cell(beside));
            let direction = (0..4).find(|&way| neighbour(grid, cell, way) == Some(beside));
            let direction = direction.expect("neighbours stay neighbours");
            (cell.index() * 4 + direction) as u16
        };
        let of = |symmetry: &Symmetry| (0..actions).map(|action| image(symmetry, action)).collect();
        let fours = |symmetry: &Symmetry| {
            let moved = |set: usize, four: usize| {
                let cells = (set as u128) << (4 * four);
                let on_board = |cell: &Cell| cell.index() < grid.len();
                let images = cells
                    .iter()
                    .filter(on_board)
                    .map(|cell| symmetry.cell(cell));
                images.fold(0, u128::with)
            };
            let of = |four: usize| std::array::from_fn(|set| moved(set, four));
            (0..grid.len().div_ceil(4)).map(of).collect()
        };
        Self {
            actions: symmetries.iter().map(of).collect(),
            cells: symmetries.iter().map(fours).collect(),
        }
    }

    /// How many symmetries there are; the first is none.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// A position turned.
    #[must_use]
    pub fn look(&self, turn: usize, look: &Observation) -> Observation {
        if turn == 0 {
            return *look;
        }
        let [own, opponent] = [look.own, look.opponent].map(|cells| {
            let (mut image, mut cells) = (0, cells);
            for sets in &self.cells[turn] {
                image |= sets[(cells & 15) as usize];
                cells >>= 4;
            }
            image
        });
        Observation {
            own,
            opponent,
            to_move: look.to_move,
        }
    }

    /// Where an action goes.
    #[must_use]
    pub fn action(&self, turn: usize, action: usize) -> usize {
        self.actions[turn][action].into()
    }

    /// The one of all turned positions that stands for all of them, and the turn that leads to it.
    #[must_use]
    pub fn standard(&self, look: &Observation) -> (Observation, usize) {
        let key = |(look, _): &(Observation, usize)| (look.own, look.opponent);
        let turned = (0..self.count()).map(|turn| (self.look(turn, look), turn));
        turned.min_by_key(key).expect("there is at least one")
    }
}

fn neighbour(grid: &Grid, cell: Cell, direction: usize) -> Option<Cell> {
    let (row, col) = grid.row_and_col(cell);
    let (row, col) = match direction {
        0 => (row.checked_sub(1)?, col),
        1 => (row, col.checked_sub(1)?),
        2 => (row + 1, col),
        _ => (row, col + 1),
    };
    (row < grid.rows() && col < grid.cols()).then(|| grid.cell(row, col))
}
