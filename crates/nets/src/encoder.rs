//! How a network sees a position: the encoders of the theses, one of two planes, and two that see
//! patterns.
//!
//! What is judged is always a position that somebody has just moved to: the *mover* is the side
//! that made the move, not the one whose turn it is.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use upstar_games::othello::{Reversi, ReversiPosition};
use upstar_games::{
    Board, Cells, Clobber, Color, Game, Grid, Othello, Position, Rules, Variant, excerpt,
};

use crate::lines::Lines;
use crate::patterns::{Patterns, Sight};
use crate::shapes::Shapes;

/// From a position to the inputs of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Encoder {
    /// An input per cell: 1 for the mover's stone, −1 for the opponent's (leiden2018, section 4.4).
    Leiden2018,
    /// An input per cell: 1 for a black stone, −1 for a white one; and one for the turn, 1 if it is
    /// Black's, −1 if it is White's (etoeharnowo2017, section 4.4).
    Etoeharnowo2017,
    /// The turn, 0 if it is Black's and 1 if it is White's, and an input per cell: 0 black, 0.5
    /// empty, 1 white (cammel2015, section 4.3).
    Cammel2015Cells,
    /// The same and five comparisons, each 0 if Black has more, 1 if White has more, 0.5 if equal:
    /// corners, stones, stones next to a corner, moves, stones with an empty neighbour.
    Cammel2015Comparisons,
    /// The same and the share of corners that Black has and that White has (section 4.7).
    Cammel2015,
    /// Two inputs per cell: 1 for the mover's stone in the first plane, 1 for the opponent's in the
    /// second.
    Planes,
    /// How often each shape of components is there, wherever it stands: made for Clobber.
    Shapes,
    /// How often each pattern of lines and corners is there: made for Othello.
    Lines,
}

/// For whom a high output is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// For the side that made the move.
    Mover,
    /// For White, whoever moved.
    White,
}

impl Encoder {
    /// All encoders.
    pub const ALL: [Self; 8] = [
        Self::Leiden2018,
        Self::Etoeharnowo2017,
        Self::Cammel2015Cells,
        Self::Cammel2015Comparisons,
        Self::Cammel2015,
        Self::Planes,
        Self::Shapes,
        Self::Lines,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Leiden2018 => "leiden2018",
            Self::Etoeharnowo2017 => "etoeharnowo2017",
            Self::Cammel2015Cells => "cammel2015-cells",
            Self::Cammel2015Comparisons => "cammel2015-comparisons",
            Self::Cammel2015 => "cammel2015",
            Self::Planes => "planes",
            Self::Shapes => "shapes",
            Self::Lines => "lines",
        }
    }

    /// For whom a high output is good.
    #[must_use]
    pub fn perspective(self) -> Perspective {
        match self {
            Self::Leiden2018
            | Self::Etoeharnowo2017
            | Self::Planes
            | Self::Shapes
            | Self::Lines => Perspective::Mover,
            Self::Cammel2015Cells | Self::Cammel2015Comparisons | Self::Cammel2015 => {
                Perspective::White
            }
        }
    }

    /// The number of inputs on this board.
    #[must_use]
    pub fn inputs(self, grid: &Grid) -> usize {
        let cells = grid.len();
        match self {
            Self::Leiden2018 => cells,
            Self::Etoeharnowo2017 | Self::Cammel2015Cells => cells + 1,
            Self::Cammel2015Comparisons => cells + 1 + COMPARISONS,
            Self::Cammel2015 => cells + 1 + COMPARISONS + 2,
            Self::Planes => 2 * cells,
            Self::Shapes => Shapes::count(),
            Self::Lines => lines_of(grid),
        }
    }

    /// Whether only few of its inputs are not zero: then a network adds up those alone.
    #[must_use]
    pub fn is_sparse(self) -> bool {
        matches!(self, Self::Shapes | Self::Lines)
    }

    /// Whether it sees positions on graphs: it knows cells, but not what is beside what.
    #[must_use]
    pub fn sees_graphs(self) -> bool {
        matches!(
            self,
            Self::Leiden2018 | Self::Etoeharnowo2017 | Self::Planes
        )
    }

    /// Whether convolutions can follow it: its inputs are planes of cells, zero where nothing is, and perhaps the
    /// turn.
    #[must_use]
    pub fn sees_planes(self) -> bool {
        self.sees_graphs()
    }

    /// The place of the first cell's input.
    pub(crate) fn first_cell(self) -> usize {
        self.places().0
    }

    /// Writes the inputs for a view.
    ///
    /// # Panics
    /// If there is not room for just so many inputs, the eyes are for another encoder, or a stone stands
    /// beyond their board.
    pub fn encode(self, eyes: &Eyes, view: &View, inputs: &mut [f32]) {
        assert_eq!(eyes.encoder, self, "the encoder of these eyes");
        if let Some(patterns) = &eyes.patterns {
            assert_eq!(inputs.len(), patterns.count(), "room for the inputs");
            inputs.fill(0.0);
            let mut sight = Sight::default();
            patterns.see(view, &mut sight);
            sight
                .inputs()
                .for_each(|input| inputs[input as usize] += 1.0);
            return;
        }
        assert_eq!(inputs.len(), self.inputs(&eyes.grid), "room for the inputs");
        let (base, turn) = self.places();
        if let Some(place) = turn {
            inputs[place] = self.turn(view.to_move);
        }
        let cells = eyes.grid.len();
        for plane in 0..self.planes() {
            let inputs = &mut inputs[base + plane * cells..][..cells];
            let [empty, black, white] = self.cell_values(view.mover, plane);
            inputs.fill(empty);
            view.black
                .iter()
                .for_each(|cell| inputs[cell.index()] = black);
            view.white
                .iter()
                .for_each(|cell| inputs[cell.index()] = white);
        }
        if self.extras() > 0 {
            let first = inputs.len() - self.extras();
            inputs[first..].copy_from_slice(&eyes.extras(view)[..self.extras()]);
        }
    }

    /// The inputs that differ between two views with the same mover, as (input, change).
    #[inline(always)]
    pub(crate) fn changes(
        self,
        eyes: &Eyes,
        [before, after]: [&View; 2],
        mut change: impl FnMut(usize, f32),
    ) {
        let (base, turn) = self.places();
        if let Some(place) = turn
            && before.to_move != after.to_move
        {
            change(place, self.turn(after.to_move) - self.turn(before.to_move));
        }
        let differing = (before.black ^ after.black) | (before.white ^ after.white);
        let values: [_; 2] = std::array::from_fn(|plane| {
            if plane < self.planes() {
                self.cell_values(before.mover, plane)
            } else {
                [0.0; 3]
            }
        });
        for cell in differing.iter() {
            let kind = |view: &View| {
                let [black, white] =
                    [view.black, view.white].map(|stones| stones & u128::one(cell) != 0);
                usize::from(black) + 2 * usize::from(white)
            };
            let (old, new) = (kind(before), kind(after));
            for (plane, values) in values.iter().enumerate().take(self.planes()) {
                let difference = values[new] - values[old];
                if difference != 0.0 {
                    change(base + plane * eyes.grid.len() + cell.index(), difference);
                }
            }
        }
        if self.extras() > 0 {
            let first = self.inputs(&eyes.grid) - self.extras();
            let (old, new) = (eyes.extras(before), eyes.extras(after));
            for place in 0..self.extras() {
                if new[place] != old[place] {
                    change(first + place, new[place] - old[place]);
                }
            }
        }
    }

    /// What a cell shows in a plane to this side: without a stone, with a black and with a white one.
    #[inline(always)]
    fn cell_values(self, mover: Color, plane: usize) -> [f32; 3] {
        let (own, opponent) = match self {
            Self::Leiden2018 => (1.0, -1.0),
            Self::Etoeharnowo2017 => return [0.0, 1.0, -1.0],
            Self::Cammel2015Cells | Self::Cammel2015Comparisons | Self::Cammel2015 => {
                return [0.5, 0.0, 1.0];
            }
            Self::Planes if plane == 0 => (1.0, 0.0),
            Self::Planes => (0.0, 1.0),
            Self::Shapes | Self::Lines => unreachable!("they see patterns, not cells"),
        };
        match mover {
            Color::Black => [0.0, own, opponent],
            Color::White => [0.0, opponent, own],
        }
    }

    /// How many inputs a cell has.
    #[inline(always)]
    pub(crate) fn planes(self) -> usize {
        if self == Self::Planes { 2 } else { 1 }
    }

    /// Where the cells begin, and where the turn is.
    #[inline(always)]
    fn places(self) -> (usize, Option<usize>) {
        match self {
            Self::Leiden2018 | Self::Planes => (0, None),
            // The turn comes first everywhere, so that its place does not depend on the board.
            _ => (1, Some(0)),
        }
    }

    #[inline(always)]
    fn turn(self, to_move: Color) -> f32 {
        match (self, to_move) {
            (_, Color::White) if self == Self::Etoeharnowo2017 => -1.0,
            (Self::Etoeharnowo2017, _) | (_, Color::White) => 1.0,
            _ => 0.0,
        }
    }

    /// How many inputs follow the cells.
    #[inline(always)]
    fn extras(self) -> usize {
        match self {
            Self::Cammel2015Comparisons => COMPARISONS,
            Self::Cammel2015 => COMPARISONS + 2,
            _ => 0,
        }
    }

    /// Whether [`View::moves`] matters.
    #[inline(always)]
    pub(crate) fn counts_moves(self) -> bool {
        self.extras() > 0
    }
}

/// How many inputs the lines of a board have. Listing them takes a while, and boards come back.
fn lines_of(grid: &Grid) -> usize {
    static KNOWN: Mutex<Vec<(Grid, usize)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().expect("nobody panics with the lock");
    if let Some((_, count)) = known.iter().find(|(other, _)| other == grid) {
        return *count;
    }
    let count = Lines::new(grid).count();
    known.push((*grid, count));
    count
}

const COMPARISONS: usize = 5;

/// A position as an encoder sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Black's stones.
    pub black: u128,
    /// White's stones.
    pub white: u128,
    /// Whose turn it is.
    pub to_move: Color,
    /// From whose side the position is judged.
    pub mover: Color,
    /// How many moves Black and White would have; only counted for encoders that look at it.
    pub moves: [u32; 2],
}

/// What an encoder needs to know of a board, made once.
#[derive(Clone, Debug, PartialEq)]
pub struct Eyes {
    grid: Grid,
    encoder: Encoder,
    /// For encoders with few inputs that are not zero.
    pub(crate) patterns: Option<Patterns>,
    corners: u128,
    /// The three cells around each corner.
    beside_corners: u128,
    /// The cells around each cell, diagonally too: discs turn in all eight directions.
    around: Vec<u128>,
}

impl Eyes {
    /// The eyes of an encoder for this board.
    #[must_use]
    pub fn new(grid: Grid, encoder: Encoder) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        let around = |row: usize, col: usize| {
            let mut cells = 0u128;
            for near in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                for beside in col.saturating_sub(1)..=(col + 1).min(cols - 1) {
                    if (near, beside) != (row, col) {
                        cells |= u128::one(grid.cell(near, beside));
                    }
                }
            }
            cells & grid.cells()
        };
        let corners = [(0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1)];
        let cell = |(row, col)| u128::one(grid.cell(row, col));
        let corner_cells = corners
            .into_iter()
            .fold(0, |cells, corner| cells | cell(corner));
        let beside = corners
            .into_iter()
            .fold(0, |cells, (row, col)| cells | around(row, col));
        Self {
            corners: corner_cells & grid.cells(),
            beside_corners: beside & !corner_cells,
            around: (0..grid.len())
                .map(|index| around(index / cols, index % cols))
                .collect(),
            patterns: Patterns::of(encoder, &grid),
            encoder,
            grid,
        }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The five comparisons, and the share of corners of each side.
    fn extras(&self, view: &View) -> [f32; COMPARISONS + 2] {
        let empty = self.grid.cells() & !(view.black | view.white);
        let takeable = |stones: u128| {
            let beside_empty = stones
                .iter()
                .filter(|cell| self.around[cell.index()] & empty != 0);
            beside_empty.count() as u32
        };
        let compared = |black: u32, white: u32| match black.cmp(&white) {
            std::cmp::Ordering::Greater => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 1.0,
        };
        let within = |cells: u128| [view.black & cells, view.white & cells].map(Cells::len);
        let [black_corners, white_corners] = within(self.corners);
        let [black_stones, white_stones] = within(u128::MAX);
        let [black_beside, white_beside] = within(self.beside_corners);
        let [black_moves, white_moves] = view.moves;
        [
            compared(black_corners, white_corners),
            compared(black_stones, white_stones),
            compared(black_beside, white_beside),
            compared(black_moves, white_moves),
            compared(takeable(view.black), takeable(view.white)),
            black_corners as f32 / 4.0,
            white_corners as f32 / 4.0,
        ]
    }
}

/// A game whose positions networks can see.
pub trait Visible: Game {
    /// Black's stones, White's, and whose turn it is.
    fn stones(&self, position: &Self::Position) -> ([u128; 2], Color);

    /// How many moves Black and White would have, passes not counted.
    fn moves_of_both(&self, position: &Self::Position) -> [u32; 2];

    /// Whether a network for that game judges this one.
    fn is_variant(&self, variant: Variant) -> bool;

    /// The grid that a position stands on; `None` for a graph.
    fn grid(&self, position: &Self::Position) -> Option<Grid> {
        match self.setup(position).board {
            Board::Grid(grid) => Some(grid),
            Board::Graph(_) => None,
        }
    }

    /// What an encoder sees of a position from this side.
    #[inline(always)]
    fn view(&self, position: &Self::Position, mover: Color, encoder: Encoder) -> View {
        let ([black, white], to_move) = self.stones(position);
        View {
            black,
            white,
            to_move,
            mover,
            moves: if encoder.counts_moves() {
                self.moves_of_both(position)
            } else {
                [0; 2]
            },
        }
    }
}

#[inline(always)]
fn wide<B: Cells>(position: &Position<B>) -> ([u128; 2], Color) {
    (position.stones().map(Into::into), position.to_move)
}

fn in_order<T>(own: T, opponent: T, to_move: Color) -> [T; 2] {
    match to_move {
        Color::Black => [own, opponent],
        Color::White => [opponent, own],
    }
}

fn turned_round<B: Cells>(position: &Position<B>) -> Position<B> {
    Position {
        own: position.opponent,
        opponent: position.own,
        to_move: !position.to_move,
    }
}

impl<B: Cells> Visible for Clobber<B> {
    #[inline(always)]
    fn stones(&self, position: &Position<B>) -> ([u128; 2], Color) {
        wide(position)
    }

    fn moves_of_both(&self, position: &Position<B>) -> [u32; 2] {
        let own = self.count_moves(position) as u32;
        let opponent = self.count_moves(&turned_round(position)) as u32;
        in_order(own, opponent, position.to_move)
    }

    fn is_variant(&self, variant: Variant) -> bool {
        match variant {
            Variant::Clobber => !self.is_cannibal(),
            Variant::Cannibal => self.is_cannibal(),
            _ => false,
        }
    }
}

impl<B: Cells> Visible for Othello<B> {
    #[inline(always)]
    fn stones(&self, position: &Position<B>) -> ([u128; 2], Color) {
        wide(position)
    }

    fn moves_of_both(&self, position: &Position<B>) -> [u32; 2] {
        let own = self.placements(position).len();
        let opponent = self.placements(&turned_round(position)).len();
        in_order(own, opponent, position.to_move)
    }

    /// However the game began.
    fn is_variant(&self, variant: Variant) -> bool {
        matches!(variant, Variant::Othello(_))
    }
}

impl<B: Cells> Visible for Reversi<B> {
    #[inline(always)]
    fn stones(&self, position: &ReversiPosition<B>) -> ([u128; 2], Color) {
        wide(&position.discs)
    }

    /// A forced pass counts as a move here.
    fn moves_of_both(&self, position: &ReversiPosition<B>) -> [u32; 2] {
        let own = self.count_moves(position) as u32;
        let other = ReversiPosition {
            discs: turned_round(&position.discs),
            own_hand: position.opponent_hand,
            opponent_hand: position.own_hand,
        };
        in_order(own, self.count_moves(&other) as u32, position.discs.to_move)
    }

    fn is_variant(&self, variant: Variant) -> bool {
        variant == Variant::Reversi
    }
}

impl fmt::Display for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Encoder {
    type Err = EncoderError;

    fn from_str(text: &str) -> Result<Self, EncoderError> {
        let named = Self::ALL.into_iter().find(|encoder| encoder.name() == text);
        named.ok_or_else(|| EncoderError(excerpt(text)))
    }
}

impl From<Encoder> for String {
    fn from(encoder: Encoder) -> Self {
        encoder.to_string()
    }
}

impl TryFrom<String> for Encoder {
    type Error = EncoderError;

    fn try_from(text: String) -> Result<Self, EncoderError> {
        text.parse()
    }
}

/// A text that names no encoder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an encoder; there are {names}", names = Encoder::ALL.map(Encoder::name).join(", "))]
pub struct EncoderError(String);
