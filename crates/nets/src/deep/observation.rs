//! How a large network sees a position and names its moves.

use upstar_games::{
    Board, Cell, Cells, Clobber, Color, Grid, Othello, Position, Rules, clobber, othello,
};

use super::design::Planes;
use crate::encoder::Visible;

/// A position as a large network sees it: from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The stones of the side to move.
    pub own: u128,
    /// The stones of the other side.
    pub opponent: u128,
    /// The side to move.
    pub to_move: Color,
}

impl Observation {
    /// The stones of the first plane and those of the second.
    #[inline(always)]
    pub(crate) fn stones(&self, planes: Planes) -> [u128; 2] {
        match (planes, self.to_move) {
            (Planes::Jans2021First | Planes::ByColor, Color::White) => [self.opponent, self.own],
            _ => [self.own, self.opponent],
        }
    }

    /// What the three planes show of a cell.
    pub(crate) fn numbers(&self, planes: Planes, cell: usize) -> [f32; 3] {
        let number = |yes: bool| f32::from(u8::from(yes));
        let [first, second] = self.stones(planes).map(|stones| stones >> cell & 1 != 0);
        let third = match planes {
            Planes::Jans2021First => !first && !second,
            Planes::Jans2021Second | Planes::ByColor => self.to_move == Color::Black,
            Planes::Free => true,
        };
        [first, second, third].map(number)
    }
}

/// A game that large networks play, on grids: a cell that is empty and a hole look the same.
pub trait Acting: Visible {
    /// What a network sees.
    fn observe(&self, position: &Self::Position) -> Observation;

    /// The place of a move in the policy; `None` for a pass, which is the only move where there is
    /// one. In Clobber the cell times four plus the direction: up, left, down, right.
    fn action(&self, mv: Self::Move) -> Option<usize>;
}

fn observe<B: Cells>(position: &Position<B>) -> Observation {
    Observation {
        own: position.own.into(),
        opponent: position.opponent.into(),
        to_move: position.to_move,
    }
}

impl<B: Cells> Acting for Clobber<B> {
    #[inline]
    fn observe(&self, position: &Position<B>) -> Observation {
        observe(position)
    }

    /// # Panics
    /// On a graph, whose moves have no directions.
    #[inline]
    fn action(&self, mv: clobber::Move) -> Option<usize> {
        let Board::Grid(grid) = self.board() else {
            panic!("large networks judge moves on grids");
        };
        Some(mv.from.index() * 4 + direction(grid, mv.from, mv.to))
    }
}

/// Up, left, down, right.
fn direction(grid: &Grid, from: Cell, to: Cell) -> usize {
    // On one column a neighbour's index tells only of up and down, whatever it is.
    let (from, to, cols) = (from.index(), to.index(), grid.cols());
    if to + cols == from {
        0
    } else if to == from + cols {
        2
    } else if to < from {
        1
    } else {
        3
    }
}

impl<B: Cells> Acting for Othello<B> {
    #[inline]
    fn observe(&self, position: &Position<B>) -> Observation {
        observe(position)
    }

    #[inline]
    fn action(&self, mv: othello::Move) -> Option<usize> {
        match mv {
            othello::Move::Place(cell) => Some(cell.index()),
            othello::Move::Pass => None,
        }
    }
}
