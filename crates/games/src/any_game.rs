//! A game at one of its positions, chosen at run time and usable without knowing its types.
//!
//! Values are immutable and cheap to clone: a move makes a new one, and to undo is to keep the old one.
//! Code that is generic over the rules is entered with [`with_rules!`](crate::with_rules) and
//! [`with_game!`](crate::with_game), once per command; behind them nothing is dynamic.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::board::Board;
use crate::clobber::{Clobber, Colors, ColorsPosition, Solitaire};
use crate::game::{Game, PlayError, Rules, perft};
use crate::othello::transcript::{self, TranscriptError};
use crate::othello::{Move, Othello, Reversi, ReversiPosition};
use crate::position::{Position, PositionError};
use crate::result::GameResult;
use crate::setup::Setup;
use crate::side::Side;
use crate::svg;
use crate::symmetry::Symmetry;
use crate::variant::Variant;

/// A game at one of its positions: the rules on one board, and a position.
///
/// ```
/// use upstar_games::AnyGame;
/// let game = AnyGame::parse("othello", "4x4")?.play_all(["b1", "a1", "a2"])?;
/// assert_eq!(game.side_to_move().letter(), 'o');
/// assert_eq!(game.legal(), ["c1", "a3"]);
/// assert!(game.play("b1").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum AnyGame {
    Clobber64(Clobber<u64>, Position<u64>),
    Clobber128(Clobber<u128>, Position<u128>),
    Othello64(Othello<u64>, Position<u64>),
    Othello128(Othello<u128>, Position<u128>),
    Reversi64(Reversi<u64>, ReversiPosition<u64>),
    Reversi128(Reversi<u128>, ReversiPosition<u128>),
    Solitaire(Solitaire, Position<u128>),
    Colors(Colors, ColorsPosition),
}

/// Runs an expression with the rules and the position of an [`AnyGame`], whichever it is. For crates
/// whose code is generic over [`Rules`](crate::Rules); others need only the methods of [`AnyGame`].
///
/// ```
/// use upstar_games::{AnyGame, Rules, with_rules};
/// let game = AnyGame::parse("othello", "8x8")?;
/// let moves = with_rules!(&game, |rules, start| rules.count_moves(start));
/// assert_eq!(moves, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! with_rules {
    ($any:expr, |$rules:ident, $start:ident| $body:expr) => {
        match $any {
            $crate::AnyGame::Clobber64($rules, $start) => $body,
            $crate::AnyGame::Clobber128($rules, $start) => $body,
            $crate::AnyGame::Othello64($rules, $start) => $body,
            $crate::AnyGame::Othello128($rules, $start) => $body,
            $crate::AnyGame::Reversi64($rules, $start) => $body,
            $crate::AnyGame::Reversi128($rules, $start) => $body,
            $crate::AnyGame::Solitaire($rules, $start) => $body,
            $crate::AnyGame::Colors($rules, $start) => $body,
        }
    };
}

/// The same for code that is generic over [`Game`](crate::Game): games of two players only; the last
/// expression stands for the others.
#[macro_export]
macro_rules! with_game {
    ($any:expr, |$game:ident, $start:ident| $body:expr, $otherwise:expr) => {
        match $any {
            $crate::AnyGame::Clobber64($game, $start) => $body,
            $crate::AnyGame::Clobber128($game, $start) => $body,
            $crate::AnyGame::Othello64($game, $start) => $body,
            $crate::AnyGame::Othello128($game, $start) => $body,
            $crate::AnyGame::Reversi64($game, $start) => $body,
            $crate::AnyGame::Reversi128($game, $start) => $body,
            $crate::AnyGame::Solitaire(..) | $crate::AnyGame::Colors(..) => $otherwise,
        }
    };
}

/// The same game at another position.
macro_rules! with_position {
    ($any:expr, |$rules:ident, $position:ident| $next:expr) => {
        match $any {
            AnyGame::Clobber64($rules, $position) => AnyGame::Clobber64($rules.clone(), $next),
            AnyGame::Clobber128($rules, $position) => AnyGame::Clobber128($rules.clone(), $next),
            AnyGame::Othello64($rules, $position) => AnyGame::Othello64($rules.clone(), $next),
            AnyGame::Othello128($rules, $position) => AnyGame::Othello128($rules.clone(), $next),
            AnyGame::Reversi64($rules, $position) => AnyGame::Reversi64($rules.clone(), $next),
            AnyGame::Reversi128($rules, $position) => AnyGame::Reversi128($rules.clone(), $next),
            AnyGame::Solitaire($rules, $position) => AnyGame::Solitaire($rules.clone(), $next),
            AnyGame::Colors($rules, $position) => AnyGame::Colors($rules.clone(), $next),
        }
    };
}

/// What a position is.
impl AnyGame {
    /// The game's name.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let clobber = |cannibal| match cannibal {
            true => Variant::Cannibal,
            false => Variant::Clobber,
        };
        match self {
            Self::Clobber64(rules, _) => clobber(rules.is_cannibal()),
            Self::Clobber128(rules, _) => clobber(rules.is_cannibal()),
            Self::Othello64(rules, _) => Variant::Othello(rules.opening()),
            Self::Othello128(rules, _) => Variant::Othello(rules.opening()),
            Self::Reversi64(..) | Self::Reversi128(..) => Variant::Reversi,
            Self::Solitaire(..) => Variant::Solitaire,
            Self::Colors(rules, _) => Variant::Colors(rules.colors()),
        }
    }

    /// The board played on.
    #[must_use]
    pub fn board(&self) -> &Board {
        with_rules!(self, |rules, _position| rules.board())
    }

    /// The board and the stones. Its text is the position text.
    #[must_use]
    pub fn setup(&self) -> Setup {
        with_rules!(self, |rules, position| rules.setup(position))
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        with_rules!(self, |rules, position| rules.side_to_move(position))
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        with_rules!(self, |rules, position| rules.is_over(position))
    }

    /// How the game ended; `None` while it goes on.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        with_rules!(self, |rules, position| rules.result(position))
    }

    /// An upper bound on the number of plies that can follow.
    #[must_use]
    pub fn plies_left(&self) -> u32 {
        with_rules!(self, |rules, position| rules.plies_left(position))
    }

    /// The number of lines of play of this many plies.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        with_rules!(self, |rules, position| perft(rules, position, depth))
    }

    /// A picture, with an arrow for this legal move if one is given.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn svg(&self, arrow: Option<&str>) -> Result<String, PlayError> {
        let path = with_rules!(self, |rules, position| {
            let mv = arrow.map(|name| rules.legal_move(position, name));
            mv.transpose()?.and_then(|mv| rules.path(mv))
        });
        Ok(svg::draw(&self.setup(), path))
    }

    /// The different positions that turning and mirroring the board make of this one, itself first.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Self> {
        let mut images = vec![self.clone()];
        let Board::Grid(grid) = self.board() else {
            return images;
        };
        for symmetry in &Symmetry::all(grid) {
            let keeps_rules = match self {
                Self::Reversi64(rules, _) => rules.is_kept_by(symmetry),
                Self::Reversi128(rules, _) => rules.is_kept_by(symmetry),
                _ => true,
            };
            let image = with_position!(self, |rules, position| position.under(symmetry));
            if keeps_rules && !images.contains(&image) {
                images.push(image);
            }
        }
        images
    }

    /// The same rules at another position.
    ///
    /// # Errors
    /// If the setup is of another board, or has stones or a side to move that the game does not have.
    pub fn at(&self, setup: &Setup, to_move: impl Into<Side>) -> Result<Self, PositionError> {
        let to_move = to_move.into();
        Ok(with_position!(self, |rules, _position| rules.position(setup, to_move)?))
    }
}

/// Moves, by their names.
impl AnyGame {
    /// The legal moves, in the fixed order of the game.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        with_rules!(self, |rules, position| {
            let names = rules.moves(position).map(|mv| rules.move_name(mv));
            names.collect()
        })
    }

    /// Whether the side to move can only pass.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        with_rules!(self, |rules, position| {
            let first = rules.moves(position).next();
            first.is_some_and(|mv| rules.path(mv).is_none())
        })
    }

    /// The game after a move.
    ///
    /// # Errors
    /// If the text names no move on this board, or the move is not legal here.
    pub fn play(&self, name: &str) -> Result<Self, PlayError> {
        Ok(with_position!(self, |rules, position| {
            let mv = rules.legal_move(position, name)?;
            rules.play_unchecked(position, mv)
        }))
    }

    /// The game after several moves.
    ///
    /// # Errors
    /// If one of them cannot be played.
    pub fn play_all<T: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = T>,
    ) -> Result<Self, PlayError> {
        let mut names = names.into_iter();
        names.try_fold(self.clone(), |game, name| game.play(name.as_ref()))
    }
}

/// Othello as players write it.
impl AnyGame {
    /// The game after the moves of a transcript, `f5d6c3`; passes may be left out.
    ///
    /// # Errors
    /// If the game is not Othello, or the text does not name legal moves.
    pub fn play_transcript(&self, text: &str) -> Result<Self, TranscriptError> {
        fn last<G: Game<Move = Move>>(
            rules: &G,
            position: &G::Position,
            text: &str,
        ) -> Result<G::Position, TranscriptError> {
            let moves = transcript::read(rules, position, text)?.into_iter();
            Ok(moves.fold(*position, |at, mv| rules.play_unchecked(&at, mv)))
        }
        Ok(match self {
            Self::Othello64(rules, at) => Self::Othello64(rules.clone(), last(rules, at, text)?),
            Self::Othello128(rules, at) => Self::Othello128(rules.clone(), last(rules, at, text)?),
            Self::Reversi64(rules, at) => Self::Reversi64(rules.clone(), last(rules, at, text)?),
            Self::Reversi128(rules, at) => Self::Reversi128(rules.clone(), last(rules, at, text)?),
            _ => return Err(TranscriptError::OtherGame(self.variant())),
        })
    }
}

/// Games are equal if they have the same name, board and position.
impl PartialEq for AnyGame {
    fn eq(&self, other: &Self) -> bool {
        let same_position = match (self, other) {
            (Self::Clobber64(_, a), Self::Clobber64(_, b)) => a == b,
            (Self::Clobber128(_, a), Self::Clobber128(_, b)) => a == b,
            (Self::Othello64(_, a), Self::Othello64(_, b)) => a == b,
            (Self::Othello128(_, a), Self::Othello128(_, b)) => a == b,
            (Self::Reversi64(_, a), Self::Reversi64(_, b)) => a == b,
            (Self::Reversi128(_, a), Self::Reversi128(_, b)) => a == b,
            (Self::Solitaire(_, a), Self::Solitaire(_, b)) => a == b,
            (Self::Colors(_, a), Self::Colors(_, b)) => a == b,
            _ => false,
        };
        same_position && self.variant() == other.variant() && self.board() == other.board()
    }
}

impl Eq for AnyGame {}

impl Hash for AnyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variant().hash(state);
        self.board().hash(state);
        with_rules!(self, |_rules, position| position.hash(state));
    }
}

/// The position text.
impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}
