//! The 19th-century game: Othello whose first four discs are placed by hand in the central square,
//! with half of all discs for each side. A side that has none left passes.
//!
//! On a board with an odd number of cells Black has one disc more.

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::color::Color;
use crate::game::{Game, Rules};
use crate::grid::Grid;
use crate::position::{Position, PositionError};
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::Side;
use crate::symmetry::Symmetry;

use super::lines::Lines;
use super::{Middle, Move, after, central_square, disc_count};

/// The rules of Reversi on one grid.
#[derive(Clone, Debug)]
pub struct Reversi<B> {
    board: Board,
    lines: Lines<B>,
    centre: B,
}

/// The discs on the board and those that the sides still have in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReversiPosition<B> {
    /// The discs on the board.
    pub discs: Position<B>,
    /// The discs that the side to move has in hand.
    pub own_hand: u8,
    /// The discs that the other side has in hand.
    pub opponent_hand: u8,
}

impl<B: Cells> ReversiPosition<B> {
    /// The same position on the turned or mirrored board.
    #[must_use]
    pub fn under(&self, symmetry: &Symmetry) -> Self {
        Self {
            discs: self.discs.under(symmetry),
            ..*self
        }
    }
}

impl<B: Cells> Reversi<B> {
    /// Reversi on this grid; `None` if it has no room for four discs in the middle.
    ///
    /// # Panics
    /// If the grid has more cells than `B` holds.
    #[must_use]
    pub fn new(grid: Grid) -> Option<Self> {
        assert!(grid.len() <= B::CAPACITY, "the board fits into the word");
        let centre = central_square(&grid, Middle::UpperLeft)?
            .iter()
            .fold(B::EMPTY, |set, &cell| set.with(cell));
        Some(Self {
            lines: Lines::new(&grid),
            centre: centre & B::from_wide(grid.cells()),
            board: grid.into(),
        })
    }

    /// Whether the central square is mapped onto itself: on boards with an odd number of rows or
    /// columns it is not quite in the middle.
    pub(crate) fn is_kept_by(&self, symmetry: &Symmetry) -> bool {
        symmetry.cells(self.centre) == self.centre
    }

    /// The cells on which a side with these discs can place another.
    fn placements(&self, own: B, opponent: B, hand: u8) -> B {
        let open = self.centre & !(own | opponent);
        if hand == 0 {
            B::EMPTY
        } else if open.is_empty() {
            self.lines.placements(own, opponent)
        } else {
            open
        }
    }

    fn own_placements(&self, position: &ReversiPosition<B>) -> B {
        let discs = &position.discs;
        self.placements(discs.own, discs.opponent, position.own_hand)
    }

    fn opponent_can_place(&self, position: &ReversiPosition<B>) -> bool {
        let discs = &position.discs;
        let placements = self.placements(discs.opponent, discs.own, position.opponent_hand);
        !placements.is_empty()
    }
}

impl<B: Cells> Rules for Reversi<B> {
    type Position = ReversiPosition<B>;
    type Move = Move;

    fn moves<'a>(
        &'a self,
        position: &ReversiPosition<B>,
    ) -> impl Iterator<Item = Move> + use<'a, B> {
        let placements = self.own_placements(position);
        let pass = placements.is_empty() && self.opponent_can_place(position);
        placements
            .iter()
            .map(Move::Place)
            .chain(pass.then_some(Move::Pass))
    }

    fn play_unchecked(&self, position: &ReversiPosition<B>, mv: Move) -> ReversiPosition<B> {
        let discs = &position.discs;
        let (discs, placed) = match mv {
            Move::Place(cell) => {
                let opening = !(self.centre & !discs.occupied()).is_empty();
                let turned = if opening {
                    B::EMPTY
                } else {
                    self.lines.turned(discs.own, discs.opponent, cell)
                };
                (after(discs, B::one(cell), turned), 1)
            }
            Move::Pass => (after(discs, B::EMPTY, B::EMPTY), 0),
        };
        ReversiPosition {
            discs,
            own_hand: position.opponent_hand,
            opponent_hand: position.own_hand - placed,
        }
    }

    /// Each empty cell takes at most a disc and a pass before it.
    fn plies_left(&self, position: &ReversiPosition<B>) -> u32 {
        2 * (self.board.cells().len() - position.discs.occupied().len())
    }

    fn move_name(&self, mv: Move) -> String {
        mv.name(&self.board)
    }

    fn move_named(&self, name: &str) -> Option<Move> {
        Move::named(name, &self.board)
    }

    fn path(&self, mv: Move) -> Option<(Cell, Cell)> {
        mv.path()
    }

    fn board(&self) -> &Board {
        &self.board
    }

    /// Since discs change colour, a board does not tell who placed them: the sides are taken to have
    /// placed them in turn, Black first.
    fn position(
        &self,
        setup: &Setup,
        to_move: impl Into<Side>,
    ) -> Result<ReversiPosition<B>, PositionError> {
        let discs = Position::<B>::from_setup(&self.board, setup, to_move.into())?;
        let cells = self.board.cells().len();
        let placed = discs.occupied().len();
        let black = (cells.div_ceil(2) - placed.div_ceil(2)) as u8;
        let white = (cells / 2 - placed / 2) as u8;
        let (own_hand, opponent_hand) = match discs.to_move {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        Ok(ReversiPosition {
            discs,
            own_hand,
            opponent_hand,
        })
    }

    fn setup(&self, position: &ReversiPosition<B>) -> Setup {
        position.discs.setup(&self.board)
    }

    fn side_to_move(&self, position: &ReversiPosition<B>) -> Side {
        position.discs.to_move.into()
    }

    fn result(&self, position: &ReversiPosition<B>) -> Option<GameResult> {
        self.is_over(position).then(|| disc_count(&position.discs))
    }
}

impl<B: Cells> Game for Reversi<B> {
    fn to_move(&self, position: &ReversiPosition<B>) -> Color {
        position.discs.to_move
    }

    /// Own discs on the board minus the opponent's.
    fn score(&self, position: &ReversiPosition<B>) -> Option<i32> {
        let discs = &position.discs;
        let difference = || discs.own.len() as i32 - discs.opponent.len() as i32;
        self.is_over(position).then(difference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(game: &Reversi<u64>, position: &ReversiPosition<u64>) -> Vec<String> {
        game.moves(position).map(|mv| game.move_name(mv)).collect()
    }

    #[test]
    fn the_first_four_discs_go_into_the_central_square_and_turn_nothing() {
        let grid: Grid = "4x4".parse().unwrap();
        let game = Reversi::<u64>::new(grid).unwrap();
        let mut position = game.position(&Setup::new(grid), Color::Black).unwrap();
        for (name, board) in [
            ("b2", "....|.x..|....|...."),
            ("c3", "....|.x..|..o.|...."),
            ("c2", "....|.xx.|..o.|...."),
            ("b3", "....|.xx.|.oo.|...."),
        ] {
            assert_eq!(
                names(&game, &position).len() as u32,
                4 - position.discs.occupied().len()
            );
            position = game
                .play(&position, game.move_named(name).unwrap())
                .unwrap();
            assert_eq!(game.setup(&position).to_string(), board);
        }
        assert_eq!(names(&game, &position), ["a4", "b4", "c4", "d4"]);
        assert_eq!((position.own_hand, position.opponent_hand), (6, 6));
    }

    #[test]
    fn a_side_without_discs_in_hand_passes() {
        let setup: Setup = "xo..|xo..|xo..|xx..".parse().unwrap();
        let Board::Grid(grid) = setup.board else {
            unreachable!()
        };
        let game = Reversi::<u64>::new(grid).unwrap();
        // Black could place, but has no disc left; White has one but cannot place it.
        let full = game.position(&setup, Color::Black).unwrap();
        let empty = ReversiPosition {
            own_hand: 0,
            ..full
        };
        assert!(names(&game, &full).len() > 1);
        assert!(game.is_over(&empty) || names(&game, &empty) == ["pass"]);
    }
}
