//! Sparse inputs: a position as a few patterns out of thousands, and what a move changes of them.
//!
//! Each place of a board (a cell in [`Shapes`], an area in [`Lines`]) shows at most one pattern; an
//! input counts how often its pattern is shown. The first layer adds the rows of the patterns that
//! are there, and never walks over those that are not.

use upstar_games::{Cells, Color, Grid};

use crate::encoder::{Encoder, View};
use crate::lines::Lines;
use crate::shapes::Shapes;

/// The patterns that an encoder looks for on a board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Patterns {
    Shapes(Shapes),
    Lines(Lines),
}

/// A place that shows no pattern.
pub(crate) const NONE: u32 = u32::MAX;

/// What is seen of a position, place by place, and room to see what a move changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// The stones around each place as a number in base 3.
    pub(crate) codes: Vec<u16>,
    /// The input of the pattern that each place shows, or [`NONE`].
    pub(crate) shown: Vec<u32>,
    /// The codes after a move.
    pub(crate) after: Vec<u16>,
}

impl Sight {
    /// Makes the codes after a move; `around` has for each cell the places that it counts for, each with the
    /// weight of its digit. Returns the cells that the move changed.
    #[inline(always)]
    pub(crate) fn follow(
        &mut self,
        [before, after]: [[u128; 2]; 2],
        around: &[Vec<(u16, u16)>],
    ) -> u128 {
        self.after.clone_from(&self.codes);
        let differing = (before[0] ^ after[0]) | (before[1] ^ after[1]);
        for cell in differing.iter() {
            let step = digit(after, cell.index()).wrapping_sub(digit(before, cell.index()));
            for &(place, weight) in &around[cell.index()] {
                let code = &mut self.after[usize::from(place)];
                *code = code.wrapping_add(step.wrapping_mul(weight));
            }
        }
        differing
    }

    /// The inputs that are there, as often as they are there.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = u32> {
        self.shown.iter().copied().filter(|&input| input != NONE)
    }
}

impl Patterns {
    /// The patterns of an encoder; `None` if it has none.
    pub(crate) fn of(encoder: Encoder, grid: &Grid) -> Option<Self> {
        match encoder {
            Encoder::Shapes => Some(Self::Shapes(Shapes::new(grid))),
            Encoder::Lines => Some(Self::Lines(Lines::new(grid))),
            _ => None,
        }
    }

    /// How many patterns there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Shapes(_) => Shapes::count(),
            Self::Lines(lines) => lines.count(),
        }
    }

    /// Sees a whole position.
    pub(crate) fn see(&self, view: &View, sight: &mut Sight) {
        match self {
            Self::Shapes(shapes) => shapes.see(sides(view), sight),
            Self::Lines(lines) => lines.see(sides(view), sight),
        }
    }

    /// The inputs that change from the position that was seen to another, as (input, change).
    #[inline(always)]
    pub(crate) fn changes(
        &self,
        sight: &mut Sight,
        [before, after]: [&View; 2],
        change: impl FnMut(usize, f32),
    ) {
        let views = [sides(before), sides(after)];
        match self {
            Self::Shapes(shapes) => shapes.changes(sight, views, change),
            Self::Lines(lines) => lines.changes(sight, views, change),
        }
    }
}

/// The stones of the mover and of the opponent.
#[inline(always)]
pub(crate) fn sides(view: &View) -> [u128; 2] {
    match view.mover {
        Color::Black => [view.black, view.white],
        Color::White => [view.white, view.black],
    }
}

/// What stands on a cell, as a digit in base 3: nothing, the mover's stone, the opponent's.
#[inline(always)]
pub(crate) fn digit([own, opponent]: [u128; 2], cell: usize) -> u16 {
    let bit = |stones: u128| (stones >> cell) as u16 & 1;
    bit(own) + 2 * bit(opponent)
}
