//! Where games are played: the rules, the board and the first position.
//!
//! A run on several boards has one type for all of them, so that one network and one buffer serve all.

use upstar_agents::Playable;
use upstar_games::{
    Cells, Clobber, Color, Game, Grid, Othello, Position, Random, Rules, Variant, clobber, othello,
};
use upstar_nets::deep::Acting;

use crate::folder::RunError;

/// A board of a run.
pub struct Field<G: Playable> {
    /// The rules on it.
    pub game: G,
    /// Where games begin.
    pub start: G::Position,
    /// The board.
    pub grid: Grid,
    /// What games on it are said to begin at: the board, `4x4`, or a position.
    pub board: String,
}

impl<B: Cells, G: Playable + Rules<Position = Position<B>>> Field<G> {
    fn new(game: G, mut start: Position<B>, grid: Grid, inverted: bool) -> Self {
        let mut board = grid.to_string();
        if inverted {
            std::mem::swap(&mut start.own, &mut start.opponent);
            board = game.setup(&start).to_string();
        }
        Self {
            game,
            start,
            grid,
            board,
        }
    }
}

/// A game that large networks learn.
pub trait TrainingGame: Playable + Acting {
    /// The field of a board, if the game has a start there; with the stones of both sides exchanged if
    /// colours are inverted.
    fn field(variant: Variant, grid: Grid, inverted: bool) -> Option<Field<Self>>;
}

/// Games are played on words of two lengths.
macro_rules! fielded {
    ($word:ty) => {
        impl TrainingGame for Clobber<$word> {
            fn field(variant: Variant, grid: Grid, inverted: bool) -> Option<Field<Self>> {
                let game = match variant {
                    Variant::Cannibal => Self::cannibal(grid),
                    _ => Self::new(grid),
                };
                let start = game.position(&clobber::checkerboard(grid), Color::Black);
                Some(Field::new(game, start.ok()?, grid, inverted))
            }
        }

        impl TrainingGame for Othello<$word> {
            fn field(variant: Variant, grid: Grid, inverted: bool) -> Option<Field<Self>> {
                let Variant::Othello(opening) = variant else {
                    return None;
                };
                let game = Self::new(grid);
                let start = game.position(&othello::start(grid, opening)?, Color::Black);
                Some(Field::new(game, start.ok()?, grid, inverted))
            }
        }
    };
}

fielded!(u64);
fielded!(u128);

/// Runs an expression with the type of games on all these boards.
macro_rules! with_field_type {
    ($variant:expr, $grids:expr, |$game:ident| $body:expr) => {{
        let wide = $grids
            .iter()
            .any(|grid| grid.len() > <u64 as upstar_games::Cells>::CAPACITY);
        match ($variant, wide) {
            (upstar_games::Variant::Othello(_), false) => {
                type $game = upstar_games::Othello<u64>;
                $body
            }
            (upstar_games::Variant::Othello(_), true) => {
                type $game = upstar_games::Othello<u128>;
                $body
            }
            (_, false) => {
                type $game = upstar_games::Clobber<u64>;
                $body
            }
            (_, true) => {
                type $game = upstar_games::Clobber<u128>;
                $body
            }
        }
    }};
}
pub(super) use with_field_type;

/// The fields of these boards.
pub(super) fn fields<G: TrainingGame>(
    variant: Variant,
    grids: &[Grid],
    inverted: bool,
) -> Result<Vec<Field<G>>, RunError> {
    let field = |&grid: &Grid| {
        G::field(variant, grid, inverted)
            .ok_or_else(|| RunError::of(format!("{variant} has no start on {grid}")))
    };
    grids.iter().map(field).collect()
}

/// The mean length of random games over these boards, of which all count alike.
pub(super) fn mean_length(variant: Variant, grids: &[Grid], inverted: bool) -> f64 {
    const GAMES: u64 = 1000;
    with_field_type!(variant, grids, |G| {
        let lengths = grids.iter().filter_map(|&grid| {
            let Field { game, start, .. } = G::field(variant, grid, inverted)?;
            let tally = game.playouts(&start, GAMES, &mut Random::new(Random::DEFAULT_SEED));
            Some(tally.plies as f64 / GAMES as f64)
        });
        lengths.sum::<f64>() / grids.len() as f64
    })
}
