//! Which cells a disc can be placed on, and which discs it turns, by whole-board operations.
//!
//! Both run along each of eight directions over all cells at once, and cover a line of any length
//! in a number of steps that grows with its logarithm (Kogge–Stone fills).

use std::sync::Arc;

use crate::cells::{Cell, Cells};
use crate::grid::Grid;

/// The directions of a grid, prepared for words of type `B`.
#[derive(Clone, Debug)]
pub(super) struct Lines<B> {
    /// The cells that are not holes.
    board: B,
    axes: Arc<[Axis<B>]>,
}

/// Two opposite directions.
#[derive(Clone, Debug)]
struct Axis<B> {
    /// The distance of neighbouring cells in the word.
    shift: u32,
    /// How often a run is doubled to cover the longest possible one.
    doublings: u32,
    /// The cells that can lie between two others: a run in here never wraps round an edge.
    inner: B,
}

impl<B: Cells> Lines<B> {
    pub(super) fn new(grid: &Grid) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        let all = grid.columns(|_| true);
        let inner_columns = grid.columns(|col| col > 0 && col + 1 < cols);
        let axis = |shift: usize, longest: usize, inner: u128| {
            // Between the two ends of a line there must be room for a disc to turn.
            let between = longest.checked_sub(2).filter(|&between| between > 0)?;
            Some(Axis {
                shift: shift as u32,
                // After k doublings runs of up to 2^(k+1) cells are covered.
                doublings: (between - 1).checked_ilog2().unwrap_or(0),
                inner: B::from_wide(inner),
            })
        };
        let shorter = rows.min(cols);
        let axes = [
            axis(1, cols, inner_columns),
            axis(cols, rows, all),
            axis(cols - 1, shorter, inner_columns),
            axis(cols + 1, shorter, inner_columns),
        ];
        Self {
            board: B::from_wide(grid.cells()),
            axes: axes.into_iter().flatten().collect(),
        }
    }

    /// The cells on which a disc turns at least one other.
    #[inline]
    pub(super) fn placements(&self, own: B, opponent: B) -> B {
        let mut reached = B::EMPTY;
        for axis in self.axes.iter() {
            let between = opponent & axis.inner;
            let up = axis.run_up(own, between);
            let down = axis.run_down(own, between);
            reached |= (up << axis.shift) | (down >> axis.shift);
        }
        reached & self.board & !(own | opponent)
    }

    /// The discs that turn when one is placed on this cell.
    #[inline]
    pub(super) fn turned(&self, own: B, opponent: B, cell: Cell) -> B {
        let disc = B::one(cell);
        let mut turned = B::EMPTY;
        for axis in self.axes.iter() {
            let between = opponent & axis.inner;
            let up = axis.run_up(disc, between);
            if !((up << axis.shift) & own).is_empty() {
                turned |= up;
            }
            let down = axis.run_down(disc, between);
            if !((down >> axis.shift) & own).is_empty() {
                turned |= down;
            }
        }
        turned
    }
}

impl<B: Cells> Axis<B> {
    /// The runs of `between` that begin right after one of `from`, towards higher cells.
    #[inline(always)]
    fn run_up(&self, from: B, mut between: B) -> B {
        let mut run = (from << self.shift) & between;
        let mut shift = self.shift;
        run |= (run << shift) & between;
        for _ in 0..self.doublings {
            between &= between << shift;
            shift *= 2;
            run |= (run << shift) & between;
        }
        run
    }

    /// The same towards lower cells.
    #[inline(always)]
    fn run_down(&self, from: B, mut between: B) -> B {
        let mut run = (from >> self.shift) & between;
        let mut shift = self.shift;
        run |= (run >> shift) & between;
        for _ in 0..self.doublings {
            between &= between >> shift;
            shift *= 2;
            run |= (run >> shift) & between;
        }
        run
    }
}
