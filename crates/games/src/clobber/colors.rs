//! Clobber with several colours, one player each.
//!
//! The rule: players move in turn, `x` first, then `o`, `t`, `s`, `d`, `p`. A move takes an own
//! stone onto a neighbouring stone of any other colour. A player who cannot move is out, and the
//! turn goes to the next one who can; the one who moved last has won. The start is
//! [`checkered`](super::checkered).
//!
//! A player who is out never comes back: all neighbours of that player's stones are empty or of
//! the same colour, so no stone can reach them and nothing changes there any more.

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::game::Rules;
use crate::position::PositionError;
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::{MAX_SIDES, Side};
use crate::symmetry::Symmetry;

use super::{Clobber, Move};

/// The rules of Clobber with several colours on one board.
#[derive(Clone, Debug)]
pub struct Colors {
    colors: usize,
    /// The same board under the rules for two: neighbours and names of moves.
    clobber: Clobber<u128>,
}

/// The stones of every colour and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorsPosition {
    stones: [u128; MAX_SIDES],
    to_move: Side,
    last_moved: Option<Side>,
}

impl Colors {
    /// Clobber with this many colours, 2 to 6.
    ///
    /// # Panics
    /// If the number of colours is another.
    #[must_use]
    pub fn new(board: impl Into<Board>, colors: usize) -> Self {
        assert!((2..=MAX_SIDES).contains(&colors), "2 to 6 colours");
        Self {
            colors,
            clobber: Clobber::new(board),
        }
    }

    /// The number of colours.
    #[must_use]
    pub fn colors(&self) -> usize {
        self.colors
    }

    /// Gives the turn to the first player from the side at this index on who can move; to that side
    /// if none can.
    fn with_turn_from(&self, mut position: ColorsPosition, first: usize) -> ColorsPosition {
        for next in first..=first + self.colors {
            position.to_move = Side::ALL[next % self.colors];
            if !self.is_over(&position) {
                break;
            }
        }
        position
    }
}

impl ColorsPosition {
    fn own(&self) -> u128 {
        self.stones[self.to_move.index()]
    }

    fn occupied(&self) -> u128 {
        self.stones.iter().fold(0, |all, stones| all | stones)
    }

    /// The same position on the turned or mirrored board.
    #[must_use]
    pub fn under(&self, symmetry: &Symmetry) -> Self {
        Self {
            stones: self.stones.map(|stones| symmetry.cells(stones)),
            ..*self
        }
    }
}

impl Rules for Colors {
    type Position = ColorsPosition;
    type Move = Move;

    fn moves<'a>(&'a self, position: &ColorsPosition) -> impl Iterator<Item = Move> + use<'a> {
        let prey = position.occupied() & !position.own();
        self.clobber.moves_onto(position.own(), prey)
    }

    fn play_unchecked(&self, position: &ColorsPosition, mv: Move) -> ColorsPosition {
        let mover = position.to_move.index();
        let mut stones = position.stones.map(|stones| stones.without(mv.to));
        stones[mover] = stones[mover].without(mv.from).with(mv.to);
        let after = ColorsPosition {
            stones,
            to_move: position.to_move,
            last_moved: Some(position.to_move),
        };
        self.with_turn_from(after, mover + 1)
    }

    fn plies_left(&self, position: &ColorsPosition) -> u32 {
        position.occupied().len().saturating_sub(1)
    }

    fn move_name(&self, mv: Move) -> String {
        self.clobber.move_name(mv)
    }

    fn move_named(&self, name: &str) -> Option<Move> {
        self.clobber.move_named(name)
    }

    fn path(&self, mv: Move) -> Option<(Cell, Cell)> {
        self.clobber.path(mv)
    }

    fn board(&self) -> &Board {
        self.clobber.board()
    }

    /// The first player who can move, counted from `to_move`, has the turn.
    fn position(
        &self,
        setup: &Setup,
        to_move: impl Into<Side>,
    ) -> Result<ColorsPosition, PositionError> {
        let to_move = to_move.into();
        PositionError::check(self.board(), self.colors, setup, to_move)?;
        let position = ColorsPosition {
            stones: Side::ALL.map(|side| setup.stones(side)),
            to_move,
            last_moved: None,
        };
        Ok(self.with_turn_from(position, to_move.index()))
    }

    fn setup(&self, position: &ColorsPosition) -> Setup {
        let mut setup = Setup::new(self.board().clone());
        for (side, stones) in Side::ALL.into_iter().zip(position.stones) {
            stones.iter().for_each(|cell| setup.put(cell, side));
        }
        setup
    }

    fn side_to_move(&self, position: &ColorsPosition) -> Side {
        position.to_move
    }

    fn result(&self, position: &ColorsPosition) -> Option<GameResult> {
        let last = position.last_moved;
        self.is_over(position)
            .then(|| last.map_or(GameResult::NoMoves, GameResult::LastMove))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::checkered;
    use crate::game::perft;
    use crate::{Color, Grid};

    #[test]
    fn two_colours_are_clobber() {
        let grid: Grid = "3x4".parse().unwrap();
        let setup = checkered(grid, 2);
        let two = Colors::new(grid, 2);
        let clobber = Clobber::<u64>::new(grid);
        let start = clobber.position(&setup, Color::Black).unwrap();
        let two_start = two.position(&setup, Color::Black).unwrap();
        for depth in 0..7 {
            let expected = perft(&clobber, &start, depth);
            assert_eq!(perft(&two, &two_start, depth), expected);
        }
    }

    #[test]
    fn a_player_who_cannot_move_is_passed_over_and_the_last_mover_wins() {
        let setup: Setup = "xot.".parse().unwrap();
        let game = Colors::new(setup.board.clone(), 3);
        let start = game.position(&setup, Color::Black).unwrap();
        assert_eq!(game.side_to_move(&start).letter(), 'x');
        let after = game.play(&start, game.move_named("a1b1").unwrap()).unwrap();
        assert_eq!(game.setup(&after).to_string(), ".xt.");
        // There is no o left, so t is next.
        assert_eq!(game.side_to_move(&after).letter(), 't');
        let end = game.play(&after, game.move_named("c1b1").unwrap()).unwrap();
        assert!(game.is_over(&end));
        let won = GameResult::LastMove(Side::ALL[2]);
        assert_eq!(game.result(&end), Some(won));
        assert_eq!(game.result(&start), None);
    }

    #[test]
    fn players_who_are_out_stay_out() {
        let grid: Grid = "4x4".parse().unwrap();
        let game = Colors::new(grid, 3);
        for seed in 0..200 {
            let mut random = crate::Random::new(seed);
            let start = game.position(&checkered(grid, 3), Color::Black);
            let mut position = start.unwrap();
            let mut out = [false; 3];
            while !game.is_over(&position) {
                for (color, out) in Side::ALL.into_iter().zip(&mut out) {
                    let turn = ColorsPosition {
                        to_move: color,
                        ..position
                    };
                    let stuck = game.is_over(&turn);
                    assert!(!*out || stuck, "seed {seed}: colour {color} came back");
                    *out = stuck;
                }
                let mv = crate::random_move(&game, &position, &mut random).unwrap();
                position = game.play_unchecked(&position, mv);
            }
        }
    }
}
