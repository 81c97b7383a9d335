//! Learning from games against Random, very fast (leiden2018, chapter 5): the network plays the
//! move it values most, and after each game learns the positions it chose, in playing order.
//!
//! This is plain backpropagation, reordered so that little is computed twice; see `game.rs` for how.
//! It is there for networks that see Clobber as leiden2018 does, with one hidden layer of
//! rectifiers; [`Plain`] does the same for every network, a position at a time.

mod board;
mod children;
mod game;
mod plain;

use std::ops::Range;

use upstar_games::{Board, Cells, Clobber, Color, Isa, Kernel, Machine, Position, Random, Variant};

use crate::encoder::Encoder;
use crate::network::{Network, isa};
use board::Slots;
use game::Games;

pub use plain::Plain;

/// How to learn from a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The step of backpropagation.
    pub learning_rate: f32,
    /// The value of a won game; a lost one has the same with a minus.
    pub target: f32,
    /// The step grows by this share after each position, and is reset for the next game.
    pub temporal_rate: f32,
}

/// Games that were played, and how much was learned from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of games.
    pub games: u64,
    /// Those that the network won.
    pub wins: u64,
    /// The positions that it chose.
    pub positions: u64,
    /// The positions that were learned with a gradient that is not zero.
    pub live: u64,
    /// The choices between moves of different value; counted only when nothing is learned.
    pub opinions: u64,
}

impl Record {
    /// The share of positions from which something was learned.
    #[must_use]
    pub fn live_gradient_share(&self) -> f64 {
        self.live as f64 / self.positions.max(1) as f64
    }

    /// The share of games won.
    #[must_use]
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.games.max(1) as f64
    }

    /// Whether the network has no opinion at all: it values all moves alike in every position, and
    /// plays the first of the list. Only for games from which nothing was learned.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.opinions == 0
    }

    /// Counts other games too.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.positions += other.positions;
        self.live += other.live;
        self.opinions += other.opinions;
    }
}

/// A network with one hidden layer of rectifiers that plays Clobber against Random.
#[derive(Clone, Debug)]
pub struct VersusRandom {
    network: Network,
    choice: Choice,
    isa: Isa,
}

/// Boards by the number of their directed edges and cells.
#[derive(Clone, Debug)]
enum Choice {
    One(Games<u64, 1>),
    Two(Games<u64, 2>),
    Four(Games<u64, 4>),
    Eight(Games<u128, 8>),
}

macro_rules! with_games {
    ($choice:expr, |$games:ident| $body:expr) => {
        match $choice {
            Choice::One($games) => $body,
            Choice::Two($games) => $body,
            Choice::Four($games) => $body,
            Choice::Eight($games) => $body,
        }
    };
}

impl VersusRandom {
    /// Games from `start` in which the network has this colour. `None` if the network is not of
    /// the kind described above, or not for this game and board; then [`Plain`] can do it.
    #[must_use]
    pub fn new<B: Cells>(
        network: Network,
        game: &Clobber<B>,
        start: &Position<B>,
        color: Color,
    ) -> Option<Self> {
        Self::on(isa(), network, game, start, color)
    }

    pub(crate) fn on<B: Cells>(
        isa: Isa,
        network: Network,
        game: &Clobber<B>,
        start: &Position<B>,
        color: Color,
    ) -> Option<Self> {
        let shape = network.shape();
        let Board::Grid(grid) = game.board() else {
            return None;
        };
        let fits = shape.game == Variant::Clobber
            && !game.is_cannibal()
            && (shape.grid.rows(), shape.grid.cols()) == (grid.rows(), grid.cols())
            && shape.encoder == Encoder::Leiden2018
            && shape.hidden.len() == 1
            && shape.activation.leak().is_some()
            && shape.output.leak().is_some();
        if !fits {
            return None;
        }
        let stones: [u128; 2] = start.stones().map(Into::into);
        let [own, opponent] = match color {
            Color::Black => stones,
            Color::White => [stones[1], stones[0]],
        };
        let first = start.to_move == color;
        let slots = Slots::list(game);
        macro_rules! games {
            ($case:ident, $cells:ty) => {
                Choice::$case(Games::new(
                    Slots::new(&slots, grid.len()),
                    &network,
                    <$cells>::from_wide(own),
                    <$cells>::from_wide(opponent),
                    first,
                ))
            };
        }
        let choice = match slots.len() {
            _ if grid.len() > 64 => games!(Eight, u128),
            0..=64 => games!(One, u64),
            65..=128 => games!(Two, u64),
            _ => games!(Four, u64),
        };
        Some(Self {
            network,
            choice,
            isa,
        })
    }

    /// Plays these games of the run with the given seed, and learns after each.
    pub fn learn(&mut self, lesson: &Lesson, seed: u64, games: Range<u64>) -> Record {
        self.play(Some(lesson), seed, games)
    }

    /// Plays these games and learns nothing.
    pub fn evaluate(&mut self, seed: u64, games: Range<u64>) -> Record {
        self.play(None, seed, games)
    }

    fn play(&mut self, lesson: Option<&Lesson>, seed: u64, games: Range<u64>) -> Record {
        with_games!(&mut self.choice, |choice| self.isa.run(Run {
            games: choice,
            lesson,
            seed,
            range: games,
        }))
    }

    /// The network as it is now.
    pub fn network(&mut self) -> &Network {
        with_games!(&self.choice, |games| games.write(&mut self.network));
        &self.network
    }

    /// The network as it is now.
    #[must_use]
    pub fn into_network(mut self) -> Network {
        self.network();
        self.network
    }
}

struct Run<'a, B, const W: usize> {
    games: &'a mut Games<B, W>,
    lesson: Option<&'a Lesson>,
    seed: u64,
    range: Range<u64>,
}

impl<B: Cells, const W: usize> Kernel for Run<'_, B, W> {
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        let mut record = Record::default();
        for index in self.range {
            let mut random = Random::for_game(self.seed, index);
            match self.lesson {
                Some(lesson) => {
                    self.games.play::<M, false>(&mut random, &mut record);
                    self.games.learn(lesson, &mut record);
                }
                None => self.games.play::<M, true>(&mut random, &mut record),
            }
        }
        record
    }
}
