//! Discs that can never be turned again, found by a plain rule: along each of the four lines through a
//! disc, the line is full, or the disc has the edge, a hole or a stable disc of its own colour on one side.
//! There are stable discs that this rule does not see.

use crate::cells::{Cell, Cells};
use crate::grid::Grid;

/// The four directions of lines; each has an opposite.
const LINES: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The discs of `own` that are seen to be stable.
#[must_use]
pub fn stable_discs(grid: &Grid, own: u128, opponent: u128) -> u128 {
    let occupied = own | opponent;
    let mut stable = 0;
    loop {
        let is_safe = |cell: &Cell| {
            LINES.iter().all(|&(down, right)| {
                let anchored = |sign: isize| {
                    next(grid, *cell, sign * down, sign * right)
                        .is_none_or(|near| stable.contains(near))
                };
                anchored(1) || anchored(-1) || is_full(grid, *cell, down, right, occupied)
            })
        };
        let more = (own & !stable).iter().filter(is_safe);
        let more = more.fold(0, |cells: u128, cell| cells.with(cell));
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}

/// The cell one step further; `None` at the edge and at a hole.
fn next(grid: &Grid, cell: Cell, down: isize, right: isize) -> Option<Cell> {
    let (row, col) = grid.row_and_col(cell);
    let row = row
        .checked_add_signed(down)
        .filter(|&row| row < grid.rows())?;
    let col = col
        .checked_add_signed(right)
        .filter(|&col| col < grid.cols())?;
    let cell = grid.cell(row, col);
    grid.cells().contains(cell).then_some(cell)
}

/// Whether the line through a cell has no empty cell, as far as edges and holes.
fn is_full(grid: &Grid, cell: Cell, down: isize, right: isize, occupied: u128) -> bool {
    [1, -1].into_iter().all(|sign| {
        let step = |&cell: &Cell| next(grid, cell, sign * down, sign * right);
        std::iter::successors(Some(cell), step).all(|cell| occupied.contains(cell))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, Board, Color, Random};

    /// Random games from random positions: no stable disc is ever turned.
    #[test]
    fn stable_discs_are_never_turned() {
        let mut random = Random::new(7);
        let mut seen = 0;
        for _ in 0..200 {
            let mut game = AnyGame::parse("othello", "6x6").unwrap();
            let mut stable = [0_u128; 2];
            while let moves @ [_, ..] = &game.legal()[..] {
                game = game
                    .play(&moves[random.below(moves.len() as u32) as usize])
                    .unwrap();
                let setup = game.setup();
                let Board::Grid(grid) = &setup.board else {
                    unreachable!()
                };
                let discs = Color::ALL.map(|side| setup.stones(side));
                for side in [0, 1] {
                    assert_eq!(stable[side] & !discs[side], 0, "{game}");
                    let now = stable_discs(grid, discs[side], discs[1 - side]);
                    assert_eq!(stable[side] & !now, 0, "stability is lost: {game}");
                    stable[side] = now;
                    seen += now.len();
                }
            }
        }
        assert!(seen > 1000);
    }
}
