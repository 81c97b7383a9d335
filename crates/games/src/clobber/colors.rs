//! Clobber with several colours, one player each.
//!
//! The rule: players move in turn, `x` first, then `o`, `t`, `s`, `d`, `p`. A move takes an own
//! stone onto a neighbouring stone of any other colour. A player who cannot move is out, and the
//! turn goes to the next one who can; whoever moved last has won. The start is
//! [`checkered`](super::checkered).
//!
//! Nobody who is out could ever come back: all neighbours of that player's stones are empty or of
//! the same colour, so no stone can reach them and nothing changes there any more.

use crate::board::Board;
use crate::cells::{Cell, Cells};
use crate::game::Rules;
use crate::setup::{MAX_COLORS, STONES, Setup};

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
    stones: [u128; MAX_COLORS],
    to_move: u8,
    last_moved: Option<u8>,
}

impl Colors {
    /// Clobber with this many colours, 2 to 6.
    ///
    /// # Panics
    /// If the number of colours is another.
    #[must_use]
    pub fn new(board: impl Into<Board>, colors: usize) -> Self {
        assert!((2..=MAX_COLORS).contains(&colors), "2 to 6 colours");
        Self {
            colors,
            clobber: Clobber::new(board),
        }
    }

    /// The colour that moved last, if the game is over and anybody moved.
    #[must_use]
    pub fn winner(&self, position: &ColorsPosition) -> Option<usize> {
        position
            .last_moved
            .filter(|_| self.is_over(position))
            .map(usize::from)
    }

    /// Gives the turn to the first player from `color` on who can move; to `color` if none can.
    fn with_turn_from(&self, mut position: ColorsPosition, color: usize) -> ColorsPosition {
        for next in color..=color + self.colors {
            position.to_move = (next % self.colors) as u8;
            if !self.is_over(&position) {
                break;
            }
        }
        position
    }
}

impl ColorsPosition {
    fn own(&self) -> u128 {
        self.stones[usize::from(self.to_move)]
    }

    fn occupied(&self) -> u128 {
        self.stones.iter().fold(0, |all, stones| all | stones)
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
        let mover = usize::from(position.to_move);
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

    /// The first player who can move, counted from `to_move`, has the turn.
    fn position(&self, setup: &Setup, to_move: usize) -> ColorsPosition {
        let position = ColorsPosition {
            stones: std::array::from_fn(|color| setup.stones(color)),
            to_move: to_move as u8,
            last_moved: None,
        };
        self.with_turn_from(position, to_move)
    }

    fn setup(&self, position: &ColorsPosition) -> Setup {
        let mut setup = Setup::new(self.clobber.board().clone());
        for (color, stones) in position.stones.iter().enumerate() {
            stones.iter().for_each(|cell: Cell| setup.put(cell, color));
        }
        setup
    }

    fn letter_to_move(&self, position: &ColorsPosition) -> char {
        STONES[usize::from(position.to_move)]
    }

    fn result(&self, position: &ColorsPosition) -> Option<String> {
        self.is_over(position).then(|| match self.winner(position) {
            Some(color) => format!("{} wins", STONES[color]),
            None => "nobody could move".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::checkered;
    use crate::game::perft;
    use crate::position::Position;
    use crate::{Color, Grid};

    #[test]
    fn two_colours_are_clobber() {
        let grid: Grid = "3x4".parse().unwrap();
        let setup = checkered(grid, 2);
        let two = Colors::new(grid, 2);
        let clobber = Clobber::<u64>::new(grid);
        let start = Position::from_setup(&setup, Color::Black);
        for depth in 0..7 {
            let expected = perft(&clobber, &start, depth);
            assert_eq!(perft(&two, &two.position(&setup, 0), depth), expected);
        }
    }

    #[test]
    fn a_player_who_cannot_move_is_passed_over_and_the_last_mover_wins() {
        let setup: Setup = "xot.".parse().unwrap();
        let game = Colors::new(setup.board.clone(), 3);
        let start = game.position(&setup, 0);
        assert_eq!(game.letter_to_move(&start), 'x');
        let after = game.play(&start, game.move_named("a1b1").unwrap()).unwrap();
        assert_eq!(game.setup(&after).to_string(), ".xt.");
        // There is no o left, so t is next.
        assert_eq!(game.letter_to_move(&after), 't');
        let end = game.play(&after, game.move_named("c1b1").unwrap()).unwrap();
        assert!(game.is_over(&end));
        assert_eq!(game.winner(&end), Some(2));
        assert_eq!(game.winner(&start), None);
    }

    #[test]
    fn nobody_comes_back() {
        let grid: Grid = "4x4".parse().unwrap();
        let game = Colors::new(grid, 3);
        for seed in 0..200 {
            let mut random = crate::Random::new(seed);
            let mut position = game.position(&checkered(grid, 3), 0);
            let mut out = [false; 3];
            while !game.is_over(&position) {
                for (color, out) in out.iter_mut().enumerate() {
                    let turn = ColorsPosition {
                        to_move: color as u8,
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
